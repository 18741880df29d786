"""The teaching pages as visitors meet them who have no mouse, a small screen, or weak eyes."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, FloatRect, Page, expect

from app.registry import HISTORY, WALK, View, of_section
from tests.browser.accessibility import complaints, faint, nameless
from tests.browser.conftest import WIDER, Open, box_of, settle

WAYS: Final = {section: of_section(section) for section in (WALK, HISTORY)}
PARTS: Final = [
    *(pytest.param(way[3:4], id=f"one of {name}") for name, way in WAYS.items()),
    *(pytest.param(way, id=name, marks=pytest.mark.slow) for name, way in WAYS.items()),
]
WIDE, NARROW, HIGH = 1440, 390, 8000
Complaints = dict[str, list[str]]
Look = tuple[int, Literal["light", "dark"]]


def arrive(page: Page, view: View) -> None:
    """Wait until a chapter is there, down to its task, and say that nothing went wrong."""
    expect(page.locator("h1")).to_have_text(view.title)
    expect(page.locator(".st-key-task")).to_be_visible()
    settle(page)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)


def walk_through(page: Page, chapters: Sequence[View]) -> Iterator[View]:
    """Go from the first of these chapters, which is open, to each that follows, by right arrow."""
    errors: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(message.text)

    # Opening a chapter's own address makes Streamlit look for its server in two wrong places
    # first, which the browser logs; the way from there does not.
    arrive(page, chapters[0])
    page.on("console", listen)
    for view, after in zip_longest(chapters, chapters[1:]):
        arrive(page, view)
        yield view
        if after is not None:
            page.keyboard.press("ArrowRight")
    assert not errors


@pytest.mark.parametrize("chapters", PARTS)
def test_all_screens_of_chapters(open_page: Open, chapters: Sequence[View]) -> None:
    """Drawn all on one page, by keyboard alone, for who sees weakly or has a narrow screen."""
    # So high that all of a page is in sight: axe leaves out the colours of what is not, and
    # takes those in the middle of a fade for weak ones. Drawn at half the resolution, it is laid
    # out the same.
    look = {"device_scale_factor": 0.5, "reduced_motion": "reduce"}
    page = open_page(f"{chapters[0].slug}?all=1", viewport={"width": WIDE, "height": HIGH}, **look)
    looks: list[Look] = [(WIDE, "light"), (WIDE, "dark"), (NARROW, "dark")]
    wrong: Complaints = {}
    for view in walk_through(page, chapters):
        assert page.url.split("?")[0].endswith(f"/{view.slug}")
        found = nameless(page) + troubles(page)
        for width, scheme in looks[1:]:
            page.set_viewport_size({"width": width, "height": HIGH})
            page.emulate_media(color_scheme=scheme)
            settle(page)
            page.wait_for_timeout(500)  # charts are drawn again
            found += troubles(page)
        if found:
            wrong[view.slug] = found
        looks.reverse()  # the next page comes in the look of this one's end
    assert not wrong
    page.close()


def troubles(page: Page) -> list[str]:
    """What is wrong in the look that a page has: it scrolls sideways, or, if wide, texts are faint.

    Colours are the same in a narrow window. What is gone a little later was none.
    """
    assert page.viewport_size is not None
    is_wide = page.viewport_size["width"] == WIDE
    found: list[str] = []
    for wait in (0, 3000, 6000):  # a large page follows late
        page.wait_for_timeout(wait)
        found = ["scrolls sideways"] if page.evaluate(WIDER) else []
        found += faint(page) if is_wide else []
        if not found:
            break
    return found


RINGS = "frame => frame.querySelectorAll('canvas')[1].toDataURL()"


def test_any_number_is_opened_and_left_by_keyboard(open_page: Open) -> None:
    """A source that one looks at lights up on its board, and a cell among the sources."""
    page = open_page("self_attention?part=score&word=1&ask=encoder.0.self_attn.scores@0.1.0")
    source = page.locator(".st-key-ask-open .source").first
    expect(source).to_be_visible()
    query = page.get_by_role("application").first
    rings = query.evaluate(RINGS)
    source.focus()
    assert query.evaluate(RINGS) != rings
    query.focus()
    page.keyboard.press("Home")
    for _ in range(64):
        if source.get_attribute("class") == "source lit":
            break
        page.keyboard.press("ArrowRight")
    expect(source).to_have_class("source lit")
    query.blur()
    expect(source).to_have_class("source")
    assert query.evaluate(RINGS) == rings
    page.locator(".st-key-ask-open").get_by_role("button", name="Close").press("Enter")
    expect(page.locator(".st-key-ask-open")).to_have_count(0)
    query.focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    opened = page.locator(".st-key-ask-open")
    way = opened.get_by_role("navigation", name="The way to this number")
    expect(way.get_by_role("listitem")).to_have_count(1)
    number = opened.get_by_test_id("asked").text_content() or ""
    sources = opened.locator(".source")
    sources.first.press("Enter")
    expect(way.get_by_role("listitem")).to_have_count(2)
    expect(opened.get_by_test_id("asked")).not_to_have_text(number)
    expect(sources.first).to_be_focused()
    expect(way.locator("[aria-current]")).to_have_count(1)
    way.get_by_role("button").first.press("Enter")
    expect(opened.get_by_test_id("asked")).to_have_text(number)
    opened.get_by_role("button", name="Close").press("Enter")
    expect(opened).to_have_count(0)


def test_boards_line_up_on_their_cells(open_page: Open, own_page: Page, own_models: str) -> None:
    """Words above the columns, or a scale below, once pushed the rows of a board off its equals.

    Where a board breaks into lines, its operators have a column of their own.
    """
    room = {"width": 1920, "height": 1080}  # for all in one line
    page = open_page("self_attention?part=z&text=hola", viewport=room)
    *_, weights, v, z = boxes(page, ".stack", 6)
    assert weights["y"] == pytest.approx(v["y"], abs=1)
    assert v["y"] == z["y"]
    assert weights["height"] == pytest.approx(v["height"], abs=1)
    *_, times, equals = boxes(page, ".op", 5)
    for operator in (times, equals):
        middle = weights["y"] + weights["height"] / 2
        assert operator["y"] + operator["height"] / 2 == pytest.approx(middle, abs=1.5)
    for wide, lefts in ((1000, 2), (390, 1)):
        own_page.set_viewport_size({"width": wide, "height": 900})
        own_page.goto(f"{own_models}/self_attention?part=score")
        q, k, scores, _scaled = boxes(own_page, ".array", 4)
        dot, _equals, _divided = boxes(own_page, ".op", 3)
        assert q["x"] == k["x"]
        assert len({q["x"], k["x"], scores["x"]}) == lefts
        assert dot["x"] + dot["width"] < k["x"]


def boxes(page: Page, parts: str, count: int) -> list[FloatRect]:
    """Where these parts of the page's first board are at one moment: it may still find its size."""
    found = page.locator(".board").first.locator(parts)
    expect(found).to_have_count(count)
    settle(page)
    rects: list[FloatRect] = found.evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    return rects


# How wide the page's first board is, and whether the panel scrolls, or a formula in it does.
ASKED = """() => {
    const scrolls = (it) => it.scrollHeight > it.clientHeight + 1
        || it.scrollWidth > it.clientWidth + 1;
    const panel = document.querySelector('.st-key-ask-open');
    const formulas = [...panel?.querySelectorAll('.katex-display') ?? []];
    return {
        drawn: document.querySelector('.st-key-drawn').clientWidth,
        panel: panel?.getBoundingClientRect().left,
        scrolls: [panel, ...formulas].filter((it) => it && scrolls(it)).length,
        bottom: formulas.at(-1)?.getBoundingClientRect().bottom,
    };
}"""


def test_a_number_opens_beside_the_picture_when_it_is_asked_for(open_page: Open) -> None:
    """A panel that was the same through a whole chapter took a third of each screen."""
    page = open_page("self_attention?part=score", viewport={"width": 1440, "height": 900})
    frame = page.get_by_role("application").last
    expect(frame).to_be_visible()
    expect(page.get_by_text("A click or Enter opens its calculation.")).to_have_count(1)
    before = page.evaluate(ASKED)
    assert before["panel"] is None
    frame.locator(".stack").click()
    panel = page.locator(".st-key-ask-open")
    expect(panel.locator(".katex-display").last).to_be_visible()
    settle(page)
    asked = page.evaluate(ASKED)
    assert asked["drawn"] < before["drawn"] * 0.7
    assert asked["panel"] > 280 + asked["drawn"]
    assert asked["scrolls"] == 0
    assert asked["bottom"] < 900
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_have_count(0)
    settle(page)
    assert page.evaluate(ASKED) == before
    expect(frame).to_be_focused()


# Where the first board's cells are, and how much larger than its own pixels it is drawn.
PLACE = """(stack) => {
    const box = stack.getBoundingClientRect();
    return [box.left, box.width, box.top + box.height / 2, box.width / stack.offsetWidth];
}"""


def test_the_pointer_is_at_its_cell_which_is_large_in_front_of_a_class(open_page: Open) -> None:
    """What is drawn larger took the pointer for farther to the right and below than it was."""
    page = open_page("self_attention?part=score", viewport={"width": 1440, "height": 900})
    stack = page.locator(".st-key-drawn .stack").first
    expect(stack).to_be_visible()
    page.locator("h1").click()
    page.keyboard.press("p")
    page.wait_for_function("() => document.documentElement.classList.contains('presenting')")
    page.wait_for_timeout(500)  # the screen finds its size
    left, width, y, zoom = stack.evaluate(PLACE)
    assert zoom > 1
    label = stack.locator("xpath=ancestor::*[@role='application']").get_attribute("aria-label")
    d_k = int(re.findall(r"\d+", label or "")[0])
    middle = d_k // 2 + 1
    page.mouse.move(left + width * (middle - 0.5) / d_k, y)
    expect(page.locator(".st-key-drawn .readout").first).to_contain_text(f"number {middle} =")
    lens = page.locator(".lens")
    expect(lens).to_be_visible()
    expect(lens).to_have_text(re.compile(r"= .?\d+\.\d+"))
    page.mouse.move(2, 2)
    expect(lens).not_to_be_visible()


# For each page a screen, and a number that came from as many others as any there.
OPENED = {
    "add_norm?part=norm": "encoder.0.add_norm_1.norm@1.0",
    "output?part=linear": "logits@1.5",
}


@pytest.mark.parametrize(("screen", "ask"), OPENED.items())
def test_where_a_number_comes_from_is_in_sight(open_page: Open, screen: str, ask: str) -> None:
    """Formula and vectors stood before it: one had to scroll to go on."""
    page = open_page(f"{screen}&ask={ask}", viewport={"width": 1440, "height": 900})
    sources = page.locator(".st-key-ask-open .source")
    expect(sources.last).to_be_visible()
    last = box_of(sources.last)
    assert last["y"] + last["height"] < 900


def test_a_figures_menu_is_one_line_and_keeps_its_picture(open_page: Open) -> None:
    """Pictures had no name, no caption and, as PNG, another font than the page.

    The menu was another one below a chart, a board and the heatmap, and pushed the page away.
    """
    page = open_page("self_attention?part=score&head=2&text=hola", reduced_motion="reduce")
    menu = page.get_by_role("button", name="Table and picture").first
    expect(menu).to_be_visible()
    assert box_of(menu)["height"] < 30
    menu.press("Enter")
    opened = page.get_by_role("dialog", name="Table and picture")
    expect(opened.get_by_test_id("stDataFrame").first).to_be_visible()
    for kind in ("PNG", "SVG"):
        with page.expect_download() as saved:
            opened.get_by_role("button", name=f"Save as {kind}").press("Enter")
        name = f"self-attention-encoder-attention-2-layer-1-head-2-hola.{kind.lower()}"
        assert saved.value.suggested_filename == name
    picture = saved.value.path().read_text(encoding="utf-8")
    for part in ("“hola” · layer 1 · head 2", "data:font/woff2", 'fill="#FFFFFF"'):
        assert part in picture
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)


def test_a_thumbnail_opens_larger_and_shuts_again(open_page: Open) -> None:
    """A large matrix (256 × 256) was as small as its place in the equation."""
    page = open_page("heads?part=out&text=hola")
    opener = page.get_by_role("button", name="Open W_O larger")
    expect(page.get_by_role("application").first).to_be_visible()
    small = box_of(page.get_by_role("application", name="W_O, 32 × 32"))
    opener.press("Enter")
    large = page.get_by_role("dialog", name="W_O")
    frame = large.get_by_role("application")
    expect(frame).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(large.locator(".readout")).to_contain_text("W_O · row 1 · column 2 =")
    size = box_of(frame)
    assert size["width"] * size["height"] > 2 * small["width"] * small["height"]
    page.keyboard.press("Escape")
    expect(large).to_have_count(0)
    expect(opener).to_be_focused()


def test_faint_text_and_nameless_buttons_are_found(browser: Browser) -> None:
    """Of all texts of one look, one is measured: the look is that of the ground too."""
    page = browser.new_context().new_page()
    page.set_content(
        """<div class="stMain" style="background: white; color: #111">
        <p>clear</p> <p>clear</p> <p style="background: #333">dark on dark</p>
        <div style="opacity: 0.3"><p>faded</p></div> <p style="color: #ccc">light on light</p>
        <button></button> <div id="host"></div></div>"""
    )
    page.evaluate(
        """() => document.getElementById('host').attachShadow({ mode: 'open' })
            .append(Object.assign(document.createElement('p'),
                { textContent: 'in a component', style: 'color: #eee' }))"""
    )
    found = complaints(page)
    assert len(found) == 5
    for text in ("button-name", "dark on dark", "faded", "light on light", "in a component"):
        assert any(text in complaint for complaint in found), text
    page.context.close()


def test_arrow_keys_have_one_meaning_at_a_time(open_page: Open) -> None:
    """In a board, →→→ moved the step of decoding, and outside of it step and screen at once."""
    page = open_page("decoding?part=back&step=2")
    board = page.get_by_role("application").first
    expect(board).to_be_visible()
    board.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(1000)
    expect(board).to_be_focused()
    assert "part=back" in page.url
    assert "step=2" in page.url
    scrubber = page.get_by_role("slider", name="Step")
    scrubber.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=3*")
    assert "part=back" in page.url
    scrubber.blur()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**part=ways*")
    assert "step=3" in page.url
