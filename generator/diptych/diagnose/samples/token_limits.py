"""The most tokens of answers and prompts, by the settings of both sides."""

from collections.abc import Sequence

from diptych import bounded_json
from diptych.fast_named_tuple import NamedTuple
from diptych.logged_values import BUDGETS
from diptych.run import Run


class Limits(NamedTuple):
    """By side: the most tokens an answer may have, and a whole prompt; None where the settings do not say."""

    answers: tuple[int | None, int | None] = (None, None)
    prompts: tuple[int | None, int | None] = (None, None)


NO_LIMITS = Limits()


def limits(task: str, a: Run, b: Run) -> Limits:
    """Return the most tokens of answers and prompts by the settings of both sides."""
    answers = [f"{place}.{name}" for place in ("gen_kwargs", "model_args") for name in BUDGETS]
    prompts = ["model_args.max_length", "model_args.max_model_len", "max_length"]
    return Limits(
        (whole_setting(a, task, answers), whole_setting(b, task, answers)),
        (whole_setting(a, task, prompts), whole_setting(b, task, prompts)),
    )


def whole_setting(run: Run, task: str, keys: Sequence[str]) -> int | None:
    """Return the first of some settings, of the task or the run, that is a whole number."""
    for settings in (run.task_settings.get(task, {}), run.settings):
        for key in keys:
            value = settings[key].value if key in settings else None
            if number := bounded_json.whole_number(str(value)):
                return number
    return None
