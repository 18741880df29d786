"""Formulas in TeX as MathML, which browsers draw without a script."""

import html
import re
from functools import lru_cache
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element

# What the library does not know, and a decimal comma, which is a part of its number.
REPLACED: Final = (
    (re.compile(r"\{aligned\}"), "{split}"),
    (re.compile(r"\\[lr]Vert\b"), "‖"),
    (re.compile(r"\\arg\b"), r"\\operatorname{arg}"),
    (re.compile(r"\\(sum|prod|max|min)(?=_)"), r"\\\1\\limits"),
    (re.compile(r"(\d+)\{,\}(\d+)"), r"\\text{\1,\2}"),
)
OPENING: Final = frozenset("([{=+−⋅×,")  # after them, a minus is the sign of a number


@lru_cache(10_000)
def mathml(latex: str, display: bool) -> str:
    """Return a formula as MathML, in which all texts are escaped."""
    tex = latex
    for pattern, instead in REPLACED:
        tex = pattern.sub(instead, tex)
    math = convert_to_element(tex, display="block" if display else "inline")
    for element in math.iter():
        element.text = element.text and html.unescape(element.text)
    for element in math.iter():
        _mark_signs(element)
    math.set("role", "math")
    math.set("aria-label", latex)
    return tostring(math, encoding="unicode")


def _mark_signs(row: Element) -> None:
    """A minus after an opening bracket or another operator has no room on its right."""
    for before, sign in pairwise(row):
        if sign.text == "−" and before.tag == "mo" and before.text in OPENING:
            sign.set("form", "prefix")
