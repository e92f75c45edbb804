"""Real runs that differ in two things at once: both that left a mark are named, and nothing is proven of the gap.

Every two of the sample runs keep the rules that any artifact keeps, both ways round.
"""

from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from diptych.rules.rules import breaches, mirror_breaches
from diptych.run import Run

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = sorted(
    {path.parent for place in ("site/runs", "tests/runs") for path in (ROOT / place).rglob("results*.json")}
)


@cache
def run(folder: Path) -> Run:
    return read_run(str(folder))


def real(name: str) -> Run:
    return run(next(folder for folder in FOLDERS if folder.parent.name == name or folder.name == name))


def named(made: Comparison) -> set[str]:
    verdict = made.verdict
    return {verdict.leading_cause} if verdict.leading_cause else {suspect.key for suspect in verdict.suspects}


TWO_CAUSES = {
    "examples, and drawn answers": ("api-chat-0shot", "api-temp0.8-seed1", ({"num_fewshot"},)),
    "another release that lays examples out otherwise, and drawn answers": (
        "api-chat-3shot-lmeval0.4.9.2",
        "api-temp0.8-seed1",
        ({"fewshot_as_multiturn", "versions.lm_eval"},),
    ),
    "examples, and weights of fewer bits": (
        "api-completions-0shot",
        "smol-3shot-q4_0",
        ({"num_fewshot"}, {"context.quant", "model_args.pretrained", "context.model_file"}),
    ),
    "fewer examples, and a smaller budget": ("base", "budget-shots", ({"num_fewshot"}, {"gen_kwargs.max_gen_toks"})),
    "a description, and a scorer that ignores less": (
        "base",
        "description-scorer",
        ({"dip_arith.description"}, {"dip_arith.metric_list.exact_match.regexes_to_ignore"}),
    ),
    "weights of fewer bits, a budget, and examples": (
        "quant-filter",
        "budget-shots",
        ({"context.quant"}, {"num_fewshot"}, {"gen_kwargs.max_gen_toks"}),
    ),
    "another backend, and fewer items": ("smol-3shot", "api-completions-3shot", ({"model", "context.engine"},)),
}


@pytest.mark.parametrize("name", TWO_CAUSES)
def test_what_left_its_mark_in_a_real_run_is_named_together_and_nothing_is_proven(name: str) -> None:
    a, b, groups = TWO_CAUSES[name]
    for made in (compare_runs(real(a), real(b)), compare_runs(real(b), real(a))):
        assert made.verdict.standing != "proven"
        assert all(named(made) & group for group in groups), named(made)


def test_a_filter_that_reads_real_responses_alike_is_cleared_beside_weights_of_fewer_bits() -> None:
    made = compare_runs(real("base"), real("quant-filter"))
    assert named(made) == {"context.quant"}
    row = next(row for row in made.task_settings if row.field == "filter_list.flexible-extract")
    assert (row.standing, row.evidence) == (
        "cannot",
        "All 20 responses of each side are read alike by the filter of the other.",
    )


def test_a_stop_string_that_was_dropped_is_proven_beside_a_budget_that_no_answer_needed() -> None:
    made = compare_runs(real("base"), real("stops-budget"))
    assert (named(made), made.verdict.mechanism) == ({"gen_kwargs.until"}, "cut_at_stop")
    assert "max_gen_toks differs, too, and cannot explain it" in made.verdict.next_step


PAIRS = [(a, b) for a, b in combinations(FOLDERS, 2) if set(run(a).task_settings) & set(run(b).task_settings)]


@pytest.mark.parametrize("part", range(8))
def test_any_two_sample_runs_keep_every_rule_both_ways_round(part: int) -> None:
    for a, b in PAIRS[part::8]:
        there, back = compare_runs(run(a), run(b)), compare_runs(run(b), run(a))
        found = (*breaches(there), *breaches(back), *mirror_breaches(there, back))
        assert not found, f"{a.relative_to(ROOT)} and {b.relative_to(ROOT)}: {found[0]}"
