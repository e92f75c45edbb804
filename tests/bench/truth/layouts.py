"""How a prompt is put together: what stands before a question, in which frame, as one text, in marks or in turns."""

import json
from typing import Any, NamedTuple

Json = Any
Shot = tuple[str, str]


class Template(NamedTuple):
    """A chat template: the marks before and after a turn of each role, a preamble, and what opens the answer."""

    text: str
    open: str
    close: str
    preamble: str = ""
    answer: str = ""


CHATML = Template(
    "{% for m in messages %}{{'<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n'}}{% endfor %}",
    "<|im_start|>{role}\n",
    "<|im_end|>\n",
)
HEADERS = Template(
    "{% for m in messages %}{{'<|start_header_id|>' + m['role'] + '<|end_header_id|>\n\n' + m['content']}}{% endfor %}",
    "<|start_header_id|>{role}<|end_header_id|>\n\n",
    "<|eot_id|>",
    "<|begin_of_text|>",
)
PLAIN_MARKS = Template(
    "{% for m in messages %}{{'<|' + m['role'] + '|>' + m['content'] + eos_token}}{% endfor %}",
    "<|{role}|>",
    "</s>",
)
DATED = CHATML._replace(
    text=CHATML.text + "{# the date of today stands in a system turn #}",
    preamble="<|im_start|>system\nCutting knowledge date: 2024. Today: 3 November 2025<|im_end|>\n",
)
NO_THOUGHT = CHATML._replace(answer="<think>\n\n</think>\n\n")


class Layout(NamedTuple):
    """All that makes a prompt but the question and the pool of examples.

    `template` None: plain text; `messages`: turns are sent as a list, a server renders them. `shots` examples are
    taken from draw number `draw`; `before` and `after` frame every question as another doc_to_text would.
    """

    template: Template | None = None
    messages: bool = False
    turns: bool = False
    shots: int = 0
    draw: int = 0
    system: str = ""
    description: str = ""
    before: str = ""
    after: str = ""
    gap: str = "\n\n"
    delimiter: str = " "
    prefix: str = ""


def prompt(layout: Layout, question: str, shots: tuple[Shot, ...]) -> Json:
    """Return the prompt of a question as it is sent: a text, or a list of messages."""
    framed = [(f"{layout.before}{asked}{layout.after}", told) for asked, told in shots]
    last = f"{layout.before}{question}{layout.after}"
    if layout.template is None and not layout.messages:
        ahead = f"{layout.system}{layout.description}"
        examples = "".join(f"{asked}{layout.delimiter}{told}{layout.gap}" for asked, told in framed)
        prefix = f"{layout.delimiter}{layout.prefix}" if layout.prefix else ""
        return f"{ahead}{examples}{last}{prefix}"
    system = "\n\n".join(part for part in (layout.system, layout.description) if part)
    turns = [("system", system)] if system else []
    if layout.turns:
        for asked, told in framed:
            turns += [("user", asked), ("assistant", told)]
        turns.append(("user", last))
    else:
        examples = "".join(f"{asked}{layout.delimiter}{told}{layout.gap}" for asked, told in framed)
        turns.append(("user", f"{examples}{last}"))
    if layout.messages and layout.prefix:
        turns.append(("assistant", layout.prefix))
    if layout.messages:
        return [{"role": role, "content": content} for role, content in turns]
    marks = layout.template
    body = "".join(f"{marks.open.format(role=role)}{content}{marks.close}" for role, content in turns)
    return f"{marks.preamble}{body}{marks.open.format(role='assistant')}{marks.answer}{layout.prefix}"


def sent(value: Json) -> Json:
    """Return a prompt as it stands in a log: messages as one JSON text in a list."""
    return value if isinstance(value, str) else [json.dumps(value, ensure_ascii=False)]


def text_of(value: Json) -> str:
    """Return a prompt as the one text that is hashed."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
