"""The numbers of a picture as CSV, which a spreadsheet opens without computing anything."""

from __future__ import annotations

import csv
import io

from streamlit.testing.v1 import AppTest

from app.ui.table import to_csv

FORMULAS = [
    "=1+1", "+1+1",
    "-2+3", "@SUM(A1)", '=HYPERLINK("http://x","y")', "=cmd|' /C calc'!A0", "-", "+",
    "=", "@", "\t=1", "\r=1", " =1", "\n-x", "-1 apples", "＝1+1",
]  # fmt: skip


def test_a_word_never_becomes_a_formula() -> None:
    """A sentence such as “=HYPERLINK(…)” was written as it is, and a spreadsheet that opened the
    table computed it: in a title as in a cell.
    """
    for text in FORMULAS:
        title, cell = csv.reader(io.StringIO(to_csv({text: [text]}), newline=""))
        assert title == cell == [f"'{text}"]


def test_numbers_and_words_stay_as_they_are() -> None:
    for text in ("-0.25", "+3", "-1e-07", "1 =", "−0,5", "a-b", "", "0x2D"):
        (_, cell) = csv.reader(io.StringIO(to_csv({"word": [text]}) or "\n", newline=""))
        assert cell == ([text] if text else [""])
    assert to_csv({"x": [-1 / 3]}) == f"x\r\n{-1 / 3!r}\r\n"


def test_a_table_may_have_no_rows() -> None:
    """Where no head had a role, the list of the atlas took the page with it."""

    def draw() -> None:
        from app.ui.table import table

        table({"head": [], "share": []}, "none")

    assert not AppTest.from_function(draw).run().exception
