"""How numbers and texts are written: with a true minus, in per cent, as TeX, escaped."""

import html
import re
from typing import Final

# Signs for what cannot be seen.
SHOWN: Final = {"": "∅", " ": "␣", "\n": "↵", "\r": "↵", "\t": "⇥"}


def minus(text: str) -> str:
    """Write a formatted number with a true minus."""
    return text.replace("-", "−")


def number(x: float, digits: int = 2) -> str:
    """Write a number with a fixed count of decimals.

    What would look like 0 is written as 1e−07, and 0 itself as 0.
    """
    if 0 < abs(x) < 10**-digits / 2:
        return minus(f"{x:.0e}")
    return minus(f"{x:.{digits}f}") if x else "0"


def short(x: float) -> str:
    """Write a number with four significant digits; a whole one with all of its digits."""
    form = ".0f" if abs(x) < 1e6 and x == round(x) else ".4g"
    return minus(f"{x:{form}}")


def grouped(n: int, gap: str = "\u202f") -> str:
    """Write a whole number in groups of three, as all three languages read it.

    In a chart's labels, which show what cannot be seen, the gap is to be a plain blank.
    """
    return f"{n:,}".replace(",", gap)


def percent(share: float) -> str:
    """Write a share of 0 to 1 in per cent with one decimal, so that parts add up."""
    return f"{100 * share:.1f} %" if share >= 0.001 else f"{100 * share:.1g} %"


def probability(p: float) -> str:
    """Write a probability with three decimals, or its size where that would be 0."""
    return f"{p:.3f}" if p >= 0.0005 or p == 0 else minus(f"{p:.0e}")


def maths(text: str) -> str:
    """Set the names of dimensions and matrices in a text as TeX, for Markdown."""
    text = text.replace("√d_k", r"$\sqrt{d_k}$").replace("√d_model", r"$\sqrt{d_{model}}$")
    return re.sub(r"(?<![$\w{\\])([dWb])_(model|[kQKVO])\b", r"$\1_{\2}$", text)


def escape(text: str) -> str:
    """Escape what Markdown, its directives, HTML and TeX would read in a text."""
    return re.sub(r"([\\`*_{}\[\]()<>#+!|~$:.-])", r"\\\1", text)


def visible(text: str) -> str:
    """Replace what cannot be seen (nothing, blanks, control characters) by a sign for it."""
    if text in SHOWN:
        return SHOWN[text]
    return "".join(
        char if char == " " or char.isprintable() else SHOWN.get(char, f"U+{ord(char):04X}")
        for char in text
    )


def label(text: str) -> str:
    """Escape a text for Plotly, which reads HTML and, between dollar signs, TeX."""
    return html.escape(visible(text)).replace("$", "&#36;")
