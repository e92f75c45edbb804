"""Phrases around responses, and targets known by heart, stand in the verdict with what to compare next."""

from pathlib import Path

from verdict_runs import Records, answers, compared

FORMS = (
    "Anna takes {n} flat stones from the beach and puts four more to them, which is {sum}.",
    "Exactly four steps up from the step with number {n} one stands on {sum}.",
    "Whoever counts on from {n} says four more numbers. The last of them is {sum}.",
    "In the bag there are {n} ripe nuts; with the squirrel's four they become {sum}.",
    "It was {n} degrees at dawn. At noon it is four degrees warmer, so {sum}.",
)


def text(number: int) -> str:
    return FORMS[number % 5].format(n=number, sum=number + 4)


def rows(write: str, right: bool) -> Records:
    made = answers(range(0 if right else 60), text=lambda number: write.format(text(number), number))
    for number, record in enumerate(made):
        record["target"] = text(number)
    return made


def test_phrases_that_a_metric_reads_are_blamed_before_accuracy(tmp_path: Path) -> None:
    framed = rows("Here you are: {0}", right=False)
    framed[::3] = rows("This is it: {0}", right=False)[::3]
    pair = rows("{0}", right=True), framed
    verdict = compared(tmp_path, *pair, config__model_args="pretrained=org/other-1b,dtype=float32").verdict
    said = 'of b in arith begin with one of 2 same phrases ("Here you are:" and the like), none of a\'s do'
    assert said in verdict.sentence
    assert next(part for part in verdict.parts if said in part.text).role == "answer"
    assert verdict.next_step.startswith('Score both logs of arith once more by a filter that takes "Here you are:"')


def test_targets_known_by_heart_qualify_a_better_score(tmp_path: Path) -> None:
    pair = rows("I say {1} and 4 is what they asked me about here, more or less.", right=False), rows("{0}", right=True)
    verdict = compared(tmp_path, *pair, config__model_args="pretrained=org/other-1b,dtype=float32").verdict
    assert "60 of 60 responses of b in arith are the item's target to the letter" in verdict.sentence
    assert "most likely b has seen these items in training" in verdict.sentence
    assert verdict.next_step.startswith("Compare both on items of arith that are rewritten, or newer")
