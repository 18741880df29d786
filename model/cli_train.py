"""The command `train` of the command line: its options, its progress bar and its signals."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import torch
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from model.config import ModelConfig, TrainConfig
from model.presets import PRESETS
from model.run import Run, read_pairs
from model.train import prepare_processor

console = Console(stderr=True)


def train(
    data: Annotated[list[Path], typer.Option(help="TSV of sentence pairs; may be repeated.")],
    valid: Annotated[Path, typer.Option(help="TSV of held-out pairs that choose the checkpoint.")],
    out: Annotated[Path, typer.Option(help="The run's folder: best/, last/ and logs.")],
    preset: Annotated[str, typer.Option(help=f"One of {', '.join(PRESETS)}.")] = "small",
    resume: Annotated[bool, typer.Option("--resume", help="Go on from OUT/last.")] = False,
    vocab_size: Annotated[int | None, typer.Option(help="Pieces of the joint vocabulary.")] = None,
    d_model: Annotated[int | None, typer.Option(help="Width of the residual stream.")] = None,
    n_heads: Annotated[int | None, typer.Option(help="Heads of each attention.")] = None,
    d_ff: Annotated[int | None, typer.Option(help="Hidden units of the feed-forward.")] = None,
    n_encoder_layers: Annotated[int | None, typer.Option(help="Encoder layers.")] = None,
    n_decoder_layers: Annotated[int | None, typer.Option(help="Decoder layers.")] = None,
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
    threads: Annotated[int | None, typer.Option(min=1, help="Processor threads.")] = None,
) -> None:
    """Train a model on sentence pairs, and keep the checkpoint that validates best.

    Ctrl-C and SIGTERM save before they stop; --resume goes on bit for bit. On several machines
    or processors: torchrun … -m model train …
    """
    chosen = {name: value for name, value in locals().items() if value is not None}
    model_config, config = _configured(preset, chosen)
    if threads:
        torch.set_num_threads(threads)
    prepare_processor()
    if out.joinpath("last").exists() and not resume:
        raise ValueError(f"{out} already holds a run: add --resume, or choose another folder.")
    run = Run(
        out,
        read_pairs(data),
        read_pairs([valid]),
        model_config,
        config,
        resume,
        snapshots=snapshot or (),
    )
    with _stopping() as signals:
        _train(run, signals)


def _configured(preset: str, chosen: dict[str, Any]) -> tuple[ModelConfig, TrainConfig]:
    if preset not in PRESETS:
        raise ValueError(f"There is no preset {preset!r}, only {', '.join(PRESETS)}.")
    model_config, config = PRESETS[preset]
    own = {name: chosen[name] for name in model_config.to_dict() if name in chosen}
    model_config = replace(model_config, **own)
    chosen.setdefault("bf16", bf16_is_fast())
    return model_config, replace(
        config, **{name: chosen[name] for name in config.to_dict() if name in chosen}
    )


def bf16_is_fast() -> bool:
    """Tell whether this machine computes 16-bit products in hardware."""
    if torch.cuda.is_available():
        return torch.cuda.is_bf16_supported()
    return torch.cpu._is_avx512_bf16_supported()


def _train(run: Run, signals: list[int]) -> None:
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not run.workers.writes,
    )
    with bar:
        task = bar.add_task("training", total=run.config.steps, completed=run.trainer.step)
        for progress in run.train():
            report, scores = progress.report, progress.validation
            rate = report.tokens / report.seconds
            bar.update(
                task,
                completed=report.step,
                description=f"loss {report.loss:.3f}  {rate:,.0f} tokens/s",
            )
            if scores:
                bar.console.print(
                    f"step {report.step}: validation loss {scores.loss:.3f}, "
                    f"BLEU {scores.bleu:.1f}, chrF {scores.chrf:.1f}"
                )
            if run.workers.any(bool(signals)):
                run.save_last()
                console.print(f"Stopped and saved at step {report.step}; --resume goes on.")
                run.workers.leave()
                raise typer.Exit(128 + (signals[0] if signals else signal.SIGTERM))
    run.workers.leave()


@contextmanager
def _stopping() -> Iterator[list[int]]:
    """Collect the signals that ask to stop, so that a step is finished before they count."""
    received: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        received.append(number)

    former = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
