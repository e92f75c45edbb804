"""Every known value: published tables and what scipy, statsmodels, krippendorff and exact arithmetic give."""

import itertools
import json
import math
from pathlib import Path
from typing import Any

import pytest

from diptych import numbers
from diptych.diagnose.scores.sentences import metric_sentence, noise_sentence
from diptych.estimates import Estimate, MetricComparison
from diptych.stats import (
    clusters,
    distributions,
    effects,
    graded,
    judge,
    multiple,
    paired,
    power,
    rerun_noise,
    resampling,
    unpaired,
)
from diptych.stats import cost as costing

Row = dict[str, Any]
VECTORS: list[Row] = json.loads(Path(__file__).with_name("estimate_vectors.json").read_text(encoding="utf-8"))


def span(ends: tuple[float, float]) -> Row:
    return {"low": ends[0], "high": ends[1]}


def mean_test(test: graded.MeanTest) -> Row:
    return {"mean": test.mean, "se": test.error, "t": test.t, "df": test.df, "p": test.p, **span((test.low, test.high))}  # type: ignore[arg-type]


def mcnemar(both: int, gained: int, lost: int, neither: int) -> Row:
    test = paired.mcnemar(gained, lost)
    delta = (gained - lost) / (both + gained + lost + neither)
    return {"delta": delta, "p_exact": test.exact, "p_midp": test.mid, "p_asymptotic": test.asymptotic, "z": test.z}


def odds_ratio(gained: int, lost: int, level: float) -> Row:
    found = paired.odds_ratio(gained, lost, level)
    assert found is not None
    return {"or": found[0], **span(found[1:])}


def signflip(d: list[float]) -> Row:
    p, changed = graded.signflip(d)
    return {"p": p, "nonzero": changed}


def all_resamples(x: list[float]) -> list[float]:
    return sorted(round(math.fsum(drawn) / len(x), 14) for drawn in itertools.product(x, repeat=len(x)))


def seed_of(task: str, metric: str, filter: str, unit: str, n: int) -> Row:
    return {"seed": resampling.seed_of(f"{task}|{metric}|{filter}", unit, n)}


def binary_error(p: float, n: int, k: int) -> Row:
    error = paired.binary_error(p, n)
    assert error is not None
    return {"stderr": error, "implied_n": paired.implied_items(p, error)}


def unpaired_z(a: float, se_a: float, b: float, se_b: float, level: float) -> Row:
    test = unpaired.unpaired_z(a, se_a, b, se_b, level)
    assert test is not None
    return {**mean_test(test), "delta": test.mean, "z": test.t}


def welch(a: list[float], b: list[float], level: float) -> Row:
    test = unpaired.welch(a, b, level)
    assert test is not None
    return mean_test(test)


def pairing_bounds(right_a: int, right_b: int, n: int) -> Row:
    found = unpaired.pairing_bounds(right_a, right_b, n)
    return {
        "discordant_min": found.changed_min,
        "discordant_max": found.changed_max,
        "p_midp_best": found.p_best,
        "p_midp_worst": found.p_worst,
    }


def cluster_error(d: list[float], groups: list[int], level: float = 0.95) -> Row:
    found = clusters.cluster_error(d, groups)
    return {
        **mean_test(graded.t_test(found.mean, found.cr1, found.df, level)),
        "G": found.clusters,
        "se_naive": found.plain,
        "se_cr0": found.cr0,
        "se_cr1": found.cr1,
    }


def cluster_signflip(d: list[float], groups: list[int]) -> Row:
    sums = clusters.cluster_sums(d, groups)
    return {"cluster_sums": sums, "p": graded.signflip(sums)[0]}


def stratified(strata: dict[str, list[float]]) -> Row:
    values = [value for part in strata.values() for value in part]
    places = [place for place, part in enumerate(strata.values()) for _ in part]
    by_items, equally = clusters.stratified(values, places), clusters.stratified(values, places, "equal")
    return {
        "weighted": by_items.mean,
        "se_weighted": by_items.error,
        "unweighted": equally.mean,
        "se_unweighted": equally.error,
    }


def ratio(l_a: list[float], l_b: list[float], w: list[float]) -> Row:
    found = graded.paired_ratio(l_a, l_b, w)
    return {
        "delta_mean_loglik": found.difference,
        "se": found.error,
        "ppl_a": found.perplexity_a,
        "ppl_b": found.perplexity_b,
        "ppl_ratio_b_over_a": math.exp(-found.difference),
    }


def adjusted(p: list[float]) -> Row:
    by_holm = multiple.holm(p)
    return {"holm": by_holm, "holm_reject": sum(x is not None and x < 0.05 for x in by_holm)}


def noise_floor(scores: list[float], level: float) -> Row:
    found = rerun_noise.floor_of(scores, level)
    assert found is not None
    return {
        "sd": found.spread,
        "df": found.df,
        "t": distributions.student_quantile(0.5 + level / 2, found.df),
        "two_fresh_runs": found.fresh,
        "fresh_vs_mean": found.against_mean,
    }


def run_item_parts(Y: list[list[float]]) -> Row:
    found = rerun_noise.run_item_parts(Y)
    return {
        "ms_run": found.ms_run,
        "ms_item": found.ms_item,
        "ms_error": found.ms_error,
        "var_run": found.run,
        "var_item": found.item,
        "var_resid": found.residual,
        "run_scores": [sum(row) / len(row) for row in Y],
    }


def least_squares(X: list[list[float]], y: list[float], columns: list[str]) -> Row:
    found = effects.effects_of(X, y)
    return {"beta": list(found.effects), "rank": found.rank, "identified": list(found.identified)}


def identifiability(X: list[list[float]], columns: list[str]) -> Row:
    found = effects.effects_of(X, [0.0] * len(X))
    return {
        "rank": found.rank,
        "identified": list(found.identified),
        "quant_plus_template": effects.identified(X, [0, 1, 1, 0]),
        "template_plus_fewshot": effects.identified(X, [0, 0, 1, 1]),
        "quant_plus_fewshot": effects.identified(X, [0, 1, 0, 1]),
    }


def contrast(item_scores: list[list[float]], a: list[float]) -> Row:
    found = effects.contrast(a, item_scores)
    return {"estimate": found.estimate, "se": found.error}


def next_run(
    tau: float, sd_of_a_difference: float, edges: list[list[float]], candidates_vs_baseline: dict[str, list[float]]
) -> Row:
    gains, before = effects.next_run_gains(edges, candidates_vs_baseline, tau, sd_of_a_difference)
    return {"variance_reduction": gains, "prior_trace": before}


def judged(verdicts: list[tuple[int, int]]) -> Row:
    found = judge.audit([(first, second) for first, second in verdicts])
    assert found.win_rate is not None
    low, high = paired.wilson(found.win_rate * found.items, found.items, 0.95)
    return {
        "n": found.items,
        "win_rate": found.win_rate,
        "se": found.error,
        "low": found.low,
        "high": found.high,
        "flip_rate": found.flip_rate,
        "inconsistent_rate": found.inconsistent_rate,
        "consistency": 1 - (found.inconsistent_rate or 0),
        "first_position": found.first_slot,
        "second_position": found.second_slot,
        "p_position": found.p_position,
        "kappa": found.kappa,
        "p_signflip": found.p_value,
        "bounds": [found.bound_low, found.bound_high],
        "wilson_low": low,
        "wilson_high": high,
    }


def position_bias(first: int, second: int, consistent: int, pairs: int) -> Row:
    won = (pairs - first - second) - consistent
    verdicts = [(-1, 1)] * first + [(1, -1)] * second + [(1, 1)] * consistent + [(1, 0)] * won
    found = judge.audit(verdicts)
    assert found.inconsistent_rate is not None
    return {
        "consistency": 1 - found.inconsistent_rate,
        "first_share": found.first_slot / found.items,
        "p_position": found.p_position,
    }


def kappa(table: list[list[int]]) -> Row:
    pairs = [(row, at) for row, counts in enumerate(table) for at, times in enumerate(counts) for _ in range(times)]
    return {"kappa": judge.cohens_kappa(pairs)}


def length_controlled(w: list[float], len_b_minus_len_a: list[float]) -> Row:
    found = judge.length_controlled(w, len_b_minus_len_a)
    return {
        "raw_win_rate": found.raw,
        "intercept": found.intercept,
        "slope": found.slope,
        "lc_win_rate": found.rate,
    }


def break_even(fixed_x: float, per_use_x: float, fixed_y: float, per_use_y: float) -> Row:
    found = costing.break_even(fixed_x, per_use_x, fixed_y, per_use_y)
    return {"uses": found.uses, "reason": found.case}


def money(**i: float) -> Row:
    return {
        "tokens": costing.token_money(
            i["tokens_in"], i["tokens_out"], i["price_in_per_million"], i["price_out_per_million"]
        ),
        "seconds": costing.time_money(i["seconds"], i["price_per_hour"]),
        "energy": costing.energy_money(i["wh"], i["price_per_kwh"]),
    }


def icer(cost_a: float, cost_b: float, passed_a: float, passed_b: float) -> Row:
    found = costing.icer(cost_a, cost_b, passed_a, passed_b)
    return {
        "delta_cost": found.extra_cost,
        "delta_effect": found.extra_passed,
        "icer": found.price,
        "quadrant": found.quadrant,
    }


def placed(routes: dict[str, tuple[float | None, float | None]], objectives: list[str]) -> Row:
    found = costing.place_routes(routes)
    return {
        "front": list(found.front),
        "dominated": {name: list(others) for name, others in found.dominated.items()},
        "unknown": list(found.not_placed),
        "extended_dominated": list(found.extended),
        "icer_frontier": [list(step) for step in found.steps],
    }


def equivalence_of_means(d: list[float], margin: float) -> Row:
    test = graded.paired_t(d, 0.90)
    found = graded.t_equivalence(test.mean, test.error, test.df, margin)
    return {**found._asdict(), "low90": test.low, "high90": test.high}


def equivalence_of_shares(gained: int, lost: int, n: int, margin: float) -> Row:
    low, high = paired.tango_interval(gained, lost, n, 0.90)
    found = paired.tango_equivalence(gained, lost, n, margin)
    return {**found._asdict(), "low90": low, "high90": high, "same": -margin < low and high < margin}


def unchanged_items_needed(margin: float, level: float) -> Row:
    inside = (n for n in itertools.count(1) if paired.tango_interval(0, 0, n, level)[1] < margin)
    return {"n": next(inside)}


def row(status: str, found: Estimate) -> MetricComparison:
    b = 0.5 + (found.difference or 0.0)
    return MetricComparison("t", "acc", "none", True, 0.5, b, found.difference, status, None, estimate=found)


def paired_sentence(verdict: str, d: float, lo: float, hi: float, n: int, gained: int, lost: int, p: float) -> Row:
    found = Estimate("mcnemar_midp_tango", 0.95, d, lo, hi, p, pairs=n, only_a=lost, only_b=gained)
    return {"text": metric_sentence(row(verdict, found))}


def detectable_sentence(n: int, mde: float, p_disc: float) -> Row:
    seen = {"detectable": mde, "parameters": {"changed_share": p_disc}}
    found = Estimate("mcnemar_midp_tango", 0.95, 0.01, -0.02, 0.04, 0.5, pairs=n, **seen)
    return {"text": metric_sentence(row("unclear", found)).split(" items. ", 1)[1]}


CALLS: dict[str, Any] = {
    "mcnemar": mcnemar,
    "tango_score_ci": lambda **i: span(paired.tango_interval(**i)),
    "tango_z": lambda gained, lost, n, delta0: {"z": paired.tango_z(gained, lost, n, delta0)},
    "wilson_ci": lambda x, n, level: span(paired.wilson(x, n, level)),
    "odds_ratio_ci": odds_ratio,
    "paired_t": lambda a, b, level: mean_test(graded.paired_t([y - x for x, y in zip(a, b, strict=True)], level)),
    "paired_t_diff": lambda d, level: mean_test(graded.paired_t(d, level)),
    "signflip_exact": signflip,
    "t_ppf": lambda p, df: {"q": distributions.student_quantile(p, df)},
    "t_two_sided_p": lambda t, df: {"p": distributions.student_two_sided(t, df)},
    "normal_two_sided_p": lambda z: {"p": distributions.normal_two_sided(z)},
    "bootstrap_percentile_given_distribution": lambda x, level: span(
        resampling.percentile_interval(all_resamples(x), level)
    ),
    "boot_seed": seed_of,
    "binary_stderr": binary_error,
    "unpaired_z": unpaired_z,
    "newcombe_unpaired_ci": lambda x_a, n_a, x_b, n_b, level: span(unpaired.newcombe(x_a, n_a, x_b, n_b, level)),
    "unpaired_welch": welch,
    "pairing_bounds": pairing_bounds,
    "cluster_se": cluster_error,
    "cluster_signflip": cluster_signflip,
    "cluster_se_singletons": lambda d: cluster_error(d, list(range(len(d)))),
    "effective_clusters": lambda sizes: {"G_eff": clusters.effective_clusters(sizes)},
    # the published figures divide by n, the harness by n - 1
    "binary_se_n": lambda p, n: {"se": [paired.binary_error(x, k + 1) for x, k in zip(p, n, strict=True)]},
    "ratio": lambda clustered, clt: {
        "ratio": [
            math.sqrt(clusters.ClusterError(0.0, 2, 2.0, plain, 0.0, error, 1).design_effect)
            for error, plain in zip(clustered, clt, strict=True)
        ]
    },
    "stratified_difference": stratified,
    "paired_ratio_log_ppl": ratio,
    "holm_bh": adjusted,
    "noise_floor": noise_floor,
    "run_item_anova": run_item_parts,
    "zero_change_bound": lambda comparisons, level: {"upper": graded.share_bound(comparisons, level)},
    "n_mcnemar": lambda p_discordant, delta, alpha, **i: {
        "n": power.needed_for_shares(p_discordant, delta, alpha, i["power"])
    },
    "mde_mcnemar": lambda p_discordant, n, alpha, **i: {
        "mde": power.detectable_share(p_discordant, n, alpha, i["power"])
    },
    "attribution_ols": least_squares,
    "attribution_identifiability": identifiability,
    "contrast_from_items": contrast,
    "next_run_gain": next_run,
    "judge_summary": judged,
    "position_bias": position_bias,
    "fleiss_kappa": lambda table: {"kappa": judge.fleiss_kappa(table)},
    "krippendorff_nominal": lambda ratings: {"alpha": judge.krippendorff_alpha(ratings)},
    "cohens_kappa": kappa,
    "length_controlled_win_rate": length_controlled,
    "break_even": break_even,
    "money": money,
    "icer": icer,
    "pareto": placed,
    "tost_paired": equivalence_of_means,
    "tost_binary": equivalence_of_shares,
    "n_for_zero_discordant_equivalence": unchanged_items_needed,
    "fmt_points": lambda x: {"text": numbers.points(x, unit=False)},
    "fmt_p": lambda p: {"text": numbers.p_text(p)},
    "fmt_odds": lambda p: {"text": numbers.odds(p)},
    "say_mde": detectable_sentence,
    "say_noise": lambda k, floor: {"text": noise_sentence(k, floor, None, None)},
    "say_paired": paired_sentence,
}


def in_ascii(text: Any) -> Any:
    """Return a text as the method sheet writes it: a hyphen for a minus, points for pp, percent signs close up."""
    if not isinstance(text, str):
        return text
    for ours, theirs in ((numbers.MINUS, "-"), (" pp", " points"), (" %", "%")):
        text = text.replace(ours, theirs)
    return text


def agrees(got: Any, want: Any, rel_tol: float) -> bool:
    if want is None or isinstance(want, str | bool):
        return got is want if want is None or isinstance(want, bool) else bool(in_ascii(got) == in_ascii(want))
    if isinstance(want, dict):
        return set(want) <= set(got) and all(agrees(got[name], value, rel_tol) for name, value in want.items())
    if isinstance(want, list):
        return len(got) == len(want) and all(agrees(x, y, rel_tol) for x, y in zip(got, want, strict=True))
    return isinstance(got, int | float) and abs(got - want) <= rel_tol * abs(want) + 1e-12


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_a_known_value_holds_within_its_own_tolerance(vector: Row) -> None:
    got = CALLS[vector["method"]](**vector["inputs"])
    wrong = {
        name: (got.get(name), want)
        for name, want in vector["expected"].items()
        if not agrees(got.get(name), want, vector["rel_tol"])
    }
    assert not wrong


def test_every_section_of_the_method_sheet_has_its_vectors() -> None:
    assert len(VECTORS) == 154
    assert {vector["method"] for vector in VECTORS} == set(CALLS)
