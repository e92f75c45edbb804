"""What differs between two runs of many, neither of which is the first, and what batching is not blamed for."""

from diptych.diagnose.compare_many import compare_many
from diptych.matrix import Matrix, SettingEffect
from diptych.report.documents.matrix import matrix_document
from diptych.report.writers.terminal import document_text
from diptych.run import Run, Setting
from examples_runs import TASK, as_settings
from many_runs import CHAT, OTHER, scored


def significant(made: Matrix) -> dict[tuple[str, ...], SettingEffect]:
    return {each.settings: each for each in made.effects if each.status in ("better", "worse")}


BY_DEFAULT = Setting(True, default=True)
"""What nobody gave: a template alone brings it."""

TWO = "2+2=4\n\n3+3=6\n\n"


def shown(shots: int, label: str, share: float, prompt: str, **settings: object) -> Run:
    """A run that shows so many examples; `prompt` is all that stands before an item's question."""
    made = scored(label, share, prompt, **settings)
    asked = as_settings({**TASK, "num_fewshot": shots})
    return made._replace(task_settings={"arith": asked})


def chat(shots: int, label: str, share: float, prompt: str, **settings: object) -> Run:
    return shown(shots, label, share, f"<|user|>{prompt}", chat_template=CHAT["chat_template"], **settings)


def test_what_only_comes_with_a_template_beside_the_first_run_stands_for_itself_between_two_others() -> None:
    runs = [
        shown(0, "none", 0.7, "Question", fewshot_as_multiturn=Setting(False, default=True)),
        chat(0, "chat", 0.7, "Question", fewshot_as_multiturn=BY_DEFAULT),
        chat(2, "turns", 0.7, f"{TWO}Question".replace("\n\n", "<|end|><|user|>"), fewshot_as_multiturn=BY_DEFAULT),
        chat(2, "one-text", 0.4, f"{TWO}Question", fewshot_as_multiturn=False),
    ]
    made = compare_many(runs)
    found = significant(made)
    assert (found["fewshot_as_multiturn",].a, found["fewshot_as_multiturn",].b) in ((2, 3), (3, 2))
    assert made.verdict
    assert "unrecorded" not in made.verdict.sentence


def test_batching_that_changes_with_the_prompts_is_not_what_moved_the_score() -> None:
    runs = [
        shown(0, "none", 0.3, "Question", batch_size=32),
        shown(2, "two", 0.7, f"{TWO}Question", batch_size=50),
        chat(0, "chat-none", 0.45, "Question", batch_size=50),
        chat(2, "chat-two", 0.6, f"{TWO}Question", batch_size=50),
    ]
    made = compare_many(runs)
    assert not [each for each in made.effects if "batch_size" in each.settings]
    assert ("num_fewshot",) in significant(made)


def test_a_sign_stands_before_what_it_is_the_sign_of_and_the_effect_beside_the_first_run_follows() -> None:
    runs = [
        shown(2, "two", 0.7, f"{TWO}Question"),
        shown(0, "none", 0.4, "Question"),
        chat(2, "chat", 0.68, f"{TWO}Question"),
        chat(2, "chat-other", 0.1, f"{TWO}Question", **OTHER),
    ]
    first, then = document_text(matrix_document(compare_many(runs))).splitlines()[:2]
    assert (first, then.split()[0]) == ("▼ 2 of 3 worse than two (baseline)", "num_fewshot")


def test_the_path_that_an_interface_asks_for_is_no_other_server() -> None:
    def served(port: int, chat: bool) -> dict[str, object]:
        path, model = ("chat/completions", "local-chat-completions") if chat else ("completions", "local-completions")
        return {"model": model, "model_args.base_url": f"http://127.0.0.1:{port}/v1/{path}"}

    small, large = {"model_args.pretrained": "org/small-1b"}, {"model_args.pretrained": "org/large-7b"}
    runs = [
        scored("small", 0.3, **served(8001, chat=True), **small),
        scored("large", 0.7, **served(8002, chat=True), **large),
        scored("small-text", 0.35, "Text", **served(8001, chat=False), **small),
    ]
    made = compare_many(runs)
    assert {"model_args.pretrained", "model_args.base_url"} in [set(each.settings) for each in made.effects]
    assert made.verdict is not None
    assert "cannot be laid to" not in made.verdict.sentence
