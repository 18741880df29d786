"""Step through decoding: what was written, what could come next, and where the decoder looked."""

import time

import numpy as np
import streamlit as st

from app import state
from app.charts.bars import next_token_bars, row_bars
from app.charts.theme import as_mode
from app.charts.toolbar import plot_config
from app.i18n import _
from app.services import Step, Translation
from app.widgets.attention import Look, explain, pick
from app.widgets.chips import Chip, chips
from app.widgets.table import table, table_fold

SECONDS = 1.0  # a step, when playing


def stepper(translation: Translation) -> None:
    """Draw the choice of head, the play button, and the step."""
    if not translation.steps:
        st.info(_("There was nothing to decode."))
        return
    now = pick(translation, steps=True)
    playing = bool(st.session_state.get("playing"))
    player = st.fragment(_step, run_every=SECONDS if playing else None)
    player(now, playing)


def stop() -> None:
    """Stop playing."""
    st.session_state["playing"] = False


def _step(now: Look, playing: bool) -> None:
    state.sync()
    steps = now.translation.steps
    if playing:
        _tick(len(steps))
    at = min(state.STEP.get(), len(steps)) - 1
    _controls(at, len(steps), playing)
    step = steps[at]
    written = now.translation.target.tokens[: at + 1]
    chips(
        [Chip(token.text, token.starts_word, token.special) for token in written],
        key="written",
        label=_("Written so far"),
        role="output",
    )
    left, right = st.columns(2, gap="large")
    with left:
        _candidates(step, now)
    with right:
        _looked(now, at)
    explain(now, steps=True)
    table_fold("steps", lambda: _table(step, at))


def _tick(count: int) -> None:
    """Go one step on, unless the visitor did something before its time; stop at the end."""
    last = st.session_state.setdefault("ticked", time.monotonic())
    if time.monotonic() - last < SECONDS * 0.8:
        return
    st.session_state["ticked"] = time.monotonic()
    if state.STEP.get() < count:
        _go(state.STEP.get() + 1, count)
        return
    stop()
    st.rerun()


def _go(step: int, count: int) -> None:
    state.STEP.set(min(max(step, 1), count))


def _controls(at: int, count: int, playing: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            _("Back"), icon=":material/arrow_back:", shortcut="Left", disabled=at == 0,
            on_click=_go, args=(at, count), key="step-back",
        )  # fmt: skip
        if st.button(
            _("Pause") if playing else _("Play"), key="step-play",
            icon=":material/pause:" if playing else ":material/play_arrow:",
            on_click=_play, args=(not playing, at, count),
        ):  # fmt: skip
            st.rerun()  # the whole page: only then does the timer start or stop
        st.button(
            _("Next"), icon=":material/arrow_forward:", shortcut="Right", disabled=at == count - 1,
            on_click=_go, args=(at + 2, count), key="step-next",
        )  # fmt: skip
        if count > 1:
            st.slider(_("Step"), 1, count, key=state.STEP.widget(at + 1))


def _play(playing: bool, at: int, count: int) -> None:
    st.session_state["playing"] = playing
    st.session_state["ticked"] = time.monotonic()
    if playing and at == count - 1:
        _go(1, count)


def _candidates(step: Step, now: Look) -> None:
    drawn = now.translation.decoding.method == "sample"
    title = _("What could come next")
    figure = next_token_bars(
        np.array([candidate.probability for candidate in step.candidates]),
        [candidate.token.text for candidate in step.candidates],
        value_title=_("probability, of the whole vocabulary"),
        title=title,
        mode=as_mode(st.context.theme.type),
        chosen=step.chosen,
    )
    st.plotly_chart(figure, theme=None, config=plot_config("next-token"), key="next", alt=title)
    if drawn:
        st.caption(
            _(
                "These are the model's own probabilities. The table also has those that the "
                "token was drawn with, after temperature, top-k and top-p."
            )
        )


def _looked(now: Look, at: int) -> None:
    title = _("Where the decoder looked")
    figure = row_bars(
        now.weights[at], now.keys.labels, value_title=_("weight"), title=title,
        mode=as_mode(st.context.theme.type),
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("looked"), key="looked", alt=title)


def _table(step: Step, at: int) -> None:
    columns: dict[str, list[str | float]] = {
        _("token"): [candidate.token.text for candidate in step.candidates],
        _("probability"): [candidate.probability for candidate in step.candidates],
    }
    if any(candidate.drawn_with is not None for candidate in step.candidates):
        columns[_("drawn with")] = [candidate.drawn_with or 0.0 for candidate in step.candidates]
    columns[_("taken")] = ["✓" if i == step.chosen else "" for i in range(len(step.candidates))]
    table(columns, f"step-{at + 1}")
