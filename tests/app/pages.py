"""Opening a page of the app in tests, as a visitor with an address does."""

import ast
from functools import cache
from pathlib import Path

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
    """The screens that a page declares, and "", which is its first one."""
    tree = ast.parse((ROOT / "app" / view_of(page).path).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = [getattr(call.func, "id", "") for call in calls]
    sections = [call.args[0] for call, name in zip(calls, names, strict=True) if name == "Section"]
    slugs = {str(slug.value) for slug in sections if isinstance(slug, ast.Constant)}
    return frozenset(slugs | {"", "task", "code"} if slugs else {""})
