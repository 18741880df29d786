"""The command `train`: its options, its progress bar, and the plan of a run that is made from them.

It does not import torch, so that a run waiting in the queue takes little memory.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from model.background import give_way
from model.cli.hyperparameters import Config, with_settings
from model.cli.options import contradiction, file_option, one_of, refusal
from model.config import ModelConfig, TrainConfig
from model.errors import UserError, os_errors_as
from model.runs.folder import RunFolder
from model.runs.plan import MAY_CHANGE, OWN, START, Plan, Wishes, plan_of, refuse_other
from model.runs.worker import Worker, watchdog
from model.tasks import TASKS
from model.training.estimate import refuse_too_large
from model.training.presets import PRESETS, defaults, not_applicable

if TYPE_CHECKING:
    from model.checkpoint import Checkpoint
    from model.runs.session import Progress as Trained


SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def collected() -> Iterator[list[int]]:
    """Collect the signals that ask to stop, so that they take effect once the step is finished.

    Python's own handlers run only after the current torch operation, however long it takes; the
    wake-up byte that announces a signal arrives at once.
    """
    received: list[int] = []
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)

    def listen() -> None:
        while number := ours.recv(1):
            if number[0] in SIGNALS:
                received.append(number[0])

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    former_socket = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    former = {number: signal.signal(number, lambda *_: None) for number in SIGNALS}
    try:
        yield received
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(former_socket)
        theirs.close()
        listener.join()
        ours.close()


@contextmanager
def progress_bar() -> Iterator[Callable[[Trained, int], None]]:
    """Show the current and total steps on one line; print a line for each validation.

    The bar appears with the first step, and is removed after an error.
    """
    bar = Progress(
        *(TextColumn("{task.description}"), BarColumn()),
        *(TextColumn("{task.completed}/{task.total}"), TimeElapsedColumn(), TimeRemainingColumn()),
        console=Console(stderr=True),
    )
    task = bar.add_task("training", total=None)

    def show(progress: Trained, steps: int) -> None:
        bar.start()
        report, scores = progress.report, progress.validation
        rate = report.tokens / report.seconds
        text = f"loss {report.cross_entropy:.3f}  {rate:,.0f} tokens/s"
        bar.update(task, total=steps, completed=report.step, description=text)
        if scores:
            bar.console.print(
                f"step {report.step}: validation loss {scores.loss:.3f}, BLEU {scores.bleu:.1f}, "
                f"chrF {scores.chrf:.1f}, exact {scores.exact:.1f} %"
            )

    try:
        yield show
    except BaseException:
        bar.live.transient = True
        raise
    finally:
        if bar.live.is_started:
            bar.stop()


# Pairs of options that contradict each other, and why.
CONTRADICTIONS: Final = (
    ("data", "task", "a task brings its own pairs."),
    ("valid", "task", "a task brings its own pairs."),
    ("pairs", "data", "it counts the pairs that a task draws."),
)


@with_settings
def train(
    config: Config = None,
    data: Annotated[
        list[Path] | None, file_option("TSV of sentence pairs; may be repeated.")
    ] = None,
    valid: Annotated[
        Path | None, file_option("TSV of held-out pairs that choose the checkpoint.")
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            help="A task made by the project, instead of --data and --valid: one of "
            f"{', '.join(TASKS)}. `python -m model tasks` shows them.",
            callback=one_of(TASKS),
        ),
    ] = None,
    pairs: Annotated[int | None, typer.Option(min=1, help="Training pairs of the task.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The run's folder: best/, last/ and logs (default of --plan: its own)."),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help=f"Where the settings start from: {', '.join(PRESETS)} (default: small, or the "
            "task's own). `python -m model presets` shows them.",
            callback=one_of(PRESETS),
        ),
    ] = None,
    start_from: Annotated[
        str | None,
        typer.Option(
            help="A model, by name or folder, whose weights and tokenizer the run begins with; "
            "with pre-norm it may get more layers."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from what was saved last.")
    ] = False,
    snapshot: Annotated[
        list[int] | None, typer.Option(help="A step whose weights are kept; may be repeated.")
    ] = None,
    plan: Annotated[
        Path | None, file_option("A run's plan.json: all other settings are its own.")
    ] = None,
    nice: Annotated[int, typer.Option(min=0, max=19, help="How far to let others go first.")] = 0,
    threads: Annotated[int | None, typer.Option(min=1, help="Processor threads.")] = None,
    device: Annotated[
        str | None,
        typer.Option(help="What computes: cpu, cuda or cuda:1 (default: a GPU if there is one)."),
    ] = None,
    insist: Annotated[
        bool, typer.Option("--insist", help="Train even what may not fit into the memory.")
    ] = False,
    **settings: Any,
) -> None:
    """Train a model on sentence pairs, and keep the checkpoint that validates best.

    Ctrl-C and SIGTERM save before they stop; --resume goes on bit for bit, with as many threads.
    It keeps the run's settings: but for --steps, --patience, --learning-rate (from the next step
    on), --snapshot, --threads, --device and --nice, an option may only repeat them. On several
    machines or processors: torchrun … -m model train …
    """
    if nice:
        give_way(nice)
    chosen = {"data": data, "valid": valid, "task": task, "pairs": pairs, "preset": preset}
    chosen |= {"snapshot": snapshot, "start_from": start_from} | settings
    chosen = {name: value for name, value in chosen.items() if value is not None}
    for one, other, why in CONTRADICTIONS:
        if one in chosen and other in chosen:
            raise contradiction(one, other, why)
    if device is not None:
        from model.training.workers import device_of

        device_of(device)
    writes = os.environ.get("RANK", "0") == "0"  # under torchrun one process writes for all
    if plan is None and out is None:
        raise refusal("out", "Say where the run is to be written.")
    if plan is not None:
        if config is not None:
            raise contradiction("config", "plan", "a plan has all settings of its run.")
        if chosen:
            raise refusal(next(iter(chosen)), "The --plan has all settings of its run.")
        if not insist:
            _refuse_too_large(RunFolder(plan.parent).plan())
        folder, new_plan = _planned(RunFolder(plan.parent), out, resume, writes), None
    else:
        folder = RunFolder(out)  # type: ignore[arg-type]
        _check(folder, resume)
        resumes = resume and folder.exists()
        new_plan = (_resumed_plan if resumes else _new_plan)(folder, chosen, device)
        if not insist:
            _refuse_too_large(new_plan)
        if resumes and writes:
            _go_on(folder, new_plan, chosen)
        elif start_from and writes:
            folder.begin_with(_start(start_from).folder)
    with collected() as signals, progress_bar() as show:
        on_step = show if writes else lambda progress, steps: None
        queued = plan is not None
        worker = Worker(folder, signals, on_step, threads, new_plan, queued, device)
        with watchdog(worker, lambda status: _end(worker, status)):
            status = worker.train(resume)
    if status and writes:
        _echo_end(worker)
    if status:
        raise typer.Exit(status)


def _end(worker: Worker, status: int) -> None:
    """End the process in the middle of a step."""
    Console(stderr=True).show_cursor()  # the progress bar had hidden it
    _echo_end(worker)
    os._exit(status)


def _echo_end(worker: Worker) -> None:
    failure, step = worker.status.error, worker.status.step
    text = f"Stopped: {failure.text}" if failure else f"Stopped and saved at step {step};"
    if worker.folder.is_saved():
        text += " --resume goes on."
    elif not failure:
        text = "Stopped before there was anything to save."
    typer.echo(text, err=True)


def _refuse_too_large(plan: Plan) -> None:
    try:
        refuse_too_large(plan.model, plan.train, plan.pairs)
    except UserError as error:
        what = f"{error.text} --insist trains it all the same."
        raise UserError("plain", what=what) from error


def _check(folder: RunFolder, resume: bool) -> None:
    """Raise UserError if a new run would overwrite another, or there is no run to resume."""
    with os_errors_as(UserError("run_not_written", "out")):
        saved = folder.is_saved()
        is_model = (folder.path / "manifest.json").exists()
    if resume and not saved:
        raise refusal("resume", f"There is nothing to resume in {folder.path}.")
    if resume:
        return
    if saved:
        message = f"{folder.path} already holds a run: add --resume, or choose another folder."
        raise refusal("out", message)
    if is_model:
        raise refusal("out", f"{folder.path} holds a model: choose another folder.")


def _planned(asked: RunFolder, out: Path | None, resume: bool, writes: bool) -> RunFolder:
    """Return the folder of a planned run: that of its plan, or a new one with a copy of the plan.

    With several processes, only the first one writes the copy; the others read the original plan.
    """
    folder = RunFolder(out) if out else asked
    if not writes:
        return folder if resume else asked
    _check(folder, resume)
    if resume:
        folder.refuse_other(folder.plan())
    elif out:
        plan = replace(asked.plan(), name=folder.name, created=time.time())
        folder.create(plan, asked.files(), asked.start())
    return folder


def _resumed_plan(folder: RunFolder, chosen: dict[str, Any], device: str | None) -> Plan:
    """Return the plan of a resumed run; raises UserError if the options would change the run."""
    plan = folder.plan()
    asked = dict(chosen)
    if "start_from" in chosen:
        asked["from_model"] = True
        if plan.from_model:
            began = (folder.path / START / "manifest.json").read_bytes()
            if began != (_start(chosen["start_from"]).folder / "manifest.json").read_bytes():
                why = "the run began with the weights of another model."
                raise contradiction("start_from", "resume", why)
    if "preset" in chosen:  # it implies all its settings, with 16 bits only where they are fast
        arch = chosen.get("arch", plan.model.arch)
        preset = defaults(plan.task, chosen["preset"], arch, device)
        asked = {**preset, "bf16": plan.train.bf16, **asked}
    refuse_other(plan.fixed, asked)
    names = {name: chosen[name] for name in MAY_CHANGE & chosen.keys()}
    train = TrainConfig.of(plan.train.to_dict() | names)
    train = replace(train, learning_rate=plan.train.learning_rate)  # that of the last steps
    plan = replace(_with_files(plan, chosen), train=train)
    folder.refuse_other(plan)
    return plan


def _go_on(folder: RunFolder, plan: Plan, chosen: Mapping[str, Any]) -> None:
    """Replace the run's former wishes by the chosen learning rate, if there is one."""
    rate = chosen.get("learning_rate", plan.train.learning_rate)
    changed = rate != plan.train.learning_rate
    folder.wish(**vars(Wishes(learning_rate=rate if changed else None)))


def _with_files(plan: Plan, chosen: Mapping[str, Any]) -> Plan:
    """Return a plan with the chosen data files and snapshots."""
    data = tuple(str(file.absolute()) for file in chosen.get("data", ()))
    valid = str(chosen["valid"].absolute()) if "valid" in chosen else ""
    snapshots = tuple(chosen.get("snapshot", plan.snapshots))
    return replace(plan, data=data or plan.data, valid=valid or plan.valid, snapshots=snapshots)


def _new_plan(folder: RunFolder, chosen: dict[str, Any], device: str | None) -> Plan:
    """Return the chosen options as a plan: for a task, or of a preset for the user's own pairs."""
    task = TASKS.get(chosen.get("task", ""))
    pairs = chosen.get("pairs", 0)
    if task and task.most and pairs > task.most:
        raise UserError("too_large", "pairs", value=pairs, most=task.most)
    given = {"data", "valid"} & chosen.keys()
    if len(given) == 1 or not (task or given):
        message = "Say what to train on: --data TSV and --valid TSV, or --task NAME."
        raise refusal("valid" if "data" in chosen else "data", message)
    start = _start(chosen["start_from"]).config if "start_from" in chosen else None
    preset = chosen.get("preset") or (task.preset if task else "small")
    arch = chosen.get("arch", start.arch if start else "transformer")
    for name in not_applicable(arch):
        if name in chosen:
            raise UserError("not_for_arch", name, arch=arch)
    settings = defaults(task.name if task else OWN, preset, arch, device)
    settings |= (start.to_dict() if start else {}) | chosen
    name = folder.path.absolute().name
    model, train = ModelConfig.of(settings), TrainConfig.of(settings)
    if start:
        from model.training.growth import check_growth

        check_growth(start, model)
    else:
        from model.text.tokenizer import refuse_small_vocabulary  # a waiting run needs none

        refuse_small_vocabulary(model.vocab_size)
    if task is None:
        plan = Plan(name, OWN, "", "", model, train, ("", ""))
    else:
        plan = plan_of(task, name, model, train, pairs)
    return replace(_with_files(plan, chosen), created=time.time(), from_model=start is not None)


def _start(name: str) -> Checkpoint:
    """Load the model that a run starts from; raises CheckpointError naming the option."""
    from model import checkpoint
    from model.text.marian_tokenizer import MarianTokenizer

    try:
        loaded = checkpoint.load(name)
        if isinstance(loaded.tokenizer, MarianTokenizer):
            raise checkpoint.CheckpointError("not_trained_on", name=name)
        return loaded
    except checkpoint.CheckpointError as error:
        error.field = "start_from"
        raise
