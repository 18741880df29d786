"""The command `train`: its options, and the plan of a run that they make.

Imports no torch itself: a run that waits in the queue has to be small.
"""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from model.cli.progress_bar import progress_bar
from model.config import Declared, ModelConfig, TrainConfig, settings_of
from model.errors import UserError
from model.runs.folder import RunFolder
from model.runs.plan import OWN, Plan, plan_of
from model.runs.worker import Worker
from model.tasks import TASKS
from model.training.presets import PRESETS, defaults, strange_to
from model.training.signals import collected


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command's `**settings` an option for each hyper-parameter that people choose."""
    signature = inspect.signature(command, eval_str=True)
    *own, _settings = signature.parameters.values()
    options = [*own, *_options(settings_of(ModelConfig)), *_options(settings_of(TrainConfig))]
    command.__signature__ = signature.replace(parameters=options)  # type: ignore[attr-defined]
    command.__annotations__ = {option.name: option.annotation for option in options}
    return command


def _options(declared: Mapping[str, Declared]) -> Iterator[inspect.Parameter]:
    for name, (kind, _, setting) in declared.items():
        valid = setting.valid
        option = typer.Option(
            *(["--bf16/--fp32"] if name == "bf16" else []),
            help=setting.help,
            min=None if valid is None or valid.open_low else valid.low,
            max=None if valid is None else valid.high,
        )
        if setting.help:
            parameter = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
            yield parameter.replace(annotation=Annotated[kind | None, option])


def _one_of(names: Iterable[str]) -> Callable[[typer.CallbackParam, str | None], str | None]:
    def check(option: typer.CallbackParam, value: str | None) -> str | None:
        if value is not None and value not in names:
            raise UserError("not_one_of", option.name or "", value=value, names=", ".join(names))
        return value

    return check


def file_option(help_: str) -> Any:
    """Return the option of a file that exists."""
    return typer.Option(help=help_, exists=True, dir_okay=False)


@with_settings
def train(
    data: Annotated[
        list[Path] | None, file_option("TSV of sentence pairs; may be repeated.")
    ] = None,
    valid: Annotated[
        Path | None, file_option("TSV of held-out pairs that choose the checkpoint.")
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            help="A task made by the project, instead of --data and --valid.",
            callback=_one_of(TASKS),
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
            help=f"One of {', '.join(PRESETS)} (default: small, or the task's own).",
            callback=_one_of(PRESETS),
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
    **settings: Any,
) -> None:
    """Train a model on sentence pairs, and keep the checkpoint that validates best.

    Ctrl-C and SIGTERM save before they stop; --resume goes on bit for bit. On several machines
    or processors: torchrun … -m model train …
    """
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    chosen = {"data": data, "valid": valid, "task": task, "pairs": pairs, "preset": preset}
    chosen |= {"snapshot": snapshot} | settings
    chosen = {name: value for name, value in chosen.items() if value is not None}
    writes = os.environ.get("RANK", "0") == "0"  # under torchrun one process writes for all
    if plan is None and out is None:
        raise _refusal("out", "Say where the run is to be written.")
    if plan is not None:
        folder, new_plan = _planned(RunFolder(plan.parent), out, resume, writes, chosen), None
    else:
        folder = RunFolder(out)  # type: ignore[arg-type]
        _check(folder, resume)
        new_plan = _make_plan(folder, resume, chosen)
    with collected() as signals, progress_bar() as show:
        on_step = show if writes else lambda progress, steps: None
        worker = Worker(folder, signals, on_step, threads, new_plan, queued=plan is not None)
        status = worker.train(resume)
    if status and writes:
        step = worker.status.step
        typer.echo(f"Stopped and saved at step {step}; --resume goes on.", err=True)
    if status:
        raise typer.Exit(status)


def _refusal(option: str, message: str) -> UserError:
    return UserError("plain", option, what=message)


def _check(folder: RunFolder, resume: bool) -> None:
    """Refuse to train over a run that is there, and to resume one that is not."""
    if resume and not folder.is_saved():
        raise _refusal("resume", f"There is nothing to resume in {folder.path}.")
    if folder.is_saved() and not resume:
        message = f"{folder.path} already holds a run: add --resume, or choose another folder."
        raise _refusal("out", message)


def _planned(
    asked: RunFolder, out: Path | None, resume: bool, writes: bool, chosen: Mapping[str, Any]
) -> RunFolder:
    """Return the folder of a planned run: that of its plan, or a new one with a copy of the plan.

    Of several processes the first one alone writes it; the others read what was asked for, where
    it is.
    """
    if chosen:
        raise _refusal(next(iter(chosen)), "The --plan has all settings of its run.")
    folder = RunFolder(out) if out else asked
    if not writes:
        return folder if resume else asked
    _check(folder, resume)
    if out and not resume:
        plan = replace(asked.plan(), name=folder.name, created=time.time())
        folder.create(plan, asked.files(), asked.start())
    return folder


def option_of(name: str) -> str:
    """Return how the command line writes the name of a setting."""
    return f"--{name.replace('_', '-')}"


def _make_plan(folder: RunFolder, resume: bool, chosen: dict[str, Any]) -> Plan:
    """Return what was chosen as a plan: of a new run, or of the one that goes on."""
    plan = folder.plan() if resume and folder.exists() else _new_plan(folder, chosen)
    for name in strange_to(plan.model.arch):
        if name in chosen:
            raise UserError("not_for_arch", name, arch=plan.model.arch)
    if "data" in chosen and "valid" in chosen:
        *data, valid = (str(file.absolute()) for file in (*chosen["data"], chosen["valid"]))
        plan = replace(plan, data=tuple(data), valid=valid)
    return replace(
        plan,
        model=ModelConfig.of(plan.model.to_dict() | chosen),
        train=TrainConfig.of(plan.train.to_dict() | chosen),
        snapshots=tuple(chosen.get("snapshot", plan.snapshots)),
    )


def _new_plan(folder: RunFolder, chosen: dict[str, Any]) -> Plan:
    """Return the plan of a task, or of a preset for pairs of one's own."""
    task = TASKS.get(chosen.get("task", ""))
    if task is None and not ("data" in chosen and "valid" in chosen):
        message = "Say what to train on: --data TSV and --valid TSV, or --task NAME."
        raise _refusal("valid" if "data" in chosen else "data", message)
    preset = chosen.get("preset") or (task.preset if task else "small")
    settings = defaults(task.name if task else OWN, preset, chosen.get("arch", "transformer"))
    name = folder.path.absolute().name
    model, train = ModelConfig.of(settings), TrainConfig.of(settings)
    if task is None:
        plan = Plan(name, OWN, "", "", model, train, ("", ""))
    else:
        plan = plan_of(task, name, model, train, chosen.get("pairs", 0))
    return replace(plan, created=time.time())
