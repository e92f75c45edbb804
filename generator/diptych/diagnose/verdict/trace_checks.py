"""What one difference would have left behind in one task if it had acted, held against that task's facts.

One function a way of acting; none of them knows another difference, and none of them makes a sentence to be shown
but the short clause that its count belongs to.
"""

from collections.abc import Callable

from diptych.catalogue.setting_effects import ACTS, Act
from diptych.diagnose.samples.evidence import ReplayFacts
from diptych.diagnose.samples.numerical_noise import is_one_way
from diptych.diagnose.samples.sample_counts import count_at_step
from diptych.diagnose.settings.suspects import Difference
from diptych.diagnose.verdict.request_traces import (
    choices_trace,
    documents_trace,
    examples_trace,
    frame_trace,
    items_trace,
    layout_trace,
    messages_trace,
    prompts_with_text,
    shuffle_trace,
    target_trace,
    template_trace,
    text_trace,
    thought_trace,
)
from diptych.diagnose.verdict.response_traces import (
    arithmetic_trace,
    ballots_trace,
    budget_trace,
    decoding_trace,
    drawing_trace,
    engine_trace,
    seed_trace,
    server_trace,
    stop_trace,
    strip_trace,
    tokens_trace,
    transport_trace,
    weights_trace,
    window_trace,
)
from diptych.diagnose.verdict.trace import FEW, FEWEST, MARKS, NEARLY_ALL, Mark, Task, Trace, silent


def trace_of(one: Difference, task: Task) -> Trace:
    """Return how a difference fits a task, over all the ways in which it can act: the strongest of them."""
    acts = one.known.acts
    on_shared = not {"items", "documents", "target"} & set(acts)
    if on_shared and not task.facts.pairs:
        return Trace("later" if acts[0] == "seed" else "open", acts[0], weak=ACTS[acts[0]].weak)
    if on_shared and task.still and task.facts.retargeted.items and (one.general_version or one.task_version):
        return targets_by_version(one, task)
    if on_shared and task.still and task.facts.unlogged and (unseen := AT_SCORES & set(acts)):
        return Trace("open", min(unseen), weak=one.general_version)
    scored = count_at_step([task.facts], "scores").compared
    unscored = on_shared and not scored and AT_SCORES & set(acts)
    if unscored and (task.still or set(acts) <= AT_SCORES - {"version", "any"}):
        return Trace("open", min(AT_SCORES & set(acts)), weak=one.general_version)
    if on_shared and task.still:
        clause = f"shared items have the same responses{' and scores' if scored else ''}"
        return Trace("silent", acts[0], task.responses.equal, task.responses.compared, clause)
    found = [TRACES_BY_ACT[act](one, task)._replace(act=act) for act in acts]
    best = min(found, key=lambda trace: (MARKS.index(trace.mark), acts.index(trace.act)))
    return best._replace(weak=best.weak or ACTS[best.act].weak)


AT_SCORES: frozenset[Act] = frozenset({"scoring", "judging", "version", "any"})
"""Ways of acting that move a score of which no log holds the items' scores, where all that is logged is the same."""


def targets_by_version(one: Difference, task: Task) -> Trace:
    """Read a version where right answers changed and nothing else did: the task's own may have done it, or another."""
    found = task.facts.retargeted.items
    general = one.general_version
    mark: Mark = "broad" if not general else "open" if acts_behind_responses(one) else "silent"
    act: Act = "version" if general else "target"
    return Trace(mark, act, found, task.facts.pairs + found, "items have another right answer", weak=general)


def extraction_trace(one: Difference, task: Task) -> Trace:
    """Read whether responses are equal and what the filters kept is not; else what the changed steps do alone."""
    facts = [found for found in task.facts.filters if found.filtered_apart]
    if not facts or task.facts.kind != "generation":
        return silent(task.filtered.equal, task.filtered.compared, "filtered responses are equal")
    best = max(facts, key=lambda found: (found.extraction_only, -found.raw_apart))
    clause = "filtered responses differ though the responses are equal"
    if best.extraction_only and not any(found.raw_apart for found in task.facts.filters):
        return Trace("proof", "extraction", best.extraction_only, best.compared, clause, "extraction_only")
    if (again := replay_trace(one, task)) is not None:
        return again
    if best.extraction_only >= max(FEWEST, FEW * best.filtered_apart):
        return Trace("own", "extraction", best.extraction_only, best.compared, clause)
    if best.compared - best.raw_apart < max(FEWEST, FEW * best.compared):
        return Trace("open", "extraction", best.raw_apart, best.compared, "responses differ before any filter")
    return silent(best.raw_apart, best.compared, "responses differ before any filter")


def replay_trace(one: Difference, task: Task) -> Trace | None:
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
        return more_found_trace(again, of)
    clause = "changed items score so when the other side's filter reads the same response"
    if again.explained >= max(1, NEARLY_ALL * again.moved) and not any(f.scoring_only for f in task.facts.filters):
        return Trace("proof", "extraction", again.explained, again.moved, clause, "filter_replayed")
    if again.explained >= max(FEWEST, FEW * again.moved):
        return Trace("own", "extraction", again.explained, again.moved, clause)
    if not again.touched:
        return silent(again.moved, again.moved, "changed items score as before when the other side's filter reads them")
    return Trace("open", "extraction", again.explained, again.moved, clause)


def more_found_trace(again: ReplayFacts, of: int) -> Trace:
    """Read a filter over one side's several responses: they score as the other side's where the filter did it all."""
    clause = "items score otherwise when the other side's filter reads the same responses"
    worse, better = again.rest
    if not again.touched:
        return silent(of, of, "items score as before when the other side's filter reads the same responses")
    left = is_one_way(worse, better)
    return Trace("own" if left else "proof", "extraction", again.touched, of, clause, "" if left else "filter_replayed")


def scoring_trace(one: Difference, task: Task) -> Trace:
    """Read whether filtered responses are equal and scores are not."""
    facts = [found for found in task.facts.filters if found.scores_apart]
    if not facts:
        return silent(task.scores.equal, task.scores.compared, "item scores are equal")
    best = max(facts, key=lambda found: (found.scoring_only, -found.filtered_apart))
    clause = "items score otherwise though the filtered responses are equal"
    if best.scoring_only and not any(found.filtered_apart or found.raw_apart for found in task.facts.filters):
        return Trace("proof", "scoring", best.scoring_only, best.compared, clause, "scoring_only")
    if best.scoring_only >= max(FEWEST, FEW * best.scores_apart):
        return Trace("own", "scoring", best.scoring_only, best.compared, clause)
    if (lacking := max(found.unscored_only for found in facts)) >= FEWEST:
        clause = "items have no score on one side though the filtered responses are equal"
        return Trace("own", "scoring", lacking, best.compared, clause)
    if best.compared - best.filtered_apart < max(FEWEST, FEW * best.compared):
        return Trace("open", "scoring", best.scores_apart, best.compared, "items differ before they are scored")
    return silent(best.scores_apart, best.compared, "items differ before they are scored")


def judging_trace(one: Difference, task: Task) -> Trace:
    """Read as a scorer's; a judge may say otherwise of one answer twice, so that this proves nothing."""
    trace = scoring_trace(one, task)
    return trace._replace(mark="own", proof="") if trace.mark == "proof" else trace


def anything_trace(one: Difference, task: Task) -> Trace:
    """Read a recorded text in the prompts; else nothing points to it. What serves a model acts on responses at last.

    What nothing points to counts the items extracted alike, on which another scorer would be seen.
    """
    if one.key == "versions.transformers" and task.choices.differ and not task.kind(*BY_TEMPLATE):
        return Trace("later", "any", task.choices.differ, task.choices.compared, "items have other continuations")
    if not acts_behind_responses(one) and task.responses.compared and not task.responses.differ:
        return silent(task.responses.equal, task.responses.compared, "responses are equal")
    if task.facts.texts and any(fact.key == one.key and prompts_with_text(fact) for fact in task.facts.texts):
        return text_trace(one, task)
    alike = max((found.compared - found.filtered_apart for found in task.facts.filters), default=0)
    return Trace("open", "any", alike, task.facts.pairs, clause="")


BY_TEMPLATE = ("role_markers", "system_text", "thought", "start_token")
"""How prompts differ where a library renders a template otherwise; continuations are the harness's own."""


def acts_behind_responses(one: Difference) -> bool:
    """Say whether a difference may act on filters and scores too: not what was loaded, given to a model, or served."""
    return not (one.key.startswith("model_args.") or one.key == "versions.transformers")


def nothing_trace(one: Difference, task: Task) -> Trace:
    """Read nothing: it moves no score."""
    return silent(0, 0, "")


TRACES_BY_ACT: dict[Act, Callable[[Difference, Task], Trace]] = {
    "items": items_trace,
    "documents": documents_trace,
    "template": template_trace,
    "text": text_trace,
    "thought": thought_trace,
    "strip": strip_trace,
    "examples": examples_trace,
    "layout": layout_trace,
    "frame": frame_trace,
    "messages": messages_trace,
    "choices": choices_trace,
    "target": target_trace,
    "budget": budget_trace,
    "stop": stop_trace,
    "ballots": ballots_trace,
    "drawing": drawing_trace,
    "seed": seed_trace,
    "shuffle": shuffle_trace,
    "decoding": decoding_trace,
    "weights": weights_trace,
    "engine": engine_trace,
    "server": server_trace,
    "tokens": tokens_trace,
    "window": window_trace,
    "arithmetic": arithmetic_trace,
    "transport": transport_trace,
    "cache": transport_trace,
    "extraction": extraction_trace,
    "scoring": scoring_trace,
    "judging": judging_trace,
    "version": anything_trace,
    "any": anything_trace,
    "nothing": nothing_trace,
}
"""How each way of acting is read."""
