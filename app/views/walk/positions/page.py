"""Chapter 3: the place of each word, added to its vector as waves."""

import streamlit as st

from app.data.walk import Cell, Walk
from app.i18n import N_, _
from app.inspect.picks import pick_word, word_of
from app.inspect.side import SENTENCES, SIDE, pick_side, tokens
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.positions import texts
from app.views.walk.positions.data import position_dots
from app.views.walk.positions.order import draw_lost
from app.views.walk.positions.sum import draw_sum
from app.views.walk.positions.waves import draw_dots, draw_layouts, draw_waves, layout_of

DEFAULT = 1  # at position 0 all sines are 0 and all cosines 1: a poor example
CODE = (
    Code(
        N_("Embedding plus position"),
        r"x_{pos} = \sqrt{d_\text{model}} \cdot \text{embedding}_{pos} + p_{pos}",
        "model.nn.transformer",
        "Transformer.embed",
    ),
    Code(
        N_("The position vectors"),
        r"p_{pos,\,2i} = \sin\frac{pos}{10000^{2i/d_\text{model}}} \qquad"
        r" p_{pos,\,2i+1} = \cos\frac{pos}{10000^{2i/d_\text{model}}}",
        "model.nn.positional",
        "positional_encoding",
    ),
    Code(
        N_("Taking the positions away: a hook that returns zeros"),
        r"p_{pos} \leftarrow 0",
        "model.nn.hooks",
        "Intervention",
    ),
)


def body(walk: Walk) -> None:
    """Draw x + p, the waves, their layouts and products, and what is lost without them."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        side = pick_side(_("Positions of"), SENTENCES)
    word = pick_word(tokens(walk, side), _("Word"), DEFAULT)
    if walk.config.positions == "none":
        st.info(_(texts.NONE))
    draw_sum(walk, side, word)
    draw_waves(walk, side, word)
    draw_layouts(walk, side, word)
    if walk.config.positions != "none":
        draw_dots(walk, side, word)
    draw_lost(walk, side, word)


def scopes(walk: Walk) -> tuple[str, ...]:
    """Name what the badge recomputes: embeddings, positions and their sums of both sides."""
    return ("src", "tgt")


def start(walk: Walk) -> Cell:
    """Open one number of x + p."""
    side = SIDE.get()
    return Cell(f"{side}.sum", (word_of(tokens(walk, side), DEFAULT), 0))


def task(walk: Walk) -> Task:
    """Ask which two positions are as near to each other as two given ones."""
    side = SIDE.get()
    a = word_of(tokens(walk, side), DEFAULT)
    pairs = [(a + 7, a + 8), (a + 5, a + 8), (a + 6, a + 8), (a, a + 4), (a + 1, a + 6)]
    dots = position_dots(a + 10, walk.config.d_model, layout_of(walk.config))
    value = dots[a, a + 2]
    right = [i for i, pair in enumerate(pairs) if abs(dots[pair] - value) < 1e-6 * max(1, value)]
    names = [_("{a} and {b}").format(a=a, b=b) for a, b in pairs]
    others = ", ".join(
        f"{name}: {dots[pair]:.3f}"
        for i, (name, pair) in enumerate(zip(names, pairs, strict=True))
        if i not in right
    )
    return Task(
        question=_(texts.TASK).format(a=a, b=a + 2, value=f"{value:.3f}"),
        options=names,
        answers=frozenset(right),
        right=_(texts.TASK_RIGHT).format(
            pairs=", ".join(names[i] for i in right), value=f"{value:.3f}", distance=2
        ),
        wrong=_(texts.TASK_WRONG).format(other=others, value=f"{value:.3f}"),
    )


draw_page(
    WalkPage(
        slug="positions",
        intro=texts.INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
    )
)
