"""What is to be said of the prompts and requests of one task: one finding a kind of difference, with its count."""

from collections.abc import Mapping

from diptych.closed_names import FindingKind, Severity
from diptych.comparison import Finding
from diptych.diagnose.samples.evidence import Place
from diptych.diagnose.samples.task_walk import Walk
from diptych.sides import SIDES

KINDS: tuple[tuple[str, FindingKind, Severity, str], ...] = (
    ("role_markers", "prompt_role_markers", "warning", "differ by chat-template tokens"),
    ("examples", "prompt_examples", "warning", "differ by their examples"),
    ("example_layout", "prompt_example_layout", "warning", "show the same examples in another layout"),
    ("system_text", "prompt_system_text", "warning", "differ by a system text or instructions"),
    ("white_space", "prompt_white_space", "warning", "differ only in white space"),
    ("start_token", "prompt_start_token", "warning", "differ by a literal start token"),
    ("thought", "prompt_thought", "warning", "differ by a thought block"),
    ("order", "choices_reordered", "warning", "hold the same words in another order"),
    ("other", "prompt_other", "warning", "differ in their words"),
    ("same_words", "tokens_unseen", "note", "have the same words but not the same form"),
    ("messages", "tokens_unseen", "note", "have another form, too"),
)
"""Kind of prompt difference, finding kind, severity, words."""


def prompt_findings(walk: Walk) -> list[Finding]:
    """Return the findings on what was sent in one task."""
    return [
        *prompt_kinds(walk),
        *held_answers(walk),
        *sides_with_doubled_start(walk),
        *long_prompts(walk),
        *choice_findings(walk),
    ]


def prompt_kinds(walk: Walk) -> list[Finding]:
    """Return one finding for each kind of prompt difference."""
    ledger, task = walk.prompts, walk.a.task
    found = []
    for kind, name, severity, clause in KINDS:
        count = ledger.kinds.get(kind, 0)
        again = kind == "example_layout" and ledger.kinds.get("examples", 0) >= count
        again = again or (kind == "order" and asked_in_another_order(walk))
        if count and not again:  # other examples are not the same ones in another layout
            text = f"{count} of {ledger.compared} prompts of {task} {clause}: {ledger.most_common(kind)}."
            if name == "tokens_unseen":
                text = text[:-1] + ", and a server may wrap messages in chat-template tokens that no file shows."
            items = tuple(ledger.items[kind])
            found.append(Finding(name, severity, text, None, task, count, ledger.compared, items))
    return found


def held_answers(walk: Walk) -> list[Finding]:
    """Return that what one side's prompts have more holds the right answers."""
    one = walk.held.facts()
    if one is None:
        return []
    beside = f" (a wrong one in {one.others})" if one.choices else ""
    looked = " that were looked at" if one.of < walk.different["prompts"] else ""
    prompts = f"{one.number} of {one.of} prompts of {walk.a.task}{looked} in {one.side.upper()}"
    text = (
        f"{prompts} hold the right answer in what they have more than the other side's{beside}: it can be read off "
        "there, so the score is no measure of what the model knows."
    )
    return [Finding("prompts_hold_answers", "warning", text, one.side, walk.a.task, one.number, one.of)]


def asked_in_another_order(walk: Walk) -> bool:
    """Say whether documents hold their choices in another order, which is said of the documents."""
    return any(walked.pairs.reordered for walked in walk.filters.values())


def sides_with_doubled_start(walk: Walk) -> list[Finding]:
    """Return the sides whose prompts begin with their start token twice."""
    found, of = [], walk.compared["prompts"]
    for side, counter in zip(SIDES, walk.starts, strict=True):
        if counter.twice:
            text = (
                f"{counter.twice} of {of} prompts of {walk.a.task} in {side.upper()} begin with "
                f"{counter.token} twice, which models are not used to."
            )
            found.append(Finding("start_token_doubled", "warning", text, side, walk.a.task, counter.twice, of))
    return found


def long_prompts(walk: Walk) -> list[Finding]:
    """Return the sides whose prompts have more words than the model takes tokens."""
    found: list[Finding] = []
    if walk.kind == "likelihood":
        return found  # whole texts are scored in windows of max_length, one after the other: nothing is cut off
    for side, items, most in zip(SIDES, walk.too_long, walk.limits.prompts, strict=True):
        if items:
            count, compared = len(items), walk.compared["prompts"]
            text = (
                f"{count} of {compared} prompts of {walk.a.task} in {side.upper()} have more words than the {most} "
                "tokens of max_length: their beginning was cut off, so the logged text is not what the model saw."
            )
            names = tuple(items[:3])
            found.append(Finding("prompts_cut", "warning", text, side, walk.a.task, count, compared, names))
    return found


def space_words(spaced: Mapping[Place, int]) -> str:
    """Return where continuations have other white space."""
    place = next(iter(spaced)) if len(spaced) == 1 else "both"
    return f"white space at their {'beginning or end' if place == 'both' else place}"


def choice_findings(walk: Walk) -> list[Finding]:
    """Return that the scored continuations differ."""
    count, compared = walk.different["choices"], walk.compared["choices"]
    if not count:
        return []
    spaced = walk.spaced_choices
    spaces = f", {sum(spaced.values())} of them only by {space_words(spaced)}" if spaced else ""
    if walk.reordered >= count and asked_in_another_order(walk):
        return []  # said already, of their documents
    if walk.reordered >= count:
        text = f"{count} of {compared} items of {walk.a.task} score the same choices in another order."
        return [Finding("choices_reordered", "warning", text, None, walk.a.task, count, compared)]
    text = f"The continuations that were scored differ in {count} of {compared} items of {walk.a.task}{spaces}."
    return [Finding("choices_differ", "warning", text, None, walk.a.task, count, compared)]
