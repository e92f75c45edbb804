"""Keep secrets in: tokens and keys in a run's settings are masked before anything else sees them.

The value of a secret is in no output and no error text; what is kept is how many there were.
"""

import re

from diptych.runs import Json

MASK = "***"

# a key that holds a secret; the tokens of a tokenizer and counts of tokens are none
SECRET_KEY = re.compile(
    r"(?:^|[_\-.\s])(?:token|api[_\-]?key|apikey|secret|secret[_\-]?key|client[_\-]?secret|password|passwd|passphrase|"
    r"authorization|auth|bearer|credentials?|access[_\-]?key(?:[_\-]?id)?|private[_\-]?key|subscription[_\-]?key)$",
    re.IGNORECASE,
)
TOKENIZER_KEY = re.compile(
    r"(?:^|[_\-.])(?:bos|eos|pad|eot|eom|unk|mask|sep|cls|special|stop|end|start|think|image|prefix|suffix|add|prompt|"
    r"gen|per|max|min|num|new|first|last|next)[_\-](?:\w+[_\-])?token$",
    re.IGNORECASE,
)
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
NO_SECRETS = frozenset({"", MASK, "true", "false", "none", "null", "yes", "no"})

# a key and its value inside a text; a secret with a known prefix; a password in an address; a key in PEM form
NAMED = re.compile(
    r"(?P<key>[\w\-.]*(?:token|key|secret|password|passwd|passphrase|auth|authorization|credentials?))"
    r"(?P<between>[\"']?\s*[=:]\s*[\"']?(?:bearer\s+|basic\s+)?)(?P<value>[^\s,;&\"'<>(){}\[\]]+)",
    re.IGNORECASE,
)
BARE = re.compile(
    r"(?P<before>\b[a-z][a-z0-9+.\-]*://[^\s/:@]*:(?=[^\s/@]+@)|\bbearer\s+|[?&](?:key|sig|signature|sas|code)=)"
    r"(?P<value>(?!\*\*\*)[^\s,;&\"'<>(){}\[\]@]{3,})"
    r"|\b(?:hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_\-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
    r"|glpat-[A-Za-z0-9_\-]{16,}|xox[abposr]-[A-Za-z0-9\-]{10,}|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_\-]{30,}"
    r"|nvapi-[A-Za-z0-9_\-]{20,}|gsk_[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,}"
    r"|eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]+)"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
    re.IGNORECASE | re.DOTALL,
)


def is_secret_key(key: str) -> bool:
    """Say whether a key's name says that its value is a secret; `clientSecret` is `client_Secret`."""
    key = CAMEL.sub("_", key)
    return bool(SECRET_KEY.search(key)) and not TOKENIZER_KEY.search(key)


def is_placeholder(value: str) -> bool:
    """Say whether a value only stands where a secret would: an unset one, a switch, the name of a variable."""
    return value.lower() in NO_SECRETS or value.startswith(("$", "<"))


def mask_text(text: str) -> tuple[str, int]:
    """Return a text with every secret in it masked, and how many there were."""
    found = 0
    # in source code and prose a word after `token =` is mostly a name: there a secret must look like one
    prose = any(mark in text for mark in "\n()")

    def named(match: re.Match[str]) -> str:
        nonlocal found
        value, between = match["value"], match["between"]
        if not is_secret_key(match["key"]) or is_placeholder(value):
            return match[0]
        plain = between == "=" and not prose
        carried = between.lower().endswith(("bearer ", "basic "))
        if not (plain or carried or (len(value) >= 8 and any(letter.isdigit() for letter in value))):
            return match[0]
        found += 1
        return match["key"] + between + MASK

    def bare(match: re.Match[str]) -> str:
        nonlocal found
        found += 1
        return (match["before"] or "") + MASK

    return BARE.sub(bare, NAMED.sub(named, text)), found


def mask(value: Json, key: str = "") -> tuple[Json, int]:
    """Return a JSON value with every secret in it masked, and how many there were."""
    secret = bool(key) and is_secret_key(key)
    if isinstance(value, str):
        if not secret:
            return mask_text(value)
        return (value, 0) if is_placeholder(value) else (MASK, 1)
    if isinstance(value, list):
        parts = [mask(item, key) for item in value]
        return [part for part, _ in parts], sum(count for _, count in parts)
    if isinstance(value, dict):
        masked: dict[str, Json] = {}
        total = 0
        for name, item in value.items():
            safe_name, in_name = mask_text(name)
            masked[safe_name], in_value = mask(item, key if secret else name)
            total += in_name + in_value
        return masked, total
    if secret and isinstance(value, int | float) and not isinstance(value, bool):
        return MASK, 1
    return value, 0
