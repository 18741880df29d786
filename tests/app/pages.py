"""Opening a page of the app in tests, as a visitor with an address does."""

import base64
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.runtime.state.common import user_key_from_element_id
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app.charts.theme import Figure
from app.components.grid import numbers as numbers
from app.page.contents import declared, every_drawer, every_screen
from app.registry import HISTORY, WALK, view_of
from app.server.files import PUBLISHED
from model.interpret.capture import Capture
from model.interpret.recording import capture

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = "Nunca es tarde para aprender."


def opened(page: str = "translate", **query: str) -> AppTest:
    """The app after its first run on a page, at an address; with all screens of a page."""
    return at_address(page, **query).run()


def at_address(page: str, **query: str) -> AppTest:
    """The app before its first run on a page; with all screens of a page."""
    if view_of(page).section in (WALK, HISTORY):
        query = {"all": "1"} | query
    app = AppTest.from_file(str(ROOT / "app/script.py"), default_timeout=120)
    for name, value in query.items():
        app.query_params[name] = value
    # Before its first run, `switch_page` knows a page by its file's name alone, which all share.
    app._page_hash = calc_hash(page)
    return app


def whole(page: str, **query: str) -> AppTest:
    """A page with all its screens and what opens on them: drawers, formulas and code."""
    app = at_address(page, **query)
    declares = declared(view_of(page))
    for part in declares.sections if declares else ():
        for name in (*(drawer.slug for drawer in part.drawers), f"code-{part.slug}"):
            app.session_state[f"open-drawer-{name}"] = True
    return app.run()


def unfold(app: AppTest, *names: str) -> AppTest:
    """The page once more, with some of its folds open."""
    for name in names:
        app.session_state[f"open-{name}"] = True
    return app.run()


def sound(app: AppTest) -> AppTest:
    """The page itself, which says nothing of an error; raises AssertionError."""
    assert not app.exception
    assert not app.error
    return app


def healthy(app: AppTest) -> None:
    """Raise AssertionError unless a page has a title, and neither an error nor a warning."""
    assert not [message.value for message in sound(app).warning]
    assert app.title[0].value


def said(app: AppTest) -> str:
    """What a page says in its texts and captions."""
    return " ".join(element.value for element in (*app.markdown, *app.caption))


def unescaped(markdown: str) -> str:
    """Return a text as it is read on the page."""
    return markdown.replace("\\", "")


def badges(app: AppTest) -> str:
    """What the badges of a page say."""
    return " ".join(element.value for element in app.markdown if "badge" in element.value)


def corrupted(change: Callable[[dict[str, np.ndarray]], None]) -> Callable[..., Capture]:
    """A capture that tells a number wrongly."""

    def wrong(*args: Any) -> Capture:
        made = capture(*args)
        arrays = {name: array.copy() for name, array in made.arrays.items()}
        change(arrays)
        return replace(made, arrays=arrays)

    return wrong


@cache
def screens_of(page: str) -> frozenset[str]:
    """The screens and drawers that a page declares, and "", which is its first screen."""
    there = (*every_screen(), *every_drawer())
    return frozenset(address.screen for address in there if address.page == page)


def revealed(app: AppTest) -> AppTest:
    """The page after every question before a picture was skipped."""
    while asked := [one for one in app.button if str(one.key).endswith("-show")]:
        asked[0].click().run()
    return app


def judged(app: AppTest, right: int) -> None:
    """Raise AssertionError unless a page's task takes one option for right, and the next for none.

    It is left with the wrong answer.
    """
    app.radio[-1].set_value(right).run()
    assert app.success
    app.radio[-1].set_value((right + 1) % len(app.radio[-1].options)).run()
    assert not app.success
    assert app.info


def option(app: AppTest, beginning: str) -> int:
    """The place of the first option of a page's task that begins with a text."""
    options = [text.replace("\\", "") for text in app.radio[-1].options]
    return next(i for i, text in enumerate(options) if text.startswith(beginning))


def step(page: str, part: str, **query: str) -> AppTest:
    """One screen of a page alone, by its address, with its picture."""
    return revealed(opened(page, all="0", part=part, **query))


def sent_to_browser(app: AppTest) -> list[dict[str, Any]]:
    """What the components in the browser were handed, those that have a text as it is read."""
    sent = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    for data in sent:
        if "file" in data:
            data["fixed"] = json.loads(PUBLISHED[data["file"].rpartition("/")[2]])
    return sent


def unpack(text: str, dtype: type[np.generic]) -> np.ndarray:
    """The numbers that a text brings to the browser."""
    return np.frombuffer(base64.b64decode(text), dtype)


def row_of_steps(app: AppTest) -> dict[str, Any]:
    """What the row of steps is sent: {"fixed": …, "chosen": the open screen}."""
    sent = sent_to_browser(app)
    (found,) = (data for data in sent if "steps" in data.get("fixed", {}))
    return found


def charts(app: AppTest) -> dict[str, Figure]:
    """What each chart of a page draws, by the name that the page gave it."""
    drawn = [one.proto for one in app.get("bidi_component")]
    own = [one for one in drawn if one.component_name.endswith(".chart")]
    keys = [str(user_key_from_element_id(one.id)).removeprefix("chart-") for one in own]
    return {
        key: json.loads(one.json)["fixed"]["figure"] for key, one in zip(keys, own, strict=True)
    }


def grids(app: AppTest) -> dict[str, dict]:
    """The grids on the boards of a page, by their titles."""
    sent = sent_to_browser(app)
    items = (item for data in sent for item in data.get("fixed", {}).get("items", ()))
    return {item["title"]: item for item in items if "title" in item}


def kept_pages(app: AppTest) -> list[dict[str, Any]]:
    """What the buttons that save a screen's figures as a web page were sent."""
    sent = sent_to_browser(app)
    return [one for data in sent if "font" in (one := data.get("fixed", {})) and one["page"]]


def content(page: str) -> dict[str, Any]:
    """What a web page that was kept draws."""
    (found,) = re.findall(r'id="content">(.*?)</script>', page, re.DOTALL)
    return json.loads(found)
