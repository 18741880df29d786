"""Chapter 7: masked self-attention, in which no word sees what comes after it."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.data.walk import Cell, Walk
from app.format import number
from app.i18n import N_, _
from app.inspect.picks import head_of, layer_of, pick_head, pick_layer, pick_word, word_of
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.masked_attention.batch import padded
from app.views.walk.masked_attention.data import unmasked
from app.views.walk.masked_attention.peek import peek
from app.views.walk.masked_attention.row import best_later, row, whole
from app.views.walk.masked_attention.texts import INTRO

CODE = (
    Code(
        N_("Masks: True where one may look"),
        r"\text{mask}_{ij} = (j \le i) \wedge (\text{token}_j \ne \text{<pad>})",
        "model.nn.masks",
        "target_mask",
    ),
    Code(
        N_("The causal mask"), r"\text{causal}_{ij} = (j \le i)", "model.nn.masks", "causal_mask"
    ),
    Code(
        N_("The padding mask"),
        r"\text{padding}_{j} = (\text{token}_j \ne \text{<pad>})",
        "model.nn.masks",
        "padding_mask",
    ),
    Code(
        N_("−∞ before the softmax"),
        r"\text{softmax}\!\left(\text{mask}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)\right)V",
        "model.nn.attention",
        "MultiHeadAttention.attend",
    ),
)  # fmt: skip


def body(walk: Walk) -> None:
    tokens = walk.capture.tgt
    word = pick_word(tokens, _("The word that looks"), _default(walk))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer = pick_layer(walk.config.n_decoder_layers)
        head = pick_head(walk.config.n_heads)
    scope = _scope(layer)
    row(walk, scope, head, word)
    whole(walk, scope, head)
    padded(walk, layer, head)
    st.header(_("Take the mask away"), anchor=False)
    peek(walk, scope, head, word)


def scopes(walk: Walk) -> Sequence[str]:
    return [_scope(layer_of(walk.config.n_decoder_layers))]


def start(walk: Walk) -> Cell:
    """Open the −∞ that stands in the place of the highest score."""
    layer, head, word = _chosen(walk)
    later = best_later(walk, _scope(layer), head, word)
    return Cell(f"{_scope(layer)}.masked", (head, word, word if later is None else later))


def task(walk: Walk) -> Task:
    layer, head, word = _chosen(walk)
    tokens = walk.capture.tgt
    word = min(word, len(tokens) - 2)
    if word < 0:
        return _count(walk)
    weights = unmasked(walk)[f"{_scope(layer)}.weights"][head, word, word + 1 :]
    places = np.sort(weights.argsort()[::-1][:8])
    best = int(weights.argmax())
    text = tokens[word + 1 + best].text
    return Task(
        question=_(
            "Without the mask, in layer {layer}, head {head}: which later word would “{word}” "
            "look at most?"
        ).format(layer=layer + 1, head=head + 1, word=tokens[word].text),
        options=[f"{word + 2 + i} · {tokens[word + 1 + i].text}" for i in places],
        answers=frozenset({int(np.searchsorted(places, best))}),
        right=_("Yes: “{word}” would get {weight}. With the mask it gets exactly 0.").format(
            word=text, weight=number(weights[best], 4)
        ),
        wrong=_(
            "Not that one. Find the row of “{word}” in the picture without the mask, and there the "
            "strongest cell to the right of the diagonal."
        ).format(word=tokens[word].text),
    )


def _count(walk: Walk) -> Task:
    """Ask about the one score of a lone <bos>."""
    return Task(
        question=_("How many of the scores does the mask turn into −∞ here?"),
        options=["0", "1"],
        answers=frozenset({int(np.isneginf(walk.array("decoder.0.self_attn.masked")[0]).sum())}),
        right=_("Yes: a word may always look at itself."),
        wrong=_("Not so: a word may always look at itself."),
    )


def _chosen(walk: Walk) -> tuple[int, int, int]:
    config = walk.config
    word = word_of(walk.capture.tgt, _default(walk))
    return layer_of(config.n_decoder_layers), head_of(config.n_heads), word


def _default(walk: Walk) -> int:
    """Return a word with words before it and after it."""
    return len(walk.capture.tgt) // 2


def _scope(layer: int) -> str:
    return f"decoder.{layer}.self_attn"


draw_page(
    WalkPage(
        slug="masked_attention",
        intro=INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
    )
)
