"""Attention of any model as a heatmap in a notebook, and as one HTML file, without Streamlit.

from app.anywhere import heatmap, watch
heatmap(weights, tokens).save("attention.html")

with watch(model) as run:
    model(**inputs)
run.heatmap(tokens)
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from app import i18n
from app.components.document import DocumentAttention, DocumentHead, Figure, document
from app.components.grid import Weights
from app.format import row_names
from app.i18n import _
from model.interpret.watch import Recording, Tokens, recorded
from model.interpret.weights import stacked

MANY: Final = 4096  # cells of a head: with more, the first picture is of all heads


class WatchedRun(Recording):
    """What the attentions of a module gave while it was watched."""

    def heatmap(
        self,
        src: Tokens | None = None,
        tgt: Tokens | None = None,
        *,
        item: int = 0,
        title: str = "",
        language: str = i18n.DEFAULT,
    ) -> Figure:
        """Draw all attention of one item of the batch: `src` is what the encoder reads.

        A model with one sequence has `src` alone. With one token more than the decoder read, the
        rows are named "after read → written". Raises ValueError where the tokens do not fit.
        """
        with i18n.speaking(language):
            groups = self.groups(src, tgt, item)
            return _figure({g.path: _labelled(g.weights, g.rows, g.cols) for g in groups}, title)


def heatmap(
    weights: Any,
    rows: Sequence[str] | None = None,
    cols: Sequence[str] | None = None,
    *,
    title: str = "",
    language: str = i18n.DEFAULT,
) -> Figure:
    """Draw attention weights: (T, S), (H, T, S), a list of layers, or what `generate` returns.

    With one token more than rows, these are named "after read → written". Without `cols`, the keys
    are named as the queries; without `rows`, by numbers. Raises ValueError for any other shape.
    """
    array = stacked(weights)
    T, S = array.shape[-2:]
    rows = [str(i + 1) for i in range(T)] if rows is None else rows
    with i18n.speaking(language):
        return _figure({"": _labelled(array, rows, rows[:S] if cols is None else cols)}, title)


@contextmanager
def watch(module: Any) -> Iterator[WatchedRun]:
    """Record the attention of a module while it computes, and leave it as it was."""
    run = WatchedRun()
    with recorded(module, run):
        yield run


def _labelled(array: np.ndarray, rows: Sequence[str], cols: Sequence[str]) -> Weights:
    """Return weights (L, H, T, S) with their labels; raises ValueError if these do not fit."""
    T, S = array.shape[-2:]
    rows, cols = [*map(str, rows)], [*map(str, cols)]
    if len(rows) not in (T, T + 1) or len(cols) != S:
        raise ValueError(
            f"Weights of {T} rows and {S} columns want {T} row names (or {T + 1}, the last one "
            f"written) and {S} column names, not {len(rows)} and {len(cols)}."
        )
    return Weights(array, rows if len(rows) == T else row_names(rows[:-1], rows[-1]), cols)


def _figure(attentions: dict[str, Weights], title: str) -> Figure:
    masks = {name: [None] * len(one.values) for name, one in attentions.items()}
    drawn = {name: DocumentAttention(name, one, masks[name]) for name, one in attentions.items()}
    name, first = next(iter(attentions.items()))
    view = "matrix" if first.values[0, 0].size <= MANY else "wall"
    chosen: dict[str, str | int] = {"view": view, "kind": name, "layer": 0, "head": 0}
    return Figure(document(drawn, chosen, DocumentHead(title or _("Attention"), "", {}, "")))
