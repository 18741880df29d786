"""Chapter 3: the place of each word, added to its vector as waves."""

import streamlit as st

from app.data.walk import Cell
from app.i18n import N_, _
from app.inspect.picks import pick_word
from app.inspect.side import SENTENCES, pick_side
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.positions import texts
from app.views.walk.positions.data import position_dots
from app.views.walk.positions.dots import dots_text, draw_dots
from app.views.walk.positions.order import draw_order
from app.views.walk.positions.place import Place, place_of
from app.views.walk.positions.sum import draw_sum, sum_text
from app.views.walk.positions.waves import draw_layouts, draw_waves, layouts_text, waves_text


def pick_place(place: Place) -> None:
    """Draw the choice of a side and of a word in it."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        pick_side(_("Positions of"), SENTENCES)
    pick_word(place.tokens, _("Word"), place.position)
    if not place.has_positions:
        st.info(_(texts.NONE))


def task(place: Place) -> Task:
    """Ask which two positions are as near to each other as two given ones."""
    a = place.position
    pairs = [(a + 7, a + 8), (a + 5, a + 8), (a + 6, a + 8), (a, a + 4), (a + 1, a + 6)]
    dots = position_dots(a + 10, place.d_model, place.layout)
    nearness = dots[a, a + 2]
    names = [_("{a} and {b}").format(a=a, b=b) for a, b in pairs]
    same = [abs(dots[pair] - nearness) < 1e-6 * max(1, nearness) for pair in pairs]
    answers = [i for i, is_same in enumerate(same) if is_same]
    others = [f"{names[i]}: {dots[pair]:.3f}" for i, pair in enumerate(pairs) if i not in answers]
    return Task.of(
        texts.TASK,
        names,
        answers,
        texts.TASK_RIGHT,
        texts.TASK_WRONG,
        a=a,
        b=a + 2,
        value=f"{nearness:.3f}",
        pairs=", ".join(names[i] for i in answers),
        distance=2,
        other=", ".join(others),
    )


SECTIONS = (
    Section("sum", texts.SUM_TITLE, draw_sum, sum_text),
    Section("waves", texts.WAVES_TITLE, draw_waves, waves_text),
    Section("layouts", texts.LAYOUTS_TITLE, draw_layouts, layouts_text),
    Section("dots", texts.DOTS_TITLE, draw_dots, dots_text, lambda place: place.has_positions),
    Section("lost", texts.LOST_TITLE, draw_order, texts.LOST),
)

CODE = (
    Code(
        N_("Embedding plus position"),
        r"x_{pos} = \sqrt{d_\text{model}} \cdot \text{embedding}_{pos} + p_{pos}",
        "model.nn.transformer:Transformer.embed",
    ),
    Code(
        N_("The position vectors"),
        r"p_{pos,\,2i} = \sin\frac{pos}{10000^{2i/d_\text{model}}} \qquad"
        r" p_{pos,\,2i+1} = \cos\frac{pos}{10000^{2i/d_\text{model}}}",
        "model.nn.positional:positional_encoding",
    ),
    Code(
        N_("Taking the positions away: a hook that returns zeros"),
        r"p_{pos} \leftarrow 0",
        "model.nn.hooks:Intervention",
    ),
)

draw_page(
    WalkPage(
        slug="positions",
        intro=texts.INTRO,
        select=place_of,
        pick=pick_place,
        sections=SECTIONS,
        scopes=lambda _place: ("src", "tgt"),
        start=lambda place: Cell(f"{place.side}.sum", (place.position, 0)),
        task=task,
        code=CODE,
    )
)
