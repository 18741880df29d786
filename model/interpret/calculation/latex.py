"""Numbers, and sums too long to write out, as LaTeX that KaTeX draws."""

import math
from collections.abc import Callable, Sequence

from model.interpret.calculation.cell import Term

# Of a long sum, this many terms are written out, and this many in a row.
FIRST, LARGEST, ROW = 2, 3, 2
TRUE = 6  # digits of a float32 that hold, wherever they begin
# Above this, e^x itself would leave the range of float64.
LARGEST_POWER = 700.0


def number(x: float) -> str:
    """Write a number with four digits after the point, fewer where it is large or small."""
    if math.isnan(x):
        return r"\mathrm{NaN}"
    if math.isinf(x):
        return r"\infty" if x > 0 else r"-\infty"
    if 1 <= abs(x) < 1e5:
        digits = min(4, TRUE - len(str(int(abs(x)))))
        return f"{x:.{digits}f}".rstrip("0").rstrip(".")
    mantissa, _, exponent = f"{x:.4g}".partition("e")
    return rf"{mantissa}\cdot10^{{{int(exponent)}}}" if exponent else mantissa


def signed(x: float) -> str:
    """Write a number as it stands after an operator: a negative one in brackets."""
    return f"({number(x)})" if x < 0 else number(x)


def shown(terms: Sequence[Term]) -> tuple[int, ...]:
    """Return the places of the terms to write out: the first ones and the largest ones."""
    if len(terms) <= FIRST + LARGEST + 1:
        return tuple(range(len(terms)))
    order = sorted(range(FIRST, len(terms)), key=lambda i: -abs(terms[i].product))
    return tuple(sorted((*range(FIRST), *order[:LARGEST])))


def rows(terms: Sequence[Term], write: Callable[[Term], str], last: str = "") -> list[str]:
    """Write the terms `shown`, of the rest the sum over their count, and `last`, in short rows."""
    places = shown(terms)
    parts = [write(terms[i]) for i in places]
    rest = [term.product for i, term in enumerate(terms) if i not in places]
    if rest:
        parts.append(rf"\underbrace{{{signed(sum(rest))}}}_{{\Sigma\,{len(rest)}}}")
    if last:
        parts.append(last)
    pairs = [" + ".join(parts[i : i + ROW]) for i in range(0, len(parts), ROW)]
    return [pairs[0], *(f"{{}} + {pair}" for pair in pairs[1:])]


def stacked(terms: Sequence[Term], write: Callable[[Term], str]) -> str:
    """Write the rows of a sum one below the other, to stand inside of a formula."""
    lines = rows(terms, write)
    return aligned(lines) if len(lines) > 1 else lines[0]


def aligned(lines: Sequence[str]) -> str:
    """Put lines one below the other, so that a long sum fits a narrow screen."""
    inside = r" \\ ".join(f"& {line}" for line in lines)
    return rf"\begin{{aligned}} {inside} \end{{aligned}}"


def product(term: Term) -> str:
    """Write left · right."""
    assert term.right_value is not None, "a product has two factors"
    return rf"{signed(term.left_value)}\cdot {signed(term.right_value)}"
