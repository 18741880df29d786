"""The settings of a training, each with its choice in the URL and its control.

What a hyper-parameter is called, what it means and where it ends is declared in model/config.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import streamlit as st

from app.i18n import N_, _
from app.state import Param, decimal, one_of, whole
from app.ui.pickers import pick_from_list
from app.views.training.data.plan import SETTINGS, Arch, Setting, strange_to


@dataclass(frozen=True)
class Field:
    """One setting by its name in ModelConfig or TrainConfig; a choice of None is the preset's.

    A number has a `form`: its ends, and the step between values. A name is one of the `choices`,
    and what has neither is a switch.
    """

    name: str
    setting: Setting

    @cached_property
    def param(self) -> Param[Any]:
        return Param(f"t-{self.name}", None, self.parse)

    def parse(self, raw: str) -> Any:
        """Read a value from the URL; raises ValueError."""
        form, choices = self.setting.form, self.setting.choices
        if form is not None:
            low, high, step = form
            is_whole = isinstance(step, int)
            return (whole(int(low), int(high)) if is_whole else decimal(low, high))(raw)
        return one_of(*choices)(raw) if choices else raw == "1"

    def draw(self, value: Any) -> None:
        """Draw the control with its value."""
        setting = self.setting
        label, help_ = _(setting.label), _(setting.help)
        if setting.form is not None:
            low, high, step = setting.form
            key, form = self.param.widget(type(step)(value)), "%d" if type(step) is int else "%g"
            st.number_input(label, low, high, step=step, key=key, help=help_, format=form)
        elif setting.choices:
            titles = {name: _(title) for name, title in setting.choices.items()}
            pick_from_list(self.param, label, titles, value=value, help=help_)
        else:
            st.toggle(label, key=self.param.widget(value), help=help_)


def _field(name: str) -> Field:
    return Field(name, SETTINGS[name])


# In the order of the form.
MODEL_NAMES: Final = (
    "n_encoder_layers n_decoder_layers n_heads d_model d_ff d_hidden "
    "dropout vocab_size norm positions"
)
TRAIN_NAMES: Final = (
    "learning_rate warmup schedule optimizer label_smoothing batch_tokens seed causal one_batch"
)
MODEL_FIELDS: Final = tuple(map(_field, MODEL_NAMES.split()))
TRAIN_FIELDS: Final = tuple(map(_field, TRAIN_NAMES.split()))
CELL: Final = _field("cell")
STEPS: Final = _field("steps")
MINUTES_HELP: Final = N_("Training time; the steps follow from the speed.")
MINUTES: Final = Field("minutes", Setting(MINUTES_HELP, N_("Minutes"), form=(0.1, 600.0, 0.5)))
FIELDS: Final = (CELL, *MODEL_FIELDS, *TRAIN_FIELDS, STEPS)


def of_arch(fields: Sequence[Field], arch: Arch) -> tuple[Field, ...]:
    """Return the fields that mean something to an architecture."""
    return tuple(field for field in fields if field.name not in strange_to(arch))


def settings(preset: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset's settings with those that were changed."""
    chosen = {field.name: field.param.get() for field in of_arch(FIELDS, preset["arch"])}
    return {**preset, **{name: value for name, value in chosen.items() if value is not None}}


def reset() -> None:
    """Go back to the preset's settings."""
    for field in FIELDS:
        field.param.set(None)
