"""A sentence that the visitor types, replayed through the checkpoints of the film."""

from dataclasses import replace
from typing import Final

import streamlit as st

from app.data.errors import worded
from app.data.moments import Film
from app.data.runs import RECORDED, RunSummary
from app.format import escape
from app.i18n import _
from app.state import Param, up_to
from app.ui.table import table
from app.views.training import texts
from app.views.training.data.replay import has_moments, replay
from app.views.training.film import Scene, draw_film

LONGEST: Final = 200  # characters
TYPED: Final = Param[str]("typed", "", up_to(LONGEST))


def draw_replay(run: RunSummary, scene: Scene) -> None:
    """Draw a field, and the model's translation of its sentence at each kept checkpoint."""
    st.caption(_(texts.REPLAY))
    if not has_moments(run.name):
        st.info(_(texts.REPLAY_RECORDED if run.name.startswith(RECORDED) else texts.REPLAY_NOTHING))
        return
    if run.status.state in ("running", "queued"):
        st.info(_(texts.REPLAY_LATER))
        return
    usual, help_ = run.plan.probe[0], _("Any sentence of the task; nothing of it is learned.")
    st.text_input(
        _("Your sentence"), key=TYPED.widget(), placeholder=usual, max_chars=LONGEST, help=help_
    )
    try:
        with st.spinner(_("Running the model at every kept moment …")):
            made = replay(run.name, TYPED.get().strip() or usual)
    except ValueError as error:
        st.error(escape(worded(error)))
        return
    if made.attends:
        again = replace(scene, film=made, at=made.at(scene.step))
        draw_film(again, "replay", _("✓ as at the end"), _(texts.REPLAYED))
    else:
        _draw_translations(made)


def _draw_translations(made: Film) -> None:
    steps, outputs = made.steps, [frame.output or "∅" for frame in made.frames]
    table({_("training step"): list(map(str, steps)), _("translation"): outputs}, "replay")
