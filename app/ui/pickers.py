"""Pickers for one of a few values, kept in the session and the URL."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import streamlit as st

from app.i18n import _
from app.state import Param

T = TypeVar("T")


def pick(
    param: Param[T],
    label: str,
    options: Mapping[T, str] | Sequence[T],
    *,
    value: T | None = None,
    **settings: Any,
) -> None:
    """Draw the options of a choice as buttons, one of which is pressed.

    `options` may map each value to its name in English, which is translated; `value` is pressed
    if the chosen value is not available. `settings` are those of `st.segmented_control`.
    """
    if isinstance(options, Mapping):
        settings["format_func"] = lambda option: _(options[option])
    st.segmented_control(label, list(options), required=True, key=param.widget(value), **settings)


def side_by_side(
    shares: Sequence[float],
    *draws: Callable[[], object],
    gap: Literal["small", "medium"] = "small",
    align: Literal["top", "bottom"] = "bottom",
) -> None:
    """Draw choices beside each other, each in its share of the width."""
    columns = st.columns(shares, gap=gap, vertical_alignment=align)
    for column, draw in zip(columns, draws, strict=True):
        with column:
            draw()


def pick_seed(param: Param[int], tip: str, width: int = 200) -> None:
    """Draw a field for the random seed, from 0 to 999, with its help."""
    label = _("Random numbers (seed)")
    st.number_input(label, 0, 999, step=1, key=param.widget(), help=tip, width=width)


def live_text(label: str, key: str, **settings: Any) -> str:
    """Draw a field that is read during typing; `settings` are those of `st.text_input`."""
    return st.text_input(label, key=key, live="250ms", autocomplete="off", **settings)


def pick_from_list(
    param: Param[T] | Param[T | None],
    label: str,
    titles: Mapping[T, str],
    *,
    value: T | None = None,
    **settings: Any,
) -> None:
    """Draw the options of a choice as a drop-down list of their titles on the page.

    `value` is as in `pick`; `settings` are those of `st.selectbox`.
    """
    settings |= {"key": param.widget(value), "format_func": titles.__getitem__}
    st.selectbox(label, list(titles), **settings)
