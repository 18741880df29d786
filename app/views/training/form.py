"""The form in the training page's sidebar: what to learn, with which model, one run or several."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from app import state
from app.data.errors import worded
from app.data.runs import RUN, Estimate, free_name, is_alive, needs, own_run, start, start_job
from app.data.runs import run as run_named
from app.data.visitors import may_keep, most_of
from app.format import escape, number
from app.i18n import N_, _, ngettext
from app.state import Param, one_of, up_to
from app.ui.buttons import attempt, button, draw_refusal
from app.ui.live_part import live_part
from app.ui.pickers import pick, pick_from_list
from app.ui.run_bar import duration
from app.ui.table import fold
from app.views.training import data as plans
from app.views.training import fields, texts
from app.views.training import pairs as training_pairs
from app.views.training.data import LONGEST_NAME, OWN, PRESETS, Arch, Plan, UserError, defaults
from app.views.training.fields import FIELDS, FormField, draw_number, of_arch, with_range
from app.views.training.runs import TASK, draw_running, task, task_name

ARCH: Final = Param[Arch]("t-arch", "transformer", one_of(*plans.ARCHITECTURES))
PRESET: Final = Param[str | None]("t-preset", None, one_of(*PRESETS))
NAME: Final = Param[str]("t-name", "", up_to(LONGEST_NAME))
LIMIT: Final = Param[str]("t-until", "steps", one_of("steps", "minutes"))
MINUTES: Final = 2.0  # by default
VALUES: Final = 3  # of a numeric setting
NAMES: Final = tuple(field.name for field in FIELDS if field.name != "cell")
FIRST: Final = Param[str]("sweep", "learning_rate", one_of(*NAMES))
SECOND: Final = Param[str]("sweep-2", "", one_of("", *NAMES))
Settings = Mapping[str, Any]


def draw_form() -> None:
    """Draw the form in the sidebar as a live part: only another run or task reruns the page."""
    if may_keep():
        live_part(_draw_form, shared=lambda: (RUN.get(), TASK.get()))
    else:
        draw_running()


def opens() -> bool:
    """Return whether the sidebar opens for the form: no run was chosen or started yet."""
    return may_keep() and run_named(RUN.get()) is None


def _draw_form() -> None:
    settings = _settings()
    needed: Estimate | None = None
    error: UserError | None = None
    try:
        needed = needs(_plan(settings))
    except UserError as refused:
        error = refused
    with st.container(gap="small", key="train-form"):
        titles = {name: task_name(name) for name in plans.task_names()}
        help_ = _("What the model will learn.")
        pick_from_list(TASK, _("Task"), titles, value=task(), on_change=_another_task, help=help_)
        sizes: dict[str | None, str] = {name: texts.PRESETS[name] for name in PRESETS}
        help_ = _(
            "Tiny learns the letter tasks in under a minute, and small takes minutes. Base has the "
            "size of the paper's base model: without a graphics processor it takes days."
        )
        pick(PRESET, _("Size"), sizes, value=_preset(), on_change=_reset, help=help_)
        if LIMIT.get() == "steps":
            fields.STEPS.draw(settings["steps"], most_of("steps"))
        else:
            fields.MINUTES.draw(_minutes(), most_of("minutes"))
        fields.SEED.draw(settings["seed"])
        _draw_needs(needed, error)
        label = _("Training …") if _is_busy() else _("Train")
        fits = needed is not None and needed.fits
        _draw_start("train", label, fits, _start, type="primary")
        draw_refusal("train")
        draw_running()
        with st.expander(_("Settings"), icon=":material/tune:"):
            _draw_settings(settings, error)
        fold(_("Try several values"), "sweep", "stacked_line_chart", _draw_sweep)


def _preset() -> str:
    return PRESET.get() or plans.suiting_preset(task())


def _settings() -> dict[str, Any]:
    return fields.settings(defaults(task(), _preset(), ARCH.get()))


def draw_goal() -> None:
    """Say what the form's task is, and how attention should come to look."""
    pair, goal = plans.example(task()), _(texts.GOALS[task()])
    example = "" if pair is None else f" {escape(pair.src)} → **{escape(pair.tgt)}**."
    st.markdown(f"**{task_name(task())}:**{example} {goal} {_(texts.INTRO)}")


def _reset() -> None:
    """Forget the settings: another architecture or preset brings its own."""
    state.collect()
    fields.reset()


def _reset_all() -> None:
    """Forget the preset, too: another task has its own suitable one."""
    _reset()
    PRESET.set(None)


def _another_task() -> None:
    """Forget the run: one of the previous task would not belong beside the form of another."""
    _reset_all()
    RUN.set("")


def _minutes() -> float:
    minutes = fields.MINUTES.param.get()
    return MINUTES if minutes is None else float(minutes)


def _plan(settings: Settings) -> Plan:
    """Return what the form asks for, with some settings; raises UserError."""
    minutes = _minutes() if LIMIT.get() == "minutes" else None
    if minutes is not None and (problem := fields.MINUTES.setting.problem("minutes", minutes)):
        raise problem
    own, languages = training_pairs.own_pairs(), training_pairs.languages()
    name, filmed = free_name(NAME.get().strip() or task()), training_pairs.FILMED.get()
    return plans.make_plan(name, task(), settings, own, languages, minutes, filmed)


def _draw_settings(settings: Settings, error: UserError | None) -> None:
    newest_first = sorted(plans.ARCHITECTURES, key=list(texts.ARCHITECTURES).index)
    titles = {arch: _(texts.ARCHITECTURES[arch]) for arch in newest_first}
    setting = plans.SETTINGS["arch"]
    pick_from_list(ARCH, _("Architecture"), titles, on_change=_reset, help=_(setting.help))
    if of_arch([fields.CELL], ARCH.get()):
        fields.CELL.draw(fields.CELL.param.get() or "gru")
    _draw_name_and_limit()
    groups = {_("Model"): fields.MODEL_FIELDS, _("Training"): fields.TRAIN_FIELDS}
    for title, group in groups.items():
        st.markdown(f"**{title}**")
        _draw_fields(of_arch(group, ARCH.get()), settings, error)
    help_ = _("Undo every change made here.")
    off = all(field.param.get() is None for field in FIELDS)
    button(_("Reset to the preset"), "t-forget", "undo", fields.reset, disabled=off, help=help_)


def _draw_fields(group: Sequence[FormField], settings: Settings, error: UserError | None) -> None:
    """Draw numbers two per row, and fields with longer names below."""
    numbers = [field for field in group if field.setting.form is not None]
    others = [field for field in group if field.setting.form is None]
    for row in (numbers[i : i + 2] for i in range(0, len(numbers), 2)):
        for field, place in zip(row, st.columns(2, vertical_alignment="bottom"), strict=False):
            with place:
                field.draw(settings[field.name])
        if error is not None and error.field in [field.name for field in row]:
            st.error(escape(worded(error)))
    for field in others:
        field.draw(settings[field.name])


def _draw_name_and_limit() -> None:
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        text = _("Letters, digits, spaces, hyphens and underscores: at most {most}.")
        help_, usual = text.format(most=LONGEST_NAME), free_name(task())
        st.text_input(_("Name of the run"), key=NAME.widget(), placeholder=usual, help=help_)
    with right:
        names = {"steps": _("steps"), "minutes": _("minutes")}
        help_ = _("For a number of updates, or for a length of time.")
        pick_from_list(LIMIT, _("Train for"), names, help=help_)


def _draw_needs(needed: Estimate | None, error: UserError | None) -> None:
    """Say what the run will need, or why it cannot be started."""
    if error is not None and error.field != OWN:
        labels = {one.name: one.setting.label for one in (*FIELDS, fields.MINUTES)}
        label = labels.get(error.field, error.field)
        about = f"{escape(_(label))}: " if label else ""
        st.error(f"{about}{escape(worded(error))}")
    if needed is None:
        return
    values = {
        "parameters": number(needed.parameters / 1e6),
        "memory": number(needed.memory_bytes / 2**30, 1),
        "time": duration(needed.seconds),
    }
    text = _("{parameters} M parameters · {memory} GB of memory · about {time}")
    st.caption(text.format(**values))
    if needed.fits:
        return
    if needed.refusal.code == "memory_held":
        st.error(escape(worded(needed.refusal)))
    else:
        text = _("This machine has {memory} GB: choose a smaller model, or fewer tokens.")
        st.error(text.format(memory=number(needed.machine_bytes / 2**30, 1)))


def copy_settings(plan: Plan) -> None:
    """Fill the form, which has the run's task, with the run's changes to the preset."""
    _reset_all()
    ARCH.set(plan.model.arch)
    LIMIT.set("steps")
    preset = defaults(task(), _preset(), plan.model.arch)
    settings = plan.model.to_dict() | plan.train.to_dict()
    for field in of_arch(FIELDS, plan.model.arch):
        value = settings[field.name]
        field.param.set(None if value == preset[field.name] else value)


def _draw_sweep() -> None:
    several = _draw_combinations(_settings())
    n = len(several)

    def begin() -> None:
        state.collect()
        if not _is_busy():
            _begin(several[0], lambda files: start_job(several, files)[0])

    label = ngettext("Train {n} run", "Train {n} runs", n).format(n=n)
    _draw_start("train-sweep", label, n >= 2, begin)


def _draw_start(key: str, label: str, ready: bool, start: Callable[[], None], **look: Any) -> None:
    busy = _is_busy()
    help_ = _("One run at a time: stop yours to start another.") if busy else None
    look |= {"help": help_, "disabled": busy or not ready, "width": "stretch"}
    button(label, key, "model_training", attempt, "train", start, **look)


def _is_busy() -> bool:
    return is_alive(own_run())


def _start() -> None:
    """Start the run with the form as it is now: the click may come with text that was just typed.

    The second click of a double click finds the run alive and does nothing.
    """
    state.collect()
    try:
        plan = _plan(_settings())
    except UserError:  # the form says why
        return
    if not _is_busy():
        _begin(plan, lambda files: start(plan, files))


def _begin(plan: Plan, start: Callable[[dict[str, str]], str]) -> None:
    """Start what trains on the plan's pairs, and show its run; raises ValueError."""
    own = training_pairs.own_pairs() if plan.task == OWN else None
    RUN.set(start({} if own is None else own.files))


def _draw_combinations(settings: Settings) -> list[Plan]:
    """Draw one or two settings with their values; return each combination's plan, if all fit."""
    st.caption(_(texts.SWEEP))
    offered = {one.name: one for one in of_arch(FIELDS, ARCH.get()) if one.name in NAMES}
    titles = {name: _(one.setting.label) for name, one in offered.items()}
    first = FIRST.get() if FIRST.get() in offered else FIRST.default
    pick_from_list(FIRST, _("Setting"), titles, value=first)
    values = {first: _draw_values(offered[first], settings)}
    others = {"": _("none")} | {name: titles[name] for name in titles if name != first}
    second = SECOND.get() if SECOND.get() in others else ""
    pick_from_list(SECOND, _("Second setting"), others, value=second)
    if second:
        values[second] = _draw_values(offered[second], settings)
    combinations = itertools.product(*values.values())
    try:
        return [
            _plan({**settings, **dict(zip(values, chosen, strict=True))}) for chosen in combinations
        ]
    except UserError as error:
        st.error(escape(worded(error)))
        return []


def _draw_values(field: FormField, settings: Settings) -> Sequence[Any]:
    """Draw a setting's values and return them without repeats: three numbers, or chosen names."""
    setting, value = field.setting, settings[field.name]
    if setting.form is None:
        told: Mapping[Any, str] = setting.choices or {True: N_("on"), False: N_("off")}
        names = list(told)
        key = f"sweep-{field.name}"
        st.session_state.setdefault(key, names[:VALUES])
        st.multiselect(_(setting.label), names, key=key, format_func=lambda one: _(told[one]))
        return list(st.session_state[key]) or [value]
    st.caption(with_range(setting, _(setting.label)))
    low, high, step = setting.form
    kind = type(step)
    numbers = []
    for i, (factor, column) in enumerate(zip((0.5, 1, 2), st.columns(VALUES), strict=True)):
        key = f"sweep-{field.name}-{value}-{i}"
        st.session_state.setdefault(key, kind(min(max(low, value * factor), high)))
        with column:
            numbers.append(kind(draw_number(setting, str(i + 1), key)))
    return list(dict.fromkeys(numbers))
