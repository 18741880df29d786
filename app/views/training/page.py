"""The page “Train your own”: a run, live or recorded, and the attention that forms in it."""

import streamlit as st

from app.components.shared.kept import keeping
from app.data import runs
from app.data.moments import film_of
from app.data.runs import RUN, RunSummary
from app.data.visitors import may_keep
from app.format import escape
from app.i18n import _
from app.page.model_buttons import draw_use
from app.ui.about import about
from app.ui.buttons import button
from app.ui.kept import screen_menu
from app.ui.live_part import live_part
from app.ui.serving import draw_serving
from app.ui.table import few_rows, fold
from app.views.training import film, texts
from app.views.training.curves import draw_job, draw_learning, draw_many, draw_optimisation
from app.views.training.data import OWN, examples, model_of
from app.views.training.doctor import draw_findings
from app.views.training.form import copy_settings, draw_goal
from app.views.training.kept import draw_kept, draw_models_link
from app.views.training.of_class import draw_class
from app.views.training.pairs import draw_pairs
from app.views.training.runs import (
    draw_again,
    draw_notes,
    draw_plan,
    draw_question,
    name_of,
    pick_run,
    shown_run,
    task,
)
from app.views.training.samples import draw_held_out, draw_prediction, draw_replay, draw_samples
from app.views.training.slow import draw_slow_motion


def draw_page() -> None:
    """Draw the run of the form's task, or what there is to learn if there is no run yet."""
    st.title(_("Train your own, and watch attention form"))
    if may_keep():
        draw_class()
    else:
        draw_serving()
    if lost := runs.unreadable():
        text = _("Runs not listed, because their plan cannot be read: {names}.")
        st.warning(escape(text.format(names=", ".join(lost))))
    draw_goal()
    run = shown_run()
    if may_keep() and task() == OWN:
        with st.expander(_("Your sentence pairs"), icon=":material/table:", expanded=run is None):
            draw_pairs()
    if run is None:
        _draw_nothing()
        return
    if RUN.get() not in ("", run.name):
        says = _("There is no run “{name}” any more. Shown is “{other}”.")
        st.info(says.format(name=escape(RUN.get()), other=escape(name_of(run))))
    live_part(
        lambda: _draw_run(run.name),
        failed=_(texts.RUN_FAILED),
        run_every=runs.SECONDS_OF_LOOK if _goes_on(run) else None,
        shared=lambda: (RUN.get(), runs.is_alive(run.name), _goes_on(run)),
    )


def _goes_on(run: RunSummary) -> bool:
    """Return whether a run, or one that was started with it, has not ended."""
    return any(one.alive for one in runs.job_of(run)) or run.alive


def _draw_nothing() -> None:
    """Draw examples of a task that has no run yet."""
    text = _(
        "Nothing has been trained on this task yet. Press **Train** in the sidebar, and "
        "its film begins here."
    )
    st.info(text)
    if pairs := examples(task()):
        st.caption(_("Pairs of this task:"))
        sides = {_("source"): [pair.src for pair in pairs], _("target"): [p.tgt for p in pairs]}
        few_rows(sides)
    pick_run(None)
    draw_models_link()


def _draw_run(name: str) -> None:
    """Draw what changes while a run goes on; this only reads files."""
    run = runs.run(name)
    if run is None:
        st.info(_("This run was deleted."))
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="run-bar"):
        pick_run(run)
        if may_keep():
            if (model := model_of(name)) is not None:
                draw_use(model)
            draw_again(run)
            help_ = _("They fill the form, and the page's address.")
            label = _("Copy its settings")
            if button(label, "copy", "content_copy", copy_settings, run.plan, help=help_):
                st.rerun()  # the form, too
    draw_question(run, "rewind", "seed")
    draw_notes(run)
    draw_job(run)
    filmed = film_of(name)
    if filmed is not None:
        with about(page=f"training {name}", title=name), keeping() as drawn:
            _draw_film(run, film.scene_of(filmed))
            screen_menu([("", drawn)])
    elif run.alive:
        st.info(_("The first picture appears with the first step."))
    label = _("All runs, and their curves over each other")
    fold(label, "many", "stacked_line_chart", lambda: draw_many(run))
    fold(_("How it was trained"), "how", "terminal", lambda: draw_plan(run))
    if not may_keep():
        draw_models_link()
        return
    label = _("Continue training, all models")
    if run.alive:  # the buttons for a finished model would be of little use yet
        fold(label, "kept", "inventory_2", lambda: draw_kept(run))
        return
    st.header(label)
    draw_kept(run)


def _draw_film(run: RunSummary, scene: film.FilmScene) -> None:
    """Draw what one head attended to, step by step, beside what the model had learned by then."""
    if scene.film.attends:
        film.draw_head_choice(scene)
    left, right = st.columns([0.58, 0.42], gap="large")
    with left:
        if scene.film.attends:
            text = _(
                "Row “a → b”: the decoder has just read a, and the right next token is b. "
                "The dashed cells are the source tokens that b comes from."
            )
            caption = text if scene.wanted else _(texts.FILM)
            film.draw_film(scene, "film", _("✓ exact"), caption)
        else:
            film.draw_step_choice(scene)
            draw_samples(run, scene.step)
    with right:
        draw_learning(run, scene)
        if scene.film.attends:
            draw_samples(run, scene.step)
    left, right = st.columns(2, gap="large")
    with left, about(place=scene.place[-1:]):
        draw_prediction(scene)
    with right:
        draw_optimisation(run, scene.step)
        st.caption(_("The dashed line is the moment chosen above."))
    st.header(_("The doctor"))
    newest = scene.at == len(scene.film.steps) - 1  # then there may be steps after the last picture
    draw_findings(run, max(run.status.step, scene.step) if newest else scene.step)
    _draw_folds(run, scene)


def _draw_folds(run: RunSummary, scene: film.FilmScene) -> None:
    label = _("Held-out sentences, sorted")
    fold(label, "held-out", "sort", lambda: draw_held_out(run, scene.step))
    fold(_("Replay your own sentence"), "replay", "replay", lambda: draw_replay(run, scene))
    if scene.film.attends:
        label = _("All heads at this moment")
        fold(label, "heads", "grid_view", lambda: film.draw_all_heads(scene))
        label = _("Compare two moments or two runs")
        fold(label, "compare", "compare", lambda: film.draw_comparison(scene))
    fold(_("Slow motion"), "slow", "slow_motion_video", lambda: draw_slow_motion(run))


draw_page()
