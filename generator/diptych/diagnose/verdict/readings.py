"""What one difference would have left behind in one task if it had acted, held against that task's facts.

One function a way of acting; none of them knows another difference, and none of them makes a sentence to be shown
but the short clause that its count belongs to.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from diptych.catalogue.settings import ACTS, Act
from diptych.diagnose.samples.evidence import AnswerShape, TaskEvidence, TextFact
from diptych.diagnose.samples.sample_counts import Count, count, moved_little, one_way
from diptych.diagnose.settings.suspects import Difference
from diptych.keys import Side, Sided

NEARLY_ALL = 0.9
FEW = 0.1
FEWEST = 3
DEFAULT_BUDGET = 256

Mark = Literal["proof", "own", "broad", "open", "later", "silent"]
"""How a difference fits a task: a mechanism check passes; its own mark is there; all responses moved as it would move
them; nothing tells; it acts only after the step where the task parts; it cannot have acted."""

MARKS: tuple[Mark, ...] = ("proof", "own", "broad", "open", "later", "silent")


class Reading(NamedTuple):
    """How one difference fits one task: `count` of `of` items, what they do, and the check that proves it ("": none).

    `act` is the way of acting; `weak`: it moves little; `after`: it acts only after the step where the task parts.
    """

    mark: Mark
    act: Act
    number: int = 0
    of: int = 0
    clause: str = ""
    proof: str = ""
    weak: bool = False
    after: bool = False


class Task(NamedTuple):
    """A task's facts with the counts that readings ask for most; `draws` says which sides draw their answers."""

    facts: TaskEvidence
    prompts: Count
    choices: Count
    responses: Count
    filtered: Count
    scores: Count
    draws: Sided[bool | None]

    @property
    def still(self) -> bool:
        """Whether every shared response and score is the same."""
        return self.responses.differ == 0 and self.filtered.differ == 0 and self.scores.differ == 0

    @property
    def asked_alike(self) -> bool:
        """Whether prompts and scored continuations are equal."""
        return self.prompts.differ == 0 and self.choices.differ == 0

    def kind(self, *kinds: str) -> int:
        """Return the most prompts that differ in one of some ways."""
        found = self.facts.prompts.kinds if self.facts.prompts else {}
        return max((found.get(kind, 0) for kind in kinds), default=0)


def task_of(facts: TaskEvidence, draws: Sided[bool | None]) -> Task:
    """Return a task's facts with their counts."""
    one = [facts]
    steps = (count(one, "prompts"), count(one, "choices"), count(one, "responses"))
    return Task(facts, *steps, count(one, "filtered"), count(one, "scores"), draws)


def read(one: Difference, task: Task) -> Reading:
    """Return how a difference fits a task, over all the ways in which it can act: the strongest of them."""
    acts = one.known.acts
    on_shared = not {"items", "documents", "target"} & set(acts)
    if on_shared and not task.facts.pairs:
        return Reading("later" if acts[0] == "seed" else "open", acts[0], weak=ACTS[acts[0]].weak)
    if on_shared and task.still and task.facts.retargeted.items and is_version(one):
        return targets_by_version(one, task)
    if on_shared and task.still:
        clause = "shared items have the same responses and scores"
        return Reading("silent", acts[0], task.responses.equal, task.responses.compared, clause)
    found = [READERS[act](one, task)._replace(act=act) for act in acts]
    best = min(found, key=lambda reading: (MARKS.index(reading.mark), acts.index(reading.act)))
    return best._replace(weak=ACTS[best.act].weak)


def targets_by_version(one: Difference, task: Task) -> Reading:
    """Read a version where right answers changed and nothing else did: the task's own may have done it, or another."""
    found = task.facts.retargeted.items
    general = "version" in one.known.acts
    mark: Mark = "broad" if not general else "open" if acts_behind_responses(one) else "silent"
    act: Act = "version" if general else "target"
    return Reading(mark, act, found, task.facts.pairs + found, "items have another right answer", weak=general)


def is_version(one: Difference) -> bool:
    """Say whether a difference is the version of a task, of the harness or of a library."""
    return "version" in one.known.acts or one.field == "metadata.version" or one.key.startswith("versions.")


def silent(number: int, of: int, clause: str) -> Reading:
    """Return that a way of acting left nothing."""
    return Reading("silent", "nothing", number, of, clause)


def equal_prompts(task: Task) -> Reading:
    """Return that the prompts are equal, so that nothing acted on them."""
    return silent(task.prompts.equal, task.prompts.compared, "prompts are equal")


def not_its_way(task: Task) -> Reading:
    """Return that prompts differ otherwise; where their words do, the way may be one that is not known here."""
    mark: Mark = "open" if task.kind("other") else "later"
    return Reading(mark, "any", task.prompts.differ, task.prompts.compared, "prompts differ, but not in its way")


def in_prompts(task: Task, own: tuple[str, ...], broad: tuple[str, ...], clause: str) -> Reading:
    """Read the prompts: do they differ in a way that is its own, or in one that it may have made?"""
    compared = task.prompts.compared
    if number := task.kind(*own):
        return Reading("own", "any", number, compared, clause)
    if not task.prompts.differ:
        return equal_prompts(task)
    if number := task.kind(*broad):
        return Reading("broad", "any", number, compared, "prompts differ as it can make them")
    return not_its_way(task)


def items(one: Difference, task: Task) -> Reading:
    """Read the set of items: the shared ones score the same where only the set acted."""
    facts = task.facts
    alone = facts.only_a + facts.only_b - facts.missing.a - facts.missing.b
    total = facts.pairs + facts.only_a + facts.only_b
    if alone <= 0:
        return silent(facts.pairs, total, "items were scored on both sides")
    clause = "items were scored on one side only"
    if facts.pairs and task.scores.differ == 0 and one.known.acts == ("items",):
        return Reading("proof", "items", alone, total, clause, "item_sets")
    return Reading("own", "items", alone, total, clause)


def documents(one: Difference, task: Task) -> Reading:
    """Read the documents."""
    found = count([task.facts], "documents")
    if found.differ:
        return Reading("own", "documents", found.differ, found.compared, "documents differ under one id")
    if not task.facts.pairs:
        return Reading("broad", "documents", 0, task.facts.only_a + task.facts.only_b, "items are shared")
    return silent(found.equal, found.compared, "documents are equal")


def template(one: Difference, task: Task) -> Reading:
    """Read the marks of a template, or messages in the place of a text."""
    compared = task.prompts.compared
    if number := task.kind("role_markers", "same_words", "messages"):
        what = "chat-template tokens" if task.kind("role_markers") else "being a list of messages"
        return Reading("own", "template", number, compared, f"prompts differ by {what}")
    if not task.prompts.differ:
        return equal_prompts(task)
    both = isinstance(one.a, str) and isinstance(one.b, str)
    if both and task.kind("system_text", "white_space", "start_token", "thought", "other"):
        return Reading("broad", "template", task.prompts.differ, compared, "prompts differ, as two templates make them")
    return not_its_way(task)


def text(one: Difference, task: Task) -> Reading:
    """Read whether the recorded text stands in one side's prompts and not in the other's."""
    if not task.prompts.differ:
        return equal_prompts(task)
    found = next((fact for fact in task.facts.texts if fact.key == one.key), None)
    if found is None:
        return not_its_way(task)
    hits = found_in(found)
    if hits >= NEARLY_ALL * found.of:
        return Reading(
            "own", "text", hits, found.of, "differing prompts looked at hold the recorded text on its side only"
        )
    if hits:
        return Reading("broad", "text", hits, found.of, "differing prompts looked at hold the recorded text")
    return silent(found.of, found.of, "differing prompts looked at do not hold the recorded text")


def found_in(fact: TextFact) -> int:
    """Return in how many prompts each recorded text stands on its own side only."""
    sides = [(fact.a, fact.recorded.a), (fact.b, fact.recorded.b)]
    return min((number for number, recorded in sides if recorded), default=0)


def thought(one: Difference, task: Task) -> Reading:
    """Read thought blocks in prompts, or thoughts in the responses of one side."""
    if number := task.kind("thought"):
        return Reading("own", "thought", number, task.prompts.compared, "prompts differ by a thought block")
    a, b = task.facts.answers_a, task.facts.answers_b
    if a and b and abs(a.thinking - b.thinking) >= max(FEWEST, 0.2 * a.of):
        number = max(a.thinking, b.thinking)
        return Reading("own", "thought", number, a.of, "responses hold a thought on one side")
    return not_its_way(task) if task.prompts.differ else equal_prompts(task)


def examples(one: Difference, task: Task) -> Reading:
    """Read the worked examples: another number of them, or other ones."""
    number, facts = task.kind("examples"), task.facts.prompts
    other = facts.other_number if facts else 0
    if one.key == "num_fewshot" and number and not other:
        return Reading("open", "examples", number, task.prompts.compared, "prompts show as many examples")
    if one.key != "num_fewshot" and number and other == number:
        return Reading("broad", "examples", other, task.prompts.compared, "prompts show another number of examples")
    return in_prompts(task, ("examples",), ("other", "system_text"), "prompts differ by a block of examples")


def layout(one: Difference, task: Task) -> Reading:
    """Read the layout of examples."""
    return in_prompts(task, ("example_layout",), ("other",), "prompts differ by the layout of examples")


def frame(one: Difference, task: Task) -> Reading:
    """Read the frame of the questions."""
    own = ("other", "white_space")
    reading = in_prompts(task, own, ("examples", "system_text"), "prompts differ in their words")
    if reading.mark == "own" and task.kind(*own) < NEARLY_ALL * task.prompts.differ:
        return reading._replace(mark="broad")
    return reading


def messages(one: Difference, task: Task) -> Reading:
    """Read whether one side sent messages and the other a text."""
    return in_prompts(task, ("same_words", "messages"), (), "prompts are a list of messages on one side")


def choices(one: Difference, task: Task) -> Reading:
    """Read the scored continuations."""
    if task.choices.differ:
        return Reading("own", "choices", task.choices.differ, task.choices.compared, "items have other continuations")
    return silent(task.choices.equal, task.choices.compared, "items have the same continuations")


def target(one: Difference, task: Task) -> Reading:
    """Read the right answers: an item whose target differs is in no pair."""
    found = task.facts.retargeted
    if not found.items:
        return silent(task.facts.pairs, task.facts.pairs, "right answers are equal")
    clause = "items with another right answer have the same response"
    if found.same_responses == found.items and task.still:
        return Reading("proof", "target", found.items, found.items, clause, "target_only")
    return Reading("own", "target", found.same_responses, found.items, clause)


def budget(one: Difference, task: Task) -> Reading:
    """Read whether the side with the smaller budget wrote the other's responses, cut there."""
    small = smaller_side(one)
    cuts = task.facts.cuts
    changed = task.responses.differ
    if small is None or not changed:
        return silent(task.responses.equal, task.responses.compared, "responses are equal")
    if task.asked_alike:
        cut, proof = cuts.at_budget.of(small), proof_of("cut_at_budget", task)
        clause = "changed responses are the other side's, cut at the budget"
        reading = bounded(cut, cuts.beyond.of(small), changed, clause, "budget", proof)
        if reading.mark != "silent" or cuts.beyond.of(small):
            return reading
    shape, other = sided_shapes(task, small)
    if shape and other and shape.cut >= max(FEWEST, FEW * shape.of) and shape.cut > other.cut:
        clause = "responses of the side with the smaller budget are truncated"
        alike = task.asked_alike  # then they are the other side's, cut, or something else reworded them first
        return Reading("later" if alike else "own", "budget", shape.cut, shape.of, clause, after=alike)
    if task.asked_alike:
        return reading
    if not cuts.reaching.a and not cuts.reaching.b:
        return silent(task.responses.compared, task.responses.compared, "responses are shorter than the smaller budget")
    return Reading("later", "budget", changed, task.responses.compared, "responses differ, and so do the prompts")


def bounded(cut: int, beyond: int, changed: int, clause: str, act: Act, proof: str) -> Reading:
    """Return how a bound fits: all changed responses are cut there, some are, or none is. Without `proof` none is."""
    if beyond and not cut:
        return silent(beyond, changed, "responses are longer than the recorded budget")
    if cut >= NEARLY_ALL * changed and not beyond and proof:
        return Reading("proof", act, cut, changed, clause, proof)
    if cut >= max(FEWEST, FEW * changed):
        return Reading("own", act, cut, changed, clause)
    return silent(changed - cut, changed, "changed responses are no cut ones")


def proof_of(check: str, task: Task) -> str:
    """Return a check of responses, "" where equal filtered responses were scored otherwise: more acted then."""
    return "" if any(found.scoring_only for found in task.facts.filters) else check


def smaller_side(one: Difference) -> Side | None:
    """Return the side with the smaller budget; a side that gives none has the harness's own."""
    a, b = (value if isinstance(value, (int, float)) else DEFAULT_BUDGET for value in (one.a, one.b))
    return None if a == b else "a" if a < b else "b"


def sided_shapes(task: Task, small: Side) -> tuple[AnswerShape | None, AnswerShape | None]:
    """Return the shapes of the responses: of the side with the smaller budget, and of the other."""
    a, b = task.facts.answers_a, task.facts.answers_b
    return (a, b) if small == "a" else (b, a)


def stop(one: Difference, task: Task) -> Reading:
    """Read whether responses are the other side's, cut where a stop string stands."""
    changed = task.responses.differ
    if not changed:
        return silent(task.responses.equal, task.responses.compared, "responses are equal")
    if not task.asked_alike:
        return Reading("later", "stop", changed, task.responses.compared, "responses differ, and so do the prompts")
    cut = task.facts.cuts.at_stop.a + task.facts.cuts.at_stop.b
    return bounded(
        cut,
        0,
        changed,
        "changed responses are the other side's, cut at a stop string",
        "stop",
        proof_of("cut_at_stop", task),
    )


def in_responses(task: Task, act: Act, clause: str = "") -> Reading:
    """Read responses on equal prompts: what moved them is in no log. Choices are answered by log-likelihoods."""
    changed, compared = task.responses.differ, task.responses.compared
    if not compared:
        return Reading("open", act)
    if not changed:
        return silent(
            task.responses.equal,
            compared,
            "responses on equal prompts are equal" if task.asked_alike else "responses are equal",
        )
    if not task.asked_alike:
        return Reading("later", act, task.prompts.differ, task.prompts.compared, "prompts differ already")
    if task.draws.a and task.draws.b:
        return Reading("open", act, changed, compared, "responses differ, as two draws do")
    moved = "log-likelihoods moved on" if task.facts.kind != "generation" else "responses differ on"
    return Reading("broad", act, changed, compared, clause or f"{moved} equal prompts")


def drawing(one: Difference, task: Task) -> Reading:
    """Read responses that are drawn on one side: they move both ways on equal prompts."""
    reading = in_responses(task, "drawing")
    if (
        reading.mark == "broad"
        and one_way(task.facts)
        and task.facts.lost + task.facts.gained >= 0.3 * task.facts.pairs
    ):
        moved = task.facts.lost + task.facts.gained
        return Reading("open", "drawing", moved, task.facts.pairs, "items moved, nearly all to one side")
    return reading


def seed(one: Difference, task: Task) -> Reading:
    """Read nothing: another draw is a repeat, not a cause."""
    reading = in_responses(task, "seed")
    return (
        reading._replace(mark="later", clause="responses differ, as another draw does")
        if reading.mark != "silent"
        else reading
    )


def decoding(one: Difference, task: Task) -> Reading:
    """Read responses on equal prompts."""
    return in_responses(task, "decoding")


def weights(one: Difference, task: Task) -> Reading:
    """Read responses; another model moves them whatever the prompts are."""
    reading = in_responses(task, "weights")
    if reading.mark == "later":
        clause = "responses differ, and so do the prompts"
        return Reading("broad", "weights", task.responses.differ, task.responses.compared, clause, after=True)
    return reading


def engine(one: Difference, task: Task) -> Reading:
    """Read responses on equal prompts."""
    return in_responses(task, "engine")


def server(one: Difference, task: Task) -> Reading:
    """Read responses to equal requests."""
    if "template" in one.known.acts and "" not in (one.a, one.b) and not one.key.startswith("model_args."):
        return silent(task.prompts.equal, task.prompts.compared, "prompts are equal")
    return in_responses(task, "server")


def tokens(one: Difference, task: Task) -> Reading:
    """Read a literal start token, or responses that moved though the text is equal."""
    if number := task.kind("start_token"):
        return Reading("own", "tokens", number, task.prompts.compared, "prompts differ by a start token")
    return in_responses(task, "tokens", "responses differ though the prompts are equal as text")


def window(one: Difference, task: Task) -> Reading:
    """Read prompts that are longer than a side's limit."""
    cut = task.facts.long_prompts.a + task.facts.long_prompts.b
    if cut and task.responses.differ:
        return Reading("own", "window", cut, task.prompts.compared, "prompts are longer than the limit of a side")
    return in_responses(task, "window")


def arithmetic(one: Difference, task: Task) -> Reading:
    """Read how far responses moved on equal prompts."""
    reading = in_responses(task, "arithmetic", "responses differ, as closely as batching and precision make")
    if reading.mark == "broad" and not moved_little(task.facts):
        return silent(reading.number, reading.of, "responses differ, and by more than batching and precision make")
    return reading


def transport(one: Difference, task: Task) -> Reading:
    """Read nothing: how a model was reached leaves no mark of its own."""
    reading = in_responses(task, "transport")
    return reading._replace(mark="open") if reading.mark == "broad" else reading


def extraction(one: Difference, task: Task) -> Reading:
    """Read whether responses are equal and what the filters kept is not."""
    facts = [found for found in task.facts.filters if found.filtered_apart]
    if not facts or task.facts.kind != "generation":
        return silent(task.filtered.equal, task.filtered.compared, "filtered responses are equal")
    best = max(facts, key=lambda found: (found.extraction_only, -found.raw_apart))
    clause = "filtered responses differ though the responses are equal"
    if best.extraction_only and not any(found.raw_apart for found in task.facts.filters):
        return Reading("proof", "extraction", best.extraction_only, best.compared, clause, "extraction_only")
    if best.extraction_only >= max(FEWEST, FEW * best.filtered_apart):
        return Reading("own", "extraction", best.extraction_only, best.compared, clause)
    if best.compared - best.raw_apart < max(FEWEST, FEW * best.compared):
        return Reading("open", "extraction", best.raw_apart, best.compared, "responses differ before any filter")
    return silent(best.raw_apart, best.compared, "responses differ before any filter")


def scoring(one: Difference, task: Task) -> Reading:
    """Read whether filtered responses are equal and scores are not."""
    facts = [found for found in task.facts.filters if found.scores_apart]
    if not facts:
        return silent(task.scores.equal, task.scores.compared, "item scores are equal")
    best = max(facts, key=lambda found: (found.scoring_only, -found.filtered_apart))
    clause = "items score otherwise though the filtered responses are equal"
    if best.scoring_only and not any(found.filtered_apart or found.raw_apart for found in task.facts.filters):
        return Reading("proof", "scoring", best.scoring_only, best.compared, clause, "scoring_only")
    if not best.scoring_only and best.compared - best.filtered_apart < max(FEWEST, FEW * best.compared):
        return Reading("open", "scoring", best.scores_apart, best.compared, "items differ before they are scored")
    if best.scoring_only >= max(FEWEST, FEW * best.scores_apart):
        return Reading("own", "scoring", best.scoring_only, best.compared, clause)
    return silent(best.scores_apart, best.compared, "items differ before they are scored")


def anything(one: Difference, task: Task) -> Reading:
    """Read a recorded text in the prompts; else nothing points to it. What serves a model acts on responses at last."""
    if not acts_behind_responses(one) and task.responses.compared and not task.responses.differ:
        return silent(task.responses.equal, task.responses.compared, "responses are equal")
    if task.facts.texts and any(fact.key == one.key and found_in(fact) for fact in task.facts.texts):
        return text(one, task)
    return Reading("open", "any", clause="")


def acts_behind_responses(one: Difference) -> bool:
    """Say whether a difference may act on filters and scores too: not what was loaded, given to a model, or served."""
    return not (one.key.startswith("model_args.") or one.key == "versions.transformers")


def nothing(one: Difference, task: Task) -> Reading:
    """Read nothing: it moves no score."""
    return silent(0, 0, "")


READERS: dict[Act, Callable[[Difference, Task], Reading]] = {
    "items": items,
    "documents": documents,
    "template": template,
    "text": text,
    "thought": thought,
    "examples": examples,
    "layout": layout,
    "frame": frame,
    "messages": messages,
    "choices": choices,
    "target": target,
    "budget": budget,
    "stop": stop,
    "drawing": drawing,
    "seed": seed,
    "decoding": decoding,
    "weights": weights,
    "engine": engine,
    "server": server,
    "tokens": tokens,
    "window": window,
    "arithmetic": arithmetic,
    "transport": transport,
    "cache": transport,
    "extraction": extraction,
    "scoring": scoring,
    "version": anything,
    "any": anything,
    "nothing": nothing,
}
"""How each way of acting is read."""
