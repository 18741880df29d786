"""What the components in the browser have in common: registering, packing arrays, events."""

import base64
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.components.v2.types import ComponentRenderer

from app.charts.theme import palette
from app.components.shared.library import PROMISE

Event = TypeVar("Event")


def register(name: str) -> ComponentRenderer:
    """Register the component whose scripts and styles lie in the folder of this name."""
    return st.components.v2.component(
        f"illuminated_transformer.{name}",
        # Streamlit takes a text without a line break inside for a path.
        html='<div class="root"\n></div>',
        js=f'{PROMISE}export default async (it) => (await library.promise)(it, "{name}");',
    )


def mount(
    renderer: ComponentRenderer,
    event: str,
    read: Callable[[Mapping[str, Any]], Event],
    *,
    key: str,
    fixed: Mapping[str, Any],
    chosen: Any,
    on_event: Callable[[Event], None] | None,
    others: Mapping[str, Callable[[], None]] | None = None,
) -> Event | None:
    """Show a component; return what was clicked since the last run, after telling `on_event`.

    `fixed` is what is drawn, `chosen` what is marked in it: a change of the second alone redraws
    nothing. The event is a trigger: it is there for one run only. `others` are told of events
    that say nothing but that they happened.
    """

    def tell() -> None:
        clicked = st.session_state[key].get(event)
        if on_event is not None and clicked is not None:
            on_event(read(clicked))

    data = {"fixed": dict(fixed), "chosen": chosen, "palette": palette()}
    callbacks: dict[str, Any] = {f"on_{event}_change": tell}
    callbacks |= {f"on_{name}_change": told for name, told in (others or {}).items()}
    result = renderer(key=key, data=data, **callbacks)
    clicked = result.get(event)
    return None if clicked is None else read(clicked)


def pack(array: NDArray[Any], dtype: type[np.generic]) -> str:
    """Encode an array as base64 of its little-endian bytes, row by row."""
    little = np.ascontiguousarray(array, dtype=np.dtype(dtype).newbyteorder("<"))
    return base64.b64encode(little.tobytes()).decode("ascii")


def pack_bytes(weights: NDArray[np.floating]) -> str:
    """Encode weights of 0 to 1 in one byte each: enough for a colour, a quarter of the size."""
    return pack(np.rint(np.clip(weights, 0, 1) * 255), np.uint8)
