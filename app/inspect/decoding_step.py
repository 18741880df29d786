"""One moment of decoding: what goes in, where every decoder layer looks, what comes out."""

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
import streamlit as st

from app import state
from app.components.board import Fold, Grid, Op, board
from app.data.translation import Token
from app.data.walk import Cell, Walk
from app.format import escape, grouped, probability
from app.i18n import _
from app.inspect.arrays import arrays, ask, grid
from app.inspect.attention import AGGREGATE_NAMES
from app.inspect.panel import asked, lit
from app.inspect.picks import head_of
from app.inspect.stepper import candidates, candidates_table
from app.texts import decoding as texts
from app.ui.section import section
from app.ui.table import twins_name

Look = Literal["self_attn", "cross_attn"]
MEAN: Final = "mean"


def encoded(walk: Walk) -> None:
    """Show what the encoder leaves for all steps."""
    config, head = walk.config, head_of(walk.config.n_heads)
    section(
        _(texts.ENCODE_TITLE),
        _(texts.ENCODE).format(n=len(walk.capture.src), d_model=config.d_model),
    )
    arrays(walk, [grid(walk, "memory", (None, None), _(texts.MEMORY))], key="memory")
    for column, name in zip(st.columns(2, gap="medium"), "kv", strict=True):
        with column:
            index = (head, None, None)
            made = grid(walk, f"decoder.0.cross_attn.{name}", index, name.upper())
            arrays(walk, [made], key=f"memory-{name}")
    st.caption(_(texts.ENCODE_HEAD).format(head=head + 1))


def went_in(walk: Walk, at: int) -> None:
    """Show which piece the decoder reads at a step, and its vector."""
    word = quoted(walk.capture.tgt[at])
    text = _(texts.NEXT) if at else _(texts.FIRST)
    section(_(texts.STEP_TITLE).format(n=at + 1), text.format(word=word, before=at))
    arrays(walk, [grid(walk, "tgt.sum", (at, None), f"x · “{walk.capture.tgt[at].text}”")], "in")


def looked(walk: Walk, at: int) -> None:
    """Show both looks of every layer at a step, of one head or as the mean over heads."""
    section(_(texts.LOOKED_TITLE), _(texts.LOOKED).format(word=quoted(walk.capture.tgt[at])))
    head = _pick_head(walk.config.n_heads)
    left, right = st.columns(2, gap="medium")
    with left:
        _look(walk, "self_attn", at, head, _(texts.BACK))
    with right:
        _look(walk, "cross_attn", at, head, _(texts.OVER))
    if head is None:
        st.caption(_(texts.MEAN_CELLS))


def came_out(walk: Walk, at: int) -> None:
    """Show the likeliest pieces of a step, the one that was taken, and what the rest has."""
    steps = walk.translation.steps
    step = steps[at]
    rest = 1 - sum(candidate.probability for candidate in step.candidates)
    others = grouped(walk.config.n_tgt_vocab - len(step.candidates))
    tail = _(texts.TAIL).format(n=others, p=probability(max(rest, 0.0)))
    section(_(texts.OUT_TITLE), f"{_choice(walk, at)} {tail}")
    candidates(walk.translation, at)
    ids = tuple(candidate.token.id for candidate in step.candidates)
    words = [candidate.token.text for candidate in step.candidates]
    strip = grid(
        walk, "probabilities", (at, None), "p", cols=ids, col_labels=words, role="output"
    )  # fmt: skip
    board(
        [strip], key="out", asked=asked(), lit=lit(walk), on_ask=ask,
        fold=Fold(twins_name(picture=False), lambda: candidates_table(step, at)),
    )  # fmt: skip
    if at + 1 == len(steps):
        ended = step.candidates[step.chosen].token.id == walk.config.eos_id
        st.success(_(texts.ENDED) if ended else _(texts.CUT_OFF))


def weights(walk: Walk, look: Look, layer: int, at: int, head: int | None) -> np.ndarray:
    """Return where one layer looks at a step, over what is there by then; None: mean of heads."""
    array = walk.array(f"decoder.{layer}.{look}.weights", (None, at, None))  # (H, S)
    row = np.asarray(array.mean(0) if head is None else array[head])
    return row[: at + 1] if look == "self_attn" else row


def strongest(walk: Walk, at: int) -> Cell:
    """Return the strongest look at the source of the last layer, in the chosen head."""
    layer, head = walk.config.n_decoder_layers - 1, head_of(walk.config.n_heads)
    at = min(at, len(walk.capture.tgt) - 1)
    key = int(weights(walk, "cross_attn", layer, at, head).argmax())
    return Cell(f"decoder.{layer}.cross_attn.weights", (head, at, key))


def quoted(token: Token) -> str:
    """Return a token in quotation marks, for Markdown."""
    return f"“{escape(token.text)}”"


def _look(walk: Walk, look: Look, at: int, head: int | None, title: str) -> None:
    most = _(texts.MOST).format(list=_most(walk, look, at, head))
    st.markdown(f"**{title}**\n\n{most}")
    arrays(walk, _strips(walk, look, at, head), key=look)


def _strips(walk: Walk, look: Look, at: int, head: int | None) -> list[Grid | Op]:
    """Return one strip a layer; the mean over heads is no number of the model's."""
    strips: list[Grid | Op] = []
    for layer in range(walk.config.n_decoder_layers):
        row = weights(walk, look, layer, at, head)
        title = _("layer {n}").format(n=layer + 1)
        if head is None:
            labels = [token.text for token in _keys(walk, look)[: len(row)]]
            strips.append(Grid("", (None,), row, title, scale="weights", col_labels=labels))
            continue
        name = f"decoder.{layer}.{look}.weights"
        strips.append(grid(walk, name, (head, at, None), title, cols=tuple(range(len(row)))))
    return strips


def _most(walk: Walk, look: Look, at: int, head: int | None) -> str:
    """Say for each layer which token gets most."""
    said = []
    for layer in range(walk.config.n_decoder_layers):
        row = weights(walk, look, layer, at, head)
        key = int(row.argmax())
        name = _("layer {n}").format(n=layer + 1)
        said.append(f"{name} {quoted(_keys(walk, look)[key])} {row[key]:.2f}")
    return ", ".join(said)


def _keys(walk: Walk, look: Look) -> Sequence[Token]:
    return walk.capture.src if look == "cross_attn" else walk.capture.tgt


def _pick_head(count: int) -> int | None:
    """Draw the heads and their mean; return the chosen head, from 0, or None for the mean."""
    mean = state.HEAD.get() == MEAN
    head = head_of(count)
    st.segmented_control(
        _("Head"), [*(str(i + 1) for i in range(count)), MEAN], required=True, wrap=True,
        format_func=lambda chosen: _(AGGREGATE_NAMES[MEAN]) if chosen == MEAN else chosen,
        key=state.HEAD.widget(MEAN if mean else str(head + 1)),
        help=_("The mean adds the weights of all heads and divides by their number."),
    )  # fmt: skip
    return None if mean else head


def _choice(walk: Walk, at: int) -> str:
    """Say which piece was taken, and whether a likelier one was left."""
    step, method = walk.translation.steps[at], walk.translation.decoding.method
    taken, top = step.candidates[step.chosen], step.candidates[0]
    parts = {
        "word": quoted(taken.token), "p": probability(taken.probability),
        "top": quoted(top.token), "q": probability(top.probability),
    }  # fmt: skip
    if method == "sample":
        return _(texts.DRAWN).format(**parts)
    if step.chosen == 0:
        return _(texts.LIKELIEST).format(**parts)
    if top.token.id in (walk.config.pad_id, walk.config.bos_id):
        return _(texts.NEVER).format(**parts)
    return _(texts.NOT_LIKELIEST).format(**parts)
