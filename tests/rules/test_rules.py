"""Each rule holds for one small comparison, and speaks where just that is changed which it guards."""

from collections.abc import Callable
from typing import Any

import pytest

from diptych.closed_names import STEPS
from diptych.comparison import (
    Comparison,
    Divergence,
    Finding,
    FlipCount,
    Gate,
    IsolatingRun,
    Ladder,
    LeftOut,
    Rung,
    RunHeader,
    SettingDifference,
    Suspect,
    TaskDifference,
    Verdict,
)
from diptych.estimates import Estimate, MetricComparison
from diptych.provenance import Provenance
from diptych.rules.rules import RULES, breaches, mirror_breaches, swapped_pairs

Change = Callable[[Comparison], Comparison]


def header(label: str) -> RunHeader:
    return RunHeader(label, "org/m", "lm_eval", "0.4.13", None, label, f"results_{label}.json", {}, {}, {})


def setting(key: str, a: Any = 0, b: Any = 5, **more: Any) -> SettingDifference:
    return SettingDifference(key, a, b, True, True, 7, "prompt", (), "it can move a score", **more)


def row(lost: int = 40, gained: int = 8, **more: Any) -> MetricComparison:
    found = Estimate(
        method="mcnemar_midp_tango",
        confidence=0.95,
        difference=(gained - lost) / 200,
        low=-0.23,
        high=-0.09,
        p_value=1e-5,
        p_adjusted=1e-5,
        low_90=-0.22,
        high_90=-0.1,
        pairs=200,
        both=100,
        only_a=lost,
        only_b=gained,
        neither=200 - 100 - lost - gained,
        margin=0.01,
    )
    return MetricComparison(
        task="sums",
        metric="exact_match",
        filter="none",
        higher_is_better=True,
        a=0.7,
        b=0.54,
        difference=-0.16,
        status="worse",
        reason=None,
        primary=True,
        estimate=found,
    )._replace(**more)


def steps(first: str = "prompts") -> Ladder:
    broken = STEPS.index(first)
    whole = [Rung(step, 200, 200, None) for step in STEPS[:broken]]
    return Ladder("sums", STEPS[broken], (*whole, *(Rung(step, 90, 200, "3") for step in STEPS[broken:])))


def isolating(changes: str = "num_fewshot") -> IsolatingRun:
    return IsolatingRun(changes, "lm_eval …", "simple_evaluate(…)", None, "it is", "it is not")


def whole() -> Comparison:
    """Return a comparison that breaks no rule: fewer right after five examples, on another batch size."""
    return Comparison(
        id="0",
        a=header("a"),
        b=header("b"),
        verdict=Verdict(
            kind="different",
            sentence="b is worse than a on sums: exact_match −16.0 pp; the leading cause is num_fewshot: 0 against 5.",
            leading_cause="num_fewshot",
            standing="supported",
            isolating_run=isolating(),
            next_step="Run it.",
            first_divergence=Divergence("sums", "prompts"),
        ),
        metrics=(row(),),
        settings=(setting("num_fewshot", standing="explains"), setting("batch_size", "1", "8")),
        settings_equal=20,
        task_settings=(),
        context=(),
        context_recorded=(False, False),
        ladder=(steps(),),
        findings=(Finding("prompt_examples", "warning", "Examples differ.", "both", "sums", 200, 200),),
        flips=(),
        flip_counts=(
            FlipCount("sums", "none", "lost", 40, "exact_match"),
            FlipCount("sums", "none", "gained", 8, "exact_match"),
        ),
        prompts=(),
        answer_changes=(),
        left_out=(),
        gates=(Gate("regression", True, "1 of 1"),),
        provenance=Provenance("0", (), ()),
    )


def verdict(**changes: Any) -> Change:
    return lambda made: made._replace(verdict=made.verdict._replace(**changes))


def of(**changes: Any) -> Change:
    return lambda made: made._replace(**changes)


def estimate(**changes: Any) -> Change:
    found = row().estimate
    assert found is not None
    return of(metrics=(row(estimate=found._replace(**changes)),))


def proven(made: Comparison) -> Comparison:
    """Return the comparison as if the only difference were proven by a check."""
    changed = verdict(standing="proven", mechanism="prefix_at_budget", isolating_run=None)(made)
    return changed._replace(settings=(setting("num_fewshot", standing="explains"),))


RIVAL = (setting("num_fewshot", standing="explains"), setting("model", standing="explains"))
SAID = Finding("prompt_examples", "warning", "Examples differ.", "both", "sums", 200, 200)

BROKEN: dict[str, tuple[int, Change]] = {
    "a lead that does not differ": (1, verdict(leading_cause="temperature")),
    "a lead whose row says it cannot": (1, of(settings=(setting("num_fewshot", standing="cannot"),))),
    "a lead whose row says less": (1, of(settings=(setting("num_fewshot", standing="can"), setting("model")))),
    "a lead that is only possible though its row explains": (1, verdict(standing="possible")),
    "no lead and no suspects, and supported": (1, verdict(leading_cause=None)),
    "suspects beside a lead": (1, verdict(suspects=(Suspect("batch_size", 1, 8),))),
    "a suspect that does not differ": (1, verdict(leading_cause=None, suspects=(Suspect("dtype", 1, 2),))),
    "a difference that is none": (1, of(settings=(*RIVAL[:1], setting("device", "cpu", "cpu")))),
    "proven by no check": (2, lambda made: verdict(mechanism=None)(proven(made))),
    "proven beside a rival": (2, lambda made: proven(made)._replace(settings=RIVAL)),
    "a check that passed for what is not proven": (2, verdict(mechanism="prefix_at_budget")),
    "a denial in the verdict": (3, verdict(sentence="b is worse: −16.0 pp; nothing recorded differs.")),
    "a denial in a finding": (3, of(findings=(SAID._replace(text="No setting differs."),))),
    "a difference outside its range": (4, estimate(low=-0.1, high=-0.05)),
    "a difference of other items": (4, of(metrics=(row(difference=-0.12, a=0.66),))),
    "scores of other items than the difference": (4, of(metrics=(row(a=0.9),))),
    "a word beside a range that holds 0": (4, estimate(high=0.02)),
    "a word beside a large p": (4, estimate(p_adjusted=0.2)),
    "a word that goes the other way": (4, of(metrics=(row(status="better"),))),
    "the same, beyond the margin": (4, of(metrics=(row(status="same", primary=False),))),
    "a word without an estimate": (4, of(metrics=(row(), row(estimate=None, metric="f1", primary=False)))),
    "a verdict that its rows deny": (5, verdict(kind="unclear")),
    "different, and no row is": (5, of(metrics=(row(status="unclear"),))),
    "a number of no row": (5, verdict(sentence="b is worse than a on sums: −11.0 pp.")),
    "a gate that fires on what cannot be compared": (5, verdict(kind="not_comparable")),
    "a task that the list does not leave out": (6, verdict(sentence="b is worse: −16.0 pp; sums is left out.")),
    "a list that leaves out what the sentence does not": (6, of(left_out=(LeftOut("task sums", 1, "empty"),))),
    "fewer changed items than behind the number": (7, of(flip_counts=whole().flip_counts[:1])),
    "changed items of another filter": (7, of(metrics=(row(filter="strict"),))),
    "a next run that is B": (8, of(settings=whole().settings[:1])),
    "a next run that is said to exist": (8, verdict(next_run_exists=True)),
    "a next run for a seed": (8, verdict(isolating_run=isolating("torch_seed"))),
    "a next run for a limit": (8, verdict(isolating_run=isolating("limit"))),
    "a finding that stands twice": (9, of(findings=(SAID, SAID))),
    "findings that contradict": (9, of(findings=(SAID, SAID._replace(kind="prompt_example_layout", text="Same.")))),
    "other examples called the same": (
        9,
        of(settings=(setting("num_fewshot", evidence="All show the same examples."),)),
    ),
    "identical answers that differ": (9, of(findings=(SAID._replace(kind="answers_identical", text="Same."),))),
    "a first divergence that is whole": (10, of(ladder=(steps()._replace(first_break="scores"),))),
    "a verdict's first divergence elsewhere": (10, verdict(first_divergence=Divergence("sums", "scores"))),
    "more equal than compared": (10, of(ladder=(Ladder("sums", None, (Rung("scores", 9, 8, None),)),))),
    "scores that were never compared": (10, of(ladder=(Ladder("sums", None, (Rung("scores", 0, 0, None),)),))),
    "equal scores beside a difference": (10, of(ladder=(Ladder("sums", None, (Rung("scores", 200, 200, None),)),))),
}


def test_a_sound_comparison_breaks_no_rule() -> None:
    assert breaches(whole()) == ()
    assert breaches(proven(whole())) == ()


@pytest.mark.parametrize("name", BROKEN)
def test_a_rule_speaks_where_what_it_guards_is_broken(name: str) -> None:
    number, change = BROKEN[name]
    assert number in {breach.number for breach in breaches(change(whole()))}


def test_every_rule_is_one_sentence_with_a_number_of_its_own() -> None:
    assert [rule.number for rule in RULES] == list(range(1, 11))
    assert all(rule.sentence.endswith(".") and len(rule.sentence) < 130 for rule in RULES)


def test_a_field_of_a_task_may_lead_under_its_own_name() -> None:
    field = TaskDifference("sums", "description", "", "Read.", standing="explains")
    made = whole()._replace(settings=(), task_settings=(field,))
    for name in ("sums.description", "description"):
        told = made._replace(verdict=made.verdict._replace(leading_cause=name, isolating_run=None))
        assert breaches(told) == ()


def mirrored(made: Comparison) -> Comparison:
    """Return a comparison with its sides swapped by hand."""
    metric = row(a=0.54, b=0.7, difference=0.16, status="better")
    assert metric.estimate is not None
    turned = metric.estimate._replace(difference=0.16, low=0.09, high=0.23, only_a=8, only_b=40)
    counts = (
        FlipCount("sums", "none", "gained", 40, "exact_match"),
        FlipCount("sums", "none", "lost", 8, "exact_match"),
    )
    return made._replace(a=made.b, b=made.a, metrics=(metric._replace(estimate=turned),), flip_counts=counts)


MIRRORS: dict[str, Change] = {
    "another kind": verdict(kind="unclear"),
    "another cause": verdict(leading_cause="batch_size"),
    "another certainty": verdict(standing="possible"),
    "two models one way": verdict(models_differ=True),
    "suspects one way": verdict(suspects=(Suspect("batch_size", 1, 8),)),
    "another word": of(metrics=(row(),)),
    "another bearing": of(settings=(setting("num_fewshot"), setting("batch_size", "1", "8"))),
    "another order": of(settings=whole().settings[::-1]),
    "another step": of(ladder=(steps("scores"),)),
    "other changed items": of(flip_counts=()),
    "a finding one way": of(findings=()),
}


def test_swapped_sides_of_a_sound_comparison_are_its_mirror_image() -> None:
    assert mirror_breaches(whole(), mirrored(whole())) == ()


@pytest.mark.parametrize("name", MIRRORS)
def test_what_is_not_mirrored_is_said(name: str) -> None:
    found = mirror_breaches(whole(), MIRRORS[name](mirrored(whole())))
    assert {breach.number for breach in found} == {11}


def test_two_comparisons_of_the_same_runs_are_found_by_their_sides() -> None:
    there, back, other = whole(), mirrored(whole()), whole()._replace(a=header("c"))
    assert list(swapped_pairs((there, other, back))) == [(there, back)]
    of_itself = whole()._replace(b=whole().a)
    assert list(swapped_pairs((of_itself, of_itself))) == []
