"""What goes with a verdict's kind, in words: other items, tasks left out, requests that differ, broken responses."""

from diptych.catalogue.row_words import counts_in_words, gap_in_words
from diptych.catalogue.words import AT_FLOOR, STATUSES, word_of
from diptych.diagnose.samples.invalid_tasks import constant_clause, count_clause
from diptych.diagnose.scores.primary import SetAside
from diptych.diagnose.settings.run_values import run_value
from diptych.diagnose.verdict.broken_sentences import broken_sentence
from diptych.diagnose.verdict.caveats import Caveats, Partial
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.trace import FEWEST
from diptych.diagnose.verdict.verdict_kind import Ruling, is_floored
from diptych.estimates import MetricComparison, no_item_changed
from diptych.metric_key import MetricKey
from diptych.numbers import counted, listed
from diptych.run import Run
from diptych.value_text import metric_name, quoted_stretch


def dummy_clause(labels: Labels, a: Run, b: Run) -> str:
    """Return which side is the harness's dummy backend, which answers at random and measures no model."""
    names = [label for label, run in ((labels.a, a), (labels.b, b)) if run_value(run, "model") == "dummy"]
    if not names:
        return ""
    verb = "is" if len(names) == 1 else "are"
    return f"{listed(names)} {verb} of the dummy backend, which answers at random: no model is measured there."


def caveat_sentences(ruling: Ruling, found: Caveats, labels: Labels, *, rescored: bool = False) -> list[str]:
    """Return the sentences that go with a verdict's kind; `rescored`: that the scoring changed is said already."""
    if ruling.ground != "statuses":
        return []
    said = [
        left_out_tasks(ruling, labels),
        contradicted_sentence(found, labels),
        "" if rescored else scorer_sentence(found, labels),
    ]
    said += [broken_sentence(found.broken, labels) if found.broken and not found.broken.carries else ""]
    said += [ran_on_sentence(found.ran_on, labels) if found.ran_on else ""]
    said += [ended_sentence(found.ended, labels) if found.ended else ""]
    said += [unthought_sentence(found.unthought, labels) if found.unthought else ""]
    if (one := found.rewritten) is not None and one.framed is None:
        said.append(f"{one.number} of {one.of} changed responses in {one.task} differ by white space alone.")
    if found.constant is not None:
        side, task, same = found.constant
        what = f"are the same few words ({constant_clause(same)})"
        said.append(f"{same.number} of {same.of} responses of {labels.of(side)} in {task} {what}.")
    if found.guessing and ruling.kind == "different":
        side, task = found.guessing
        why = "a broken run scores so, and so does a model that cannot answer such questions"
        said.append(f"{labels.of(side)} is near chance on {task}: {why}.")
    said.append(unscored_sentence(found, labels))
    said.append(unmeasured_sentence(found, labels))
    if found.heat is not None:
        bare = [labels.of(side) for side in found.unseeded]
        seeds = "" if not bare else ", and no seed is recorded" if len(bare) == 2 else f", {bare[0]} without a seed"
        said.append(
            f"Both sides draw their answers (temperature {found.heat:g}{seeds}), so responses differ anyway: how far a "
            "rerun moves them is not known."
        )
    return [text for text in said if text]


def left_out_tasks(ruling: Ruling, labels: Labels) -> str:
    """Return which tasks are left out because they measured nothing, and why the first did."""
    if not ruling.invalid:
        return ""
    one = next(iter(ruling.invalid.values()))
    verb = "is" if len(ruling.invalid) == 1 else "are"
    label = labels.a if one.side == "a" else labels.b
    names = listed(sorted(task for task in ruling.invalid if task))
    return f"{names} {verb} left out ({count_clause(one, label)}: no measurement)."


def scorer_sentence(found: Caveats, labels: Labels) -> str:
    """Return that the same responses were scored otherwise."""
    if found.scorer is None:
        return ""
    number = max(one.scoring_only for one in found.scorer.filters)
    return (
        f"All responses of {found.scorer.task} are the same: {counted(number, 'item')} of {found.scorer.pairs} were "
        "scored otherwise, so the scoring changed, not the model."
    )


def contradicted_sentence(found: Caveats, labels: Labels) -> str:
    """Return that a reported score is not that of its own log: the two may be of two runs."""
    one = found.contradicted
    if one is None:
        return ""
    said = f"{one.metric} {one.reported:.4g}"
    return (
        f"What {labels.of(one.side)} reports for {one.task} ({said}) is not what its log gives ({one.logged:.4g}): the "
        "two may be of different runs."
    )


def misplaced_sentence(found: Caveats, ruling: Ruling, labels: Labels) -> str:
    """Return that one side's responses are the other's to other items, so that one of the two holds them wrongly."""
    one = found.misplaced
    if one is None or ruling.ground != "statuses":
        return ""
    return (
        f"{one.misplaced} of {one.responses_compared} responses of {labels.b} in {one.task} are, letter for letter, "
        f"those of {labels.a} to other items: answers stand under the wrong items in one of the runs."
    )


def ended_sentence(found: Partial, labels: Labels) -> str:
    """Return that one side's responses are beginnings of the other's, and that no file says what ends them."""
    who, other = labels.of(found.side), labels.of("b" if found.side == "a" else "a")
    return (
        f"{found.number} of {found.of} changed responses of {who} in {found.task} are the beginnings of {other}'s, and "
        f"no recorded budget or stop string ends them there: something that no file records cuts {who} short."
    )


def unthought_sentence(found: Partial, labels: Labels) -> str:
    """Return that one side's responses are the other's without their thoughts."""
    who, other = labels.of(found.side), labels.of("b" if found.side == "a" else "a")
    return (
        f"{found.number} of {found.of} changed responses of {who} in {found.task} are {other}'s without thoughts: "
        f"what serves {who}, or its harness, takes thoughts out."
    )


def framed_sentence(beside: Caveats, ruling: Ruling, labels: Labels) -> str:
    """Return which words a side has around each of the other's responses, "" where it has none."""
    found = beside.rewritten
    one = found.framed if found else None
    if found is None or one is None or ruling.ground != "statuses":
        return ""
    who, other = labels.of(one.side), labels.of("b" if one.side == "a" else "a")
    around = [
        f"{quoted_stretch(words, 0)} {place} each"
        for words, place in ((one.before, "before"), (one.behind, "behind"))
        if words
    ]
    number = f"{found.number} of {found.of} changed responses"
    text = f"{number} of {who} in {found.task} are {other}'s with {listed(around)}"
    if one.telling < FEWEST:
        return f"{text}."
    return (
        f"{text}: one model most likely wrote both, and what turns its tokens into a response changed (chat template, "
        "stop tokens, special tokens, how a server reads the role header)."
    )


def ran_on_sentence(found: Partial, labels: Labels) -> str:
    """Return that the stop strings of the requests were not applied on one side."""
    who, other = labels.of(found.side), labels.of("b" if found.side == "a" else "a")
    return (
        f"{found.number} of {found.of} changed responses of {who} in {found.task} go on behind a stop string of their "
        f"own request and are {other}'s up to there: the stop strings (until) were not applied in {who}."
    )


def aside_clause(found: Caveats, labels: Labels) -> str:
    """Return what does not lead and says otherwise, a clause of the first sentence: filters, and other metrics."""
    parts = [set_aside_clause(found.set_aside[0], labels, len(found.set_aside) - 1)] if found.set_aside else []
    back = found.taken_back.by
    if back:
        first = min(back)
        parts.append(choice_clause(first, back[first], len(back) - 1))
    told = {key.task for key in back}
    if found.filters is not None:
        low, high, ballots, logged = found.filters
        both = "" if low.task in told else f": {low.filter} {row_with_word(low)}, {high.filter} {row_with_word(high)}"
        name = f"filters of {low.task} {low.metric}"
        if ballots.a != ballots.b:
            parts.append(
                f"{name} disagree{both}; {labels.a} has {ballots.a} responses an item and {labels.b} {ballots.b}, so a "
                "filter that reads all of them has other ballots to count"
            )
        else:
            same = " on the same responses" if logged else ""
            parts.append(f"{name} disagree{same}{both}, so what a filter finds changed, not accuracy alone")
    if found.metrics is not None and found.metrics.leads.task not in told:
        lead, other = found.metrics
        names = [metric_name(row.metric, row.filter) for row in (lead, other)]
        parts.append(
            f"metrics of {lead.task} disagree: {names[0]} {row_with_word(lead)}, {names[1]} {row_with_word(other)}"
        )
    elif found.farther is not None and found.farther.leads.task not in told:
        lead, other = found.farther
        name, counts = metric_name(other.metric, other.filter), counts_in_words(other)
        how = "moved" if no_item_changed(lead) else "moved farther"
        parts.append(f"on {lead.task} {name} {how}: {row_with_word(other)}{f', {counts}' if counts else ''}")
    return "; ".join(parts)


def choice_clause(lead: MetricKey, other: MetricComparison, more: int) -> str:
    """Return how to say which metric or filter counts where two of a task take each other's word back."""
    rest = f" (so in {counted(more, 'task')} more)" if more else ""
    names, chosen = (lead.metric, other.metric), other.metric
    if lead.metric == other.metric:
        names, chosen = (lead.filter, other.filter), f"{other.metric},{other.filter}"
    which = f"which of the two counts on {lead.task} is yours to say{rest}"
    return f"{which}: {names[0]} leads, and --primary {lead.task}={chosen} lets {names[1]} lead"


def set_aside_clause(one: SetAside, labels: Labels, more: int) -> str:
    """Return which filter does not lead because it finds (nearly) nothing, with its own difference."""
    row, found = one.row, one.found
    rest = f"; so in {counted(more, 'task')} more" if more else ""
    if found is None:
        most = max(row.a or 0.0, row.b or 0.0)
        why = f"scores {f'at most {most:.2g}' if most else '0'} in both runs"
    else:
        nothing, of = found
        why = f"finds nothing in {nothing.a} of {of.a} responses of {labels.a} and {nothing.b} of {of.b} of {labels.b}"
    word = (AT_FLOOR if is_floored(row) else word_of(STATUSES, row.status)).word
    return f"on {row.task} {one.leads.filter} leads, since {row.filter} ({gap_in_words(row)}, {word}) {why}{rest}"


def row_with_word(row: MetricComparison) -> str:
    """Return a row's difference with its word: `−12.0 pp (worse)`; that no item changed says more than none."""
    word = "no item changed" if no_item_changed(row) else word_of(STATUSES, row.status).word
    return f"{gap_in_words(row)} ({word})"


def unmeasured_sentence(found: Caveats, labels: Labels) -> str:
    """Return that some log-likelihoods of a side are no numbers: what is picked there is counted, and is no choice."""
    one = found.unmeasured
    if one is None:
        return ""
    verb = "has" if one.number == 1 else "have"
    return (
        f"{one.number} of {one.of} items of {one.task} {verb} log-likelihoods that are no numbers ({one.value}) in "
        f"{labels.of(one.side)}: what it picked there is no choice, and is counted."
    )


def unscored_sentence(found: Caveats, labels: Labels) -> str:
    """Return that items have no score on a side: they leave its denominator, which makes it look better."""
    if not found.unscored:
        return ""
    side, task, number, total = max(found.unscored, key=lambda one: one[2])
    verb = ("has", "is") if number == 1 else ("have", "are")
    of = f"{number} of {total} items of {task}"
    return f"{of} {verb[0]} no score in {labels.of(side)} and {verb[1]} left out."
