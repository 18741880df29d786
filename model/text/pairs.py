"""Sentence pairs, read from TSV with a report of the lines that are left out."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

MAX_CHARACTERS = 2000


@dataclass(frozen=True)
class Pair:
    """A sentence and its translation."""

    src: str
    tgt: str


@dataclass(frozen=True)
class BadLine:
    """A line that was left out (its number counts from 1), and why."""

    number: int
    reason: str


def parse_tsv(data: bytes, most: int | None = None) -> tuple[list[Pair], list[BadLine]]:
    """Return the pairs of a TSV and what is wrong with the other lines.

    The first two columns count; a third (an attribution) is passed over, and so are the numbers
    of the sentences in the four columns of Tatoeba's lists. Of at most `most` lines.
    """
    pairs, bad = [], []
    for number, line in enumerate(io.BytesIO(data.removeprefix(b"\xef\xbb\xbf")), start=1):
        if most is not None and number > most:
            bad.append(BadLine(number, f"only the first {most} lines are read"))
            break
        try:
            pairs.append(_parse_line(line.removesuffix(b"\n")))
        except ValueError as error:
            bad.append(BadLine(number, str(error)))
    return pairs, bad


def _parse_line(line: bytes) -> Pair:
    try:
        text = line.decode().rstrip("\r")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
    if not text.strip():
        raise ValueError("it is blank")
    columns = text.split("\t")
    if len(columns) == 4 and columns[0].isdecimal() and columns[2].isdecimal():
        columns = columns[1::2]
    if len(columns) not in (2, 3):
        raise ValueError(f"it has {len(columns)} columns instead of 2 (or 3 with an attribution)")
    src, tgt = columns[0].strip(), columns[1].strip()
    if not src or not tgt:
        raise ValueError("one of its sentences is blank")
    if max(len(src), len(tgt)) > MAX_CHARACTERS:
        raise ValueError(f"a sentence is longer than {MAX_CHARACTERS} characters")
    return Pair(src, tgt)


def read_tsv(path: Path) -> tuple[list[Pair], list[BadLine]]:
    """Read a TSV file; raises ValueError when it cannot be read or holds no pair at all."""
    try:
        pairs, bad = parse_tsv(path.read_bytes())
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from error
    if not pairs:
        why = f" (line {bad[0].number}: {bad[0].reason})" if bad else ""
        raise ValueError(f"{path} holds no sentence pair{why}.")
    return pairs, bad
