"""The configuration of a model and of its training: frozen, validated, and saved as JSON.

A hyper-parameter is declared here once, with its default, range, label and help: the options of
the command line, the form of the training page and plan.json are made of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from functools import cache
from typing import Any, Final, Literal, NamedTuple, Self, get_args, get_origin, get_type_hints

from model.errors import N_, UserError
from model.files import fits, types_of

Arch = Literal["transformer", "rnn", "rnnsearch"]
CellName = Literal["gru", "tanh"]
Kind = Literal["encoder", "decoder", "cross"]
Norm = Literal["post", "pre"]
Positions = Literal["interleaved", "half", "none"]
OptimizerName = Literal["adam", "muon"]
Schedule = Literal["noam", "linear", "wsd", "constant"]

# What a recurrent translator has one of, and what it has none of.
ONE_IF_RECURRENT: Final = ("n_heads", "n_encoder_layers", "n_decoder_layers")
TRANSFORMER_ONLY: Final = (*ONE_IF_RECURRENT, "d_ff", "norm", "positions", "causal")
RECURRENT_ONLY: Final = ("d_hidden", "cell")


@dataclass(frozen=True)
class Range:
    """Which numbers are valid; `open_low` and `open_high` exclude the ends."""

    low: float = 1
    high: float | None = None
    open_low: bool = False
    open_high: bool = False

    def problem(self, value: Any, whole: bool) -> str:
        """Return the code of what is wrong with a number, or nothing."""
        if not isinstance(value, int if whole else int | float):
            return self._below
        if not (value > self.low if self.open_low else value >= self.low):
            return self._below
        if self.high is None:
            return "" if value < math.inf else "infinite"
        if value < self.high or (value == self.high and not self.open_high):
            return ""
        return "not_a_share" if self.open_high else "too_large"

    @property
    def _below(self) -> str:
        if self.open_high:
            return "not_a_share"
        if self.open_low:
            return "not_above_0"
        return "negative" if self.low == 0 else "too_small"


SHARE: Final = Range(0, 1, open_high=True)
POSITIVE: Final = Range(0, open_low=True)


@dataclass(frozen=True)
class Setting:
    """What is known of a hyper-parameter besides its type and its default.

    `help` is empty for what people do not choose. The pages offer what has a `label`: names as
    `choices` words them, numbers in steps of the third of `form` and in the range of the others,
    wherever they are typed. Nothing that comes from a page or in a zip may be more than `form` goes
    to; the command line is free.
    """

    help: str = ""
    label: str = ""
    valid: Range | None = None
    form: tuple[float, float, float] | None = None
    choices: Mapping[str, str] | None = None

    def problem(self, name: str, value: Any) -> UserError | None:
        """Return what is wrong with what was typed on a page: a number outside of its range."""
        if self.form is None or self.form[0] <= value <= self.form[1]:
            return None
        low, high, _ = self.form
        return UserError("out_of_range", name, value=value, low=low, most=high)


def _setting(default: Any, *about: Any, **more: Any) -> Any:
    """Declare a hyper-parameter: its default, and what a Setting says of it."""
    return field(default=default, metadata={"setting": Setting(*about, **more)})


class Declared(NamedTuple):
    """A hyper-parameter as declared: its type, and the names that it may have, if it is a name."""

    type: Any
    names: tuple[str, ...]
    setting: Setting


@cache
def settings_of(config: type) -> dict[str, Declared]:
    """Return the hyper-parameters that a configuration declares, by name."""
    hints, declared = get_type_hints(config), {}
    for one in fields(config):
        if "setting" in one.metadata:
            hint = hints[one.name]
            names = get_args(hint) if get_origin(hint) is Literal else ()
            declared[one.name] = Declared(hint, names, one.metadata["setting"])
    return declared


def check_types(record: Any) -> None:
    """Raise UserError for the first field of a dataclass, read from JSON, of another type."""
    for name, kind in types_of(type(record)).items():  # type: ignore[arg-type]
        if not fits(getattr(record, name), kind):
            raise UserError("odd_value", name, name=name)


class _Config:
    """What both configurations share: checks of each setting, and the way to and from JSON."""

    def __post_init__(self) -> None:
        for name, (kind, names, setting) in settings_of(type(self)).items():  # type: ignore[arg-type]
            value = getattr(self, name)
            if names and value not in names:
                raise UserError("not_one_of", name, value=value, names=", ".join(names))
            optional = value is None and kind == int | None
            if setting.valid is None or optional:
                continue
            if code := setting.valid.problem(value, whole=kind is not float):
                raise UserError(code, name, value=value, most=setting.valid.high)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)  # type: ignore[call-overload]

    def check_form(self) -> None:
        """Raise UserError for a number above what the page's form goes to."""
        for name, (_, _, setting) in settings_of(type(self)).items():  # type: ignore[arg-type]
            value = getattr(self, name)
            if setting.form and value is not None and value > setting.form[1]:
                raise UserError("beyond_form", name=name, value=value, most=setting.form[1])

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """Build from those of the settings that it has; raises UserError."""
        names = {one.name for one in fields(cls)}  # type: ignore[arg-type]
        return cls.from_dict({name: settings[name] for name in settings.keys() & names})

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Build from a dictionary; raises ValueError for a name that is unknown or missing."""
        unknown = values.keys() - {one.name for one in fields(cls)}  # type: ignore[arg-type]
        if unknown:
            raise UserError("unknown_setting", name=min(unknown))
        try:
            config = cls(**values)
        except TypeError as error:
            raise UserError("settings_missing", what=str(error)) from error
        check_types(config)
        return config


@dataclass(frozen=True)
class ModelConfig(_Config):
    """The shape of one translator; the defaults are the Transformer's base model (table 3).

    `tgt_vocab_size=None` means one vocabulary for both languages. A recurrent translator, `rnn` or
    `rnnsearch`, has states of `d_hidden` numbers, made by a `cell` with gates or a plain one, one
    layer and, if it attends, one head; it has no use for `d_ff`, `norm` and `positions`, as a
    Transformer has none for `d_hidden` and another `cell`. Ranges end far above any real model: a
    forged config.json must not fill the memory of who opens it. Raises ValueError for what cannot
    be built.
    """

    vocab_size: int = _setting(
        MISSING,
        N_("Most pieces that words may be cut into."),
        N_("Vocabulary"),
        Range(1, 1_000_000),
        (259, 32_000, 1),
    )
    tgt_vocab_size: int | None = _setting(None, valid=Range(1, 1_000_000))
    d_model: int = _setting(
        512, N_("Numbers that stand for each token."), "d_model", Range(1, 65_536), (8, 1024, 8)
    )
    n_heads: int = _setting(
        8, N_("Of each attention; they share d_model."), N_("Heads"), Range(1, 1024), (1, 16, 1)
    )
    d_ff: int = _setting(
        2048,
        N_("Hidden numbers of each feed-forward network."),
        "d_ff",
        Range(1, 262_144),
        (8, 4096, 8),
    )
    n_encoder_layers: int = _setting(
        6,
        N_("Each reads the whole source once more."),
        N_("Encoder layers"),
        Range(1, 64),
        (1, 12, 1),
    )
    n_decoder_layers: int = _setting(
        6,
        N_("Each looks at what is written so far, and at the source."),
        N_("Decoder layers"),
        Range(1, 64),
        (1, 12, 1),
    )
    dropout: float = _setting(
        0.1,
        N_("Share of numbers set to 0 while training, against learning by heart."),
        N_("Dropout"),
        SHARE,
        (0.0, 0.9, 0.05),
    )
    norm: Norm = _setting(
        "post",
        N_("After each sum, as in the paper, or before each sub-layer."),
        N_("Norm"),
        choices={"post": N_("after (post)"), "pre": N_("before (pre)")},
    )
    positions: Positions = _setting(
        "interleaved",
        N_("How sine and cosine are laid out. With none, the order of words is lost."),
        N_("Positions"),
        choices={"interleaved": N_("by turns"), "half": N_("in halves"), "none": N_("none")},
    )
    share_embeddings: bool = True
    tie_generator: bool = True
    max_len: int = _setting(256, valid=Range(1, 10_000), form=(1, 1024, 1))
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2
    arch: Arch = _setting(
        "transformer",
        N_(
            "What reads and writes. Transformer: attention alone. RNNsearch: a recurrent network "
            "that looks back at the source. RNN: one that keeps the whole sentence in a single "
            "vector."
        ),
    )
    d_hidden: int = _setting(
        512,
        N_("Numbers that the network carries from word to word."),
        N_("State"),
        Range(1, 65_536),
        (8, 2048, 8),
    )
    cell: CellName = _setting(
        "gru",
        N_(
            "What makes the next state. A GRU has gates that can keep the old one; a plain cell "
            "mixes all of it anew at every word."
        ),
        N_("Cell"),
        choices={"gru": N_("GRU, with gates"), "tanh": N_("plain, tanh")},
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("pad_id", "bos_id", "eos_id"):
            value, size = getattr(self, name), min(self.vocab_size, self.n_tgt_vocab)
            if not isinstance(value, int) or not 0 <= value < size:
                raise UserError("not_in_vocabulary", name, value=value)
        if self.cell != "gru" and not self.recurrent:
            raise UserError("not_for_arch", "cell", arch=self.arch)
        for name in ONE_IF_RECURRENT if self.recurrent else ():
            if getattr(self, name) != 1:
                raise UserError("one_for_arch", name, value=getattr(self, name), arch=self.arch)
        if self.d_model % self.n_heads:
            raise UserError("not_multiple", "d_model", value=self.d_model, heads=self.n_heads)
        if self.d_model % 2:
            raise UserError("odd", "d_model", value=self.d_model)
        if self.share_embeddings and self.n_tgt_vocab != self.vocab_size:
            raise UserError("vocabularies_differ", "tgt_vocab_size", value=self.tgt_vocab_size)

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
    of the last validated weights are averaged into the best checkpoint (1: none);
    `causal=False` takes the mask off, and `one_batch` shows the first batch only, both to learn
    what then goes wrong; `rates` are (step, peak learning rate from that step on) as it was
    changed on the way. Raises ValueError for what cannot be run.
    """

    steps: int = _setting(
        10_000, N_("Updates of all weights."), N_("Steps"), Range(), (1, 1_000_000, 50)
    )
    batch_tokens: int = _setting(
        4096,
        N_("Source and target tokens of one step."),
        N_("Tokens a batch"),
        Range(),
        (64, 50_000, 256),
    )
    accumulate: int = _setting(1, "Batches added up for a step.", valid=Range(), form=(1, 64, 1))
    optimizer: OptimizerName = _setting(
        "adam",
        N_("Adam is the paper's; Muon learns more from each step."),
        N_("Optimiser"),
        choices={"adam": "Adam", "muon": "Muon"},
    )
    schedule: Schedule = _setting(
        "noam",
        N_("How the learning rate goes on after its warm-up."),
        N_("Schedule"),
        choices={
            "noam": N_("noam: ∝ 1/√step"),
            "linear": N_("linear: down to 0"),
            "wsd": N_("wsd: stable, then down"),
            "constant": N_("constant"),
        },
    )
    learning_rate: float = _setting(
        1e-3,
        N_("Its highest value, after the warm-up."),
        N_("Learning rate"),
        POSITIVE,
        (0.00001, 1.0, 0.0005),
    )
    warmup: int = _setting(
        1000,
        N_("Steps until the learning rate is highest."),
        N_("Warm-up"),
        Range(),
        (1, 20_000, 10),
    )
    cooldown: float = _setting(0.3, "Last share of wsd, going down.", valid=SHARE)
    label_smoothing: float = _setting(
        0.1,
        N_("How much of the target is taken from the right piece and given to all."),
        N_("Label smoothing"),
        SHARE,
        (0.0, 0.9, 0.05),
    )
    clip: float = _setting(1.0, "Highest gradient norm.", valid=POSITIVE)
    weight_decay: float = _setting(
        0.0, "Decoupled weight decay.", valid=Range(0), form=(0.0, 1.0, 0.01)
    )
    vary: float = _setting(
        0.0, "Chance of a source without capitals, accents or final stop.", valid=SHARE
    )
    subword_dropout: float = _setting(
        0.0,
        "Chance that a piece of the source is cut into the two it was merged from.",
        valid=SHARE,
    )
    max_tokens: int = _setting(100, "Longer pairs are left out.", valid=Range(), form=(1, 1000, 1))
    bf16: bool = _setting(False, "Compute in 16 bits (default: if fast).")
    average: int = _setting(1, "Validated weights to average.", valid=Range(), form=(1, 16, 1))
    validate_every: int = _setting(
        500, "Steps between validations.", valid=Range(), form=(1, 1_000_000, 1)
    )
    validate_pairs: int = _setting(
        500, "Pairs of a validation.", valid=Range(), form=(1, 10_000, 1)
    )
    seed: int = _setting(
        0,
        N_("The same seed gives the same run."),
        N_("Seed"),
        Range(0, 2**31 - 1),
        (0, 2**31 - 1, 1),
    )
    causal: bool = _setting(
        True, N_("Off: the decoder may peek at the words to come."), N_("Causal mask")
    )
    one_batch: bool = _setting(
        False,
        N_("A model that cannot learn one batch by heart has a mistake somewhere."),
        N_("Always the same batch"),
    )
    rates: tuple[tuple[int, float], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for _, rate in self.rates:
            if code := POSITIVE.problem(rate, whole=False):
                raise UserError(code, "learning_rate", value=rate)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Build from a dictionary, as JSON has it; raises ValueError."""
        rates = tuple(map(tuple, values.get("rates", ())))
        return super().from_dict({**values, "rates": rates})

    def peak(self, step: int) -> float:
        """Return the learning rate that the schedule of a step peaks at."""
        return next(
            (rate for start, rate in reversed(self.rates) if start <= step), self.learning_rate
        )
