"""What the visitor has chosen: kept in the session, mirrored in the URL, read with its type.

Streamlit's own `bind="query-params"` writes an option's label, which changes with the language,
and forgets a widget that is not on the page for a moment. Here the URL holds plain values, and
a choice outlives its widget.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.common import user_key_from_element_id

from app import i18n
from app.server.limits import LIMITS

T = TypeVar("T")
Settings = Mapping[str, str]  # choices by name, as the URL writes them
Choice = TypeVar("Choice", bound=str)
Kind = Literal["cross", "encoder", "decoder"]
Run = Literal["before", "after", "difference"]
# A reload sends the URL to the server, which refuses one of 64 kB.
LONGEST_IN_URL: Final = 1500
LONGEST_CODE_IN_URL: Final = 12_000  # of a lesson, or of pinned runs
# More of what is typed is not kept: a character more than the model reads, so that the page says
# that it was too long, and a file's worth of pairs.
LONGEST_SENTENCE: Final = LIMITS.characters + 1
LONGEST_PAIRS: Final = 500_000
LONGEST_CHANGES: Final = 20_001


def whole(low: int, high: int) -> Callable[[str], int]:
    return lambda raw: min(max(int(raw), low), high)


def decimal(low: float, high: float) -> Callable[[str], float]:
    def parse(raw: str) -> float:
        value = float(raw)
        if value != value:
            raise ValueError("not a number")
        return min(max(value, low), high)

    return parse


def up_to(most: int) -> Callable[[str], str]:
    """Truncate a text: a browser holds to `max_chars`, but others may write to the server."""
    return lambda raw: raw[:most]


def one_of(*allowed: Choice) -> Callable[[str], Choice]:
    return lambda raw: allowed[allowed.index(raw)]


# Numbers that were opened one from the other, by array and index; the last one is on the page.
Trail = tuple[tuple[str, tuple[int, ...]], ...]


class Pin(NamedTuple):
    """A pinned cell by the tokens it joins; None where only one of them is pinned."""

    query: int | None
    key: int | None


def _pin(raw: str) -> Pin | None:
    if not raw:
        return None
    query, key = (int(part) if part else None for part in raw.split("."))
    if (query is None and key is None) or min(query or 0, key or 0) < 0:
        raise ValueError(raw)
    return Pin(query, key)


def _index(raw: str) -> tuple[str, tuple[int, ...]]:
    name, separator, index = raw.partition("@")
    if not separator:
        raise ValueError(raw)
    return name, tuple(int(i) for i in index.split("."))


def _trail(raw: str) -> Trail:
    return tuple(_index(part) for part in raw.split("~") if part)


def _text_of(value: object) -> str:
    if isinstance(value, Pin):
        return ".".join("" if part is None else str(part) for part in value)
    if isinstance(value, tuple):
        return "~".join(f"{name}@{'.'.join(map(str, index))}" for name, index in value)
    if isinstance(value, bool):
        return str(int(value))
    return "" if value is None else str(value)


NOTHING: Final = object()  # no value of any widget


@dataclass(frozen=True)
class Param(Generic[T]):
    """One choice, by its name in the URL; what the URL says wrongly counts as the default."""

    name: str
    default: T
    parse: Callable[[str], T]

    def get(self, settings: Settings | None = None) -> T:
        """Return what is chosen, or what some settings say instead."""
        raw = (_chosen() if settings is None else settings).get(self.name)
        if raw is None:
            return self.default
        try:
            return self.parse(raw)
        except ValueError:
            return self.default

    def set(self, value: T) -> None:
        collect()
        # A quick second click brings along a widget that does not show the first one yet: what it
        # has may be the new value by chance, so it is given its value as if it were a new one.
        before = st.session_state.get(self.key, NOTHING)
        _drawn()[self.key] = _Drawn(self, value, page="", before=before)
        self.keep(value)
        _write_url()

    def keep(self, value: T) -> None:
        """Take a value over into the session."""
        if value is None or value == self.default:
            _chosen().pop(self.name, None)
        else:
            _chosen()[self.name] = _text_of(value)[:LONGEST_PAIRS]

    @property
    def key(self) -> str:
        """The widget's key: another one in each language, as its options are other ones."""
        return f"{self.name}-{i18n.current()}"

    def widget(self, value: T | None = None) -> str:
        """Return the key for a widget that is about to be drawn, after giving it its value."""
        wanted = self.get() if value is None else value
        drawn = _drawn().get(self.key)
        # On another page it is another widget, which starts empty if it is not given its value.
        is_new = drawn is None or drawn.page != _page()
        # A page that outlived its session (a laptop slept, the server restarted) sends along what
        # it shows: that is newer than the URL.
        if drawn is None and self.key in _sent():
            st.session_state["outlived"] = True
        # Setting what is already there would overwrite what is being typed at this moment.
        elif is_new or st.session_state.get(self.key) != wanted:
            st.session_state[self.key] = wanted
        before = NOTHING if drawn is None or drawn.value != wanted else drawn.before
        _drawn()[self.key] = _Drawn(self, wanted, _page(), before)
        return self.key


LANGUAGE: Final = Param[str | None]("lang", None, one_of(*i18n.LANGUAGES))
MODEL: Final = Param[str]("model", "", str)
TEXT: Final = Param[str | None]("text", None, up_to(LONGEST_SENTENCE))
INTO: Final = Param[str]("into", "", str)  # what tells a model of several targets which one
METHOD: Final = Param[str]("decoding", "beam", one_of("greedy", "beam", "sample"))
BEAM: Final = Param[int]("beam", 4, whole(2, 10))
TEMPERATURE: Final = Param[float]("temperature", 1.0, decimal(0.1, 2.0))
TOP_K: Final = Param[int]("k", 0, whole(0, 100))
TOP_P: Final = Param[float]("p", 1.0, decimal(0.05, 1.0))
SEED: Final = Param[int]("seed", 0, whole(0, 2**31 - 1))
VIEW: Final = Param[str](
    "view", "matrix", one_of("matrix", "wall", "lines", "steps", "beam", "compare")
)
KIND: Final = Param[Kind]("kind", "cross", one_of("cross", "encoder", "decoder"))
LAYER: Final = Param[str]("layer", "", str)
HEAD: Final = Param[str]("head", "", str)
MERGE: Final = Param[bool]("words", False, lambda raw: raw == "1")
HIDE: Final = Param[bool]("plain", False, lambda raw: raw == "1")
EDIT: Final = Param[bool]("edit", False, lambda raw: raw == "1")
PIN: Final = Param[Pin | None]("pin", None, _pin)
WORD: Final = Param[int]("word", -1, whole(-1, 10_000))
ASKED: Final = Param[Trail]("ask", (), _trail)
# Of a steered beam: where its branches begin, by name, and the hypothesis one looks at.
BRANCHES: Final = Param[Trail]("branches", (), _trail)
HYPOTHESIS: Final = Param[Trail]("hypothesis", (), _trail)
STEP: Final = Param[int]("step", -1, whole(-1, 10_000))
# What is changed in the model's run, as `app.data.changed` writes it, and which run is shown.
CHANGES: Final = Param[str]("change", "", up_to(LONGEST_CHANGES))
RUN: Final = Param[Run]("run", "after", one_of("before", "after", "difference"))
# In which of the two runs the number that was asked for is explained.
ASKED_RUN: Final = Param[Run]("of", "after", one_of("before", "after"))
# The runs that are pinned, as `app.views.translate.pins` writes them, and how often one was opened:
# each time is a step of its own in the browser's history.
PINS: Final = Param[str]("pins", "", str)
OPENED: Final = Param[int]("open", 0, whole(0, 10_000))
# The lesson that is given, and the one that the visitor puts together: by name or as a link.
LESSON: Final = Param[str]("lesson", "", str)
MINE: Final = Param[str]("mine", "", str)


def language() -> str:
    """Return the language of the interface: the one chosen, else the browser's."""
    return LANGUAGE.get() or i18n.match(st.context.locale)


i18n.follow(language)


BOOK: Final = "in-book"


def in_book() -> bool:
    """Return whether a page is drawn to be kept in a book, where no server answers it."""
    return bool(st.session_state.get(BOOK))


def sync() -> None:
    """Bring widgets, session and URL together, before anything is drawn.

    The URL is newer than the session after a step back or forward only: a quick second click
    brings along the one that was there before the first click was answered.
    """
    collect()
    if went_back():
        st.session_state["chosen"] = st.query_params.to_dict()
    i18n.use(language())  # looked up once a run: hundreds of texts ask for it
    st.session_state["hinted"] = False
    _write_url()


def is_first_hint() -> bool:
    """Return whether what all boards of a page have in common was not said yet in this run."""
    said = st.session_state.get("hinted", False)
    st.session_state["hinted"] = True
    return not said


def went_back() -> bool:
    """Return whether a step back or forward in the browser's history brought this run about."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def collect() -> None:
    """Take over what the visitor changed in any widget.

    No callback does this: when the next click comes, Streamlit may stop a run in the middle of
    it, and the choice would be lost. The widgets' values come along with every run.
    """
    for key, drawn in list(_drawn().items()):
        value = st.session_state.get(key, drawn.value)
        if not drawn.page or value == drawn.value:
            continue
        # A second click can come from a page on which a value that was set is not to be seen yet.
        if value == drawn.before and _is_click():
            _drawn()[key] = drawn._replace(page="")
            continue
        drawn.param.keep(value)
        _drawn()[key] = drawn._replace(value=value, before=NOTHING)


def chosen() -> Settings:
    """Return all that is chosen, as the URL writes it."""
    return dict(_chosen())


def settings_of(values: Mapping[Param[Any], Any]) -> dict[str, str]:
    """Write some choices as the URL does, those at their defaults left out."""
    return {
        param.name: _text_of(value)
        for param, value in values.items()
        if value is not None and value != param.default
    }


def choose(settings: Settings, keep: Collection[str]) -> None:
    """Choose what the settings say and nothing else, but for the names to keep."""
    collect()
    kept = {name: raw for name, raw in _chosen().items() if name in keep}
    st.session_state["chosen"] = {**settings, **kept}
    _write_url()


def settle() -> None:
    """Draw a page again, at its end, that outlived its session and knew better than its URL."""
    if st.session_state.pop("outlived", False):
        st.rerun()


class _Drawn(NamedTuple):
    """A widget as it was drawn last: with which value, and on which page ("": it is to be set).

    `before` is what it showed before its value was set.
    """

    param: Param[Any]
    value: Any
    page: str
    before: Any = NOTHING


def _drawn() -> dict[str, _Drawn]:
    """Return the widgets by key."""
    drawn: dict[str, _Drawn] = st.session_state.setdefault("drawn", {})
    return drawn


def _sent() -> set[str | None]:
    """Return the keys of the widgets whose values came from the browser with this run."""
    context = get_script_run_ctx()
    states = context.session_state.get_widget_states() if context is not None else []
    return {user_key_from_element_id(state.id) for state in states}


def _is_click() -> bool:
    """Return whether a button, or a click in a component, brought this run about."""
    context = get_script_run_ctx()
    states = context.session_state.get_widget_states() if context is not None else []
    return any("trigger" in (state.WhichOneof("value") or "") for state in states)


def _page() -> str:
    context = get_script_run_ctx()
    return context.page_script_hash if context is not None else ""


def _chosen() -> dict[str, str]:
    if "chosen" not in st.session_state:
        st.session_state["chosen"] = st.query_params.to_dict()
    chosen: dict[str, str] = st.session_state["chosen"]
    return chosen


def _write_url() -> None:
    """Make the URL say what is chosen, but for a text too long to send."""
    wanted = {name: raw for name, raw in _chosen().items() if len(raw) <= _longest(name)}
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def _longest(name: str) -> int:
    is_code = name in (LESSON.name, MINE.name, PINS.name)
    return LONGEST_CODE_IN_URL if is_code else LONGEST_IN_URL
