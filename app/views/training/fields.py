"""The settings of a training, each with its choice in the URL and its control.

The name, meaning and range of each hyper-parameter are declared in model/config.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

import streamlit as st

from app.format import grouped, localized
from app.i18n import N_, _
from app.state import Param, decimal, one_of, whole
from app.ui.pickers import pick_from_list
from app.views.training.data import SETTINGS, Arch, Setting, not_applicable

JOINED: Final = "\u2060–\u2060"  # a dash at which no line breaks
MOST: Final = 2**53 - 1  # the largest whole number that JavaScript represents exactly


@dataclass(frozen=True)
class FormField:
    """One setting, named as in ModelConfig or TrainConfig; the choice None means the preset's.

    A number has a `form`: its range, and the step between values. The control takes any number, so
    that one out of range can be refused with a message. A name is one of the `choices`,
    and a setting with neither is a switch.
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
            is_whole = isinstance(form[-1], int)
            return (whole(-MOST, MOST) if is_whole else decimal(-MOST, MOST))(raw)
        return one_of(*choices)(raw) if choices else raw == "1"

    def draw(self, value: Any, most: float | None = None) -> None:
        """Draw the control with its value; `most` is its maximum if that is below its own."""
        setting = self.setting
        label, help_ = _(setting.label), _(setting.help)
        if setting.form is not None:
            kind = type(setting.form[-1])
            key = self.param.widget(kind(value))
            draw_number(setting, with_range(setting, label, most), key, help=help_)
        elif setting.choices:
            titles = {name: _(title) for name, title in setting.choices.items()}
            pick_from_list(self.param, label, titles, value=value, help=help_)
        else:
            st.toggle(label, key=self.param.widget(value), help=help_)


def draw_number(setting: Setting, label: str, key: str, **options: Any) -> float:
    """Draw a number's control, and return the number, in range or not."""
    assert setting.form is not None
    step = setting.form[-1]
    form = "%d" if isinstance(step, int) else "%g"
    return st.number_input(label, step=step, key=key, format=form, **options)


def with_range(setting: Setting, label: str, most: float | None = None) -> str:
    """Return a number's label with its range."""
    assert setting.form is not None
    low, high, _ = setting.form
    high = high if most is None else min(high, most)
    ends = (
        # 0.00001, not 1e-05
        grouped(end) if isinstance(end, int) else localized(f"{Decimal(f'{end:g}'):f}")
        for end in (low, high)
    )
    return f"{label} ({JOINED.join(ends)})"


def start_number(setting: Setting, key: str, value: float) -> None:
    """Give a number's control, if it has no value yet, the nearest value within its range."""
    assert setting.form is not None
    low, high, _ = setting.form
    st.session_state.setdefault(key, min(max(low, value), high))


def _field(name: str) -> FormField:
    return FormField(name, SETTINGS[name])


# In the form's order.
MODEL_NAMES: Final = (
    "n_encoder_layers n_decoder_layers n_heads d_model d_ff d_hidden "
    "dropout vocab_size norm positions activation"
)
TRAIN_NAMES: Final = (
    "learning_rate warmup schedule optimizer label_smoothing batch_tokens causal one_batch"
)
MODEL_FIELDS: Final = tuple(map(_field, MODEL_NAMES.split()))
TRAIN_FIELDS: Final = tuple(map(_field, TRAIN_NAMES.split()))
CELL: Final = _field("cell")
STEPS: Final = _field("steps")
SEED: Final = _field("seed")
MINUTES_HELP: Final = N_("Training time; the number of steps follows from the speed.")
MINUTES: Final = FormField("minutes", Setting(MINUTES_HELP, N_("Minutes"), form=(0.1, 600.0, 0.5)))
FIELDS: Final = (CELL, *MODEL_FIELDS, *TRAIN_FIELDS, STEPS, SEED)


def of_arch(fields: Sequence[FormField], arch: Arch) -> tuple[FormField, ...]:
    """Return the fields that apply to an architecture."""
    return tuple(field for field in fields if field.name not in not_applicable(arch))


def settings(preset: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset's settings with the visitor's changes."""
    chosen = {field.name: field.param.get() for field in of_arch(FIELDS, preset["arch"])}
    return {**preset, **{name: value for name, value in chosen.items() if value is not None}}


def reset() -> None:
    """Go back to the preset's settings."""
    for field in FIELDS:
        field.param.set(None)
