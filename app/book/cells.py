"""The calculations that numbers open: as many as there is room for, the largest first."""

import json
from collections import deque
from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from itertools import zip_longest
from typing import Any, Final

import numpy as np

from app.book.markdown import formula
from app.book.record import PageNode, Settings
from app.components.board import Grid, payload
from app.components.grid import numbers
from app.data.changed import UserError, run_walk
from app.data.walk import Cell, Walk, code
from app.format import tex
from app.inspector.naming import PARAM
from app.inspector.panel import described, short_name
from app.state import CHANGES, RUN
from app.ui.chosen import decoding

ROOM: Final = 110_000  # bytes of a screen, before they are packed for a script
WAY_UP: Final = 40_000  # of these, for the numbers that others came from
A_PANEL: Final = 260  # bytes that a calculation takes, packed, without its vectors
FEW: Final = 3000  # cells of an array whose numbers are weighed


class Cells:
    """Collects the calculations of the numbers on boards, and of what those came from."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.panels: dict[str, Any] = {}
        self.lines: dict[str, Any] = {}
        self.codes: dict[str, str] = {}
        self.room = ROOM

    def opens(self, items: Iterable[Any]) -> bool:
        """Return whether all numbers of a board are this run's: those of some are another one's."""
        grids = [item for item in items if item.get("name")]
        return bool(grids) and all(map(self._is_ours, grids))

    def take(self, mains: Iterable[PageNode]) -> None:
        """Keep calculations of the numbers of a screen's states, then of what those came from."""
        nodes = (node for main in mains for node in main.walk() if node.component == "board")
        boards = (json.loads(node.body.json)["fixed"]["items"] for node in nodes)
        items = (item for items in filter(self.opens, boards) for item in items)
        grids = {_drawn(item): item for item in items if item.get("name")}
        turns = zip_longest(*map(_cells, grids.values()))  # the first of each, then the second
        shown, above = deque(cell for turn in turns for cell in turn if cell), deque[Cell]()
        while shown and self.room > WAY_UP:
            above.extend(self.keep(shown.popleft()))
        while above and self.room > 0:
            above.extend(self.keep(above.popleft()))

    def data(self) -> dict[str, Any]:
        """Return what the browser opens."""
        return {"panels": self.panels, "lines": self.lines, "codes": self.codes}

    def _is_ours(self, item: Any) -> bool:
        """Whether an array is this run's own, all of it: another run's may share its largest."""
        try:
            values = self.walk.array(item["name"], item["index"])
        except (ValueError, IndexError, KeyError):
            return False
        down, across = item["axes"]
        if down is None:
            values = values[None, :]
        elif down > across:
            values = values.T
        try:
            for axis, places in enumerate((item["rows"], item["cols"])):
                values = values if places is None else values.take(places, axis)
        except IndexError:
            return False
        shown = numbers(item)
        if values.shape != shown.shape:
            return False
        return bool(np.allclose(values, shown, rtol=1e-6, atol=0, equal_nan=True))

    def keep(self, cell: Cell) -> Iterable[Cell]:
        """Keep a calculation, and return what it came from; nothing of one that is kept."""
        if key_of(cell) in self.panels:
            return []
        calculation = self.walk.explain(cell)
        number, strips = described(self.walk, calculation)
        formulas = calculation.formula, tex(calculation.numbers)
        self.panels[key_of(cell)] = {
            "name": number.name,
            "short": short_name(cell.name),
            "number": number.number,
            "note": number.note,
            "end": number.end,
            "sources": [[asdict(one.cell), one.label] for one in number.sources],
            "formulas": "".join(formula(one, True) for one in formulas),
            "lit": [asdict(block) for block in calculation.sources],
            "lines": [self._line(strip) for strip in strips],
            "code": calculation.source,
        }
        self.codes.setdefault(calculation.source, code(calculation.source))
        self.room -= A_PANEL
        return [one.cell for one in number.sources]

    def _line(self, strip: Grid) -> str:
        name = json.dumps([strip.name, strip.index, strip.cols])
        if name not in self.lines:
            (self.lines[name],) = payload([strip], hinting=False)["items"]
            self.room -= 5 * strip.values.size
        return name


def run_of(settings: Settings) -> Walk:
    """Return the run that a screen shows; a text that is none of changes changes nothing."""
    changes = "" if RUN.get(settings) == "before" else CHANGES.get(settings)
    ask = partial(run_walk, settings["model"], settings["text"], decoding(settings))
    try:
        return ask(changes)
    except UserError:
        return ask("")


def key_of(cell: Cell) -> str:
    """Return the name of a number."""
    return f"{cell.name}@{'.'.join(map(str, cell.index))}"


def _drawn(item: Any) -> str:
    return json.dumps([item[part] for part in ("name", "index", "rows", "cols")])


def _cells(item: Any) -> list[Cell]:
    """Return the cells of a board's array, the largest first; of a parameter, those alone."""
    values = numbers(item)
    order = np.argsort(-np.abs(np.nan_to_num(values)), axis=None, kind="stable")[:FEW]
    if item["name"].startswith(PARAM):
        order = order[:4]
    rows, cols = (item["rows"] or range(values.shape[0])), (item["cols"] or range(values.shape[1]))
    found = []
    for place in order:
        i, j = (int(at) for at in np.unravel_index(place, values.shape))
        index = list(item["index"])
        down, across = item["axes"]
        index[across] = cols[j]
        if down is not None:
            index[down] = rows[i]
        found.append(Cell(item["name"], tuple(index)))
    return found
