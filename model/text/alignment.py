"""Gold word alignments: which words of a sentence pair translate each other, read from a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from model.errors import UserError, os_errors_as
from model.text.pairs import Pair

Links = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class AlignedPair:
    """A pair and its alignment: (source, target) positions, from 0, of words separated by blanks.

    `sure` are the undisputed links; `possible` holds these and also the optional links, such as
    those among the several words of "la semana pasada" and "last week".
    """

    pair: Pair
    sure: Links
    possible: Links


def read_alignments(path: Path, field: str = "") -> list[AlignedPair]:
    """Read a TSV of source, target, sure and possible links like `0-0 2-1`; raises UserError."""
    with os_errors_as(UserError("unreadable", field, path=str(path))):
        lines = path.read_text(encoding="utf-8").splitlines()
    return [_parse(line, f"{path}, line {n}", field) for n, line in enumerate(lines, start=1)]


def _parse(line: str, where: str, field: str) -> AlignedPair:
    try:
        src, tgt, *columns = line.split("\t")
        sure, possible = (_links(column) for column in (*columns, "", "")[:2])
        if any(s >= len(src.split()) or t >= len(tgt.split()) for s, t in sure | possible):
            raise ValueError
    except ValueError as error:
        what = f"{where}: it is not a pair with links such as 0-0 2-1."
        raise UserError("plain", field, what=what) from error
    return AlignedPair(Pair(src, tgt), sure, sure | possible)


def _links(column: str) -> Links:
    links = (link.split("-") for link in column.split())
    return frozenset((int(source), int(target)) for source, target in links)
