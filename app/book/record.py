"""A screen of the app, run without a server: what its script draws, and what each choice changes.

All that Streamlit keeps private and the book needs is touched in this file.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextvars import Context
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.script_run_context_attr import (
    SCRIPT_RUN_CONTEXT_ATTR_NAME,
)
from streamlit.runtime.state.common import user_key_from_element_id
from streamlit.testing.v1 import AppTest, app_test
from streamlit.testing.v1.element_tree import parse_tree_from_messages
from streamlit.testing.v1.local_script_runner import LocalScriptRunner
from streamlit.util import calc_hash

from app.page.moves import ASKED_FOR, OPEN
from app.registry import VIEWS, Address
from app.state import BOOK, LIVE

SCRIPT: Final = Path(__file__).parents[1] / "script.py"
MOST_STOPS: Final = 13  # values of a slider or a number that are recorded
MOST_LIVE_STOPS: Final = 201
Settings = Mapping[str, str]  # what is chosen, as an address of the app writes it


class ScreenFailedError(RuntimeError):
    """A screen could not be drawn, and says so; a book does not hold such a screen."""


@dataclass
class PageNode:
    """A block or an element of a page, as Streamlit sends it to the browser."""

    proto: Any
    kind: str
    children: dict[int, "PageNode"] = field(default_factory=dict)

    @property
    def body(self) -> Any:
        """The message of its own kind."""
        return getattr(self.proto, self.kind)

    @property
    def key(self) -> str:
        """The name that the app gave it; "" for none."""
        ids = (getattr(self.proto, "id", ""), self.kind and getattr(self.body, "id", ""))
        return next((user_key_from_element_id(i) or "" for i in ids if i), "")

    @property
    def component(self) -> str:
        """The name of the component in the browser that it is; "" for none."""
        is_one = self.kind == "bidi_component"
        return str(self.body.component_name).rpartition(".")[2] if is_one else ""

    def walk(self) -> Iterator["PageNode"]:
        """Yield it and all that is in it, in the order of the page."""
        yield self
        for _place, child in sorted(self.children.items()):
            yield from child.walk()


@dataclass(frozen=True)
class Control:
    """A choice on a page: the names of its options, and which of them is chosen, if any."""

    key: str
    options: tuple[str, ...]
    chosen: int | None
    several: frozenset[int] | None = None  # those chosen, where they may be several


@dataclass(frozen=True)
class ScreenState:
    """A screen as it stands with some settings: what is drawn, and what can be chosen there."""

    address: Address
    main: PageNode
    settings: Settings
    controls: Mapping[str, Control]
    texts: Mapping[str, str]  # what stands in its fields


class _Runner(LocalScriptRunner):
    """Keeps the messages of a run beside what AppTest reads of them.

    AppTest's own compiles scripts each time, and starts a thread, which a browser does not let it.
    """

    compiled = ScriptCache()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._script_cache = self.compiled

    def run(
        self,
        widget_state: Any = None,
        query_params: Any = None,
        timeout: float = 0,
        page_hash: str = "",
        context_info: Any = None,
    ) -> Any:
        query = urlencode(query_params, doseq=True)
        self.request_rerun(RerunData(query, widget_state, page_hash, context_info=context_info))
        self._script_thread = own = threading.current_thread()
        try:
            Context().run(self._run_script_thread)
        finally:
            delattr(own, SCRIPT_RUN_CONTEXT_ATTR_NAME)
        tree = parse_tree_from_messages(self.forward_msgs())
        tree.messages = self.forward_msgs()  # type: ignore[attr-defined]
        return tree


class OpenScreen:
    """A screen that is open: its choices can be made as a visitor makes them.

    Where it is `live`, each of them is drawn for the visitor who makes it.
    """

    def __init__(self, address: Address, settings: Settings, live: bool = False) -> None:
        self.most_stops = MOST_LIVE_STOPS if live else MOST_STOPS
        self._live = live
        self._app = AppTest.from_file(str(SCRIPT), default_timeout=0)
        self._app._bidi_component_manager = _components()
        self._app.session_state[BOOK] = True
        self._app.session_state[LIVE] = live
        for name, value in {**settings, "part": address.screen}.items():
            self._app.query_params[name] = value
        # Before the first run, a page is known by the hash of its address alone.
        self._app._page_hash = calc_hash(address.page)

    def draw(self) -> ScreenState:
        """Run the script with what was chosen; raises ScreenFailedError.

        To a reader who caused it, a live book shows what the page says of an error.
        """
        before, app_test.LocalScriptRunner = app_test.LocalScriptRunner, _Runner  # type: ignore[misc]
        try:
            self._app.run()
        finally:
            app_test.LocalScriptRunner = before  # type: ignore[misc]
        self._app._page_hash = ""  # from here on, the page is where a choice leads
        main = _tree(self._app._tree.messages)  # type: ignore[attr-defined]
        settings = dict(self._app.query_params)
        here = Address(self._page(), OPEN.get(settings))
        if failed := list(self._failures(main)):
            raise ScreenFailedError(f"{here.page}/{here.screen}: {failed[0]}")
        typed = {field.key or "": field.value or "" for field in self._app.main.text_input}
        return ScreenState(here, main, settings, self._controls(), typed)

    def _failures(self, main: PageNode) -> Iterator[str]:
        for node in main.walk():
            if node.kind == "exception":
                yield node.body.message
            elif node.kind == "alert" and node.body.format == Alert.ERROR and not self._live:
                yield node.body.body

    def go(self, address: Address, settings: Settings) -> None:
        """Ask for a screen of any page, some choices made there; the next run opens it."""
        self.restore({**self._app.session_state["chosen"], **settings})
        self._app.session_state[ASKED_FOR] = address

    def choose(self, key: str, option: str | None) -> None:
        """Make a choice by the name of its option, or take one back; the next run draws it."""
        for kind, widget in self._widgets():
            if widget.key != key:
                continue
            if _takes_several(kind, widget):
                turned = {*widget.formatted_values} ^ {option}
                widget.set_value([one for one in widget.options if one in turned])
            else:
                widget.set_value(None if option is None else _value(kind, widget, option))

    def offers(self, key: str) -> tuple[str, ...]:
        """Return the options of a control as it was drawn last."""
        found = (self._options(kind, one) for kind, one in self._widgets() if one.key == key)
        return next(found, ())

    def restore(self, settings: Settings, but: str = "") -> None:
        """Choose what some settings say, but for a control whose choice is made next."""
        self._app.session_state["chosen"] = dict(settings)
        widgets = self._app.session_state["drawn"]
        for key in widgets.keys() - {but}:
            widgets[key] = widgets[key]._replace(page="")  # what it shows counts no more

    def type(self, key: str, text: str) -> None:
        """Type a text into a field; the next run reads it."""
        self._app.text_input(key).input(text)

    def press(self, key: str) -> None:
        """Press a button, if it is there, which the next run draws."""
        for button in self._app.button:
            if button.key == key:
                button.click()

    def send(self, node: PageNode, value: Any) -> ScreenState:
        """Draw what the click in a component brings about that sends a value."""
        told = self._app._tree.get_widget_states()
        sent = json.dumps([{"event": "event", "value": value}])
        told.widgets.add(id=_make_trigger_id(node.body.id, "events"), json_trigger_value=sent)
        self._app._tree.get_widget_states = lambda: told  # type: ignore[method-assign]
        return self.draw()

    def _widgets(self) -> Iterator[tuple[str, Any]]:
        for kind in ("button_group", "radio", "selectbox", "slider", "number_input", "toggle"):
            yield from ((kind, widget) for widget in getattr(self._app.main, kind))

    def _controls(self) -> dict[str, Control]:
        found = {}
        for kind, widget in self._widgets():
            options = self._options(kind, widget)
            if not widget.key or not options:
                continue
            if _takes_several(kind, widget):
                control = Control(widget.key, options, None, frozenset(widget.indices))
            else:
                control = Control(widget.key, options, self._chosen(kind, widget))
            found[widget.key] = control
        return found

    def _page(self) -> str:
        """Return the page that was drawn last, of which Streamlit knows the hash alone."""
        shown = self._app._finished_page_script_hash
        return next((view.slug for view in VIEWS if calc_hash(view.slug) == shown), VIEWS[0].slug)

    def _options(self, kind: str, widget: Any) -> tuple[str, ...]:
        if kind == "toggle":
            return ("0", "1")
        if kind in ("slider", "number_input"):
            return tuple(f"{value:g}" for value in self._range(widget))
        return tuple(widget.options)

    def _chosen(self, kind: str, widget: Any) -> int | None:
        if kind == "toggle":
            return int(widget.value)
        if kind in ("slider", "number_input"):
            return self._range(widget).index(round(float(widget.value), 10))
        if kind == "button_group":
            return next(iter(widget.indices), None)
        index: int | None = widget.index
        return index

    def _range(self, widget: Any) -> list[float]:
        """Return the values of a slider or a number that are offered: all, or some of them."""
        low, high, step = float(widget.min), float(widget.max), float(widget.step or 1)
        if isinstance(widget.value, list | tuple | str):
            return []
        count = round((high - low) / step)
        stride = max(1, -(-count // (self.most_stops - 1)))
        values = {round(low + step * i, 10) for i in range(0, count + 1, stride)}
        return sorted(values | {round(float(widget.value), 10)})


@cache
def _components() -> BidiComponentManager:
    """Return the components, looked for among all installed packages once a process."""
    found = BidiComponentManager()
    found.discover_and_register_components(start_file_watching=False)
    return found


def _tree(messages: list[ForwardMsg]) -> PageNode:
    """Return the main column of a page from the messages of its run."""
    root = PageNode(None, "")
    for message in messages:
        if not message.HasField("delta"):
            continue
        *path, last = message.metadata.delta_path
        at = root
        for place in path:
            at = at.children.setdefault(place, PageNode(None, ""))
        kind = message.delta.WhichOneof("type")
        if kind not in ("new_element", "add_block"):
            continue
        proto = getattr(message.delta, kind)
        node = PageNode(proto, proto.WhichOneof("type") or "")
        if kind == "add_block" and last in at.children:
            node.children = at.children[last].children
        at.children[last] = node
    return root.children[0]


def _takes_several(kind: str, widget: Any) -> bool:
    return kind == "button_group" and widget.proto.click_mode == widget.proto.MULTI_SELECT


def _value(kind: str, widget: Any, option: str) -> Any:
    if kind == "toggle":
        return option == "1"
    if kind in ("slider", "number_input"):
        return int(option) if isinstance(widget.value, int) else float(option)
    return option
