"""The page of a decision: all its evidence on it, nothing of it obeyed."""

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from diptych import artifact
from diptych.catalogue.methods import METHODS
from diptych.decision import ExternalStep, StudentDecision, TaskOutcome
from diptych.judge_audit import Disagreement
from diptych.report.artifact_pages import pages_of
from diptych.report.documents.summaries import Site
from diptych.report.documents.summarise import summarise
from examples_comparison import HOSTILE
from examples_decision import audit, decision, logit_route, outcomes, paired, sequence_route


def page(made: StudentDecision) -> str:
    (text,) = pages_of(made, summarise(made), "ab" * 32, Site()).values()
    return text


def words(made: StudentDecision) -> str:
    body = HTMLParser(page(made).replace("<wbr>", "")).body
    assert body is not None
    return " ".join(body.text(separator=" ").split())


def test_every_part_of_the_evidence_is_on_the_page() -> None:
    text = words(decision())
    for part in (
        "Keep logit on cost",
        "36 of 48",
        "≥ 1,014 Wh",
        "a counter that was reset",
        "41 more tasks",
        "json_schema",
        "24 % (14 to 38 %)",
        "results-sequence.json",
        "tasks that only one route answered",
        "local/judge",
    ):
        assert part in text, part


def test_the_methods_behind_the_numbers_are_told_and_lead_to_their_page() -> None:
    tree = HTMLParser(page(decision()))
    links = [str(node.attributes["href"]) for node in tree.css("#statistics a")]
    assert {link.partition("#")[2] for link in links} == set(decision().provenance.methods) & set(METHODS)
    assert {link.partition("#")[0] for link in links} == {"../../methods/index.html"}


def test_the_rule_is_a_list_of_steps_in_order() -> None:
    tree = HTMLParser(page(decision()))
    assert [node.text() for node in tree.css("section[aria-labelledby=rule] ol > li")] == list(decision().verdict.rule)


def test_every_task_is_in_the_grid_split_ones_first_and_opens_to_the_answers() -> None:
    tree = HTMLParser(page(decision()))
    rows = tree.css("table.grid tbody tr")
    assert len(rows) == len(outcomes()) == 48
    split = [task for task in outcomes() if task.passed["sequence"] != task.passed["logit"]]
    first = rows[0]
    assert first.css_first("th").text() == split[0].id
    assert [node.text().split() for node in first.css("td")[1:]] == [["✓", "passed"], ["✗", "failed"]]
    sorted_keys = artifact.loads(artifact.dumps(decision()))  # an artifact's keys are sorted, its columns are not
    assert HTMLParser(page(sorted_keys)).css_first("table.grid tbody tr").text() == first.text()
    for answer in split[0].responses.values():
        assert answer is not None
        assert answer in first.text()
    assert "48 tasks: 3 passed by sequence only, 8 passed by logit only, 9 failed by all, 28 passed by all." in words(
        decision()
    )
    options = [node.attributes["value"] for node in tree.css("select[name=word] option")]
    assert options == ["", "only:sequence", "only:logit", "none", "all"]


def test_a_long_grid_is_cut_and_says_so_and_an_unanswered_task_is_no_failed_one() -> None:
    many = tuple(
        TaskOutcome(str(n), {"a": True, "b": None if n else False}, "q", {"a": "x", "b": None}) for n in range(1_200)
    )
    tree = HTMLParser(page(decision(tasks=many)))
    assert len(tree.css("table.grid tbody tr")) == 1_000
    assert len(tree.css("table.grid details")) == 200
    assert "1,199 unanswered by some" in tree.text()
    assert "The first 1,000 are listed" in tree.text()
    assert "– unanswered" in tree.css("table.grid tbody tr")[1].text()


def test_caveats_stand_in_the_box_and_the_seventh_is_a_link() -> None:
    made = decision()
    caveats = tuple(f"caveat {n}" for n in range(9))
    box = HTMLParser(page(made._replace(verdict=made.verdict._replace(caveats=caveats)))).css_first("section.strip")
    assert [node.text() for node in box.css("ul.caveats li")] == [*caveats[:6], "3 more warnings below"]


def test_answering_cost_is_told_as_measured_with_its_mean() -> None:
    answering = {"seconds": 2.0, "seconds_measured": 48, "seconds_sum": 96.0, "completion_tokens_measured": 0}
    made = decision(routes=(sequence_route(answering=answering), logit_route()))
    assert "48 answers" not in words(decision())
    assert "0 to 48 answers not measured not measured 1 min 36 s (2.0 s each)" in words(made)


def test_the_judge_is_shown_with_at_most_three_disagreements_and_its_bar() -> None:
    many = tuple(Disagreement(f"t{n}", "j", "sequence", None, "raw", None) for n in range(9))
    tree = HTMLParser(page(decision(judges=(audit(disagreements=many),))))
    panel = tree.css_first("section[aria-labelledby=judge]")
    assert len(panel.css("details h3")) == 3
    assert panel.css_first("svg") is not None
    assert "a tie" in panel.css_first("details").text()


def test_two_judges_have_two_cards_whose_patterns_do_not_mix() -> None:
    tree = HTMLParser(page(decision(judges=(audit(), audit(judge="second")))))
    patterns = [node.attributes["id"] for node in tree.css("pattern")]
    assert len(tree.css("section[aria-labelledby=judge] dl.facts")) == 2
    assert len(patterns) == len(set(patterns))


def test_one_plot_stands_open_and_without_one_it_is_said_why() -> None:
    tree = HTMLParser(page(decision()))
    charts = [node for node in tree.css("figure svg") if "Pass rate against" in node.text()]
    assert len(charts) == 2
    assert len(tree.css("section[aria-labelledby=quality] details svg")) == 1
    alone = decision(plots=tuple(plot for plot in decision().plots if plot.not_placed))
    assert (
        "No plot: no cost that is known in full sets two students apart (tokens out: sequence: measured in 2"
        in words(alone)
    )


def test_three_routes_have_a_table_for_each_pair() -> None:
    third = logit_route(name="both")
    made = decision(
        routes=(sequence_route(), logit_route(), third),
        paired=(paired(), paired(second="both"), paired(first="logit", second="both")),
    )
    assert len(HTMLParser(page(made)).css("section[aria-labelledby=checks] tbody tr")) == 3


def test_a_decision_of_bare_results_still_has_a_page() -> None:
    bare = decision(
        routes=(sequence_route(by_stage=(), checks=(), cost={}, cost_per_passed={}, model=None, low=None, high=None),),
        paired=None,
        judge=None,
        judges=(),
        agreement=(),
        trades=(),
        plots=(),
        tasks=(),
        tasks_sha256=None,
        findings=(),
        left_out=(),
    )
    text = words(bare)
    assert "31 of 48" in text
    assert "Cost by stage" not in text


def test_what_an_external_harness_printed_and_recorded_is_kept() -> None:
    step = ExternalStep("judge", "python judge.py compare", 1, "Traceback\n  here", ({"stage": "judge"},))
    made = decision(external=(step,))
    text = words(made)
    for part in ("judge: exit code 1", "python judge.py compare", "Traceback here", '{"stage": "judge"}'):
        assert part in text, part


@pytest.mark.parametrize("place", ["name", "model", "answer", "raw", "judge", "rule"])
def test_hostile_text_is_shown_whole_and_never_obeyed(place: str) -> None:
    made = {
        "name": lambda: decision(routes=(sequence_route(name=HOSTILE), logit_route())),
        "model": lambda: decision(routes=(sequence_route(model=HOSTILE), logit_route())),
        "answer": lambda: decision(
            tasks=(TaskOutcome(HOSTILE, {"a": True, "b": False}, HOSTILE, {"a": HOSTILE, "b": HOSTILE}),)
        ),
        "raw": lambda: decision(judges=(audit(disagreements=(Disagreement("t", "j", "a", "b", HOSTILE, HOSTILE),)),)),
        "judge": lambda: decision(judges=(audit(judge=HOSTILE),)),
        "rule": lambda: decision(verdict=decision().verdict._replace(rule=(HOSTILE,), sentence=HOSTILE)),
    }[place]()
    text = page(made)
    tree = HTMLParser(text)
    assert tree.css("img") == []
    assert all(node.attributes.get("src") for node in tree.css("script"))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "alert('x')" in tree.text()
