"""The residual stream layer by layer, and the order of adding and normalising."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import streamlit as st

from app.format import escape, number
from app.i18n import _
from app.inspector.arrays import arrays
from app.ui.chart import show_chart
from app.views.walk.add_norm import texts
from app.views.walk.add_norm.order_chart import norm_order
from app.views.walk.add_norm.steps import cosine, length
from app.views.walk.add_norm.stream_chart import stream_lines
from app.views.walk.add_norm.sublayer import Sub

FOLD = 32  # numbers a line of a small picture
MOST = 9  # strips that fit into a window
HIGH = 260  # of the drawing of a layer, in pixels: the page does not scroll


@dataclass(frozen=True, eq=False)
class Stream:
    """One word's stream: N steps by array and by what they are called, (N,) or (N - 1,)."""

    names: tuple[str, ...]
    steps: tuple[str, ...]
    lengths: np.ndarray
    added: np.ndarray
    cosines: np.ndarray

    @property
    def turned(self) -> str:
        """The step that turned the vector most."""
        return self.steps[int(self.cosines.argmin()) + 1]


def stream(sub: Sub) -> Stream:
    """Return the stream of the word, with what each sub-layer added and how far it turned it."""
    walk = sub.walk
    _first, *later = names = walk.stream(sub.stack)
    vectors = [np.asarray(walk.array(name, (sub.word,)), dtype=float) for name in names]
    adds = [f"{name.rpartition('.')[0]}.add" for name in later]
    added = [walk.array(walk.inputs(add)[1], (sub.word,)) for add in adds]
    return Stream(
        names=names,
        steps=(_("x + p"), *(_step(sub, name) for name in later)),
        lengths=np.linalg.norm(vectors, axis=1),
        added=np.linalg.norm(np.asarray(added, dtype=float), axis=1),
        cosines=np.array([cosine(a, b) for a, b in pairwise(vectors)]),
    )


def _step(sub: Sub, name: str) -> str:
    """Name a step by its layer and sub-layer."""
    _stack, layer, add_norm, _last = name.split(".")
    part = sub.parts[int(add_norm[-1]) - 1]
    return _("Layer {n} · {part}").format(n=int(layer) + 1, part=_(texts.PARTS[part]))


def stream_text(sub: Sub) -> str:
    """Say how long the vector is at both ends, and which sub-layer adds and turns the most."""
    of = stream(sub)
    return _(texts.STREAM).format(
        word=escape(sub.text),
        first=number(of.lengths[0], 1),
        last=number(of.lengths[-1], 1),
        longest=of.steps[int(of.added.argmax()) + 1],
        turned=of.turned,
        cosine=number(of.cosines.min()),
    )


def draw_stream(sub: Sub) -> None:
    """Draw how long the chosen word's vector is, what is added, and how far it turns."""
    of = stream(sub)
    lengths, added = _("length of the stream"), _("length of what was added")
    names = (lengths, added, _("cosine to the step before"))
    figure = stream_lines(of.lengths, of.added, of.cosines, of.steps, names=names)
    values = of.lengths.tolist(), [0.0, *of.added.tolist()], [1.0, *of.cosines.tolist()]
    columns = {_("step"): of.steps, **dict(zip(names, values, strict=True))}
    alt = _("The residual stream of one token, layer by layer")
    show_chart(figure, "stream", alt, lambda: columns)


def strips_text(sub: Sub) -> str:
    """Say whose vector is drawn, and after which steps."""
    text = texts.STREAM_LAYERS if _is_long(sub) else texts.STREAM_STRIPS
    return _(text).format(word=escape(sub.text))


def draw_strips(sub: Sub) -> None:
    """Draw the vector of the chosen token after each step, or after each of many layers."""
    of = stream(sub)
    steps = [*zip(of.names, of.steps, strict=True)]
    if _is_long(sub):
        ends = enumerate(of.names[len(sub.parts) :: len(sub.parts)], start=1)
        steps = [steps[0], *((name, _("Layer {n}").format(n=layer)) for layer, name in ends)]
    arrays(sub.walk, [sub.strip(name, step, fold=FOLD) for name, step in steps], "stream-strips")


def _is_long(sub: Sub) -> bool:
    return len(sub.walk.stream(sub.stack)) > MOST


def around_text(sub: Sub) -> str:
    """Say in which order this model computes, and what the order is worth."""
    around = _(texts.AROUND).format(word=escape(sub.text))
    return f"{_(texts.STEPS[sub.order])} {around} {_(texts.ORDER)}"


def draw_order(sub: Sub) -> None:
    """Draw one layer with post- and with pre-norm; the model's own has its numbers."""
    for column, order in zip(st.columns(2), ("post", "pre"), strict=True):
        title = _(texts.ORDER_NAMES[order])
        if order == sub.order:
            title = _(texts.THIS_MODEL).format(order=title)
        with column:
            st.markdown(f"**{title}**")
            _draw_layer(sub, order, f"{order}-norm")


def _draw_layer(sub: Sub, order: str, key: str) -> None:
    parts = [_(texts.PARTS[part]) for part in sub.parts]
    names = (_("x, from below"), _("add"), _("normalise"), _("last norm, once"))
    lengths = _lengths(sub) if order == sub.order else ()
    post = order == "post"
    figure = norm_order(parts, post=post, names=names, lengths=lengths, height=HIGH)
    show_chart(figure, key, _(texts.ORDER_NAMES[order]))


def _lengths(sub: Sub) -> list[str]:
    """Return the length of the chosen word's vector after each step of its layer, in order."""
    inputs = sub.walk.inputs
    names = [inputs(f"{sub.scope}.add_norm_1.add")[0]]
    for i in range(len(sub.parts)):
        add, norm = (f"{sub.scope}.add_norm_{i + 1}.{step}" for step in ("add", "norm"))
        out = inputs(add)[1]
        names += [out, add, norm] if sub.order == "post" else [norm, out, add]
    return [length(sub.walk.array(name, (sub.word,))) for name in names]
