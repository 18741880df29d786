"""The component that draws charts: each drawn alone from its description in Plotly's words."""

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from app.book.assets import program
from app.charts.bars import Part, block_bars, distribution_bars
from app.charts.heatmap import attention_heatmap
from app.charts.parts import cells, colour_bar, marks
from app.charts.theme import axis, layout, palette
from app.components.chart import payload
from app.views.walk.add_norm.charts import normalising
from app.views.walk.output.charts import logit_histogram

DRAW = """(data) => {
  document.body.innerHTML = '<div style="width:640px"></div>';
  const parentElement = document.body.firstChild.attachShadow({ mode: "open" });
  parentElement.innerHTML = '<div class="root"></div>';
  window.sent = [];
  const setTriggerValue = (_, value) => window.sent.push(value);
  shared_mount.mount({ parentElement, data, setTriggerValue }, "chart");
}"""
PICTURE = "document.body.firstChild.shadowRoot.querySelector('svg')"
PARTS = """(picture) => [...picture.querySelectorAll("*")].map(
  (e) => ({ tag: e.localName, text: e.localName === "text" ? e.textContent : "",
    ...Object.fromEntries([...e.attributes].map((a) => [a.name, a.value])) }))"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_context().new_page()
    page.set_content("<!doctype html><html lang='en'><body></body></html>")
    page.add_script_tag(content=program())
    yield page
    page.context.close()


def draw(page: Page, figure: dict[str, Any], chooses: bool = False) -> list[dict[str, str]]:
    """Draw a figure, and return its picture's elements with their attributes."""
    fixed = json.loads(json.dumps(payload(figure, "a chart", chooses)))
    data = {"fixed": fixed, "chosen": None, "palette": palette(), "language": "en"}
    page.evaluate(DRAW, data)
    picture = page.wait_for_function(PICTURE)
    parts: list[dict[str, str]] = page.evaluate(PARTS, picture)
    for part in parts:
        assert not re.search("Infinity|NaN|undefined", str(part | {"text": ""})), part
    return parts


def bars_of(parts: list[dict[str, str]], colour: str) -> list[dict[str, float]]:
    found = [part for part in parts if part["tag"] == "rect" and part.get("fill") == colour]
    return [{name: float(part[name]) for name in ("x", "y", "width", "height")} for part in found]


RESIDUAL = "#626A78"
INPUT = "#1B7A3D"


def test_bars_stand_on_the_lower_end_of_a_logarithmic_axis(page: Page) -> None:
    """Their foot was at -Infinity, so the histogram of logits came out without a bar."""
    logits = np.array([0.0] * 1000 + [1.0] * 10 + [2.0])
    parts = draw(page, logit_histogram(logits, {"word": 2.0}))
    high, middle, low = bars_of(parts, RESIDUAL)
    assert high["y"] + high["height"] == pytest.approx(low["y"] + low["height"])
    decade = middle["height"] - low["height"]
    assert high["height"] - low["height"] == pytest.approx(3 * decade, rel=1e-3)
    (way,) = [part for part in parts if part.get("stroke") == "#BD2877"]
    one = low["y"]  # the top of a bar of 1, which is 0 in powers of ten
    tip = re.findall(r"[-\d.]+", way["d"].split("M")[2])[1]
    assert float(tip) == pytest.approx(one, abs=0.1)


def test_stacked_bars_stand_on_each_other(page: Page) -> None:
    """They covered each other, and the axis reached no further than the longest part."""
    parts = [Part("one", "input", "", [100, 300]), Part("two", "residual", "", [200, 50])]
    drawn = draw(page, block_bars(["a", "b"], parts, value_title="count"))
    ones, twos = bars_of(drawn, INPUT), bars_of(drawn, RESIDUAL)
    for one, two in zip(ones, twos, strict=True):
        assert two["x"] == pytest.approx(one["x"] + one["width"])
    assert ones[0]["width"] == pytest.approx(twos[0]["width"] / 2)
    assert twos[1]["x"] + twos[1]["width"] < 640


def test_patterns_tell_bars_apart(page: Page) -> None:
    """As on the page: without its pattern, a part has the colour of another one."""
    parts = [Part("one", "residual", "/", [1]), Part("two", "residual", "x", [2])]
    drawn = draw(page, block_bars(["a"], parts, value_title="count"))
    tiles = [f"url(#{part['id']})" for part in drawn if part["tag"] == "pattern"]
    assert len(tiles) == 2
    for tile in tiles:
        assert bars_of(drawn, tile)


def test_a_mean_has_its_deviation_on_both_sides(page: Page) -> None:
    values = np.array([-3.0, -1.0, 1.0, 3.0])
    drawn = draw(page, normalising({"one": values}))
    (bar,) = [part for part in drawn if part["tag"] == "path" and part.get("stroke-width") == "2"]
    left, _y, right = map(float, re.findall(r"[-\d.]+", bar["d"])[:3])
    ticks = next(part["d"] for part in drawn if part.get("opacity") == "0.55")
    first, *_between, last = [float(x) for x in re.findall(r"M ([-\d.]+),", ticks)]
    deviation = float(values.std()) * (last - first) / 6
    assert (right - left) / 2 == pytest.approx(deviation, abs=0.1)
    assert (right + left) / 2 == pytest.approx((last + first) / 2, abs=0.1)


def labels(parts: list[dict[str, str]]) -> list[str]:
    return [part["text"] for part in parts if part["tag"] == "text"]


@pytest.mark.parametrize(
    ("axis_", "ends", "shown"),
    [
        ({}, [0, 2.5], ["0", "0,5", "1", "1,5", "2", "2,5"]),
        ({}, [-8000, 0], ["−8000", "−6000", "−4000", "−2000", "0"]),
        ({}, [0, 50_000], ["0", "1×104", "2×104", "3×104", "4×104", "5×104"]),
        ({"tickformat": "d"}, [0, 20_000], ["0", "5000", "10 000", "15 000", "20 000"]),
        ({"tickformat": ".6~g"}, [1, 1.4], ["1", "1,1", "1,2", "1,3", "1,4"]),
        ({"tickvals": [0, 1], "ticktext": ["no", "yes"]}, [0, 1], ["no", "yes"]),
        ({"type": "log"}, [-2, 2], ["10−2", "10−1", "1", "10", "102"]),
        ({"type": "log", "dtick": 2}, [-4, 2], ["10−4", "10−2", "1", "102"]),
    ],
    ids=str,
)
def test_numbers_at_an_axis_are_written_as_in_the_app(
    page: Page, axis_: dict[str, Any], ends: list[float], shown: list[str]
) -> None:
    """They were written in the browser's own way, and a chart's formats were ignored."""
    own = layout("", 300) | {
        "separators": ", ",
        "xaxis": axis(range=ends, **{"nticks": 5, **axis_}),
    }
    own["yaxis"] = axis(range=[0, 1], showticklabels=False)
    trace = {"type": "scatter", "mode": "lines", "x": [1, 2], "y": [0, 1]}
    assert labels(draw(page, {"data": [trace], "layout": own})) == shown


def test_a_colour_bar_has_the_texts_of_its_places(page: Page) -> None:
    bar = colour_bar(tickvals=[-1, 0, 1], ticktext=["−one", "0", "+one"])
    trace = cells([[0, 1], [-1, 0]], "signed", colorbar=bar)
    own = layout("", 300)
    own |= {"xaxis": axis(showticklabels=False), "yaxis": axis(showticklabels=False)}
    assert labels(draw(page, {"data": [trace], "layout": own})) == ["−one", "0", "+one"]
    trace["colorbar"] = colour_bar(tickvals=[0.125], tickformat=".2~r")
    own["separators"] = ", "
    assert labels(draw(page, {"data": [trace], "layout": own})) == ["0,13"]


def test_cells_stand_where_their_first_and_their_step_say(page: Page) -> None:
    trace = cells([[0, 1], [1, 0]], "weights", x0=10, dx=2, y0=0, dy=-1)
    own = layout("", 300) | {"xaxis": axis(tickvals=[10, 12]), "yaxis": axis(tickvals=[-1, 0])}
    drawn = draw(page, {"data": [trace], "layout": own})
    squares = [p for p in drawn if p["tag"] == "rect" and p.get("fill", "").startswith("rgb(")]
    assert len({square["x"] for square in squares}) == len({s["y"] for s in squares}) == 2
    texts_ = [part for part in drawn if part["tag"] == "text" and part["text"] in ("10", "12")]
    assert len(texts_) == 2


def test_bars_are_as_long_as_their_figure_says(page: Page) -> None:
    """Each from the same foot, in its row, and as long as its number."""
    values = np.array([0.5, 0.3, 0.15, 0.05])
    figure = distribution_bars(values, list("abcd"), "residual", value_title="weight")
    drawn = bars_of(draw(page, figure), RESIDUAL)
    widths = np.array([bar["width"] for bar in drawn])
    assert widths / widths.sum() == pytest.approx(values, abs=1e-4)
    assert len({bar["x"] for bar in drawn}) == 1
    assert [bar["y"] for bar in drawn] == sorted(bar["y"] for bar in drawn)


HEATMAP = attention_heatmap(
    np.array([[0.25, 0.75]]), ["<b>"], ["$x$", "y"], query_title="query", key_title="key"
)
BARS = distribution_bars(np.array([0.5, 0.123456]), ["a", "<b>"], "key", "weight", marked=1)
CURVE = {"data": [marks([1, 2], [0.5, None], "red", "circle", 5)], "layout": layout("", 100)}
TICKS = {"tickvals": [0], "ticktext": ["Self-<br>attention<br>here"]}
BROKEN = {"data": [marks([0], [1], "red", "circle", 5)], "layout": {"xaxis": TICKS}}
# Only the first point of a line has its name.
FIRST = {"text": ["a"], "hovertemplate": "%{text} %{x}"}
NAMED = {"data": [marks([1, 2], [3, 4], "red", "circle", 5) | FIRST], "layout": {}}


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        (NAMED, ["a 1", "2"]),
        (HEATMAP, ["<b> → $x$: 0.2500", "<b> → y: 0.7500"]),
        (BARS, ["a: 0.5", "<b>: 0.123456"]),
        (CURVE, ["(1, 0.5)"]),
        (BROKEN, ["(Self-attention here, 1)"]),
    ],
)
def test_each_point_is_read_by_keys_and_under_the_pointer(
    page: Page, figure: dict[str, Any], said: list[str]
) -> None:
    draw(page, figure)
    frame, words = page.get_by_role("application", name="a chart"), page.locator(".words")
    frame.focus()
    expect(words).to_have_text(said[0])
    for text in said[1:]:
        page.keyboard.press("ArrowRight")
        expect(words).to_have_text(text)
    page.keyboard.press("Home")
    expect(words).to_have_text(said[0])
    frame.blur()
    expect(words).to_have_text("")
    frame.hover(position={"x": 630, "y": 50})
    expect(words).to_have_text(re.compile(".+"))


def test_a_point_is_chosen_by_a_click_and_by_enter(page: Page) -> None:
    """Where the pointer is, or the keys went; a chart in which nothing is chosen sends nothing."""
    points = marks([0, 1], [0, 1], "red", "circle", 9)
    own = layout("", 200) | {"xaxis": axis(range=[-0.5, 1.5]), "yaxis": axis(range=[-0.5, 1.5])}
    for chooses, sent in ((False, []), (True, [{"trace": 0, "at": 1}, {"trace": 0, "at": 0}])):
        draw(page, {"data": [points], "layout": own}, chooses)
        frame = page.get_by_role("application", name="a chart")
        frame.click(position={"x": 500, "y": 40})
        page.keyboard.press("Home")
        page.keyboard.press("Enter")
        assert page.evaluate("window.sent") == sent


@pytest.mark.parametrize("across", [[-0.5, 49.5], [49.5, -0.5]])
@pytest.mark.parametrize("up", [[-0.5, 39.5], [39.5, -0.5]])
def test_many_cells_are_one_image_the_right_way_round(
    page: Page, across: list[float], up: list[float]
) -> None:
    """An axis that goes down or back mirrors it; each cell can be pointed at."""
    z = [[0.0] * 50 for _ in range(40)]
    z[0][0] = 1.0
    own = layout("", 300) | {"xaxis": axis(range=across), "yaxis": axis(range=up)}
    trace = cells(z, "weights", hovertemplate="%{x}, %{y}: %{z}")
    (image,) = [p for p in draw(page, {"data": [trace], "layout": own}) if "href" in p]
    x, y, *signs = map(float, re.findall(r"-?[\d.]+", image["transform"]))
    assert signs == [1 if across[0] < 0 else -1, -1 if up[0] < 0 else 1]
    x, y = x + 3 * signs[0], y + 3 * signs[1]  # within the first cell
    page.get_by_role("application").hover(position={"x": x, "y": y})
    expect(page.locator(".words")).to_have_text("0, 0: 1")
