"""Chapter 1: the whole Transformer, from the black box to the parts of one layer."""

import streamlit as st

from app.components.diagram import model_diagram
from app.format import grouped
from app.i18n import N_, _
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.big_picture import halves, layers, texts
from app.views.walk.big_picture.counts import PARTS, totals
from app.views.walk.big_picture.followed import STACK, Followed
from app.views.walk.big_picture.parameters import count_text, draw_counts


def draw_map(token: Followed) -> None:
    """Draw the whole model, each part of which opens its chapter."""
    model_diagram(token.walk, key="map")
    st.caption(f"{_(texts.MAP_HINT)} {_(texts.PRE if token.pre_norm else texts.POST)}")


def task(token: Followed) -> Task:
    """Ask which kind of part has most parameters."""
    sizes = {part: n for part, n in totals(token.counts).items() if n}
    most = max(sizes.values())
    names = [_(PARTS[part][0]) for part in sizes]
    answers = [i for i, n in enumerate(sizes.values()) if n == most]
    counts = {"n": grouped(most), "total": grouped(sum(sizes.values()))}
    name = names[answers[0]]
    return Task.of(texts.QUESTION, names, answers, texts.RIGHT, texts.WRONG, name=name, **counts)


SECTIONS = (
    Section("map", "", draw_map),
    Section("box", texts.BOX_TITLE, halves.draw_box, halves.box_text),
    Section("halves", texts.HALVES_TITLE, halves.draw_halves, halves.halves_text),
    Section("stacks", texts.STACKS_TITLE, layers.draw_stack, layers.stack_text),
    Section("layer", texts.LAYER_TITLE, layers.draw_layer, layers.layer_text),
    Section("count", texts.COUNT_TITLE, draw_counts, count_text),
)

CODE = (
    Code(
        N_("The whole model: from source and target tokens to logits"),
        r"\text{logits} = \text{decode}\bigl(\text{tgt},\ \text{encode}(\text{src})\bigr)\,W + b",
        "model.nn.transformer:Transformer.forward",
    ),
    Code(
        N_("One encoder layer"),
        r"x \to x + \text{self-attention}(x) \to x + \text{ffn}(x)\quad\text{(+ norm)}",
        "model.nn.layers:EncoderLayer.forward",
    ),
    Code(
        N_("One decoder layer"),
        r"x \to x + \text{self-attention}(x) \to x + \text{attention}(x, \text{memory})"
        r" \to x + \text{ffn}(x)",
        "model.nn.layers:DecoderLayer.forward",
    ),
    Code(
        N_("Add & norm, in either order"),
        r"\text{post: } \text{norm}(x + f(x)) \qquad \text{pre: } x + f(\text{norm}(x))",
        "model.nn.layers:AddNorm.forward",
    ),
    Code(
        N_("The model's own count of its parameters"),
        r"\sum_{\text{arrays}} \text{rows} \times \text{columns}",
        "model.nn.translator:n_parameters",
    ),
)

draw_page(
    WalkPage(
        slug="big_picture",
        intro=texts.INTRO,
        select=lambda walk: Followed.chosen(walk, STACK.get()),
        sections=SECTIONS,
        scopes=lambda _token: (),  # the page is about the whole model
        start=lambda token: halves.first_written(token.walk),
        task=task,
        code=CODE,
    )
)
