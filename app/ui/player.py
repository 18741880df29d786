"""Playing through the steps of decoding: a timer, buttons, and a scrubber."""

import time
from collections.abc import Mapping
from typing import Final, Literal

import streamlit as st

from app import state
from app.i18n import N_, _
from app.ui.buttons import button

SECONDS = 1.0  # per step, when playing
# What a step is, which names its buttons: the page already has buttons named Back and Next.
What = Literal["token", "step"]
NAMES: Final[Mapping[What, tuple[str, str]]] = {
    "token": (N_("Earlier token"), N_("Later token")),
    "step": (N_("Earlier step"), N_("Later step")),
}


def playing() -> bool:
    """Return whether the steps advance by themselves."""
    return bool(st.session_state.get("playing"))


def run_every() -> float | None:
    """Return after how many seconds a playing fragment must run again; None: not at all."""
    return SECONDS if playing() else None


def stop() -> None:
    """Stop playing."""
    st.session_state["playing"] = False


def step_of(count: int, first: int = 1, ready: int = 1) -> int:
    """Return the chosen step, limited to the existing ones; `ready` if none was chosen yet."""
    chosen = state.STEP.get()
    return min(max(ready if chosen < 0 else chosen, first), count)


def tick(count: int, first: int = 1, ready: int = 1) -> None:
    """Go to the next step, unless the visitor acted before it was due; stop at the end."""
    last = st.session_state.setdefault("ticked", time.monotonic())
    if not playing() or time.monotonic() - last < SECONDS * 0.8:
        return
    st.session_state["ticked"] = time.monotonic()
    step = step_of(count, first, ready)
    if step == st.session_state.get("played", 0) - 1:
        step += 1  # a slow browser still sends the scrubber's old position
    if step < count:
        state.STEP.set(step + 1)
        st.session_state["played"] = step + 1
        return
    stop()
    st.rerun()


def controls(
    count: int, first: int = 1, ready: int = 1, *, what: What = "step", arrows: bool = False
) -> None:
    """Draw the buttons and the scrubber of the steps from `first` to `count`.

    The arrow keys press the buttons only if `arrows` is set: on a page of screens they lead from
    one screen to the next, and the scrubber takes them while it has the focus.
    """
    step = step_of(count, first, ready)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        back, on = ("Left", "Right") if arrows else (None, None)
        earlier, later = NAMES[what]
        look = {"shortcut": back, "disabled": step == first}
        button(_(earlier), "step-back", "arrow_back", _go, max(step - 1, first), **look)
        label, icon = (_("Pause"), "pause") if playing() else (_("Play"), "play_arrow")
        if button(label, "step-play", icon, _play, not playing(), step, count, first):
            st.rerun()  # the whole page: only then does the timer start or stop
        look = {"shortcut": on, "disabled": step == count}
        button(_(later), "step-next", "arrow_forward", _go, min(step + 1, count), **look)
        if count > first:
            st.slider(_("Step"), first, count, key=state.STEP.widget(step))


def _go(step: int) -> None:
    """Go to a step that the visitor chose, and continue playing from there."""
    state.STEP.set(step)
    st.session_state["ticked"] = time.monotonic()
    st.session_state["played"] = 0


def _play(on: bool, step: int, count: int, first: int) -> None:
    """Start or stop playing; at the end, start from the beginning."""
    st.session_state["playing"] = on
    st.session_state["ticked"] = time.monotonic()
    st.session_state["played"] = 0
    if on and step == count:
        state.STEP.set(first)
