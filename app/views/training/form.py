"""The sidebar of the training page: what to learn, with which model, and the button Train."""

from collections.abc import Sequence
from typing import Any, Final

import streamlit as st

from app import state
from app.data.runs import OWN_RUN, free_name, run, start
from app.format import escape
from app.i18n import _
from app.state import Param, one_of
from app.views.training import pairs as training_pairs
from app.views.training import texts
from app.views.training.data.errors import worded
from app.views.training.data.plan import (
    ARCHITECTURES,
    OWN,
    PRESETS,
    SETTINGS,
    Arch,
    Plan,
    UserError,
    defaults,
    example,
    make_plan,
    needs,
    suiting_preset,
    task_names,
)
from app.views.training.fields import (
    CELL,
    FIELDS,
    MINUTES,
    MODEL_FIELDS,
    STEPS,
    TRAIN_FIELDS,
    Field,
    Number,
    forget,
    of_arch,
    settings,
)
from app.views.training.runs import RUN, duration

TASK: Final = Param[str]("task", "reverse", one_of(*task_names()))
ARCH: Final = Param[Arch]("t-arch", "transformer", one_of(*ARCHITECTURES))
PRESET: Final = Param[str | None]("t-preset", None, one_of(*PRESETS))
LIMIT: Final = Param[str]("t-until", "steps", one_of("steps", "minutes"))
STARTED: Final = "started"  # in the session: the page has not shown the new run yet
REFUSED: Final = "refused"  # in the session: why the last run could not be started


def draw() -> None:
    """Draw the form; it runs apart from the page, so that a setting costs no redrawing."""
    st.session_state.pop(STARTED, None)
    st.fragment(_form)()


def _form() -> None:
    state.sync()
    if STARTED in st.session_state:
        st.rerun()  # the whole page: it has a run to show
    _task()
    _architecture()
    _preset()
    chosen = settings(defaults(TASK.get(), _preset_name(), ARCH.get()))
    plan, error = _plan(chosen)
    with st.expander(_("Settings"), icon=":material/tune:"):
        _fields(chosen, error)
    _limit(chosen)
    _estimate(plan, error)
    _train(plan)


def _task() -> None:
    st.selectbox(
        _("Task"), task_names(), format_func=task_name, key=TASK.widget(), on_change=_task_changed,
        help=_("What the model shall learn."),
    )  # fmt: skip
    st.caption(_(texts.GOALS[TASK.get()]))
    pair = example(TASK.get())
    if pair is not None:
        st.caption(f"{escape(pair.src)} → **{escape(pair.tgt)}**")
    else:
        training_pairs.draw()


def task_name(task: str) -> str:
    """Return what a task is called."""
    return _(texts.TASKS[task]) if task in texts.TASKS else task


def _changed() -> None:
    """Another task or preset brings its own settings."""
    state.collect()
    forget()


def _task_changed() -> None:
    _changed()
    PRESET.set(None)


def _architecture() -> None:
    setting = SETTINGS["arch"]
    st.selectbox(
        _("Architecture"), list(texts.ARCHITECTURES), key=ARCH.widget(), on_change=_changed,
        format_func=lambda arch: _(texts.ARCHITECTURES[arch]), help=_(setting.help),
    )  # fmt: skip
    if of_arch([CELL], ARCH.get()):
        CELL.draw(CELL.param.get() or "gru")


def _preset_name() -> str:
    return PRESET.get() or suiting_preset(TASK.get())


def _preset() -> None:
    st.segmented_control(
        _("Size"), list(PRESETS), format_func=lambda name: _(texts.PRESETS[name]), required=True,
        key=PRESET.widget(_preset_name()), on_change=_changed, width="stretch",
        help=_(texts.PRESET_HELP),
    )  # fmt: skip


def _plan(chosen: dict[str, Any]) -> tuple[Plan | None, UserError | None]:
    """Return the plan of the form, or what does not fit."""
    task = TASK.get()
    minutes = (MINUTES.param.get() or 2.0) if LIMIT.get() == "minutes" else None
    try:
        own, languages = training_pairs.own_pairs(), training_pairs.languages()
        return make_plan(free_name(task), task, chosen, own, languages, minutes), None
    except UserError as error:
        return None, error


def _fields(chosen: dict[str, Any], error: UserError | None) -> None:
    for title, fields in ((_("Model"), MODEL_FIELDS), (_("Training"), TRAIN_FIELDS)):
        st.markdown(f"**{title}**")
        _in_twos(of_arch(fields, ARCH.get()), chosen, error)
    changed = any(field.param.get() is not None for field in FIELDS)
    st.button(
        _("Back to the preset"), icon=":material/undo:", disabled=not changed, on_click=forget,
        key="t-forget", help=_("Forget what was changed here."),
    )  # fmt: skip


def _in_twos(fields: Sequence[Field], chosen: dict[str, Any], error: UserError | None) -> None:
    """Draw numbers two a row, and what has longer names below."""
    numbers = [field for field in fields if isinstance(field, Number)]
    for i in range(0, len(numbers), 2):
        columns = st.columns(2, vertical_alignment="bottom")
        for number, column in zip(numbers[i : i + 2], columns, strict=False):
            with column:
                _field(number, chosen, error)
    for field in fields:
        if field not in numbers:
            _field(field, chosen, error)


def _field(field: Field, chosen: dict[str, Any], error: UserError | None) -> None:
    field.draw(chosen[field.name])
    if error is not None and error.field == field.name:
        st.error(escape(worded(error)))


def _limit(chosen: dict[str, Any]) -> None:
    left, right = st.columns(2, vertical_alignment="bottom")
    names = {"steps": _("steps"), "minutes": _("minutes")}
    with left:
        st.selectbox(
            _("Train for"), list(names), format_func=names.__getitem__, key=LIMIT.widget(),
            help=_("Until so many updates, or until so much time has passed."),
        )  # fmt: skip
    with right:
        if LIMIT.get() == "steps":
            STEPS.draw(chosen["steps"])
        else:
            MINUTES.draw(MINUTES.param.get() or 2.0)


def _estimate(plan: Plan | None, error: UserError | None) -> None:
    """Say what the run will need, or why there can be none."""
    if error is not None and error.field != OWN:
        label = next((f.label for f in FIELDS if f.name == error.field), error.field)
        st.error(f"{escape(_(label))}: {escape(worded(error))}")
    if plan is None:
        return
    found = needs(plan)
    st.caption(
        _("{parameters} M parameters · {memory} GB of memory · about {time}").format(
            parameters=f"{found.parameters / 1e6:.2f}", memory=f"{found.memory_bytes / 2**30:.1f}",
            time=duration(found.seconds),
        )
    )  # fmt: skip
    if not found.fits:
        st.error(
            _("This machine has {memory} GB: choose a smaller model, or fewer tokens.").format(
                memory=f"{found.machine_bytes / 2**30:.1f}"
            )
        )


def _train(plan: Plan | None) -> None:
    busy = _busy()
    ready = plan is not None and not busy and needs(plan).fits
    st.button(
        _("Training …") if busy else _("Train"), icon=":material/model_training:", type="primary",
        disabled=not ready, on_click=_start, args=(plan,), key="train", width="stretch",
        help=_("One run at a time: stop yours to start another.") if busy else None,
    )  # fmt: skip
    if REFUSED in st.session_state:
        st.error(escape(worded(st.session_state.pop(REFUSED))))


def _busy() -> bool:
    own = run(st.session_state.get(OWN_RUN, ""))
    return own is not None and own.alive


def _start(plan: Plan) -> None:
    """Start the run; a second click of a double click finds it alive and does nothing."""
    if _busy():
        return
    own = training_pairs.own_pairs() if plan.task == OWN else None
    try:
        RUN.set(start(plan, own.files if own is not None else {}))
        st.session_state[STARTED] = True
    except ValueError as error:
        st.session_state[REFUSED] = error
