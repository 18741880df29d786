"""What the components in the browser share: mounting, events, and packing of arrays.

Streamlit is imported where a component is mounted: files of figures are written without it.
"""

import base64
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from app import i18n
from app.charts.theme import palette
from app.components.shared.kept import KeptFigure, keep
from app.components.shared.library import LOAD
from app.registry import Address, path_of
from app.server.files import publish

Event = TypeVar("Event")

# The components that are saved with a screen; the others control the page.
FIGURES: Final = {
    *("beam_tree", "board", "chart", "chips", "diagram", "film", "graph", "lines", "matrix"),
    "wall",
}


@cache
def renderer(name: str) -> Callable[..., Any]:
    """Register a component with Streamlit, and return what shows it."""
    import streamlit as st

    return st.components.v2.component(
        f"illuminated_transformer.{name}",
        # Streamlit would take a text without a line break for a path.
        html='<div class="root"\n></div>',
        js=f'{LOAD}export default async (it) => (await library).mount(it, "{name}", fetch);',
    )


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

    `fixed` is what is drawn, or its JSON if it is large and seldom changes: then it is a file that
    the browser keeps. `chosen` is what is marked in it: changing only `chosen` redraws nothing.
    `read` parses what the browser sent: a trigger, which lasts for one run only.
    """
    import streamlit as st

    from app.data.queue import QUEUE

    def call_back() -> None:
        sent = st.session_state[key].get("event")
        if on_event is not None and sent is not None:
            on_event(read(sent))

    language = i18n.current()
    QUEUE.give_way()
    data = {"chosen": chosen, "palette": palette(), "language": language}
    if isinstance(fixed, str):
        data["file"] = publish(f"{name}.json", fixed)
    else:
        data["fixed"] = fixed
    if name in FIGURES:
        assert not isinstance(fixed, str), "what is kept is no JSON"
        keep(lambda: [KeptFigure(name, fixed, chosen)])
    sent = renderer(name)(key=key, data=data, on_event_change=call_back).get("event")
    return None if sent is None else read(sent)


def mount_map(name: str, *, key: str, fixed: Mapping[str, Any], here: str | None) -> None:
    """Show a component that marks the page `here` and whose parts open pages."""
    import streamlit as st

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
