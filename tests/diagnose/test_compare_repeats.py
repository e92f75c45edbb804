"""Repeats of one configuration give a noise floor; more than two runs give letters and ranges that hold at once."""

import random

import pytest

from diptych.diagnose.compare_many import compare_many
from diptych.diagnose.compare_repeats import configuration_digest, repeats_of
from diptych.diagnose.options import Options
from diptych.errors import DiptychError
from diptych.metric_key import MetricKey
from diptych.report.documents.repeats import repeats_document
from diptych.report.writers.terminal import document_text
from diptych.run import Run, Score, Setting, Source
from examples_runs import run
from sample_logs import answer, log


def repeat(label: str, right: list[int], **settings: object) -> Run:
    records = [answer(item, right=float(good)) for item, good in enumerate(right)]
    value = sum(right) / len(right)
    scores = (Score("arith", "exact_match", "none", value, 0.05, True, items=len(right)),)
    return run(
        {"random_seed": hash(label) % 7, **settings}, label=label, scores=scores, samples={"arith": log(records)}
    )


def answers(seed: int, share: float = 0.5, items: int = 60) -> list[int]:
    chance = random.Random(seed)
    return [int(chance.random() < share) for _ in range(items)]


def test_three_repeats_give_a_floor_six_times_their_spread() -> None:
    base = answers(1)
    moved = [[*base[:-step], *(1 - bit for bit in base[-step:])] if step else base for step in (0, 3, 5)]
    made = repeats_of([repeat(name, right) for name, right in zip("abc", moved, strict=True)], "")
    floor = made.floors[MetricKey("arith", "exact_match", "none")]
    assert floor.floor == pytest.approx(6.084 * floor.spread, rel=1e-3)
    assert floor.labels == ("a", "b", "c")
    assert "(95 %, from 3 repeated runs)" in floor.sentence


def test_repeats_say_why_their_floor_is_wide_and_what_to_do_next() -> None:
    base = answers(1)

    def said(number: int) -> str:
        moved = [[1 - bit if at in (step, step + 1) else bit for at, bit in enumerate(base)] for step in range(number)]
        runs = [repeat(f"r{at}", right if at % 2 else base) for at, right in enumerate(moved)]
        return " ".join(document_text(repeats_document(repeats_of(runs, "")), 200).split())

    few = said(3)
    assert "The floor is 6.1 times the standard deviation" in few
    assert "Next: Run 3 more repeats with other seeds" in few
    assert "more repeats" not in said(6)


def test_the_floor_of_a_metric_from_0_to_100_is_told_in_its_own_unit() -> None:
    runs = [
        run(label=f"seed {at}", scores=(Score("wmt", "bleu", "none", value, None, True, items=200),))
        for at, value in enumerate((30.1, 30.5, 30.2))
    ]
    made = repeats_of(runs, "")
    (floor,) = made.floors.values()
    assert "by up to 1.27 (95 %" in floor.sentence
    assert all("pp" not in finding.text for finding in made.findings)


def test_repeats_that_did_not_vary_are_said_to_be_so_and_never_called_deterministic() -> None:
    base = answers(2)
    made = repeats_of([repeat(name, base) for name in "abc"], "")
    floor = made.floors[MetricKey("arith", "exact_match", "none")]
    assert (floor.floor, floor.sigma_run) == (0.0, 0.0)
    assert floor.sentence.startswith("The score did not vary in 3 runs of this configuration; at most 2.5 % of answers")


def test_two_repeats_are_warned_of() -> None:
    made = repeats_of([repeat("a", answers(1)), repeat("b", answers(3))], "")
    assert [finding.severity for finding in made.findings].count("warning") == 1


def test_runs_of_two_configurations_are_refused_by_the_setting_that_differs() -> None:
    with pytest.raises(DiptychError, match="not one configuration: batch_size differs"):
        repeats_of([repeat("a", answers(1)), repeat("b", answers(1), batch_size=64)], "")


def test_seeds_do_not_make_another_configuration_but_the_drawing_of_examples_does() -> None:
    first, other = repeat("a", answers(1)), repeat("b", answers(1))
    assert configuration_digest(first) == configuration_digest(other)
    drawn = repeat("c", answers(1), fewshot_seed=7)
    assert configuration_digest(first) == configuration_digest(drawn), "without examples none is drawn"
    shots = {"arith": {"num_fewshot": first.task_settings["arith"]["num_fewshot"]._replace(value=3)}}
    shown = [run._replace(task_settings=shots) for run in (first, drawn)]
    assert configuration_digest(shown[0]) != configuration_digest(shown[1])


def test_more_than_two_runs_get_letters_that_tell_who_differs() -> None:
    weak = answers(4, 0.2, 200)
    strong = [1 if number % 5 else bit for number, bit in enumerate(weak)]
    runs = [repeat("weak", weak), repeat("strong", strong), repeat("twin", [*strong[:-1], 1 - strong[-1]])]
    (row,) = compare_many(runs).rows
    assert len(row.cells) == 3
    assert row.pairs == 200
    assert set(row.letters[1]) & set(row.letters[2])
    assert not set(row.letters[0]) & set(row.letters[1])
    wide = next(cell for cell in row.cells if (cell.a, cell.b) == (1, 2))
    assert (wide.low or 0) <= 0 <= (wide.high or 0)


def test_the_ranges_of_many_pairs_are_wider_than_that_of_one() -> None:
    from diptych.diagnose.pipeline import compare_runs

    runs = [repeat(name, answers(seed, 0.5, 100)) for seed, name in enumerate("abcd")]
    cell = compare_many(runs).rows[0].cells[0]
    single = compare_runs(runs[0], runs[1]).metrics[0].estimate
    assert single is not None
    assert (cell.low or 0) < (single.low or 0)
    assert (cell.high or 0) > (single.high or 0)


def test_a_matrix_of_two_is_refused() -> None:
    with pytest.raises(DiptychError, match="more than two"):
        compare_many([repeat("a", answers(1)), repeat("b", answers(2))])


def test_a_run_that_measured_nothing_gets_no_letter_and_no_word_in_a_matrix() -> None:
    silent = [answer(item, "", right=0.0, filtered="") for item in range(60)]
    empty = repeat("silent", [0] * 60)._replace(samples={"arith": log(silent)})
    made = compare_many([repeat("a", answers(1)), repeat("b", answers(2)), empty])
    (row,) = made.rows
    assert [bool(given) for given in row.letters] == [True, True, False]
    words = {(cell.a, cell.b): (cell.status, cell.reason) for cell in row.cells}
    assert words[0, 1][0] in ("better", "worse", "same", "unclear")
    assert words[0, 2] == ("not_available", "60 of 60 of B's answers are empty: not a measurement")
    assert words[1, 2] == words[0, 2]


def test_each_pair_of_a_matrix_knows_the_units_that_the_caller_names() -> None:
    def passages(label: str, seed: int) -> Run:
        right = answers(seed)
        records = [
            answer(item, right=float(good), doc={"question": f"item {item}", "passage": item // 5})
            for item, good in enumerate(right)
        ]
        return repeat(label, right)._replace(samples={"arith": log(records)})

    runs = [passages(name, seed) for seed, name in enumerate("abc")]
    assert compare_many(runs).rows[0].method == "mcnemar_midp_tango"
    assert compare_many(runs, Options(clusters={"arith": "passage"})).rows[0].method == "cluster_signflip"


def test_each_pair_of_a_matrix_has_a_corpus_metric_recomputed() -> None:
    def labels(label: str, seed: int) -> Run:
        right = answers(seed, 0.6, 80)
        pairs = [[item % 2, item % 2 if good else 1 - item % 2] for item, good in enumerate(right)]
        records = [answer(item, right=pair, metric="f1") for item, pair in enumerate(pairs)]
        hits = sum(gold == said == 1 for gold, said in pairs)
        value = 2 * hits / (sum(gold for gold, _ in pairs) + sum(said for _, said in pairs))
        scores = (Score("arith", "f1", "none", value, None, True, items=80),)
        return repeat(label, right)._replace(samples={"arith": log(records)}, scores=scores)

    (row,) = compare_many([labels(name, seed) for seed, name in enumerate("abc")]).rows
    assert (row.method, row.pairs) == ("paired_bootstrap", 80)
    assert all((cell.low or 0) < (cell.difference or 0) < (cell.high or 0) for cell in row.cells)


def test_a_matrix_names_the_run_that_each_finding_speaks_of_and_all_its_methods() -> None:
    runs = [repeat(name, answers(seed)) for seed, name in enumerate(["one", "two"])]
    nought = repeat("three", [0] * 60)
    made = compare_many([*runs, nought])
    (bound,) = (finding for finding in made.findings if finding.kind == "score_at_bound")
    assert bound.text.startswith("three scores exactly 0 in arith")
    turned = [finding for finding in compare_many([nought, *runs]).findings if finding.kind == "score_at_bound"]
    assert [finding.text[:31] for finding in turned] == ["three scores exactly 0 in arith"]
    assert all(not sentence.startswith("two") for sentence in made.sentences)
    assert {"compact_letters", "holm", "simultaneous_bonferroni"} < set(made.provenance.methods)


DRAWN = {"gen_kwargs.do_sample": True, "gen_kwargs.temperature": 0.7, "num_fewshot": 0, "gen_kwargs.until": ["\n"]}
GREEDY = {"gen_kwargs.do_sample": False, "gen_kwargs.temperature": 0.0, "num_fewshot": 0, "gen_kwargs.until": ["\n"]}


def written(label: str, draw: int, day: int, tasks: dict[str, object], long: bool = True, **settings: object) -> Run:
    """Return a repeat dated by day whose responses are those of one draw, each long enough to be no chance."""
    right = answers(draw)
    told = "is the answer after a whole sentence of reasoning that nobody writes twice" if long else ""
    records = [answer(item, f"{good} {told}", right=float(good)) for item, good in enumerate(right)]
    scores = (Score("arith", "exact_match", "none", sum(right) / len(right), 0.05, True, items=len(right)),)
    return run(
        {"random_seed": day, **settings},
        {"arith": tasks},
        label=label,
        date=f"2026-07-0{day}T10:00:00",
        scores=scores,
        samples={"arith": log(records)},
    )


@pytest.mark.parametrize(
    ("tasks", "settings", "said"),
    [
        (DRAWN, {"use_cache": "/kept"}, "though answers are drawn, and c ran with a response cache (use_cache)"),
        (DRAWN, {}, "though answers are drawn, so a cache or the server answered with what it had kept"),
        (DRAWN, {"random_seed": 2}, "though answers are drawn; both runs have the same seeds"),
        (GREEDY, {"use_cache": "/kept"}, "letter for letter, and c ran with a response cache (use_cache)"),
    ],
)
def test_a_run_that_replays_another_is_named_and_not_counted(
    tasks: dict[str, object], settings: dict[str, object], said: str
) -> None:
    runs = [written("c", 2, 3, tasks, **settings), written("a", 1, 1, tasks), written("b", 2, 2, tasks)]
    made = repeats_of(runs, "")
    assert [header.label for header in made.runs] == ["a", "b"]
    assert [(row.what, row.why) for row in made.left_out] == [("the run c", "it replays b")]
    (found,) = [finding for finding in made.findings if finding.kind == "cache_suspected"]
    assert found.text.startswith("c replays b: all 60 responses are equal letter for letter")
    assert said in found.text
    assert "not counted as a repeat" in found.text


@pytest.mark.parametrize(
    ("tasks", "long", "settings"),
    [
        (GREEDY, True, {}),
        (DRAWN, False, {}),
        ({**DRAWN, "gen_kwargs.temperature": 0.01}, True, {}),
        ({**DRAWN, "gen_kwargs.top_k": 1}, True, {}),
    ],
)
def test_equal_responses_that_may_come_about_by_themselves_are_repeats(
    tasks: dict[str, object], long: bool, settings: dict[str, object]
) -> None:
    runs = [written(name, 1, day, tasks, long, **settings) for day, name in enumerate("abc", 1)]
    made = repeats_of(runs, "")
    assert (len(made.runs), made.left_out) == (3, ())


def test_a_cache_does_not_make_another_configuration_and_a_run_that_answered_anew_is_a_repeat() -> None:
    runs = [written("a", 1, 1, DRAWN), written("b", 2, 2, DRAWN, use_cache="/kept"), written("c", 3, 3, DRAWN)]
    assert len(repeats_of(runs, "").runs) == 3
    assert configuration_digest(runs[0]._replace(settings={**runs[0].settings, "use_cache": Setting(None)})) == (
        configuration_digest(runs[1])
    )


def test_repeats_of_which_only_one_run_made_its_own_responses_are_refused_with_what_to_do() -> None:
    with pytest.raises(DiptychError, match=r"b replays a.*One run is no repeat of itself") as caught:
        repeats_of([written("a", 1, 1, DRAWN), written("b", 1, 2, DRAWN, use_cache="/kept")], "")
    assert "without --use_cache" in caught.value.hint


def test_without_samples_a_run_with_a_cache_and_equal_scores_is_no_repeat() -> None:
    runs = [written(name, 1, day, GREEDY, use_cache="/kept")._replace(samples={}) for day, name in enumerate("ab", 1)]
    with pytest.raises(DiptychError, match="b replays a: all scores are equal to the last digit, and b ran with"):
        repeats_of(runs, "")


def test_one_run_given_twice_is_a_copy() -> None:
    inputs = (Source("run/results.json", "a" * 64),)
    one = written("a", 1, 1, GREEDY)._replace(inputs=inputs)
    with pytest.raises(DiptychError, match="a2 is a copy of a: both were read from the same results"):
        repeats_of([one, one._replace(label="a2")], "")


def test_a_sentence_that_holds_for_several_metrics_is_said_once() -> None:
    def twice(label: str, seed: int) -> Run:
        one = repeat(label, answers(seed))
        return one._replace(scores=(*one.scores, one.scores[0]._replace(filter="strict")))

    made = repeats_of([twice("a", 1), twice("b", 3)], "")
    (warned,) = [finding for finding in made.findings if finding.severity == "warning"]
    assert warned.text.startswith("arith exact_match and arith exact_match (strict): two repeats hardly tell")
