"""What names a score."""

from diptych.fast_named_tuple import NamedTuple


class MetricKey(NamedTuple):
    """One metric of one task under one filter.

    As a text (a name in JSON, the key of a seed) it is "task|metric|filter".
    """

    task: str
    metric: str
    filter: str

    def __str__(self) -> str:
        return "|".join(self)

    @classmethod
    def parse(cls, text: str) -> "MetricKey":
        """Return the key that a text names; a task's own name may hold bars. Raises `ValueError`."""
        task, metric, filter_name = text.rsplit("|", 2)
        return cls(task, metric, filter_name)
