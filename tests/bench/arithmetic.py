"""How far arithmetic alone moves a log-likelihood: a model in float32 and bfloat16, one item at a time and in batches.

    python tests/bench/arithmetic.py MODEL.gguf SAMPLES.jsonl... [--items 40]

A Llama of the GGUF file is run by numpy; bfloat16 rounds the weights and the outcome of every operation, sums are kept
in float32 as processors keep them. The prompts and choices are those of a multiple-choice log. Needs `gguf`.
The unit is ulp(format) x |log-likelihood| x sqrt(tokens): 2**-24 for float32, 2**-8 for bfloat16.
"""

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy

Array = Any
Rounding = Callable[[Array], Array]


def plain(values: Array) -> Array:
    """Return float32 as it is."""
    return values


def bfloat16(values: Array) -> Array:
    """Return float32 rounded to the nearest bfloat16, ties to even."""
    bits = numpy.ascontiguousarray(values, dtype=numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(numpy.uint32).view(numpy.float32)


class Llama:
    """A model of a GGUF file."""

    def __init__(self, path: str) -> None:
        from gguf import GGUFReader, dequantize

        reader = GGUFReader(path)
        fields = reader.fields

        def number(name: str) -> float:
            field = fields[f"llama.{name}"]
            return float(field.parts[field.data[0]][0])

        self.layers, self.heads = int(number("block_count")), int(number("attention.head_count"))
        self.shared, self.width = int(number("attention.head_count_kv")), int(number("embedding_length"))
        self.base, self.least = number("rope.freq_base"), number("attention.layer_norm_rms_epsilon")
        self.weights = {
            tensor.name: dequantize(tensor.data, tensor.tensor_type)
            .astype(numpy.float32)
            .reshape([int(size) for size in reversed(tensor.shape)])
            for tensor in reader.tensors
        }
        names = fields["tokenizer.ggml.tokens"]
        self.places = {bytes(names.parts[at]).decode(): place for place, at in enumerate(names.data)}

    def tokens(self, text: str) -> list[int]:
        """Return the longest tokens that a text begins with, one after the other: any tokens serve here."""
        text, found = text.replace(" ", "\u0120").replace("\n", "\u010a"), []
        while text:
            size = next((size for size in range(min(len(text), 16), 0, -1) if text[:size] in self.places), 0)
            found += [self.places[text[:size]]] if size else []
            text = text[size or 1 :]
        return found

    def logits(self, tokens: Array, cut: Rounding, weights: dict[str, Array]) -> Array:
        """Return the logits after each of (items, places) tokens."""
        items, places = tokens.shape
        size = self.width // self.heads
        angles = numpy.arange(places)[:, None] * self.base ** (-numpy.arange(0, size, 2) / size)[None]
        cosine, sine = (each(angles).astype(numpy.float32)[:, None] for each in (numpy.cos, numpy.sin))
        later = numpy.triu(numpy.full((places, places), -1e30, numpy.float32), 1)

        def norm(values: Array, name: str) -> Array:
            scale = numpy.sqrt((values * values).mean(-1, keepdims=True) + self.least)
            return cut(cut(values / scale) * weights[name])

        def linear(values: Array, name: str) -> Array:
            return cut((values.reshape(items * places, -1) @ weights[name].T).reshape(items, places, -1))

        def turned(values: Array, heads: int) -> Array:
            values = values.reshape(items, places, heads, size)
            even, odd, found = values[..., 0::2], values[..., 1::2], numpy.empty_like(values)
            found[..., 0::2], found[..., 1::2] = even * cosine - odd * sine, even * sine + odd * cosine
            return cut(found)

        state = weights["token_embd.weight"][tokens]
        for layer in range(self.layers):
            at, each = f"blk.{layer}.", self.heads // self.shared
            inner = norm(state, f"{at}attn_norm.weight")
            query = turned(linear(inner, f"{at}attn_q.weight"), self.heads).transpose(0, 2, 3, 1)
            keys = numpy.repeat(turned(linear(inner, f"{at}attn_k.weight"), self.shared), each, 2)
            values = linear(inner, f"{at}attn_v.weight").reshape(items, places, self.shared, size)
            scores = cut(query.transpose(0, 1, 3, 2) @ keys.transpose(0, 2, 3, 1) / numpy.float32(math.sqrt(size)))
            shares = numpy.exp(scores + later - (scores + later).max(-1, keepdims=True))
            shares = cut(shares / shares.sum(-1, keepdims=True))
            seen = cut(shares @ numpy.repeat(values, each, 2).transpose(0, 2, 1, 3)).transpose(0, 2, 1, 3)
            state = cut(state + linear(seen.reshape(items, places, -1), f"{at}attn_output.weight"))
            inner = norm(state, f"{at}ffn_norm.weight")
            gate, up = linear(inner, f"{at}ffn_gate.weight"), linear(inner, f"{at}ffn_up.weight")
            opened = cut(cut(gate / (1 + numpy.exp(-gate))) * up)
            state = cut(state + linear(opened, f"{at}ffn_down.weight"))
        return linear(norm(state, "output_norm.weight"), "token_embd.weight")

    def likelihoods(self, asked: Sequence[tuple[list[int], list[int]]], batch: int, cut: Rounding) -> Array:
        """Return the log-likelihood of each continuation after its context, longest first, in batches."""
        weights = {name: cut(each) for name, each in self.weights.items()}
        order = sorted(range(len(asked)), key=lambda place: -sum(map(len, asked[place])))
        found = numpy.zeros(len(asked))
        for start in range(0, len(order), batch):
            part = order[start : start + batch]
            tokens = numpy.zeros((len(part), sum(map(len, asked[part[0]]))), dtype=int)
            for row, place in enumerate(part):
                whole = asked[place][0] + asked[place][1]
                tokens[row, : len(whole)] = whole
            logits = self.logits(tokens, cut, weights)
            for row, place in enumerate(part):
                context, wanted = asked[place]
                own = logits[row, len(context) - 1 : len(context) + len(wanted) - 1]
                top = own.max(-1, keepdims=True)
                logs = cut(own - top - numpy.log(numpy.exp(own - top).sum(-1, keepdims=True)))
                found[place] = sum(float(logs[at, token]) for at, token in enumerate(wanted))
        return found


def asked_in(paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (context, continuation) of multiple-choice logs: short choices, and each question itself as a long one."""
    for path in paths:
        with open(path, encoding="utf-8") as log:
            for line in log:
                sent = list(json.loads(line)["arguments"].values())
                yield sent[0]["arg_0"], sent[0]["arg_1"]
                yield "\n", sent[0]["arg_0"].rpartition("\n\n")[2]


def main() -> None:
    """Print how far the log-likelihoods lie apart."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("logs", nargs="+")
    parser.add_argument("--items", type=int, default=40)
    given = parser.parse_args()
    model = Llama(given.model)
    pairs = [tuple(map(model.tokens, pair)) for pair in asked_in(given.logs)]
    asked = [(context, wanted) for context, wanted in pairs if context and wanted][: given.items]
    ways = {
        "float32, 1": (1, plain),
        "float32, 32": (32, plain),
        "bfloat16, 1": (1, bfloat16),
        "bfloat16, 32": (32, bfloat16),
    }
    found = {name: model.likelihoods(asked, *way) for name, way in ways.items()}
    tokens = numpy.array([len(wanted) for _, wanted in asked])
    print("| between (format, batch) | ulp | moved | median | largest | units, median | units, 99.9 % | up |")
    print("|---|---|---|---|---|---|---|---|")
    for one, other, bits in (
        ("float32, 1", "float32, 32", 24),
        ("bfloat16, 1", "bfloat16, 32", 8),
        ("float32, 1", "bfloat16, 1", 8),
    ):
        gap = found[other] - found[one]
        apart = numpy.abs(gap)
        units = apart / (2.0**-bits * numpy.abs(found[one]) * numpy.sqrt(tokens))
        told = f"{(apart > 0).mean():.0%} | {numpy.median(apart):.2g} | {apart.max():.2g} | {numpy.median(units):.2f}"
        print(
            f"| {one} and {other} | 2^-{bits} | {told} | {numpy.quantile(units, 0.999):.2f} | {(gap > 0).mean():.0%} |"
        )
    print(f"\n{len(asked)} log-likelihoods of {tokens.min()} to {tokens.max()} tokens.")


if __name__ == "__main__":
    main()
