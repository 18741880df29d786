"""Adding a page is a folder and a row: nothing else names it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.registry import VIEWS
from tests.app.pages import ROOT

PAGE = '''
"""A small page."""

from app.i18n import N_
from app.page.declare import WalkPage
from app.page.frame import draw_page
from app.page.quiz import QuizTask
from app.views.walk.small.screens import screens

PAGE = WalkPage(
    slug="small",
    intro=N_("An intro."),
    select=lambda walk: walk,
    sections=screens,
    scopes=lambda walk: ("src",),
    task=lambda walk: QuizTask("Which?", ["this", "that"], frozenset({0}), "Yes.", "No."),
)

if __name__ == "__main__":
    draw_page(PAGE)
'''
SCREENS = '''
"""The screens of a small page."""

import streamlit as st

from app.data.walk import Walk
from app.i18n import N_, _
from app.page.declare import Screens
from app.page.quiz import QuizTask
from app.page.screens import guess
from app.ui.section import say

screens = Screens[Walk]()


@screens("first", N_("A title"))
def draw_first(walk: Walk) -> None:
    say(_("It has {n} tokens.").format(n=len(walk.capture.src)))
    left, right = st.columns(2)
    left.write("one picture")
    right.write("one beside it")


@screens.drawer("more", N_("A further case"))
def draw_more(_walk: Walk) -> None:
    say(_("A drawer's words."))


@screens("second", N_("Another title"), pick=False)
def draw_second(_walk: Walk) -> None:
    say()
    guess(QuizTask("Which?", ["this", "that"], frozenset({0}), "Yes.", "No."))
    say(_("Below the question."))
'''
ROW = (
    'View("small", "A small page", ":material/star:", WALK, "model", MapPlace("output", "Small")),'
)
# Run in the copy: the page on the map, and opened from the navigation.
TEST = """
from app.components.diagram import payload
from app.registry import path_of
from tests.app.pages import opened


def test_it_is_on_the_map_and_opens():
    (part,) = [part for part in payload(None)["parts"] if part["slug"] == "small"]
    assert (part["name"], part["stack"]) == ("Small", "output"), part
    assert path_of("small") == "views/walk/small/page.py"
    app = opened("small", text="Hola")
    assert not app.exception and not app.error
    said = [text.value for text in app.markdown]
    (first,) = [text for text in said if "## A title" in text]
    assert "An intro.\\n\\nIt has" in first
    assert {"one picture", "one beside it", "## Another title", "Below the question."} <= {*said}
    assert "A drawer's words." not in said


def test_a_screen_asks_first_and_a_drawer_has_an_address():
    asked = opened("small", all="0", part="second", text="Hola")
    assert not any("Below" in text.value for text in asked.markdown)
    (skip,) = [one for one in asked.button if str(one.key).endswith("-show")]
    assert any("Below" in text.value for text in skip.click().run().markdown)
    opened_ = opened("small", all="0", part="more", text="Hola")
    assert any("A drawer's words." in text.value for text in opened_.markdown)
"""


def run(folder: Path, *arguments: str) -> str:
    """What a Python of its own prints in the copy; raises AssertionError where it fails."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_a_folder_and_a_row_make_a_page(tmp_path: Path) -> None:
    """Four tables that no text named once had to know of a chapter; one of them broke all pages."""
    for folder in ("app", "tests"):
        skip = shutil.ignore_patterns("browser", "model")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=skip)
    for name in ("model", "pretrained", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    page = tmp_path / "app/views/walk/small/page.py"
    page.parent.mkdir()
    page.write_text(PAGE.lstrip(), encoding="utf-8")
    page.with_name("screens.py").write_text(SCREENS.lstrip(), encoding="utf-8")
    registry = tmp_path / "app/registry.py"
    rows = registry.read_text(encoding="utf-8")
    views = rows.replace("\n)  # fmt", f"\n    {ROW}\n)  # fmt", 1)  # those of VIEWS stand first
    registry.write_text(views, encoding="utf-8")
    (tmp_path / "tests/app/test_small.py").write_text(TEST, encoding="utf-8")
    names = ("test_small", "test_pages", "test_every_fold", "views/walk/test_chapters")
    tests = [f"tests/app/{name}.py" for name in names]
    printed = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, "-k", "small")
    assert "4 passed" in printed  # those two, and that the page is drawn and bears what it must


def test_the_docs_tell_of_every_page() -> None:
    docs = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    told = "".join(path.read_text(encoding="utf-8") for path in docs)
    assert [view.title for view in VIEWS if view.title not in told] == []
