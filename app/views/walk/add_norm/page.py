"""Chapter 6: what happens to each word around and after attention."""

import streamlit as st

from app.data.walk import Cell, Walk
from app.i18n import N_, _
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.add_norm import texts
from app.views.walk.add_norm.ffn import draw_maps, draw_unit
from app.views.walk.add_norm.steps import draw_add, draw_norm, largest
from app.views.walk.add_norm.stream import draw_order, draw_stream, stream
from app.views.walk.add_norm.sublayer import Sub, pick_sub, sub_of

OPTIONS = 8
CODE = (
    Code(
        N_("Add and normalise, in either order"),
        r"\text{post: } \text{norm}(x + \text{sub}(x)) \qquad"
        r" \text{pre: } x + \text{sub}(\text{norm}(x))",
        "model.nn.layers",
        "AddNorm.forward",
    ),
    Code(
        N_("Normalise, as this page checks it"),
        r"\text{norm}(x) = \gamma \odot \frac{x - \mu}{\sigma} + \beta, \quad"
        r" \mu = \tfrac{1}{d}\textstyle\sum_i x_i, \quad"
        r" \sigma = \sqrt{\tfrac{1}{d}\textstyle\sum_i (x_i - \mu)^2 + \varepsilon}",
        "model.interpret.calculation.numbers",
        "deviation",
    ),
    Code(
        N_("Feed-forward"),
        r"\text{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2",
        "model.nn.layers",
        "FeedForward.forward",
    ),
)


def body(walk: Walk) -> None:
    """Draw add and normalise in the model's own order, the feed-forward network, the stream."""
    sub = pick_sub(walk)
    pre = walk.config.norm == "pre"
    st.markdown(_(_order(sub)))
    steps = [draw_add, draw_norm]
    if sub.is_last_norm:
        del steps[0]
    for draw in reversed(steps) if pre else steps:
        draw(sub)
    draw_maps(sub)
    draw_unit(sub)
    draw_stream(sub)
    draw_order(sub)


def _order(sub: Sub) -> str:
    if sub.is_last_norm:
        return texts.LAST_NORM
    return texts.PRE_FIRST if sub.walk.config.norm == "pre" else texts.POST_FIRST


def scopes(walk: Walk) -> tuple[str, ...]:
    """Name what the badge recomputes: the sub-layers' outputs, sums, norms and feed-forward."""
    sub = sub_of(walk)
    count = len(
        [n for n in walk.numbers.stages if n.startswith(f"{sub.stack}.") and ".ffn.out" in n]
    )
    layers = [f"{sub.stack}.{i}" for i in range(count)]
    norms = [f"{layer}.add_norm_{n}" for layer in layers for n in _norms(walk, layer)]
    own = (sub.norm,) if sub.is_last_norm else (sub.out,)
    return ("src.sum" if sub.side == "src" else "tgt.sum", f"{sub.scope}.ffn", *norms, *own)


def _norms(walk: Walk, layer: str) -> list[int]:
    return [n for n in (1, 2, 3) if f"{layer}.add_norm_{n}.norm" in walk.numbers.stages]


def start(walk: Walk) -> Cell:
    """Open the normalised form of the number that stands out most."""
    sub = sub_of(walk)
    return Cell(sub.norm, (sub.word, largest(sub)))


def task(walk: Walk) -> Task:
    """Ask which sub-layer turns the chosen word the most."""
    sub = sub_of(walk)
    of = stream(walk, sub.side, sub.word)
    shown = sorted(of.cosines.argsort(kind="stable")[:OPTIONS].tolist())
    least = float(of.cosines.min())
    return Task(
        question=_(texts.TASK).format(word=sub.text),
        options=[of.steps[i + 1] for i in shown],
        answers=frozenset(i for i, at in enumerate(shown) if of.cosines[at] == least),
        right=_(texts.TASK_RIGHT).format(
            name=of.steps[int(of.cosines.argmin()) + 1], cosine=f"{least:.3f}"
        ),
        wrong=_(texts.TASK_WRONG).format(cosine=f"{least:.3f}"),
    )


draw_page(
    WalkPage(
        slug="add_norm",
        intro=texts.INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
    )
)
