"""Keep secrets in: tokens and keys in a run's settings are masked before anything else sees them.

The value of a secret is in no output and no error text; what is kept is how many there were.
"""

import re

from diptych.run import Json

MASK = "***"

# the last word or words of a key that holds a secret; the tokens of a tokenizer and counts of tokens are none
SECRET_WORDS = frozenset(
    (
        "token",
        "apikey",
        "secret",
        "password",
        "passwd",
        "passphrase",
        "authorization",
        "auth",
        "bearer",
        "credential",
        "credentials",
    )
)
SECRET_PAIRS = frozenset({"api key", "secret key", "access key", "private key", "subscription key", "key id"})
TOKENIZER_WORDS = frozenset(
    (
        "bos",
        "eos",
        "pad",
        "eot",
        "eom",
        "unk",
        "mask",
        "sep",
        "cls",
        "special",
        "stop",
        "end",
        "start",
        "think",
        "image",
        "prefix",
        "suffix",
        "add",
        "prompt",
        "gen",
        "per",
        "max",
        "min",
        "num",
        "new",
        "first",
        "last",
        "next",
    )
)
NO_SECRETS = frozenset({"", MASK, "true", "false", "none", "null", "yes", "no"})

# patterns of secrets inside a text, each with the words without which it need not be tried: compiling one costs more
# than reading a small run, and most runs need none
NAMED = (
    r"(?P<key>token|key|secret|password|passwd|passphrase|auth|authorization|credentials?)"
    r"(?P<between>[\"']?\s*[=:]\s*[\"']?(?:bearer\s+|basic\s+)?)(?P<value>[^\s,;&\"'<>(){}\[\]]+)"
)
KEY_WORDS = ("token", "key", "secret", "passw", "passphrase", "auth", "bearer", "credential")
UNNAMED: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("://",),
        r"(?P<before>\b[a-z][a-z0-9+.\-]*://[^\s/:@]*:(?=[^\s/@]+@)|[?&](?:key|sig|signature|sas|code)=)"
        r"(?!\*\*\*)[^\s,;&\"'<>(){}\[\]@]{3,}",
    ),
    (
        (" --", "--api", "--token", "--pass", "--secret", "--hf"),
        r"(?P<before>--(?:[a-z0-9]+[_-])*(?:(?:api|secret|access|private)[_-]?key|(?:hf|auth|api|access)[_-]?token"
        r"|token|password|secret)[\"']?,?\s+[\"']?)(?![-\[{]|\*\*\*)[^\s,;&\"'<>(){}\[\]]{3,}",
    ),
    (("bearer",), r"(?P<before>\bbearer\s+)(?!\*\*\*)[^\s,;&\"'<>(){}\[\]]{3,}"),
    (
        ("hf_", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "gsk_", "r8_", "nvapi-"),
        r"(?P<before>)\b(?:hf_[a-z0-9]{16,}|sk-[a-z0-9_\-]{16,}|gh[pousr]_[a-z0-9]{20,}|github_pat_[a-z0-9_]{20,}"
        r"|glpat-[a-z0-9_\-]{16,}|xox[abposr]-[a-z0-9\-]{10,}|gsk_[a-z0-9]{20,}|r8_[a-z0-9]{20,}|nvapi-[a-z0-9_\-]{20,})",
    ),
    (
        ("akia", "aiza", "eyj"),
        r"(?P<before>)\b(?:akia[0-9a-z]{16}|aiza[a-z0-9_\-]{30,}|eyj[a-z0-9_\-]{8,}\.eyj[a-z0-9_\-]{8,}\.[a-z0-9_\-]+)",
    ),
    (
        ("private key-----",),
        r"(?P<before>)-----begin [a-z ]*private key-----(?:.*?-----end [a-z ]*private key-----|.*)",
    ),
)


def is_secret_key(key: str) -> bool:
    """Say whether a key's name says that its value is a secret; `clientSecret` is `client_secret`."""
    lower = key.lower()
    if not any(word in lower for word in KEY_WORDS):
        return False
    apart = "".join(
        " " + letter if letter.isupper() and key[place - 1 : place].islower() else letter
        for place, letter in enumerate(key)
    )
    words = apart.lower().replace("_", " ").replace("-", " ").replace(".", " ").split()
    if words[-1:] == ["token"] and not TOKENIZER_WORDS.isdisjoint(words[:-1]):
        return False
    return bool(words) and (words[-1] in SECRET_WORDS or " ".join(words[-2:]) in SECRET_PAIRS)


def is_placeholder(value: str) -> bool:
    """Say whether a value only stands where a secret would: an unset one, a switch, the name of a variable."""
    return value.lower() in NO_SECRETS or value.startswith(("$", "<"))


def looks_random(value: Json) -> bool:
    """Say whether a value is one long word of mixed letters and digits, as a key to a store is."""
    return (
        isinstance(value, str)
        and len(value) >= 16
        and value.isalnum()
        and any(letter.isdigit() for letter in value)
        and any(letter.isupper() for letter in value)
    )


def mask_text(text: str) -> tuple[str, int]:
    """Return a text with every secret in it masked, and how many there were."""
    lower = text.lower()
    found = 0
    if any(gives_value(lower, word) for word in KEY_WORDS):
        text, found = mask_named(text)
    for words, pattern in UNNAMED:
        if any(word in lower for word in words):
            text, count = re.subn(pattern, rf"\g<before>{MASK}", text, flags=re.IGNORECASE | re.DOTALL)
            found += count
    return text, found


def gives_value(text: str, word: str) -> bool:
    """Say whether `=` or `:` follows a word in a text, so that a value may stand there."""
    place = text.find(word)
    while place >= 0:
        place += len(word)
        if text[place : place + 16].lstrip("abcdefghijklmnopqrstuvwxyz\"' ")[:1] in ("=", ":"):
            return True
        place = text.find(word, place)
    return False


def mask_named(text: str) -> tuple[str, int]:
    """Return a text with the values of secret keys in it masked, and how many there were."""
    found = 0
    # in source code and prose a word after `token =` is mostly a name: there a secret must look like one
    prose = any(mark in text for mark in "\n()")

    def replaced(match: re.Match[str]) -> str:
        nonlocal found
        value, between = match["value"], match["between"]
        start = match.start()
        while start and (text[start - 1].isalnum() or text[start - 1] in "_-."):
            start -= 1
        if not is_secret_key(text[start : match.end("key")]) or is_placeholder(value):
            return match[0]
        plain = between == "=" and not prose
        carried = between.lower().endswith(("bearer ", "basic "))
        if not (plain or carried or (len(value) >= 8 and any(letter.isdigit() for letter in value))):
            return match[0]
        found += 1
        return match["key"] + between + MASK

    return re.sub(NAMED, replaced, text, flags=re.IGNORECASE), found


def mask(value: Json, key: str = "") -> tuple[Json, int]:
    """Return a JSON value with every secret in it masked, and how many there were."""
    secret = bool(key) and (is_secret_key(key) or (key.lower() == "key" and looks_random(value)))
    if isinstance(value, str):
        if not secret:
            return mask_text(value)
        return (value, 0) if is_placeholder(value) else (MASK, 1)
    if isinstance(value, list):
        # a list of arguments names a secret one place before it
        flags = ["", *(item.lstrip("-") if isinstance(item, str) and item[:1] == "-" else "" for item in value[:-1])]
        parts = [mask(item, flag or key) for item, flag in zip(value, flags, strict=bool(value))]
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
