"""A word's vector and its position's, added."""

import numpy as np

from app.components.board import Op
from app.format import number, quoted
from app.i18n import _
from app.inspector.arrays import arrays, grid
from app.views.walk.positions import texts
from app.views.walk.positions.place import Place

HEIGHT = 66  # of the cells of each matrix, in pixels


def sum_text(place: Place) -> str:
    """Say what is added, and how long both vectors are."""
    index = (place.position, None)
    x, p = (
        float(np.linalg.norm(place.walk.array(f"{place.side}.{name}", index)))
        for name in ("embed", "pos")
    )
    return _(texts.SUM).format(
        word=place.word,
        place=place.position,
        d=place.d_model,
        x=number(x, 1),
        p=number(p, 1),
    )


def draw_sum(place: Place) -> None:
    """Draw x + p for the chosen token."""
    titles = f"x · {quoted(place.text)}", f"p · {place.position}", "x + p"
    _draw(place, (place.position, None), titles, "sum")


def all_text(place: Place) -> str:
    """Say what changes with the sentence, and what does not."""
    return _(texts.ALL).format(place=place.position)


def draw_all(place: Place) -> None:
    """Draw X + P for the whole sentence."""
    _draw(place, (None, None), ("X", "P", "X + P"), "sums", height=HEIGHT)


def _draw(
    place: Place,
    index: tuple[int | None, ...],
    titles: tuple[str, str, str],
    key: str,
    **look: float,
) -> None:
    """Draw embedding + position = sum on one scale, so that their colours can be compared."""
    names = [f"{place.side}.{name}" for name in ("embed", "pos", "sum")]
    reach = max(float(np.abs(place.walk.array(name, index)).max()) for name in names)
    x, p, both = (
        grid(place.walk, name, index, title, reach=reach, **look)
        for name, title in zip(names, titles, strict=True)
    )
    arrays(place.walk, [x, Op("+"), p, Op("="), both], key=key)
