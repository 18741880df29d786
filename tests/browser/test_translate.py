"""The page Translate as a visitor meets it, in a real browser."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open, settle

TOO_WIDE: Final = "element => element.scrollWidth - element.clientWidth"
SENTENCES = ("nunca es tarde", "donde hay fuego")


def box(page: Page):
    return page.locator(".stTextInput input")


def chips(page: Page, side: str = "source"):
    return page.locator(f".st-key-chips-{side}")


def matrix(page: Page):
    return page.locator(".st-key-matrix")


def expect_words(page: Page, sentence: str) -> None:
    glued = r"[\s␣]*".join(re.escape(char) for char in sentence.replace(" ", ""))
    expect(chips(page)).to_have_text(re.compile(glued))


def test_a_sentence_is_typed(open_page: Open) -> None:
    """A ready example, an example and back, fast typing, and texts that would be HTML."""
    page = open_page("translate")
    expect(page.get_by_test_id("translation")).not_to_be_empty()
    expect(matrix(page)).to_be_visible()
    expect(page.locator("[class*=st-key-chart-] svg").first).to_be_visible()
    page.get_by_role("button", name="Examples").click()
    page.get_by_text("Qué será, será").click()
    expect(box(page)).to_have_value("Qué será, será")
    page.go_back()
    expect(box(page)).to_have_value("Nunca es tarde para aprender")
    box(page).click()
    page.keyboard.press("Control+a")
    sentence = "donde hay humo hay fuego y nunca es tarde para aprender"
    page.keyboard.type(sentence, delay=60)
    expect_words(page, sentence)
    expect(box(page)).to_have_value(sentence)
    expect(page).to_have_url(re.compile("text=donde"))
    for text in ("fuego fuego", "<script>window.hurt=1</script>", "<img src=x onerror=hurt=1>"):
        box(page).fill(text)
        box(page).press("Enter")
        expect_words(page, text + "<eos>")
        assert page.evaluate("window.hurt") is None
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_address_says_it_all(open_page: Open) -> None:
    page = open_page("translate")
    box(page).fill("hay humo")
    box(page).press("Enter")
    expect(page).to_have_url(re.compile("text=hay"))
    page.get_by_role("radio", name="Lines").click()
    page.get_by_role("radio", name="Encoder", exact=True).click()
    page.get_by_role("radio", name="max").click()
    page.get_by_role("button", name="More").click()
    page.get_by_text("Whole words").click()
    expect(page).to_have_url(re.compile("words=1"))
    query = page.url.split("/")[-1]
    for part in ("view=lines", "kind=encoder", "head=max", "words=1", "text=hay"):
        assert part in query
    other = open_page(query)
    expect(box(other)).to_have_value("hay humo")
    expect(other.locator(".st-key-lines")).to_be_visible()
    expect(other.get_by_role("radio", name="max")).to_be_checked()


def test_a_cell_and_a_token_are_pinned_and_the_table_is_saved(open_page: Open) -> None:
    page = open_page("translate")
    cell = matrix(page).get_by_role("gridcell").nth(1)
    cell.click()
    expect(page).to_have_url(re.compile(r"pin=\d+\.\d+"))
    expect(page.get_by_test_id("pinned")).to_contain_text(re.compile(r"→.*0\.\d{4}", re.DOTALL))
    page.get_by_role("button", name="Unpin").click()
    expect(page).not_to_have_url(re.compile("pin="))
    settle(page)
    chips(page, "target").get_by_role("button").first.click()
    expect(page).to_have_url(re.compile(r"pin=0\.$"))
    expect(page.get_by_test_id("pinned")).to_contain_text("<bos>")
    settle(page)
    page.get_by_role("button", name="Table and picture").press("Enter")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    named = r"translate-attention-encoder-decoder-layer-\d-head-\d-nunca-es-tarde-para-aprender.csv"
    assert re.fullmatch(named, download.value.suggested_filename)
    rows = download.value.path().read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("query ↓ key →,1 ")
    assert all(
        sum(map(float, row.split(",")[-rows[0].count(",") :])) == pytest.approx(1, abs=1e-3)
        for row in rows[1:]
    )


def test_a_head_is_locked_on_the_wall(open_page: Open) -> None:
    """It stood large beside the wall, without numbers, and once more as a matrix below."""
    page = open_page("translate?view=wall")
    page.locator(".st-key-wall").get_by_label(re.compile("layer 1.*head 3")).first.click()
    expect(page).to_have_url(re.compile("head=3"))
    expect(page).to_have_url(re.compile("layer=1"))
    expect(page.get_by_text("Layer 1, head 3")).to_be_visible()
    expect(page.locator(".st-key-wall .thumb.locked")).to_be_visible()
    expect(matrix(page)).to_be_visible()
    expect(page.locator(".st-key-wall .preview")).to_have_count(0)


def test_steps_by_button_key_slider_and_by_themselves(open_page: Open) -> None:
    page = open_page("translate?view=steps&decoding=greedy")
    expect(page.locator(".st-key-written")).to_contain_text("<bos>")
    page.get_by_role("button", name="Later token").click()
    expect(page).to_have_url(re.compile("step=2"))
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=3"))
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("step=2"))
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_have_value("2")  # drawn a moment after the address
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=3"))
    play, pause = (page.get_by_role("button", name=name) for name in ("Play", "Pause"))
    play.click()
    expect(page).to_have_url(re.compile(r"step=([5-9]|\d\d)"))  # a second each: one may be missed
    pause.click()
    expect(play).to_be_visible()
    page.wait_for_timeout(2500)
    assert play.is_visible()
    play.click()
    expect(pause).to_be_visible()
    page.get_by_role("radio", name="Heatmap").click()  # leaving ends it
    expect(matrix(page)).to_be_visible()
    page.wait_for_timeout(2500)
    expect(matrix(page)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_nothing_sticks_out_on_a_phone(open_page: Open) -> None:
    page = open_page("translate", viewport={"width": 390, "height": 900})
    for view in ("Heatmap", "All heads", "Lines", "Step by step", "Beam"):
        page.get_by_role("radio", name=view, exact=True).last.click()
        settle(page)
        page.wait_for_timeout(300)
        page.wait_for_function(f"() => ({TOO_WIDE})(document.querySelector('.stMain')) <= 0")


def test_visitors_never_see_each_others_numbers(open_page: Open) -> None:
    """Visitors type in turns, quicker than the server answers; each gets their own words only."""
    pages = [open_page("translate") for _ in SENTENCES]
    for turn in range(2):
        for page, sentence in zip(pages, SENTENCES, strict=True):
            box(page).fill(" ".join([sentence] * (turn + 1)))
        for page in pages:
            box(page).press("Enter", no_wait_after=True)
        for page, sentence in zip(pages, SENTENCES, strict=True):
            whole = " ".join([sentence] * (turn + 1))
            expect_words(page, whole + "<eos>")
            expect(box(page)).to_have_value(whole)
