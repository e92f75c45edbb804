"""Keep secrets in: tokens and keys in a run's settings are masked before anything else sees them.

The value of a secret is in no output and no error text; what is kept is how many there were.
"""

import re

from diptych.runs import Json

MASK = "***"

# a key that holds a secret; the tokens of a tokenizer and counts of tokens are none
SECRET_KEY = re.compile(
    r"(?:^|[_\-.\s])(?:token|api[_\-]?key|apikey|secret|secret[_\-]?key|client[_\-]?secret|password|passwd|passphrase|"
    r"authorization|auth|bearer|credentials?|access[_\-]?key|private[_\-]?key|subscription[_\-]?key)(?:[_\-]?id)?$",
    re.IGNORECASE,
)
TOKENIZER_KEY = re.compile(
    r"(?:^|[_\-.])(?:bos|eos|pad|eot|eom|unk|mask|sep|cls|special|stop|end|start|think|image|prefix|suffix|trust|add|prompt|"
    r"gen|per|max|min|num|new)[_\-]?(?:\w+[_\-])?token(?:[_\-]?id)?$",
    re.IGNORECASE,
)

SECRET_TEXT = re.compile(
    r"(?P<kept>(?:\b|_)(?:token|api[_\-]?key|apikey|secret|password|passwd|access[_\-]?key|auth[_\-]?token|authorization)"
    r"\b[\"']?\s*[=:]\s*[\"']?(?:bearer\s+|basic\s+)?|\bbearer\s+|[?&](?:key|sig|signature|sas|code)=)"
    r"(?P<secret>(?!\*\*\*|\$\{|(?:true|false|none|null)\b)[^\s,;&\"'<>(){}\[\]]{4,})"
    r"|(?P<scheme>\b[a-z][a-z0-9+.\-]*://[^\s/:@]*:)(?P<password>[^\s/@]+)(?=@)"
    r"|(?P<bare>\b(?:hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_\-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
    r"|glpat-[A-Za-z0-9_\-]{16,}|xox[abposr]-[A-Za-z0-9\-]{10,}|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_\-]{30,}"
    r"|nvapi-[A-Za-z0-9_\-]{20,}|gsk_[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,}"
    r"|eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]+))"
    r"|(?P<block>-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$))",
    re.IGNORECASE | re.DOTALL,
)


def is_secret_key(key: str) -> bool:
    """Say whether a key's name says that its value is a secret."""
    return bool(SECRET_KEY.search(key)) and not TOKENIZER_KEY.search(key)


def mask_text(text: str) -> tuple[str, int]:
    """Return a text with every secret in it masked, and how many there were."""
    return SECRET_TEXT.subn(_masked, text)


def _masked(match: re.Match[str]) -> str:
    return (match["kept"] or match["scheme"] or "") + MASK


def mask(value: Json, key: str = "") -> tuple[Json, int]:
    """Return a JSON value with every secret in it masked, and how many there were."""
    if isinstance(value, str):
        if value not in ("", MASK) and is_secret_key(key):
            placeholder = value.startswith(("$", "<")) or value.lower() in {"true", "false", "none", "null"}
            return (value, 0) if placeholder else (MASK, 1)
        return mask_text(value)
    if isinstance(value, list):
        parts = [mask(item, key) for item in value]
        return [part for part, _ in parts], sum(count for _, count in parts)
    if isinstance(value, dict):
        masked: dict[str, Json] = {}
        total = 0
        for name, item in value.items():
            safe_name, in_name = mask_text(name)
            masked[safe_name], in_value = mask(item, name)
            total += in_name + in_value
        return masked, total
    return value, 0
