"""From hypotheses to one conclusion: who may be called the cause, how surely, and who the rivals are. No words here."""

from collections.abc import Iterable, Sequence

from diptych.catalogue.setting_effects import ACTS
from diptych.closed_names import STEPS, Certainty, Step
from diptych.diagnose.settings.model_parts import COMMIT, is_other_change
from diptych.diagnose.settings.suspects import Difference, how_telling_part
from diptych.diagnose.verdict.hypotheses import BEARING, Hypothesis
from diptych.diagnose.verdict.trace import FEWEST, MARKS, NEARLY_ALL, Mark, Trace
from diptych.diagnose.verdict.trace_checks import acts_behind_responses
from diptych.fast_named_tuple import NamedTuple

AS_A_REPEAT = frozenset({"arithmetic", "engine", "server", "transport", "cache", "tokens", "weights"})
"""Ways of acting that move answers as a plain repeat may move them, too, where they move them by little."""

SPECIFIC = frozenset({"cut_at_budget", "cut_at_stop"})
"""Checks that nothing but the setting itself can pass."""


class Conclusion(NamedTuple):
    """Who is the cause: one `leading` alone, or several that fit equally; `tasks` are those that it is concluded over.

    `possible` are those that differ and can act where nobody leads, `model` the most telling key of two models.
    `other_examples`: other examples are shown than on the other side, which what left its mark does not choose.
    """

    leading: tuple[Hypothesis, ...] = ()
    certainty: Certainty = "none"
    mechanism: str = ""
    tasks: tuple[str, ...] = ()
    model: Difference | None = None
    other_examples: bool = False

    @property
    def alone(self) -> Hypothesis | None:
        """The one that leads alone."""
        return self.leading[0] if len(self.leading) == 1 else None

    @property
    def by_task(self) -> dict[str, Hypothesis]:
        """The one of several that acts in each task, where none of the others can have acted there; else empty."""
        found = {task: [one for one in self.leading if able(one, task)] for task in self.tasks}
        whole = all(len(ones) == 1 and ones[0].marked([task]) for task, ones in found.items())
        parts = {task: ones[0] for task, ones in found.items()} if whole else {}
        return parts if len({one.key for one in parts.values()}) == len(self.leading) > 1 else {}


def able(one: Hypothesis, task: str) -> bool:
    """Say whether a hypothesis can have acted in a task."""
    return task in one.traces and BEARING[one.traces[task].mark] != "cannot"


class Standing(NamedTuple):
    """One hypothesis over the tasks of a conclusion: its best mark, and whether it has that in all of them."""

    hypothesis: Hypothesis
    mark: Mark
    whole: bool
    weak: bool
    trace: Trace
    tasks: frozenset[str]

    @property
    def difference(self) -> Difference:
        """The difference that the hypothesis is about."""
        return self.hypothesis.difference


def conclude(
    found: Sequence[Hypothesis],
    tasks: Sequence[str],
    model: Difference | None,
    first: Step | None,
    anew: frozenset[Step],
    other_examples: bool = False,
) -> Conclusion:
    """Return the conclusion over some tasks (those whose scores or answers moved).

    `first` is the step at which they first part, `anew` are later ones at which items part that were equal before;
    `other_examples`: prompts show as many examples, and other ones.
    """
    standings = [one for hypothesis in found if (one := standing(hypothesis, tasks)) is not None]
    standings = without_copies(standings, model)
    proofs = strongest([one for one in standings if one.mark == "proof" and one.whole])
    if proofs:
        return conclusion_from(proofs, standings, "proven", tuple(tasks), model)
    marks = strongest([one for one in standings if one.mark in ("proof", "own", "broad")])
    if marks:
        rest = possible(standings) if leaves_room(marks, first) else behind(standings, marks, anew)
        unchosen = other_examples and not any(map(chooses_examples, marks + rest))
        rest += choosing(standings) if unchosen else []
        rest += [one for one in standings if one.mark == "later" and one.trace.after]
        versions = beside_commit(marks, standings)
        if versions and not rest:
            return conclusion_from([*marks, *versions], standings, "possible", tuple(tasks), model)
        made = conclusion_from([*marks, *rest], standings, "supported", tuple(tasks), model)
        return made._replace(other_examples=unchosen)
    left = possible(standings)
    if left and not (all(one.weak for one in left) and any(map(is_another_draw, standings))):
        return conclusion_from(left, standings, "possible", tuple(tasks), model)
    return Conclusion(tasks=tuple(tasks), model=model)


def leaves_room(marks: list[Standing], first: Step | None) -> bool:
    """Say whether marks explain a part of what moved only, or nothing of the step at which the tasks first part."""
    shared = of_shared(marks)
    if all(is_partial(one) or one.trace.act == "ballots" for one in shared):
        return True  # how often an item is asked tells nothing of what else moved its responses
    steps = [ACTS[one.trace.act].step for one in marks]
    known = [STEPS.index(step) for step in steps if step in STEPS]
    first = "responses" if first == "generation_arguments" else first  # arguments act on responses
    return first is not None and len(known) == len(steps) and min(known) > STEPS.index(first)


def beside_commit(marks: list[Standing], standings: list[Standing]) -> list[Standing]:
    """Return the versions that may have moved responses where a commit alone tells of other weights; else none."""
    if any(one.hypothesis.key != COMMIT for one in marks):
        return []
    able = [one for one in standings if one.mark == "open" and one.difference.general_version]
    return in_prior_order([one for one in able if one.difference.both_recorded])


def behind(standings: list[Standing], marks: list[Standing], anew: frozenset[Step]) -> list[Standing]:
    """Return those that may have acted at a step at which items part anew, and at which no mark can have acted."""
    acted = {ACTS[act].step for one in marks for act in one.difference.known.acts}
    if not anew - acted or "none" in acted:
        return []
    able = [one for one in standings if one.mark == "open" and ACTS[one.trace.act].step == "none"]
    able = [one for one in able if acts_behind_responses(one.difference)]
    return in_prior_order([one for one in able if not one.difference.general_version] or able)


CHOOSES_EXAMPLES = frozenset({"examples", "shuffle", "frame", "documents", "version", "any"})
"""Ways of acting that may show other examples; a template, a layout or a text in front shows what was chosen."""


def chooses_examples(one: Standing) -> bool:
    """Say whether a difference may be why other examples are shown."""
    return bool(CHOOSES_EXAMPLES & set(one.difference.known.acts))


def choosing(standings: list[Standing]) -> list[Standing]:
    """Return those that may have chosen other examples, though nothing shows it."""
    able = [one for one in standings if one.mark == "open" and one.difference.both_recorded and chooses_examples(one)]
    released = [one for one in able if None not in (one.difference.a, one.difference.b)]
    return in_prior_order([one for one in able if not one.difference.general_version] or released or able)


def standing(hypothesis: Hypothesis, tasks: Sequence[str]) -> Standing | None:
    """Return how a hypothesis stands over some tasks; None where it cannot act, or differs in none of them."""
    traces = hypothesis.over(tasks)
    if hypothesis.idle is not None or not traces:
        return None
    best = min(traces, key=lambda trace: MARKS.index(trace.mark))
    if best.mark == "silent":
        return None
    there = frozenset(
        task for task in tasks if task in hypothesis.traces and hypothesis.traces[task].mark not in ("silent", "later")
    )
    whole = len(there) == len(set(tasks)) and all(trace.mark == best.mark for trace in traces)
    return Standing(hypothesis, best.mark, whole, best.weak, best, there)


def without_copies(standings: list[Standing], model: Difference | None) -> list[Standing]:
    """Return the standings without copies and consequences of others, and with one for each change to the model."""
    acting = {one.hypothesis.key for one in standings}
    kept = [one for one in standings if not one.hypothesis.follows or one.hypothesis.follows not in acting]
    if model is None:
        return [one for one in kept if not names_one_model(one)]
    of_model = [one for one in kept if one.difference.known.model]
    named = [one for one in of_model if one.hypothesis.key == model.key] or of_model[:1]
    return [one for one in kept if one not in of_model] + one_each(named, of_model)


def one_each(chosen: list[Standing], of_model: Iterable[Standing]) -> list[Standing]:
    """Return what was chosen to name the model, and one more for each other change to it that was made by hand."""
    for one in sorted(of_model, key=lambda one: how_telling_part(one.difference)):
        if all(is_other_change(one.difference, other.difference) for other in chosen):
            chosen = [*chosen, one]
    return chosen


def names_one_model(one: Standing) -> bool:
    """Say whether a difference is of a model's key, though both sides name one model there."""
    return one.difference.known.model and one.difference.both_recorded


def strongest(fitting: list[Standing]) -> list[Standing]:
    """Return those of some that fit equally well: what can move much before what cannot, in the usual order."""
    fitting = [one for one in fitting if not one.weak] or fitting
    return in_prior_order(
        without_versions_of_fields([one for one in fitting if not one.difference.general_version] or fitting)
    )


def possible(standings: list[Standing]) -> list[Standing]:
    """Return those that may have acted though nothing shows it: what is known to act first, versions last.

    What is unknown and what moves scores by little stand beside each other.
    """
    fitting = [one for one in standings if one.mark == "open" and one.difference.both_recorded]
    able = [one for one in fitting if not one.weak and not is_unknown(one)]
    little = [one for one in fitting if is_unknown(one) or ACTS[one.trace.act].step == "responses"]
    unknown = [one for one in fitting if is_unknown(one)]
    kept = able or little or unknown or [one for one in fitting if not one.difference.general_version] or fitting
    return in_prior_order(without_versions_of_fields(kept))


def is_another_draw(one: Standing) -> bool:
    """Say whether a difference is a seed by which answers were drawn: what can move little does not lead beside it."""
    return one.trace.act == "seed" and one.mark == "later"


def in_prior_order(fitting: list[Standing]) -> list[Standing]:
    """Return some in the usual order."""
    return sorted(fitting, key=lambda one: (one.difference.place, one.hypothesis.key))


def is_unknown(one: Standing) -> bool:
    """Say whether nothing is known of how a difference acts."""
    return one.difference.known.acts == ("any",)


def without_versions_of_fields(fitting: list[Standing]) -> list[Standing]:
    """Return some without the version of a task where a field of its definition fits too: the field tells more."""
    told = {
        task
        for one in fitting
        if one.difference.field and not one.difference.task_version
        for task in one.difference.tasks
    }
    return [one for one in fitting if not (one.difference.task_version and one.tasks <= told)]


def of_shared(kept: list[Standing]) -> list[Standing]:
    """Return those that act on the shared items, all of them where none does."""
    return [one for one in kept if one.trace.act != "items"] or kept


def is_partial(one: Standing) -> bool:
    """Say whether a bound or a filter left its mark on a part of what changed only: something else acted too."""
    checked = bool(ACTS[one.trace.act].proof)
    return one.mark == "own" and checked and one.trace.number < NEARLY_ALL * one.trace.of


def conclusion_from(
    kept: list[Standing],
    standings: list[Standing],
    certainty: Certainty,
    tasks: tuple[str, ...],
    model: Difference | None,
) -> Conclusion:
    """Return the conclusion that some standings give: proven only for one of them with a check and without a rival."""
    leading = tuple(one.hypothesis for one in kept)
    if certainty == "supported" and all(one.trace.after for one in kept):
        certainty = "possible"  # what was sent differs already, and nothing on record says why
    if certainty == "supported" and all(repeatable(one.hypothesis, tasks) for one in kept):
        certainty = "possible"  # a plain repeat may do the same
    if certainty == "supported" and only_sets(kept):
        certainty = "possible"  # that items differ is a fact; nothing shows what moved the scores
    if certainty != "proven":
        return Conclusion(leading, certainty, "", tasks, model)
    proof = kept[0].trace.proof
    rivals = len(kept) > 1 or any(may_do_it(one, kept[0]) for one in standings)
    return Conclusion(leading, "supported" if rivals else "proven", "" if rivals else proof, tasks, model)


def repeatable(one: Hypothesis, tasks: Iterable[str]) -> bool:
    """Say whether a difference left its mark in some tasks, and in none more than a plain repeat may leave."""
    traces = [trace for trace in one.over(tasks) if BEARING[trace.mark] == "explains"]
    return bool(traces) and all(one.mark == "broad" and one.little and one.act in AS_A_REPEAT for one in traces)


def only_sets(kept: Sequence[Standing]) -> bool:
    """Say whether of several the set of items alone left a mark."""
    marked = [one for one in kept if one.mark in ("proof", "own", "broad")]
    return len(kept) > len(marked) and all(one.trace.act == "items" for one in marked)


def may_do_it(other: Standing, proven: Standing) -> bool:
    """Say whether another difference could have done what a check shows: one that acts at any step, or its own mark."""
    if other.hypothesis.key == proven.hypothesis.key or other.difference.task_version:
        return False
    if proven.trace.proof == "filter_replayed":
        return other.trace.act == "scoring" and other.mark in ("proof", "own")  # one response each, read twice
    if other.difference.known.model and other.mark == "broad":
        return True  # what a bound cut away may have been another answer of another model
    specific = proven.trace.proof in SPECIFIC
    whole = specific and proven.trace.number >= proven.trace.of  # else what is left is of something else
    if other.mark in ("proof", "own") or (other.mark == "broad" and not whole):
        return True
    guess = is_unknown(other) or other.difference.general_version
    seen = other.trace.number >= FEWEST or not acts_behind_responses(other.difference)
    return other.mark == "open" and not (guess and ((whole and seen) or proven.trace.proof == "item_sets"))
