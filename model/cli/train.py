"""The command `train` of the command line: its options, and what they choose.

Imports no torch itself: a run that waits for its turn shall be small.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from model.cli.progress_bar import ProgressBar
from model.config import ModelConfig, TrainConfig
from model.runs.data import make_pairs, read_pairs, task_named
from model.runs.folder import RunFolder
from model.text.pairs import Pair
from model.training.presets import PRESETS, bf16_is_fast, strange_to, suited
from model.training.presets import preset as make_preset
from model.training.signals import collected

if TYPE_CHECKING:
    from model.runs.session import Run

Config = TypeVar("Config", ModelConfig, TrainConfig)


def train(
    data: Annotated[
        list[Path] | None, typer.Option(help="TSV of sentence pairs; may be repeated.")
    ] = None,
    valid: Annotated[
        Path | None, typer.Option(help="TSV of held-out pairs that choose the checkpoint.")
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="A task made by the project, instead of --data and --valid.")
    ] = None,
    pairs: Annotated[int | None, typer.Option(min=1, help="Training pairs of the task.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The run's folder: best/, last/ and logs (default of --plan: its own)."),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(help=f"One of {', '.join(PRESETS)} (default: small, or the task's own)."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from what was saved last.")
    ] = False,
    arch: Annotated[
        str | None, typer.Option(help="transformer (default), rnn or rnnsearch.")
    ] = None,
    vocab_size: Annotated[int | None, typer.Option(help="Pieces of the joint vocabulary.")] = None,
    d_model: Annotated[int | None, typer.Option(help="Width of the residual stream.")] = None,
    n_heads: Annotated[int | None, typer.Option(help="Heads of each attention.")] = None,
    d_ff: Annotated[int | None, typer.Option(help="Hidden units of the feed-forward.")] = None,
    n_encoder_layers: Annotated[int | None, typer.Option(help="Encoder layers.")] = None,
    n_decoder_layers: Annotated[int | None, typer.Option(help="Decoder layers.")] = None,
    d_hidden: Annotated[
        int | None, typer.Option(help="Numbers of a recurrent translator's state.")
    ] = None,
    cell: Annotated[
        str | None, typer.Option(help="gru (default) or tanh: a recurrent translator's cell.")
    ] = None,
    dropout: Annotated[float | None, typer.Option(help="Dropout rate.")] = None,
    norm: Annotated[str | None, typer.Option(help="post (the paper) or pre.")] = None,
    positions: Annotated[str | None, typer.Option(help="interleaved, half or none.")] = None,
    steps: Annotated[int | None, typer.Option(help="Optimiser steps.")] = None,
    batch_tokens: Annotated[int | None, typer.Option(help="Tokens of a batch.")] = None,
    accumulate: Annotated[int | None, typer.Option(help="Batches added up for a step.")] = None,
    optimizer: Annotated[str | None, typer.Option(help="adam (the paper) or muon.")] = None,
    schedule: Annotated[str | None, typer.Option(help="noam, linear, wsd or constant.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Its highest value.")] = None,
    warmup: Annotated[int | None, typer.Option(help="Steps of warm-up.")] = None,
    cooldown: Annotated[float | None, typer.Option(help="Last share of wsd, going down.")] = None,
    label_smoothing: Annotated[float | None, typer.Option(help="ε of the smoothing.")] = None,
    clip: Annotated[float | None, typer.Option(help="Highest gradient norm.")] = None,
    weight_decay: Annotated[float | None, typer.Option(help="Decoupled weight decay.")] = None,
    vary: Annotated[
        float | None,
        typer.Option(help="Chance of a source without capitals, accents or final stop."),
    ] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Longer pairs are left out.")] = None,
    average: Annotated[int | None, typer.Option(help="Validated weights to average.")] = None,
    validate_every: Annotated[int | None, typer.Option(help="Steps between validations.")] = None,
    validate_pairs: Annotated[int | None, typer.Option(help="Pairs of a validation.")] = None,
    bf16: Annotated[
        bool | None, typer.Option("--bf16/--fp32", help="Compute in 16 bits (default: if fast).")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of everything random.")] = None,
    snapshot: Annotated[
        list[int] | None, typer.Option(help="A step whose weights are kept; may be repeated.")
    ] = None,
    plan: Annotated[
        Path | None, typer.Option(help="A run's plan.json: all other settings are its own.")
    ] = None,
    nice: Annotated[int, typer.Option(min=0, max=19, help="How far to let others go first.")] = 0,
    threads: Annotated[int | None, typer.Option(min=1, help="Processor threads.")] = None,
) -> None:
    """Train a model on sentence pairs, and keep the checkpoint that validates best.

    Ctrl-C and SIGTERM save before they stop; --resume goes on bit for bit. On several machines
    or processors: torchrun … -m model train …
    """
    chosen = {name: value for name, value in locals().items() if value is not None}
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    # Under torchrun one process speaks for all.
    alone = os.environ.get("RANK", "0") == "0"
    with collected() as signals, ProgressBar() if alone else nullcontext() as bar:
        if plan:
            from model.runs.worker import PlannedRun

            folder = _planned(RunFolder(plan.parent), out, resume, alone)
            status = PlannedRun(folder, signals, bar, threads).train(resume)
        else:
            run = _run(chosen)
            status = _train(run, signals, bar)
            run.workers.leave()
    if status:
        raise typer.Exit(status)


def _planned(asked: RunFolder, out: Path | None, resume: bool, writes: bool) -> RunFolder:
    """Return the folder of a planned run: that of its plan, or a new one with a copy of the plan.

    Of several processes the first one alone writes it; the others read what was asked for, where
    it is. Raises ValueError for a folder that holds a run already.
    """
    if resume:
        return RunFolder(out) if out else asked
    if out and writes:
        new = RunFolder(out)
        plan = replace(asked.plan(), name=new.name, created=time.time())
        new.create(plan, asked.files(), asked.start())
        return new
    if writes and asked.is_saved():
        raise ValueError(
            f"{asked.path} already holds a run: add --resume, or choose another folder by --out."
        )
    return asked


def _run(chosen: dict[str, Any]) -> Run:
    """Build a run of what was chosen at the command line; raises ValueError."""
    from model.runs.session import Run
    from model.training.processor import prepare_processor

    if "out" not in chosen:
        raise ValueError("Say where the run shall be written: --out FOLDER.")
    out = chosen["out"]
    if out.joinpath("last").exists() and not chosen["resume"]:
        raise ValueError(f"{out} already holds a run: add --resume, or choose another folder.")
    model_config, config = _configured(chosen)
    prepare_processor(chosen.get("threads"))
    train_pairs, valid_pairs = _pairs(chosen, config)
    return Run(
        out,
        train_pairs,
        valid_pairs,
        model_config,
        config,
        chosen["resume"],
        snapshots=chosen.get("snapshot", ()),
    )


def _pairs(chosen: dict[str, Any], config: TrainConfig) -> tuple[list[Pair], list[Pair]]:
    """Return training and validation pairs; raises ValueError."""
    if "task" in chosen:
        return make_pairs(
            chosen["task"], chosen.get("pairs", 0), config.validate_pairs, config.seed
        )
    if not chosen.get("data") or "valid" not in chosen:
        raise ValueError("Say what to train on: --data TSV and --valid TSV, or --task NAME.")
    return read_pairs(chosen["data"]), read_pairs([chosen["valid"]])


def _configured(chosen: dict[str, Any]) -> tuple[ModelConfig, TrainConfig]:
    task = task_named(chosen["task"]) if "task" in chosen else None
    preset = chosen.get("preset") or (task.preset if task else "small")
    model_config, config = make_preset(preset, chosen.get("arch", "transformer"))
    for name in strange_to(model_config.arch):
        if name in chosen:
            option = name.replace("_", "-")
            raise ValueError(f"--{option} means nothing to --arch {model_config.arch}.")
    own = suited(task.settings, model_config.arch) if task and task.preset == preset else {}
    settings = {"bf16": bf16_is_fast()} | own | chosen
    return _replaced(model_config, settings), _replaced(config, settings)


def _replaced(config: Config, settings: Mapping[str, Any]) -> Config:
    known = {name: settings[name] for name in config.to_dict() if name in settings}
    return replace(config, **known)


def _train(run: Run, signals: list[int], bar: ProgressBar | None) -> int:
    """Train to the end or to a signal; return the exit status."""
    for progress in run.train():
        if bar:
            bar.show(progress, run.config.steps)
        (stop,) = run.workers.sum_values([bool(signals)])
        if stop:
            run.save_last()
            if bar:
                step = progress.report.step
                bar.say(f"Stopped and saved at step {step}; --resume goes on.")
            return 128 + (signals[0] if signals else signal.SIGTERM)
    return 0
