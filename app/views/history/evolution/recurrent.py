"""2014: one recurrent network reads the sentence, another writes the translation."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.theme import Role
from app.data.embedding import ids_of, padded, padded_targets
from app.data.translation import Token, Translation
from app.data.walk import walk
from app.format import escape, grouped, percent
from app.i18n import N_, _
from app.inspector import batch
from app.inspector.arrays import Grid, array_grid, draw_board
from app.inspector.naming import token_markdown
from app.page.kit import Code, Screens, say, show_chart
from app.views.history.evolution.data import RECURRENT, TIMES, Story, remembered

PROVERBS: Final = (
    "Como un cordero al matadero",
    "Donde hay humo, hay fuego",
    "Nunca es tarde para aprender",
    "Qué será, será",
)
IN_ENGLISH: Final = (
    "Like a lamb to the slaughter",
    "Where there's smoke, there's fire",
    "It's never too late to learn",
    "Whatever will be, will be",
)
AFTER: Final = N_("tokens read after the first")
LEFT: Final = N_("what is left of the first token")
HIGH: Final = 300  # of the states, in pixels
screens = Screens[Story]()


def has_recurrent(story: Story) -> bool:
    """Return whether the recurrent translator is there."""
    return RECURRENT in story.translations


@screens(
    "unrolled",
    N_("2014: all of the sentence in one vector"),
    Code(N_("The encoder keeps its last state"), r"m = h_S", "model.nn.rnn:RnnEncoder"),
    Code(
        N_("The loop that makes it recurrent"),
        r"h_t = f(x_t, h_{t-1})",
        "model.nn.cell:RecurrentCell.forward",
    ),
    Code(
        N_("One step of the GRU"),
        r"\begin{aligned} r &= \sigma(W_r x + U_r h) \qquad z = \sigma(W_z x + U_z h) \\ n &="
        r" \tanh(W_n x + r \circ U_n h) \qquad h' = (1 - z) \circ n + z \circ h \end{aligned}",
        "model.nn.cell:GRU.step",
    ),
    Code(
        N_("The decoder goes on from it"),
        r"s_0 = m \qquad s_t = \mathrm{GRU}(y_{t-1}, s_{t-1}) \qquad"
        r" \mathrm{logits}_t = E \tanh(W s_t + b) + b_E",
        "model.nn.rnn:Rnn.decode_step",
    ),
    pick=False,
    when=has_recurrent,
    was=(
        "encoder",
        "loop",
        "write",
        "next",
        "decoder",
        "bridge",
        "fade",
        "gru",
        "new",
        "unit",
    ),
)
def draw_unrolled(story: Story) -> None:
    """Draw the states of the encoder, the one that is left, and those of the decoder."""
    say()
    one = story.translations[RECURRENT]
    crosses = _("s, written ↓, from h_{n} alone →").format(n=len(one.capture.src))
    written = (*one.capture.tgt[1:], one.source.tokens[-1])
    boards: dict[str, tuple[str, str, Role, Sequence[Token]]] = {
        "read": ("encoder.0.forward.hidden", _("h, read ↓"), "input", one.capture.src),
        "write": ("decoder.0.state", crosses, "output", written),
    }
    for column, (key, drawn) in zip(st.columns(2, gap="medium"), boards.items(), strict=True):
        with column:
            draw_board([_states(one, *drawn)], key)
    size, n = one.capture.arrays["memory"].shape[-1], len(one.capture.src)
    text = _(
        "**It writes: “{output}”** One network reads: each row is its hidden state after one more "
        "token, {size} numbers, kept or overwritten by gates (GRU). Only the last one crosses, "
        "{each} numbers for each of {n} tokens. A second network goes on from it, reads what it "
        "wrote itself (autoregressive), and cannot look back at what was lost."
    )
    sizes = {"size": grouped(size), "n": n, "each": f"{size / n:.0f}"}
    say(text, output=escape(one.output) or "∅", **sizes)


def _states(one: Translation, name: str, title: str, role: Role, side: Sequence[Token]) -> Grid:
    """Return all states of a network, a token's in a row; they share their colours, −1 to 1."""
    states = one.capture.arrays[name]
    tokens = [token.text for token in side[: len(states)]]
    look = {"reach": 1.0, "row_labels": tokens, "thumb": True, "height": HIGH}
    return array_grid(states, title, role, **look)


@screens.drawer("forget", N_("The plain cell forgets sooner"), when=has_recurrent, was=("cells",))
def draw_forget(story: Story) -> None:
    """Draw how much is left of the first token as the sentence goes on."""
    own = story.walk.translation
    recurrent = walk(RECURRENT, own.text, own.decoding)
    left = remembered(recurrent)
    say()
    names, after = (_("GRU"), _("Plain cell")), np.arange(len(left.gru))
    lines = [
        Curve(names[0], after, left.gru, "key", "points"),
        Curve(names[1], after, left.plain, "value", "dash"),
    ]
    figure = curves(lines, _(AFTER), _(LEFT), span=(0, 1.05), height=280)
    kept = {names[0]: left.gru.tolist(), names[1]: left.plain.tolist()}
    show_chart(figure, "cells", _(LEFT), lambda: {_(AFTER): [str(n) for n in after], **kept})
    text = _(
        "Our encoder reads your sentence {times} times, joined by “y”, with and without its first "
        "token “{word}”: how far apart the two states still are is what is left of “{word}”. After "
        "{n} more tokens that is {gru} with the gates of a GRU, and {plain} in a plain cell "
        "(Elman, 1990; `nn.RNN`), which sends its whole state through U and tanh at every token. "
        "In training, the gradient comes back the same way and vanishes like this."
    )
    values = {"gru": percent(float(left.gru[-1])), "plain": percent(float(left.plain[-1]))}
    word = token_markdown(recurrent.capture.src[0])
    say(text, times=TIMES, word=word, n=after[-1], **values)


@screens.drawer(
    "batch",
    N_("Four proverbs, one batch; their translations, another"),
    was=("target", "block", "padding"),
)
def draw_batch(story: Story) -> None:
    """Draw the ids of two padded batches, and the first numbers of the vectors of one."""
    src = padded(story.walk, tuple(ids_of(story.walk, text) for text in PROVERBS))
    tgt = padded_targets(story.walk, [ids_of(story.walk, text) for text in IN_ENGLISH])
    (B, S), T = src.ids.shape, tgt.ids.shape[1]
    text = _(
        "To be read together, sentences must fill one block of ids, so the shorter ones end in "
        "<pad>. The translations are a block of their own: {T} tokens long, where the Spanish one "
        "has {S}. Each id becomes a vector, {B} × {S} × {D} numbers; a token that appears twice "
        "has the same vector twice, and at <pad> a recurrent network leaves its state alone."
    )
    say(text, B=B, S=S, T=T, D=story.walk.config.d_model)
    left, right = st.columns(2, gap="medium")
    with left:
        batch.draw_ids(src, "proverbs")
    with right:
        batch.draw_ids(tgt, "proverbs-target")
    batch.draw_block(story.walk, src, "proverbs-block")
