"""Making the atlas of a model in the background: its button, its progress, and how it ended."""

from functools import partial
from typing import Final

import streamlit as st

from app.data.errors import worded
from app.format import escape
from app.i18n import _
from app.ui.error_box import PAGE_FAILED
from app.ui.live_part import live_part
from app.views.atlas import texts
from app.views.atlas.data import (
    atlas_of,
    can_measure,
    is_measured,
    is_training,
    measure,
    status,
    stop,
)

SECONDS: Final = 1.0  # between two updates on a job that is running
REFUSED: Final = "atlas refused"  # in the session: why the last click did nothing


def draw_making(model: str) -> None:
    """Offer to measure a model without an atlas, and show the progress; else say why not."""
    if not can_measure(model):
        command = f"python -m model atlas --model {model}"
        st.info(_(texts.NO_ATLAS).format(command=command))
        return
    live_part(
        partial(_draw, model),
        failed=_(PAGE_FAILED),
        run_every=SECONDS if is_measured(model) else None,
        shared=lambda: (is_measured(model), atlas_of(model) is None),
    )


def _draw(model: str) -> None:
    if refused := st.session_state.pop(REFUSED, None):
        st.error(escape(refused))
    if is_measured(model):
        _draw_progress(model)
    elif is_training(model):
        st.info(_(texts.STILL_TRAINING))
    else:
        _draw_offer(model)


def _draw_progress(model: str) -> None:
    known = status(model)
    assert known is not None
    if known.state == "queued":
        text = _(texts.JOB_QUEUED)
    elif not known.steps:
        text = _(texts.JOB_DRAWS)
    else:
        text = _(texts.JOB_RUNS).format(
            done=known.step, total=known.steps, seconds=f"{known.seconds:.0f}"
        )
    st.progress(known.step / known.steps if known.steps else 0.0, text=text)
    label, icon, help_ = _("Stop"), ":material/stop:", _(texts.STOP_TIP)
    st.button(label, "atlas-stop", icon=icon, help=help_, on_click=stop, args=(model,))


def _draw_offer(model: str) -> None:
    known = status(model)
    if known is not None and known.error:
        st.error(escape(worded(known.error)))
    elif known is not None and known.state == "stopped":
        st.info(_(texts.JOB_STOPPED))
    elif known is not None and known.state == "interrupted":
        st.warning(_(texts.JOB_INTERRUPTED))
    else:
        st.info(_(texts.CAN_MEASURE))
    label, icon = _(texts.MEASURE_IT), ":material/map:"
    st.button(label, "atlas-make", icon=icon, type="primary", on_click=_measure, args=(model,))


def _measure(model: str) -> None:
    try:
        measure(model)
    except ValueError as error:
        st.session_state[REFUSED] = worded(error)
