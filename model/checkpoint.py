"""A model on disk: a folder with its configuration, tokenizer, weights, metrics and checksums.

The folder is written completely or not at all, and nothing in it is ever unpickled.
"""

import json
import math
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor
from torch.overrides import TorchFunctionMode

from model.config import ModelConfig
from model.errors import UserError, os_errors_as, reason
from model.files import (
    OWN,
    ROOT,
    aside,
    fits,
    flush,
    named,
    own,
    own_runs,
    read_json,
    sha256,
    write_json,
)
from model.languages import direction
from model.nn.architectures import ARCHITECTURES, build
from model.nn.packed import keeps_weights, packed
from model.nn.translator import Decodable, Translator
from model.text.marian_tokenizer import read_tokenizer
from model.text.tokenizer import Tokenizer
from model.training.estimate import n_parameters

FORMAT = 1
FILES = ("config.json", "tokenizer.json", "weights.safetensors", "metrics.json")
STATE = "state.safetensors"
OF_RUN = "runs/"
OF_IMPORT = "models/"
SMALL = 2**24  # parameters, for which any machine has enough memory
MOST_HEADER = 2**20  # bytes of a header that names the arrays; the largest model's has a third
DTYPES = ("F16", "BF16", "F32", "F64")  # of weights
ROUNDED = "I8"  # of a matrix of which each row has a scale of its own
SCALE = ".scale"  # ends the name of these scales
Bits = Literal[8, 16, 32]
LISTED, LONGEST_NAME = 3, 40  # of the arrays in an error
MODELS = Path(os.environ.get("MODELS_DIR") or OWN / "models").absolute()
PRETRAINED = Path(os.environ.get("PRETRAINED_DIR") or ROOT / "pretrained")


class CheckpointError(UserError):
    """A model folder that cannot be read or written."""


@dataclass(frozen=True)
class Checkpoint:
    """A model as loaded, ready to translate."""

    model: Translator
    tokenizer: Tokenizer
    metrics: dict[str, Any]
    folder: Path

    @property
    def config(self) -> ModelConfig:
        return self.model.config

    @cached_property
    def packed(self) -> Decodable:
        """The model packed for decoding, or itself where packing would round its weights."""
        return packed(self.model) if keeps_weights(self.model) else self.model

    def metric(self, *names: str) -> float | None:
        """Return a number from the metrics, which may hold anything; None if it is no number."""
        value: Any = self.metrics
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        return float(value) if fits(value, float) else None

    @property
    def steps(self) -> int | None:
        """The number of training steps, including those of the model it started from, if known."""
        steps = self.metric("step")
        return None if steps is None else round(steps + (self.metric("before", "steps") or 0))

    @property
    def tokens(self) -> int | None:
        """The number of tokens read in training on both sides, if all batches were full.

        It includes those of the model it started from; None if unknown.
        """
        steps, per_step = self.metric("step"), self.metric("train", "batch_tokens")
        if steps is None or per_step is None:
            return None
        return round(steps * per_step + (self.metric("before", "tokens") or 0))


def resolve(name: str) -> Path:
    """Return the folder of a model.

    `name` may be `runs/NAME`, a path, a name under `pretrained/`, or the name of an imported model,
    with or without `models/` in front. A training run's folder stands for its best checkpoint.
    Raises CheckpointError.
    """
    runs = _below(own_runs(), name.removeprefix(OF_RUN)) if name.startswith(OF_RUN) else []
    imported = _below(own(MODELS), name.removeprefix(OF_IMPORT))
    for folder in (*runs, Path(name), PRETRAINED / name, *imported):
        for candidate in (folder, folder / "best", _aside(folder, "old")):
            with suppress(OSError, ValueError):  # an invalid folder name
                if (candidate / "manifest.json").is_file():
                    return candidate
    raise CheckpointError("no_model", name=repr(name[:100]))


def _below(folder: Path, name: str) -> list[Path]:
    """Return the folder of a run or an imported model, or an empty list for an invalid name."""
    try:
        return [named(name, folder)]
    except ValueError:
        return []


def imported_names() -> list[str]:
    """Return the names of the imported models, in order."""
    models = own(MODELS)
    folders = (file.parent for file in sorted(models.glob("*/manifest.json")))
    return [f"{OF_IMPORT}{folder.name}" for folder in folders if _below(models, folder.name)]


def pretrained_names() -> list[str]:
    """Return the names of the models that ship with the project, in order, Transformers first.

    A recurrent one is in the folder of its architecture: "rnnsearch/es-en".
    """
    patterns = ("*", *(f"{arch}/*" for arch in ARCHITECTURES))
    return [
        file.parent.relative_to(PRETRAINED).as_posix()
        for pattern in patterns
        for file in sorted(PRETRAINED.glob(f"{pattern}/manifest.json"))
    ]


def snapshot_names() -> list[str]:
    """Return the names of one training's snapshots that ship with the project, in order of time."""
    files = PRETRAINED.glob("snapshots/*/metrics.json")
    in_time = sorted(files, key=lambda file: int(read_json(file)["step"]))
    return [f"snapshots/{file.parent.name}" for file in in_time]


def _aside(folder: Path, suffix: str) -> Path:
    return folder.parent / f".{folder.name}.{suffix}"


def save(
    folder: Path,
    model: Translator,
    tokenizer: Tokenizer,
    metrics: Mapping[str, Any],
    state: tuple[Mapping[str, Tensor], Mapping[str, Any]] | None = None,
    bits: Bits = 32,
) -> None:
    """Write a checkpoint, replacing any former one, with weights of so many bits.

    With 8, each row of a matrix is stored as whole numbers and a scale, and vectors in 16 bits.

    `state` is what else is needed for resuming, as tensors and as JSON. Raises CheckpointError if
    the checkpoint cannot be written; the former one is then still there.
    """

    def write_weights(path: Path) -> None:
        weights: dict[str, Tensor] = {}
        for name, p in model.named_parameters():
            if bits == 8 and p.dim() == 2:
                weights[name], weights[name + SCALE] = in_8_bits(p.detach())
            else:
                weights[name] = p.detach().to(torch.float32 if bits == 32 else torch.float16)
        save_file(weights, path)
        if state is not None:
            save_file(
                dict(state[0]), path.with_name(STATE), metadata={"json": json.dumps(state[1])}
            )

    write(folder, model.config, tokenizer, metrics, write_weights)


def in_8_bits(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """Return a matrix (R, C) as whole numbers up to ±127, and the scale of each row, (R,)."""
    scales = (matrix.abs().amax(dim=1) / 127).to(torch.float16)
    scales[scales == 0] = 1
    rounded = (matrix / scales.float()[:, None]).round().clamp(-127, 127)
    return rounded.to(torch.int8), scales


def write(
    folder: Path,
    config: ModelConfig,
    tokenizer: Tokenizer,
    metrics: Mapping[str, Any],
    write_weights: Callable[[Path], None],
) -> None:
    """Write a checkpoint whose weights `write_weights` writes to a path, as safetensors.

    Raises CheckpointError as `save` does.
    """
    new, old = _aside(folder, "new"), _aside(folder, "old")
    try:
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        values = {"format": FORMAT, "arch": config.arch, "model": config.to_dict()}
        write_json(new / "config.json", values)
        write_json(new / "metrics.json", metrics)
        tokenizer.save(new / "tokenizer.json")
        write_weights(new / "weights.safetensors")
        write_json(new / "manifest.json", {f.name: sha256(f) for f in sorted(new.iterdir())})
        for file in new.iterdir():
            flush(file)
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)
            folder.rename(old)
        new.rename(folder)
        flush(folder.parent)
        shutil.rmtree(old, ignore_errors=True)
    except (OSError, SafetensorError) as error:
        shutil.rmtree(new, ignore_errors=True)
        raise CheckpointError("model_not_saved", folder=str(folder), why=reason(error)) from error
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def record(loaded: Checkpoint, scores: Mapping[str, Any]) -> None:
    """Add scores, by name, to the metrics of a model on disk, and update its checksums.

    Raises CheckpointError if they cannot be written; the model is then unchanged.
    """
    folder = loaded.folder
    with (
        os_errors_as(CheckpointError("model_not_saved", folder=str(folder))),
        aside("record", folder) as place,
    ):
        metrics, manifest = place / "metrics.json", place / "manifest.json"
        write_json(metrics, loaded.metrics | dict(scores))
        sums = read_json(folder / manifest.name) | {metrics.name: sha256(metrics)}
        write_json(manifest, sums)
        for file in (metrics, manifest):
            file.replace(folder / file.name)


def load(name: str | Path) -> Checkpoint:
    """Load a model by folder or name, in evaluation mode; raises CheckpointError."""
    folder = resolve(str(name))
    verify(folder)
    try:
        config = read_json(folder / "config.json")
        if config.get("format") != FORMAT or config.get("arch") not in ARCHITECTURES:
            raise CheckpointError("other_version", folder=str(folder))
        model_config = ModelConfig.from_dict(config["model"])
        if model_config.arch != config["arch"]:
            raise ValueError(f"{folder} names two architectures.")
        metrics = read_json(folder / "metrics.json")
        tokenizer = read_tokenizer(folder / "tokenizer.json")
        if {model_config.vocab_size, model_config.n_tgt_vocab} != {tokenizer.vocab_size}:
            raise CheckpointError("other_tokenizer", folder=str(folder))
        tokenizer.language = _source_language(metrics, folder)
        model = _load_model(model_config, folder / "weights.safetensors")
    except CheckpointError:
        raise
    except (OSError, SafetensorError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise CheckpointError("not_a_model", folder=str(folder)) from error
    return Checkpoint(model.eval(), tokenizer, metrics, folder)


def untrained(loaded: Checkpoint, seed: int = 0) -> Checkpoint:
    """Return a model as its training could start: with random weights, drawn by a seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return replace(loaded, model=build(loaded.config).eval(), metrics={})


def _source_language(metrics: Mapping[str, Any], folder: Path) -> str:
    """Return the language that a model reads, as its plan or its folder's name has it, or ""."""
    plan = metrics.get("plan")
    planned = plan.get("source") if isinstance(plan, dict) else None
    return str(planned or direction(folder.name[:5])[0])


def verify(folder: Path) -> None:
    """Compare every file with its checksum; raises CheckpointError at the first mismatch."""
    try:
        manifest = read_json(folder / "manifest.json")
        missing = [name for name in FILES if name not in manifest]
        if missing:
            raise CheckpointError("file_missing", folder=str(folder), file=missing[0])
        for name in (*FILES, STATE):
            if name in manifest and sha256(folder / name) != manifest[name]:
                raise CheckpointError("damaged", file=str(folder / name))
    except CheckpointError:
        raise
    except (OSError, ValueError, TypeError) as error:
        raise CheckpointError("not_a_model", folder=str(folder)) from error


class Unfilled(TorchFunctionMode):
    """Leave new weights uninitialised, because drawing them takes longer than reading the file."""

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if function in (Tensor.uniform_, Tensor.normal_):
            return args[0]
        return function(*args, **(kwargs or {}))


def _load_model(config: ModelConfig, path: Path) -> Translator:
    with opened(path, dtypes=(*DTYPES, ROUNDED)) as (file, shapes):
        # A configuration that claims far more than its file holds must not use up the memory.
        count, claimed = sum(map(math.prod, shapes.values())), n_parameters(config)
        if claimed > max(SMALL, count):
            raise CheckpointError("too_few_weights", file=str(path), count=count, claimed=claimed)
        with Unfilled():
            model = build(config)
        expected = {name: tuple(p.shape) for name, p in model.named_parameters()}
        rounded = [name for name in shapes if file.get_slice(name).get_dtype() == ROUNDED]
        expected |= {name + SCALE: shapes[name][:1] for name in rounded}
        if shapes != expected:
            raise other_weights(str(path), shapes, expected)
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                weights = file.get_tensor(name)
                if name in rounded:
                    scales = file.get_tensor(name + SCALE).float()  # one a row
                    weights = (weights.T * scales).T
                parameter.copy_(weights)
                if not parameter.isfinite().all():
                    raise CheckpointError("weights_not_finite", file=str(path), name=name)
    return model


@contextmanager
def opened(
    path: Path, name: str = "", dtypes: Sequence[str] = DTYPES
) -> Iterator[tuple[Any, dict[str, tuple[int, ...]]]]:
    """Open a file of weights; give the file and the shape of each tensor.

    Errors may call the file `name`. Raises CheckpointError if a tensor's type is not in `dtypes`,
    and SafetensorError or OSError if the file is not a safetensors file.
    """
    with path.open("rb") as file:
        if int.from_bytes(file.read(8), "little") > MOST_HEADER:
            raise SafetensorError("The header is longer than that of any model.")
    with safe_open(path, framework="pt") as tensors:
        shapes = {}
        for tensor in tensors.keys():  # noqa: SIM118
            described = tensors.get_slice(tensor)
            shapes[tensor], dtype = tuple(described.get_shape()), described.get_dtype()
            if dtype not in dtypes:
                raise CheckpointError(
                    "weights_type",
                    file=name or str(path),
                    name=_listed([tensor]),
                    dtype=dtype,
                    dtypes=", ".join(dtypes),
                )
        yield tensors, shapes


def other_weights(
    file: str, shapes: Mapping[str, tuple[int, ...]], expected: Mapping[str, tuple[int, ...]]
) -> CheckpointError:
    """Return an error that names the arrays in which a file differs from a model."""
    common = shapes.keys() & expected.keys()
    return CheckpointError(
        "other_weights",
        file=file,
        missing=_listed(expected.keys() - common),
        foreign=_listed(shapes.keys() - common),
        reshaped=_listed(name for name in common if shapes[name] != expected[name]),
    )


def _listed(names: Iterable[str]) -> str:
    """Return the first names of arrays as text, shortened because a file may contain any name."""
    listed = [ascii(name)[1 : LONGEST_NAME + 1].rstrip("'") for name in sorted(names)]
    return ", ".join(listed[:LISTED]) + ", …" * (len(listed) > LISTED) or "–"


def load_state(folder: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return the state for resuming that was saved beside the weights; raises CheckpointError."""
    try:
        with safe_open(folder / STATE, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            return tensors, json.loads(file.metadata()["json"])
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise CheckpointError("no_state", folder=str(folder)) from error
