"""The way through all pages as a newcomer takes it: one screen after the other, by Next alone."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.page.contents import every_screen
from app.registry import HISTORY, TOUR, VIEWS, WALK
from tests.browser.conftest import Open, box_of, settle

WAY = [view.slug for view in VIEWS if view.section in (WALK, HISTORY)]
TITLES = {view.slug: view.title for view in VIEWS}
SCREENS = [f"{stop.page} part={stop.screen}" for stop in TOUR]
MOST = 500  # screens
TRAINING = 300_000  # milliseconds: letters, on a busy machine
# How far a screen sticks out of the window, to the right and below, and what it says went wrong.
OVER = """() => {
    const main = document.querySelector('.stMain');
    const wrong = '[data-testid=stException], [data-testid=stAlertContentError]';
    return [
        Math.max(...[main, document.documentElement].map((it) => it.scrollWidth - it.clientWidth)),
        main.scrollHeight - main.clientHeight,
        document.querySelectorAll(wrong).length,
        document.querySelectorAll('h2').length,
    ];
}"""

# Where one has arrived, once the address and the open step are others and all is drawn. One look
# tells it all: five questions a screen were a thousand for the browser to answer.
ARRIVED = """([url, label, titles, screens]) => {
    const busy = '[data-testid=stStatusWidget], [data-testid=stSkeleton], [data-stale=true]';
    const steps = [...document.querySelectorAll('.st-key-steps *')].find((it) => it.shadowRoot);
    const here = steps?.shadowRoot.querySelector('.step.here')?.getAttribute('aria-label');
    if (location.href === url || !here || here === label || document.querySelector(busy)) return;
    // The address and the open step go ahead of the page.
    const page = location.pathname.slice(1);
    const part = new URLSearchParams(location.search).get('part');
    if (document.querySelector('h1')?.textContent !== titles[page]) return;
    if (url.includes('tour=1') && !screens.includes(`${page} part=${part}`)) return;
    const end = steps.shadowRoot.querySelector('.way.next').disabled;
    return { url: location.href, label: here, end };
}"""

# A finger that goes from right to left over the page's title.
SWIPE = """() => {
    const target = document.querySelector('h1');
    for (const [kind, clientX] of [['touchstart', 300], ['touchend', 100]]) {
        const touch = new Touch({identifier: 1, target, clientX, clientY: 100});
        const touches = kind === 'touchstart' ? [touch] : [];
        target.dispatchEvent(
            new TouchEvent(kind, {bubbles: true, touches, changedTouches: [touch]}));
    }
}"""

# Something beside a chart comes and goes, and the language is watched.
TOUCH = """() => {
    new MutationObserver(() => { window.said = true })
        .observe(document.documentElement, {attributeFilter: ['lang']});
    const chart = document.querySelector('.st-key-chart-softmax');
    const part = document.createElement('p');
    for (const change of [() => chart.append(part), () => part.remove()]) {
        change();
        getComputedStyle(document.body).color;
    }
}"""


def place(url: str) -> str:
    """The page and the screen that are open, as the address says."""
    path, _, query = url.partition("?")
    part = [item for item in query.split("&") if item.startswith("part=")]
    return " ".join([path.rpartition("/")[2], *part])


def is_wrong(page: Page) -> bool:
    """Whether a screen sticks out of the window, or says that something failed."""
    right, below, errors, titles = page.evaluate(OVER)
    return right > 0 or below > 0 or errors > 0 or titles > 2  # the mistake has one, and the task


def by_next_alone(page: Page) -> tuple[list[str], dict[str, Any]]:
    """Go on from the open screen to the last; return the screens, and those that stick out."""
    at: dict[str, Any] = {"url": "", "label": ""}
    seen: list[str] = []
    sticks_out = {}
    for _step in range(MOST):
        before = [at["url"], at["label"], TITLES, SCREENS]
        at = page.wait_for_function(ARRIVED, arg=before).json_value()
        seen.append(place(at["url"]))
        for _late in range(5):  # a chart finds its height late
            if not is_wrong(page):
                break
            page.wait_for_timeout(1000)
        else:
            sticks_out[seen[-1]] = page.evaluate(OVER)
        if at["end"]:
            break
        page.keyboard.press("ArrowRight")
    return seen, sticks_out


@pytest.fixture
def newcomer(own_page: Page, own_models: str) -> Page:
    """The door of the app as it comes, in a wide window."""
    own_page.set_viewport_size({"width": 1440, "height": 900})
    own_page.goto(own_models)
    return own_page


@pytest.mark.slow
def test_next_alone_leads_through_all_chapters(newcomer: Page, own_models: str) -> None:
    """Every screen fits into the window, has one title, and is reached with one key."""
    newcomer.goto(f"{own_models}/{WAY[0]}")
    seen, sticks_out = by_next_alone(newcomer)
    declared = Counter(address.page for address in every_screen() if address.screen)
    passed = Counter(name.split()[0] for name in dict.fromkeys(seen))
    assert list(passed) == WAY
    assert {name: n for name, n in passed.items() if n > declared[name]} == {}
    assert sum(passed.values()) > 0.95 * sum(declared.values())  # some are of other models
    assert sticks_out == {}


def test_two_quick_presses_lead_two_screens_on(open_page: Open) -> None:
    """The second press was lost: it led once more to the screen that was still to come."""
    page = open_page("self_attention?part=score")
    page.locator("h1").click()
    titles = page.locator(".st-key-steps .step").evaluate_all("all => all.map(one => one.title)")
    at = page.locator(".st-key-steps .step.here").evaluate("one => one.title")
    for _press in range(2):
        page.keyboard.press("ArrowRight")
    settle(page)
    wanted = titles[titles.index(at) + 2]
    expect(page.locator(".st-key-steps .step.here")).to_have_attribute("title", wanted)
    expect(page.get_by_role("heading", name=wanted)).to_be_visible()


def test_back_leads_past_what_was_chosen_and_past_single_letters(open_page: Open) -> None:
    """Each letter that was typed once was a step back in the browser's history."""
    page = open_page("self_attention?part=softmax")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**part=sum*")
    page.locator(".st-key-head-en button").last.click()
    page.wait_for_url("**head=*")
    for typed in ("Hol", "Hola", "Hola a"):
        page.get_by_role("textbox").first.fill(typed)
        page.wait_for_url(re.compile(f"text={typed.replace(' ', '[+]')}(&|$)"))
    page.go_back()
    page.wait_for_url(lambda address: "part=sum" in address and "text=" not in address)
    page.go_back()
    page.wait_for_url("**part=softmax*")


@pytest.mark.parametrize(
    ("here", "there", "swipes"),
    [("softmax", "part=sum", False), ("task", "/heads?", False), ("task", "/heads?", True)],
)
def test_typing_and_going_on_at_once_loses_neither(
    open_page: Open, here: str, there: str, swipes: bool
) -> None:
    """Next, clicked within a tenth of a second of a letter, lost the sentence and the move.

    A swipe left the focus in the field, and the last letters stayed there.
    """
    page = open_page(f"self_attention?part={here}")
    field, button = page.get_by_role("textbox").first, box_of(page.locator(".way.next"))
    field.fill("Hola amig")
    page.wait_for_url("**text=Hola+amig*")
    field.press("End")
    page.keyboard.type("o")
    if swipes:
        page.evaluate(SWIPE)
    else:
        page.mouse.click(button["x"] + 20, button["y"] + 10)
    page.wait_for_url(lambda address: there in address and "text=Hola+amigo" in address)
    settle(page)
    expect(field).to_have_value("Hola amigo")
    assert there in page.url


def test_a_page_that_was_asked_for_opens_though_the_next_event_comes_at_once(
    open_page: Open,
) -> None:
    """A text sent 250 ms after Next stopped the run that would have opened the next page."""
    page = open_page("self_attention?part=task")
    page.get_by_role("textbox").first.fill("Hola amigo")
    page.locator(".way.next").dispatch_event("click")  # which leaves the focus in the field
    page.wait_for_url("**/heads*")


def test_the_search_opens_what_it_finds(open_page: Open) -> None:
    page = open_page("translate")
    expect(page.get_by_role("button", name="Search")).to_be_visible()
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search pages, screens, terms and heads")
    expect(field).to_be_focused()
    page.keyboard.type("residual str")
    first = page.get_by_role("option").first
    expect(first).to_contain_text("residual stream", ignore_case=True)
    page.keyboard.press("Enter")
    page.wait_for_url("**/add_norm?*")
    settle(page)
    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    page.keyboard.type("encoder-decoder layer 2 head 3")
    page.keyboard.press("Enter")
    page.wait_for_url("**/translate?*")
    assert {"layer=2", "head=3"} <= set(page.url.partition("?")[2].split("&"))


def test_the_page_says_its_language_and_its_name(open_page: Open) -> None:
    page = open_page("heads?lang=fr")
    page.wait_for_function("() => document.documentElement.lang === 'fr'")
    title = page.locator("h1").text_content()
    page.wait_for_function("name => document.title.startsWith(name)", arg=title)


# All that the open page says, inside of components too, but for code, what is typed, Streamlit's
# own sliders, and what a canvas holds for who cannot see it.
SAID = """() => {
    const own = 'code, pre, input, textarea, script, style, annotation, canvas';
    const of = (node) => node.nodeType === Node.TEXT_NODE ? node.data + '\\n'
        : node.matches?.(`${own}, [data-testid=stSlider]`) ? ''
        : [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes].map(of).join('');
    return of(document.body);
}"""


def test_numbers_have_the_comma_of_the_browsers_language(open_page: Open) -> None:
    """Texts were in Spanish, and the numbers in them, on axes and in boards in English."""
    page = open_page("self_attention?part=score", locale="es-MX")
    board = page.get_by_role("application").first
    expect(board).to_be_visible()
    settle(page)
    board.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".readout", has_text=re.compile(r" = .?\d,\d"))).to_be_visible()
    page.keyboard.press("Enter")
    opened = page.locator(".st-key-ask-open")
    expect(opened.get_by_test_id("asked")).to_have_text(re.compile(r"\d,\d"))
    expect(opened.locator(".katex-html").last).to_have_text(re.compile(r"\d,\d"))
    assert_commas(page)
    few_tokens = "/translate?text=hola&kind=encoder"  # so that cells have room
    page.goto(re.sub("/self_attention.*", few_tokens, page.url))
    cell = page.locator(".cell").filter(has_text=re.compile(r"^0,\d\d$"))
    expect(cell.first).to_be_visible()
    assert_commas(page)


def assert_commas(page: Page) -> None:
    settle(page)
    said = page.evaluate(SAID)
    assert re.search(r"\d,\d", said)
    assert not re.search(r".*\d\.\d.*", said)


def test_a_change_of_the_page_restyles_only_what_changed(open_page: Open) -> None:
    """Each part that a chart drew made the browser style the whole page again: 8,600 elements.

    A rule of ours ended in `:has(…) *`, and each frame set the page's language to what it was.
    """
    page = open_page("output?part=softmax")
    expect(page.locator(".st-key-chart-softmax svg").first).to_be_visible()
    settle(page)
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    page.evaluate(TOUCH)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    styled = [one["args"]["elementCount"] for one in events if one["name"] == "UpdateLayoutTree"]
    assert 0 < sum(styled) < 100
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("part=temperature"))
    settle(page)
    assert page.evaluate("window.said") is None
