"""What a difference that acts before an answer would have left: in items, documents, prompts and choices."""

import math

from diptych.diagnose.samples.evidence import TaskEvidence
from diptych.diagnose.samples.prompt_facts import TextFact
from diptych.diagnose.samples.prompt_parts import may_hold_marks
from diptych.diagnose.samples.sample_counts import count_at_step
from diptych.diagnose.settings.suspects import Difference
from diptych.diagnose.verdict.trace import FEWEST, NEARLY_ALL, Mark, Task, Trace, silent


def equal_prompts(task: Task) -> Trace:
    """Return that the prompts are equal, so that nothing acted on them."""
    return silent(task.prompts.equal, task.prompts.compared, "prompts are equal")


def not_its_way(task: Task) -> Trace:
    """Return that prompts differ otherwise; where their words do, the way may be one that is not known here."""
    mark: Mark = "open" if task.kind("other", "order") else "later"
    return Trace(mark, "any", task.prompts.differ, task.prompts.compared, "prompts differ, but not in its way")


def in_prompts(task: Task, own: tuple[str, ...], broad: tuple[str, ...], clause: str) -> Trace:
    """Read the prompts: do they differ in a way that is its own, or in one that it may have made?"""
    compared = task.prompts.compared
    if number := task.kind(*own):
        return Trace("own", "any", number, compared, clause)
    if not task.prompts.differ:
        return equal_prompts(task)
    if number := task.kind(*broad):
        return Trace("broad", "any", number, compared, "prompts differ as it can make them")
    return not_its_way(task)


def items_trace(one: Difference, task: Task) -> Trace:
    """Read the set of items: the shared ones score the same where only the set acted."""
    facts = task.facts
    alone = facts.only_a + facts.only_b - facts.missing.a - facts.missing.b
    total = facts.pairs + facts.only_a + facts.only_b
    if alone <= 0:
        return silent(facts.pairs, total, "items were scored on both sides")
    if one.key == "limit" and (number := beyond_limit(one, task)):
        return silent(
            number, total, "items are of the side with the smaller limit alone, and no limit leaves those out"
        )
    clause = "items were scored on one side only"
    if facts.pairs and task.still and one.known.acts == ("items",):
        return Trace("proof", "items", alone, total, clause, "item_sets")
    return Trace("own", "items", alone, total, clause)


def beyond_limit(one: Difference, task: Task) -> int:
    """Return how many items of the side with the smaller limit the other's limit cannot have left out.

    A limit takes the first items: the larger one holds all of the smaller one's.
    """
    sizes = [value if isinstance(value, (int, float)) and value >= 0 else math.inf for value in (one.a, one.b)]
    if sizes[0] == sizes[1] or any(0 < size < 1 for size in sizes):
        return 0
    facts = task.facts
    return max(facts.only_a - facts.missing.b if sizes[0] < sizes[1] else facts.only_b - facts.missing.a, 0)


def documents_trace(one: Difference, task: Task) -> Trace:
    """Read the documents."""
    found = count_at_step([task.facts], "documents")
    ids = task.facts.ids
    if ids.other:
        return Trace("own", "documents", ids.other, ids.both, "ids that both sides hold name another document")
    if found.differ:
        return Trace("own", "documents", found.differ, found.compared, "documents differ")
    if not task.facts.pairs:
        return Trace("broad", "documents", 0, task.facts.only_a + task.facts.only_b, "items are shared")
    return silent(found.equal, found.compared, "documents are equal")


def template_trace(one: Difference, task: Task) -> Trace:
    """Read the marks of a template, or messages in the place of a text."""
    compared = task.prompts.compared
    if number := task.kind("role_markers", "same_words", "messages"):
        return Trace("own", "template", number, compared, template_clause(task))
    if not task.prompts.differ:
        return equal_prompts(task)
    both = isinstance(one.a, str) and isinstance(one.b, str)
    if both and task.kind("system_text", "white_space", "start_token", "thought", "order", "other"):
        return Trace("broad", "template", task.prompts.differ, compared, "prompts differ, as two templates make them")
    return not_its_way(task)


def template_clause(task: Task) -> str:
    """Return how a template shows in the prompts of a task."""
    if task.facts.prompts and any(task.facts.prompts.nested):
        return "prompts hold the chat-template tokens twice on one side"
    if task.kind("role_markers"):
        return "prompts differ by chat-template tokens"
    if task.kind("messages"):
        return "prompts differ by being sent as messages"
    return "prompts hold the same words, sent as messages on one side"


def text_trace(one: Difference, task: Task) -> Trace:
    """Read whether the recorded text stands in one side's prompts and not in the other's."""
    if not task.prompts.differ:
        return equal_prompts(task)
    found = next((fact for fact in task.facts.texts if fact.key == one.key), None)
    if found is None:
        return not_its_way(task)
    hits = prompts_with_text(found)
    if hits >= NEARLY_ALL * found.of:
        clause = "hold the recorded text on its side only"
        return Trace("own", "text", hits, found.of, clause, sampled_from=task.prompts.differ)
    if one_alone(found) >= NEARLY_ALL * found.of:
        clause = "hold the recorded text of one side, and none holds the other's"
        return Trace("broad", "text", one_alone(found), found.of, clause, sampled_from=task.prompts.differ)
    if hits:
        clause = "hold the recorded text"
        return Trace("broad", "text", hits, found.of, clause, sampled_from=task.prompts.differ)
    return silent(found.of, found.of, "differing prompts looked at do not hold the recorded text")


def prompts_with_text(fact: TextFact) -> int:
    """Return in how many prompts each recorded text stands on its own side only."""
    sides = [(fact.a, fact.recorded.a), (fact.b, fact.recorded.b)]
    return min((number for number, recorded in sides if recorded), default=0)


def one_alone(fact: TextFact) -> int:
    """Return in how many prompts one side's recorded text stands where the other's stands in none of its own."""
    return max(fact.a, fact.b) if all(fact.recorded) and 0 in (fact.a, fact.b) else 0


def thought_trace(one: Difference, task: Task) -> Trace:
    """Read thought blocks in prompts, or thoughts in the responses of one side."""
    if number := task.kind("thought"):
        return Trace("own", "thought", number, task.prompts.compared, "prompts differ by a thought block")
    a, b = task.facts.answers_a, task.facts.answers_b
    if a and b and abs(a.thinking - b.thinking) >= max(FEWEST, 0.2 * a.of):
        number = max(a.thinking, b.thinking)
        return Trace("own", "thought", number, a.of, "responses hold a thought on one side")
    return not_its_way(task) if task.prompts.differ else equal_prompts(task)


def examples_trace(one: Difference, task: Task) -> Trace:
    """Read the worked examples: another number of them, or other ones."""
    number, facts = task.kind("examples"), task.facts.prompts
    other = facts.other_number if facts else 0
    if one.key == "num_fewshot" and number and not other:
        return Trace("open", "examples", number, task.prompts.compared, "prompts show as many examples")
    if one.key != "num_fewshot" and number and other == number:
        return Trace("broad", "examples", other, task.prompts.compared, "prompts show another number of examples")
    reordered = facts is not None and bool(number) and facts.other_order == number
    clause = "prompts show the same examples in another order" if reordered else "prompts differ by a block of examples"
    return in_prompts(task, ("examples",), ("order", "other", "system_text"), clause)


def layout_trace(one: Difference, task: Task) -> Trace:
    """Read the layout of examples, which chooses none: where others are shown, that is said with it."""
    clause = "prompts differ by the layout of examples"
    facts, laid = task.facts.prompts, NEARLY_ALL * max(task.kind("example_layout"), 1)
    if facts is not None and facts.other_number >= laid:
        clause += " and in how many are shown"
    elif task.kind("examples") >= laid:
        clause += " and in which examples are shown" if other_examples(task.facts) else " and in their order"
    return in_prompts(task, ("example_layout",), ("order", "other"), clause)


def other_examples(task: TaskEvidence) -> int:
    """Return how many prompts show as many examples, and other ones: what only lays them out does not choose them."""
    facts = task.prompts
    return facts.kinds.get("examples", 0) - facts.other_number - facts.other_order if facts else 0


def frame_trace(one: Difference, task: Task) -> Trace:
    """Read the frame of the questions."""
    own = ("order", "other", "white_space", *(("role_markers",) if writes_marks(one) else ()))
    trace = in_prompts(task, own, ("examples", "system_text"), "prompts differ in their words")
    if trace.mark == "own" and task.kind(*own) < NEARLY_ALL * task.prompts.differ:
        return trace._replace(mark="broad")
    return trace


def writes_marks(one: Difference) -> bool:
    """Say whether a frame writes a template's tokens by itself on one side alone."""
    return len({may_hold_marks(value) for value in (one.a, one.b) if isinstance(value, str)}) > 1


def messages_trace(one: Difference, task: Task) -> Trace:
    """Read whether one side sent messages and the other a text."""
    same = "prompts hold the same words, sent as messages on one side"
    other = "prompts differ by being a list of messages on one side"
    return in_prompts(task, ("same_words", "messages"), (), other if task.kind("messages") else same)


def shuffle_trace(one: Difference, task: Task) -> Trace:
    """Read what a task's own code draws: the order of its choices, or which examples are shown.

    Where the recorded code tells by which seed it draws, the others fit less.
    """
    facts, drawn = task.facts.prompts, task.drawn_with
    mark: Mark = "open" if drawn and seed_name(one.key) not in drawn else "own" if drawn else "broad"
    if number := task.shuffled:
        what = "choices" if task.facts.reordered else "words"
        code = ", and the task's own code draws by this seed" if mark == "own" else ""
        return Trace(mark, "shuffle", number, task.facts.pairs, f"items hold the same {what} in another order{code}")
    number = task.kind("examples")
    if number and facts is not None and not facts.other_number:
        return Trace("open", "shuffle", number, task.prompts.compared, "prompts show other examples")
    if seed_name(one.key) in drawn and not asked_equal(task):
        return Trace("open", "shuffle", clause="")
    return silent(task.facts.pairs, task.facts.pairs, "items hold what they ask in one order")


def seed_name(key: str) -> str:
    """Return the seed that a key names; one without a name of its own is Python's."""
    name = key.rpartition(".")[2]
    return "random_seed" if name == "seed" else name


def asked_equal(task: Task) -> bool:
    """Say whether documents, prompts and choices are equal, so that a draw made none of them."""
    return not (task.prompts.differ or task.choices.differ or count_at_step([task.facts], "documents").differ)


def choices_trace(one: Difference, task: Task) -> Trace:
    """Read the scored continuations."""
    if task.choices.differ:
        return Trace("own", "choices", task.choices.differ, task.choices.compared, "items have other continuations")
    return silent(task.choices.equal, task.choices.compared, "items have the same continuations")


def target_trace(one: Difference, task: Task) -> Trace:
    """Read the right answers: an item whose target differs is in no pair."""
    found = task.facts.retargeted
    if not found.items:
        return silent(task.facts.pairs, task.facts.pairs, "right answers are equal")
    clause = "items with another right answer have the same response"
    if found.same_responses == found.items and task.still:
        return Trace("proof", "target", found.items, found.items, clause, "target_only")
    return Trace("own", "target", found.same_responses, found.items, clause)
