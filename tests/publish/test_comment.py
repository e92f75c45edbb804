"""A comment says the worst first, fits its forge, and has the meant shape whatever text it carries."""

import datetime
import os
import random
import re
from pathlib import Path
from typing import Any

import cmarkgfm
import pytest
from click.testing import CliRunner
from selectolax.lexbor import LexborHTMLParser, LexborNode

from diptych import artifact
from diptych.cli import main
from diptych.comparison import Comparison, Finding, FlipSide, Gate, Verdict
from diptych.errors import DiptychError
from diptych.estimates import Estimate, MetricComparison
from diptych.publish.comment import Body, comment
from diptych.publish.post import Stamp, comment_key, read_marker
from diptych.report.comment.budget import LIMITS, ORDER, Block, most_rows, rows_that_fit
from diptych.report.comment.comment_words import age, axis_reach, block, chart
from diptych.report.writers.harmless import visible
from examples_comparison import HOSTILE, comparison, matrix, repeats
from examples_decision import decision

UNSAFE = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE
ACTING = "a, img, script, style, iframe, form, input, em, del, h1, h2, h4, h5, h6, blockquote, svg, math, section, sup"
HIDDEN = re.compile("[\u0000-\u0008\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
EXAMPLES = int(os.environ.get("DIPTYCH_HOSTILE_EXAMPLES", "500"))
"""How many generated texts each run tries; a longer run sets more."""

TRICKS = (
    "@octocat", "@org/team",
    "\\@x", "&#64;x", "#12", "GH-3", "owner/repo#1", "closes #1", "fixes GH-7", "!12", "%3",
    "~label", "&5", "$1+1$", "$$x$$", "$`x`$", ":tada:", "https://e.test", "http://e.test/?a=b", "www.e.test", "a@b.co",
    "mailto:a@b.co", "<https://e.test>", "[x](https://e.test)", "![i](https://e.test/p.png)", "[x]: https://e.test",
    "[^1]", "[^1]: note", "```", "````", "~~~", "`", "``", "\\`", "\\|", "|", "|---|", "| a | b |\n|---|---|", "---",
    "***", "===", "# head", "## head", "> quote", "- item", "* item", "1. item", "- [ ] task", "    code", "\tcode",
    "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<script>alert(1)</script>", "<img src=x onerror=y>", "<b>", "</b>",
    "<details>", "</details>", "</summary>", "<summary>", "</code>", "</pre>", "<pre>", "</table>", "</td>", "<br>",
    "<a href='https://e.test'>x</a>", "javascript:alert(1)", "*em*", "**strong**", "_em_", "__strong__", "~~del~~",
    "/close", "\n/close\n", "/assign @me", "\n\n", "\r\n", "\r", "\u2028", "\u202egnp", "\u200b", "\u2066x\u2069",
    "\ufeff", "\x00", "\x1b[31m", "\x7f", "\u3164", "\ud83d", "é漢🌈", "&amp;", "&lt;script&gt;", "{{ 7*7 }}",
    "{% x %}",    "deadbeefcafe1234", "a" * 300, "\\", "\\\\|", "|\\", "`|`", "'", '"', "", " ", "  ",
)  # fmt: skip
LETTERS = "|`\\~*_[]()<>!&;:/@#$%^{}=+-.'\" \t\n\r\x1b\u202e\u200b\ufeff\u2028\x00aA1é漢🌈"


def hostile(seed: int) -> str:
    chance = random.Random(seed)
    parts = []
    for _ in range(chance.randint(0, 9)):
        whole = chance.random() < 0.7
        parts.append(chance.choice(TRICKS) if whole else "".join(chance.choices(LETTERS, k=chance.randint(1, 6))))
    return chance.choice(("", " ", "\n")).join(parts)


def poisoned(text: str, whole: Comparison) -> Comparison:
    """Return a comparison that carries one text in every place where a model, a task or a person may write."""
    metrics = tuple(
        row._replace(task=text, metric=text, filter=text, reason=text, sentence=text) for row in whole.metrics
    )
    run = whole.verdict.isolating_run
    assert run is not None
    side = FlipSide(text, text, text, 0.0, (text,))
    return whole._replace(
        title=text,
        a=whole.a._replace(label=text, model=text, harness=text, harness_version=text, date=text),
        b=whole.b._replace(label=text, model=text, metadata={"git_hash": text}),
        verdict=whole.verdict._replace(
            sentence=text,
            leading_cause=text,
            isolating_run=run._replace(changes=text, command=text, if_closes=text, if_stays=text),
        ),
        metrics=metrics,
        settings=tuple(row._replace(key=text, a=text, b=[text], why=text, evidence=text) for row in whole.settings),
        context=tuple(row._replace(setting=text, a=text, b=text, why=text, evidence=text) for row in whole.context),
        task_settings=tuple(row._replace(task=text, field=text, a=text, b={text: text}) for row in whole.task_settings),
        ladder=tuple(row._replace(task=text) for row in whole.ladder),
        findings=tuple(row._replace(text=text, task=text) for row in whole.findings),
        flips=tuple(row._replace(task=text, item=text, target=text, a=side, b=side) for row in whole.flips[:3]),
        flip_counts=tuple(row._replace(task=text, filter=text) for row in whole.flip_counts),
        left_out=tuple(row._replace(what=text) for row in whole.left_out),
        gates=tuple(row._replace(rule=text, text=text) for row in whole.gates),
    )


def drawn(body: Body | str) -> LexborHTMLParser:
    text = body if isinstance(body, str) else body.text
    return LexborHTMLParser(cmarkgfm.github_flavored_markdown_to_html(text, UNSAFE))


def shape(tree: LexborHTMLParser) -> list[str]:
    """Return the tree of a comment without its texts: code is text, however it is written."""
    names: list[str] = []

    def walk(node: LexborNode, depth: int) -> None:
        for child in node.iter():
            if child.tag in ("code", "wbr", "-comment"):
                continue
            names.append(f"{'  ' * depth}{child.tag}")
            if child.tag != "pre":
                walk(child, depth + 1)

    assert tree.body is not None
    walk(tree.body, 0)
    return names


def harmless(body: Body) -> None:
    tree = drawn(body)
    assert tree.css_first(ACTING) is None
    for node in tree.css("code, pre"):
        node.decompose()
    loose = tree.body.text() if tree.body else ""
    assert not re.search(r"@\w|#\d|GH-\d|://|www\.|\$", loose), loose
    assert not HIDDEN.search(body.text)
    assert not re.search(r"<script|(?<![`\w\\])@[a-z]+(?![\w`])", body.text)
    assert not re.search(r"(?m)^/", body.text)


def test_the_shape_of_a_comment_does_not_depend_on_a_text_it_carries() -> None:
    meant = shape(drawn(comment([poisoned("name", comparison())])))
    for text in TRICKS:
        if not text.strip():
            continue
        body = comment([poisoned(text, comparison())])
        harmless(body)
        assert shape(drawn(body)) == meant, text


@pytest.mark.parametrize("examples", [EXAMPLES // 6, pytest.param(EXAMPLES, marks=pytest.mark.slow)])
def test_generated_texts_leave_the_shape_as_it_is(examples: int) -> None:
    few = comparison(
        metrics=comparison().metrics[:2],
        settings=comparison().settings[:1],
        task_settings=comparison().task_settings[:1],
        flips=comparison().flips[:1],
        flip_counts=comparison().flip_counts[:1],
        ladder=comparison().ladder[:1],
        findings=comparison().findings[:1],
    )
    meant = shape(drawn(comment([poisoned("name", few)])))
    tried = 0
    for seed in range(examples):
        text = hostile(seed)
        if not text.strip():
            continue
        body = comment([poisoned(text, few)])
        harmless(body)
        assert shape(drawn(body)) == meant, text
        tried += 1
    assert tried > examples / 2


def test_a_block_shows_the_very_text_and_no_bot_finds_a_tag_or_a_mention_in_it() -> None:
    for text in (HOSTILE, "plain\n\n\nlines", "```\n/close\n```", "</pre><b>@x", *TRICKS):
        tree = drawn(f"before\n\n{block(text)}\n\nafter")
        shown = tree.css_first("pre").text().removesuffix("\n").split("\n")
        meant = [f" {line}" if line.lstrip().startswith("/") else line for line in visible(text).split("\n")]
        assert [line.rstrip() for line in shown] == [line.rstrip() for line in meant]
        assert [node.text() for node in tree.css("p")] == ["before", "after"]
        assert "<script" not in block(text)


def many(
    count: int, status: str = "unclear", text: str = "a task with a name of some length"
) -> tuple[MetricComparison, ...]:
    estimate = Estimate("newcombe_unpaired", 0.95, -0.01, -0.08, 0.06, 0.4, 1.0, detectable=0.1, margin=0.01)
    row = MetricComparison("", "acc", "none", True, 0.5, 0.49, -0.01, status, None, primary=True, estimate=estimate)
    return tuple(row._replace(task=f"suite_{number:04d} {text}") for number in range(count))


def changed(task: str, difference: float, **more: Any) -> MetricComparison:
    status = "worse" if difference < 0 else "better"
    estimate = Estimate("mcnemar_midp_tango", 0.95, difference, difference - 0.05, difference + 0.05, 1e-6, 1e-5)
    row = MetricComparison(task, "acc", "none", True, 0.5, 0.5 + difference, difference, status, None, primary=True)
    return row._replace(**{"estimate": estimate, **more})


def test_the_worst_real_changes_come_first_then_the_improvements() -> None:
    rows = (changed("small", -0.05), changed("gain", 0.4), changed("large", -0.35), *many(5))
    text = comment([comparison(metrics=rows)]).text
    places = [text.index(f"`{name}`") for name in ("large", "small", "gain")]
    assert places == sorted(places)
    assert text.split("\n")[0].endswith("worse on 2, better on 1 of 8 tasks")


def test_ranges_of_several_levels_each_bear_their_own() -> None:
    first, *_ = comparison().metrics
    assert first.estimate
    rows = tuple(
        first._replace(task=f"task_{level}", estimate=first.estimate._replace(confidence=level))
        for level in (0.975, 0.9975)
    )
    text = comment([comparison(metrics=rows)]).text
    assert "| CI |" in text
    assert "97.5–99.8" not in text
    assert "(97.5\u00a0%)" in text
    assert "(99.8\u00a0%)" in text


def test_the_heading_says_the_verdict_by_sign_and_word() -> None:
    for kind, heading in (
        ("not_a_measurement", "### ✗ Chat template and shots: not a measurement"),
        ("not_comparable", "### ✗ Chat template and shots: not comparable"),
        ("identical", "### = Chat template and shots: identical"),
        ("equivalent", "### ≈ Chat template and shots: equivalent"),
        ("unclear", "### ? Chat template and shots: inconclusive"),
    ):
        text = comment([comparison(verdict=comparison().verdict._replace(kind=kind))]).text
        assert text.startswith(heading)
    assert comment([comparison(metrics=(changed("gain", 0.2),))]).text.startswith(
        "### ▲ Chat template and shots: better on gain"
    )
    assert comment([comparison(metrics=(changed("loss", -0.2),))]).text.startswith(
        "### ▼ Chat template and shots: worse on loss"
    )


def test_the_cause_stands_above_the_table_and_the_command_folds_below_it() -> None:
    text = comment([comparison()]).text
    assert (
        text.index("The first thing that differs") < text.index("| Task, metric |") < text.index("lm_eval --model hf")
    )
    assert text.index("<summary>Isolating run</summary>") < text.index("lm_eval --model hf")
    assert "8 min 20 s" in text


@pytest.mark.parametrize("kind", ["not_a_measurement", "not_comparable"])
def test_runs_that_measured_nothing_are_not_set_against_each_other(kind: str) -> None:
    verdict = Verdict(kind, "B answered nothing: its score is no measurement.", None, "none", None, "Run B again.")
    whole = comparison(verdict=verdict, metrics=(changed("arith", -0.58),), gates=())
    text = comment([whole]).text
    assert not re.search(r"(?i)regression|worse|−58|nan\b|\binf", text)
    assert "Scores as reported, not to be compared" in text
    assert "Next: Run B again." in text


def test_every_finding_of_weight_is_shown_with_its_own_words() -> None:
    said = "The answers are identical to the last digit: one run was served from the other's cache."
    body = comment([comparison(findings=(Finding("answers_identical", "error", said, "both"),))])
    assert f"- ✗ {said}" in body.text


def test_a_warning_that_many_tasks_share_stands_open_once() -> None:
    shared = tuple(Finding("prompt_other", "warning", f"Prompts of t{n} differ.", "both", f"t{n}") for n in range(5))
    text = comment([comparison(findings=(*shared, Finding("file_damaged", "error", "A file is cut.", "a")))]).text
    assert text.index("- ✗ A file is cut.") < text.index("- ! Prompts of t0 differ. (4 more alike)")
    assert "Prompts of t1" not in text


def test_a_comparison_with_nothing_in_it_is_still_a_comment() -> None:
    names = (
        "metrics settings task_settings context ladder findings flips flip_counts prompts answer_changes left_out gates"
    )
    empty: dict[str, Any] = dict.fromkeys(names.split(), ())
    text = comment([comparison(**empty, verdict=Verdict("identical", "All is equal.", None, "none", None, ""))]).text
    assert "<details>" not in text
    assert "Left out" not in text


def test_a_comment_says_how_old_its_runs_are_and_of_which_commit_it_speaks() -> None:
    stamp = Stamp("0123abcd" * 5, None, 4)
    text = comment([comparison()], today=datetime.date(2025, 11, 12), stamp=stamp).text
    assert "baseline `base-3shot`:" in text
    assert "11 days old" in text
    assert "10 days old" in text
    assert "commit `0123abcd0123`" in text
    assert "days old" not in comment([comparison()]).text


@pytest.mark.parametrize(
    ("date", "said"),
    [
        ("2026-01-02T03:04:05", "made today"),
        ("2026-01-01", "1 day old"),
        ("2026-01-03", "dated in the future"),
        ("soon", ""),
        (None, ""),
    ],
)
def test_an_age_is_told_in_words(date: str | None, said: str) -> None:
    assert age(date, datetime.date(2026, 1, 2)) == said


@pytest.mark.parametrize("forge", LIMITS)
def test_a_comment_fits_its_forge_whatever_it_holds(forge: str) -> None:
    rows = tuple(changed(f"suite_{number:03d}", -0.35) for number in (3, 150, 299)) + many(9_000, text=HOSTILE[:60])
    body = comment([comparison(metrics=rows)], forge=forge, archive_url="https://e.example/x")
    size = len(body.text.encode("utf-8")) if forge == "summary" else len(body.text)
    assert min(LIMITS[forge] / 2, 30_000) < size <= LIMITS[forge], "what is left out is left out for its room only"
    assert body.text.count("\n| `suite_") + body.text.count("\n| <code>") < 200, "a comment is no page"
    kept = body.text[: body.text.index("<details>")]
    assert all(f"`suite_{number}`" in kept for number in ("003", "150", "299"))
    assert re.search(r"Left out: .*\d+ of 9003 rows of scores.*: \[full page\]\(https://e\.example/x/", body.text)
    assert body.text.count("<details>") == body.text.count("</details>")
    assert body.left_out


@pytest.mark.parametrize("text", ["<" * 100_000, "@x " * 30_000, "`|\\" * 30_000, "漢" * 100_000, "\n" * 100_000])
def test_a_comment_fits_though_every_text_in_it_is_endless(text: str) -> None:
    body = comment([poisoned(text, comparison())])
    assert len(body.text) <= LIMITS["github"]
    assert body.text.count("<details>") == body.text.count("</details>")
    assert "▼\u00a0worse" in body.text
    harmless(body)


def test_rows_are_dropped_at_their_border() -> None:
    rows = many(2_000)
    tree = drawn(comment([comparison(metrics=rows)]))
    cells = {len(line.css("td")) for line in tree.css("tbody tr") if "suite_" in (line.text() or "")}
    assert cells == {7}


def test_parts_are_dropped_in_the_stated_order() -> None:
    blocks = [Block(kind, kind, ("x" * 10,) * 5) for kind in reversed(ORDER)]
    whole = sum(len(block.rows) * 10 for block in blocks)
    gone: list[str] = []
    for limit in range(whole, -1, -10):
        counts = rows_that_fit(blocks, lambda place, count: 10 * count, 0, limit)
        gone += [
            block.kind for block, count in zip(blocks, counts, strict=True) if not count and block.kind not in gone
        ]
    assert gone == list(ORDER)


def test_what_must_stay_stays_in_no_room_at_all() -> None:
    counts = rows_that_fit([Block("worse", "rows", ("x",) * 30, least=10)], lambda place, count: count, 0, 0)
    assert counts == [10]
    assert most_rows(Block("worse", "rows", ("x",) * 30), 10, 5, lambda count: count) == 15


def test_a_metric_of_which_less_is_better_says_so() -> None:
    loss = MetricComparison("reg", "mae", "none", False, 12.0, 9.5, -2.5, "unclear", None)
    assert "`mae`, lower is better" in comment([comparison(metrics=(loss,))]).text
    assert "lower is" not in comment([comparison(metrics=(loss._replace(higher_is_better=None),))]).text


def test_a_range_of_the_reported_scores_alone_is_shown_where_there_is_no_paired_one() -> None:
    estimate = Estimate("newcombe_unpaired", 0.95, -0.1, -0.2, 0.01, 0.06)
    row = changed("facts", -0.1, estimate=None, unpaired=estimate, status="unclear")
    assert "−20.0\u00a0to\u00a0+1.0" in comment([comparison(metrics=(row,))]).text


def test_many_comparisons_are_one_table_worst_first() -> None:
    equal = comparison(
        id="e", title="equal", verdict=comparison().verdict._replace(kind="equivalent"), metrics=(), gates=()
    )
    broken = comparison(id="b", title="broken", verdict=comparison().verdict._replace(kind="not_a_measurement"))
    text = comment([equal, comparison(), broken, decision(), matrix()], archive_url="https://e.example").text
    tree = drawn(text)
    rows = [line.text() for line in tree.css_first("table").css("tbody tr")]
    assert len(rows) == 5
    assert "broken" in rows[0]
    assert "Chat template" in rows[1]
    assert "equal" in rows[-1]
    assert len(tree.css("table")[0].css("a")) == 5
    assert text.startswith("### 4 of 5 need a look")


def test_the_outcome_of_gates_stands_in_the_table_of_many_and_asks_for_a_look() -> None:
    calm = comparison().verdict._replace(kind="equivalent")
    undecided = Gate("policy", False, "UNDECIDED", "inconclusive")
    open_gate = comparison(id="o", title="open", verdict=calm, gates=(undecided,))
    quiet = comparison(id="q", title="quiet", verdict=calm, gates=())
    text = comment([open_gate, quiet]).text
    assert text.startswith("### 1 of 2 need a look")
    tree = drawn(text)
    cells = {row.css("td")[1].text(): row.css("td")[3].text() for row in tree.css_first("table").css("tbody tr")}
    assert cells == {"open": "? inconclusive", "quiet": "–"}
    assert comment([open_gate]).changed
    assert not comment([quiet]).changed
    assert "Gates" not in heads_of(comment([quiet, quiet._replace(id="r")]).text)


def heads_of(text: str) -> list[str]:
    return [cell.text() for cell in drawn(text).css_first("table").css("th")]


def test_hundreds_of_comparisons_keep_the_worst_rows_of_the_table() -> None:
    verdict = comparison().verdict._replace(kind="unclear")
    one = comparison(verdict=verdict, flips=(), prompts=())
    calm = [one._replace(id=f"c{n}", title=f"calm {n}") for n in range(200)]
    body = comment([*calm, comparison(id="w", title="the worst", metrics=(changed("arith", -0.5),))])
    assert len(body.text) <= LIMITS["github"]
    assert body.text.index("the worst") < body.text.index("calm")
    tree = drawn(body)
    assert body.text.count("<details>") == body.text.count("</details>") == len(tree.css("details"))
    assert "left out" in body.text.lower()


def test_a_decision_says_which_to_keep_with_its_caveats_before_the_table_and_what_would_change_it() -> None:
    verdict = decision().verdict._replace(caveats=("logit left 3 tasks unanswered.",))
    text = comment([decision(verdict=verdict)]).text
    assert text.startswith("### ≈ sequence or logit: keep logit on cost")
    assert text.index("- ⚠ logit left 3 tasks") < text.index("| Student |") < text.index("**What would change it**")
    assert "≥ 1,014" in text.replace("\u00a0", " ")
    assert "11 (24 %)" in text.replace("\u00a0", " ")
    assert "<summary>The rule, step by step" in text


def test_a_matrix_says_once_which_run_each_verdict_is_of() -> None:
    made = matrix()
    text = comment([made]).text
    assert f"worse than {made.runs[0].label}" in text or f"worse than `{made.runs[0].label}`" in text
    assert f"- `{made.runs[1].label}`: {made.sentences[0]}" in text


def test_a_matrix_whose_columns_are_numbered_names_them_before_its_scores() -> None:
    made = matrix()
    long = made._replace(runs=tuple(run._replace(label=f"{run.label}-of-a-long-name") for run in made.runs))
    before = comment([long]).text.partition("| Task, metric | 1 | 2 | 3 | 4 |")[0]
    assert "1 base-3shot-of-a-long-name, 2 base-0shot-of-a-long-name, 3 " in before
    assert "1 base-3shot, 2 " not in comment([made]).text


def test_a_matrix_shows_the_letters_that_runs_share() -> None:
    text = comment([matrix()]).text
    assert "| 0.2933 a | 0.2133 ab | 0.2467 a | 0.1400 b |" in text.replace("\u00a0", " ")


def test_repeats_say_what_a_configuration_differs_by_from_itself() -> None:
    text = comment([repeats()]).text
    assert text.startswith("### ± three seeds: noise floor of 3 runs")
    assert "| `arith` `acc` | 0.2000 | 0.2250 | – |" in text
    assert "8.8 pp |" in text.replace("\u00a0", " ")
    both = comment([repeats(), comparison()]).text
    assert both.startswith("### 1 of 2 need a look")


def test_an_artifact_that_compares_nothing_has_no_comment() -> None:
    with pytest.raises(DiptychError, match="no artifact"):
        comment([comparison().provenance])  # type: ignore[list-item]


def test_the_first_bytes_are_the_marker_where_a_key_is_given() -> None:
    body = comment([comparison()], key="nightly @everyone -->", stamp=Stamp("abcdef0", 5, 6))
    mark = read_marker(body.text)
    assert mark is not None
    assert mark.key == comment_key("nightly @everyone -->")
    assert mark.stamp == Stamp("abcdef0", 5, 6)
    assert read_marker(comment([comparison()]).text) is None


def test_what_a_comment_was_made_from_changes_with_the_artifact_and_not_with_the_day() -> None:
    def what(whole: Comparison, **more: Any) -> str | None:
        mark = read_marker(comment([whole], key="k", **more).text)
        assert mark is not None
        return mark.what

    first = what(comparison(), today=datetime.date(2026, 1, 1))
    assert first == what(comparison(), today=datetime.date(2026, 2, 2), stamp=Stamp("abcdef0"))
    assert first != what(comparison(settings_equal=1))
    assert first != what(comparison(), digests={comparison().id: "ff"})


@pytest.mark.parametrize("kind", ["identical", "equivalent", "unclear"])
def test_only_what_needs_a_look_counts_as_changed(kind: str) -> None:
    assert comment([comparison()]).changed
    verdict = comparison().verdict._replace(kind=kind)
    assert not comment([comparison(verdict=verdict, gates=())]).changed


@pytest.mark.parametrize("url", ["javascript:alert(1)", "archive", "//e.example", "file:///x"])
def test_an_archive_address_that_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(DiptychError, match="not an http address"):
        comment([comparison()], archive_url=url)


def test_an_archive_address_cannot_leave_its_link() -> None:
    tree = drawn(comment([comparison()], archive_url="https://e.example/a) [x](https://evil.example/ <b>"))
    assert {node.attributes["href"].split("/")[2] for node in tree.css("a")} == {"e.example"}  # type: ignore[union-attr]
    assert tree.css_first("b") is None


def test_the_same_artifacts_give_the_same_bytes_in_any_order() -> None:
    some = [comparison(), matrix(), decision()]
    assert comment(some).text == comment(some[::-1]).text


@pytest.mark.parametrize(
    ("values", "drawn_as"),
    [
        ((0.0, None, None, 0.1), "`········●········`"),
        ((-0.1, -0.1, -0.1, 0.1), "`●·······│········`"),
        ((0.05, -0.02, 0.3, 0.1), "`······├─┼───●───▸`"),
        ((None, None, None, 0.1), ""),
        ((0.1, 0.0, 0.2, 0.0), ""),
    ],
)
def test_a_difference_is_drawn_on_an_axis_of_signs(values: Any, drawn_as: str) -> None:
    assert chart(*values) == drawn_as


def test_an_axis_reaches_to_a_round_number() -> None:
    assert axis_reach([0.13, -0.31, None]) == pytest.approx(0.4)
    assert axis_reach([None]) == 0.0


def everywhere(value: Any, text: str) -> Any:
    """Return an artifact whose every text, names of kinds and classes too, is this one."""
    if isinstance(value, str):
        return text
    if isinstance(value, tuple):
        inner = [everywhere(item, text) for item in value]
        return type(value)(*inner) if hasattr(value, "_fields") else tuple(inner)
    if isinstance(value, dict):
        return {name: everywhere(item, text) for name, item in value.items()}
    return [everywhere(item, text) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "artifact", [comparison(), decision(), matrix(), repeats()], ids=lambda one: type(one).__name__
)
def test_a_forged_artifact_cannot_act_wherever_its_text_stands(artifact: Any) -> None:
    meant = shape(drawn(comment([everywhere(artifact, "name")])))
    for text in TRICKS:
        if not text.strip():
            continue
        forged = everywhere(artifact, text)
        body = comment([forged])
        harmless(body)
        assert shape(drawn(body)) == meant, text
        harmless(comment([forged, repeats()], key=text))


def test_the_plot_stands_behind_the_word_since_a_narrow_forge_cuts_a_table_at_its_end() -> None:
    rows = [line for line in comment([comparison()]).text.split("\n") if line.startswith("| ") and "●" in line]
    assert rows
    assert all(line.index("●") > line.index("worse") for line in rows if "worse" in line)


def test_notes_of_failed_jobs_among_the_artifacts_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "ab.json").write_text(artifact.dumps(comparison()))
    (tmp_path / "gone.failed.json").write_text('{"schema": "diptych/failure/1"}')
    done = CliRunner().invoke(main, ["comment", *(str(file) for file in sorted(tmp_path.iterdir()))])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("options", [(), ("--untrusted",)])
def test_an_artifact_that_cannot_be_read_is_named_and_the_others_are_posted(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    text = artifact.dumps(comparison())
    (tmp_path / "ab.json").write_text(text)
    (tmp_path / "cut.json").write_text(text[: len(text) // 2])
    (tmp_path / "`@all`<b>.json").write_text("[")
    done = CliRunner().invoke(main, ["comment", str(tmp_path), *options])
    assert done.exit_code == 5
    assert done.stderr.count("left out: ") == 2
    assert "cut.json" in done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("⚠ Left out"))
    assert "cut" in line
    harmless(Body(done.stdout, (), True))
    alone = CliRunner().invoke(main, ["comment", str(tmp_path / "cut.json")])
    assert alone.exit_code == 1


def test_a_comment_on_what_cannot_be_read_is_another_one_and_worth_saying() -> None:
    whole, cut = (comment([repeats()], key="k", damaged=damaged) for damaged in ((), ("cut.json",)))
    assert cut.changed
    assert read_marker(whole.text) != read_marker(cut.text)


def test_a_line_may_end_before_a_level_and_inside_a_words_name_but_not_after_its_sign() -> None:
    rows = [
        line for line in comment([comparison()]).text.splitlines() if line.startswith("| ") and "\u00a0to\u00a0" in line
    ]
    assert rows
    for each in rows:
        assert not re.search(r"\d\u00a0\(", each)
        assert re.search(r"[▲▼?≈–]\u00a0\w", each)


def test_a_rise_in_the_table_of_many_is_no_code() -> None:
    whole = comparison(title="up")
    better = whole._replace(metrics=tuple(row for row in whole.metrics if row.status != "worse"))
    told = comment([comparison(), better]).text
    assert "+21.9 pp" in told
    assert not re.search(r"`\+[\d.]+`", told)
