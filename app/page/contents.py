"""What the pages declare, without drawing them: for the search, the lessons and the tests."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from app.i18n import _
from app.page.declare import TASK, Drawer, Page
from app.registry import HISTORY, VIEWS, WALK, Address, View, moved, view_of


@cache
def declared(view: View) -> Page[Any] | None:
    """Return the page of a row with all its sections; None for one that has no screens."""
    if view.section not in (WALK, HISTORY):
        return None
    page: Page[Any] = import_module(view.module).PAGE
    return page


@cache
def _titles(slug: str) -> dict[str, str]:
    """Return the titles of a page's screens, in English, by their slugs."""
    view = view_of(slug)
    page = declared(view)
    if page is None:
        return {}
    titles = {
        part.slug: (part.title if isinstance(part.title, str) else part.name) or view.title
        for part in page.sections
    }
    return {**titles, "task": TASK}


def every_drawer() -> Sequence[Address]:
    """Return the drawers of all pages' screens, each by its own address."""
    pages = [page for view in VIEWS if (page := declared(view)) is not None]
    return [Address(page.slug, it.slug) for page in pages for it in page.drawers()]


def every_screen() -> Sequence[Address]:
    """Return all pages, and after each of them its screens."""
    return [Address(view.slug, screen) for view in VIEWS for screen in ("", *_titles(view.slug))]


def now(address: Address) -> Address:
    """Return the screen that an address leads to: its own, or the one that took it in."""
    page, screen = moved(address)
    declares = declared(view_of(page))
    return Address(page, screen if declares is None else declares.now(screen))


def drawer_of(address: Address) -> Drawer[Any] | None:
    """Return the drawer that an address opens on the screen that it leads to, if any."""
    page, screen = moved(address)
    declares = declared(view_of(page))
    drawers = () if declares is None else declares.drawers()
    return next((it for it in drawers if screen in (it.slug, *it.was)), None)


def name_of(address: Address) -> str:
    """Return what a screen or drawer is called, without its page; "" for none, or a first one."""
    page, screen = now(address)
    drawer = drawer_of(address)
    title = _titles(page).get(screen) if drawer is None else drawer.title
    return _(title) if title else ""


def title_of(address: Address) -> str:
    """Return what a screen is called, after its page, in the language of the interface."""
    return " · ".join(filter(None, (_(view_of(now(address).page).title), name_of(address))))
