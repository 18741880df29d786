"""The film of a training run: one head at each moment. (N moments, T queries, S keys)"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.components.grid import Weights, cells, labels, table_words
from app.components.shared import mount
from app.format import grouped, visible
from app.i18n import _

Marked = tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class FilmFrame:
    """One frame: its step, the model's words (each with whether it is right), and a remark."""

    step: int
    output: Marked
    note: str = ""


def film(
    weights: Weights,
    moments: Sequence[FilmFrame],
    *,
    key: str,
    chosen: int,
    mask: NDArray[np.bool_] | None,
    wanted: Sequence[tuple[int, int]],
    on_pick: Callable[[int | None], None],
) -> None:
    """Show weights (N, T, S); call back with the step of the chosen moment, None for the newest.

    `wanted` are the cells (query, key) that should get attention; `mask` is True where attention is
    allowed.
    """
    mount(
        "film",
        lambda moment: moment["step"],
        key=key,
        fixed=payload(weights, moments, mask, wanted),
        chosen=chosen,
        on_event=on_pick,
    )


def payload(
    weights: Weights,
    moments: Sequence[FilmFrame],
    mask: NDArray[np.bool_] | None = None,
    wanted: Sequence[tuple[int, int]] = (),
) -> dict[str, Any]:
    """Return what the browser draws; ValueError if weights, moments and labels do not match."""
    if len(weights.values) != len(moments):
        raise ValueError(
            f"Weights of shape {weights.values.shape} do not fit {len(moments)} moments."
        )
    outputs = [[[visible(word), right] for word, right in moment.output] for moment in moments]
    words = {
        "play": _("Play"),
        "pause": _("Pause"),
        "moment": _("Moment of the training"),
        "strip": _("Film strip: one picture per moment; the arrow keys move from one to the next"),
        "step": _("step {step}"),
        "place": _("{step} · picture {place} of {count}"),
        "wrote": _("At that step it wrote:"),
        "hint": _("Point at a cell, or walk with the arrow keys, to read its number."),
        "goal": _("where it should look"),
    }
    return {
        **cells(weights.values, mask),
        **labels(weights),
        "steps": [moment.step for moment in moments],
        "names": [grouped(moment.step) for moment in moments],
        "notes": [moment.note for moment in moments],
        "outputs": outputs,
        "goals": wanted,
        "text": {**table_words(), **words},
    }
