"""A lesson is put together in one browser and given in another."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open, settle

PRESENTING = "() => document.documentElement.classList.contains('presenting')"


def compose(page: Page) -> None:
    """Put two screens into a lesson, the first with its own sentence, head and words."""
    settle(page)
    page.get_by_role("button", name="Add this screen").click()
    expect(page.get_by_text("Added to your lesson: 1")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("Lessons")
    page.keyboard.press("Enter")
    page.wait_for_url("**/lessons?*")
    settle(page)
    add = page.get_by_role("combobox", name="Add a screen")
    add.fill("vectors form")
    add.press("Enter")
    expect(page.get_by_role("textbox", name="Your words above the picture")).to_have_count(2)
    # Each is in the address before the next is written: the second would be taken for the first.
    write(page, "Your words above the picture", "Where does it look?")
    write(page, "Your note", "Wait for answers.")


def write(page: Page, name: str, text: str) -> None:
    """Fill in a field of the lesson's first screen, and wait until the address has it."""
    field, before = page.get_by_role("textbox", name=name).first, page.url
    field.fill(text)
    field.press("Tab")
    page.wait_for_function("url => location.href !== url", arg=before)
    settle(page)


def check_first(page: Page) -> None:
    """The lesson's first screen is there as it was put together, in large type."""
    expect(page.get_by_role("heading", name="Where does it look?")).to_be_visible()
    settle(page)
    assert {"text=Hola", "head=2"} <= set(page.url.partition("?")[2].split("&"))
    page.wait_for_function(PRESENTING)
    expect(page.get_by_test_id("stHeader")).not_to_be_visible()


def test_a_lesson_is_composed_here_and_given_there(open_page: Open, tmp_path: Path) -> None:
    page = open_page("heads?part=all&text=Hola&head=2")
    compose(page)
    link = page.get_by_test_id("stCode").inner_text().strip()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / "lesson.json"
    saved.value.save_as(file)

    other = open_page(link.partition("://")[2].partition("/")[2], locale="en-GB")
    check_first(other)
    with other.expect_popup() as popup:
        other.keyboard.press("n")
    notes = popup.value
    expect(notes.get_by_text("Wait for answers.")).to_be_visible()
    notes.keyboard.press("ArrowRight")  # the speaker's window leads on, too
    other.wait_for_url("**/words_as_vectors?*")
    expect(notes.get_by_text("This is the last screen.")).to_be_visible()
    settle(other)
    other.keyboard.press("i")
    assert other.evaluate("document.documentElement.classList.contains('inverted')")
    other.keyboard.press("Escape")
    expect(other.get_by_test_id("stHeader")).to_be_visible()
    other.get_by_role("button", name="End the lesson").click()
    expect(other.get_by_role("button", name="Add this screen")).to_be_visible()
    notes.close()

    third = open_page("lessons", locale="en-AU")
    third.get_by_test_id("stFileUploader").locator("input").set_input_files(file)
    card = third.locator(".st-key-lesson-opened")
    expect(card).to_be_visible()
    card.get_by_role("button", name="Start").click()
    check_first(third)


def test_a_hostile_file_gets_one_sentence(open_page: Open, tmp_path: Path) -> None:
    file, large = tmp_path / "evil.json", tmp_path / "large.json"
    large.write_text("x" * 2**21)
    page = open_page("lessons")
    field = page.get_by_test_id("stFileUploader").locator("input").first
    field.set_input_files(large)  # refused: the browser names a program's error, in English
    expect(page.locator('[data-testid="stFileChip"] [role="alert"]')).to_have_count(1)
    told = page.locator(".st-key-lesson-file").evaluate(
        "e => getComputedStyle(e, '::after').content"
    )
    assert "choose one of at most 1 MB" in told
    file.write_text(
        '{"form": "illuminated-lesson-1", "title": "<script>", "stops": [{"page": "x"}]}'
    )
    field.set_input_files(file)
    alert = page.get_by_test_id("stAlertContentError")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text("“evil.json” is not a lesson")
