"""A page as a row of screens: one is open, each has its address, and all can be drawn at once."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.components.steps import Move, _read
from app.page import moves
from app.page.contents import declared, every_screen, title_of
from app.registry import HISTORY, VIEWS, WALK, Address, neighbours, view_of
from tests.app.pages import opened, row_of_steps, sent_to_browser, sound, unfold

STEPPED = [view.slug for view in VIEWS if view.section in (WALK, HISTORY)]


def slugs(app: AppTest) -> list[str]:
    return [step["slug"] for step in row_of_steps(app)["fixed"]["steps"]]


def headings(app: AppTest) -> list[str]:
    """The titles of the screens that are drawn."""
    lines = (text.value.splitlines()[0] for text in app.markdown if text.value)
    return [line for line in lines if line.startswith("## ")]


def test_every_page_declares_its_screens_once_and_ends_with_its_task() -> None:
    """No screen is named by an earlier address, which leads to the one that took it in."""
    for page in STEPPED:
        screens = [at.screen for at in every_screen() if at.page == page][1:]
        assert screens[-1] == "task"
        found = declared(view_of(page))
        assert found
        names = [*screens, *(slug for part in found.sections for slug in part.was)]
        assert len(set(names)) == len(names), page


@pytest.mark.parametrize("page", ["heads", "neuron"])
def test_a_page_opens_at_its_first_screen_alone(models: Path, page: str) -> None:
    app, whole = opened(page, all="0"), opened(page)
    assert row_of_steps(app)["chosen"] == slugs(app)[0]
    assert all(step["title"] for step in row_of_steps(app)["fixed"]["steps"])
    assert headings(sound(app)) in ([], headings(whole)[:1])  # it may have the page's own title
    assert row_of_steps(whole)["chosen"] is None
    assert slugs(whole) == slugs(app)


def test_a_screen_opens_by_its_address(models: Path) -> None:
    """tests/browser/test_steps.py walks through all of them, with the models that come along."""
    app = sound(opened("self_attention", all="0", part="softmax"))
    assert row_of_steps(app)["chosen"] == "softmax"
    assert len(headings(app)) == 1
    unknown = opened("self_attention", all="0", part="<b>")
    assert row_of_steps(unknown)["chosen"] == slugs(unknown)[0]


@pytest.mark.parametrize(
    ("page", "former", "screen", "title"),
    [
        ("neuron", "mark", "points", "1960: a machine that learned to see"),
        ("vectors", "map", "near", "A map of the table"),
        ("decoding", "begin", "branch", "Begin the translation yourself"),  # the screen asks first
    ],
)
def test_the_address_of_a_drawer_opens_it(
    models: Path, page: str, former: str, screen: str, title: str
) -> None:
    """Former addresses of screens that became drawers led to a question, and to nothing else."""
    app = opened(page, all="0", part=former)
    assert row_of_steps(app)["chosen"] == screen
    assert [one.label for one in app.expander if one.proto.expanded] == [title]
    assert not [one for one in opened(page, all="0", part=screen).expander if one.proto.expanded]


def test_a_page_says_once_how_its_boards_are_used(models: Path) -> None:
    """All of them on one page, each said "Point at a cell", and so did the panel's beside one."""
    app = opened("self_attention", all="1")
    for _rerun in range(2):
        sent = sent_to_browser(app)
        boards = [data["fixed"] for data in sent if "items" in data.get("fixed", {})]
        assert len(boards) > 1
        assert len([board for board in boards if board["text"]["hint"]]) == 1
        app.run()


def test_an_old_address_leads_to_the_screen_that_took_it_in(models: Path) -> None:
    """The common mistake and the formulas were screens, which links and lessons name."""
    for before, now in (("myth", "task"), ("code", "simple")):
        app = opened("self_attention", all="0", part=before)
        assert row_of_steps(app)["chosen"] == now
        assert app.query_params["part"] == now
        assert moves.ARRIVES not in app.session_state, "the next page begins with its own first"
        title = title_of(Address("self_attention", before))
        assert title == title_of(Address("self_attention", now))


def test_a_drawer_shows_the_code_of_its_screen(models: Path) -> None:
    app = opened("positions", all="0", part="waves")
    assert not app.code
    unfold(app, "drawer-code-waves")
    (listing,) = (code.value for code in app.code if "def positional_encoding" in code.value)
    assert "sin" in listing


def test_the_way_leads_through_all_pages() -> None:
    at, way = STEPPED[0], [STEPPED[0]]
    while (after := neighbours(at)[1]) is not None:
        assert neighbours(after)[0] == at
        at = after
        way.append(at)
    assert way == STEPPED


def test_only_what_the_buttons_send_is_a_move() -> None:
    assert _read({"screen": "scale"}) == Move(screen="scale")
    assert _read({"all": True}) == Move(all=True)
    assert _read({"page": "heads", "end": "last"}) == Move(page="heads", end="last")
    for sent in (None, {}, {"screen": 3}, {"page": "nowhere", "end": "first"}, {"page": "heads"}):
        with pytest.raises((ValueError, KeyError)):
            _read(sent)
