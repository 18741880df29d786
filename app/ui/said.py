"""What stands inside a sentence: the model's numbers, and the visitor's words."""

from app.charts.theme import visible
from app.data.translation import Token
from app.data.walk import Walk
from app.ui.plain import plain


def number(x: float, digits: int = 2) -> str:
    """Write a number with a true minus; what only looks like 0 as 1e−07, and 0 itself as 0."""
    if 0 < abs(x) < 10**-digits / 2:
        return f"{x:.0e}".replace("-", "−")
    return f"{x:.{digits}f}".replace("-", "−") if x else "0"


def short(x: float) -> str:
    """Write a number with four digits and a true minus; a whole one with all of its digits."""
    form = ".0f" if abs(x) < 1e6 and x == round(x) else ".4g"
    return f"{x:{form}}".replace("-", "−")


def grouped(n: int, gap: str = "\u202f") -> str:
    """Write a whole number in groups of three, as all three languages read it.

    In a chart's labels, which show what cannot be seen, the gap is to be a plain blank.
    """
    return f"{n:,}".replace(",", gap)


def word(token: Token) -> str:
    """Write a token for Markdown."""
    return plain(visible(token.text))


def follows(walk: Walk) -> tuple[Token, ...]:
    """Return the word that comes after each one of the decoder's; after the last, the end token."""
    return (*walk.capture.tgt[1:], walk.token(walk.config.eos_id))
