// Search, filter and sort for the lists of an archive. Without it they stay plain tables.
"use strict";
(function () {
  function fold(text) {
    return text.normalize("NFKD").toLowerCase();
  }

  function cellValue(row, place, numeric) {
    var cell = row.cells[place];
    var text = cell.getAttribute("data-order") || cell.textContent.trim();
    if (!numeric) return fold(text);
    var number = parseFloat(text.replace(/,/g, "").replace("\u2212", "-"));
    return isNaN(number) ? -Infinity : number;
  }

  function sortable(table) {
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    heads.forEach(function (head, place) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.textContent = "";
      head.appendChild(button);
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        var numeric = head.getAttribute("data-sort") === "number";
        var body = table.tBodies[0];
        var rows = Array.prototype.slice.call(body.rows).map(function (row, order) {
          return { row: row, value: cellValue(row, place, numeric), order: order };
        });
        rows.sort(function (one, two) {
          if (one.value === two.value) return one.order - two.order;
          return (one.value < two.value ? -1 : 1) * (down ? -1 : 1);
        });
        rows.forEach(function (item) { body.appendChild(item.row); });
      });
    });
  }

  function element(name, text, cls) {
    var made = document.createElement(name);
    if (cls) made.className = cls;
    if (text) made.textContent = text;
    return made;
  }

  function broken(name) {
    var made = element("code");
    name.split("_").forEach(function (part, place) {
      if (place) { made.append("_", element("wbr")); }
      made.append(part);
    });
    return made;
  }

  function rowOf(item, root) {
    var row = element("tr");
    row.setAttribute("data-word", item.word);
    row.setAttribute("data-kind", item.kind);
    var verdict = element("td", "", "verdict " + item.tone);
    var sign = element("span", item.sign, "sign");
    sign.setAttribute("aria-hidden", "true");
    verdict.append(sign, "\u00a0", element("span", item.verdict, "word"));
    var what = element("th");
    what.scope = "row";
    var link = element("a", item.title);
    link.setAttribute("href", root + item.href);
    link.setAttribute("title", item.sentence);
    what.append(link);
    var delta = element("td", item.delta, "num");
    delta.setAttribute("data-order", item.gap);
    var cause = element("td", "", "cause");
    cause.title = item.cause;
    cause.append(item.cause ? broken(item.cause) : element("span", item.why, "quiet"));
    var model = element("td", item.model, "model");
    model.title = item.model;
    var day = element("td", item.day, "nowrap day");
    day.setAttribute("data-order", item.order);
    var range = element("td", item.interval, "ci");
    if (item.level) range.append(" ", element("small", item.level));
    if (item.of) {
      var of = element("small", item.of, "of");
      of.title = item.of;
      range.append(of);
    }
    row.append(verdict, what, delta, range, cause, model, day);
    return row;
  }

  function findable(table, form) {
    var body = table.tBodies[0];
    var own = Array.prototype.slice.call(body.rows);
    var script = document.querySelector("script[src$='index-data.js']");
    var root = script ? script.getAttribute("src").replace("index-data.js", "") : "";
    var pages = document.querySelector(".pages");
    var output = form.querySelector("output");
    var limit = 200;
    form.hidden = false;

    function texts(item) {
      return fold([item.title, item.sentence, item.names, item.tasks, item.verdict, item.kind].join(" "));
    }

    function update() {
      var words = fold(form.elements.text.value).split(/\s+/).filter(Boolean);
      var word = form.elements.word.value;
      var kind = form.elements.kind.value;
      var list = window.DIPTYCH_INDEX; // its script comes after this one
      var asked = words.length || word || kind;
      function fits(text, itsWord, itsKind) {
        return (!word || itsWord === word) && (!kind || itsKind === kind) &&
          words.every(function (part) { return text.indexOf(part) >= 0; });
      }
      var total = list ? list.length : own.length;
      var shown = 0;
      if (list && asked) {
        var hits = list.filter(function (item) { return fits(texts(item), item.word, item.kind); });
        shown = hits.length;
        body.replaceChildren.apply(body, hits.slice(0, limit).map(function (item) { return rowOf(item, root); }));
      } else {
        if (list) body.replaceChildren.apply(body, own);
        own.forEach(function (row) {
          var text = fold([row.textContent, row.getAttribute("data-names"), row.getAttribute("data-kind")].join(" "));
          row.hidden = !fits(text, row.getAttribute("data-word"), row.getAttribute("data-kind"));
          if (!row.hidden) shown += 1;
        });
      }
      if (pages) pages.hidden = Boolean(list && asked);
      output.textContent = asked ? shown + " of " + total + (shown > limit ? ", the first " + limit + " are shown" : "") : "";
    }

    form.addEventListener("input", update);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    update();
  }

  document.querySelectorAll("table[data-finder]").forEach(sortable);
  var form = document.querySelector("form.finder");
  if (form) findable(document.querySelector("table[data-finder]"), form);
})();
