"""Every number of one translation, as frozen NumPy arrays with their tokens.

H heads, T query tokens, S key tokens, D = d_model; a capture has no batch dimension. It can be made
without torch; the library that writes files is imported where one is written.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from model.config import ATTENTIONS, KINDS, Kind, ModelConfig, Side
from model.errors import UserError, reason
from model.files import replacing
from model.text.byte_level import Token

FORMAT = "1"  # of the file, see docs/traces.md; a file without it was written before there was one


@dataclass(frozen=True)
class Override:
    """What a change of a run does to one array: it takes what the rule gives, and all arrays.

    `change` is its text.
    """

    change: str
    apply: Callable[[np.ndarray, Mapping[str, np.ndarray]], np.ndarray]


@dataclass(frozen=True)
class Capture:
    """What the model computed for one pair: `src` ends with <eos>, `tgt` starts with <bos>.

    `overrides` says of a changed run, by the name of an array, what was done to it.
    """

    config: ModelConfig
    src: tuple[Token, ...]
    tgt: tuple[Token, ...]
    arrays: Mapping[str, np.ndarray]
    overrides: Mapping[str, tuple[Override, ...]] = field(default_factory=dict)

    @property
    def src_ids(self) -> list[int]:
        return [token.id for token in self.src]

    @property
    def tgt_ids(self) -> list[int]:
        return [token.id for token in self.tgt]

    def tokens(self, side: Side) -> tuple[Token, ...]:
        """Return the tokens of a side."""
        return self.src if side == "src" else self.tgt

    @property
    def n_heads(self) -> int:
        return self.config.n_heads

    def n_layers(self, kind: Kind) -> int:
        """Return how many layers have this kind of attention."""
        return self.config.n_attentions(kind)

    def queries(self, kind: Kind) -> tuple[Token, ...]:
        """Return the tokens that look."""
        return self.tokens(ATTENTIONS[kind].queries)

    def keys(self, kind: Kind) -> tuple[Token, ...]:
        """Return the tokens that are looked at."""
        return self.tokens(ATTENTIONS[kind].keys)

    def stage(self, kind: Kind, layer: int, name: str, head: int | None = None) -> np.ndarray:
        """Return one stage of one attention, (H, …) or that of one head.

        Raises ValueError for a kind, layer, stage or head that the model does not have.
        """
        if kind not in KINDS:
            raise ValueError(f"There is no {kind!r} attention, only {', '.join(KINDS)}.")
        if not 0 <= layer < self.n_layers(kind):
            only = f", only 0 to {self.n_layers(kind) - 1}" if self.n_layers(kind) else ""
            raise ValueError(f"There is no layer {layer} of {kind!r} attention{only}.")
        key = f"{ATTENTIONS[kind].scope(layer)}.{name}"
        if key not in self.arrays:
            raise ValueError(f"The capture holds no {key}.")
        if head is None:
            return self.arrays[key]
        if not 0 <= head < self.n_heads:
            raise ValueError(f"There is no head {head}, only 0 to {self.n_heads - 1}.")
        return self.arrays[key][head]

    def weights(self, kind: Kind, layer: int, head: int | None = None) -> np.ndarray:
        """Return attention weights, (T, S) of one head or (H, T, S) of all; rows sum to 1."""
        return self.stage(kind, layer, "weights", head)

    def all_weights(self, kind: Kind) -> np.ndarray:
        """Return the attention weights of all layers and heads, (L, H, T, S)."""
        return np.stack([self.weights(kind, layer) for layer in range(self.n_layers(kind))])

    @property
    def logits(self) -> np.ndarray:
        """The scores of the whole vocabulary after each target token, (T, V)."""
        return self.arrays["logits"]

    def save(self, path: Path) -> None:
        """Write arrays, tokens and configuration to one safetensors file; raises UserError."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as new:
                new.write_bytes(self.to_bytes())
        except OSError as error:
            what = f"{path} cannot be written: {reason(error).text}."
            raise UserError("plain", "out", what=what) from error

    def to_bytes(self) -> bytes:
        """Return what `save` writes."""
        from safetensors.numpy import save

        assert not self.overrides, "a file would not say what was changed"
        metadata = {
            "format": FORMAT,
            "config": json.dumps(self.config.to_dict()),
            "src": json.dumps([asdict(token) for token in self.src]),
            "tgt": json.dumps([asdict(token) for token in self.tgt]),
        }
        arrays = {name: np.ascontiguousarray(array) for name, array in self.arrays.items()}
        return save(arrays, metadata=metadata)

    @classmethod
    def load(cls, path: Path) -> "Capture":
        """Read a capture; raises ValueError if the file is not one."""
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(path, framework="numpy") as file:
                metadata = file.metadata()
                arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            written = metadata.get("format", FORMAT)
            if written == FORMAT:
                src, tgt = (
                    tuple(Token(**token) for token in json.loads(metadata[side]))
                    for side in ("src", "tgt")
                )
                config = ModelConfig.from_dict(json.loads(metadata["config"]))
                return frozen(config, src, tgt, arrays)
        except (SafetensorError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is not a capture.") from error
        raise UserError("trace_version", written=written, known=FORMAT)


def frozen(
    config: ModelConfig,
    src: tuple[Token, ...],
    tgt: tuple[Token, ...],
    arrays: Mapping[str, np.ndarray],
    overrides: Mapping[str, tuple[Override, ...]] | None = None,
) -> Capture:
    """Return a capture whose arrays cannot be written any more."""
    for array in arrays.values():
        array.flags.writeable = False
    return Capture(config, src, tgt, arrays, overrides or {})
