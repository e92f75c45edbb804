"""Read a verdict out of what a judge wrote: one of three words, in whatever form a judge gives it, never guessed.

Where a text names two of the three, or none, it is unreadable: kept as it came and counted.
"""

import re

from diptych.bounded_json import load_json

WORDS = {"FIRST": 0, "SECOND": 1, "TIE": None}
"""The three verdicts, and the place in the order shown that each names."""

KEYS = ("verdict", "winner", "better", "answer", "choice", "preference", "result")
"""The names under which a judge that writes JSON may put its verdict."""

SAME = {
    **dict.fromkeys(("FIRST", "1", "A", "1ST", "ONE"), "FIRST"),
    **dict.fromkeys(("SECOND", "2", "B", "2ND", "TWO"), "SECOND"),
    **dict.fromkeys(("TIE", "C", "DRAW", "EQUAL", "SAME", "BOTH", "NEITHER", "TIED"), "TIE"),
}
PLACE = r"(first|second|1|2|one|two|a|b)"
BETTER = re.compile(
    rf"\b(?:the\s+)?(?:{PLACE}\s+(?:answer|response|reply|one)|(?:answer|response|reply)\s+{PLACE})\s+"
    r"(?:is|was|seems|wins)\b(?:\s+(?:the|a|clearly|slightly|much|far|significantly|overall|somewhat|also|more))*"
    r"\s*(?:better|best|winner|preferred|preferable|superior)?",
    re.IGNORECASE,
)
SAID = re.compile(
    r"\b(?:final\s+)?(?:verdict|winner|answer|judg(?:e)?ment|decision|choice)\s*(?:is)?\s*[:=]\s*(?:the\s+)?"
    r"[\"'*\[_`\s]*(first|second|tie|[12abc])\b",
    re.IGNORECASE,
)
TIED = re.compile(r"\b(?:equally\s+good|equally\s+bad|it\s+is\s+a\s+tie|it's\s+a\s+tie|are\s+equal)\b", re.IGNORECASE)


def verdict_word(text: str) -> str | None:
    """Return FIRST, SECOND or TIE where a text says exactly one of them, else None."""
    answer = without_thoughts(text)
    if answer is None:
        return None  # a thought that never ended: no verdict yet
    text = " ".join(answer.split())  # no pattern below has to look at a run of white space twice
    for read in (verdict_alone, from_json, bracketed, announced, verdict_in_capitals, verdict_in_sentence):
        word = read(text)
        if word is not None:
            return word
    return None


def without_thoughts(text: str) -> str | None:
    """Return a text without what stands between `<think>` and `</think>`, None where that has no end."""
    kept: list[str] = []
    inside = False
    for part in re.split(r"(</?think>)", text, flags=re.IGNORECASE):
        if part.lower() in ("<think>", "</think>"):
            inside = part[1] != "/"
        elif not inside:
            kept.append(part)
    return None if inside else " ".join(kept)


def verdict_alone(text: str) -> str | None:
    """Return the verdict that is all of a text, marks and a closing stop aside."""
    bare = text.strip().strip("*_`\"'[](){}. \n").upper()
    return bare if bare in WORDS else SAME.get(bare.removeprefix("ANSWER ").removesuffix(" ANSWER"))


def from_json(text: str) -> str | None:
    """Return the verdict of a JSON object in a text."""
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or end < begin:
        return None
    try:
        body = load_json(text[begin : end + 1])
    except ValueError:
        return None
    said = [body[key] for key in KEYS if key in body] if isinstance(body, dict) else []
    return verdict_alone(str(said[0])) if said and isinstance(said[0], (str, int)) else None


def only_verdict(words: list[str]) -> str | None:
    """Return the one verdict that all words mean, or None."""
    found = {SAME[word.upper()] for word in words}
    return found.pop() if len(found) == 1 else None


def bracketed(text: str) -> str | None:
    """Return the verdict in double brackets, as many judges are taught to give it."""
    return only_verdict([word for word in re.findall(r"\[\[\s*(\w+)\s*\]\]", text) if word.upper() in SAME])


def announced(text: str) -> str | None:
    """Return the last verdict that a text announces ("Verdict: SECOND")."""
    found = SAID.findall(text)
    return SAME[found[-1].upper()] if found else None


def verdict_in_capitals(text: str) -> str | None:
    """Return the verdict where just one of the three words stands in capitals."""
    return only_verdict(re.findall(r"\b(FIRST|SECOND|TIE)\b", text))


def verdict_in_sentence(text: str) -> str | None:
    """Return the verdict that a sentence gives ("The second answer is better"), where no other one contradicts it."""
    found = []
    for match in BETTER.finditer(text):
        if re.search(r"(?:better|best|winner|preferred|preferable|superior)$", match[0], re.IGNORECASE):
            found.append(match[1] or match[2])
    tied = ["TIE"] if TIED.search(text) else []
    return only_verdict([*found, *tied])
