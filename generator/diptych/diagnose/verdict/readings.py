"""What one difference would have left behind in one task if it had acted, held against that task's facts.

One function a way of acting; none of them knows another difference, and none of them makes a sentence to be shown
but the short clause that its count belongs to.
"""

from collections.abc import Callable

from diptych.catalogue.acts import ACTS, Act
from diptych.diagnose.samples.evidence import ReplayFacts
from diptych.diagnose.samples.numerical_noise import is_one_way
from diptych.diagnose.settings.suspects import Difference
from diptych.diagnose.verdict.prompt_readings import (
    found_in,
    read_choices,
    read_documents,
    read_examples,
    read_frame,
    read_items,
    read_layout,
    read_messages,
    read_shuffle,
    read_target,
    read_template,
    read_text,
    read_thought,
)
from diptych.diagnose.verdict.reading import FEW, FEWEST, MARKS, NEARLY_ALL, Mark, Reading, Task, silent
from diptych.diagnose.verdict.response_readings import (
    read_arithmetic,
    read_budget,
    read_decoding,
    read_drawing,
    read_engine,
    read_seed,
    read_server,
    read_stop,
    read_tokens,
    read_transport,
    read_weights,
    read_window,
)


def read(one: Difference, task: Task) -> Reading:
    """Return how a difference fits a task, over all the ways in which it can act: the strongest of them."""
    acts = one.known.acts
    on_shared = not {"items", "documents", "target"} & set(acts)
    if on_shared and not task.facts.pairs:
        return Reading("later" if acts[0] == "seed" else "open", acts[0], weak=ACTS[acts[0]].weak)
    if on_shared and task.still and task.facts.retargeted.items and (one.general_version or one.task_version):
        return targets_by_version(one, task)
    if on_shared and task.still:
        clause = "shared items have the same responses and scores"
        return Reading("silent", acts[0], task.responses.equal, task.responses.compared, clause)
    found = [READERS[act](one, task)._replace(act=act) for act in acts]
    best = min(found, key=lambda reading: (MARKS.index(reading.mark), acts.index(reading.act)))
    return best._replace(weak=best.weak or ACTS[best.act].weak)


def targets_by_version(one: Difference, task: Task) -> Reading:
    """Read a version where right answers changed and nothing else did: the task's own may have done it, or another."""
    found = task.facts.retargeted.items
    general = one.general_version
    mark: Mark = "broad" if not general else "open" if acts_behind_responses(one) else "silent"
    act: Act = "version" if general else "target"
    return Reading(mark, act, found, task.facts.pairs + found, "items have another right answer", weak=general)


def read_extraction(one: Difference, task: Task) -> Reading:
    """Read whether responses are equal and what the filters kept is not; else what the changed steps do alone."""
    facts = [found for found in task.facts.filters if found.filtered_apart]
    if not facts or task.facts.kind != "generation":
        return silent(task.filtered.equal, task.filtered.compared, "filtered responses are equal")
    best = max(facts, key=lambda found: (found.extraction_only, -found.raw_apart))
    clause = "filtered responses differ though the responses are equal"
    if best.extraction_only and not any(found.raw_apart for found in task.facts.filters):
        return Reading("proof", "extraction", best.extraction_only, best.compared, clause, "extraction_only")
    if (again := read_again(one, task)) is not None:
        return again
    if best.extraction_only >= max(FEWEST, FEW * best.filtered_apart):
        return Reading("own", "extraction", best.extraction_only, best.compared, clause)
    if best.compared - best.raw_apart < max(FEWEST, FEW * best.compared):
        return Reading("open", "extraction", best.raw_apart, best.compared, "responses differ before any filter")
    return silent(best.raw_apart, best.compared, "responses differ before any filter")


def read_again(one: Difference, task: Task) -> Reading | None:
    """Read what a filter's other steps make of the same responses; None where they cannot be run again."""
    _, _, name = one.field.partition(".")
    known = {found.filter: found.replay for found in task.facts.filters if found.replay is not None}
    again = known.get(name) or max(known.values(), key=lambda found: (found.explained, found.moved), default=None)
    if again is None:
        return None
    of = task.facts.pairs
    if not any(again.apart):
        return silent(of, of, "responses of each side are read alike by the filter of the other")
    if again.more is not None:
        return read_more(again, of)
    clause = "changed items score so when the other side's filter reads the same response"
    if again.explained >= max(1, NEARLY_ALL * again.moved) and not any(f.scoring_only for f in task.facts.filters):
        return Reading("proof", "extraction", again.explained, again.moved, clause, "filter_replayed")
    if again.explained >= max(FEWEST, FEW * again.moved):
        return Reading("own", "extraction", again.explained, again.moved, clause)
    if not again.touched:
        return silent(again.moved, again.moved, "changed items score as before when the other side's filter reads them")
    return Reading("open", "extraction", again.explained, again.moved, clause)


def read_more(again: ReplayFacts, of: int) -> Reading:
    """Read a filter over one side's several responses: they score as the other side's where the filter did it all."""
    clause = "items score otherwise when the other side's filter reads the same responses"
    worse, better = again.rest
    if not again.touched:
        return silent(of, of, "items score as before when the other side's filter reads the same responses")
    left = is_one_way(worse, better)
    return Reading(
        "own" if left else "proof", "extraction", again.touched, of, clause, "" if left else "filter_replayed"
    )


def read_scoring(one: Difference, task: Task) -> Reading:
    """Read whether filtered responses are equal and scores are not."""
    facts = [found for found in task.facts.filters if found.scores_apart]
    if not facts:
        return silent(task.scores.equal, task.scores.compared, "item scores are equal")
    best = max(facts, key=lambda found: (found.scoring_only, -found.filtered_apart))
    clause = "items score otherwise though the filtered responses are equal"
    if best.scoring_only and not any(found.filtered_apart or found.raw_apart for found in task.facts.filters):
        return Reading("proof", "scoring", best.scoring_only, best.compared, clause, "scoring_only")
    if best.scoring_only >= max(FEWEST, FEW * best.scores_apart):
        return Reading("own", "scoring", best.scoring_only, best.compared, clause)
    if best.compared - best.filtered_apart < max(FEWEST, FEW * best.compared):
        return Reading("open", "scoring", best.scores_apart, best.compared, "items differ before they are scored")
    return silent(best.scores_apart, best.compared, "items differ before they are scored")


def read_judging(one: Difference, task: Task) -> Reading:
    """Read as a scorer's; a judge may say otherwise of one answer twice, so that this proves nothing."""
    reading = read_scoring(one, task)
    return reading._replace(mark="own", proof="") if reading.mark == "proof" else reading


def read_anything(one: Difference, task: Task) -> Reading:
    """Read a recorded text in the prompts; else nothing points to it. What serves a model acts on responses at last.

    What nothing points to counts the items extracted alike, on which another scorer would be seen.
    """
    if one.key == "versions.transformers" and task.choices.differ and not task.kind(*BY_TEMPLATE):
        return Reading("later", "any", task.choices.differ, task.choices.compared, "items have other continuations")
    if not acts_behind_responses(one) and task.responses.compared and not task.responses.differ:
        return silent(task.responses.equal, task.responses.compared, "responses are equal")
    if task.facts.texts and any(fact.key == one.key and found_in(fact) for fact in task.facts.texts):
        return read_text(one, task)
    alike = max((found.compared - found.filtered_apart for found in task.facts.filters), default=0)
    return Reading("open", "any", alike, task.facts.pairs, clause="")


BY_TEMPLATE = ("role_markers", "system_text", "thought", "start_token")
"""How prompts differ where a library renders a template otherwise; continuations are the harness's own."""


def acts_behind_responses(one: Difference) -> bool:
    """Say whether a difference may act on filters and scores too: not what was loaded, given to a model, or served."""
    return not (one.key.startswith("model_args.") or one.key == "versions.transformers")


def read_nothing(one: Difference, task: Task) -> Reading:
    """Read nothing: it moves no score."""
    return silent(0, 0, "")


READERS: dict[Act, Callable[[Difference, Task], Reading]] = {
    "items": read_items,
    "documents": read_documents,
    "template": read_template,
    "text": read_text,
    "thought": read_thought,
    "examples": read_examples,
    "layout": read_layout,
    "frame": read_frame,
    "messages": read_messages,
    "choices": read_choices,
    "target": read_target,
    "budget": read_budget,
    "stop": read_stop,
    "drawing": read_drawing,
    "seed": read_seed,
    "shuffle": read_shuffle,
    "decoding": read_decoding,
    "weights": read_weights,
    "engine": read_engine,
    "server": read_server,
    "tokens": read_tokens,
    "window": read_window,
    "arithmetic": read_arithmetic,
    "transport": read_transport,
    "cache": read_transport,
    "extraction": read_extraction,
    "scoring": read_scoring,
    "judging": read_judging,
    "version": read_anything,
    "any": read_anything,
    "nothing": read_nothing,
}
"""How each way of acting is read."""
