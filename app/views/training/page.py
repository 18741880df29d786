"""The page Train your own: a run, live or recorded, and the attention that forms in it."""

import streamlit as st

from app.data.moments import film_of
from app.data.runs import RunSummary
from app.i18n import _
from app.ui.error_box import error_box
from app.ui.table import fold
from app.views.training import doctor as run_doctor
from app.views.training import kept as run_kept
from app.views.training import texts
from app.views.training.compare import compare
from app.views.training.curves import driven, learned
from app.views.training.film import Scene, all_heads, draw, pick_head, pick_moment, scene_of
from app.views.training.how import how
from app.views.training.runs import RUN, controls, follow, pick_run, progress
from app.views.training.samples import answers, samples
from app.views.training.slow import slow_motion

SECONDS = 1.5  # between two looks at a run that is alive


def page() -> None:
    """Draw the chosen run, or say in one sentence why there is nothing to draw."""
    st.title(_("Train your own, and watch attention form"))
    st.markdown(_(texts.INTRO))
    one = pick_run()
    if one is None:
        st.info(_(texts.NO_RUN))
        run_kept.load()
        return
    st.fragment(_live, run_every=SECONDS if one.alive else None)(one, RUN.get())


def _live(shown: RunSummary, chosen: str) -> None:
    """Draw what changes while a run goes on; it reads files and nothing else."""
    with error_box("", _("This run could not be shown; the server's log says why.")):
        one = follow(shown, chosen)
        if one is None:
            st.info(_("This run was deleted."))
        else:
            _draw(one)


def _draw(one: RunSummary) -> None:
    progress(one)
    controls(one)
    made = film_of(one.name)
    if made is not None:
        _film(one, scene_of(made))
    elif one.alive:
        st.info(_("The first picture comes with the first step."))
    _how(one)
    _afterwards(one)


def _afterwards(one: RunSummary) -> None:
    """Draw what can be done with a model; folded away as long as it is still learning."""
    label = _("Use, name, share, train on")
    if one.alive:
        fold(label, "kept", ":material/inventory_2:", lambda: run_kept.draw(one))
        return
    st.subheader(label)
    run_kept.draw(one)


def _film(one: RunSummary, now: Scene) -> None:
    """Draw where one head looked, moment by moment, beside what the model had learned by then."""
    left, right = st.columns([0.58, 0.42], gap="large")
    with left:
        if now.film.attends:
            pick_head(now)
            draw(now)
        else:
            pick_moment(now)
            samples(one.name, now.step)
    with right:
        learned(one, now.film, now.step)
        if now.film.attends:
            samples(one.name, now.step)
    _more(one, now)


def _more(one: RunSummary, now: Scene) -> None:
    """Draw what goes deeper: one word, what drives the training, and what opens on a click."""
    left, right = st.columns(2, gap="large")
    with left:
        answers(now)
    with right:
        driven(one, now.step)
        st.caption(_(texts.CURVES))
    st.subheader(_("The doctor"))
    run_doctor.draw(one)
    looks = (
        (_("All heads at this moment"), "heads", "grid_view", lambda: all_heads(now)),
        (_("Compare two moments or two runs"), "compare", "compare", lambda: compare(now)),
    )
    for label, name, icon, draw_it in (
        *(looks if now.film.attends else ()),
        (_("Slow motion"), "slow", "slow_motion_video", lambda: slow_motion(one.name)),
    ):
        fold(label, name, f":material/{icon}:", draw_it)


def _how(one: RunSummary) -> None:
    fold(_("How it was trained"), "how", ":material/terminal:", lambda: how(one))


page()
