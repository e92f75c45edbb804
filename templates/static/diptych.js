// What a page of items gains with script: filter by class, task and filter, sort by margin, copy a command.
// Everything stands on the page without it. No dependency, no request.
(function () {
  "use strict";
  var items = Array.prototype.slice.call(document.querySelectorAll("article.item"));

  function copyButtons() {
    document.querySelectorAll(".command").forEach(function (box) {
      if (!navigator.clipboard) { return; }
      var button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "Copy";
      button.addEventListener("click", function () {
        navigator.clipboard.writeText(box.querySelector("pre").textContent).then(
          function () { button.textContent = "Copied"; },
          function () { button.textContent = "Select and copy by hand"; }
        );
      });
      box.appendChild(button);
    });
  }

  function chosen() {
    // "#class=lost" chooses; "#task/item" is an item's own address and chooses nothing
    var found = /^#(class|task|filter)=(.*)$/.exec(location.hash);
    return found ? { name: found[1], value: decodeURIComponent(found[2]) } : null;
  }

  function holds(item, choice) {
    var value = item.dataset[choice.name] || "";
    return choice.name === "filter" ? value.split(" ").indexOf(choice.value) >= 0 : value === choice.value;
  }

  function show() {
    var choice = chosen();
    var any = choice && items.some(function (item) { return holds(item, choice); });
    var count = 0;
    items.forEach(function (item) {
      item.hidden = Boolean(any) && !holds(item, choice);
      if (!item.hidden) { count += 1; }
    });
    document.querySelectorAll(".chips a").forEach(function (chip) {
      var current = Boolean(choice) && decodeURIComponent(chip.hash) === decodeURIComponent(location.hash);
      var fold = chip.closest("details");
      chip.setAttribute("aria-current", String(current));
      if (current && fold) { fold.open = true; }
    });
    headings();
    said.textContent = count + " of " + items.length + " items on this page";
    all.hidden = !any;
  }

  function headings() {
    // a heading stands for the items up to the next one; sorted, they no longer stand together
    document.querySelectorAll("h2.flip-class").forEach(function (heading) {
      var next = heading.nextElementSibling, seen = false;
      while (next && next.matches("article.item")) { seen = seen || !next.hidden; next = next.nextElementSibling; }
      heading.hidden = sort.value !== "listed" || !seen;
    });
  }

  function reorder() {
    var last = document.querySelector("main nav");
    var box = items[0].parentNode;
    var rows = items.slice();
    if (sort.value === "margin") {
      rows.sort(function (a, b) { return margin(a) - margin(b); });
      rows.forEach(function (item) { box.insertBefore(item, last); });
    } else {
      order.forEach(function (node) { box.insertBefore(node, last); });
    }
    show();
  }

  function margin(item) {
    return item.dataset.margin === undefined ? Infinity : Number(item.dataset.margin);
  }

  copyButtons();
  var tools = document.getElementById("tools");
  if (!tools || !items.length) { return; }
  var order = Array.prototype.slice.call(document.querySelectorAll("h2.flip-class, article.item"));
  var said = document.createElement("span");
  said.setAttribute("aria-live", "polite");
  var all = document.createElement("a");
  all.href = "#content";
  all.textContent = "show all";
  var label = document.createElement("label");
  var sort = document.createElement("select");
  [["listed", "as listed"], ["margin", "smallest margin first"]].forEach(function (pair) {
    var option = document.createElement("option");
    option.value = pair[0];
    option.textContent = pair[1];
    sort.appendChild(option);
  });
  label.append("Order: ", sort);
  tools.append(said, all, label);
  tools.hidden = false;
  sort.addEventListener("change", reorder);
  window.addEventListener("hashchange", show);
  show();
})();
