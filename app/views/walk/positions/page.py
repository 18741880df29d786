"""Chapter 3: the place of each word, added to its vector as waves."""

import streamlit as st

from app.format import escape, maths, number
from app.i18n import N_, _
from app.inspector.picks import pick_word
from app.inspector.side import SENTENCES, pick_side
from app.page.declare import Code, Drawer, Myth, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.positions import texts
from app.views.walk.positions.data import position_dots
from app.views.walk.positions.dots import (
    dots_row_text,
    dots_text,
    draw_dots,
    draw_dots_row,
    guess_dots,
)
from app.views.walk.positions.order import (
    draw_order,
    draw_outputs,
    guess_order,
    outputs_text,
    pick_order,
)
from app.views.walk.positions.place import Place, place_of
from app.views.walk.positions.sum import all_text, draw_all, draw_sum, sum_text
from app.views.walk.positions.waves import (
    draw_layouts,
    draw_waves,
    layouts_text,
    pick_pair,
    waves_text,
)


def no_choice(place: Place) -> None:
    """Draw no choice; say it where the model has no positions."""
    if not place.has_positions:
        st.info(_(texts.NONE))


def pick_place(place: Place) -> None:
    """Draw the choice of a side and of a token in it."""
    left, right = st.columns([0.35, 0.65], vertical_alignment="bottom")
    with left:
        pick_side(_("Positions of"), SENTENCES)
    with right:
        pick_word(place.tokens, _("Token"), place.position)
    no_choice(place)


def pick_waves(place: Place) -> None:
    """Draw the choice of a token and of a pair of sine and cosine."""
    left, right = st.columns([0.55, 0.45], vertical_alignment="bottom")
    with left:
        pick_word(place.tokens, _("Token"), place.position)
    with right:
        pick_pair(place)
    no_choice(place)


def pick_reordered(place: Place) -> None:
    """Draw the choice of an order and of a token of the source."""
    left, right = st.columns([0.45, 0.55], vertical_alignment="bottom")
    with left:
        pick_order()
    with right:
        pick_word(place.walk.capture.src, _("Token"), place.source_position)


def pick_all(place: Place) -> None:
    """Draw every choice of the page."""
    pick_place(place)
    left, right = st.columns([0.45, 0.55], vertical_alignment="bottom")
    with left:
        pick_order()
    with right:
        pick_pair(place)


def myth(place: Place) -> Myth:
    """Refute that the product of two positions is a score."""
    walk, a = place.walk, place.source_position
    b = a + 1 if a + 1 < len(walk.capture.src) else a - 1
    p = walk.array("src.pos").astype(float)
    score = float(walk.array("encoder.0.self_attn.scores")[0, a, b])
    words = (escape(walk.capture.src[i].text) for i in (a, b))
    truth = texts.TRUTH_PRE if walk.config.norm == "pre" else texts.TRUTH
    values = {"dot": number(float(p[a] @ p[b])), "score": number(score)}
    return Myth(
        _(texts.MYTH), maths(_(truth).format(**dict(zip("ab", words, strict=True)), **values))
    )


def task(place: Place) -> Task:
    """Ask which two positions are as near to each other as two given ones."""
    a = place.position
    pairs = [(a + 7, a + 8), (a + 5, a + 8), (a + 6, a + 8), (a, a + 4), (a + 1, a + 6)]
    dots = position_dots(a + 10, place.d_model, place.layout)
    nearness = dots[a, a + 2]
    names = [_("{a} and {b}").format(a=a, b=b) for a, b in pairs]
    same = [abs(dots[pair] - nearness) < 1e-6 * max(1, nearness) for pair in pairs]
    answers = [i for i, is_same in enumerate(same) if is_same]
    value = number(nearness, 3)
    reason = _(texts.TASK_REASON)
    told = [
        reason.format(pair=name, apart=pair[1] - pair[0], other=number(dots[pair], 3), value=value)
        for name, pair in zip(names, pairs, strict=True)
    ]
    right = ", ".join(names[i] for i in answers)
    return Task(
        _(texts.TASK).format(a=a, b=a + 2, value=value),
        names,
        frozenset(answers),
        _(texts.TASK_RIGHT).format(pairs=right, value=value, distance=2),
        "",
        told,
    )


SECTIONS = (
    Section(
        "sum",
        texts.SUM_TITLE,
        draw_sum,
        sum_text,
        pick=pick_place,
        drawers=(Drawer("all", texts.ALL_TITLE, draw_all, all_text),),
        code=(
            Code(
                N_("Embedding plus position"),
                r"x_{pos} = \sqrt{d_\text{model}} \cdot \text{embedding}_{pos} + p_{pos}",
                "model.nn.transformer:Transformer.embed",
            ),
        ),
    ),
    Section(
        "waves",
        texts.WAVES_TITLE,
        draw_waves,
        waves_text,
        pick=pick_waves,
        drawers=(Drawer("layouts", texts.LAYOUTS_TITLE, draw_layouts, layouts_text),),
        code=(
            Code(
                N_("The position vectors"),
                r"p_{pos,\,2i} = \sin\frac{pos}{10000^{2i/d_\text{model}}} \qquad"
                r" p_{pos,\,2i+1} = \cos\frac{pos}{10000^{2i/d_\text{model}}}",
                "model.nn.positional:positional_encoding",
            ),
        ),
    ),
    Section(
        "dots",
        texts.DOTS_TITLE,
        draw_dots,
        dots_text,
        lambda place: place.has_positions,
        pick=pick_place,
        guess=guess_dots,
        beside=((dots_row_text, draw_dots_row),),
        was=("dots-row",),
    ),
    Section(
        "lost",
        texts.LOST_TITLE,
        draw_order,
        texts.LOST,
        guess=guess_order,
        pick=pick_reordered,
        drawers=(Drawer("outputs", texts.OUTPUTS_TITLE, draw_outputs, outputs_text),),
        was=("strips",),
        code=(
            Code(
                N_("Taking the positions away: a hook that returns zeros"),
                r"p_{pos} \leftarrow 0",
                "model.nn.hooks:Intervention",
            ),
        ),
    ),
)


PAGE = WalkPage(
    slug="positions",
    intro=texts.INTRO,
    select=place_of,
    pick=pick_all,
    task_pick=pick_place,
    sections=SECTIONS,
    myth=myth,
    scopes=lambda _place: ("src", "tgt"),
    task=task,
)

if __name__ == "__main__":
    draw_page(PAGE)
