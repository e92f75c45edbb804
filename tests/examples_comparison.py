"""One full comparison, made by hand: every kind of row that a page, a comment or a terminal has to show."""

from typing import Any

from diptych.comparison import (
    AnswerChange,
    Comparison,
    ContextDifference,
    Finding,
    Flip,
    FlipCount,
    FlipSide,
    Gate,
    IsolatingRun,
    Ladder,
    LeftOut,
    PromptPair,
    Rung,
    RunHeader,
    SettingDifference,
    TaskDifference,
    Verdict,
)
from diptych.estimates import Estimate, Interval, MetricComparison, NoiseFloor
from diptych.matrix import Matrix, MatrixCell, MatrixRow
from diptych.metric_key import MetricKey
from diptych.provenance import Input, Provenance
from diptych.repeats import Repeats

HOSTILE = (
    "<script>alert('x')</script> <img src=x onerror=alert(1)> @everyone #12 | pipe ` tick \\| \x1b[31mred\x1b[0m "
    "\u202egnp.exe\u202c zero\u200bwidth &amp; {{ 7*7 }} {% raw %} javascript:alert(1) ![i](http://e.invalid/p.png)"
)
"""A text with every trick that a page, a forge or a terminal might fall for."""

QUESTION = "Question: Tom has {a} apples and buys {b} more. How many apples does he have?\nAnswer:"

SHOTS = "".join(
    f"Question: Ann has {n} pens and finds {n + 2} more. How many pens does she have?\nAnswer: {n} + {n + 2} = "
    f"{2 * n + 2}. #### {2 * n + 2}\n\n"
    for n in (3, 5, 8)
)


def header(label: str, date: str, **changes: Any) -> RunHeader:
    """Return who a side is."""
    whole = {"arith": 150, "facts": 105, "opposites": 34, "plurals": 30, "prose": 62}
    return RunHeader(
        label=label,
        model="example-org/base-1b-instruct",
        harness="lm-evaluation-harness",
        harness_version="0.4.13",
        date=date,
        source=f"runs/{label}",
        results_file=f"results_{date.replace(':', '-')}.json",
        items=whole,
        samples={task: count for task, count in whole.items() if task != "prose"},
        metadata={"git_hash": "3d1f0c2", "total_evaluation_time_seconds": 500.4},
    )._replace(**changes)


def binary(pairs: int, both: int, lost: int, gained: int, low: float, high: float, p: float, **more: Any) -> Estimate:
    """Return the estimate of a paired 0/1 metric from its four counts."""
    values: dict[str, Any] = {
        "p_adjusted": min(1.0, 4 * p),
        "p_exact": p,
        "detectable": 0.081,
        "margin": 0.01,
        "clusters": pairs,
    }
    return Estimate(
        method="mcnemar_midp_tango",
        confidence=0.95,
        difference=(gained - lost) / pairs,
        low=low,
        high=high,
        p_value=p,
        pairs=pairs,
        both=both,
        only_a=lost,
        only_b=gained,
        neither=pairs - both - lost - gained,
        **(values | more),
    )


def metrics() -> tuple[MetricComparison, ...]:
    """Return rows of each status: worse, better, same, unclear, not available, a group, one side only."""
    floor = NoiseFloor(3, 0.006, 0.019, 0.004, 2.0, ("seed 1", "seed 2", "seed 3"), "from 3 repeats of A")
    arith = binary(150, 22, 22, 1, -0.206, -0.081, 3.0e-6)
    return (
        MetricComparison(
            "arith",
            "exact_match",
            "flexible-extract",
            True,
            0.2933333333,
            0.1533333333,
            -0.14,
            "worse",
            None,
            a_stderr=0.0373,
            b_stderr=0.0295,
            a_items=150,
            b_items=150,
            primary=True,
            sentence="B is worse than A: −14.0 pp (between −20.6 and −8.1); 1 item gained and 22 lost out of 150.",
            estimate=arith,
            noise_floor=floor,
        ),
        MetricComparison(
            "arith",
            "exact_match",
            "strict-match",
            True,
            0.2933333333,
            0.0,
            -0.2933333333,
            "worse",
            None,
            a_stderr=0.0373,
            b_stderr=None,
            b_recomputed_stderr=0.0,
            b_interval=Interval(0.0, 0.025, "wilson"),
            a_items=150,
            b_items=150,
            sentence="B is worse than A: −29.3 pp (between −37.1 and −22.5); 44 of 150 items lost.",
            estimate=binary(150, 0, 44, 0, -0.371, -0.225, 1.1e-13),
        ),
        MetricComparison(
            "facts",
            "acc",
            "none",
            True,
            0.6857142857,
            0.9047619048,
            0.219047619,
            "better",
            None,
            a_stderr=0.0455,
            b_stderr=0.0288,
            a_items=105,
            b_items=105,
            primary=True,
            sentence="B is better than A: +21.9 pp (between +12.9 and +31.0); 25 of 105 items gained, 2 lost.",
            estimate=binary(105, 70, 2, 25, 0.129, 0.31, 2.2e-6, needed=412),
        ),
        MetricComparison(
            "words",
            "acc",
            "none",
            True,
            0.921875,
            0.9375,
            0.015625,
            "unclear",
            None,
            a_stderr=0.0334,
            b_stderr=0.0305,
            a_items=64,
            b_items=64,
            group=True,
            subtasks=("opposites", "plurals"),
            primary=True,
            sentence="Cannot tell: anything between −4.9 and +8.3 pp fits the data.",
            estimate=binary(64, 58, 1, 2, -0.049, 0.083, 0.625)._replace(method="stratified_paired", p_exact=None),
        ),
        MetricComparison(
            "opposites",
            "acc",
            "none",
            True,
            0.8823529412,
            0.9117647059,
            0.0294117647,
            "unclear",
            None,
            a_stderr=0.0561,
            b_stderr=0.0494,
            a_items=34,
            b_items=34,
            sentence="Cannot tell: they differ on only 3 items; no split of 3 could show a difference.",
            estimate=binary(34, 29, 1, 2, -0.091, 0.154, 0.625),
        ),
        MetricComparison(
            "plurals",
            "acc",
            "none",
            True,
            0.9666666667,
            0.9666666667,
            0.0,
            "same",
            None,
            a_stderr=0.0333,
            b_stderr=0.0333,
            a_items=30,
            b_items=30,
            sentence="A and B are the same within 1.0 pp on all 30 items.",
            estimate=binary(30, 29, 0, 0, -0.11, 0.11, 1.0),
        ),
        MetricComparison(
            "prose",
            "word_perplexity",
            "none",
            False,
            18.4213,
            19.0871,
            0.6658,
            "unclear",
            None,
            a_items=62,
            b_items=62,
            primary=True,
            sentence="Cannot tell: no error bar in the file.",
            estimate=Estimate("no_test", 0.95, 0.6658, why="no samples and no standard error on either side"),
        ),
        MetricComparison(
            "prose",
            "bleu",
            "none",
            True,
            None,
            0.31,
            None,
            "not_available",
            "A holds 'NaN' where a number should be",
            a_items=62,
            b_items=62,
        ),
        MetricComparison(
            "planning",
            "acc",
            "none",
            True,
            None,
            0.412,
            None,
            "not_available",
            "scored in B only",
            b_stderr=0.02,
            b_items=600,
            a_present=False,
        ),
    )


def settings() -> tuple[SettingDifference, ...]:
    """Return settings of all three standings, a hostile one and one that is not recorded on one side."""
    template = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}" + HOSTILE
    return (
        SettingDifference(
            "chat_template",
            None,
            template,
            True,
            True,
            1,
            "prompt",
            (),
            "It wraps every prompt in role markers, so the model reads another text.",
            "explains",
            "150 of 150 prompts of arith differ, all by role markers.",
        ),
        SettingDifference(
            "num_fewshot",
            3,
            0,
            True,
            True,
            3,
            "prompt",
            ("arith",),
            "Fewer worked examples show the model less of the answer's form.",
            "explains",
            "A block of 3 examples stands in A's prompts only.",
        ),
        SettingDifference(
            "gen_kwargs.max_gen_toks",
            256,
            32,
            True,
            True,
            4,
            "generation",
            ("arith",),
            "A small budget cuts answers before the result.",
            "can",
            None,
        ),
        SettingDifference(
            "model_args.dtype",
            None,
            "bfloat16",
            False,
            True,
            6,
            "model",
            (),
            "Fewer digits in the weights move log-likelihoods a little.",
            "can",
            None,
            b_default=True,
        ),
        SettingDifference(
            "batch_size",
            "auto",
            8,
            True,
            True,
            8,
            "numerics",
            (),
            "Another batch adds padding and changes the order of sums.",
            "cannot",
            "The prompts differ, which a batch size cannot do.",
        ),
        SettingDifference("note", HOSTILE, "", True, True, None, "other", (), "No known way to a score.", "cannot"),
    )


def flip(item: str, class_: str, filter_: str = "flexible-extract", task: str = "arith", **changes: Any) -> Flip:
    """Return one flip with whole texts."""
    number = sum(map(ord, item)) % 40 + 2
    asked = QUESTION.format(a=number, b=number + 3)
    right = str(2 * number + 3)
    a = FlipSide(SHOTS + asked, f" {number} + {number + 3} = {right}. #### {right}", right, 1.0)
    b = FlipSide(
        f"<|im_start|>user\n{asked}<|im_end|>\n<|im_start|>assistant\n",
        f"Let us add them up: {number} and {number + 3} are {2 * number + 2}.",
        str(2 * number + 2),
        0.0,
    )
    return Flip(task, filter_, item, class_, right, a, b)._replace(**changes)


def flips() -> tuple[Flip, ...]:
    """Return flips of each class, with hostile and empty texts, log-likelihood margins and one missing side."""
    lost = tuple(flip(str(number), "lost") for number in range(22))
    strict = tuple(flip(str(number), "lost", "strict-match") for number in range(30))
    hostile = flip("it<em>/7 \"q\" 'x' #é", "both_wrong_changed")
    gained = tuple(
        flip(
            str(number),
            "gained",
            "none",
            "facts",
            a=FlipSide(f"Fact {number}: the sun is a", None, "1", 0.0, (" star", " planet", " moon")),
            b=FlipSide(f"Fact {number}: the sun is a\u00a0", None, "0", 1.0, (" star", " planet", " moon")),
            target="0",
            margin_a=-0.03 - number / 50,
            margin_b=0.05 + number / 40,
        )
        for number in range(25)
    )
    return (
        *lost,
        *strict,
        *gained,
        flip("31", "gained"),
        hostile._replace(
            a=FlipSide(SHOTS + HOSTILE, HOSTILE, None, 0.0),
            b=FlipSide(HOSTILE, "", None, 0.0),
            target=HOSTILE,
        ),
        flip("90", "format_only", "strict-match"),
        flip("91", "extraction_only", "strict-match"),
        flip("149", "one_side_missing", b=None),
    )


def comparison(**changes: Any) -> Comparison:
    """Return a full comparison; `changes` replaces whole fields."""
    asked = QUESTION.format(a=4, b=9)
    command = (
        "lm_eval --model hf --model_args pretrained=example-org/base-1b-instruct,dtype=bfloat16 \\\n"
        "  --tasks arith,facts,words,prose --num_fewshot 3 --batch_size auto --apply_chat_template \\\n"
        "  --log_samples --output_path repeat-of-a-with-chat-template"
    )
    made = Comparison(
        id="3f9c2a7be1d04c55",
        a=header("base-3shot", "2025-11-01T10:00:01.123456"),
        b=header("chat-0shot", "2025-11-02T10:20:01.123456", harness_version="0.4.12"),
        verdict=Verdict(
            "different",
            "B is worse on 1 of 4 tasks and better on 1; for 2 it cannot be told at this size. "
            "The first thing that differs is the chat template.",
            "chat_template",
            "supported",
            IsolatingRun(
                "chat_template",
                command,
                "lm_eval.simple_evaluate(model='hf', model_args={'pretrained': 'example-org/base-1b-instruct'}, "
                "tasks=['arith', 'facts', 'words', 'prose'], num_fewshot=3, apply_chat_template=True)",
                500.4,
                "If arith falls to 0.15 the chat template is the cause.",
                "If arith stays at 0.29 the cause is another: the shots come next.",
            ),
            "Repeat A with the chat template of B and nothing else changed.",
        ),
        metrics=metrics(),
        settings=settings(),
        settings_equal=213,
        task_settings=(
            TaskDifference("arith", "generation_kwargs.max_gen_toks", 256, 32),
            TaskDifference("arith", "generation_kwargs.until", ["\n\n", "Question:"], ["\n\n"]),
            TaskDifference(
                "arith",
                "doc_to_text",
                "Question: {{question}}\nAnswer:",
                "Question: {{question}} \nAnswer:\u00a0" + HOSTILE,
            ),
            TaskDifference("facts", "metadata.version", 1.0, 2.0),
        ),
        context=(
            ContextDifference("quant", "f16", "q4_0", "Fewer bits in the weights change every log-likelihood."),
            ContextDifference("engine", None, "llama.cpp", "Another engine has other kernels and tokenises anew."),
        ),
        context_recorded=(True, True),
        ladder=(
            Ladder(
                "arith",
                "prompts",
                (
                    Rung("documents", 150, 150, None),
                    Rung("prompts", 0, 150, "0"),
                    Rung("generation_arguments", 0, 150, "0"),
                    Rung("responses", 48, 150, "0"),
                    Rung("filtered", 70, 150, "0"),
                    Rung("scores", 106, 150, "0"),
                ),
            ),
            Ladder(
                "facts",
                "prompts",
                (
                    Rung("documents", 105, 105, None),
                    Rung("prompts", 80, 105, "0"),
                    Rung("choices", 105, 105, None),
                    Rung("responses", 3, 105, "0"),
                    Rung("scores", 78, 105, "0"),
                ),
            ),
            Ladder("plurals", None, (Rung("documents", 30, 30, None), Rung("prompts", 30, 30, None))),
        ),
        findings=(
            Finding(
                "prompt_role_markers",
                "warning",
                "150 of 150 prompts of arith differ by role markers: B applies a chat template.",
                "both",
                "arith",
                150,
                150,
                ("arith/0", "arith/1", "arith/2"),
            ),
            Finding(
                "filter_extracts_nothing",
                "warning",
                "strict-match extracts nothing from 150 of 150 answers of B although the response holds the right "
                "value in 23 of them.",
                "b",
                "arith",
                150,
                150,
                ("arith/0",),
            ),
            Finding("no_samples", "note", "prose has no samples on either side.", "both", "prose"),
            Finding("file_damaged", "error", f"A line of {HOSTILE} does not parse.", "b", "facts", 1, 105),
        ),
        flips=flips(),
        flip_counts=(
            FlipCount("arith", "flexible-extract", "lost", 22),
            FlipCount("arith", "flexible-extract", "gained", 1),
            FlipCount("arith", "flexible-extract", "both_wrong_changed", 1),
            FlipCount("arith", "flexible-extract", "one_side_missing", 1),
            FlipCount("arith", "strict-match", "lost", 44),
            FlipCount("arith", "strict-match", "format_only", 1),
            FlipCount("arith", "strict-match", "extraction_only", 1),
            FlipCount("facts", "none", "gained", 25),
        ),
        prompts=(
            PromptPair(
                "arith",
                "0",
                SHOTS + asked,
                f"<|im_start|>user\n{asked}<|im_end|>\n<|im_start|>assistant\n",
                None,
                (("user", asked),),
                "A carries 3 worked examples; B wraps the question in role markers.",
            ),
            PromptPair(
                "facts",
                "0",
                "Fact 0: the sun is a",
                "Fact 0: the sun is a\u00a0\t\r\n",
                None,
                None,
                "The prompts differ in white space at their end.",
            ),
        ),
        answer_changes=(
            AnswerChange(
                "plurals", 30, 28, 0.0021, 0.018, 2, 0.011, ((0.001, 9), (0.003, 12), (0.01, 5), (0.03, 4), (0.1, 0))
            ),
        ),
        left_out=(
            LeftOut("flips of arith (strict-match)", 14, "30 of 44 are kept; --flips raises the cap"),
            LeftOut("sample lines of facts in B", 1, "line 17 does not parse"),
        ),
        gates=(
            Gate("--fail-on regression", True, "arith exact_match (flexible-extract) is worse: −14.0 pp."),
            Gate("--threshold facts.acc=-0.01", False, "facts acc did not fall."),
        ),
        provenance=Provenance(
            "0.1.0",
            ("mcnemar_midp_tango", "stratified_paired", "no_test", "holm"),
            (
                Input("runs/base-3shot/results_2025-11-01T10-00-01.123456.json", "a" * 64),
                Input("runs/chat-0shot/results_2025-11-02T10-20-01.123456.json", "b" * 64),
            ),
            {"confidence": 0.95, "margin": 0.01},
        ),
        title="Chat template and shots",
    )
    return made._replace(**changes)


def matrix(**changes: Any) -> Matrix:
    """Return four runs side by side on two metrics."""
    one = comparison()
    labels = ("base-3shot", "base-0shot", "chat-3shot", "<b>q4_0</b>")
    scores = (0.2933, 0.2133, 0.2467, 0.14)
    cells = tuple(
        MatrixCell(
            a,
            b,
            scores[b] - scores[a],
            scores[b] - scores[a] - 0.08,
            scores[b] - scores[a] + 0.08,
            0.001 if abs(scores[b] - scores[a]) > 0.08 else 0.4,
            ("worse" if scores[b] < scores[a] else "better") if abs(scores[b] - scores[a]) > 0.08 else "unclear",
        )
        for a in range(4)
        for b in range(a + 1, 4)
    )
    made = Matrix(
        id="77aa10",
        title="Shots, template and quantisation",
        runs=tuple(header(label, "2025-11-01T10:00:01") for label in labels),
        rows=(
            MatrixRow(
                "arith",
                "exact_match",
                "flexible-extract",
                True,
                scores,
                (0.037, 0.033, 0.035, 0.028),
                ("a", "ab", "a", "b"),
                150,
                cells,
                "paired_t",
            ),
            MatrixRow(
                "facts",
                "acc",
                "none",
                True,
                (0.9, None, 0.88, 0.9),
                (0.03,) * 4,
                ("a", "", "a", "a"),
                105,
                (),
                "no_test",
            ),
        ),
        comparisons=("3f9c2a7be1d04c55", "bb", "cc"),
        sentences=("B is worse on 1 of 2 tasks.", "Cannot tell at this size.", "B is worse on 1 of 2 tasks."),
        settings=(
            ("num_fewshot", (3, 0, 3, 3)),
            ("chat_template", (None, None, HOSTILE, None)),
            ("context.quant", ("f16", "f16", "f16", "q4_0")),
        ),
        findings=one.findings[:1],
        left_out=one.left_out[:1],
        provenance=one.provenance,
    )
    return made._replace(**changes)


def repeats(**changes: Any) -> Repeats:
    floor = NoiseFloor(3, 0.014, 0.088, 0.01, 2.0, ("a", "b", "c"), "Two runs can differ by up to 8.8 pp.")
    key = MetricKey("arith", "acc", "none")
    made = Repeats("r1", "three seeds", "c0", matrix().runs[:3], {key: (0.2, 0.225, None)},
                   {key: floor}, (), (), comparison().provenance)  # fmt: skip
    return made._replace(**changes)
