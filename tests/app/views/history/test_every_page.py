"""Every page of "How we got here": drawn in every language, checked, asked about, explained."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Radio

from app.i18n import LANGUAGES
from app.page.contents import every_screen
from app.registry import HISTORY, VIEWS
from tests.app.pages import opened
from tests.app.views.walk.test_chapters import badges, healthy

PAGES = [view.slug for view in VIEWS if view.section == HISTORY]


def task_of(app: AppTest) -> Radio:
    """The question of a page."""
    (asked,) = [radio for radio in app.radio if (radio.key or "").startswith("task-")]
    return asked


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_drawn_checked_and_shows_its_code(models: Path, page: str, language: str) -> None:
    app = opened(page, lang=language)
    for screen in every_screen():
        app.session_state[f"open-drawer-code-{screen.screen}"] = True
    app.run()
    healthy(app)
    assert "green-badge" in badges(app)
    assert "red-badge" not in badges(app)
    assert app.code
    assert all(block.value.startswith(("def ", "class ", "@")) for block in app.code)


@pytest.mark.parametrize("page", PAGES)
def test_its_task_tells_right_from_wrong(models: Path, page: str) -> None:
    app = opened(page)
    praise, blame = len(app.success), len(app.info)
    right = []
    for answer in range(len(task_of(app).options)):
        task_of(app).set_value(answer).run()
        healthy(app)
        right.append(len(app.success) > praise)
        assert (len(app.info) > blame) != right[-1]
    assert any(right)
    assert not all(right)
