"""Small boxes of text in rows, as SVG: bytes, pieces, ids and masks as a picture to save."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from app.charts.theme import GRID, GROUND, INK, QUIET, role_colour
from app.format import visible

LETTER, HIGH, GAP, CAPTION, LINE = 9, 44, 6, 170, 18  # pixels


Look = Literal["plain", "new", "shut"]


@dataclass(frozen=True)
class Box:
    """A text above a smaller one; a "new" box has a stronger colour, a "shut" box is hatched."""

    top: str
    low: str = ""
    look: Look = "plain"


Row = tuple[str, Sequence[Box]]  # the label on the left, and the boxes


def boxes_svg(rows: Sequence[Row], above: Sequence[str] = (), *, aligned: bool = False) -> str:
    """Draw rows of boxes below lines of text; `aligned` gives a column's boxes the same width."""
    colour = role_colour("input")
    left = CAPTION if any(caption for caption, _boxes in rows) else GAP
    columns = zip_longest(*(boxes for _caption, boxes in rows)) if aligned else ()
    widest = [max(_width(box) for box in column if box) for column in columns]
    top = GAP + LINE * len(above)
    lines = enumerate(above, start=1)
    parts = [_text(line, GAP, LINE * i, QUIET, 13, "start") for i, line in lines]
    right = max((LETTER * len(line) for line in above), default=0.0)
    for i, (caption, boxes) in enumerate(rows):
        x, y = float(left), top + i * (HIGH + GAP)
        parts.append(_text(caption, GAP, y + HIGH / 2 + 4, INK, 13, "start"))
        for j, box in enumerate(boxes):
            width = widest[j] if aligned else _width(box)
            parts.append(_box(box, x, y, width, colour))
            x += width + GAP
        right = max(right, x)
    height = top + len(rows) * (HIGH + GAP)
    hatch = (
        '<defs><pattern id="shut" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="2" height="6" fill="{GRID}"/>'
        "</pattern></defs>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right:g} {height:g}" '
        f'width="{right:g}" height="{height:g}" font-family="Source Sans, sans-serif">{hatch}'
        f'<rect width="100%" height="100%" fill="{GROUND}"/>{"".join(parts)}</svg>'
    )


def _width(box: Box) -> float:
    return LETTER * max(len(visible(box.top)), len(visible(box.low)), 1) + 14.0


def _box(box: Box, x: float, y: float, width: float, colour: str) -> str:
    fill = "url(#shut)" if box.look == "shut" else colour
    strength = {"plain": 0.1, "new": 0.3, "shut": 1}[box.look]
    frame = (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{HIGH}" rx="5" stroke="{colour}" '
        f'stroke-width="{2.5 if box.look == "new" else 1}" fill="{fill}" '
        f'fill-opacity="{strength}"/>'
    )
    middle, top = x + width / 2, 19 if box.low else HIGH / 2 + 5
    low = _text(visible(box.low), middle, y + 36, QUIET, 12, "middle") if box.low else ""
    return frame + _text(visible(box.top), middle, y + top, INK, 15, "middle") + low


def _text(text: str, x: float, y: float, colour: str, size: int, anchor: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}" text-anchor="{anchor}">'
        f"{html.escape(text)}</text>"
    )
