"""Chapter 6: what happens to each word around and after attention."""

from collections.abc import Callable

import streamlit as st

from app.format import number
from app.i18n import N_, _
from app.inspector.naming import scope_names
from app.page.declare import Code, Drawer, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.walk.add_norm import texts
from app.views.walk.add_norm.ffn import (
    draw_maps,
    draw_shares,
    draw_unit,
    draw_words,
    guess_share,
    maps_text,
    maps_title,
    pick_unit,
    shares_text,
    unit_text,
    words_text,
)
from app.views.walk.add_norm.steps import (
    add_text,
    draw_add,
    draw_each,
    draw_norm,
    draw_one,
    draw_rows,
    guess_angle,
    myth,
    norm_text,
    one_text,
    rows_text,
)
from app.views.walk.add_norm.stream import (
    around_text,
    draw_order,
    draw_stream,
    draw_strips,
    stream,
    stream_text,
    strips_text,
)
from app.views.walk.add_norm.sublayer import (
    Sub,
    pick_in_layer,
    pick_in_stack,
    pick_sub,
    pick_token,
    sub_of,
)


def adds_last(sub: Sub) -> bool:
    """Whether the model adds after it has normalised; its last norm adds nothing."""
    return sub.order == "pre" and not sub.is_last_norm


def scopes(sub: Sub) -> tuple[str, ...]:
    """Name what the badge recomputes: the sub-layers' outputs, sums, norms and feed-forward."""
    first, *later = sub.walk.stream(sub.stack)
    norms = (name.rpartition(".")[0] for name in later)
    own = sub.norm if sub.is_last_norm else sub.out
    return first, f"{sub.scope}.ffn", *norms, own


def task(sub: Sub) -> Task:
    """Ask which sub-layer turns the chosen word the most."""
    of = stream(sub)
    shown, answers = largest(-of.cosines)
    options = [of.steps[i + 1] for i in shown]
    cosine, reason = number(of.cosines.min(), 3), _(texts.TASK_REASON)
    reasons = [
        reason.format(name=of.steps[i + 1], own=number(of.cosines[i], 3), cosine=cosine)
        for i in shown
    ]
    right = _(texts.TASK_RIGHT).format(name=of.turned, cosine=cosine)
    return Task(_(texts.TASK).format(word=sub.text), options, answers, right, "", reasons)


def pick_with_unit(sub: Sub) -> None:
    """Draw the choice of a token and of a hidden unit."""
    left, right = st.columns([0.6, 0.4], vertical_alignment="bottom")
    with left:
        pick_unit(sub)
    with right:
        pick_token(sub)


def pick_all(sub: Sub) -> None:
    """Draw every choice of the page."""
    pick_sub(sub)
    pick_unit(sub)


def is_post(sub: Sub) -> bool:
    """Whether the model adds before it normalises."""
    return sub.order == "post"


def add(when: Callable[[Sub], bool]) -> Section[Sub]:
    """Return the screen on adding, where that is its place."""
    return Section("add", texts.ADD_TITLE, draw_add, add_text, when, pick_sub, guess_angle)


SECTIONS = (
    Section(
        "around",
        texts.AROUND_TITLE,
        draw_order,
        around_text,
        pick=pick_in_layer,
        was=("order",),
        code=(
            Code(
                N_("Add and normalise, in either order"),
                r"\text{post: } \text{norm}(x + \text{sub}(x)) \qquad"
                r" \text{pre: } x + \text{sub}(\text{norm}(x))",
                "model.nn.layers:AddNorm.forward",
            ),
        ),
    ),
    add(is_post),
    Section(
        "norm",
        texts.NORM_TITLE,
        draw_norm,
        norm_text,
        pick=pick_sub,
        drawers=(
            Drawer(
                "rows",
                texts.ROWS_TITLE,
                draw_rows,
                rows_text,
                beside=((one_text, draw_one),),
                was=("one",),
            ),
            Drawer("each", texts.EACH_TITLE, draw_each, texts.EACH),
        ),
        code=(
            Code(
                N_("Normalise, as this page checks it"),
                r"\text{norm}(x) = \gamma \odot \frac{x - \mu}{\sigma} + \beta, \quad"
                r" \mu = \tfrac{1}{d}\textstyle\sum_i x_i, \quad"
                r" \sigma = \sqrt{\tfrac{1}{d}\textstyle\sum_i (x_i - \mu)^2 + \varepsilon}",
                "model.interpret.calculation.numbers:deviation",
            ),
        ),
    ),
    add(adds_last),
    Section(
        "ffn",
        maps_title,
        draw_maps,
        maps_text,
        pick=pick_in_layer,
        name=texts.FFN_TITLE,
        drawers=(Drawer("fires", texts.FIRES_TITLE, draw_shares, shares_text, guess=guess_share),),
        code=(
            Code(
                N_("Feed-forward"),
                r"\text{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2",
                "model.nn.layers:FeedForward.forward",
            ),
        ),
    ),
    Section(
        "unit",
        texts.UNIT_TITLE,
        draw_unit,
        unit_text,
        pick=pick_with_unit,
        drawers=(Drawer("words", texts.WORDS_TITLE, draw_words, words_text),),
    ),
    Section(
        "stream",
        texts.STREAM_TITLE,
        draw_stream,
        stream_text,
        pick=pick_in_stack,
        beside=((strips_text, draw_strips),),
        was=("strips",),
    ),
)

PAGE = WalkPage(
    slug="add_norm",
    intro=texts.INTRO,
    select=sub_of,
    pick=pick_all,
    task_pick=pick_sub,
    place=lambda sub: scope_names(sub.scope.split(".")),
    sections=SECTIONS,
    myth=myth,
    scopes=scopes,
    task=task,
)

if __name__ == "__main__":
    draw_page(PAGE)
