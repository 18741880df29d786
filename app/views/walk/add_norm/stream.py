"""The residual stream layer by layer, and the order of adding and normalising."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import streamlit as st

from app.charts.toolbar import plot_config
from app.data.walk import Walk
from app.format import escape
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.side import Side
from app.ui.chart import theme_mode
from app.ui.section import section
from app.ui.table import table, table_fold
from app.views.walk.add_norm import texts
from app.views.walk.add_norm.data import residual_stream
from app.views.walk.add_norm.order_chart import norm_order
from app.views.walk.add_norm.steps import cosine, length
from app.views.walk.add_norm.stream_chart import stream_lines
from app.views.walk.add_norm.sublayer import PARTS, Sub


@dataclass(frozen=True, eq=False)
class Stream:
    """One word's stream: N steps by array and by what they are called, (N,) or (N - 1,)."""

    names: tuple[str, ...]
    steps: tuple[str, ...]
    lengths: np.ndarray
    added: np.ndarray
    cosines: np.ndarray


def stream(walk: Walk, side: Side, word: int) -> Stream:
    """Return the stream of a word, with what each sub-layer added and how far it turned it."""
    found = residual_stream(walk.capture, "encoder" if side == "src" else "decoder")
    vectors = [np.asarray(array[word], dtype=float) for array in found.values()]
    added = [_added(walk, name)[word] for name in list(found)[1:]]
    return Stream(
        names=tuple(found),
        steps=(_("x + p"), *(_step(name, side) for name in list(found)[1:])),
        lengths=np.array([np.linalg.norm(vector) for vector in vectors]),
        added=np.array([np.linalg.norm(vector) for vector in added]),
        cosines=np.array([cosine(a, b) for a, b in pairwise(vectors)]),
    )


def _added(walk: Walk, name: str) -> np.ndarray:
    """Return what the sub-layer that leaves this part of the stream added to it."""
    add = name.rpartition(".")[0] + ".add"
    return walk.array(walk.numbers.stages[add].inputs[1])


def _step(name: str, side: Side) -> str:
    """Name a step by its layer and sub-layer."""
    _stack, layer, part, _last = name.split(".")
    sub = PARTS[side][int(part.rpartition("_")[2]) - 1]
    return _("Layer {n} · {part}").format(n=int(layer) + 1, part=_(texts.PARTS[sub]))


def draw_stream(sub: Sub) -> None:
    """Draw how long the chosen word's vector is, what is added, and how far it turns."""
    walk, of = sub.walk, stream(sub.walk, sub.side, sub.word)
    section(
        _("The residual stream"),
        _(texts.STREAM).format(
            word=escape(sub.text),
            first=f"{of.lengths[0]:.1f}",
            last=f"{of.lengths[-1]:.1f}",
            longest=of.steps[int(of.added.argmax()) + 1],
            turned=of.steps[int(of.cosines.argmin()) + 1],
            cosine=f"{of.cosines.min():.2f}",
        ),
    )
    names = (
        _("length of the stream"),
        _("length of what was added"),
        _("cosine to the step before"),
    )
    figure = stream_lines(
        of.lengths, of.added, of.cosines, of.steps, names=names,
        mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(
        figure, theme=None, config=plot_config("stream"), key="stream",
        alt=_("The residual stream of one word, layer by layer"),
    )  # fmt: skip
    table_fold(
        "stream",
        lambda: table(
            {
                _("step"): [*of.steps],
                names[0]: of.lengths.tolist(),
                names[1]: [0.0, *of.added.tolist()],
                names[2]: [1.0, *of.cosines.tolist()],
            },
            "stream",
        ),
    )
    st.markdown(_(texts.STREAM_STRIPS))
    at = (sub.word, None)
    strips = [grid(walk, name, at, step) for name, step in zip(of.names, of.steps, strict=True)]
    arrays(walk, strips, key="stream-strips")


def draw_order(sub: Sub) -> None:
    """Draw one layer with post- and with pre-norm; the model's own has its numbers."""
    walk, post = sub.walk, sub.walk.config.norm == "post"
    section(_("Normalise after or before?"), _(texts.ORDER))
    parts = [_(texts.PARTS[part]) for part in PARTS[sub.side]]
    for column, order in zip(st.columns(2), ("post", "pre"), strict=True):
        mine = order == walk.config.norm
        name = _(texts.ORDER_NAMES[order])
        title = _(texts.THIS_MODEL).format(order=name) if mine else name
        figure = norm_order(
            parts,
            post=order == "post",
            names=(_("x, from below"), _("add"), _("normalise"), _("last norm, once")),
            lengths=_lengths(sub, post) if mine else (),
            mode=theme_mode(),
        )
        with column:
            st.markdown(f"**{title}**")
            st.plotly_chart(
                figure, theme=None, config=plot_config(f"{order}-norm"), key=f"order-{order}",
                alt=title,
            )  # fmt: skip
    st.caption(_(texts.ORDER_HERE).format(word=escape(sub.text)))


def _lengths(sub: Sub, post: bool) -> list[str]:
    """Return the length of the chosen word's vector after each step of its layer, in order."""
    walk, stages = sub.walk, sub.walk.numbers.stages
    first = stages[f"{sub.scope}.add_norm_1.add"].inputs[0]
    names = [first]
    for i in range(len(PARTS[sub.side])):
        scope = f"{sub.scope}.add_norm_{i + 1}"
        out = stages[f"{scope}.add"].inputs[1]
        names += (
            [out, f"{scope}.add", f"{scope}.norm"]
            if post
            else [f"{scope}.norm", out, f"{scope}.add"]
        )
    return [length(np.asarray(walk.array(name, (sub.word, None)))) for name in names]
