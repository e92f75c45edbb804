"""The marks by which chat templates tell who speaks: data, so that a new template is one line."""

START_TOKENS = (
    "<bos>",
    "<s>",
    "<|begin_of_text|>",
    "<｜begin▁of▁sentence｜>",
    "<|startoftext|>",
    "<BOS_TOKEN>",
    "<|endoftext|>",
    "<|bos|>",
    "[BOS]",
    "[gMASK]",
    "<sop>",
)
"""Texts that a tokenizer reads as the start of a sequence."""

ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
    "chatbot": "assistant",
    "tool": "tool",
}
"""The names that templates give to a speaker."""

NAMES = "|".join(ROLES)

GRAMMARS: tuple[tuple[str, str], ...] = (
    ("ChatML", rf"<\|im_start\|>(?:{NAMES})[ ]?\n?|<\|im_end\|>\n?"),
    ("Gemma", rf"<start_of_turn>(?:{NAMES})\n?|<end_of_turn>\n?"),
    ("Llama 3", rf"<\|start_header_id\|>(?:{NAMES}|ipython)<\|end_header_id\|>(?:\n\n)?|<\|eot_id\|>"),
    ("Llama 4", rf"<\|header_start\|>(?:{NAMES})<\|header_end\|>(?:\n\n)?|<\|eot\|>"),
    ("Llama 2", r"<<SYS>>\n?|\n?<</SYS>>(?:\n\n)?|\[INST\] ?| ?\[/INST\]"),
    ("Mistral", r"\[SYSTEM_PROMPT\]|\[/SYSTEM_PROMPT\]|\[AVAILABLE_TOOLS\]|\[/AVAILABLE_TOOLS\]"),
    ("Zephyr and Phi", rf"<\|(?:{NAMES})\|>\n?|<\|end\|>\n?"),
    ("Harmony", rf"<\|start\|>(?:{NAMES})(?:<\|channel\|>\w+)?<\|message\|>|<\|return\|>"),
    ("Cohere", r"<\|START_OF_TURN_TOKEN\|><\|(?:SYSTEM|USER|CHATBOT)_TOKEN\|>|<\|END_OF_TURN_TOKEN\|>"),
    ("DeepSeek", r"<｜(?:User|Assistant)｜>|<｜end▁of▁sentence｜>"),
    ("turn tags", rf"<\|?turn\|?>(?:{NAMES})\n?|</turn>\n?|<turn\|>\n?"),
    ("Alpaca", r"(?m:^### (?:Instruction|Response|Input|Human|User|Assistant|System):?)[ ]?\n?"),
    ("Vicuna", r"(?m:^(?:USER|ASSISTANT|SYSTEM|Human|Assistant): )|(?m:^ASSISTANT:$)"),
    ("closed thinking", r"<think>\s*</think>(?:\n\n)?"),
    ("open thinking", r"<think>\n?\Z"),
    ("end of sequence", r"</s>\n?|<eos>\n?"),
)
"""Template families and the marks of each, as regular expressions."""

HINTS = (
    "<|",
    "<｜",
    "INST]",
    "turn>",
    "### ",
    "USER: ",
    "ASSISTANT:",
    "Human: ",
    "</s>",
    "<eos>",
    "_PROMPT]",
    "<think>",
)
"""A text without any of these holds no mark."""

SPEAKERS = {
    "[inst]": "user",
    "[/inst]": "assistant",
    "<<sys>>": "system",
    "<</sys>>": "user",
    "[system_prompt]": "system",
    "[/system_prompt]": "user",
    "instruction": "user",
    "input": "user",
    "response": "assistant",
}
"""Marks that name no speaker of `ROLES`, and who speaks after them."""
