"""What leaves the stage: films, pictures, links; Start's film; the stage alone and presented."""

import base64
import io
import time
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Open, alone, box_of

SENTENCE: Final = "Nunca es tarde para aprender."
SIZE: Final = (1280, 720)
MAX_BYTES: Final = 4_000_000  # of ten seconds
WORDS_A_MINUTE, SECONDS_A_PICTURE, MAX_MINUTES = 200, 25, 13
Kind = Literal["webm", "mp4"]
# All texts that are written on a film's canvas, which is not in the page.
OVERHEAR: Final = """() => {
    window.written = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        if (!this.canvas.isConnected) window.written.push(text);
        return fillText.call(this, text, ...place);
    };
}"""
# A film's length and size, and its first and last frame as pictures.
PLAY: Final = """async ([kind, data]) => {
    const video = document.createElement('video');
    const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
    video.muted = true;
    video.src = URL.createObjectURL(new Blob([bytes], { type: `video/${kind}` }));
    const when = (name) => new Promise((done, fail) => {
        video.addEventListener(name, done, { once: true });
        video.onerror = () => fail(new Error(video.error.message));
    });
    await when('loadeddata');
    if (video.duration === Infinity) { video.currentTime = 1e6; await when('seeked'); }
    const { duration, videoWidth: width, videoHeight: height } = video;
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    const frames = [];
    for (const at of [0.01, duration - 0.01]) {
        video.currentTime = at;
        await when('seeked');
        canvas.getContext('2d').drawImage(video, 0, 0);
        frames.push(canvas.toDataURL('image/png').split(',')[1]);
    }
    return { duration, size: [width, height], frames };
}"""


def open_stage(open_page: Open, stop: str, **options: Any) -> tuple[Page, Locator]:
    query = urlencode({"model": "es-en", "text": SENTENCE})
    page = open_page(f"tour?{query}#{stop}", reduced_motion="reduce", **options)
    return page, drawn(page)


def drawn(page: Page) -> Locator:
    expect(page.locator('[data-testid="stage"][data-hero]')).to_be_visible()
    return page.get_by_test_id("stage")


def save(page: Page, stage: Locator, what: str, kind: Kind = "webm") -> bytes:
    """Save what a button of the panel saves."""
    stage.get_by_role("button", name="Save", exact=True).first.click()
    stage.get_by_label("File").select_option(kind)
    with page.expect_download() as download:
        stage.get_by_role("button", name=what).click()
    expect(stage.locator(".told")).to_have_text("Saved.")
    return Path(download.value.path()).read_bytes()


def played(browser: Browser, server: str, kind: Kind, film: bytes) -> dict[str, Any]:
    """Play a film on an empty page."""
    with alone(browser, f"{server}/_stcore/health") as page:
        page.goto("about:blank")
        found: dict[str, Any] = page.evaluate(PLAY, [kind, base64.b64encode(film).decode()])
        return found


def picture_of(png: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(png))).convert("L")


def check_film(page: Page, browser: Browser, server: str, kind: Kind, film: bytes) -> float:
    """Check that a film plays, moves, and tells at last what it shows; return its seconds."""
    found = played(browser, server, kind, film)
    assert tuple(found["size"]) == SIZE
    first, last = map(picture_of, found["frames"])
    assert max(last.tobytes()) - min(last.tobytes()) > 100, "the last frame is blank"
    assert first.tobytes() != last.tobytes()
    written = "".join(page.evaluate("window.written")[-9:])
    assert "Spanish → English" in written
    assert urlsplit(server).netloc in written
    assert SENTENCE.rstrip(".") in written
    seconds: float = found["duration"]
    return seconds


@pytest.mark.parametrize("kind", ["webm", "mp4"])
def test_a_film_of_a_stop_plays_and_ends_with_what_it_shows(
    open_page: Open, browser: Browser, server: str, kind: Kind
) -> None:
    page, stage = open_stage(open_page, "tokens")
    page.evaluate(OVERHEAR)
    film = save(page, stage, "Film of this stop", kind)
    assert check_film(page, browser, server, kind, film) == pytest.approx(3.1, abs=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["webm", "mp4"])
def test_a_film_of_the_whole_way_takes_ten_seconds_and_little_room(
    open_page: Open, browser: Browser, server: str, kind: Kind
) -> None:
    page, stage = open_stage(open_page, "sentence")
    page.evaluate(OVERHEAR)
    film = save(page, stage, "Film of the whole way", kind)
    assert check_film(page, browser, server, kind, film) == pytest.approx(10, abs=0.1)
    assert len(film) <= MAX_BYTES


@pytest.mark.slow
def test_a_browser_without_an_encoder_records_while_it_plays(
    open_page: Open, browser: Browser, server: str
) -> None:
    """Pages that come by http from another computer have no encoder."""
    page, stage = open_stage(open_page, "tokens")
    page.evaluate(OVERHEAR)
    page.evaluate("delete window.VideoEncoder")
    film = save(page, stage, "Film of this stop")
    assert check_film(page, browser, server, "webm", film) == pytest.approx(3.1, abs=0.5)


def test_a_picture_is_twice_as_sharp_as_a_film(open_page: Open) -> None:
    page, stage = open_stage(open_page, "softmax")
    picture = Image.open(io.BytesIO(save(page, stage, "Picture")))
    assert picture.format == "PNG"
    assert picture.size == (2 * SIZE[0], 2 * SIZE[1])
    assert len(picture.convert("RGB").getcolors(1 << 24) or ()) > 100


def test_a_link_restores_sentence_model_stop_and_word(open_page: Open) -> None:
    page, stage = open_stage(open_page, "tokens", permissions=["clipboard-read", "clipboard-write"])
    chosen = stage.locator(".rows [aria-selected=true]")
    chosen.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    hero = stage.get_attribute("data-hero") or ""
    page.keyboard.press("ArrowRight")
    expect(stage).to_have_attribute("data-stop", "vectors")
    stage.get_by_role("button", name="Save", exact=True).click()
    stage.get_by_role("button", name="Copy link").click()
    expect(stage.locator(".told")).to_contain_text("The link is copied")
    link = urlsplit(page.evaluate("navigator.clipboard.readText()"))
    chosen_there = parse_qs(link.query)
    assert (chosen_there["model"], chosen_there["text"]) == (["es-en"], [SENTENCE])
    page = open_page(f"{link.path.lstrip('/')}?{link.query}#{link.fragment}")
    stage = drawn(page)
    expect(stage).to_have_attribute("data-stop", "vectors")
    expect(stage).to_have_attribute("data-hero", hero)
    expect(page.get_by_role("textbox").first).to_have_value(SENTENCE)


def test_start_plays_the_way_of_what_is_typed_and_next_leads_into_the_tour(
    open_page: Open,
) -> None:
    page = open_page(f"?{urlencode({'model': 'es-en', 'text': SENTENCE})}")
    stage = drawn(page)
    expect(stage).to_have_attribute("data-moving", "true")
    next_ = stage.get_by_role("button", name="Next", exact=True)
    expect(next_).to_be_in_viewport(ratio=1)
    stage.get_by_role("button", name="Skip").click()
    expect(stage).to_have_attribute("data-moving", "false")
    expect(stage.get_by_role("button", name="Watch the film")).to_be_visible()
    next_.click()
    expect(page.locator('[data-testid="stage"][data-stop="tokens"]')).to_be_visible()
    expect(page.get_by_role("textbox").first).to_have_value(SENTENCE)


def test_start_is_still_where_less_motion_is_asked_for(open_page: Open) -> None:
    page = open_page(f"?{urlencode({'model': 'es-en', 'text': SENTENCE})}", reduced_motion="reduce")
    stage = drawn(page)
    expect(stage.get_by_role("button", name="Watch the film")).to_be_visible()
    expect(stage).to_have_attribute("data-moving", "false")


def test_escape_and_a_button_bring_the_menu_and_take_it_away(open_page: Open) -> None:
    page, stage = open_stage(open_page, "who", viewport={"width": 1440, "height": 900})
    around = page.get_by_test_id("stHeader"), page.get_by_test_id("stSidebar")
    for act in (
        lambda: page.keyboard.press("Escape"),
        stage.get_by_role("button", name="Menu", exact=True).click,
    ):
        for part in around:
            expect(part).to_be_hidden()
        act()
        for part in around:
            expect(part).to_be_visible()
        expect(stage.get_by_role("button", name="Next", exact=True)).to_be_in_viewport(ratio=1)
        act()
    for part in around:
        expect(part).to_be_hidden()


def test_presenting_fills_the_window_and_a_second_one_shows_the_notes(open_page: Open) -> None:
    page, stage = open_stage(open_page, "rows")
    page.keyboard.press("p")
    expect(page.locator("h1")).to_be_hidden()
    page.wait_for_function("() => document.fullscreenElement !== null")
    assert page.viewport_size is not None
    assert stage.bounding_box() == {"x": 0, "y": 0, **page.viewport_size}
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.locator("h1")).to_have_text("All rows at once: a heatmap")
    expect(notes.locator(".note")).to_contain_text("Each row adds up to 100 %")
    notes.keyboard.press("ArrowRight")
    expect(stage).to_have_attribute("data-stop", "heads")
    expect(notes.locator("h1")).to_contain_text("heads look in")
    notes.close()
    expect(page.locator("h1")).to_be_hidden()  # the new window ends the full screen, no more
    page.keyboard.press("p")
    expect(page.locator("h1")).to_be_visible()


@pytest.mark.slow
def test_a_newcomer_goes_from_the_door_to_a_film_of_the_own_sentence(
    own_page: Page, own_models: str
) -> None:
    """One place to click at a time, nothing to scroll to; `-s` prints how long it took."""
    own_page.set_viewport_size({"width": 1440, "height": 900})
    own_page.emulate_media(reduced_motion="no-preference")
    began, clicks, words = time.monotonic(), 1, 0  # into the field
    own_page.goto(own_models)
    box = own_page.locator(".stMain .stTextInput input")
    box.fill("My sister likes music.")
    box.press("Enter")
    stage = drawn(own_page)
    expect(stage.locator("h2")).to_contain_text("hermana")
    expect(stage).to_have_attribute("data-moving", "true")
    expect(stage).to_have_attribute("data-moving", "false")  # the film was watched
    next_ = stage.get_by_role("button", name="Next", exact=True)
    places = set()
    while next_.is_enabled():
        expect(next_).to_be_in_viewport(ratio=1)
        places.add((own_page.url.startswith(f"{own_models}/tour"), *box_of(next_).values()))
        before = stage.get_attribute("data-stop") or ""
        next_.click()
        clicks += 1
        expect(own_page.locator(f'[data-hero]:not([data-stop="{before}"])')).to_be_visible()
        expect(stage).to_have_attribute("data-moving", "false")
        words += len(" ".join(stage.locator("h2, .says").all_inner_texts()).split())
    assert len(places) == 2, "one place on Start, and one on the tour"
    assert stage.get_attribute("data-stop") == "journey"
    assert own_page.locator(".stMain").evaluate("main => main.scrollTop") == 0
    assert len(save(own_page, stage, "Film of the whole way")) <= MAX_BYTES
    print(f"{clicks + 2} clicks, {time.monotonic() - began:.0f} s, {words} words")
    minutes = words / WORDS_A_MINUTE + 22 * SECONDS_A_PICTURE / 60
    assert minutes <= MAX_MINUTES
    own_page.emulate_media(reduced_motion="reduce")
