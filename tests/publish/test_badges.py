"""Badges say a verdict in words."""

from xml.etree import ElementTree

import pytest

from diptych.catalogue.words import VERDICTS
from diptych.closed_names import VerdictKind
from diptych.publish.badges import badge
from diptych.report.documents.comparison import headline
from diptych.report.documents.summarise import summarise
from examples_comparison import HOSTILE, comparison
from examples_decision import decision


@pytest.mark.parametrize("kind", list(VERDICTS))
def test_every_verdict_has_a_badge_with_its_word(kind: VerdictKind) -> None:
    made = comparison()
    made = made._replace(verdict=made.verdict._replace(kind=kind))
    text = "".join(ElementTree.fromstring(badge(summarise(made))).itertext())
    assert headline(made)[1] in text


def test_a_decision_names_the_route_that_it_keeps() -> None:
    assert "keep logit" in badge(summarise(decision()))


@pytest.mark.parametrize("title", [HOSTILE, "", "x" * 500, "日本語" * 20])
def test_a_badge_is_whole_svg_of_a_bounded_size_whatever_the_title(title: str) -> None:
    root = ElementTree.fromstring(badge(summarise(comparison(title=title))))
    assert 40 < int(root.attrib["width"]) < 1000
