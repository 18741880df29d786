"""Whatever a page lets its visitor open or choose is drawn, and says nothing of an error."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import i18n
from app.book.build import BookPlan, build, chapters
from app.page.contents import declared
from app.registry import HISTORY, VIEWS, WALK, view_of
from model import files as runs
from tests.app.pages import at_address, healthy, revealed, said

# The languages of the interface, each with one of the models that ship.
RUNS = {"en": "es-en", "fr": "fr-en", "es": "en-es"}
# What is open beside a chapter's screens, and has folds of its own; a run that was trained.
NUMBER = {"ask": "encoder.0.self_attn.weights@0.0.0"}
TRAINING = {"training": "recorded/reverse"}
KINDS = ("selectbox", "radio", "button_group", "toggle", "slider", "number_input")
PAGES = [view.slug for view in VIEWS]


@pytest.fixture(autouse=True)
def no_runs(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The models that ship are shown, and none of the developer's own."""
    monkeypatch.setattr(runs, "RUNS", tmp_path_factory.mktemp("runs"))


def address(page: str, model: str, language: str) -> dict[str, str]:
    """What a page is opened with."""
    more = NUMBER if view_of(page).section == WALK else TRAINING if page == "training" else {}
    return {"model": model, "lang": language, **more}


def closed(app: AppTest) -> list[str]:
    """The keys of the folds and menus that draw nothing as long as they are closed."""
    blocks = (node for node in app._tree if node.type in ("expander", "popover"))
    keys = [node.key for node in blocks if node.key]
    return [key for key in keys if key not in app.session_state or not app.session_state[key]]


def open_all(app: AppTest) -> list[str]:
    """Open all that is closed, and what is closed in it; returns the keys."""
    keys = []
    while shut := closed(app):
        keys += shut
        for key in shut:
            app.session_state[key] = True
        app.run()
    return keys


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES)
def test_every_fold_of_a_page_opens_in_every_language(page: str) -> None:
    """With all screens, drawers, menus and the calculation of a number, in another model each.

    One fold of “The whole model” failed on the page and in every book, and no test had opened it.
    """
    known: list[str] = []
    for language, model in RUNS.items():
        app = at_address(page, **address(page, model, language))
        for key in known:
            app.session_state[key] = True
        with i18n.speaking(language):  # an AppTest names the options outside of a run
            known += open_all(app.run())
        healthy(app)
        assert "Not confirmed" not in said(app)


def screens(page: str) -> list[str]:
    """The screens of a page; one that has none is a screen itself."""
    declares = declared(view_of(page))
    return [*(part.slug for part in declares.sections), "task"] if declares else [""]


def failures(app: AppTest) -> list[str]:
    """What a page says of errors."""
    return [*(box.value for box in app.error), *(raised.message for raised in app.exception)]


def choices(app: AppTest) -> Iterator[tuple[str, str, list[Any]]]:
    """Each control of a page, by kind and key, with the values that it can be given."""
    for kind in KINDS:
        for one in getattr(app.main, kind):
            if not one.key or one.disabled:
                continue
            if kind == "toggle":
                values: list[Any] = [not one.value]
            elif kind in ("slider", "number_input"):
                ends = (one.min, one.max)
                values = [end for end in ends if end is not None and abs(end) < 1e6]
            elif kind == "button_group":
                several = one.proto.click_mode == one.proto.MULTI_SELECT
                values = [[value] if several else value for value in one.options]
            else:
                values = list(one.options)
            yield kind, one.key, values


def give(app: AppTest, kind: str, key: str, value: Any) -> None:
    """Make a choice, if its control is there."""
    for one in getattr(app.main, kind):
        if one.key == key:
            one.set_value(value)
            app.run()


def failures_of(page: str, part: str, model: str, language: str) -> Iterator[str]:
    """What goes wrong on a screen, and where."""
    query = address(page, model, language) | {"all": "0", "part": part}
    app = revealed(at_address(page, **query).run())
    for key in closed(app):
        app.session_state[key] = True
        inside = [key, *open_all(app.run())]
        yield from (f"{part}: {key}: {text}" for text in failures(app))
        for name in inside:
            app.session_state[name] = False
        app.run()
    open_all(app)
    for kind, key, values in list(choices(app)):
        for value in values:
            give(app, kind, key, value)
            open_all(app)
            yield from (f"{part}: {key} = {value!r}: {text}" for text in failures(app))
        app = revealed(at_address(page, **query).run())
        open_all(app)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("language", "model"), RUNS.items())
def test_a_book_draws_every_choice_of_every_screen(
    language: str, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each choice alone; a book in which a screen fails is not written."""
    monkeypatch.setattr("app.book.states.HEAVY", 10**9)
    views = [view.slug for view in VIEWS if view.section in (WALK, HISTORY)]
    plan = BookPlan(chapters(views), [""], (language,), model, room=1)
    build(plan, tmp_path / "book")


@pytest.mark.slow
@pytest.mark.parametrize(("language", "model"), RUNS.items())
@pytest.mark.parametrize("page", PAGES)
def test_every_fold_and_option_of_a_screen_alone(page: str, language: str, model: str) -> None:
    """Each fold is opened by itself, and each option chosen with all of them open."""
    with i18n.speaking(language):
        wrong = [
            text for part in screens(page) for text in failures_of(page, part, model, language)
        ]
    assert not wrong, "\n".join(wrong)
