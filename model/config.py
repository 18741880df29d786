"""The configuration of a model and of its training: frozen, validated, and saved as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, Self, get_args, get_type_hints

Arch = Literal["transformer", "rnn", "rnnsearch"]
CellName = Literal["gru", "tanh"]
Kind = Literal["encoder", "decoder", "cross"]
Norm = Literal["post", "pre"]
Positions = Literal["interleaved", "half", "none"]
OptimizerName = Literal["adam", "muon"]
Schedule = Literal["noam", "linear", "wsd", "constant"]

# What a recurrent translator has one of, and what it has none of.
ONE_IF_RECURRENT = ("n_heads", "n_encoder_layers", "n_decoder_layers")
TRANSFORMER_ONLY = (*ONE_IF_RECURRENT, "d_ff", "norm", "positions")
RECURRENT_ONLY = ("d_hidden", "cell")

# Far above any real model: a forged config.json shall not fill the memory of who opens it.
LARGEST = {
    "vocab_size": 1_000_000,
    "tgt_vocab_size": 1_000_000,
    "d_model": 65_536,
    "n_heads": 1024,
    "d_ff": 262_144,
    "d_hidden": 65_536,
    "n_encoder_layers": 64,
    "n_decoder_layers": 64,
    "max_len": 10_000,
}


class _Config:
    """What both configurations share: checks of literals, and the way to and from a dictionary."""

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for field in fields(self):  # type: ignore[arg-type]
            allowed = get_args(hints[field.name])
            value = getattr(self, field.name)
            if allowed and isinstance(allowed[0], str) and value not in allowed:
                raise ValueError(
                    f"{field.name} must be one of {', '.join(allowed)}, not {value!r}."
                )

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)  # type: ignore[call-overload]

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Build from a dictionary; raises ValueError for a name that is unknown or missing."""
        unknown = values.keys() - {field.name for field in fields(cls)}  # type: ignore[arg-type]
        if unknown:
            raise ValueError(f"Unknown setting {sorted(unknown)[0]!r} in {cls.__name__}.")
        try:
            return cls(**values)
        except TypeError as error:
            raise ValueError(f"{cls.__name__} is not complete: {error}.") from error


def _require(name: str, value: object, condition: bool, rule: str) -> None:
    if not condition:
        raise ValueError(f"{name} must be {rule}, not {value!r}.")


def _require_size(name: str, value: object, largest: int | None = None) -> None:
    whole = isinstance(value, int) and value > 0
    _require(name, value, whole, "a positive whole number")
    if largest is not None:
        _require(name, value, value <= largest, f"at most {largest}")  # type: ignore[operator]


def _require_between(name: str, value: object) -> None:
    within = isinstance(value, int | float) and 0 <= value < 1
    _require(name, value, within, "at least 0 and below 1")


@dataclass(frozen=True)
class ModelConfig(_Config):
    """The shape of one translator; the defaults are the Transformer's base model (table 3).

    `tgt_vocab_size=None` means one vocabulary for both languages. A recurrent translator, `rnn` or
    `rnnsearch`, has states of `d_hidden` numbers, made by a `cell` with gates or a plain one, one
    layer and, if it attends, one head; it has no use for `d_ff`, `norm` and `positions`, as a
    Transformer has none for `d_hidden` and another `cell`. Raises ValueError for what cannot be
    built.
    """

    vocab_size: int
    tgt_vocab_size: int | None = None
    d_model: int = 512
    n_heads: int = 8
    d_ff: int = 2048
    n_encoder_layers: int = 6
    n_decoder_layers: int = 6
    dropout: float = 0.1
    norm: Norm = "post"
    positions: Positions = "interleaved"
    share_embeddings: bool = True
    tie_generator: bool = True
    max_len: int = 256
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2
    arch: Arch = "transformer"
    d_hidden: int = 512
    cell: CellName = "gru"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, largest in LARGEST.items():
            value = getattr(self, name)
            if name == "tgt_vocab_size" and value is None:
                continue
            _require_size(name, value, largest)
        for name in ("pad_id", "bos_id", "eos_id"):
            value = getattr(self, name)
            known = isinstance(value, int) and 0 <= value < min(self.vocab_size, self.n_tgt_vocab)
            _require(name, value, known, "an id of the vocabulary")
        _require_between("dropout", self.dropout)
        plain = self.recurrent or self.cell == "gru"
        _require("cell", self.cell, plain, f"left out when arch is {self.arch}")
        for name in ONE_IF_RECURRENT if self.recurrent else ():
            value = getattr(self, name)
            _require(name, value, value == 1, f"1 when arch is {self.arch}")
        _require(
            "d_model",
            self.d_model,
            self.d_model % self.n_heads == 0,
            f"a multiple of n_heads ({self.n_heads})",
        )
        _require("d_model", self.d_model, self.d_model % 2 == 0, "even, for sine and cosine pairs")
        if self.share_embeddings:
            _require(
                "tgt_vocab_size",
                self.tgt_vocab_size,
                self.tgt_vocab_size in (None, self.vocab_size),
                "the size of the source vocabulary when embeddings are shared",
            )

    @property
    def recurrent(self) -> bool:
        return self.arch != "transformer"

    def n_attentions(self, kind: Kind) -> int:
        """Return how many layers have self-attention in the encoder or decoder, or `cross`."""
        if self.recurrent:
            return int(kind == "cross" and self.arch == "rnnsearch")
        return self.n_encoder_layers if kind == "encoder" else self.n_decoder_layers

    @property
    def d_k(self) -> int:
        return self.d_model // self.n_heads

    @property
    def n_tgt_vocab(self) -> int:
        return self.tgt_vocab_size or self.vocab_size


@dataclass(frozen=True)
class TrainConfig(_Config):
    """How a model is trained; the defaults follow section 5 of the paper, scaled to two cores.

    `batch_tokens` counts source and target tokens of one optimiser step; `average` is how many
    of the last validated weights are averaged into the best checkpoint (1: none); `vary` is the
    chance that a source sentence is shown without its capitals, accents or final stop;
    `causal=False` takes the mask off, and `one_batch` shows the first batch only, both to learn
    what then goes wrong; `rates` are (step, peak learning rate from that step on) as it was
    changed on the way.
    Raises ValueError for what cannot be run.
    """

    steps: int = 10_000
    batch_tokens: int = 4096
    accumulate: int = 1
    optimizer: OptimizerName = "adam"
    schedule: Schedule = "noam"
    learning_rate: float = 1e-3
    warmup: int = 1000
    cooldown: float = 0.3
    label_smoothing: float = 0.1
    clip: float = 1.0
    weight_decay: float = 0.0
    vary: float = 0.0
    max_tokens: int = 100
    bf16: bool = False
    average: int = 1
    validate_every: int = 500
    validate_pairs: int = 500
    seed: int = 0
    causal: bool = True
    one_batch: bool = False
    rates: tuple[tuple[int, float], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in (
            "steps",
            "batch_tokens",
            "accumulate",
            "warmup",
            "max_tokens",
            "average",
            "validate_every",
            "validate_pairs",
        ):
            _require_size(name, getattr(self, name))
        for name in ("cooldown", "label_smoothing", "vary"):
            _require_between(name, getattr(self, name))
        for rate in (self.learning_rate, *(rate for _, rate in self.rates)):
            _require("learning_rate", rate, rate > 0, "above 0")
        _require("clip", self.clip, self.clip > 0, "above 0")
        _require("weight_decay", self.weight_decay, self.weight_decay >= 0, "at least 0")

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Build from a dictionary, as JSON has it; raises ValueError."""
        rates = tuple((int(step), float(rate)) for step, rate in values.get("rates", ()))
        return super().from_dict({**values, "rates": rates})

    def peak(self, step: int) -> float:
        """Return the learning rate that the schedule of a step peaks at."""
        return next(
            (rate for start, rate in reversed(self.rates) if start <= step), self.learning_rate
        )
