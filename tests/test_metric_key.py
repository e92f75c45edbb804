"""The name of a metric as a text, and back."""

import pytest

from diptych import artifact
from diptych.errors import ArtifactError
from diptych.estimates import NoiseFloor
from diptych.metric_key import MetricKey
from diptych.provenance import Provenance
from diptych.repeats import Repeats


@pytest.mark.parametrize("task", ["arith", "leaderboard|arc:challenge|25"])
def test_a_key_is_read_back_from_its_text_whatever_the_task_is_called(task: str) -> None:
    key = MetricKey(task, "acc", "none")
    assert MetricKey.parse(str(key)) == key


def repeats() -> Repeats:
    floor = NoiseFloor(2, 0.01, 0.1, None, 1.0, ("a", "b"), "said")
    key = MetricKey("arith", "acc", "none")
    return Repeats("r", "t", "c", (), {key: ()}, {key: floor}, (), (), Provenance("0", (), ()))


def test_floors_stand_in_an_artifact_under_a_text_and_come_back_under_a_key() -> None:
    text = artifact.dumps(repeats())
    assert '"arith|acc|none"' in text
    assert artifact.loads(text) == repeats()


def test_a_floor_under_another_name_is_refused() -> None:
    with pytest.raises(ArtifactError, match=r"task\|metric\|filter"):
        artifact.loads(artifact.dumps(repeats()).replace("arith|acc|none", "arith"))
