"""The page Translate as a visitor meets it, in a real browser."""

import re
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Open
from tests.browser.test_walk import SETTLED

SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("dark", "light")
TOO_WIDE: Final = "element => element.scrollWidth - element.clientWidth"
SENTENCES = ("nunca es tarde", "donde hay fuego", "será para aprender", "humo y fuego")


def box(page: Page):
    return page.locator(".stTextInput input")


def chips(page: Page, side: str = "source"):
    return page.locator(f".st-key-chips-{side}")


def matrix(page: Page):
    return page.locator(".st-key-matrix")


def words(page: Page) -> str:
    """The source as its chips have it, in one piece."""
    return "".join(chips(page).inner_text().split())


def expect_words(page: Page, sentence: str) -> None:
    glued = r"[\s␣]*".join(re.escape(char) for char in sentence.replace(" ", ""))
    expect(chips(page)).to_have_text(re.compile(glued))


def test_a_ready_example_is_there_at_once(open_page: Open) -> None:
    page = open_page("translate")
    expect(page.get_by_test_id("translation")).not_to_be_empty()
    expect(matrix(page)).to_be_visible()
    expect(page.locator(".stPlotlyChart").first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_typing_is_enough(open_page: Open) -> None:
    page = open_page("translate")
    box(page).click()
    page.keyboard.press("Control+a")
    page.keyboard.type("hay fuego")
    expect_words(page, "hay fuego<eos>")
    expect(page).to_have_url(re.compile("text=hay"))
    expect(box(page)).to_have_value("hay fuego")


def test_fast_typing_loses_nothing(open_page: Open) -> None:
    page = open_page("translate")
    box(page).click()
    page.keyboard.press("Control+a")
    sentence = "donde hay humo hay fuego y nunca es tarde para aprender"
    page.keyboard.type(sentence, delay=60)
    expect_words(page, sentence)
    expect(box(page)).to_have_value(sentence)


def test_enter_brings_the_new_heatmap(open_page: Open) -> None:
    page = open_page("translate")
    box(page).fill("fuego fuego")
    box(page).press("Enter")
    expect(matrix(page)).to_contain_text(re.compile("f"))
    expect_words(page, "fuego fuego<eos>")


def test_an_example_and_back(open_page: Open) -> None:
    page = open_page("translate")
    page.get_by_role("button", name="Examples").click()
    page.get_by_text("Qué será, será").click()
    expect(box(page)).to_have_value("Qué será, será")
    page.go_back()
    expect(box(page)).to_have_value("Nunca es tarde para aprender")


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
    other.reload()
    expect(other.get_by_role("radio", name="max")).to_be_checked()


def test_a_cell_is_pinned_and_unpinned(open_page: Open) -> None:
    page = open_page("translate")
    cell = matrix(page).get_by_role("gridcell").nth(1)
    cell.click()
    expect(page).to_have_url(re.compile(r"pin=\d+\.\d+"))
    expect(page.get_by_test_id("pinned")).to_contain_text(re.compile(r"→.*0\.\d{4}", re.DOTALL))
    page.get_by_role("button", name="Unpin").click()
    expect(page).not_to_have_url(re.compile("pin="))


def test_a_token_is_pinned(open_page: Open) -> None:
    page = open_page("translate")
    chips(page, "target").get_by_role("button").first.click()
    expect(page).to_have_url(re.compile(r"pin=0\.$"))
    expect(page.get_by_test_id("pinned")).to_contain_text("<bos>")


def test_a_head_is_locked_on_the_wall(open_page: Open) -> None:
    page = open_page("translate?view=wall")
    page.locator(".st-key-wall").get_by_label(re.compile("layer 1.*head 3")).first.click()
    expect(page).to_have_url(re.compile("head=3"))
    expect(page).to_have_url(re.compile("layer=1"))
    expect(page.get_by_text("Layer 1, head 3")).to_be_visible()


def test_all_heads_draws_the_locked_one_once(open_page: Open) -> None:
    """It stood large beside the wall, without numbers, and once more as a matrix below."""
    page = open_page("translate?view=wall")
    expect(page.locator(".st-key-wall .thumb.locked")).to_be_visible()
    expect(matrix(page)).to_be_visible()
    expect(page.locator(".st-key-wall .preview")).to_have_count(0)


def test_steps_by_button_key_and_slider(open_page: Open) -> None:
    page = open_page("translate?view=steps&decoding=greedy")
    written = page.locator(".st-key-written")
    expect(written).to_contain_text("<bos>")
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
    page.wait_for_timeout(1000)
    expect(page).to_have_url(re.compile("step=3"))


def test_playing_goes_on_by_itself_and_stops(open_page: Open) -> None:
    page = open_page("translate?view=steps&decoding=greedy")
    page.get_by_role("button", name="Play").click()
    expect(page).to_have_url(re.compile("step=3"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.wait_for_function(SETTLED)
    page.wait_for_timeout(500)
    stopped = page.url
    page.wait_for_timeout(2500)
    assert page.url == stopped


def test_playing_ends_when_the_view_is_left(open_page: Open) -> None:
    page = open_page("translate?view=steps&decoding=greedy")
    page.get_by_role("button", name="Play").click()
    expect(page).to_have_url(re.compile("step=2"))
    page.get_by_role("radio", name="Heatmap").click()
    expect(matrix(page)).to_be_visible()
    page.wait_for_timeout(2500)
    expect(matrix(page)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_beam_is_a_tree_and_a_table(open_page: Open) -> None:
    page = open_page("translate?view=beam")
    expect(page.locator(".st-key-tree")).to_contain_text("<bos>")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()


def test_no_csv_is_offered_but_the_disarmed_one(open_page: Open) -> None:
    """Streamlit's own toolbar wrote words such as “=1+1” for a spreadsheet to compute."""
    page = open_page("translate?view=beam")
    page.get_by_test_id("stDataFrame").hover()
    toolbar = page.get_by_test_id("stElementToolbar").filter(has=page.get_by_label("Search"))
    expect(toolbar.get_by_label("Search")).to_be_visible()
    expect(toolbar.get_by_label("Download as CSV")).to_have_count(1)
    expect(toolbar.get_by_label("Download as CSV")).to_be_hidden()


def test_the_table_can_be_saved(open_page: Open) -> None:
    page = open_page("translate")
    expect(matrix(page)).to_be_visible()
    page.wait_for_function(SETTLED)
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


@pytest.mark.parametrize(("locale", "label"), [("es-MX", "Modelo"), ("fr-FR", "Modèle")])
def test_the_language_is_the_browsers(open_page: Open, locale: str, label: str) -> None:
    page = open_page(locale=locale)
    expect(page.get_by_text(label, exact=True)).to_be_visible()


@pytest.mark.parametrize("text", ["<script>window.hurt=1</script>", "<img src=x onerror=hurt=1>"])
def test_no_text_becomes_html(open_page: Open, text: str) -> None:
    page = open_page("translate")
    box(page).fill(text)
    box(page).press("Enter")
    expect_words(page, text)
    assert page.evaluate("window.hurt") is None


@pytest.mark.parametrize("view", ["matrix", "wall", "lines", "steps", "beam"])
def test_nothing_sticks_out(open_page: Open, view: str) -> None:
    page = open_page(f"translate?view={view}", viewport={"width": 390, "height": 900})
    expect(page.get_by_test_id("translation")).to_be_visible()
    for width in (1440, 390):  # it ends as it was opened, for the next visitor of the tab
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(500)
            assert page.get_by_test_id("stMain").evaluate(TOO_WIDE) <= 0, (width, scheme)


def test_visitors_never_see_each_others_numbers(browser: Browser, server: str) -> None:
    """Visitors type in turns, quicker than the server answers; each gets their own words only."""
    contexts = [browser.new_context(locale="en-US") for _ in SENTENCES]
    pages = [context.new_page() for context in contexts]
    for page in pages:
        page.goto(f"{server}/translate")
        expect(matrix(page)).to_be_visible(timeout=60_000)
    for turn in range(3):
        for page, sentence in zip(pages, SENTENCES, strict=True):
            box(page).fill(" ".join([sentence] * (turn + 1)))
        for page in pages:
            box(page).press("Enter", no_wait_after=True)
        for page, sentence in zip(pages, SENTENCES, strict=True):
            whole = " ".join([sentence] * (turn + 1))
            expect_words(page, whole + "<eos>")
            expect(box(page)).to_have_value(whole)
    for context in contexts:
        context.close()
