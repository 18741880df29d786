"""The faults: one row each, with what is promised and the tests that check the promise."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "faults.md"
HEAD = """# Faults this project survives

Run for real by `python -m tests.faults`, a line each; `python -m tests.faults 3 15` runs two of
them. The quick tests are in the suite too, the slow ones run by this command alone. This page is
written by `python -m tests.faults --document`.

| | fault | what is promised | held by |
|---|---|---|---|
"""


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong, what happens then, and its tests, as pytest names them."""

    number: int
    name: str
    promise: str
    tests: tuple[str, ...]


def _read(text: str) -> tuple[Fault, ...]:
    faults = []
    for line in text.strip().splitlines():
        number, name, promise, tests = (cell.strip() for cell in line.split("|"))
        faults.append(Fault(int(number), name, promise, tuple(tests.split())))
    return tuple(faults)


FAULTS = _read((Path(__file__).parent / "faults.txt").read_text(encoding="utf-8"))


def document() -> str:
    """Return the text of docs/faults.md with the table."""
    return HEAD + "".join(
        f"| {fault.number} | {fault.name} | {fault.promise} | "
        + ", ".join(f"`{test.removeprefix('tests/')}`" for test in fault.tests)
        + " |\n"
        for fault in FAULTS
    )
