"""One step of a gated recurrent unit: its two gates, the candidate and the new state."""

from collections.abc import Iterable, Sequence

import streamlit as st

from app.components.board import Grid, Op
from app.format import number, percent
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.unrolled import UNIT, Moment


def draw_gru(moment: Moment) -> None:
    """Draw the chosen step as vectors, then one unit of it in numbers and along the sentence."""
    walk, unit = moment.walk, moment.unit
    arrays(walk, _vectors(moment), key="gru")
    with st.container(width=200):
        units, tip = walk.array(moment.states).shape[1], _(texts.UNIT_HELP)
        st.number_input(_("Unit"), 1, units, key=UNIT.widget(unit + 1), help=tip)
    _draw_numbers(moment)
    st.markdown(_(texts.UNIT_ALONG))
    arrays(walk, _part(moment, (None, unit), "rznh"), key="unit")


def _vectors(moment: Moment) -> list[Grid | Op]:
    walk, at, side = moment.walk, moment.at, "src" if moment.reading else "tgt"
    names = _("reset gate r"), _("update gate z"), _("candidate n"), _("state after")
    *gates, after = _part(moment, (at, None), names)
    return [
        grid(walk, f"{side}.embed", (at, None), f"x · “{moment.token.text}”"),
        Op("+"),
        grid(walk, f"{moment.scope}.before", (at, None), _("state before"), reach=1.0),
        Op("→"),
        *gates,
        Op("→"),
        after,
    ]


def _draw_numbers(moment: Moment) -> None:
    """Write (1 − z) n + z h of one unit."""
    names = *(f"{moment.scope}.{part}" for part in ("update", "candidate", "before")), moment.states
    z, n, old, new = (float(moment.walk.array(name)[moment.at, moment.unit]) for name in names)
    st.markdown(_(texts.UNIT).format(unit=moment.unit + 1))
    taken = rf"(1 - {_tex(z)}) \cdot {_tex(n, True)}"
    kept = rf"{_tex(z)} \cdot {_tex(old, True)}"
    st.latex(rf"(1 - z)\, n + z\, h = {taken} + {kept} = {_tex(new)}")
    values = {"old": number(old, 3), "candidate": number(n, 3)}
    st.markdown(_(texts.UNIT_KEEPS).format(keep=percent(z), take=percent(1 - z), **values))


def _part(moment: Moment, index: Sequence[int | None], titles: Iterable[str]) -> list[Grid]:
    """Return r, z, n and h of one token or of one unit."""
    walk, scope = moment.walk, moment.scope
    r, z, n, h = titles
    return [
        grid(walk, f"{scope}.reset", index, r, scale="weights", role="query"),
        grid(walk, f"{scope}.update", index, z, scale="weights", role="key"),
        grid(walk, f"{scope}.candidate", index, n, reach=1.0, role="value"),
        grid(walk, moment.states, index, h, reach=1.0, role="output"),
    ]


def _tex(x: float, bracketed: bool = False) -> str:
    text = f"{x:.3f}"
    return f"({text})" if bracketed and x < 0 else text
