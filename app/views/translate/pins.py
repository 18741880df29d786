"""Runs that are kept to compare others with: which they are, in the address and in the session."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from app import state
from app.data.atlas import first_head
from app.data.changed import UserError, read, run_walk
from app.data.translation import (
    ModelUnavailableError,
    NothingToTranslateError,
    Translation,
    readable,
)
from app.data.walk import Walk
from app.inspector.attention import Look, chosen_look, kinds
from app.lesson import packed, unpacked
from app.state import Param, Settings, one_of
from app.ui import chosen

MOST: Final = 4
PAGE: Final = "page"  # the run that is on the page, beside the numbers of the pinned ones
RUN_A: Final = Param[str]("a", "1", one_of(PAGE, *"1234"))
RUN_B: Final = Param[str]("b", PAGE, one_of(PAGE, *"1234"))
# What makes up a run and the look at it.
PARAMS: Final[tuple[Param[Any], ...]] = (
    state.MODEL,
    state.TEXT,
    state.METHOD,
    state.BEAM,
    state.TEMPERATURE,
    state.TOP_K,
    state.TOP_P,
    state.SEED,
    state.KIND,
    state.LAYER,
    state.HEAD,
    state.MERGE,
    state.HIDE,
    state.CHANGES,
)


@dataclass(frozen=True)
class PinnedRun:
    """A run and the look at it, as the address writes them; the same run has the same settings.

    Raises ValueError where there is no such run.
    """

    settings: Settings

    @classmethod
    def of(cls, shown: Translation) -> Self:
        """Return the run that is on the page."""
        values = {param: param.get() for param in PARAMS}
        values |= {state.MODEL: shown.model, state.TEXT: shown.text, state.CHANGES: shown.changes}
        if kinds(shown):
            look = chosen_look(shown)
            head = str(look.head + 1) if isinstance(look.head, int) else look.head
            is_first = look.head == first_head(shown.model, look.kind).head
            values |= {state.KIND: look.kind, state.LAYER: str(look.layer + 1)}
            values |= {state.HEAD: "" if is_first else head}
        return cls.read(state.settings_of(values))

    @classmethod
    def read(cls, raw: object) -> Self:
        """Return a run by settings that anybody may have written."""
        if not isinstance(raw, dict) or not all(isinstance(text, str) for text in raw.values()):
            raise ValueError("These are no settings.")
        values = {param: param.get(raw) for param in PARAMS}
        if not values[state.MODEL] or not readable(values[state.TEXT] or ""):
            raise ValueError("Nothing is translated there.")
        way = chosen.decoding(raw)
        values |= {
            state.BEAM: way.beam,
            state.TEMPERATURE: way.temperature,
            state.TOP_K: way.top_k,
            state.TOP_P: way.top_p,
            state.SEED: way.seed,
        }
        try:
            read(values[state.CHANGES])
        except UserError as error:
            raise ValueError("These are no changes.") from error
        return cls(state.settings_of(values))

    @property
    def text(self) -> str:
        """The sentence that was translated."""
        return state.TEXT.get(self.settings) or ""

    @property
    def model(self) -> str:
        """The name of the model."""
        return state.MODEL.get(self.settings)

    def walk(self) -> Walk | None:
        """Return the run with every number; None where its model is not there any more."""
        way, changes = chosen.decoding(self.settings), state.CHANGES.get(self.settings)
        try:
            return run_walk(self.model, self.text, way, changes)
        except (ModelUnavailableError, NothingToTranslateError):
            return None

    def look(self, walk: Walk) -> Look | None:
        """Return the attention that was looked at, if the model has one."""
        return chosen_look(walk.translation, self.settings) if kinds(walk.translation) else None


def pinned() -> tuple[PinnedRun, ...]:
    """Return the runs that are pinned, each once; an address that makes no sense has none."""
    try:
        raw = unpacked(state.PINS.get()) if state.PINS.get() else []
    except ValueError:
        return ()
    found: list[PinnedRun] = []
    for settings in raw if isinstance(raw, list) else []:
        try:
            run = PinnedRun.read(settings)
        except ValueError:
            continue
        if run not in found:
            found.append(run)
    return tuple(found[:MOST])


def keep(runs: Sequence[PinnedRun]) -> None:
    """Make these the pinned runs."""
    state.PINS.set(packed([dict(run.settings) for run in runs]) if runs else "")


def pin(run: PinnedRun) -> None:
    """Pin a run, unless it is pinned already or there are as many as there may be."""
    runs = pinned()
    if run not in runs and len(runs) < MOST:
        keep((*runs, run))


def remove(at: int) -> None:
    """Pin a run no longer; those after it move up, also where they are compared."""
    runs = pinned()
    for param in (RUN_A, RUN_B):
        value = param.get()
        if value != PAGE and int(value) > at:
            left = int(value) - 1
            param.set(param.default if left == at else str(left))
    keep((*runs[:at], *runs[at + 1 :]))
