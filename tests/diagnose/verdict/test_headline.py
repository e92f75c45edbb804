"""Which metric and filter a verdict rests on, and that what one screen says agrees with itself."""

import random
import re
from collections.abc import Sequence
from pathlib import Path

from truth.changed import compared, generation, named, start
from truth.sides import Item, Side, write

from diptych.comparison import Comparison
from diptych.diagnose.compare_many import compare_many
from diptych.diagnose.options import Options
from diptych.diagnose.scores.rows import metric_comparisons
from diptych.diagnose.verdict.rows_apart import taken_back
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.score_sentences import equivalent, unclear_verdict
from diptych.diagnose.verdict.scored_row import borderline
from diptych.estimates import Estimate, MetricComparison
from diptych.harness.reader import read_run
from diptych.report.blocks import Block, Cell, Span, Table
from diptych.report.documents.headline import headline
from diptych.report.documents.matrix_scores import unfolded_rows
from diptych.report.documents.scores import score_blocks
from diptych.report.documents.suspects import suspects_of
from diptych.rules.rules import breaches
from diptych.run import Run, Score
from examples_runs import NOTHING, run

TEXTS = "real few-shot, loaded"


def number_of(item: Item) -> str:
    """Return the number that is the right answer."""
    return re.findall(r"-?[0-9]+", item.target)[-1]


def bare(side: Side, wrong: float) -> Side:
    """Answer each question of a task with two filters by its bare number, a share of them by another."""
    draw = random.Random(5)
    for task in side.texts:
        for item in task.items:
            item.text = "999" if draw.random() < wrong else number_of(item)
    return side


def head(made: Comparison) -> MetricComparison:
    """Return the row that leads in the task with two filters."""
    return next(row for row in made.metrics if row.primary and row.metric == "exact_match")


def bare_pair(folder: Path, options: Options | None = None, logged: bool = True) -> Comparison:
    a, b = start(TEXTS)
    bare(a, 0.3), bare(b, 0.7)
    for side in (a, b):
        side.logged = logged
    generation(b, until=["\n\n"])
    return compared(folder, a, b, options)


def test_a_filter_that_finds_nothing_on_either_side_leads_nowhere_and_is_said_in_one_clause(tmp_path: Path) -> None:
    made = bare_pair(tmp_path)
    assert (head(made).filter, head(made).status, made.verdict.kind) == ("flexible-extract", "worse", "different")
    first = made.verdict.sentence.partition(". ")[0]
    assert re.search(r"flexible-extract leads, since strict-match .* finds nothing in \d+ of \d+ responses", first)
    assert made.verdict.sentence.count("strict-match") == 1
    assert not breaches(made)


def test_without_samples_the_scores_tell_which_filter_finds_nothing(tmp_path: Path) -> None:
    made = bare_pair(tmp_path, logged=False)
    assert (head(made).filter, head(made).status) == ("flexible-extract", "worse")
    assert "strict-match" in made.verdict.sentence


def test_the_filter_that_was_asked_for_leads_whatever_it_finds(tmp_path: Path) -> None:
    made = bare_pair(tmp_path, Options(primary={"dip_arith": "exact_match,strict-match"}))
    assert head(made).filter == "strict-match"
    assert "flexible-extract" in made.verdict.sentence


def test_a_matrix_rests_on_the_filter_that_its_comparisons_rest_on(tmp_path: Path) -> None:
    runs = []
    for place, wrong in enumerate((0.2, 0.5, 0.8)):
        side = bare(start(TEXTS)[0], wrong)
        runs.append(read_run(str(write(side, tmp_path / str(place), "a")))._replace(label=f"run{place}"))
    made = compare_many(runs)
    assert {row.filter for row in made.rows if row.primary and row.metric == "exact_match"} == {"flexible-extract"}


def test_a_filter_at_the_floor_leads_not_where_another_finds_something_on_one_side_alone(tmp_path: Path) -> None:
    for logged in (True, False):
        a, b = start(TEXTS)
        bare(a, 0.3)
        for item in b.tasks["dip_arith"].items:
            item.text = f"Perhaps {chr(97 + item.number % 26)}{chr(97 + item.number // 26)}."
        for side in (a, b):
            side.logged = logged
        made = compared(tmp_path / str(logged), a, b)
        assert (head(made).filter, head(made).status) == ("flexible-extract", "worse")
        assert not [one for one in made.findings if one.kind == "filters_disagree"]


def test_a_filter_with_the_only_word_stands_in_the_table_and_asks_for_no_more_items(tmp_path: Path) -> None:
    a, b = start(TEXTS)
    for item in b.tasks["dip_arith"].items:
        item.text += " Then 999 more."
    generation(b, until=["</s>"])
    made = compared(tmp_path, a, b)
    assert (head(made).filter, made.verdict.kind) == ("strict-match", "unclear")
    assert headline(made)[1].endswith("(filters disagree)")
    assert "more items" not in made.verdict.next_step
    named_rows = one_of_tables(score_blocks(made, comparable=True))
    assert [name for name in named_rows if "flexible-extract" in name]
    assert len(named_rows) == 2


def one_of_tables(blocks: Sequence[Block]) -> list[str]:
    """Return what names the rows of the first table."""
    table = next(block for block in blocks if isinstance(block, Table))
    return [plain(row.cells[0]) for row in table.rows if "dip_arith" in plain(row.cells[0])]


def plain(cell: Cell) -> str:
    """Return a cell's words."""
    return "" if isinstance(cell, Span) else "".join(part if isinstance(part, str) else part.text for part in cell)


def test_a_matrix_says_where_another_filter_denies_a_pair_of_runs(tmp_path: Path) -> None:
    runs = []
    for place, form in enumerate(("{}", "The answer is {}.", "The answer is {}.")):
        side = start(TEXTS)[0]
        for number, item in enumerate(side.tasks["dip_arith"].items):
            item.text = form.format(number_of(item) if number % 3 or not place else "999")
        runs.append(read_run(str(write(side, tmp_path / str(place), "a")))._replace(label=f"run{place}"))
    made = compare_many(runs)
    assert made.verdict is not None
    told = r"Filters of dip_arith exact_match disagree .*strict-match \+.*\(better\).*flexible-extract −"
    assert re.search(told, made.verdict.sentence)
    assert {row.filter for row in unfolded_rows(made) if row.task == "dip_arith"} == {
        "strict-match",
        "flexible-extract",
    }


def test_filters_that_disagree_are_in_the_first_sentence_with_their_words(tmp_path: Path) -> None:
    a, b = start(TEXTS)
    for item in b.tasks["dip_arith"].items:
        item.text = number_of(item)
    made = compared(tmp_path / "as it is", a, b)
    mixed = r"mixed against a .* on 1 of 3 tasks: dip_arith: worse by \S+ \(strict-match\) −.* better by \S+ \(flexible"
    assert re.search(mixed, made.verdict.sentence)
    assert headline(made)[0] == "▼▲"
    chosen = "--primary dip_arith=exact_match,flexible-extract lets flexible-extract lead"
    assert chosen in made.verdict.sentence
    turned = compared(tmp_path / "turned", b, a)
    assert "better by exact_match (strict-match) +" in turned.verdict.sentence
    asked = compared(tmp_path / "asked", a, b, Options(primary={"dip_arith": "exact_match,strict-match"}))
    assert "b is worse than a (baseline) on 1 of 3 tasks: dip_arith" in asked.verdict.sentence
    assert re.search(
        r"filters of dip_arith exact_match disagree[^.]*strict-match −[^;]*\(worse\)", asked.verdict.sentence
    )


def test_a_filter_with_the_only_word_stands_alone_in_the_first_sentence(tmp_path: Path) -> None:
    a, b = start(TEXTS)
    for item in b.tasks["dip_arith"].items:
        item.text = item.text.replace("The answer is", "So it is")
    for place, sides in enumerate(((a, b), (b, a))):
        assert "exact_match (strict-match alone)" in compared(tmp_path / str(place), *sides).verdict.sentence


def test_metrics_that_disagree_in_direction_are_in_the_first_sentence_with_their_words(tmp_path: Path) -> None:
    a, b = start("quiz, few-shot")
    for one, other in zip(a.picks[0].items, b.picks[0].items, strict=True):
        gold, long = int(one.target), one.number % 2 == 0
        for item, value, wrong in ((one, -10.0 if long else -40.0, -4.0 if long else -10.0), (other, *after(long))):
            item.choices = [" no" if (place == gold) != long else " a long one" for place in range(len(item.choices))]
            item.response = [-90.0] * len(item.choices)
            item.response[gold], item.response[gold - 1] = value, wrong
    made = compared(tmp_path, a, b)
    assert {row.metric: row.status for row in made.metrics} == {"acc": "better", "acc_norm": "worse"}
    first = made.verdict.sentence.partition(". ")[0]
    assert re.search(r"b is mixed against a \(baseline\) on \S+: worse by acc_norm −.*, better by acc \+", first)
    assert re.search(r"acc_norm leads, and --primary \S+=acc lets acc lead", first)
    assert re.fullmatch(r"mixed on \S+: worse by acc_norm, better by acc", headline(made)[1])


def test_another_metric_with_the_only_word_stands_in_the_first_sentence() -> None:
    lead = MetricComparison("t", "acc_norm", "none", True, 0.5, 0.5, 0.0, "unclear", None, primary=True)
    lead = lead._replace(estimate=Estimate("mcnemar_midp_tango", 0.95, 0.0, -0.05, 0.05, 0.9, pairs=200))
    other = lead._replace(metric="acc", status="worse", primary=False, difference=-0.1)
    other = other._replace(estimate=Estimate("mcnemar_midp_tango", 0.95, -0.1, -0.15, -0.05, 0.001, pairs=200))
    back = taken_back([lead, other], ())
    text = unclear_verdict([lead], frozenset(), Labels("a", "b"), (), back)
    assert text.startswith("Inconclusive by acc_norm whether b differs from a (baseline)")
    assert "; worse by acc −10.0 pp (95 % CI −15.0 to −5.0)" in text
    assert not taken_back([lead, other], {"t"}).by
    assert "worse by acc −10.0 pp" in equivalent([lead], Labels("a", "b"), (), back)


def after(long: bool) -> tuple[float, float]:
    """Return B's log-likelihoods of the right choice and of a wrong one, by which of them is the longer text."""
    return (-40.0, -4.0) if long else (-4.0, -10.0)


def scores(**values: tuple[float, float]) -> tuple[Run, Run]:
    """Return two runs of a benchmark of two groups; `acc_norm` stands on the tasks alone."""
    groups = {"all": ("left", "right"), "left": ("one", "two"), "right": ("three", "four")}
    sides = []
    for side in (0, 1):
        made = []
        for name in ("all", "left", "right", "one", "two", "three", "four"):
            metrics = ("acc",) if name in groups else ("acc", "acc_norm")
            made += [
                Score(
                    task=name,
                    metric=metric,
                    filter="none",
                    value=values[metric][side],
                    stderr=0.03,
                    higher_is_better=True,
                    items=100 * (4 if name == "all" else 2 if name in groups else 1),
                    group=name in groups,
                )
                for metric in metrics
            ]
        sides.append(run(scores=tuple(made), groups=groups))
    return sides[0], sides[1]


def test_all_below_a_benchmark_is_judged_by_the_metric_of_its_own_row() -> None:
    rows, _ = metric_comparisons(*scores(acc=(0.8, 0.6), acc_norm=(0.5, 0.7)), NOTHING, Options())
    assert {row.metric for row in rows if row.primary} == {"acc"}
    assert len({row.task for row in rows if row.primary}) == 7


def test_the_level_of_a_range_is_said_by_what_makes_it() -> None:
    rows, _ = metric_comparisons(*scores(acc=(0.8, 0.6), acc_norm=(0.5, 0.7)), NOTHING, Options())
    top = next(row for row in rows if row.task == "all")
    assert top.unpaired
    assert abs(top.unpaired.confidence - 0.96) < 1e-9
    assert "96 % CI" in top.sentence
    assert "adjusted for its tasks" in top.sentence
    assert "Holm over 7" not in top.sentence


def test_the_scores_beside_a_difference_are_those_of_its_items_and_say_so(tmp_path: Path) -> None:
    a, b = start(TEXTS)
    b.tasks["dip_arith"].items = b.tasks["dip_arith"].items[:30]
    bare(b, 0.5)
    made = compared(tmp_path, a, b)
    row = head(made)
    assert row.a_paired is not None
    assert row.a is not None
    assert abs(row.a_paired - row.a) > 1e-6
    cells = next(line for block in score_blocks(made, True) for line in block.rows if "dip_arith" in str(line.cells[0]))  # type: ignore[union-attr]
    assert f"{row.a_paired:.4f}" in str(cells.cells[1])
    assert "30 shared items" in str(cells.note)
    assert f"{row.a:.4f}" in str(cells)


def test_a_row_of_which_only_the_test_or_only_the_range_tells_is_called_borderline(tmp_path: Path) -> None:
    made = bare_pair(tmp_path)
    row, found = head(made)._replace(status="unclear"), head(made).estimate
    assert found is not None
    for low, high, p, told in ((-0.2, -0.01, 0.07, "the CI leaves out 0"), (-0.2, 0.01, 0.03, "the test rejects")):
        text = borderline(row._replace(estimate=found._replace(low=low, high=high, p_value=p, p_adjusted=p)))
        assert text.startswith(", borderline: ")
        assert told in text
    assert borderline(row._replace(estimate=found._replace(low=-0.2, high=0.1, p_value=0.2, p_adjusted=0.2))) == ""


def test_where_no_score_moved_no_task_is_called_the_largest(tmp_path: Path) -> None:
    a, b = start("quiz, group")
    for task in b.picks:
        for item in task.items:
            item.response = [value + 0.01 for value in item.response]
    made = compared(tmp_path, a, b)
    assert made.verdict.kind == "unclear"
    assert "largest" not in made.verdict.sentence
    assert re.search(r"no \w+ moved in", made.verdict.sentence)


def test_a_proven_cause_that_moves_no_answer_asks_for_no_items_and_says_what_filters_find(tmp_path: Path) -> None:
    a, b = start(TEXTS)
    for side, until in ((a, ["\n\n"]), (b, ["\n\n", "."])):
        generation(side, until=until)
        for item in side.tasks["dip_arith"].items:
            item.text = f"The answer is {number_of(item) if item.number % 3 else 999}" + ("." if side is a else "")
    made = compared(tmp_path, a, b)
    assert (made.verdict.kind, made.verdict.standing) == ("unclear", "proven")
    assert "Cause of what changed, proven" in made.verdict.sentence
    assert "What the filters find is the same in every one of them." in made.verdict.sentence
    assert "more items" not in made.verdict.next_step


def test_a_stop_string_that_cut_most_is_proven_only_where_nothing_else_moved_the_rest(tmp_path: Path) -> None:
    for others, certainty in ((0, "proven"), (6, "supported")):
        a, b = start(TEXTS)
        a.context, b.context = {"engine_flags": "-b"}, {"engine_flags": "-c"}
        generation(a, until=["</s>"]), generation(b, until=["\n\n"])
        for one, other in zip(a.tasks["dip_arith"].items, b.tasks["dip_arith"].items, strict=True):
            other.text = f"{'Well, ' if other.number < others else ''}The answer is {number_of(one)}."
            one.text = f"The answer is {number_of(one)}.\n\nAnd then 999."
        made = compared(tmp_path / certainty, a, b)
        assert (named(made), made.verdict.standing) == (["gen_kwargs.until"], certainty), made.verdict.sentence


def test_each_task_has_its_own_cause_where_one_difference_alone_can_have_acted_there(tmp_path: Path) -> None:
    a, b = start("sums and quiz")
    for task in b.texts:
        task.config["generation_kwargs"] = {**task.config["generation_kwargs"], "max_gen_toks": 4}
        for item in task.items:
            item.text = item.text[:14]
    for task in b.picks:
        task.define("doc_to_text", "{{question}}\nThe answer is:")
        for number, item in enumerate(task.items):
            item.question = item.question.replace("Answer:", "The answer is:")
            if number % 2:
                item.response = item.response[::-1]
    made = compared(tmp_path, a, b)
    text, keys = made.verdict.sentence, {one.key for one in made.verdict.suspects}
    names = {task.name for task in (*b.texts, *b.picks)}
    assert len(keys) == 2
    assert all(f"On {name} the cause is" in text for name in names), text
    assert made.verdict.next_run_exists
    assert not breaches(made)


def test_a_cause_of_one_task_is_said_not_to_explain_another(tmp_path: Path) -> None:
    a, b = start("sums and quiz")
    for item in b.texts[0].items:
        item.text = f"nothing of {item.number}"
    for task in b.picks:
        task.define("doc_to_text", "{{question}}\nThe answer is:")
        for number, item in enumerate(task.items):
            item.question = item.question.replace("Answer:", "The answer is:")
            item.response = item.response[::-1] if number % 2 else item.response
    made = compared(tmp_path, a, b)
    assert named(made) == ["doc_to_text"]
    assert f"It does not explain {b.texts[0].name}." in made.verdict.sentence


def test_a_cut_answer_that_is_equal_but_for_white_space_is_read_alike_from_both_sides(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    generation(b, until=["Q:"])
    generation(a, until=["\n\n", "Q:"])
    for number, (one, other) in enumerate(zip(a.texts[0].items, b.texts[0].items, strict=True)):
        one.text = one.text.split("\n\n")[0]
        other.text = one.text + ("\n\n" if number % 3 else "\n\nAnd so on.")
    there, back = compared(tmp_path / "there", a, b), compared(tmp_path / "back", b, a)
    assert there.verdict.leading_cause == back.verdict.leading_cause == "gen_kwargs.until"
    assert there.verdict.standing == back.verdict.standing == "proven"


def test_moved_log_likelihoods_of_choices_are_no_responses(tmp_path: Path) -> None:
    a, b = start("quiz, few-shot")
    a.argue(add_bos_token=True)
    b.argue(add_bos_token=False)
    for item in b.picks[0].items:
        item.response = [value - 0.7 * (place + 1) for place, value in enumerate(item.response)]
    sentence = compared(tmp_path, a, b).verdict.sentence
    assert "log-likelihoods moved" in sentence
    assert "responses differ" not in sentence


def test_counts_of_prompts_that_were_looked_at_say_of_how_many(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    b.top["system_instruction"] = "Reply with care and with one number alone."
    b.lay(system=b.top["system_instruction"])
    total = len(b.texts[0].items)
    for item in b.texts[0].items[::2]:
        item.text = "nothing"
    assert f"differing prompts looked at, of {total}, hold" in compared(tmp_path, a, b).verdict.sentence


def test_drawn_answers_are_said_beside_an_inconclusive_verdict(tmp_path: Path) -> None:
    a, b = start("sums, sampled")
    b.config["torch_seed"] = 5
    for item in b.texts[0].items[::2]:
        item.text = f"{item.text} then"
    verdict = compared(tmp_path, a, b).verdict
    assert "Both sides draw their answers (temperature 0.7)" in verdict.sentence
    assert "draw" not in verdict.next_step  # once is enough


def test_all_keys_of_one_model_are_one_suspect(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for side, name in ((a, "one"), (b, "other")):
        side.argue(revision=name)
        side.config.update(model_sha=name * 5, model_revision=name)
    for item in b.texts[0].items[::2]:
        item.text = "nothing"
    made = compared(tmp_path, a, b)
    keys = [each.key for each in suspects_of(made) if each.bearing != "cannot"]
    assert len([key for key in keys if "revision" in key or "sha" in key]) == 1


def test_a_setting_that_is_written_as_0_and_as_0_point_0_is_one_suspect(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for side, heat in ((a, 0.0), (b, 0.7)):
        generation(side, temperature=heat, do_sample=bool(heat))
    a.config["gen_kwargs"] = {"temperature": 0}
    for item in b.texts[0].items[::2]:
        item.text = "nothing"
    keys = [each.key for each in suspects_of(compared(tmp_path, a, b))]
    assert len([key for key in keys if key.endswith(".temperature")]) == 1


def test_the_filter_that_leads_speaks_for_a_list_of_filters_that_changed(tmp_path: Path) -> None:
    a, b = start(TEXTS)
    task = b.tasks["dip_arith"]
    step = {"function": "regex", "regex_pattern": "^$"}
    task.config["filter_list"] = [{**each, "filter": [step, *each["filter"]]} for each in task.config["filter_list"]]
    made = compared(tmp_path, a, b)
    assert head(made).filter == "strict-match"
    assert made.verdict.leading_cause == "dip_arith.filter_list.strict-match"


def test_what_a_benchmark_says_as_a_whole_stands_beside_tasks_that_go_either_way(tmp_path: Path) -> None:
    a, b = start("quiz, group")
    first, *others = b.tasks.values()
    for task, score, step in ((first, 0.0, 1), *((task, 1.0, 2) for task in others)):
        for item in task.items[::step]:
            item.verdict = score
    sentence = compared(tmp_path, a, b).verdict.sentence
    assert "worse than a (baseline) on 1 of 3 tasks" in sentence
    assert "and better on 2 of 3 tasks" in sentence
    assert "As a whole quiz: acc_norm −2.0 pp" in sentence
