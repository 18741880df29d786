"""One step of a gated recurrent unit: its two gates, the candidate and the new state."""

from collections.abc import Iterable, Sequence

import streamlit as st

from app.components.board import Grid, Op
from app.format import number, percent, quoted
from app.i18n import _
from app.inspector.arrays import STATE_FOLD, arrays, grid, state_grid
from app.inspector.naming import token_markdown
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.unrolled import UNIT, Moment


def gru_text(moment: Moment) -> str:
    """Say what the two gates are made of, and what they let through."""
    return f"{_(texts.GRU).format(doing=moment.doing)}\n\n{_(texts.NEW)}"


def draw_gru(moment: Moment) -> None:
    """Draw what the chosen step reads, its gates, the candidate and the new state."""
    side, before = "src" if moment.reading else "tgt", _("previous state")
    x = f"x · {quoted(moment.token.text)}"
    reset, update, candidate, after = _of_token(moment)
    items: list[Grid | Op] = [
        grid(moment.walk, f"{side}.embed", (moment.at, None), x, fold=STATE_FOLD),
        Op("+"),
        state_grid(moment.walk, f"{moment.scope}.before", moment.at, before, "residual"),
        Op("→"),
        reset,
        update,
        candidate,
        Op("→"),
        after,
    ]
    arrays(moment.walk, items, key="gru")


def pick_unit(moment: Moment) -> None:
    """Draw the choice of one number of the state."""
    units, tip = moment.walk.array(moment.states).shape[1], _(texts.UNIT_HELP)
    with st.container(width=200):
        st.number_input(_("Unit"), 1, units, key=UNIT.widget(moment.unit + 1), help=tip)


def unit_text(moment: Moment) -> str:
    """Say how much of its old value the unit keeps."""
    z, n, old, new = _numbers(moment)
    values = {"old": old, "candidate": n, "new": new}
    written = {name: number(value, 3) for name, value in values.items()}
    written |= {"keep": percent(z), "take": percent(1 - z), "word": token_markdown(moment.token)}
    return _(texts.UNIT).format(unit=moment.unit + 1, **written)


def draw_unit(moment: Moment) -> None:
    """Draw the gates, the candidate and the state of the unit along the sentence."""
    arrays(moment.walk, _part(moment, (None, moment.unit), "rznh"), key="unit")


def _numbers(moment: Moment) -> tuple[float, ...]:
    """Return z, n and the state before and after, of the unit at the chosen step."""
    names = *(f"{moment.scope}.{part}" for part in ("update", "candidate", "before")), moment.states
    return tuple(float(moment.walk.array(name)[moment.at, moment.unit]) for name in names)


def _of_token(moment: Moment) -> list[Grid]:
    """Return r, z, n and the state after the chosen step."""
    names = _("reset gate r"), _("update gate z"), _("candidate n"), _("state after")
    return _part(moment, (moment.at, None), names)


def _part(moment: Moment, index: Sequence[int | None], titles: Iterable[str]) -> list[Grid]:
    """Return r, z, n and h of one token or of one unit."""
    walk, scope = moment.walk, moment.scope
    r, z, n, h = titles
    # Of one token, small pictures; of one unit, cells with the tokens' names.
    look = {} if index[0] is None else {"fold": STATE_FOLD}
    return [
        grid(walk, f"{scope}.reset", index, r, scale="weights", role="query", **look),
        grid(walk, f"{scope}.update", index, z, scale="weights", role="key", **look),
        grid(walk, f"{scope}.candidate", index, n, reach=1.0, role="value", **look),
        grid(walk, moment.states, index, h, reach=1.0, role="output", **look),
    ]
