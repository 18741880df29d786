"""The settings of a training, each with its choice in the URL and its control.

What a hyper-parameter is called, what it means and where it ends is declared in model/config.py.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import streamlit as st

from app.i18n import N_, _
from app.state import Param, decimal, one_of, whole
from app.views.training.data.plan import SETTINGS, Arch, strange_to


@dataclass(frozen=True)
class Field(ABC):
    """One setting by its name in ModelConfig or TrainConfig; a choice of None is the preset's."""

    name: str
    label: str
    help: str

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
            _(self.label),
            self.low,
            self.high,
            step=self.step,
            key=self.param.widget(type(self.step)(value)),
            help=_(self.help),
            format="%d" if isinstance(self.step, int) else "%g",
        )


@dataclass(frozen=True)
class Options(Field):
    """One of a few names."""

    options: Mapping[str, str]

    def parse(self, raw: str) -> Any:
        return one_of(*self.options)(raw)

    def draw(self, value: Any) -> None:
        st.selectbox(
            _(self.label),
            list(self.options),
            key=self.param.widget(value),
            help=_(self.help),
            format_func=lambda name: _(self.options[name]),
        )


@dataclass(frozen=True)
class Switch(Field):
    """On or off."""

    def parse(self, raw: str) -> Any:
        return raw == "1"

    def draw(self, value: Any) -> None:
        st.toggle(_(self.label), key=self.param.widget(value), help=_(self.help))


def _field(name: str) -> Field:
    setting = SETTINGS[name]
    about = (name, setting.label, setting.help)
    if setting.form is not None:
        return Number(*about, *setting.form)
    return Options(*about, setting.choices) if setting.choices else Switch(*about)


# In the order of the form.
MODEL_FIELDS: Final = tuple(
    _field(name)
    for name in (
        *("n_encoder_layers", "n_decoder_layers", "n_heads", "d_model", "d_ff", "d_hidden"),
        *("dropout", "vocab_size", "norm", "positions"),
    )
)
TRAIN_FIELDS: Final = tuple(
    _field(name)
    for name in (
        *("learning_rate", "warmup", "schedule", "optimizer", "label_smoothing", "batch_tokens"),
        *("seed", "causal", "one_batch"),
    )
)
CELL: Final = _field("cell")
STEPS: Final = _field("steps")
MINUTES: Final = Number(
    "minutes",
    N_("Minutes"),
    N_("Training time; the steps follow from the speed."),
    0.1,
    600.0,
    0.5,
)
FIELDS: Final = (CELL, *MODEL_FIELDS, *TRAIN_FIELDS, STEPS)


def of_arch(fields: Sequence[Field], arch: Arch) -> tuple[Field, ...]:
    """Return the fields that mean something to an architecture."""
    return tuple(field for field in fields if field.name not in strange_to(arch))


def settings(preset: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset's settings with those that were changed."""
    chosen = {field.name: field.param.get() for field in of_arch(FIELDS, preset["arch"])}
    return {**preset, **{name: value for name, value in chosen.items() if value is not None}}


def forget() -> None:
    """Go back to the preset's settings."""
    for field in FIELDS:
        field.param.set(None)
