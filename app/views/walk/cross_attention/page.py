"""Chapter 8: encoder-decoder attention, queries from one sentence, keys and values from another."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.data.walk import Cell, Walk
from app.format import number
from app.i18n import N_, _
from app.inspect.head import Head
from app.inspect.picks import head_of, layer_of, pick_head, pick_layer, pick_word, word_of
from app.inspect.six_steps import six_steps
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.cross_attention.maps import best_row, bridge, made, whole
from app.views.walk.cross_attention.texts import INTRO

CODE = (
    Code(
        N_("Queries, from the decoder"),
        r"Q = X W_Q",
        "model.nn.attention",
        "MultiHeadAttention.query",
    ),
    Code(
        N_("Keys and values, from the memory"),
        r"K_\text{encdec} = M W_K,\quad V_\text{encdec} = M W_V",
        "model.nn.attention",
        "MultiHeadAttention.key_value",
    ),
    Code(
        N_("Attention"),
        r"Z = \text{softmax}\!\left(\frac{Q K_\text{encdec}^\top}{\sqrt{d_k}}\right)"
        r" V_\text{encdec}",
        "model.nn.attention",
        "MultiHeadAttention.attend",
    ),
    Code(
        N_("Once for the whole translation"),
        r"M \to (K_\text{encdec}, V_\text{encdec})",
        "model.nn.transformer",
        "Transformer.start_cache",
    ),
)


def body(walk: Walk) -> None:
    now = _now(walk)
    pick_word(walk.capture.tgt, _("The word of the translation that looks"), now.query)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick_layer(walk.config.n_decoder_layers)
        pick_head(walk.config.n_heads)
    st.header(_("Queries from one sentence, keys and values from the other"), anchor=False)
    made(now)
    st.header(_("The six steps again"), anchor=False)
    six_steps(now)
    whole(now)
    bridge(walk)


def scopes(walk: Walk) -> Sequence[str]:
    return ["memory", _now(walk).scope]


def start(walk: Walk) -> Cell:
    """Open the score of the word that looks against the word it looks at most."""
    now = _now(walk)
    return Cell(f"{now.scope}.scores", (now.head, now.query, now.most))


def task(walk: Walk) -> Task:
    now = _now(walk)
    totals = walk.array(f"{now.scope}.weights")[now.head].sum(0)  # (S,)
    places = np.sort(totals.argsort()[::-1][:8])
    best = int(totals.argmax())
    words = [token.text for token in walk.capture.src]
    return Task(
        question=_(
            "Layer {layer}, head {head}, over the whole translation: which source word gets the "
            "most attention in all?"
        ).format(layer=now.layer + 1, head=now.head + 1),
        options=[f"{i + 1} · {words[i]}" for i in places],
        answers=frozenset({int(np.searchsorted(places, best))}),
        right=_("Yes: the column of “{word}” adds up to {total}, of {rows} rows of 1 each.").format(
            word=words[best], total=number(totals[best]), rows=len(walk.capture.tgt)
        ),
        wrong=_(
            "Not that one. Add up the columns of the map of weights: which one is the strongest on "
            "the whole?"
        ),
    )


def _now(walk: Walk) -> Head:
    """Return what is chosen; at first, the word of this head that is surest where to look."""
    layer, head = layer_of(walk.config.n_decoder_layers), head_of(walk.config.n_heads)
    weights = walk.array(f"decoder.{layer}.cross_attn.weights")[head]
    query = word_of(walk.capture.tgt, best_row(walk, weights))
    return Head(walk, "cross", layer, head, query)


draw_page(
    WalkPage(
        slug="cross_attention",
        intro=INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
    )
)
