"""Whatever a results file and its samples hold: it ends in a run that can be written down, or in one mendable error."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from read_grammar import built, check_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("built")


@settings(max_examples=60)
@given(what=built)
def test_every_file_ends_in_a_run_or_a_mendable_error(folder: Path, what: tuple[Any, ...]) -> None:
    check_run(folder, what)


@pytest.mark.slow
@settings(max_examples=600)
@given(what=built)
def test_hundreds_of_files_end_in_a_run_or_a_mendable_error(folder: Path, what: tuple[Any, ...]) -> None:
    check_run(folder, what)
