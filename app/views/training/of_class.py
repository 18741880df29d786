"""What a teacher sees above their own runs: those of the whole class, and the server's state."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import streamlit as st

from app.data import runs
from app.data.runs import RUN
from app.data.visitors import LOOKED_AT, kept_by_all, mode
from app.format import number
from app.i18n import _
from app.server.log import LATEST_ERRORS, Failure
from app.server.memory import memory
from app.server.metrics import STARTED, WAITED
from app.server.visitors import OPEN_PAGES
from app.ui.buttons import button
from app.ui.live_part import live_part
from app.ui.run_bar import STATES
from app.ui.serving import short
from app.ui.table import fold, table
from app.views.training.data import __version__, free_disk

SECONDS: Final = 10.0  # between two updates of the class
MEGABYTE: Final = 2**20
GIGABYTE: Final = 2**30


def draw_class() -> None:
    """Draw the server's state and all visitors' runs for a teacher; nothing for others."""
    if mode() != "teacher":
        return
    text = _("The class could not be shown; the server's log says why.")
    live_part(_draw_now, failed=text, run_every=SECONDS)
    failures = [*reversed(LATEST_ERRORS.failures)]
    fold(_("Disk of each visitor"), "kept-by-all", "hard_drive", _draw_kept)
    if failures:
        fold(_("The latest errors"), "failures", "error", lambda: _draw_failures(failures))
    else:
        st.caption(_("No error since the server was started."))


def _draw_now() -> None:
    all_runs = runs.of_class()
    _draw_server([run.status.state for _visitor, run in all_runs])
    st.header(_("The runs of the class"))
    if not all_runs:
        st.caption(_("No run is alive."))
        return
    columns: dict[str, Any] = {
        _("visitor"): [short(visitor) for visitor, _run in all_runs],
        _("run"): [run.name for _visitor, run in all_runs],
        _("state"): [_(STATES[run.status.state]) for _visitor, run in all_runs],
        _("training step"): [run.status.step for _visitor, run in all_runs],
    }
    table(columns, "of-class")
    with st.container(horizontal=True):
        for visitor in dict(all_runs):
            label = _("Look at {visitor}").format(visitor=short(visitor))
            if button(label, f"look-{visitor}", "visibility", _look_at, visitor):
                st.rerun()
        button(_("Stop all runs of the class"), "stop-class", "stop", runs.stop_class)


def _draw_server(states: Sequence[str]) -> None:
    st.header(_("The server"))
    waits = [number(wait, 1) for wait in map(WAITED.quantile, (0.5, 0.95)) if wait is not None]
    queued = states.count("queued")
    figures = {
        _("visitors · pages"): f"{len(OPEN_PAGES.by_visitor)} · {WAITED.pages}",
        _("wait: half · 95 of 100"): f"{' · '.join(waits)} s" if waits else "–",
        _("training · waiting"): f"{len(states) - queued} · {queued}",
        _("memory"): _gigabytes(memory()),
        _("free disk"): _gigabytes(free_disk()),
    }
    with st.container(horizontal=True, gap="large"):
        for label, value in figures.items():
            st.metric(label, value, width="content")
    text = _(
        "Version {version}, started {since}. Another copy of the server counts its own "
        "visitors, moves and memory; the figures for runs and disk cover all copies."
    )
    st.caption(text.format(version=__version__, since=_time(STARTED)))


def _gigabytes(size: int) -> str:
    return _("{size} GB").format(size=number(size / GIGABYTE, 1))


def _draw_kept() -> None:
    kept = kept_by_all()
    if not kept:
        st.caption(_("Nobody keeps anything yet."))
        return
    columns: dict[str, Any] = {
        _("visitor"): [short(visitor) for visitor, _size, _opened in kept],
        _("disk, MB"): [round(size / MEGABYTE, 2) for _visitor, size, _opened in kept],
        _("last here"): [_time(opened) for _visitor, _size, opened in kept],
    }
    table(columns, "kept-by-all")


def _draw_failures(failures: Sequence[Failure]) -> None:
    columns: dict[str, Any] = {
        _("when"): [_time(one.when) for one in failures],
        _("number"): [one.number for one in failures],
        _("error"): [one.what for one in failures],
    }
    table(columns, "failures")


def _time(seconds: float) -> str:
    """Write a time as the log does, so that it can be found there."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def _look_at(visitor: str) -> None:
    LOOKED_AT.set(visitor)
    RUN.set("")
