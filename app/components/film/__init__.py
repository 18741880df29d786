"""The film of a training: one head at every filmed moment. (N moments, T queries, S keys)"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.components.shared import mount, pack, register
from app.format import grouped, visible
from app.i18n import _

Marked = tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Moment:
    """One frame: its step, what the model wrote (each word with whether it is right), a remark."""

    step: int
    output: Marked
    note: str = ""


_film = register("film")


def film(
    weights: NDArray[np.floating],
    moments: Sequence[Moment],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    *,
    key: str,
    chosen: int | None = None,
    mask: NDArray[np.bool_] | None = None,
    wanted: Sequence[tuple[int, int]] = (),
    on_pick: Callable[[int | None], None] | None = None,
) -> int | None:
    """Show weights (N, T, S); tell the picked moment's step, None for the newest.

    `wanted` are the cells (query, key) where one should look, `mask` is True where one may.
    """
    return mount(
        _film,
        "pick",
        read,
        key=key,
        fixed=payload(weights, moments, query_labels, key_labels, mask, wanted),
        chosen=chosen,
        on_event=on_pick,
    )


def payload(
    weights: NDArray[np.floating],
    moments: Sequence[Moment],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    mask: NDArray[np.bool_] | None = None,
    wanted: Sequence[tuple[int, int]] = (),
) -> dict[str, Any]:
    """Return what the browser draws; ValueError where weights, moments and labels do not fit."""
    if weights.shape != (len(moments), len(query_labels), len(key_labels)):
        raise ValueError(f"Weights of shape {weights.shape} do not fit their moments and labels.")
    return {
        "values": pack(weights, np.float32),
        "mask": None if mask is None else pack(mask, np.uint8),
        "steps": [moment.step for moment in moments],
        "names": [grouped(moment.step) for moment in moments],
        "notes": [moment.note for moment in moments],
        "outputs": [
            [[visible(word), right] for word, right in moment.output] for moment in moments
        ],
        "queries": [visible(label) for label in query_labels],
        "keys": [visible(label) for label in key_labels],
        "wanted": [list(cell) for cell in wanted],
        "text": words(),
    }


def read(event: Mapping[str, Any]) -> int | None:
    """Turn an event of the browser into a step; None is the newest."""
    step = event.get("step")
    return None if step is None else int(step)


def words() -> dict[str, str]:
    """Return the words of the film; marks in braces are filled in by the browser."""
    return {
        "name": _("Attention weights: rows are queries, columns are keys"),
        "play": _("Play"),
        "pause": _("Pause"),
        "moment": _("Moment of the training"),
        "strip": _("Film strip: one picture a moment; the arrow keys go from one to the next"),
        "step": _("step {step}"),
        "place": _("{step} · picture {place} of {count}"),
        "wrote": _("It then wrote:"),
        "hint": _("Point at a cell, or walk with the arrow keys, to read its number."),
        "cell": _("“{query}” looks at “{key}”: {weight}"),
        "masked": _("“{query}” may not look at “{key}”: masked"),
        "hatched": _("masked: one may not look there"),
        "goal": _("where it should look"),
        "query_axis": _("query (looks) ↓"),
        "key_axis": _("key (is looked at) →"),
    }
