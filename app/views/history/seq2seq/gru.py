"""One step of a gated recurrent unit: its two gates, the candidate and the new state."""

from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, Op
from app.data.walk import Walk
from app.format import number, percent
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.unrolled import Moment, moment

UNIT: Final = state.Param[int]("gru", 0, state.whole(0, 100_000))  # from 1; 0: a telling one


def unit_of(walk: Walk) -> int:
    """Return the chosen unit, from 0; at first, the one that moves most while reading."""
    states = walk.array("encoder.0.forward.hidden")  # (S, H)
    chosen = UNIT.get()
    if 1 <= chosen <= states.shape[1]:
        return chosen - 1
    return int(np.abs(np.diff(states, axis=0)).sum(0).argmax())


def gru(walk: Walk) -> None:
    """Draw the chosen step as vectors, then one unit of it in numbers and along the sentence."""
    now = moment(walk)
    st.markdown(_(texts.GRU).format(doing=now.doing))
    arrays(walk, _vectors(now), key="gru")
    unit = unit_of(walk)
    with st.container(width=200):
        st.number_input(
            _("Unit"), 1, walk.array(now.states).shape[1], key=UNIT.widget(unit + 1),
            help=_(texts.UNIT_HELP),
        )  # fmt: skip
    _numbers(now, unit)
    st.markdown(_(texts.UNIT_ALONG))
    arrays(walk, _along(now, unit), key="unit")


def _vectors(now: Moment) -> list[Grid | Op]:
    walk, scope, at = now.walk, now.scope, now.at
    side = "src" if now.reading else "tgt"
    return [
        grid(walk, f"{side}.embed", (at, None), f"x · “{now.token.text}”"),
        Op("+"),
        grid(walk, f"{scope}.before", (at, None), _("state before"), reach=1.0),
        Op("→"),
        grid(walk, f"{scope}.reset", (at, None), _("reset gate r"), scale="weights", role="query"),
        grid(walk, f"{scope}.update", (at, None), _("update gate z"), scale="weights", role="key"),
        grid(walk, f"{scope}.candidate", (at, None), _("candidate n"), reach=1.0, role="value"),
        Op("→"),
        grid(walk, now.states, (at, None), _("state after"), reach=1.0, role="output"),
    ]


def _numbers(now: Moment, unit: int) -> None:
    """Write (1 − z) n + z h of one unit."""
    names = (*(f"{now.scope}.{part}" for part in ("update", "candidate", "before")), now.states)
    z, n, old, new = (float(now.walk.array(name)[now.at, unit]) for name in names)
    st.markdown(_(texts.UNIT).format(unit=unit + 1))
    plugged = (
        rf"(1 - {_tex(z)}) \cdot {_tex(n, True)} + {_tex(z)} \cdot {_tex(old, True)} = {_tex(new)}"
    )
    st.latex(rf"(1 - z)\, n + z\, h = {plugged}")
    st.markdown(
        _(texts.UNIT_KEEPS).format(
            keep=percent(z), take=percent(1 - z), old=number(old, 3), candidate=number(n, 3)
        )
    )


def _along(now: Moment, unit: int) -> list[Grid | Op]:
    """Return r, z, n and h of one unit, a number for each token of its sentence."""
    walk, scope = now.walk, now.scope
    return [
        grid(walk, f"{scope}.reset", (None, unit), "r", scale="weights", role="query"),
        grid(walk, f"{scope}.update", (None, unit), "z", scale="weights", role="key"),
        grid(walk, f"{scope}.candidate", (None, unit), "n", reach=1.0, role="value"),
        grid(walk, now.states, (None, unit), "h", reach=1.0, role="output"),
    ]


def _tex(x: float, bracketed: bool = False) -> str:
    text = f"{x:.3f}"
    return f"({text})" if bracketed and x < 0 else text
