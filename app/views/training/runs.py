"""The run on the page and its task: its controls, and how it was trained."""

import random
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

import numpy as np
import streamlit as st

from app.data import runs
from app.data.errors import worded
from app.data.moments import command, curves_of, schedule
from app.data.runs import LOADED, RECORDED, RUN, RunSummary, can_repeat
from app.data.visitors import may_keep, mode
from app.format import escape, grouped, short
from app.i18n import N_, _
from app.state import Param, one_of
from app.texts.tasks import TASKS
from app.ui.buttons import attempt, button, draw_refusal
from app.ui.live_part import live_part
from app.ui.pickers import pick_from_list
from app.ui.run_bar import draw_bar
from app.views.training import texts
from app.views.training.data import OWN, SETTINGS, Plan, task_names
from app.views.training.fields import draw_number, start_number, with_range

TASK: Final = Param[str | None]("task", None, one_of(*task_names()))
FIRST: Final = "reverse"  # the form's task if there is no run
ANY: Final = "any-run"  # the choice of a run if the form's task has none
ASKED: Final = "asked to end"  # in the session: the run, and how it ends once confirmed
RATE: Final = SETTINGS["learning_rate"]


class End(NamedTuple):
    """A way to end a live run: the question, the label for yes, and what yes does."""

    question: str
    yes: str
    act: Callable[[str], object]


def shown_run() -> RunSummary | None:
    """Return the run on the page: the chosen one, or the live or newest one of the form's task.

    Until a task is chosen, the run may be of any task, and the form takes that task.
    """
    everything, wanted = runs.runs(), TASK.get()
    chosen = [run for run in everything if run.name == RUN.get()]
    of_task = [run for run in everything if wanted in (None, task_of(run.plan))]
    return next(iter([*chosen, *(run for run in of_task if run.alive), *of_task]), None)


def task() -> str:
    """Return the task of the form and of the run beside it."""
    wanted = TASK.get()
    if wanted is not None and not RUN.get():  # no need to read any run
        return wanted
    run = shown_run()
    return (wanted or FIRST) if run is None else task_of(run.plan)


def task_name(name: str) -> str:
    """Return what a task is called."""
    return _(TASKS[name]) if name in TASKS else _("not known")


def task_of(plan: Plan) -> str:
    """Return a plan's task in the form; a plan from a zip that names none counts as own pairs."""
    return plan.task if plan.task in task_names() else OWN


def pick_run(run: RunSummary | None) -> None:
    """Draw all runs to choose from."""
    titles = {one.name: title_of(one) for one in runs.runs()}
    if not titles:
        return
    help_ = _("Your runs, those of others, and recorded ones.")
    if mode() not in ("own", "exhibit"):
        help_ = _("Your runs, and recorded ones.")
    look: dict[str, Any] = {"label_visibility": "collapsed", "help": help_, "width": 290}
    if run is not None:
        pick_from_list(RUN, _("Run"), titles, value=run.name, **look)
        return
    look |= {"placeholder": _("Choose a run"), "format_func": titles.__getitem__}
    look["on_change"] = lambda: RUN.set(st.session_state[ANY])
    st.selectbox(_("Run"), list(titles), None, key=ANY, **look)


def title_of(run: RunSummary) -> str:
    """Name a run by what never changes: the browser sends a choice back as its title."""
    if run.name.startswith(RECORDED):
        return name_of(run)
    return f"{run.name} · {datetime.fromtimestamp(run.plan.created):%Y-%m-%d %H:%M}"


def name_of(run: RunSummary) -> str:
    """Return a run's name, marked if it is a recorded run."""
    if run.name.startswith(RECORDED):
        return _("{name} · recorded").format(name=run.name.removeprefix(RECORDED))
    return run.name


def draw_notes(run: RunSummary) -> None:
    """Say what is wrong with a run, and why the last click did nothing."""
    status = run.status
    if run.name.startswith(RECORDED):
        told = _(
            "A recorded run: its film and its numbers come with the project, its weights "
            "do not. Rewind to train it here; then every page can use its model."
        )
        st.caption(told)
    if status.state == "interrupted":
        text = _("The training was interrupted from outside, at step {step}.")
        broken = text.format(step=grouped(status.step))
        st.warning(f"{broken} {_resuming(run)}")
    elif status.state in ("stopped", "failed"):
        st.caption(_resuming(run))
    if odd := run.folder.odd_files():
        says = _("Lines of {files} that no training could have written are ignored.")
        st.warning(says.format(files=", ".join(odd)))
    if status.error:
        st.error(escape(worded(status.error)))
    draw_refusal("run")


def _resuming(run: RunSummary) -> str:
    """Say what Resume does with a run that ended early."""
    saved = run.folder.saved_step
    text = _("“Resume” continues from step {step}, where the run was last saved.")
    says = _("Nothing has been saved yet: “Resume” starts again at step 0.")
    return text.format(step=grouped(saved)) if saved else says


def draw_running() -> None:
    """Draw the progress and controls of the page's run, or else of the visitor's run in training.

    It is drawn again and again for as long as the run is alive.
    """
    run = _running()
    if run is None:
        return
    live_part(
        _draw_running,
        failed=_(texts.RUN_FAILED),
        run_every=runs.SECONDS_OF_LOOK if run.alive else None,
        shared=lambda: (run.name, run.alive) if (run := _running()) else None,
    )


def _running() -> RunSummary | None:
    shown = shown_run()
    if shown is not None and shown.alive:
        return shown
    own = runs.run(runs.own_run())
    return own if own is not None and own.alive else shown


def _draw_running() -> None:
    run = _running()
    if run is None:
        return
    st.markdown(f":small[**{escape(name_of(run))}**]")
    draw_bar(run)
    if not (run.alive and may_keep()):
        return
    with st.container(horizontal=True, gap="small", key="steer"):
        if run.status.state == "running":
            help_ = _("Others can train in the meantime.")
            _button(_("Pause"), "pause", runs.pause, run.name, help_)
        if run.status.state == "paused":
            _button(_("Resume"), "play_arrow", runs.go_on, run.name, _("Continue from here."))
            help_ = _("One update, then pause.")
            _button(_("One step"), "skip_next", runs.one_step, run.name, help_)
        _button(_("Stop"), "stop", _ask("stop"), run.name, _("You will be asked to confirm."))
    draw_question(run, "stop")
    _draw_learning_rate(run)


def draw_again(run: RunSummary) -> None:
    """Draw the buttons that resume a run, or start it again."""
    name, recorded = run.name, run.name.startswith(RECORDED)
    if not (run.alive or recorded or run.status.state == "finished"):
        _button(_("Resume"), "play_arrow", runs.resume, name, _resuming(run))
    if runs.can_repeat(run.plan):
        act = _ask("rewind") if run.alive else _same_seed
        help_ = _("The same plan and seed again, as a new run.")
        _button(_("Rewind to step 0"), "replay", act, name, help_)
        act = _ask("seed") if run.alive else _new_seed
        help_ = _("The same plan with another seed, as a new run.")
        _button(_("New seed"), "casino", act, name, help_)


def _button(label: str, icon: str, act: Callable[[str], object], name: str, help_: str) -> None:
    if button(label, f"run-{icon}", icon, attempt, "run", act, name, help=help_):
        st.rerun()  # the whole page: the form's button and the timer depend on it


def _ask(end: str) -> Callable[[str], None]:
    return lambda name: st.session_state.update({ASKED: (name, end)})


def draw_question(run: RunSummary, *ends: str) -> None:
    """Ask for confirmation if the visitor wanted to end a run in one of these ways."""
    asked_of, asked = st.session_state.get(ASKED, ("", ""))
    if asked_of != run.name or asked not in ends or not run.alive:
        return
    end = ENDS[asked]

    def do(name: str) -> None:
        _close_question(name)
        end.act(name)

    with st.container(border=True, key=f"sure-{asked}"):
        st.markdown(_(end.question).format(step=grouped(run.status.step)))
        with st.container(horizontal=True):
            _button(_(end.yes), "check", do, run.name, _("It is saved first."))
            _button(_("No, continue"), "close", _close_question, run.name, _("Nothing changes."))


def _close_question(_name: str) -> None:
    st.session_state.pop(ASKED, None)


def _same_seed(name: str) -> None:
    RUN.set(runs.again(name))


def _new_seed(name: str) -> None:
    RUN.set(runs.again(name, random.randrange(2**31)))


ENDS: Final[Mapping[str, End]] = {
    "stop": End(texts.STOP_SURE, N_("Yes, stop"), runs.stop),
    "rewind": End(texts.AGAIN_SURE, N_("Yes, stop and rewind"), _same_seed),
    "seed": End(texts.AGAIN_SURE, N_("Yes, stop and start over"), _new_seed),
}


def _draw_learning_rate(run: RunSummary) -> None:
    key = f"rate-{run.name}"
    start_number(RATE, key, run.plan.learning_rate)
    help_ = _("The highest value of the schedule, from the next step on.")

    def change() -> None:
        """Apply a rate that is in range; one that is not is refused beside its field."""
        if RATE.problem("learning_rate", st.session_state[key]) is None:
            attempt("run", runs.learning_rate, run.name, st.session_state[key])

    options: dict[str, Any] = {"on_change": change, "width": "stretch"}
    rate = draw_number(RATE, with_range(RATE, _(RATE.label)), key, help=help_, **options)
    if problem := RATE.problem("learning_rate", rate):
        st.error(escape(worded(problem)))


def draw_plan(run: RunSummary) -> None:
    """Draw the plan and the commands, for one machine and for several."""
    if run.plan.task == LOADED:
        st.markdown(_("This model came without its plan: its zip does not say how it was trained."))
        return
    model, train = run.plan.model, run.plan.train
    values = (
        vars(model)
        | vars(train)
        | {
            "arch": _(texts.ARCHITECTURES[model.arch]),
            "task": escape(task_name(run.plan.task)),
            "pairs": grouped(run.plan.pairs),
            "layers": model.n_encoder_layers,
            "decoder": model.n_decoder_layers,
            "heads": model.n_heads,
            "optimizer": train.optimizer.capitalize(),
            "rate": short(train.learning_rate),
            "dropout": short(model.dropout),
            "warmup": grouped(train.warmup),
            "batch": grouped(train.batch_tokens),
            "smoothing": short(train.label_smoothing),
        }
    )
    st.markdown(_(texts.PLAN_RECURRENT if model.recurrent else texts.PLAN).format(**values))
    for step, rate in train.rates:
        says = _("From step {step} on, the highest learning rate is {rate}.")
        st.markdown(says.format(step=grouped(step), rate=short(rate)))
    if run.plan.from_model:
        st.markdown(_("It started from the weights of a trained model, with a fresh optimiser."))
    if not can_repeat(run.plan):
        return
    for machines, text in enumerate((texts.COMMAND, texts.TORCHRUN), start=1):
        st.caption(_(text))
        st.code(command(run.name, machines), None, wrap_lines=True)
    steps, rates = curves_of(run.name).of("learning_rate")
    is_planned = np.allclose(rates, schedule(run.plan, steps.tolist()), rtol=1e-3, atol=0)
    st.caption(_(texts.SEEDED if is_planned else texts.CHANGED))
