"""The [gate] of a manifest as a policy: what each of its keys may hold, and what it means when it is left out."""

from collections.abc import Mapping
from typing import Any

from diptych.bounded_json import NotJson, load_toml
from diptych.closed_names import Outcome
from diptych.diagnose.options import TIERS, Policy, Tier, TierName
from diptych.errors import ManifestError
from diptych.storage import read_text

MISSING: Mapping[str, Outcome] = {"fail": "fail", "inconclusive": "inconclusive", "pass": "pass"}
HINT = 'e.g. [gate] missing = "fail", suite = true; [gate.critical] tasks = ["gsm8k"], margin = 0.01'


def read_policy(path: str) -> Policy | None:
    """Return the policy of a manifest's [gate], None where it has none; a `ManifestError` names what is wrong."""
    body = read_toml(path, HINT)
    return policy_from(body["gate"], f"{path}: [gate]") if "gate" in body else None


def read_toml(path: str, hint: str) -> dict[str, Any]:
    """Return the tables of a TOML file; a `ManifestError` names what is wrong with it."""
    try:
        return load_toml(read_text(path))
    except NotJson as error:
        raise ManifestError(str(error), where=path, hint=hint) from error


def policy_from(table: Any, where: str) -> Policy:
    """Return the policy of a [gate] table."""
    if not isinstance(table, dict):
        raise ManifestError("must be a table", where=where, hint=HINT)
    unknown = set(table) - {"missing", "suite", *TIERS}
    if unknown:
        raise ManifestError(f"unknown key {sorted(unknown)[0]!r}", where=where, hint=HINT)
    missing, suite = table.get("missing", "inconclusive"), table.get("suite", True)
    if not isinstance(missing, str) or missing not in MISSING:
        raise ManifestError(f"missing = {missing!r} is none of {', '.join(MISSING)}", where=where, hint=HINT)
    if not isinstance(suite, bool):
        raise ManifestError("suite must be true or false", where=where, hint=HINT)
    tiers: dict[TierName, Tier] = {name: tier_from(table[name], f"{where}.{name}") for name in TIERS if name in table}
    return Policy(tiers, MISSING[missing], suite)


def tier_from(table: Any, where: str) -> Tier:
    """Return a tier from its table; raise ManifestError for any key or type that is none of its own."""
    if not isinstance(table, dict) or set(table) - {"tasks", "margin"}:
        raise ManifestError("must be a table of `tasks` and `margin`", where=where, hint=HINT)
    tasks, margin = table.get("tasks", []), table.get("margin")
    if not isinstance(tasks, list) or not all(isinstance(task, str) for task in tasks):
        raise ManifestError("tasks must be a list of names or patterns", where=where, hint=HINT)
    number = isinstance(margin, int | float) and not isinstance(margin, bool) and 0 < margin < 1e300
    if margin is not None and not number:
        raise ManifestError("margin must be a number above 0", where=where, hint=HINT)
    return Tier(tuple(tasks), margin)
