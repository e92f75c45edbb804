"""Hostile text in Markdown comes out as the same text, and nothing in it acts."""

import html

import cmarkgfm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from diptych.report.writers.harmless import one_line, shorten, visible
from diptych.report.writers.markdown import cell, code, code_html, fence, plain_sentence, rendered
from examples_comparison import HOSTILE

ALPHABET = st.sampled_from("ab1 `|\\@#<>&*_~[]()!\n\t:/.$\u202e\u200b\x1b\u00a0é{}-+=\"'")
TEXTS = st.text(ALPHABET, max_size=24)
UNSAFE = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE
ACTIVE = "a, img, script, em, strong, del, input, h1, h2, h3, ul, ol, blockquote, hr"


def tree(markdown: str) -> LexborHTMLParser:
    return LexborHTMLParser(cmarkgfm.github_flavored_markdown_to_html(markdown, UNSAFE))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("\x1b[31m", "⟨U+001B⟩[31m"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("zero\u200bwidth \ufeff \u3164 \ufe0f", "zero⟨U+200B⟩width ⟨U+FEFF⟩ ⟨U+3164⟩ ⟨U+FE0F⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("\0", "⟨U+0000⟩"),
        ("plain é 日本 🙂\ttab", "plain é 日本 🙂\ttab"),
    ],
)
def test_hidden_and_acting_characters_are_shown_by_number(text: str, shown: str) -> None:
    assert visible(text) == shown


@settings(max_examples=300)
@given(TEXTS)
def test_a_code_span_in_a_table_holds_the_very_text_in_one_cell(text: str) -> None:
    dom = tree(f"before\n\n| a | b |\n|---|---|\n| {code(text)} | end |\n\nafter")
    cells = dom.css("tbody td")
    assert len(cells) == 2
    assert cells[1].text() == "end"
    assert cells[0].text().strip() == one_line(text).strip()
    assert dom.css_first(ACTIVE) is None


@settings(max_examples=300)
@given(TEXTS)
def test_a_fence_holds_the_very_text_and_ends(text: str) -> None:
    dom = tree(f"before\n{fence(text)}\nafter")
    lines = dom.css_first("pre").text().removesuffix("\n").split("\n")
    meant = [f" {line}" if line.lstrip().startswith("/") else line for line in visible(text).split("\n")]
    assert [line.rstrip() for line in lines] == [line.rstrip() for line in meant]
    assert dom.css("p")[-1].text() == "after"
    assert dom.css_first(ACTIVE) is None


@settings(max_examples=200)
@given(TEXTS)
def test_code_in_a_summary_holds_the_very_text(text: str) -> None:
    dom = tree(f"<details><summary>{code_html(text)}</summary>\n\nbody\n\n</details>\n\nafter")
    assert dom.css_first("summary").text() == one_line(text)
    assert dom.css_first(ACTIVE) is None


@settings(max_examples=300)
@given(TEXTS)
def test_a_sentence_of_ours_around_a_foreign_word_does_not_act(text: str) -> None:
    dom = tree(f"It says {plain_sentence(text)} here.")
    assert dom.css_first(ACTIVE) is None


def test_the_worst_text_is_one_cell_and_mentions_nobody() -> None:
    assert tree(f"| a |\n|---|\n| {cell(HOSTILE)} |").css_first(ACTIVE) is None
    assert "@everyone" not in html.unescape(tree(plain_sentence(HOSTILE)).body.text(deep=False))


def test_a_long_text_is_cut_in_its_middle() -> None:
    assert shorten("a" * 50 + "b" * 50, 11) == "aaaaaa…bbbb"
    assert shorten("short", 11) == "short"


def test_raw_html_in_the_manual_is_shown_and_not_obeyed() -> None:
    page = rendered("# Title\n\n<script>x</script> [l](javascript:alert(1)) **bold**")
    assert "<script>" not in page
    assert "javascript:" not in page.split("href")[-1] or "href" not in page
    assert "<strong>bold</strong>" in page


def test_an_option_in_the_manual_is_not_broken_behind_its_dashes() -> None:
    made = str(rendered("Use `--log_samples`, not `a --b c` or `<b>`."))
    assert '<code class="nowrap">--log_samples</code>' in made
    assert "<code>a --b c</code>" in made
    assert "<b>" not in made
