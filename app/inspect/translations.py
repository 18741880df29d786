"""What the model writes in two runs, one line each, with the words that differ marked."""

import html
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

import streamlit as st

from app.data.changed import Changed
from app.inspect.changes import run_name
from app.ui.chosen import pair


def draw_translations(run: Changed) -> None:
    """Draw both translations; what only one of them has is marked, and not by colour alone."""
    before, after = run.original.output.split(), run.translation.output.split()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    in_before = {block.a + i for block in blocks for i in range(block.size)}
    in_after = {block.b + i for block in blocks for i in range(block.size)}
    rows = _line(run_name("before"), before, in_before, "s")
    rows += _line(run_name("after"), after, in_after, "mark")
    _source, target = pair(run.original.model)
    lang = html.escape(target, quote=True)
    st.html(f'<div class="both-runs" data-testid="both-runs" lang="{lang}">{rows}</div>')


def _line(name: str, words: Sequence[str], shared: Collection[int], tag: str) -> str:
    marked = " ".join(
        html.escape(word) if i in shared else f"<{tag}>{html.escape(word)}</{tag}>"
        for i, word in enumerate(words)
    )
    return f"<small>{html.escape(name)}</small><span>{marked or '∅'}</span>"
