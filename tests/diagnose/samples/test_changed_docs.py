"""The docs of changed items are read back from the logs of both sides."""

from pathlib import Path

from diptych.diagnose.samples.changed_docs import docs_of
from diptych.harness.reader import read_run
from examples_comparison import flip
from written_runs import choices, results, write_run


def test_each_side_s_doc_is_found_by_its_item_also_under_another_task_s_name(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_run(tmp_path / name, results(), {"arith": choices(4 if name == "a" else 2)})
    a, b = (read_run(str(tmp_path / name)) for name in ("a", "b"))
    flips = [flip(item, "lost")._replace(task="arith") for item in ("1", "3")]
    found = docs_of(flips, a, b, {})
    assert found["arith", "1"][0] == found["arith", "1"][1] == {"question": "What is 1 + 1?", "answer": 1}
    assert (found["arith", "3"][0] is not None, found["arith", "3"][1]) == (True, None)
    renamed = b._replace(samples={"sums": b.samples["arith"]})
    assert docs_of(flips, a, renamed, {"arith": "sums"}) == found
