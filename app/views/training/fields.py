"""The settings of a training, one row each: a choice in the URL, and its control."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

import streamlit as st

from app.i18n import N_, _
from app.state import Param, decimal, one_of, whole


@dataclass(frozen=True)
class Field(ABC):
    """One setting by its name in ModelConfig or TrainConfig; a choice of None is the preset's.

    `only` tells which architectures it means something to.
    """

    name: str
    label: str
    help: str
    only: Literal["all", "transformer", "recurrent"] = field(default="all", kw_only=True)

    @cached_property
    def param(self) -> Param[Any]:
        return Param(f"t-{self.name}", None, self.parse)

    @abstractmethod
    def parse(self, raw: str) -> Any:
        """Read a value from the URL; raises ValueError."""

    @abstractmethod
    def draw(self, value: Any) -> None:
        """Draw the control with its value."""


@dataclass(frozen=True)
class Number(Field):
    """A number between two ends; whole where they are."""

    low: float
    high: float
    step: float

    def parse(self, raw: str) -> Any:
        if isinstance(self.step, int):
            return whole(int(self.low), int(self.high))(raw)
        return decimal(self.low, self.high)(raw)

    def draw(self, value: Any) -> None:
        st.number_input(
            _(self.label), self.low, self.high, step=self.step,
            key=self.param.widget(type(self.step)(value)), help=_(self.help),
            format="%d" if isinstance(self.step, int) else "%g",
        )  # fmt: skip


@dataclass(frozen=True)
class Options(Field):
    """One of a few names."""

    options: Mapping[str, str]

    def parse(self, raw: str) -> Any:
        return one_of(*self.options)(raw)

    def draw(self, value: Any) -> None:
        st.selectbox(
            _(self.label), list(self.options), key=self.param.widget(value), help=_(self.help),
            format_func=lambda name: _(self.options[name]),
        )  # fmt: skip


@dataclass(frozen=True)
class Switch(Field):
    """On or off."""

    def parse(self, raw: str) -> Any:
        return raw == "1"

    def draw(self, value: Any) -> None:
        st.toggle(_(self.label), key=self.param.widget(value), help=_(self.help))


MODEL_FIELDS: Final[tuple[Field, ...]] = (
    Number(
        "n_encoder_layers", N_("Encoder layers"), N_("Each reads the whole source once more."),
        1, 12, 1, only="transformer",
    ),
    Number(
        "n_decoder_layers", N_("Decoder layers"),
        N_("Each looks at what is written so far, and at the source."), 1, 12, 1,
        only="transformer",
    ),
    Number(
        "n_heads", N_("Heads"), N_("Of each attention; they share d_model."), 1, 16, 1,
        only="transformer",
    ),
    Number("d_model", "d_model", N_("Numbers that stand for each token."), 8, 1024, 8),
    Number(
        "d_ff", "d_ff", N_("Hidden numbers of each feed-forward network."), 8, 4096, 8,
        only="transformer",
    ),
    Number(
        "d_hidden", N_("State"), N_("Numbers that the network carries from word to word."),
        8, 2048, 8, only="recurrent",
    ),
    Number(
        "dropout", N_("Dropout"),
        N_("Share of numbers set to 0 while training, against learning by heart."),
        0.0, 0.9, 0.05,
    ),
    Number(
        "vocab_size", N_("Vocabulary"), N_("Most pieces that words may be cut into."),
        259, 32_000, 1,
    ),
    Options(
        "norm", N_("Norm"), N_("After each sum, as in the paper, or before each sub-layer."),
        {"post": N_("after (post)"), "pre": N_("before (pre)")}, only="transformer",
    ),
    Options(
        "positions", N_("Positions"),
        N_("How sine and cosine are laid out. With none, the order of words is lost."),
        {"interleaved": N_("by turns"), "half": N_("in halves"), "none": N_("none")},
        only="transformer",
    ),
)  # fmt: skip
CELL: Final = Options(
    "cell", N_("Cell"),
    N_("What makes the next state. A GRU has gates that can keep the old one; a plain cell mixes "
       "all of it anew at every word."),
    {"gru": N_("GRU, with gates"), "tanh": N_("plain, tanh")}, only="recurrent",
)  # fmt: skip
TRAIN_FIELDS: Final[tuple[Field, ...]] = (
    Number(
        "learning_rate", N_("Learning rate"), N_("Its highest value, after the warm-up."),
        0.00001, 1.0, 0.0005,
    ),
    Number("warmup", N_("Warm-up"), N_("Steps until the learning rate is highest."), 1, 20_000, 10),
    Options(
        "schedule", N_("Schedule"), N_("How the learning rate goes on after its warm-up."),
        {
            "noam": N_("noam: ∝ 1/√step"), "linear": N_("linear: down to 0"),
            "wsd": N_("wsd: stable, then down"), "constant": N_("constant"),
        },
    ),
    Options(
        "optimizer", N_("Optimiser"), N_("Adam is the paper's; Muon learns more from each step."),
        {"adam": "Adam", "muon": "Muon"},
    ),
    Number(
        "label_smoothing", N_("Label smoothing"),
        N_("How much of the target is taken from the right piece and given to all."),
        0.0, 0.9, 0.05,
    ),
    Number(
        "batch_tokens", N_("Tokens a batch"), N_("Source and target tokens of one step."),
        64, 50_000, 256,
    ),
    Number("seed", N_("Seed"), N_("The same seed gives the same run."), 0, 2**31 - 1, 1),
    Switch(
        "causal", N_("Causal mask"), N_("Off: the decoder may peek at the words to come."),
        only="transformer",
    ),
    Switch(
        "one_batch", N_("Always the same batch"),
        N_("A model that cannot learn one batch by heart has a mistake somewhere."),
    ),
)  # fmt: skip
STEPS: Final = Number("steps", N_("Steps"), N_("Updates of all weights."), 1, 1_000_000, 50)
MINUTES: Final = Number(
    "minutes", N_("Minutes"), N_("Training time; the steps follow from the speed."),
    0.1, 600.0, 0.5,
)  # fmt: skip
FIELDS: Final = (CELL, *MODEL_FIELDS, *TRAIN_FIELDS, STEPS)


def of_arch(fields: Sequence[Field], arch: str) -> tuple[Field, ...]:
    """Return the fields that mean something to an architecture."""
    kinds = ("all", "transformer" if arch == "transformer" else "recurrent")
    return tuple(one for one in fields if one.only in kinds)


def settings(preset: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset's settings with those that were changed."""
    chosen = {one.name: one.param.get() for one in of_arch(FIELDS, preset["arch"])}
    return {**preset, **{name: value for name, value in chosen.items() if value is not None}}


def forget() -> None:
    """Go back to the preset's settings."""
    for one in FIELDS:
        one.param.set(None)
