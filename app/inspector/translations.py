"""What the model writes in two runs, one line each, with the words that differ marked."""

import html
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from app.data.changed import Changed
from app.inspector.changes import run_name
from app.ui.chosen import pair
from app.ui.kept import show_html


class Line(NamedTuple):
    """A text of a run, with what stands before it, and its language."""

    title: str
    text: str
    language: str


def draw_translations(run: Changed) -> None:
    """Draw both translations of a changed run."""
    _source, target = pair(run.original.model)
    before, after = run.original.output, run.translation.output
    lines = Line(run_name("before"), before, target), Line(run_name("after"), after, target)
    draw_lines("both-runs", *lines)


def draw_lines(name: str, one: Line, other: Line) -> None:
    """Draw two texts; what only one of them has is marked, and not by colour alone."""
    before, after = one.text.split(), other.text.split()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    in_before = {block.a + i for block in blocks for i in range(block.size)}
    in_after = {block.b + i for block in blocks for i in range(block.size)}
    rows = _line(one, before, in_before, "s") + _line(other, after, in_after, "mark")
    show_html(f'<div class="both-runs" data-testid="{name}">{rows}</div>')


def _line(line: Line, words: Sequence[str], shared: Collection[int], tag: str) -> str:
    marked = " ".join(
        html.escape(word) if i in shared else f"<{tag}>{html.escape(word)}</{tag}>"
        for i, word in enumerate(words)
    )
    language = html.escape(line.language, quote=True)
    return f'<small>{html.escape(line.title)}</small><span lang="{language}">{marked or "∅"}</span>'
