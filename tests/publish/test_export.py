"""What other programs read is whole, strict, and runs nothing."""

import csv
import io
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from diptych.artifact import dumps
from diptych.catalogue.words import CLASSES, STATUSES
from diptych.cli import main
from diptych.errors import DiptychError
from diptych.publish import export
from diptych.publish.export import column_fields, csv_text, field, junit_text, plots, png_bytes
from examples_comparison import HOSTILE, comparison, matrix
from examples_decision import decision

ARTIFACTS = [comparison(), decision(), matrix()]


def table(artifact: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text(artifact))))


def test_csv_has_a_row_a_metric_with_numbers_to_nine_digits() -> None:
    rows = table(comparison())
    assert len(rows) == len(comparison().metrics)
    assert float(rows[0]["difference"]) == pytest.approx(comparison().metrics[0].difference, rel=1e-8)
    assert (field(0.48 - 0.41), field(1 / 3), field(1.0), field(-2.5e-17)) == ("0.07", "0.333333333", "1", "-2.5e-17")
    assert rows[0]["a_stderr"] == f"{comparison().metrics[0].a_stderr:.6g}"
    assert rows[0]["status"] == "worse"
    assert rows[0]["p_value"] == repr(3.0e-6)
    assert (rows[0]["only_a"], rows[0]["only_b"], rows[0]["pairs"]) == ("22", "1", "150")


def test_csv_leaves_empty_what_is_not_available() -> None:
    row = next(row for row in table(comparison()) if row["task"] == "planning")
    assert (row["a"], row["difference"], row["low"]) == ("", "", "")
    assert not {"nan", "None", "inf"} & {value for row in table(comparison()) for value in row.values()}


def test_csv_of_a_decision_says_over_how_many_records_a_cost_is() -> None:
    row = table(decision())[0]
    assert (row["student"], row["watt_hours"], row["watt_hours measured"], row["watt_hours records"]) == (
        "sequence",
        "1014",
        "2",
        "3",
    )


def test_csv_of_a_matrix_has_a_score_and_groups_a_run_and_each_difference_from_the_first() -> None:
    row = table(matrix())[0]
    assert (row["base-3shot"], row["base-0shot groups"]) == ("0.2933", "ab")
    first, *others = [run.label for run in matrix().runs]
    assert f"{first} difference" not in row
    for place, label in enumerate(others, 1):
        (cell,) = [cell for cell in matrix().rows[0].cells if (cell.a, cell.b) == (0, place)]
        assert float(row[f"{label} difference"]) == pytest.approx(cell.difference)
        assert float(row[f"{label} low"]) <= float(row[f"{label} difference"]) <= float(row[f"{label} high"])
        assert row[f"{label} status"] == STATUSES[cell.status].word


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_text_is_a_formula_in_a_spreadsheet(text: str) -> None:
    whole = comparison(metrics=tuple(row._replace(task=text) for row in comparison().metrics[:1]))
    assert not table(whole)[0]["task"].startswith(("=", "+", "-", "@", "\t", "\r"))


def test_junit_fails_what_is_worse_and_skips_what_cannot_be_told() -> None:
    suite = ElementTree.fromstring(junit_text(comparison()))[0]
    kinds = {(case.get("classname"), case.get("name")): [child.tag for child in case] for case in suite}
    assert kinds["arith", "exact_match,flexible-extract"] == ["failure"]
    assert kinds["facts", "acc"] == []
    assert kinds["planning", "acc"] == ["skipped"]
    assert kinds["gate", "--fail-on regression"] == ["failure"]
    assert int(suite.get("failures", "0")) == sum(kind == ["failure"] for kind in kinds.values())
    assert int(suite.get("tests", "0")) == len(suite)


def test_junit_fails_runs_that_measured_nothing() -> None:
    whole = comparison(verdict=comparison().verdict._replace(kind="not_a_measurement", sentence="B answered nothing."))
    first = ElementTree.fromstring(junit_text(whole))[0][0]
    assert (first.get("classname"), first[0].get("message")) == ("verdict", "B answered nothing.")


@pytest.mark.parametrize("artifact", ARTIFACTS, ids=lambda artifact: type(artifact).__name__)
def test_junit_is_xml_whatever_the_texts_hold(artifact: Any) -> None:
    if hasattr(artifact, "metrics"):
        rows = tuple(row._replace(task=HOSTILE, sentence="\x00\ufffe" + HOSTILE) for row in artifact.metrics)
        artifact = artifact._replace(metrics=rows)
    suite = ElementTree.fromstring(junit_text(artifact._replace(title=HOSTILE)))[0]
    assert "<script>" in (suite.get("name") or "")


def test_every_plot_is_a_file_of_its_own() -> None:
    assert set(plots(comparison())) == {"differences.svg", "noise-plurals.svg"}
    assert {"cost-seconds.svg", "judge-1.svg"} <= set(plots(decision()))
    assert plots(matrix()) == {}
    for artifact in ARTIFACTS:
        for svg in plots(artifact).values():
            assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
            assert "script" not in svg


def test_a_plot_becomes_a_png_of_twice_its_size() -> None:
    for svg in plots(comparison()).values():
        data = png_bytes(svg)
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        root = ElementTree.fromstring(svg)
        assert (width, height) == (2 * round(float(root.get("width", 0))), 2 * round(float(root.get("height", 0))))


def test_where_nothing_can_draw_a_png_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(DiptychError) as caught:
        png_bytes("<svg/>")
    assert "diptych[png]" in caught.value.hint


def test_the_texts_of_a_plot_are_drawn() -> None:
    svg = plots(comparison())["differences.svg"]
    assert png_bytes(svg) != png_bytes(re.sub(r"<text.*?</text>", "", svg))


@pytest.mark.parametrize(
    "text",
    ["=1+1", " =1", "\n=1", "\r=1", "\t@x", "＝1+1", "＋1", "－1", "＠x", "a;=1", 'say "x"', "a,b"],
)
def test_no_field_is_a_formula_in_any_country_s_spreadsheet(text: str) -> None:
    made = field(text)
    assert not unicodedata.normalize("NFKC", made.lstrip('"')).strip().startswith(("=", "+", "-", "@"))
    assert ";" not in made or made.startswith('"')
    assert "\r" not in made
    (row,) = csv.reader([made])
    assert row[-1:] != []


def test_the_changed_items_of_a_comparison_are_a_table_and_many_runs_say_that_they_have_none() -> None:
    text, name = export.table(comparison(), "items")
    rows = list(csv.reader(io.StringIO(text)))
    assert name == "items.csv"
    assert len(rows) == 1 + len(comparison().flips)
    assert {row[4] for row in rows[1:]} == {CLASSES[flip.class_].word for flip in comparison().flips}
    with pytest.raises(DiptychError, match="only a comparison"):
        export.table(matrix(), "items")


def test_an_artifact_without_a_plot_says_so(tmp_path: Path) -> None:
    (tmp_path / "matrix.json").write_text(dumps(matrix()), encoding="utf-8")
    done = CliRunner().invoke(
        main, ["export", str(tmp_path / "matrix.json"), "--svg", "--out", str(tmp_path / "plots")]
    )
    assert done.exit_code == 1
    assert "no plot" in done.output


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("text", ["x;=1+1", "x\t=1", "x\n=1", "x\r=1", "x; @SUM(A1)", "x;＝1", "a\n\n=1", "x;-1+1"])
def test_no_part_of_a_text_is_a_formula_however_fields_are_parted(text: str, delimiter: str) -> None:
    whole = comparison(metrics=tuple(row._replace(task=text) for row in comparison().metrics[:1]))
    rows = csv.reader(io.StringIO(csv_text(whole), newline=""), delimiter=delimiter)
    for cell in (cell for row in rows for cell in row):
        assert not re.match(r"\s*[=+@＝]|-1\+", cell), cell


def test_a_column_words_each_number_as_it_is_worded_alone() -> None:
    values = [0.0, -0.0, 0.1 + 0.2, None, 3, "a,b"]
    for column in (values * 3, values, [0.25] * 4, ["x"] * 3, []):
        assert column_fields("a", column) == [field(value) for value in column]
    assert column_fields("low", [1 / 3] * 4) == ["0.333333"] * 4
