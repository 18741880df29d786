"""Chapter 1: the whole Transformer, from the black box to the parts of one layer."""

import streamlit as st

from app.components.diagram import model_diagram
from app.data.walk import Walk
from app.format import grouped
from app.i18n import N_, _
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.big_picture import texts
from app.views.walk.big_picture.halves import black_box, first_written, halves
from app.views.walk.big_picture.layers import layers
from app.views.walk.big_picture.parameters import PARTS, counts, parameters, totals

CODE = (
    Code(
        N_("The whole model: from source and target tokens to logits"),
        r"\text{logits} = \text{decode}\bigl(\text{tgt},\ \text{encode}(\text{src})\bigr)\,W + b",
        "model.nn.transformer",
        "Transformer.forward",
    ),
    Code(
        N_("One encoder layer"),
        r"x \to x + \text{self-attention}(x) \to x + \text{ffn}(x)\quad\text{(+ norm)}",
        "model.nn.layers",
        "EncoderLayer.forward",
    ),
    Code(
        N_("One decoder layer"),
        r"x \to x + \text{self-attention}(x) \to x + \text{attention}(x, \text{memory})"
        r" \to x + \text{ffn}(x)",
        "model.nn.layers",
        "DecoderLayer.forward",
    ),
    Code(
        N_("Add & norm, in either order"),
        r"\text{post: } \text{norm}(x + f(x)) \qquad \text{pre: } x + f(\text{norm}(x))",
        "model.nn.layers",
        "AddNorm.forward",
    ),
    Code(
        N_("The model's own count of its parameters"),
        r"\sum_{\text{arrays}} \text{rows} \times \text{columns}",
        "model.nn.translator",
        "n_parameters",
    ),
)


def body(walk: Walk) -> None:
    """Draw the map, then open the box step by step."""
    model_diagram(walk, key="map")
    order = texts.PRE if walk.config.norm == "pre" else texts.POST
    st.caption(f"{_(texts.MAP_HINT)} {_(order)}")
    black_box(walk)
    halves(walk)
    layers(walk)
    st.header(_(texts.COUNT_TITLE), anchor=False)
    parameters(walk)


def task(walk: Walk) -> Task:
    """Ask which kind of part has most parameters."""
    found = {part: n for part, n in totals(counts(walk)).items() if n}
    most = max(found.values())
    best = next(part for part, n in found.items() if n == most)
    return Task(
        question=_(texts.QUESTION),
        options=[_(PARTS[part][0]) for part in found],
        answers=frozenset(i for i, n in enumerate(found.values()) if n == most),
        right=_(texts.RIGHT).format(
            name=_(PARTS[best][0]), n=grouped(most), total=grouped(sum(found.values()))
        ),
        wrong=_(texts.WRONG),
    )


def scopes(_walk: Walk) -> tuple[str, ...]:
    """Return all of the model: the page is about the whole."""
    return ()


draw_page(
    WalkPage(
        slug="big_picture",
        intro=texts.INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=first_written,
        task=task,
        code=CODE,
    )
)
