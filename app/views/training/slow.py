"""Slow motion: one step of a run, dissected into forward, loss, backward and update."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import Column, stage_bars
from app.data.runs import RECORDED, RunSummary
from app.format import escape, grouped, number, percent, short
from app.i18n import N_, _
from app.inspector.naming import scope_names
from app.ui.buttons import button
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.training import texts
from app.views.training.data import BlockNorms, Dissection, dissected

PARTS: Final = {
    "src_embed": N_("embedding table"),
    "tgt_embed": N_("target embedding table"),
    "generator": N_("final linear"),
    "encoder_norm": N_("last norm of the encoder"),
    "decoder_norm": N_("last norm of the decoder"),
}
TAKEN: Final = "taken apart"  # in the session: the run, and its dissected step


def draw_slow_motion(run: RunSummary) -> None:
    """Offer to dissect the next step of a run, and draw that step."""
    st.markdown(_(texts.SLOW))
    if not run.folder.is_saved():
        st.info(_(texts.SLOW_RECORDED if run.name.startswith(RECORDED) else texts.SLOW_NOTHING))
        return
    help_ = _("The run itself stays as it is. This takes a few seconds.")
    if button(_("Take a step apart"), "slow", "slow_motion_video", help=help_):
        with st.spinner(_("Taking one step …")):
            try:
                st.session_state[TAKEN] = (run.name, dissected(run))
            except ValueError:
                st.error(_("That step could not be taken apart: the run may have been deleted."))
    taken_of, step = st.session_state.get(TAKEN, ("", None))
    if step is not None and taken_of == run.name:
        _draw_step(step)


def _draw_step(step: Dissection) -> None:
    n, pairs, tokens = map(grouped, (step.step, step.n_pairs, step.n_tokens))
    text = _(
        "**1 · Forward.** Step {step} reads a batch of {pairs} pairs, {tokens} tokens, and "
        "gives every possible next token a probability. Some of the pairs:"
    )
    st.markdown(text.format(step=n, pairs=pairs, tokens=tokens))
    for src, tgt in step.pairs:
        st.caption(f"{escape(src)} → {escape(tgt)}")
    before, after = number(step.loss, 4), number(step.loss_after, 4)
    values = {
        "loss": before,
        "unsmoothed": number(step.cross_entropy, 4),
        "share": short(step.smoothing),
    }
    st.markdown(_(texts.LOSS_SMOOTHED if step.smoothing else texts.LOSS).format(**values))
    clipped = _(texts.CLIPPED).format(scale=number(step.scale, 3)) if step.scale < 1 else ""
    norm = short(step.gradient_norm)
    says = _(
        "**3 · Backward.** Backpropagation finds how the loss would change if each weight "
        "grew a little. All these numbers together are the gradient; its length is {norm}."
    )
    st.markdown(f"{says.format(norm=norm)} {clipped}")
    text = _(
        "**4 · Update.** The optimiser turns the gradient into a small change of each "
        "weight, with the learning rate {rate}. For each part of the model, the length of "
        "its gradient and of its change, each taken as one vector:"
    )
    st.markdown(text.format(rate=short(step.learning_rate, 3)))
    _draw_blocks(step.blocks)
    verdict = texts.BETTER if step.loss_after < step.loss else texts.WORSE
    verdict = verdict if step.learning_rate else texts.OVER
    says = _(
        "**5 · Again.** The same batch after the step: the loss goes from {before} to **{after}**."
    )
    st.markdown(f"{says.format(before=before, after=after)} {_(verdict)}")


def _block_name(block: str) -> str:
    """Name a part of the model: "encoder.0" is the encoder's first layer."""
    stack, _dot, layer = block.partition(".")
    if not layer:
        return _(PARTS.get(block, block))
    return scope_names([stack, layer])[0]


def _draw_blocks(blocks: Sequence[BlockNorms]) -> None:
    gradient, change, weights = (
        np.array([getattr(block, name) for block in blocks])
        for name in ("gradient", "change", "weights")
    )
    share = change / np.maximum(weights, 1e-12)
    bars = [
        Column(_("gradient"), gradient, [short(x, 3) for x in gradient], "key"),
        Column(_("change"), change, [short(x, 3) for x in change], "output"),
        Column(_("share of its weights"), share, [percent(x) for x in share.tolist()], "value"),
    ]
    names = [_block_name(block.name) for block in blocks]
    columns: Columns = {
        _("part"): names,
        _("gradient"): gradient.tolist(),
        _("change"): change.tolist(),
        _("length of its weights"): weights.tolist(),
    }
    title = _("Each part of the model: its gradient, and how far its weights moved")
    show_chart(stage_bars(bars, names), "blocks", title, lambda: columns)
