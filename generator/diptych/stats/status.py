"""The one word for an estimate, and the reason where it is not plain from the numbers."""

from diptych.closed_names import Status
from diptych.estimates import TOO_FEW_UNCHANGED, Estimate
from diptych.stats.estimate_by_level import inside


def status_and_reason(
    estimate: Estimate,
    higher_is_better: bool | None,
    p_adjusted: float | None = None,
    p_equivalence_adjusted: float | None = None,
) -> tuple[Status, str | None]:
    """Return (status, reason) of B against A by the adjusted p-values where given (Holm), else by the raw ones.

    A difference is real where its p-value is below alpha, the range at that level leaves out 0, and it passes what a
    rerun may move. The same is said only where the equivalence test rejects a difference of the margin.
    """
    if estimate.difference is None:
        return "not_available", estimate.why or "a score is not available"
    if estimate.method == "no_test":
        return "unclear", estimate.why
    alpha = float(estimate.parameters.get("alpha", 0.05))
    adjusted = next((p for p in (p_adjusted, estimate.p_adjusted, estimate.p_value) if p is not None), None)
    if _real(estimate, adjusted, alpha):
        if "within_rerun_noise" in estimate.flags:
            return "unclear", "the difference is real on these items but within what a rerun of one run may move"
        if higher_is_better is None:
            return "unclear", "the scores differ, but whether higher is better is not recorded"
        return ("better" if (estimate.difference > 0) == higher_is_better else "worse"), None
    equal = p_equivalence_adjusted if p_equivalence_adjusted is not None else estimate.p_equivalence
    if _inside(estimate, equal, alpha):
        return "same", None
    return "unclear", _unclear(estimate, adjusted, alpha)


def _real(estimate: Estimate, adjusted: float | None, alpha: float) -> bool:
    """Say whether a difference is real: the test rejects, and the range at the test's own level leaves out 0."""
    if estimate.method == "cluster_too_few" or not estimate.difference:
        return False
    ranged = estimate.low is not None and estimate.high is not None
    apart = not ranged or not (estimate.low or 0.0) <= 0 <= (estimate.high or 0.0)
    return apart and (adjusted < alpha if adjusted is not None else ranged)


def _inside(estimate: Estimate, p_equivalence: float | None, alpha: float) -> bool:
    """Tell whether a difference as large as the margin is ruled out."""
    if estimate.method == "cluster_too_few" or {"conservative", "floor_above_margin"} & set(estimate.flags):
        return False
    within = inside(estimate.low_90, estimate.high_90, estimate.margin)
    return within and (p_equivalence is None or p_equivalence < alpha)


REASONS = (
    ("floor_above_margin", "reruns of one configuration differ by more than the margin: equality cannot be shown"),
    ("few_clusters", "too few independent groups of items for this size of difference"),
    ("borderline", "borderline: the test and the CI at its level do not agree on 0"),
    ("too_few_changed", "too few items changed for any split of them to show a difference"),
    ("identical_scores", TOO_FEW_UNCHANGED),
    ("no_pairing_would_do", "even the luckiest pairing of these counts could not show a difference"),
    ("conservative", "per-item answers are not on both sides, so a difference may be missed"),
)


def _unclear(estimate: Estimate, adjusted: float | None, alpha: float) -> str:
    """Return why neither a difference nor equality can be said; the most telling flag first."""
    if estimate.p_value is not None and adjusted is not None and estimate.p_value < alpha <= adjusted:
        return "not significant after Holm correction, only on its own"
    for flag, reason in REASONS:
        if flag in estimate.flags:
            return reason
    return "the CI holds both no difference and differences beyond the margin"
