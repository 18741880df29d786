"""Several values of one or two settings, trained as one job."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from app.data.errors import worded
from app.format import escape
from app.i18n import N_, _, ngettext
from app.state import Param, one_of
from app.ui.pickers import pick_from_list
from app.views.training import texts
from app.views.training.data.plan import Arch, Plan, UserError
from app.views.training.fields import FIELDS, FormField, draw_number, of_arch, with_range

VALUES: Final = 3  # of a numeric setting
NAMES: Final = tuple(field.name for field in FIELDS if field.name != "cell")
FIRST: Final = Param[str]("sweep", "learning_rate", one_of(*NAMES))
SECOND: Final = Param[str]("sweep-2", "", one_of("", *NAMES))
Settings = Mapping[str, Any]


def draw_sweep(
    settings: Settings,
    arch: Arch,
    plan_of: Callable[[Settings], tuple[Plan | None, UserError | None]],
) -> list[Plan]:
    """Draw one or two settings with their values; return each combination's plan, if all fit."""
    st.caption(_(texts.SWEEP))
    fields = {one.name: one for one in of_arch(FIELDS, arch) if one.name in NAMES}
    titles = {name: _(one.setting.label) for name, one in fields.items()}
    first = FIRST.get() if FIRST.get() in fields else FIRST.default
    pick_from_list(FIRST, _("Setting"), titles, value=first)
    values = {first: _draw_values(fields[first], settings)}
    others = {"": _("none")} | {name: titles[name] for name in titles if name != first}
    second = SECOND.get() if SECOND.get() in others else ""
    pick_from_list(SECOND, _("Second setting"), others, value=second)
    if second:
        values[second] = _draw_values(fields[second], settings)
    found = [
        plan_of({**settings, **dict(zip(values, combination, strict=True))})
        for combination in itertools.product(*values.values())
    ]
    errors = [error for _plan, error in found if error is not None]
    if errors:
        st.error(escape(worded(errors[0])))
        return []
    return [plan for plan, _error in found if plan is not None]


def sweep_label(count: int) -> str:
    """Return the label of the button that starts `count` runs."""
    return ngettext("Train {n} run", "Train {n} runs", count).format(n=count)


def _draw_values(field: FormField, settings: Settings) -> Sequence[Any]:
    """Draw a setting's values and return them without repeats: three numbers, or chosen names."""
    setting, value = field.setting, settings[field.name]
    if setting.form is None:
        told: Mapping[Any, str] = setting.choices or {True: N_("on"), False: N_("off")}
        names = list(told)
        key = f"sweep-{field.name}"
        st.session_state.setdefault(key, names[:VALUES])
        st.multiselect(_(setting.label), names, key=key, format_func=lambda one: _(told[one]))
        return list(st.session_state[key]) or [value]
    st.caption(with_range(setting, _(setting.label)))
    low, high, step = setting.form
    kind = type(step)
    numbers = []
    for i, (factor, column) in enumerate(zip((0.5, 1, 2), st.columns(VALUES), strict=True)):
        key = f"sweep-{field.name}-{value}-{i}"
        st.session_state.setdefault(key, kind(min(max(low, value * factor), high)))
        with column:
            numbers.append(kind(draw_number(setting, str(i + 1), key)))
    return list(dict.fromkeys(numbers))
