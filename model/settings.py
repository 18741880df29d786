"""What a hyper-parameter is: declared once, with its default, range, label and help.

The command line's options, the training page's form and plan.json are made from these declarations.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from typing import Any, Final, Literal, NamedTuple, Self, get_args, get_origin, get_type_hints

from model.errors import UserError
from model.files import fits, types_of


@dataclass(frozen=True)
class Range:
    """The range of valid numbers; `open_low` and `open_high` exclude its ends."""

    low: float = 1
    high: float | None = None
    open_low: bool = False
    open_high: bool = False

    def problem(self, value: Any, whole: bool) -> str:
        """Return the code of the error in a number, or "" if it is valid."""
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
    """What is declared about a hyper-parameter besides its type and its default.

    `help` is empty for settings that users do not choose. The pages offer the settings with a
    `label`: names with the wording of `choices`, and numbers by `form`, their lowest value, highest
    value and step. No value from a page or a zip may be above that highest value; the command line
    has no such limit.
    """

    help: str = ""
    label: str = ""
    valid: Range | None = None
    form: tuple[float, float, float] | None = None
    choices: Mapping[str, str] | None = None

    def problem(self, name: str, value: Any) -> UserError | None:
        """Return the error in a number typed on a page if it is outside its range, else None."""
        if self.form is None or self.form[0] <= value <= self.form[1]:
            return None
        low, high, _ = self.form
        return UserError("out_of_range", name, value=value, low=low, most=high)


def setting(default: Any, *about: Any, **more: Any) -> Any:
    """Declare a hyper-parameter: its default, and the fields of its Setting."""
    return field(default=default, metadata={"setting": Setting(*about, **more)})


class Declared(NamedTuple):
    """A hyper-parameter as declared: its type, and its valid names if it is a name."""

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
    """Raise UserError for the first field of a dataclass read from JSON that has the wrong type."""
    for name, kind in types_of(type(record)).items():  # type: ignore[arg-type]
        if not fits(getattr(record, name), kind):
            raise UserError("odd_value", name, name=name)


class Config:
    """What both configurations share: checks of each setting, and conversion to and from JSON."""

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
        """Raise UserError for a number above the limit of the page's form."""
        for name, (_, _, setting) in settings_of(type(self)).items():  # type: ignore[arg-type]
            value = getattr(self, name)
            if setting.form and value is not None and value > setting.form[1]:
                raise UserError("beyond_form", name=name, value=value, most=setting.form[1])

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """Build a configuration from those settings that it has; raises UserError."""
        names = {one.name for one in fields(cls)}  # type: ignore[arg-type]
        return cls.from_dict({name: settings[name] for name in settings.keys() & names})

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Build a configuration from a dictionary; raises ValueError if names do not match."""
        unknown = values.keys() - {one.name for one in fields(cls)}  # type: ignore[arg-type]
        if unknown:
            raise UserError("unknown_setting", name=min(unknown))
        try:
            config = cls(**values)
        except TypeError as error:
            raise UserError("settings_missing", what=str(error)) from error
        check_types(config)
        return config
