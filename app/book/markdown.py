"""Markdown as the app writes it, with Streamlit's directives and formulas, as harmless HTML."""

import re
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from app.book.formulas import mathml

DIRECTIVE: Final = re.compile(r":([a-z]+(?:-[a-z]+)*)\[")
MATERIAL: Final = re.compile(r":material/(\w+):")
# The signs of the icons that say something where they stand; the others are left out.
SIGNS: Final = {
    "verified": "✓",
    "check": "✓",
    "error": "✗",
    "warning": "⚠",
    "lightbulb": "✦",
    "replay": "↻",
    "table": "▦",
    "data_array": "▦",
    "code": "‹›",
    "function": "ƒ",
    "more_horiz": "⋯",
    "search": "⌕",
    "play_arrow": "▶",
    "pause": "❚❚",
    "menu_book": "▤",
    "arrow_back": "←",
    "arrow_forward": "→",
    "arrow_downward": "↓",
    "info": "ℹ",
}


def rich(text: str) -> str:
    """Return a text of several paragraphs as HTML."""
    return str(_parser().render(text))


def inline(text: str) -> str:
    """Return the text of a label as HTML."""
    return str(_parser().renderInline(text))


def formula(latex: str, display: bool) -> str:
    """Return a formula as HTML."""
    look = "formula display" if display else "formula"
    return f'<span class="{look}">{mathml(latex.strip(), display)}</span>'


def icon(name: str) -> str:
    """Return the sign of an icon, by its name or as ":material/name:"."""
    sign = SIGNS.get(name.removeprefix(":material/").removesuffix(":"), "")
    return f'<span class="icon" aria-hidden="true">{sign}</span>' if sign else ""


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.inline.ruler.before("escape", "formula", _formula)
    parser.inline.ruler.before("escape", "directive", _directive)
    parser.add_render_rule("formula", _render_formula)
    parser.add_render_rule("icon", lambda _self, tokens, i, *_rest: icon(tokens[i].content))
    return parser


def _render_formula(_self: Any, tokens: Any, i: int, *_rest: Any) -> str:
    return formula(tokens[i].content, tokens[i].markup == "$$")


def _formula(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    mark = "$$" if state.src.startswith("$$", state.pos) else "$"
    start = state.pos + len(mark)
    end = state.src.find(mark, start)
    if end <= start:
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content, token.markup = state.src[start:end], mark
    state.pos = end + len(mark)
    return True


def _directive(state: StateInline, silent: bool) -> bool:
    if material := MATERIAL.match(state.src, state.pos):
        if not silent:
            state.push("icon", "", 0).content = material[1]
        state.pos = material.end()
        return True
    found = DIRECTIVE.match(state.src, state.pos)
    end = _closing(state.src, found.end(), state.posMax) if found else -1
    if found is None or end < 0:
        return False
    if not silent:
        token = state.push("span_open", "span", 1)
        token.attrSet("class", f"of-{found[1]}")
        last, state.pos, state.posMax = state.posMax, found.end(), end
        state.md.inline.tokenize(state)
        state.posMax = last
        state.push("span_close", "span", -1)
    state.pos = end + 1
    return True


def _closing(text: str, start: int, end: int) -> int:
    """Return where the bracket that is open at `start` is closed; -1 where it is not."""
    depth = 1
    i = start
    while i < end:
        if text[i] == "\\":
            i += 1
        elif text[i] in "[]":
            depth += 1 if text[i] == "[" else -1
            if depth == 0:
                return i
        i += 1
    return -1
