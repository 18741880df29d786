"""Where a text is parted into sentences, which are translated one by one.

A sentence ends with . ! ? or …, closing quotation marks included, where what follows may begin one:
a capital, a number, an opening mark. After ! and ? a small letter may, and after a point too in a
text that has no capital at all. No sentence ends after an abbreviation, an initial or within a
number.
"""

import re
from typing import Final

ABBREVIATIONS: Final = frozenset(
    """
    sr sra srta sres dr dra dres d dña ud uds vd ej núm pág tel av avda ee uu ff aa lic ing prof
    m mm mme mmes mlle cf
    mr mrs ms st jr vs vol fig gov sen lt col gen capt
    """.split()  # noqa: SIM905
)
OPENING: Final = "¿¡«“\"'(—–-"
_END: Final = re.compile(r"\s?[.!?…]+[\"'»”’)\]]*\s+")
_QUOTATION_ENDS: Final = re.compile(r"[\"'»”’)\]]\s*$")
_LAST_WORD: Final = re.compile(r"[\w.]*$")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, in order; a text without one is no sentence."""
    return [sentence for line in text.splitlines() for sentence in _of_line(line)]


def _of_line(line: str) -> list[str]:
    parts, start, lower = [], 0, line == line.lower()
    for end in _END.finditer(line):
        if _ends_here(line[start : end.start()], end.group(), line[end.end() :], lower):
            parts.append(line[start : end.end()].strip())
            start = end.end()
    parts.append(line[start:].strip())
    return [part for part in parts if any(char.isalnum() for char in part)]


def _ends_here(before: str, marks: str, after: str, lower: bool) -> bool:
    """Return whether a sentence ends between two parts of a line, at some marks."""
    first = after.lstrip(OPENING + " ")[:1]
    point = marks.strip().rstrip("\"'»”’)] ") == "."
    if point and _is_abbreviated(before):
        return False
    if first.isupper() or first.isdigit() or after[:1] in ("¿", "¡"):
        return True
    if not first.isalpha() or _QUOTATION_ENDS.search(marks.rstrip()):
        return False
    return lower or (not point and "." not in marks and "…" not in marks)


def _is_abbreviated(before: str) -> bool:
    """Return whether a text ends in an abbreviation or an initial."""
    word = _LAST_WORD.search(before)
    last = word.group().lower() if word else ""
    initial = len(last) == 1 and last.isalpha() and before[-1:].isupper()
    return last in ABBREVIATIONS or initial or ("." in last and last.replace(".", "").isalpha())
