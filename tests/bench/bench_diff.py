"""What two prompts of 200 kB cost side by side on a page: each kind of difference against one place only.

Run: python tests/bench/bench_diff.py
"""

import random
import re
import sys
import time

from diptych.report.writers.diffs import diff_pieces
from diptych.report.writers.sides import pair_html

SIZE = 200_000
ROUNDS = 5
LIMIT = 60.0


def text(seed: int) -> str:
    """Return prose of SIZE characters: sentences of 8 to 20 words, a paragraph each six or so."""
    chance = random.Random(seed)
    vocabulary = ["".join(chance.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(n % 9 + 2)) for n in range(4000)]
    parts: list[str] = []
    length = 0
    while length < SIZE:
        words = [chance.choice(vocabulary) for _ in range(chance.randrange(8, 20))]
        sentence = " ".join(words).capitalize() + chance.choice((". ", ". ", ". ", "? ", ".\n\n"))
        parts.append(sentence)
        length += len(sentence)
    return "".join(parts)[:SIZE]


def with_words(base: str, share: float, seed: int) -> str:
    """Return a text with a share of its words replaced."""
    chance = random.Random(seed)
    words = re.split(r"(\s+)", base)
    places = range(0, len(words), 2)
    for place in chance.sample(places, max(1, int(len(places) * share))):
        words[place] = f"zz{place % 7}"
    return "".join(words)


def cases() -> dict[str, tuple[str, str]]:
    """Return the pairs by name; the first differs in one place."""
    base = text(1)
    sixths = [base[place : place + SIZE // 6] for place in range(0, SIZE, SIZE // 6)]
    random.Random(3).shuffle(sixths)
    middle = SIZE // 2
    one_line = base.replace("\n", " ").replace(".", "").replace("?", "")
    return {
        "one place": (base, base[:middle] + " CHANGED " + base[middle:]),
        "chat template": (base, f"<|im_start|>user\n{base}<|im_end|>\n<|im_start|>assistant\n"),
        "six words": (base, with_words(base, 0.0002, 5)),
        "5 % of the words": (base, with_words(base, 0.05, 6)),
        "half of the words": (base, with_words(base, 0.5, 7)),
        "examples reordered": (base, "".join(sixths)),
        "unrelated": (base, text(99)),
        "repeated": ("ab" * (SIZE // 2), "ba" * (SIZE // 2 - 3) + "c"),
        "repeated words": ("a b " * (SIZE // 4), "b a a " * (SIZE // 6)),
        "repeated lines": ("yes\nno\n" * (SIZE // 7), "no\nno\nyes\n" * (SIZE // 10)),
        "one line, 5 % of the words": (one_line, with_words(one_line, 0.05, 8)),
        "blank against lines": (" \n" * (SIZE // 2), "\t\n" * (SIZE // 2)),
    }


def main() -> int:
    """Print each case's cost as a multiple of the first; 1 where one is over the limit."""
    pairs = cases()
    best = dict.fromkeys(pairs, float("inf"))
    found = {name: len(diff_pieces(a, b)) for name, (a, b) in pairs.items()}
    for _ in range(ROUNDS):
        for name, (a, b) in pairs.items():
            start = time.process_time()
            pair_html(a, b)
            best[name] = min(best[name], time.process_time() - start)
    yardstick = best["one place"]
    print(f"{'case':<28} {'ms':>8} {'x one place':>12} {'pieces':>7}   limit {LIMIT:.0f}")
    for name, seconds in best.items():
        print(f"{name:<28} {1000 * seconds:>8.2f} {seconds / yardstick:>12.1f} {found[name]:>7}")
    return int(max(best.values()) > LIMIT * yardstick)


if __name__ == "__main__":
    sys.exit(main())
