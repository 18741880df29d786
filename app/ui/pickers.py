"""Fields: one of a few values, kept in the session and the URL, a text, and a file."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import partial
from typing import Any, Final, Literal, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from app.i18n import _
from app.server.uploads import FIELDS, MEGABYTE
from app.state import Param

T = TypeVar("T")
# The browser marks a refused file, but shows only the server's status, in English.
STYLE: Final = """<style>
.st-key-{key} [data-testid="stFileChip"] [role="alert"] {{visibility: hidden}}
.st-key-{key}:has([data-testid="stFileChip"] [role="alert"])::after {{
    content: {text}; font-size: 0.875rem;
}}
</style>"""


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


def one_by_one(*draws: Callable[[T], object]) -> Callable[[T], None]:
    """Return what draws several choices of a page, one after the other."""

    def draw(chosen: T) -> None:
        for one in draws:
            one(chosen)

    return draw


def beside(
    shares: Sequence[float], *draws: Callable[[T], object], **look: Any
) -> Callable[[T], None]:
    """Return what draws choices of a page as `side_by_side` does."""
    return lambda chosen: side_by_side(shares, *(partial(one, chosen) for one in draws), **look)


def pick_seed(param: Param[int], tip: str, width: int = 200) -> None:
    """Draw a field for the random seed, from 0 to 999, with its help."""
    label = _("Random numbers (seed)")
    st.number_input(label, 0, 999, step=1, key=param.widget(), help=tip, width=width)


def live_text(label: str, key: str, **settings: Any) -> str:
    """Draw a field that is read during typing; `settings` are those of `st.text_input`."""
    return st.text_input(label, key=key, live=True, autocomplete="off", **settings)


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


_PLACE: Final[ContextVar[DeltaGenerator]] = ContextVar("aside")


def reserve_aside() -> None:
    """Reserve the place, as the sidebar is drawn before the page."""
    _PLACE.set(st.container(key="aside"))


def aside() -> DeltaGenerator:
    """Return the place to draw in."""
    return _PLACE.get()


def uploader(
    label: str,
    types: Sequence[str],
    *,
    key: str,
    most: int,
    help: str,  # noqa: A002 - Streamlit's own name
    on_change: Callable[[], None] | None = None,
) -> UploadedFile | None:
    """Draw a field for a file of at most `most` megabytes; return the file once it has arrived."""
    most = min(most, st.get_option("server.maxUploadSize"))
    if (context := get_script_run_ctx()) is not None:
        FIELDS.note(context.session_id, most * MEGABYTE)
    refused = _(
        "This file was not accepted: choose one of at most {most} MB, or remove those that you "
        "loaded before, and try again in a minute."
    ).format(most=most)
    st.html(STYLE.format(key=key, text=json.dumps(refused, ensure_ascii=False)))
    return st.file_uploader(
        label, types, key=key, max_upload_size=most, help=help, on_change=on_change
    )
