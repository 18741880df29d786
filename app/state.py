"""The visitor's choices: kept in the session, mirrored in the URL, read with their types.

Streamlit's own `bind="query-params"` writes an option's label, which changes with the language,
and forgets a widget that leaves the page for a moment. Here the URL holds plain values, and a
choice outlives its widget.
"""

import re
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, get_args

import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.common import user_key_from_element_id

from app import i18n
from app.server.limits import LIMITS

T = TypeVar("T")
Settings = Mapping[str, str]  # choices by name, as the URL writes them
Choice = TypeVar("Choice", bound=str)
Kind = Literal["cross", "encoder", "decoder"]
Run = Literal["before", "after", "difference"]
# A reload sends the URL to the server, which refuses URLs of 64 kB.
LONGEST_IN_URL: Final = 1500
LONGEST_CODE_IN_URL: Final = 12_000  # of a lesson, or of pinned runs
# Longer inputs are cut: a sentence at one character more than the model reads, so that the page can
# say that it was too long, and sentence pairs at about a file's worth.
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
    """Return a parser that truncates a text: other clients than browsers may ignore `max_chars`."""
    return lambda raw: raw[:most]


def one_of(*allowed: Choice) -> Callable[[str], Choice]:
    return lambda raw: allowed[allowed.index(raw)]


# Numbers that were opened one from another, by array and index; the page shows the last one.
Trail = tuple[tuple[str, tuple[int, ...]], ...]


class Pin(NamedTuple):
    """A pinned cell, given by its query and key tokens; None for a token that is not pinned."""

    query: int | None
    key: int | None


def _pin(raw: str) -> Pin | None:
    if not raw:
        return None
    query, key = (int(part) if part else None for part in raw.split("."))
    if (query is None and key is None) or min(query or 0, key or 0) < 0:
        raise ValueError(raw)
    return Pin(query, key)


def _trail(raw: str) -> Trail:
    parts = (part.split("@") for part in raw.split("~") if part)
    return tuple((name, tuple(map(int, index.split(".")))) for name, index in parts)


def _text_of(value: object) -> str:
    if isinstance(value, Pin):
        return ".".join("" if part is None else str(part) for part in value)
    if isinstance(value, tuple):
        return "~".join(f"{name}@{'.'.join(map(str, index))}" for name, index in value)
    if isinstance(value, bool):
        return str(int(value))
    return "" if value is None else str(value)


# Where each name was declared: the module's names, and the line.
_DECLARED: dict[str, tuple[dict[str, Any], int]] = {}
NOTHING: Final = object()  # differs from every widget's value


@dataclass(frozen=True)
class Param(Generic[T]):
    """One choice, given by its name in the URL; an invalid value in the URL means the default."""

    name: str
    default: T
    parse: Callable[[str], T]

    def __post_init__(self) -> None:
        """Take the name; raises ValueError if another choice has it."""
        frame = sys._getframe(1)
        while frame.f_code.co_name in ("__init__", "__call__") and frame.f_back:
            frame = frame.f_back
        here, line = frame.f_globals, frame.f_lineno
        known, first = _DECLARED.setdefault(self.name, (here, line))
        if known is here and first == line:
            return
        if known is here or known["__name__"] != here["__name__"]:
            raise ValueError(f"{self.name!r} is a choice of {known['__name__']} already.")
        _DECLARED[self.name] = here, line  # the module was edited, and is loaded again

    def get(self, settings: Settings | None = None) -> T:
        """Return the chosen value, or the value in `settings` if they are given."""
        raw = (_chosen() if settings is None else settings).get(self.name)
        if raw is None:
            return self.default
        try:
            return self.parse(raw)
        except ValueError:
            return self.default

    def set(self, value: T) -> None:
        collect()
        # A quick second click sends the widget's state from before the first click was drawn. That
        # state may happen to equal the new value, so the widget is set again as if it were new.
        before = st.session_state.get(self.key, NOTHING)
        _drawn()[self.key] = _Drawn(self, value, page="", before=before)
        self.keep(value)
        _write_url()

    def keep(self, value: T) -> None:
        """Store a value in the session."""
        if value is None or value == self.default:
            _chosen().pop(self.name, None)
        else:
            _chosen()[self.name] = _text_of(value)[:LONGEST_PAIRS]

    @property
    def key(self) -> str:
        """Return the widget's key, which differs by language, as the widget's options do."""
        return f"{self.name}-{i18n.current()}"

    def widget(self, value: T | None = None) -> str:
        """Set the value of a widget that is about to be drawn, and return its key."""
        wanted = self.get() if value is None else value
        drawn = _drawn().get(self.key)
        # On another page, Streamlit makes a new widget, which starts empty unless its value is set.
        is_new = drawn is None or drawn.page != _page()
        # A page that outlived its session (a laptop slept, the server restarted) sends the values
        # that it shows, which are newer than the URL.
        sent = self.key in st.session_state.get("sent", ())
        if drawn is None and sent:
            st.session_state["outlived"] = True
        # A widget drawn by a run that another one interrupted may never have reached the browser,
        # which would then show it empty, and send that. Where the browser has it, setting the same
        # value again would overwrite what the visitor is typing at this moment.
        elif is_new or st.session_state.get(self.key) != wanted or not sent:
            st.session_state[self.key] = wanted
        before = NOTHING if drawn is None or drawn.value != wanted else drawn.before
        _drawn()[self.key] = _Drawn(self, wanted, _page(), before)
        return self.key


LANGUAGE: Final = Param[str | None]("lang", None, one_of(*i18n.LANGUAGES))
MODEL: Final = Param[str]("model", "", str)
TEXT: Final = Param[str | None]("text", None, up_to(LONGEST_SENTENCE))
SENTENCE: Final = Param[int]("sentence", 0, whole(0, 1000))  # of a text of several, from 0
INTO: Final = Param[str]("into", "", str)  # tells a multilingual model its target language
METHOD: Final = Param[str]("decoding", "beam", one_of("greedy", "beam", "sample"))
BEAM: Final = Param[int]("beam", 4, whole(2, 10))
TEMPERATURE: Final = Param[float]("temperature", 1.0, decimal(0.1, 2.0))
TOP_K: Final = Param[int]("k", 0, whole(0, 100))
TOP_P: Final = Param[float]("p", 1.0, decimal(0.05, 1.0))
SEED: Final = Param[int]("seed", 0, whole(0, 2**31 - 1))
VIEW: Final = Param[str](
    "view", "matrix", one_of("matrix", "wall", "lines", "steps", "beam", "compare")
)
KIND: Final = Param[Kind]("kind", "cross", one_of(*get_args(Kind)))
LAYER: Final = Param[str]("layer", "", str)
HEAD: Final = Param[str]("head", "", str)
MERGE: Final = Param[bool]("words", False, lambda raw: raw == "1")
HIDE: Final = Param[bool]("plain", False, lambda raw: raw == "1")
EDIT: Final = Param[bool]("edit", False, lambda raw: raw == "1")
PIN: Final = Param[Pin | None]("pin", None, _pin)
WORD: Final = Param[int]("word", -1, whole(-1, 10_000))
ASKED: Final = Param[Trail]("ask", (), _trail)
# Of a steered beam: where its branches begin, by name, and the hypothesis that is inspected.
BRANCHES: Final = Param[Trail]("branches", (), _trail)
HYPOTHESIS: Final = Param[Trail]("hypothesis", (), _trail)
STEP: Final = Param[int]("step", -1, whole(-1, 10_000))
# The changes to the model's run, as `app.data.changed` writes them, and which run is shown.
CHANGES: Final = Param[str]("change", "", up_to(LONGEST_CHANGES))
RUN: Final = Param[Run]("run", "after", one_of("before", "after", "difference"))
# Which of the two runs explains the requested number.
ASKED_RUN: Final = Param[Run]("of", "after", one_of("before", "after"))
# The pinned runs, as `app.views.translate.pins` writes them, and how often one of them was opened,
# which makes each opening its own entry in the browser's history.
PINS: Final = Param[str]("pins", "", str)
OPENED: Final = Param[int]("open", 0, whole(0, 10_000))
# The lesson being given, and the lesson that the visitor is building: by name or as a link.
LESSON: Final = Param[str]("lesson", "", str)
MINE: Final = Param[str]("mine", "", str)


class Renamed(NamedTuple):
    """A name that meant two things: on a page, values that fit the pattern are the new name's."""

    page: str
    before: str
    now: str
    pattern: str


RENAMED: Final = (
    Renamed("masked_attention", "change", "replaced", r"-?\d+"),
    Renamed("training", "run", "training", r"(?!(before|after|difference)$).+"),
    Renamed("training", "order", "sort", r"errors|longest|shortest|sentence"),
    Renamed("training", "from", "t-from", r"[a-z]{2}|"),
    Renamed("training", "to", "t-to", r"[a-z]{2}|"),
    Renamed("big_picture", "sub", "sublayer", r"\d+"),
    Renamed("add_norm", "sub", "norm", r"\d+"),
    Renamed("translate", "asked", "asked-side", r"[AB]"),
)


def language() -> str:
    """Return the language of the interface: the one chosen, else the browser's."""
    return LANGUAGE.get() or i18n.match(st.context.locale)


i18n.follow(language)


BOOK: Final = "in-book"
LIVE: Final = "in-live-book"


def in_book() -> bool:
    """Return whether a page is drawn to be kept in a book, where no server answers it."""
    return bool(st.session_state.get(BOOK))


def in_live_book() -> bool:
    """Return whether a page of a book is drawn for the visitor who reads it at this moment."""
    return bool(st.session_state.get(LIVE))


def sync() -> None:
    """Synchronize widgets, session and URL before anything is drawn.

    The URL is newer than the session only after a step back or forward: a quick second click
    sends the URL from before the first click was answered.
    """
    collect()
    st.session_state["sent"] = {user_key_from_element_id(state.id) for state in _sent()}
    if went_back():
        st.session_state["chosen"] = st.query_params.to_dict()
    i18n.use(language())  # looked up once per run: hundreds of texts need it
    st.session_state["hinted"] = False
    _write_url()


def lead_on(page: str) -> None:
    """Let an address from before a name was changed say what it said then."""
    chosen, moved = _chosen(), False
    for one in RENAMED:
        raw = chosen.get(one.before)
        if one.page == page and raw is not None and re.fullmatch(one.pattern, raw):
            chosen.setdefault(one.now, chosen.pop(one.before))
            moved = True
    if moved:
        _write_url()


def is_first_hint() -> bool:
    """Return whether the hint that all boards of a page share has yet to be shown in this run."""
    said = st.session_state.get("hinted", False)
    st.session_state["hinted"] = True
    return not said


def went_back() -> bool:
    """Return whether a step back or forward in the browser's history started this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def collect() -> None:
    """Store what the visitor changed in any widget.

    A callback cannot do this: when the next click comes, Streamlit may stop a run in the middle
    of the callback, and the choice would be lost. The widgets' values are sent with every run.
    """
    for key, drawn in list(_drawn().items()):
        value = st.session_state.get(key, drawn.value)
        if not drawn.page or value == drawn.value:
            continue
        # A second click can come from a page that does not show the newly set value yet.
        if value == drawn.before and _is_click():
            _drawn()[key] = drawn._replace(page="")
            continue
        drawn.param.keep(value)
        _drawn()[key] = drawn._replace(value=value, before=NOTHING)


def chosen() -> Settings:
    """Return all choices as the URL writes them."""
    return dict(_chosen())


def settings_of(values: Mapping[Param[Any], Any]) -> dict[str, str]:
    """Write choices as the URL does, without those at their defaults."""
    return {
        param.name: _text_of(value)
        for param, value in values.items()
        if value is not None and value != param.default
    }


def choose(settings: Settings, keep: Collection[str]) -> None:
    """Replace all choices with the settings, except those whose names are in `keep`."""
    collect()
    kept = {name: raw for name, raw in _chosen().items() if name in keep}
    st.session_state["chosen"] = {**settings, **kept}
    _write_url()


def settle() -> None:
    """Rerun at the end of a page that outlived its session and had newer values than its URL."""
    if st.session_state.pop("outlived", False):
        st.rerun()


class _Drawn(NamedTuple):
    """A widget as it was last drawn: its value and its page ("" if its value has yet to be set).

    `before` is what the widget showed before its value was set.
    """

    param: Param[Any]
    value: Any
    page: str
    before: Any = NOTHING


def _drawn() -> dict[str, _Drawn]:
    """Return the widgets by key."""
    drawn: dict[str, _Drawn] = st.session_state.setdefault("drawn", {})
    return drawn


def _sent() -> list[WidgetState]:
    """Return the states of the widgets that the browser sent with this run."""
    context = get_script_run_ctx()
    return [] if context is None else context.session_state.get_widget_states()


def _is_click() -> bool:
    """Return whether a button or a click in a component started this run."""
    return any("trigger" in (state.WhichOneof("value") or "") for state in _sent())


def _page() -> str:
    context = get_script_run_ctx()
    return context.page_script_hash if context is not None else ""


def _chosen() -> dict[str, str]:
    if "chosen" not in st.session_state:
        st.session_state["chosen"] = st.query_params.to_dict()
    chosen: dict[str, str] = st.session_state["chosen"]
    return chosen


def _write_url() -> None:
    """Write all choices to the URL, except texts that are too long to send."""
    wanted = {name: raw for name, raw in _chosen().items() if len(raw) <= _longest(name)}
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def _longest(name: str) -> int:
    is_code = name in (LESSON.name, MINE.name, PINS.name)
    return LONGEST_CODE_IN_URL if is_code else LONGEST_IN_URL
