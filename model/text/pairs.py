"""Sentence pairs, read from TSV with a report of the lines that were skipped, or with links."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model.errors import UserError, os_errors_as

log = logging.getLogger(__name__)
MOST_REPORTED = 20
MAX_CHARACTERS = 2000
# Made once: a file may have a million such lines.
NOT_UTF8 = UserError("not_utf8")
BLANK_LINE = UserError("blank_line")
BLANK_SENTENCE = UserError("blank_sentence")
# What may separate a sentence from its translation instead of a tab, the most reliable first.
SEPARATORS = {"→": " *→ *", "=": " *= *", ";": " *; *", "  ": "  +", ",": " *, *"}
LEAST_SHARE = 0.8  # of lines that a separator must split to be recognised


@dataclass(frozen=True)
class Pair:
    """A sentence and its translation."""

    src: str
    tgt: str


@dataclass(frozen=True)
class BadLine:
    """A line that was skipped (its number counts from 1), and why."""

    number: int
    why: UserError


def parse_tsv(data: bytes, most: int | None = None) -> tuple[list[Pair], list[BadLine]]:
    """Return the pairs of a TSV and what is wrong with the other lines.

    The first two columns are read; a third (an attribution) is ignored, as are the sentence numbers
    in the four columns of Tatoeba's lists. At most `most` lines are read.
    """
    pairs, bad = [], []
    for number, line in enumerate(io.BytesIO(data.removeprefix(b"\xef\xbb\xbf")), start=1):
        if most is not None and number > most:
            bad.append(BadLine(number, UserError("too_many_lines", most=most)))
            break
        parsed = _parse_line(line.removesuffix(b"\n"))
        if isinstance(parsed, Pair):
            pairs.append(parsed)
        else:
            bad.append(BadLine(number, parsed))
    return pairs, bad


def separator_of(data: bytes) -> str:
    """Return what splits most lines of a text without tabs in two: one of SEPARATORS, or a tab."""
    lines = [line for line in data.decode(errors="replace").splitlines() if line.strip()]
    if any("\t" in line for line in lines):
        return "\t"
    for separator, pattern in SEPARATORS.items():
        parted = (re.split(pattern, line.strip()) for line in lines)
        in_two = sum(len(parts) == 2 and all(parts) for parts in parted)
        if lines and in_two >= LEAST_SHARE * len(lines):
            return separator
    return "\t"


def with_tabs(data: bytes, separator: str) -> bytes:
    """Return a text with the separator replaced by a tab in each line that has it exactly once."""
    if separator == "\t":
        return data
    pattern = re.compile(SEPARATORS[separator].encode())
    lines = []
    for line in data.splitlines():
        parts = pattern.split(line.strip())
        lines.append(b"\t".join(parts) if len(parts) == 2 else line)
    return b"\n".join(lines)


def _parse_line(line: bytes) -> Pair | UserError:
    try:
        text = line.decode().rstrip("\r")
    except UnicodeDecodeError:
        return NOT_UTF8
    if not text.strip():
        return BLANK_LINE
    columns = text.split("\t")
    if len(columns) == 4 and columns[0].isdecimal() and columns[2].isdecimal():
        columns = columns[1::2]
    if len(columns) not in (2, 3):
        return UserError("columns", count=len(columns))
    src, tgt = columns[0].strip(), columns[1].strip()
    if not src or not tgt:
        return BLANK_SENTENCE
    if max(len(src), len(tgt)) > MAX_CHARACTERS:
        return UserError("long_sentence", most=MAX_CHARACTERS)
    return Pair(src, tgt)


def read_pairs(paths: Sequence[Path], field: str = "") -> list[Pair]:
    """Read and join TSV files, and log what is wrong with them.

    Raises UserError about `field` for a file that cannot be read or has no pair at all.
    """
    pairs = []
    for path in paths:
        with os_errors_as(UserError("unreadable", field, path=str(path))):
            found, bad = parse_tsv(path.read_bytes())
        if not found and bad:
            at, why = bad[0].number, bad[0].why
            raise UserError("no_pair_because", field, path=str(path), line=at, why=why)
        if not found:
            raise UserError("no_pair", field, path=str(path))
        pairs += found
        for line in bad[:MOST_REPORTED]:
            log.warning("%s, line %d is left out: %s.", path, line.number, line.why)
        if len(bad) > MOST_REPORTED:
            log.warning("%s: %d more lines are left out.", path, len(bad) - MOST_REPORTED)
    return pairs


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

    def turned(self) -> AlignedPair:
        """Return the same alignment with source and target exchanged."""
        links = (frozenset((t, s) for s, t in one) for one in (self.sure, self.possible))
        return AlignedPair(Pair(self.pair.tgt, self.pair.src), *links)


def read_alignments(path: Path, field: str = "") -> list[AlignedPair]:
    """Read a TSV of source, target, sure and possible links like `0-0 2-1`; raises UserError."""
    with os_errors_as(UserError("unreadable", field, path=str(path))):
        lines = path.read_text(encoding="utf-8").splitlines()
    return [_parse(line, f"{path}, line {n}", field) for n, line in enumerate(lines, start=1)]


def _parse(line: str, where: str, field: str) -> AlignedPair:
    try:
        src, tgt, *columns = line.split("\t")
        sure, possible = (links_of(column) for column in (*columns, "", "")[:2])
        if any(s >= len(src.split()) or t >= len(tgt.split()) for s, t in sure | possible):
            raise ValueError
    except ValueError as error:
        what = f"{where}: it is not a pair with links such as 0-0 2-1."
        raise UserError("plain", field, what=what) from error
    return AlignedPair(Pair(src, tgt), sure, sure | possible)


def links_of(column: str) -> Links:
    links = (link.split("-") for link in column.split())
    return frozenset((int(source), int(target)) for source, target in links)
