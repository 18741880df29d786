"""Slow motion: one step of a run, taken apart into forward, loss, backward and update."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app.charts.stage_bars import Column, stage_bars
from app.charts.toolbar import plot_config
from app.data.runs import RECORDED
from app.format import escape, grouped
from app.i18n import N_, _
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.views.training import texts
from app.views.training.data.slow import Block, Dissection, can_dissect, dissected

PARTS: Final = {
    "src_embed": N_("embedding table"),
    "tgt_embed": N_("target embedding table"),
    "generator": N_("final linear"),
    "encoder_norm": N_("last norm of the encoder"),
    "decoder_norm": N_("last norm of the decoder"),
}
TAKEN: Final = "taken apart"  # in the session: the run, and its step


def slow_motion(name: str) -> None:
    """Offer to take the next step of a run apart, and draw what was found."""
    st.markdown(_(texts.SLOW))
    if not can_dissect(name):
        st.info(_(texts.SLOW_RECORDED if name.startswith(RECORDED) else texts.SLOW_NOTHING))
        return
    if st.button(
        _("Take the next step apart"), icon=":material/slow_motion_video:", key="slow",
        help=_("The run itself stays as it is. This takes some seconds."),
    ):  # fmt: skip
        with st.spinner(_("Taking one step …")):
            try:
                st.session_state[TAKEN] = (name, dissected(name))
            except ValueError:
                st.error(_(texts.SLOW_FAILED))
    of, step = st.session_state.get(TAKEN, ("", None))
    if step is not None and of == name:
        _draw(step)


def _draw(step: Dissection) -> None:
    st.markdown(
        _(texts.FORWARD).format(
            step=grouped(step.step), pairs=grouped(step.n_pairs), tokens=grouped(step.n_tokens)
        )
    )
    for src, tgt in step.pairs:
        st.caption(f"{escape(src)} → {escape(tgt)}")
    st.markdown(_(texts.LOSS).format(loss=f"{step.loss:.4f}"))
    clipped = _(texts.CLIPPED).format(scale=f"{step.scale:.3f}") if step.scale < 1 else ""
    norm = f"{step.gradient_norm:.4g}"
    st.markdown(f"{_(texts.BACKWARD).format(norm=norm)} {clipped}")
    st.markdown(_(texts.UPDATE).format(rate=f"{step.learning_rate:.3g}"))
    _bars(step.blocks)
    after = _(texts.AFTER).format(before=f"{step.loss:.4f}", after=f"{step.loss_after:.4f}")
    better = texts.BETTER if step.loss_after < step.loss else texts.WORSE
    st.markdown(f"{after} {_(better if step.learning_rate else texts.OVER)}")


def _part(block: str) -> str:
    """Name a part of the model: "encoder.0" is the encoder's first layer."""
    stack, _dot, layer = block.partition(".")
    if not layer:
        return _(PARTS.get(block, block))
    side = _("encoder") if stack == "encoder" else _("decoder")
    return _("{side} layer {n}").format(side=side, n=int(layer) + 1)


def _bars(blocks: Sequence[Block]) -> None:
    gradient, change, weights = (
        np.array([getattr(block, name) for block in blocks])
        for name in ("gradient", "change", "weights")
    )
    share = change / np.maximum(weights, 1e-12)
    names = [_part(block.name) for block in blocks]
    title = _("Each part of the model: its gradient, and how far its weights moved")
    figure = stage_bars(
        [
            Column(_("gradient"), gradient, [f"{x:.3g}" for x in gradient], "key"),
            Column(_("change"), change, [f"{x:.3g}" for x in change], "output"),
            Column(_("of its weights"), share, [f"{x:.2%}" for x in share], "value"),
        ],
        names, mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("step"), key="blocks", alt=title)
    columns: dict[str, Sequence[str | float]] = {
        _("part"): names, _("gradient"): gradient.tolist(), _("change"): change.tolist(),
        _("length of its weights"): weights.tolist(),
    }  # fmt: skip
    table_fold("blocks", lambda: table(columns, "blocks"))
