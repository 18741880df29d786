"""Two steps of one run or of two: what the first attends to more, and what less."""

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from app.data.moments import Film, comparable, film_of
from app.data.runs import RECORDED, runs
from app.format import grouped
from app.i18n import _
from app.inspector.arrays import Op, array_grid, draw_board
from app.state import Param, whole
from app.ui.pickers import pick_from_list
from app.views.training.film import FilmScene, pick_step
from app.views.training.runs import title_of

OTHER: Final = Param[str]("other", "", str)
OTHER_FRAME: Final = Param[int | None]("other-frame", None, whole(0, 10**9))


def draw_comparison(scene: FilmScene) -> None:
    """Draw the chosen step, another one, and the first minus the second."""
    other = _pick_film(scene.film)
    if other is None:
        st.info(_("That run was not filmed yet."))
        return
    capture = other.capture
    if scene.layer >= capture.n_layers(scene.kind) or scene.head >= capture.n_heads:
        st.info(_("The other run has no such layer and head: choose another one above."))
        return
    chosen = OTHER_FRAME.get()
    at = 0 if chosen is None else other.at(chosen)
    help_ = _("The second picture is of this moment.")
    pick_step(OTHER_FRAME, other, other.steps[at], _("Its step"), help_)
    _draw_difference(scene, replace(scene, film=other, at=at))
    text = _(
        "The moment chosen above, minus the other one: blue cells get more attention at "
        "the first, red ones less. Each row adds up to 0."
    )
    st.caption(text)


def _draw_difference(first: FilmScene, second: FilmScene) -> None:
    values = first.weights - second.weights
    labels: dict[str, Any] = {"row_labels": first.queries, "col_labels": first.keys}
    before, after = (
        array_grid(scene.weights, _title(scene), "output", scale="weights", **labels)
        for scene in (first, second)
    )
    difference = array_grid(values, _("first − second"), reach=1.0, **labels)
    draw_board([before, Op("−"), after, Op("="), difference], "difference")


def _pick_film(film: Film) -> Film | None:
    others = (run for run in runs() if run.plan.probe == film.plan.probe)
    titles = {run.name: title_of(run) for run in others if comparable(film, run.name)}
    chosen = OTHER.get() if OTHER.get() in titles else film.name
    titles[film.name] = _("another moment of this run")
    help_ = _("The runs filmed on the same sentence, cut into the same tokens.")
    pick_from_list(OTHER, _("Compare with"), titles, value=chosen, help=help_)
    return film_of(chosen)


def _title(scene: FilmScene) -> str:
    name = scene.film.name.removeprefix(RECORDED)
    return _("{run}, step {step}").format(run=name, step=grouped(scene.step))
