"""What a difference that acts on answers would have left: cut, reworded or moved responses."""

from diptych.catalogue.setting_effects import Act
from diptych.diagnose.samples.answer_facts import AnswerShape
from diptych.diagnose.samples.evidence import DEFAULT_BUDGET, TaskEvidence
from diptych.diagnose.samples.fault_findings import is_tail
from diptych.diagnose.samples.framed_responses import framed_in
from diptych.diagnose.samples.misplaced_responses import is_misplaced
from diptych.diagnose.samples.numerical_noise import moved_little, one_way
from diptych.diagnose.samples.sample_counts import count_at_step
from diptych.diagnose.settings.no_effect_rules import one_host
from diptych.diagnose.settings.suspects import Difference
from diptych.diagnose.verdict.trace import FEW, FEWEST, NEARLY_ALL, Task, Trace, silent
from diptych.sides import Side

DEFAULT_WINDOW = 2048
"""The window of a model that none is given for, at least."""


def budget_trace(one: Difference, task: Task) -> Trace:
    """Read whether the side with the smaller budget wrote the other's responses, cut there."""
    small = smaller_side(one)
    cuts = task.facts.cuts
    changed = task.responses.differ
    if small is None or not changed:
        return silent(task.responses.equal, task.responses.compared, "responses are equal")
    if task.asked_alike:
        cut, proof = cuts.at_budget.of(small), proof_of("cut_at_budget", task)
        clause = "changed responses are the other side's, cut at the budget"
        trace = within_budget(cut, cuts.beyond.of(small), changed, clause, "budget", proof)
        if trace.mark != "silent" or cuts.beyond.of(small):
            return trace
    shape, other = sided_shapes(task, small)
    if shape and other and shape.cut >= max(FEWEST, FEW * shape.of) and shape.cut > other.cut:
        clause = "responses of the side with the smaller budget are truncated"
        alike = task.asked_alike  # then they are the other side's, cut, or something else reworded them first
        return Trace("later" if alike else "own", "budget", shape.cut, shape.of, clause, after=alike)
    if task.asked_alike:
        return trace
    if not cuts.reaching.a and not cuts.reaching.b:
        return silent(task.responses.compared, task.responses.compared, "responses are shorter than the smaller budget")
    return Trace("later", "budget", changed, task.responses.compared, "responses differ, and so do the prompts")


def within_budget(cut: int, beyond: int, changed: int, clause: str, act: Act, proof: str) -> Trace:
    """Return how a bound fits: all changed responses are cut there, some are, or none is. Without `proof` none is."""
    if beyond and not cut:
        return silent(beyond, changed, "responses are longer than the recorded budget")
    if cut >= NEARLY_ALL * changed and not beyond and proof:
        return Trace("proof", act, cut, changed, clause, proof)
    if cut >= max(FEWEST, FEW * changed):
        return Trace("own", act, cut, changed, clause)
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


def stop_trace(one: Difference, task: Task) -> Trace:
    """Read whether responses are the other side's, cut where a stop string stands."""
    changed = task.responses.differ
    if not changed:
        return silent(task.responses.equal, task.responses.compared, "responses are equal")
    if not task.asked_alike:
        return Trace("later", "stop", changed, task.responses.compared, "responses differ, and so do the prompts")
    cut = task.facts.cuts.at_stop.a + task.facts.cuts.at_stop.b
    return within_budget(
        cut,
        0,
        changed,
        "changed responses are the other side's, cut at a stop string",
        "stop",
        proof_of("cut_at_stop", task),
    )


def in_responses(task: Task, act: Act, clause: str = "") -> Trace:
    """Read responses on equal prompts: what moved them is in no log. Choices are answered by log-likelihoods."""
    changed, compared = task.responses.differ, task.responses.compared
    if not compared:
        return Trace("open", act)
    if not changed:
        return silent(
            task.responses.equal,
            compared,
            "responses on equal prompts are equal" if task.asked_alike else "responses are equal",
        )
    if not task.asked_alike:
        return Trace("later", act, task.prompts.differ, task.prompts.compared, "prompts differ already")
    if is_misplaced(task.facts):
        return other_items_trace(task, act)
    if (found := framed_in(task.facts)) is not None:
        return one_text_trace(
            task, act, found.number, found.telling >= FEWEST, "the other side's with the same words around"
        )
    if not (changed := changed - task.facts.one_text.white_space):
        return one_text_trace(task, act, task.responses.differ, False, "the other side's but for white space")
    if fell_silent(task.facts, changed):
        lost = lost_alone(task.facts)
        rest = "no other differs" if lost >= changed else "few others differ"
        return Trace("open", act, lost, compared, f"responses are no answer on one side alone, and {rest}")
    if task.draws.a and task.draws.b:
        return Trace("open", act, changed, compared, "responses differ, as two draws do")
    clause = clause or f"{task.moved} on equal prompts"
    return Trace("broad", act, changed, compared, clause, little=moved_little(task.facts))


REWRITES = frozenset({"engine", "server", "transport", "cache", "tokens", "decoding", "strip"})
"""Ways of acting that may put words or white space around one and the same text, or take them off."""


def one_text_trace(task: Task, act: Act, number: int, sure: bool, what: str) -> Trace:
    """Read responses that hold one text: what writes them out may have changed them; `sure`: the model is the same."""
    clause = f"responses are {what}"
    if act in REWRITES or (act == "weights" and not sure):
        return Trace("open", act, number, task.responses.compared, clause)
    return silent(number, task.responses.compared, clause)


NO_ANSWERS = ("empty", "repeated")
"""What stands in the place of an answer where none came: nothing, or the message of a server."""


def fell_silent(facts: TaskEvidence, changed: int) -> bool:
    """Say whether a side lost answers rather than gave others: (nearly) all that changed is none there.

    That says so only where the empty ones are the last of the run, or the equal ones too long to agree by chance.
    """
    if lost_alone(facts) < max(FEWEST, NEARLY_ALL * changed):
        return False
    shapes = [shape for shape in (facts.answers_a, facts.answers_b) if shape]
    return facts.telling >= FEWEST or any(is_tail(shape.empty, shape.last_empty, shape.of) for shape in shapes)


MISPLACES = frozenset({"arithmetic", "transport", "server", "engine", "cache"})
"""Ways of acting that may put a response under another item: how requests are batched, sent, answered and kept."""


def other_items_trace(task: Task, act: Act) -> Trace:
    """Read responses that stand under other items: whoever sends and batches requests may have put them there."""
    number, changed = task.facts.misplaced, task.responses.differ
    clause = "changed responses are the other side's to other items"
    if act in MISPLACES or number < NEARLY_ALL * changed:
        return Trace("open", act, number, changed, clause)
    return silent(number, changed, clause)


def drawing_trace(one: Difference, task: Task) -> Trace:
    """Read responses that are drawn on one side: they move both ways on equal prompts."""
    trace = in_responses(task, "drawing")
    if trace.mark == "broad" and one_way(task.facts) and task.facts.lost + task.facts.gained >= 0.3 * task.facts.pairs:
        moved = task.facts.lost + task.facts.gained
        return Trace("open", "drawing", moved, task.facts.pairs, "items moved, nearly all to one side")
    return trace


def ballots_trace(one: Difference, task: Task) -> Trace:
    """Read how many responses each item has: where these differ, what is made of all of them is another vote."""
    if task.facts.ballots.a == task.facts.ballots.b:
        return drawing_trace(one, task)._replace(act="ballots")
    total = task.facts.pairs
    return Trace("own", "ballots", total, total, "items have another number of responses, of which one answer is made")


def seed_trace(one: Difference, task: Task) -> Trace:
    """Read nothing: another draw is a repeat, not a cause."""
    trace = in_responses(task, "seed")
    return (
        trace._replace(mark="later", clause="responses differ, as another draw does")
        if trace.mark != "silent"
        else trace
    )


def decoding_trace(one: Difference, task: Task) -> Trace:
    """Read responses on equal prompts; log-likelihoods are not decoded, and a task's version acts by its arguments."""
    trace = in_responses(task, "decoding")
    if trace.mark != "broad":
        return trace
    if task.facts.kind != "generation":
        return silent(trace.number, trace.of, "log-likelihoods moved, which nothing decodes")
    arguments = count_at_step([task.facts], "generation_arguments")
    if one.task_version and arguments.compared and not arguments.differ:
        return silent(arguments.equal, arguments.compared, "prompts and generation arguments are equal")
    return trace


def weights_trace(one: Difference, task: Task) -> Trace:
    """Read responses; another model moves them whatever the prompts are."""
    trace = in_responses(task, "weights")
    if trace.mark == "later":
        clause = f"{task.moved}, and so do the prompts"
        return Trace("broad", "weights", task.responses.differ, task.responses.compared, clause, after=True)
    # two models may write the same short answer; log-likelihoods that hardly move are of one model
    return trace._replace(little=trace.little and task.facts.kind != "generation")


def engine_trace(one: Difference, task: Task) -> Trace:
    """Read responses on equal prompts."""
    return in_responses(task, "engine")


def server_trace(one: Difference, task: Task) -> Trace:
    """Read responses to equal requests."""
    if "template" in one.known.acts and "" not in (one.a, one.b) and not one.key.startswith("model_args."):
        return silent(task.prompts.equal, task.prompts.compared, "prompts are equal")
    trace = in_responses(task, "server")
    if trace.mark == "broad" and one_host(one.a, one.b):
        if trace.little:
            return silent(trace.number, trace.of, f"{task.moved}, as a repeat may; the addresses are of one host")
        return trace._replace(mark="open", weak=True)
    return trace


def tokens_trace(one: Difference, task: Task) -> Trace:
    """Read a literal start token, or responses that moved though the text is equal."""
    if number := task.kind("start_token"):
        return Trace("own", "tokens", number, task.prompts.compared, "prompts differ by a start token")
    return in_responses(task, "tokens", f"{task.moved} though the prompts are equal as text")


def strip_trace(one: Difference, task: Task) -> Trace:
    """Read whether responses are the other side's without thoughts; nothing is taken off a thought that never ends."""
    shapes = [(task.facts.answers_a, one.a), (task.facts.answers_b, one.b)]
    given = [shape for shape, token in shapes if shape and token]
    if given and all(shape.thinking_open >= shape.of for shape in given):
        of = sum(shape.of for shape in given)
        return silent(of, of, "responses end inside their thought, so nothing could be taken off")
    bare, changed = max(task.facts.one_text.bare), task.responses.differ
    if bare >= max(FEWEST, FEW * changed):
        return Trace("own", "strip", bare, changed, "changed responses are the other side's without thoughts")
    trace = in_responses(task, "strip")
    return trace._replace(mark="open") if trace.mark == "broad" else trace


def window_trace(one: Difference, task: Task) -> Trace:
    """Read prompts that are longer than a side's limit."""
    whole_texts = task.facts.kind == "likelihood"
    cut = max(task.facts.long_prompts)  # the smaller limit leaves the larger number beyond it
    if cut and task.responses.differ:
        if not whole_texts:
            clause = "prompts have more words than the smaller limit has tokens"
            return Trace("own", "window", cut, task.prompts.compared, clause)
        # words are fewer than tokens, so that they count too few
        same = f" and {task.responses.equal} are equal to the last digit" if task.responses.equal else ""
        clause = f"texts moved{same}; at least {cut} are longer than the smaller limit and scored in pieces"
        return Trace("own", "window", task.responses.differ, task.responses.compared, clause)
    limits = [value if isinstance(value, (int, float)) else DEFAULT_WINDOW for value in (one.a, one.b)]
    # a log may hold less of a whole text than was scored
    if task.facts.most_tokens and task.facts.most_tokens <= min(limits) and not whole_texts:
        return silent(task.prompts.compared, task.prompts.compared, "prompts fit into the window of both sides")
    return in_responses(task, "window")


def arithmetic_trace(one: Difference, task: Task) -> Trace:
    """Read how far responses moved on equal prompts."""
    parted = task.facts.parted
    inside = parted is None or not parted.are_other_texts
    trace = in_responses(
        task, "arithmetic", f"{task.moved}, as closely as batching and precision make" if inside else ""
    )
    if trace.mark == "broad" and not moved_little(task.facts):
        clause = f"{task.moved}, by more than batching and precision make unless something is broken"
        return trace._replace(mark="later", clause=clause, beyond=True)
    return trace


def transport_trace(one: Difference, task: Task) -> Trace:
    """Read nothing: how a model was reached leaves no mark of its own."""
    trace = in_responses(task, "transport")
    return trace._replace(mark="open") if trace.mark == "broad" else trace


def lost_alone(facts: TaskEvidence) -> int:
    """Return how many responses are no answer on one side alone, on the side that has more of them."""
    return max((one.items for one in facts.broken if one.fault in NO_ANSWERS), default=0)
