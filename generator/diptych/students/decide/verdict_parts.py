"""The parts that every branch of the rule builds its verdict from."""

from diptych.decision import DecisionKind, DecisionVerdict, Route

Pick = DecisionVerdict


def decision_verdict(
    kind: DecisionKind, route: str | None, sentence: str, step: str = "", *flags: str, change: str = ""
) -> Pick:
    """Return a verdict from its parts; an empty step or change is none."""
    return DecisionVerdict(kind, route, sentence, (step,) if step else (), (change,) if change else (), flags)


def passed_of(route: Route) -> str:
    """Return how many tasks a route passed."""
    return f"{route.passed} of {route.total}"
