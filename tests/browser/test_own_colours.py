"""A page in the colours, the size and the language of its reader."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.accessibility import nameless
from tests.browser.conftest import Open, settle

LONG = " ".join(["el viejo gato negro de mi abuela"] * 4)
PAINTED = "element => getComputedStyle(element).backgroundColor"


def painted(element: Locator) -> str:
    """The colour behind an element."""
    return str(element.evaluate(PAINTED))


def test_forced_colours_show_numbers_and_what_is_chosen(open_page: Open) -> None:
    """The heatmap was numbers on white, and no view, layer or head could be seen to be chosen."""
    page = open_page("translate?text=hola amigo")
    page.emulate_media(forced_colors="active")
    for group in page.get_by_role("radiogroup").filter(visible=True).all():
        chosen = painted(group.get_by_role("radio", checked=True))
        others = group.get_by_role("radio", checked=False).all()
        assert chosen not in {painted(other) for other in others}
    cells = page.get_by_role("gridcell").all()
    assert len({painted(cell) for cell in cells}) > 3
    cells[0].click()
    pinned = cells[0].evaluate("element => getComputedStyle(element).outlineStyle")
    assert pinned == "solid"
    page.emulate_media(forced_colors="none")


def test_no_browser_translates_what_the_model_reads_and_writes(open_page: Open) -> None:
    """A browser that translates pages made English of the Spanish tokens."""
    page = open_page("translate?model=es-en&text=hola amigo")
    expect(page.get_by_test_id("translation")).to_have_attribute("translate", "no")
    expect(page.get_by_test_id("translation")).to_have_attribute("lang", "en")
    expect(page.locator(".st-key-sentence input")).to_have_attribute("lang", "es")
    tokens = page.locator(".token")
    assert tokens.count() > 4
    assert all(token.get_attribute("translate") == "no" for token in tokens.all())
    for side, language in (("key", "es"), ("query", "en")):
        head = page.locator(f".head.{side} .token").first
        expect(head).to_have_attribute("lang", language)


def test_a_title_stays_whole_at_twice_its_size(open_page: Open) -> None:
    """At 200 % the title was “Translat” and, below it, “e”."""
    page = open_page("translate", viewport={"width": 640, "height": 400})
    lines = "element => getComputedStyle(element).lineHeight"
    title = page.locator("h1")
    height = float(str(title.evaluate(lines)).removesuffix("px"))
    assert title.evaluate("element => element.clientHeight") < 1.5 * height


def test_a_heatmap_that_goes_on_says_so(open_page: Open) -> None:
    page = open_page(f"translate?text={LONG}", viewport={"width": 390, "height": 800})
    more = page.locator(".more")
    expect(more).to_have_text(re.compile(r"more columns on the right: \d+ →"))
    page.locator(".scroll.frame").first.evaluate("frame => frame.scrollTo(9999, 0)")
    expect(more).to_be_empty()


def test_back_returns_to_the_view_before(open_page: Open) -> None:
    """Where only the view was changed, it left the sentence: all views had one entry."""
    page = open_page("translate?text=hola amigo")
    page.get_by_role("radio", name="All heads").click()
    page.wait_for_url("**view=wall*")
    settle(page)
    page.go_back()
    page.wait_for_url("**/translate?text=hola%20amigo")
    expect(page.get_by_role("radio", name="Heatmap")).to_be_checked()
    expect(page.locator(".st-key-sentence input")).to_have_value("hola amigo")


def test_headings_descend_and_what_has_a_name_has_a_role(open_page: Open) -> None:
    """Start, Training, Atlas, Models and Lessons left out a heading; two uploaders had no role."""
    for slug in ("", "training", "atlas", "models", "lessons", "trace", "cheat_sheet"):
        page = open_page(slug)
        expect(page.locator("[data-testid=stFileUploaderDropzone][role]")).to_have_count(0)
        assert not nameless(page), slug
