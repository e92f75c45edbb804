"""Which names hold a secret: by their words alone, or by these and the looks of the value beside them."""

import re
from functools import lru_cache
from typing import Any

Json = Any


def split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SECRET_WORDS = split_words(
    "token apikey apitoken secret secrets password passwd passphrase passcode pass pwd pat authorization auth "
    "bearer cred creds credential credentials signature sig sas jwt cookie sessionid jsessionid phpsessid "
    "webhook"
)
"""The last word of a name that holds a secret."""

NAME_TAILS = split_words("value prod production dev staging test main primary backup old new default")
"""What may follow a secret's name and says nothing of it: `db_password_prod`."""

SECRET_PLURALS = split_words("apikeys apitokens passwords secrets passphrases creds credentials")
"""Last words of a name that holds several secrets; other `keys` and `tokens` go by whose they are."""

SECRET_ENDINGS = (
    *("apikey", "secretkey", "accesskey", "accountkey", "privatekey", "authkey", "sharedkey", "masterkey"),
    *("authtoken", "accesstoken", "apitoken", "secret", "password", "passwd", "passphrase", "credentials"),
)
"""How a last word ends that was written in one: `accountkey`, `dbpassword`."""

SECRET_PAIRS = frozenset(
    (
        "key id",
        "key base",
        "secret id",
        "auth header",
        "authorization header",
        "sas url",
        "webhook url",
        "connection string",
        "session id",
        "connect sid",
    )
)
"""The last two words of a name that holds a secret."""

KEY_OWNERS = split_words(
    "access account admin ai anthropic api app auth azure client cohere consumer db deploy encryption "
    "fireworks gemini google groq hf host huggingface license master mistral openai openrouter private "
    "replicate secret service shared signing ssh storage subscription together vault wandb xai"
)
"""Whose key is always a secret; one of anybody else is where its value looks like one."""

STRONG_WORDS = split_words("token secret password passwd apikey")
"""Words that tell of a secret wherever they stand in a name, where the value looks like one that was issued."""

TOLD_WORDS = split_words("hash sha sha256 md5 id ids name path file dir url type count version ref revision")
"""Words of a name that holds something about a secret."""

DATA_KEYS = split_words(
    "answer cache choice column dict doc document field foreign group hash index input item label map metric "
    "model object order output partition primary prompt public question row score sort split state target task "
    "text value"
)
"""Before `key`: the name of a field, no secret."""

TOKENIZER_WORDS = split_words(
    "bos eos pad eot eom unk mask sep cls special stop end start think image prefix suffix add prompt gen per "
    "max min num new first last next"
)
"""Before `token`: a token of a tokenizer, or a count of them."""

WEAK_WORDS = frozenset({"pass", "pwd", "auth", "signature", "sig", "sas", "cookie", "pat", "webhook"})
"""Last words whose value may also be a number, a path or a plain word that is no secret."""

PLACEHOLDERS = split_words(
    "*** true false none null yes no empty dummy placeholder changeme redacted token-abc123 test local basic "
    "bearer no-key not-needed lm-studio ollama sk-no-key-required required optional disabled enabled"
) | {""}
"""What stands where a secret would, and is none."""

KEY_WORDS = (
    *("token", "key", "secret", "passw", "passphrase", "passcode", "pass", "pwd", "pat", "auth", "bearer"),
    *("cred", "signature", "sig", "sas", "jwt", "cookie", "sess", "webhook", "connect"),
)
"""Without one of these words there is no name of a secret in a text."""

TELLING = re.compile("|".join(KEY_WORDS), re.IGNORECASE)


def key_parts(key: str) -> list[str]:
    """Return the words of a key in small letters; `clientSecret` and `client-secret` are two."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", " ", key)
    return apart.lower().split()


def key_words(key: str) -> list[str]:
    """Return the words of a key without what says nothing of it: a number, or `prod` and its like, at its end.

    What may be no secret keeps it: `pass@1` is a score.
    """
    words = key_parts(key)
    bare = list(words)
    while len(bare) > 1 and (bare[-1].isdigit() or bare[-1] in NAME_TAILS):
        bare.pop()
    if bare:
        bare[-1] = bare[-1].rstrip("0123456789") or bare[-1]
    return words if not bare or bare[-1] in WEAK_WORDS else bare


@lru_cache(4096)  # a list of a million numbers asks a million times
def is_secret_key(key: str) -> bool:
    """Say whether a key's name alone says that its value is a secret."""
    if not TELLING.search(key):
        return False
    words = key_words(key)
    if words and words[-1] in ("keys", "tokens") and not (KEY_OWNERS - {"shared", "storage"}).isdisjoint(words[:-1]):
        return True
    if words and words[-1] in SECRET_PLURALS:
        return True
    if not words or (words[-1] == "token" and not TOKENIZER_WORDS.isdisjoint(words[:-1])):
        return False
    if words[-1] in SECRET_WORDS or words[-1].endswith(SECRET_ENDINGS) or " ".join(words[-2:]) in SECRET_PAIRS:
        return True
    return words[-1] == "key" and not KEY_OWNERS.isdisjoint(words[:-1])


def holds_secret(key: str, value: Json) -> bool:
    """Say whether a key's value is a secret, by the key's name and, where that does not tell, the value's looks."""
    if not is_secret_key(key):
        words = key_parts(key) if key[-3:].lower() == "key" else [""]
        if looks_issued(value) and TELLING.search(key):
            told = set(key_parts(key))
            if not told.isdisjoint(STRONG_WORDS) and told.isdisjoint(TOLD_WORDS | TOKENIZER_WORDS):
                return True  # a name that ends in whose it is: `AWS_BEARER_TOKEN_BEDROCK`
        if words[-1] != "key" or not DATA_KEYS.isdisjoint(words[:-1]):
            return False
        return looks_random(value) or (len(words) == 1 and looks_chosen(value))
    last = key_words(key)[-1]
    if last in ("keys", "tokens"):
        return isinstance(value, str)  # a number is how many there are
    if last not in WEAK_WORDS:
        return True
    return isinstance(value, str) and not value.startswith(("/", ".", "~")) and not value.replace(".", "").isdigit()


def is_placeholder(value: str) -> bool:
    """Say whether a value only stands where a secret would: an unset one, a switch, the name of a variable."""
    return value.lower() in PLACEHOLDERS or value.startswith(("$", "<", "{{"))


def looks_random(value: Json) -> bool:
    """Say whether a value is one long word of letters and digits, as a key to a store is."""
    return (
        isinstance(value, str)
        and len(value) >= 16
        and not any(sign.isspace() for sign in value)
        and any(sign.isdigit() for sign in value)
        and any(sign.isalpha() for sign in value)
        and "/" not in value.strip("/")[:8]
    )


def looks_issued(value: Json) -> bool:
    """Say whether a value is one long word of small letters, capitals and digits: no hash and no name is."""
    return looks_random(value) and len(value) >= 20 and not (value.islower() or value.isupper())


def looks_chosen(value: Json) -> bool:
    """Say whether a value is one short word of small letters, capitals and digits: no name of a field is."""
    return (
        isinstance(value, str)
        and len(value) >= 8
        and value.isascii()
        and value.isalnum()
        and not (value.islower() or value.isupper() or value[:-2].isalpha())
    )
