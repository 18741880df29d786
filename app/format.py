"""How numbers and texts are written: as the page's language does, in per cent, as TeX, escaped."""

import html
import re
from collections.abc import Callable, Iterable
from typing import Final

from app.i18n import _, decimal_mark

BLANKS: Final = " \u00a0\u202f"  # between words; the last two keep a line together
# Signs for what cannot be seen.
SHOWN: Final = {"": "∅", "\n": "↵", "\r": "↵", "\t": "⇥", **dict.fromkeys(BLANKS, "␣")}
TRUE: Final = 6  # digits of a float32 that hold, wherever they begin
# What Markdown, its directives, HTML and TeX read in a text.
MARKS: Final = r"[\\`*_{}\[\]()<>#+!|~$:.-]"
RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def localized(text: str) -> str:
    """Write a formatted number with the language's decimal mark, a true minus, a power of ten."""
    text = re.sub(r"e([-+]\d+)$", lambda found: f"·10{str(int(found[1])).translate(RAISED)}", text)
    return text.replace("-", "−").replace("inf", "∞").replace(".", decimal_mark())


def number(x: float, digits: int = 2) -> str:
    """Write a number with a fixed count of decimals, as number.js does, or fewer if it is large.

    What would look like 0 has its first digit, as 0.003 or 1·10⁻⁷; 0 itself is 0.
    """
    if abs(x) >= 10**TRUE:
        return short(x, TRUE)
    whole = len(f"{abs(x):.0f}")
    text = f"{x:.{min(digits, max(0, TRUE - whole))}f}"
    return localized(text) if float(text) else short(x, 1)


def signed(x: float, digits: int = 2) -> str:
    """Write a number with its sign, also a plus."""
    return f"+{number(x, digits)}" if x > 0 else number(x, digits)


def share(x: float, digits: int = 2) -> str:
    """Write a share of 1, such as a weight; only 1 itself is written as 1."""
    almost = x < 1 <= float(f"{x:.{digits}f}")
    return localized(f">{1 - 10**-digits:.{digits}f}") if almost else number(x, digits)


def in_cell(x: float, digits: int = 2, write: Callable[[float, int], str] = share) -> str:
    """Write a number where there is no room for more: ≈0 where it would look like 0."""
    return write(x, digits) if x == 0 or float(f"{x:.{digits}f}") else "≈0"


def short(x: float, digits: int = 4) -> str:
    """Write a number with so many significant digits; a whole one with all of its digits."""
    form = ".0f" if abs(x) < 1e6 and x == round(x) else f".{digits}g"
    return localized(f"{x + 0.0:{form}}")  # + 0.0: minus nothing is nothing


def power(x: float, digits: int = 1) -> str:
    """Write a number, such as a difference that is rounding, as a power of ten; 0 itself as 0."""
    return localized(f"{x:.{digits}e}") if x else "0"


def grouped(n: int, gap: str = "\u202f") -> str:
    """Write a whole number in groups of three, as all three languages read it.

    In a chart's labels, which show what cannot be seen, the gap is to be a plain blank.
    """
    return f"{n:,}".replace(",", gap)


def percent(part: float) -> str:
    """Write a share of 0 to 1 in per cent with one decimal, so that parts add up."""
    almost = part < 1 <= float(f"{part:.3f}")
    return f"{localized('>99.9') if almost else number(100 * part, 1)} %"


def probability(p: float) -> str:
    """Write a probability with three decimals."""
    return share(p, 3)


def listed(numbers: Iterable[str]) -> str:
    """Join numbers, with semicolons where a comma stands before their decimals."""
    return ("; " if decimal_mark() == "," else ", ").join(numbers)


def tex(formula: str) -> str:
    """Write a formula's decimals as the language does, in braces: TeX takes bare commas for a list.

    The commas of a subscript are none.
    """
    mark = decimal_mark()
    if mark == ".":
        return formula
    decimals = re.compile(r"_\{[^{}]*\}|(?<=\d)[.,](?=\d)")
    return decimals.sub(lambda found: found[0] if found[0][0] == "_" else f"{{{mark}}}", formula)


def maths(text: str) -> str:
    """Set the names of dimensions and matrices in a text as TeX, for Markdown."""
    text = text.replace("√d_k", r"$\sqrt{d_k}$").replace("√d_model", r"$\sqrt{d_{model}}$")
    return re.sub(r"(?<![$\w{\\])([dWb])_(model|[kQKVO])\b", r"$\1_{\2}$", text)


def quoted(text: str) -> str:
    """Put a word between the quotation marks of the page's language."""
    return _("“{word}”").format(word=text)


def escape(text: str) -> str:
    """Escape what Markdown, its directives, HTML and TeX would read in a text."""
    return re.sub(f"({MARKS})", r"\\\1", text)


def plain(text: str) -> str:
    """Return a text without what Markdown reads in it; one with a formula stays as it is."""
    return text if "$" in text else re.sub(rf"\*\*|\\(?={MARKS})", "", text)


def visible(text: str) -> str:
    """Replace what cannot be seen (nothing, blanks, control characters) by a sign for it."""
    if text in SHOWN:
        return SHOWN[text]
    return "".join(
        char if char in BLANKS or char.isprintable() else SHOWN.get(char, f"U+{ord(char):04X}")
        for char in text
    )


def label(text: str) -> str:
    """Escape a text for Plotly, which reads HTML and, between dollar signs, TeX."""
    return html.escape(visible(text)).replace("$", "&#36;")
