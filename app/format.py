"""Write numbers and texts in the page's language, as percentages, as TeX, or escaped."""

import html
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from app.i18n import _, decimal_mark

BLANKS: Final = " \u00a0\u202f"  # between words; the last two keep a line together
# Visible signs for invisible characters.
SHOWN: Final = {"": "∅", "\n": "↵", "\r": "↵", "\t": "⇥", **dict.fromkeys(BLANKS, "␣")}
TRUE: Final = 6  # significant decimal digits that a float32 always holds
# Characters with a meaning in Markdown, its directives, HTML or TeX.
MARKS: Final = r"[\\`*_{}\[\]()<>#+!|~$:.-]"
RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def localized(text: str) -> str:
    """Write a formatted number with the language's decimal mark, a true minus and powers of ten."""
    text = re.sub(r"e([-+]\d+)$", lambda found: f"·10{str(int(found[1])).translate(RAISED)}", text)
    return text.replace("-", "−").replace("inf", "∞").replace(".", decimal_mark())


def number(x: float, digits: int = 2) -> str:
    """Write a number with a fixed count of decimals, as number.js does, or fewer if it is large.

    A number that would round to 0 shows its first significant digit, such as 0.003 or 1·10⁻⁷;
    0 itself is 0.
    """
    if abs(x) >= 10**TRUE:
        return short(x, TRUE)
    whole = len(f"{abs(x):.0f}")
    text = f"{x:.{min(digits, max(0, TRUE - whole))}f}"
    return localized(text) if float(text) else short(x, 1)


def signed(x: float, digits: int = 2) -> str:
    """Write a number with its sign, including a plus."""
    return f"+{number(x, digits)}" if x > 0 else number(x, digits)


def share(x: float, digits: int = 2) -> str:
    """Write a share of 1, such as a weight; only 1 itself is written as 1."""
    almost = x < 1 <= float(f"{x:.{digits}f}")
    return localized(f">{1 - 10**-digits:.{digits}f}") if almost else number(x, digits)


def in_cell(x: float, digits: int = 2, write: Callable[[float, int], str] = share) -> str:
    """Write a number in little room: as ≈0 if it would round to 0."""
    return write(x, digits) if x == 0 or float(f"{x:.{digits}f}") else "≈0"


def short(x: float, digits: int = 4) -> str:
    """Write a number with `digits` significant digits, or a whole number with all of its digits."""
    form = ".0f" if abs(x) < 1e6 and x == round(x) else f".{digits}g"
    return localized(f"{x + 0.0:{form}}")  # + 0.0 turns -0.0 into 0.0


def power(x: float, digits: int = 1) -> str:
    """Write a number, such as a rounding difference, as a power of ten; 0 itself is 0."""
    return localized(f"{x:.{digits}e}") if x else "0"


def grouped(n: int, gap: str = "\u202f") -> str:
    """Write a whole number in groups of three, as all three languages read it.

    In a chart's labels, which make invisible characters visible, use a plain blank as the gap.
    """
    return f"{n:,}".replace(",", gap)


def percent(part: float) -> str:
    """Write a share from 0 to 1 as a percentage with one decimal, so that parts add up."""
    almost = part < 1 <= float(f"{part:.3f}")
    return f"{localized('>99.9') if almost else number(100 * part, 1)} %"


def probability(p: float) -> str:
    """Write a probability with three decimals."""
    return share(p, 3)


def listed(numbers: Iterable[str]) -> str:
    """Join numbers with commas, or with semicolons where the decimal mark is a comma."""
    return ("; " if decimal_mark() == "," else ", ").join(numbers)


def tex(formula: str) -> str:
    """Write the decimal marks of a formula as the language does.

    They stand in braces because TeX takes a bare comma as the separator of a list. Commas in a
    subscript are not decimal marks and stay as they are.
    """
    mark = decimal_mark()
    if mark == ".":
        return formula
    decimals = re.compile(r"_\{[^{}]*\}|(?<=\d)[.,](?=\d)")
    return decimals.sub(lambda found: found[0] if found[0][0] == "_" else f"{{{mark}}}", formula)


def maths(text: str) -> str:
    """Write the names of dimensions and matrices in a text as TeX, for Markdown."""
    text = text.replace("√d_k", r"$\sqrt{d_k}$").replace("√d_model", r"$\sqrt{d_{model}}$")
    return re.sub(r"(?<![$\w{\\])([dWb])_(model|[kQKVO])\b", r"$\1_{\2}$", text)


def quoted(text: str) -> str:
    """Put a word between the quotation marks of the page's language."""
    return _("“{word}”").format(word=text)


def escape(text: str) -> str:
    """Escape the characters with a meaning in Markdown, its directives, HTML or TeX."""
    return re.sub(f"({MARKS})", r"\\\1", text)


def plain(text: str) -> str:
    """Return a text without its Markdown; leave a text with a formula as it is."""
    return text if "$" in text else re.sub(rf"\*\*|\\(?={MARKS})", "", text)


def visible(text: str) -> str:
    """Replace an empty text, blanks and control characters with visible signs."""
    if text in SHOWN:
        return SHOWN[text]
    return "".join(
        char if char in BLANKS or char.isprintable() else SHOWN.get(char, f"U+{ord(char):04X}")
        for char in text
    )


def label(text: str) -> str:
    """Escape a text for a chart, whose labels may have tags; dollar signs never begin TeX."""
    return html.escape(visible(text)).replace("$", "&#36;")


def row_names(texts: Sequence[str], last: str = "<eos>") -> list[str]:
    """Name the rows of a decoder's attention, each by the token just read and the one written next.

    `last` is what follows the last one.
    """
    name, written = _("after {read} → {written}"), (*texts[1:], last)
    return [name.format(read=a, written=b) for a, b in zip(texts, written, strict=True)]
