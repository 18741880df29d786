"""What the components in the browser share: mounting, events, and packing of arrays."""

import base64
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import i18n
from app.charts.theme import palette
from app.components.shared.kept import KeptFigure, keep
from app.components.shared.library import KINDS, PROMISE
from app.data.queue import QUEUE
from app.registry import Address, path_of

Event = TypeVar("Event")

# The components that are saved with a screen; the others control the page.
FIGURES: Final = {
    *("beam_tree", "board", "chart", "chips", "diagram", "film", "graph", "lines", "matrix"),
    "wall",
}

RENDERERS: Final = {
    kind.name: st.components.v2.component(
        f"illuminated_transformer.{kind.name}",
        # Streamlit would take a text without a line break for a path.
        html='<div class="root"\n></div>',
        js=f'{PROMISE}export default async (it) => (await library.promise)(it, "{kind.name}");',
    )
    for kind in KINDS
}


def mount(
    name: str,
    read: Callable[[Any], Event],
    *,
    key: str,
    fixed: Mapping[str, Any] | str,
    chosen: Any,
    on_event: Callable[[Event], None] | None = None,
) -> Event | None:
    """Show a component; return what was clicked since the last run, after calling `on_event`.

    `fixed` is what is drawn, or its JSON if it is large and seldom changes, because Streamlit would
    encode it again at each run. `chosen` is what is marked in it: changing only `chosen` redraws
    nothing. `read` parses what the browser sent: a trigger, which lasts for one run only.
    """

    def call_back() -> None:
        sent = st.session_state[key].get("event")
        if on_event is not None and sent is not None:
            on_event(read(sent))

    language = i18n.current()
    QUEUE.give_way()
    data = {"fixed": fixed, "chosen": chosen, "palette": palette(), "language": language}
    if name in FIGURES:
        assert not isinstance(fixed, str), "what is kept is no JSON"
        keep(lambda: [KeptFigure(name, fixed, chosen)])
    sent = RENDERERS[name](key=key, data=data, on_event_change=call_back).get("event")
    return None if sent is None else read(sent)


def mount_map(name: str, *, key: str, fixed: Mapping[str, Any], here: str | None) -> None:
    """Show a component that marks the page `here` and whose parts open pages."""
    path = mount(name, path_of, key=key, fixed=fixed, chosen=here)
    if path is not None:
        st.switch_page(path)


def read_address(sent: Any, other: str | None = None) -> Address:
    """Return the screen that the browser requests; raise ValueError for an unknown page.

    `other` is a name that is taken as well.
    """
    match sent:
        case {"page": str(page), "screen": str(screen)} if page == other or path_of(page):
            return Address(page, screen)
    raise ValueError(sent)


def pack(array: NDArray[Any], dtype: type[np.generic]) -> str:
    """Return an array's little-endian bytes, row by row, encoded as base64."""
    little = np.ascontiguousarray(array, dtype=np.dtype(dtype).newbyteorder("<"))
    return base64.b64encode(little.tobytes()).decode("ascii")
