"""Opening a page of the app in tests, as a visitor with an address does."""

from functools import cache
from pathlib import Path
from runpy import run_path
from unittest.mock import patch

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app.registry import HISTORY, WALK, view_of

ROOT = Path(__file__).resolve().parents[2]


def opened(page: str = "translate", **query: str) -> AppTest:
    """The app after its first run on a page, at an address; with all screens of a page."""
    if view_of(page).section in (WALK, HISTORY):
        query = {"all": "1"} | query
    app = AppTest.from_file(str(ROOT / "app/script.py"), default_timeout=120)
    for name, value in query.items():
        app.query_params[name] = value
    # Before its first run, `switch_page` knows a page by its file's name alone, which all share.
    app._page_hash = calc_hash(page)
    return app.run()


@cache
def screens_of(page: str) -> frozenset[str]:
    """The screens that a page declares, and "", which is its first one; nothing is drawn."""
    view = view_of(page)
    if view.section not in (WALK, HISTORY):
        return frozenset({""})
    with patch("app.page.frame.draw_page") as draw:
        run_path(str(ROOT / "app" / view.path))
    (declared,) = draw.call_args.args
    return frozenset(part.slug for part in declared.sections) | {"", "task", "code"}
