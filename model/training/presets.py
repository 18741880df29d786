"""Presets: named starting points for training, of which every value can be changed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from model.config import DEPTHS, RECURRENT_ONLY, TRANSFORMER_ONLY, Arch, ModelConfig, TrainConfig
from model.errors import UserError
from model.tasks import TASKS

_WSD: Final[dict[str, Any]] = {"optimizer": "muon", "schedule": "wsd", "cooldown": 0.6}


def _layers(n: int) -> dict[str, Any]:
    return dict.fromkeys(DEPTHS, n)


PRESETS: dict[str, tuple[ModelConfig, TrainConfig]] = {
    # Learns to copy, reverse and sort within half a minute, with very sharp heads: as there is one
    # layer, the four heads of its cross-attention do all of the alignment.
    "tiny": (
        ModelConfig(500, d_model=64, n_heads=4, d_ff=256, dropout=0.0, norm="pre", **_layers(1)),
        TrainConfig(
            steps=400,
            batch_tokens=2048,
            warmup=20,
            learning_rate=2e-2,
            validate_every=100,
            validate_pairs=200,
            **_WSD,
        ),
    ),
    "small": (
        ModelConfig(8000, d_model=256, n_heads=8, d_ff=1024, norm="pre", **_layers(3)),
        TrainConfig(
            steps=8000, batch_tokens=2560, warmup=100, learning_rate=4e-3, weight_decay=0.02, **_WSD
        ),
    ),
    "base": (
        ModelConfig(16000),
        TrainConfig(steps=100_000, batch_tokens=25_000, warmup=4000, learning_rate=7e-4),
    ),
}

# With d_hidden = d_model / 4 times this, a recurrent translator has about as many parameters as the
# small Transformer.
_STATE_QUARTERS: Final[dict[Arch, int]] = {"rnn": 12, "rnnsearch": 7}


def preset(name: str, arch: Arch = "transformer") -> tuple[ModelConfig, TrainConfig]:
    """Return a starting point for an architecture; raises UserError for an unknown one."""
    if name not in PRESETS:
        raise UserError("not_one_of", "preset", value=name, names=", ".join(PRESETS))
    model, train = PRESETS[name]
    if arch not in _STATE_QUARTERS:
        return replace(model, arch=arch), train
    width = _STATE_QUARTERS[arch] * model.d_model // 4
    return replace(model, arch=arch, d_hidden=width, n_heads=1, **_layers(1)), train


def defaults(
    task: str, preset_name: str, arch: Arch = "transformer", device: str | None = None
) -> dict[str, Any]:
    """Return every setting of a preset, with a task's own changes if the task names that preset.

    A tiny model gains nothing from 16-bit products; others use them if the device computes them
    fast.
    """
    model, train = preset(preset_name, arch)
    suits = task in TASKS and TASKS[task].preset == preset_name
    own = suited(TASKS[task].settings, arch) if suits else {}
    bf16 = preset_name != "tiny" and bf16_is_fast(device)
    return {**model.to_dict(), **train.to_dict(), "bf16": bf16, **own}


def suited(settings: Mapping[str, Any], arch: Arch) -> dict[str, Any]:
    """Return the settings that apply to an architecture."""
    strange = not_applicable(arch)
    return {name: value for name, value in settings.items() if name not in strange}


def not_applicable(arch: Arch) -> tuple[str, ...]:
    """Return the settings that do not apply to an architecture."""
    return RECURRENT_ONLY if arch == "transformer" else TRANSFORMER_ONLY


def bf16_is_fast(device: str | None = None) -> bool:
    """Return whether a device of this machine computes 16-bit products in hardware."""
    import torch  # slow, and not needed to read the presets

    from model.training.workers import device_of

    if device_of(device).type == "cuda":
        return torch.cuda.is_bf16_supported()
    return torch.cpu._is_avx512_bf16_supported()
