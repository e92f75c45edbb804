"""What is known where nobody leads: what differs all the same, and where the runs first diverge."""

from collections.abc import Collection, Sequence

from diptych.closed_names import Step
from diptych.comparison import Divergence
from diptych.diagnose.settings.no_effect_rules import draws
from diptych.diagnose.verdict.hypotheses import Hypothesis, bearing_over_tasks
from diptych.diagnose.verdict.run_labels import Labels, run_labels
from diptych.diagnose.verdict.trace_checks import acts_behind_responses
from diptych.diagnose.verdict.value_words import both_values
from diptych.diagnose.verdict.verdict_kind import one_file
from diptych.numbers import counted, listed
from diptych.run import Json, Run

MOST_NAMED = 4
STEP_WORDS: dict[Step, str] = {
    "documents": "docs",
    "prompts": "prompts",
    "choices": "choices",
    "generation_arguments": "gen_kwargs",
    "responses": "responses",
    "filtered": "filtered responses",
    "scores": "item scores",
}


def builders_sentence(held: Sequence[Hypothesis]) -> str:
    """Return that what builds the requests differs, where they differ and nothing leads; "" where it does not."""
    able = [one for one in held if bearing_over_tasks(one)[0] != "cannot" and not one.follows and not noted_once(one)]
    built = [one for one in able if builds_requests(one)]
    if not built or any(one not in built and not one.comes_later for one in able):
        return ""
    names = listed([f"{one.name} ({both_values(one.difference)})" for one in built], MOST_NAMED)
    later = [one.name for one in able if one.comes_later]
    beside = f"; {listed(later, MOST_NAMED)} cannot have" if later else ""
    return f"The harness builds the requests, so {names} may have changed them{beside}."


def builds_requests(one: Hypothesis) -> bool:
    """Say whether a difference is the version of what builds a task's requests."""
    return one.difference.general_version and acts_behind_responses(one.difference)


def nobody_sentence(
    held: Sequence[Hypothesis], first: Divergence | None, a: Run, b: Run, picks: Collection[str] = ()
) -> str:
    """Return what is known where nobody leads: what differs all the same, and where the runs first diverge.

    `picks` are the tasks that are answered by picking a choice.
    """
    doubted = strained(held)
    able = [one for one in held if bearing_over_tasks(one)[0] != "cannot" and not one.follows and one not in doubted]
    others = [one for one in able if not noted_once(one) and one.difference.known.acts != ("items",)]
    sets = [one for one in able if one.difference.known.acts == ("items",)]
    listed_too = [one for one in held if one not in able and not noted_once(one)]
    where = f" The first divergence is at the {divergence_words(first, picks)}." if first else ""
    bare = [label for label, run in zip(run_labels(a, b), (a, b), strict=True) if not records_settings(run)]
    if bare:
        return f"The settings of {listed(bare)} are unknown: its config is missing.{where}"
    noted = not_recorded(able, run_labels(a, b))
    where = noted + where
    if sets and not others:
        names = listed([one.name for one in sets])
        verb = "sets" if len(sets) == 1 else "set"
        return f"{names} {verb} the items apart; what moved the shared ones is not known.{where}"
    if not others and (broken := strained(listed_too)):
        return strained_sentence(broken, [one for one in listed_too if one not in broken]) + where
    if not others and listed_too:
        return f"What differs on record ({listed([one.name for one in listed_too])}) cannot have acted.{where}"
    silent = [label for label, run in zip(run_labels(a, b), (a, b), strict=True) if not run.configs]
    if not others and silent:
        return f"Nothing that both record differs; the task configuration of {listed(silent)} is not recorded.{where}"
    if not others and one_file(a, b):
        return f"Both are one and the same results file.{where}"
    if not others:
        return f"Nothing else on record differs.{where}" if noted else f"Nothing recorded differs.{where}"
    if draws(a) and draws(b) and (seeds := [one for one in others if "seed" in one.difference.known.acts]):
        return seeds_sentence(seeds, [one for one in others if one not in seeds])
    names = listed([one.name for one in others])
    verb = "differs" if len(others) == 1 else "differ"
    return f"{names} {verb}; nothing shows that {'it' if len(others) == 1 else 'any of them'} acted.{where}"


def strained(held: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Return what changes sums alone and is cleared since answers moved by more than sums move them."""
    return [
        one for one in held if one.idle is None and any(r.act == "arithmetic" and r.beyond for r in one.traces.values())
    ]


def strained_sentence(broken: Sequence[Hypothesis], rest: Sequence[Hypothesis]) -> str:
    """Return that what changes sums alone moves no answers that far, unless something in it is broken."""
    broken = [one for one in broken if not one.follows] or broken
    names, verb = listed([one.name for one in broken], MOST_NAMED), "differs" if len(broken) == 1 else "differ"
    beside = f" What else differs on record ({listed([one.name for one in rest])}) cannot have acted." if rest else ""
    why = broken_by(broken)
    return f"{names} {verb}, which moves answers that far only where something is broken ({why}).{beside}"


def broken_by(strained_ones: Sequence[Hypothesis]) -> str:
    """Return what may be broken where settings that change sums alone moved answers far: by what each of them does."""
    found: dict[str, None] = {}
    for one in strained_ones:
        words = [word for part, word in BREAKS if part in one.key]
        if "dtype" in one.key and any("float16" in str(value).replace("bfloat16", "") for value in both_sides(one)):
            words = ["float16 overflows where numbers grow beyond 65,504"]
        found |= dict.fromkeys(words or ["padding", "a kernel"])
    return listed(list(found), MOST_NAMED).replace(" and ", " or ")


def both_sides(one: Hypothesis) -> tuple[Json, Json]:
    """Return the two values of a difference."""
    return one.difference.a, one.difference.b


BREAKS: tuple[tuple[str, str], ...] = (
    ("batch", "padding in a batch"),
    ("dtype", "an overflow or a loss of precision"),
    ("attn", "an attention kernel"),
    ("flash", "an attention kernel"),
    ("device", "a kernel of one device"),
    ("parallel", "how weights are split"),
)
"""What may break by a setting that changes sums alone, by a part of its key; of others a kernel or padding may."""


def seeds_sentence(seeds: Sequence[Hypothesis], rest: Sequence[Hypothesis]) -> str:
    """Return that answers were drawn by other seeds, which alone makes other answers, whatever else differs."""
    named = listed([f"{one.name} ({both_values(one.difference)})" for one in seeds], MOST_NAMED)
    beside = f", so these show nothing of {listed([one.name for one in rest], MOST_NAMED)}" if rest else ""
    return f"The draws have other seeds: {named}. That alone makes other answers{beside}."


def not_recorded(able: Sequence[Hypothesis], labels: Labels) -> str:
    """Return what one side alone wrote down and could have acted: a gap of knowledge, no difference."""
    parts = []
    for label, other in ((labels.a, "b"), (labels.b, "a")):
        keys = [one.name for one in able if noted_once(one) and getattr(one.difference.recorded, other)]
        if keys:
            parts.append(f" {listed(keys)} {'is' if len(keys) == 1 else 'are'} not recorded for {label}.")
    return "".join(parts)


def noted_once(one: Hypothesis) -> bool:
    """Say whether one side alone wrote something down beside its run: that is no difference."""
    return one.key.startswith("context.") and not one.difference.both_recorded


def records_settings(run: Run) -> bool:
    """Say whether a run's file records its settings at all."""
    return "model" in run.settings and run.settings["model"].recorded


def divergence_words(first: Divergence, picks: Collection[str] = ()) -> str:
    """Return at which step of which task the runs first diverge, and in how many more tasks they do at that step."""
    more = f" and {counted(first.others, 'task')} more" if first.others else ""
    step = "picked choices" if first.step == "responses" and first.task in picks else STEP_WORDS[first.step]
    return f"{step} of {first.task}{more}"
