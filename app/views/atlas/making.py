"""Making the atlas of a model in the background: its button, its progress, and how it ended."""

from functools import partial
from typing import Final

import streamlit as st

from app.data.errors import worded
from app.format import escape
from app.i18n import _
from app.ui.buttons import attempt, button, draw_refusal
from app.ui.error_box import PAGE_FAILED
from app.ui.live_part import live_part
from app.views.atlas import data

SECONDS: Final = 1.0  # between two updates on a job that is running


def draw_making(model: str) -> None:
    """Offer to measure a model without an atlas, and show the progress; else say why not."""
    if not data.can_measure(model):
        command = f"python -m model atlas --model {model}"
        text = _(
            "Nobody has measured the heads of this model yet, or its weights have changed "
            "since. This command does it: `{command}`"
        )
        st.info(text.format(command=command))
        return
    live_part(
        partial(_draw, model),
        failed=_(PAGE_FAILED),
        run_every=SECONDS if data.is_measured(model) else None,
        shared=lambda: (data.is_measured(model), data.atlas_of(model) is None),
    )


def _draw(model: str) -> None:
    draw_refusal("atlas")
    if data.is_measured(model):
        _draw_progress(model)
    elif data.is_training(model):
        st.info(_("This run is still going. Its heads can be measured once it has ended."))
    else:
        _draw_offer(model)


def _draw_progress(model: str) -> None:
    known = data.status(model)
    assert known is not None
    if known.state == "queued":
        text = _("It begins as soon as no other atlas is being made.")
    elif not known.steps:
        text = _("The held-out sentences are being drawn.")
    else:
        says = _("{done} of {total} parts are measured, after {seconds} s.")
        text = says.format(done=known.step, total=known.steps, seconds=f"{known.seconds:.0f}")
    st.progress(known.step / known.steps if known.steps else 0.0, text=text)
    help_ = _("What was measured is kept, and you can continue later.")
    button(_("Stop"), "atlas-stop", "stop", data.stop, model, help=help_)


def _draw_offer(model: str) -> None:
    known = data.status(model)
    if known is not None and known.error:
        st.error(escape(worded(known.error)))
    elif known is not None and known.state == "stopped":
        st.info(_("Measuring was stopped. What was measured is kept: it goes on from there."))
    elif known is not None and known.state == "interrupted":
        st.warning(_("Measuring ended early. What was measured is kept: it goes on from there."))
    else:
        text = _(
            "Nobody has measured the heads of this model yet, or its weights have changed "
            "since. Measuring them takes sentences that its task held out from training, and "
            "runs in the background: a small model takes seconds, a large one minutes."
        )
        st.info(text)
    act = ("atlas", data.measure, model)
    button(_("Measure its heads"), "atlas-make", "map", attempt, *act, type="primary")
