"""How fast the three train: what waits for what, and the tokens per second of this machine."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, Look, curves
from app.charts.toolbar import plot_config
from app.data.translation import Translation, model_info
from app.format import grouped
from app.i18n import _
from app.page.live_training import draw_live, training
from app.ui.chart import theme_mode
from app.ui.table import Columns, table, table_fold
from app.views.history.evolution import texts
from app.views.history.evolution.data import (
    LENGTHS,
    MODELS,
    TOKENS,
    Speed,
    configs,
    speeds,
    steps_in_a_row,
)
from app.views.history.evolution.scores import ROLES

LOOKS: Final[dict[str, Look]] = dict(zip(MODELS, ("points", "dash", "line"), strict=True))
LONGER: Final = 10


def draw_speed(made: Mapping[str, Translation]) -> None:
    """Draw the steps that wait for one another, and measure what that costs."""
    first = next(iter(made.values()))
    source = [token.id for token in first.source.tokens]
    n_src, n_tgt = len(source), len(first.target.tokens)
    st.markdown(_(texts.SPEED).format(n_src=n_src, n_tgt=n_tgt))
    st.table(_steps(made, n_src, n_tgt))
    st.markdown(_(texts.MEASURE).format(tokens=TOKENS))
    names = tuple(made)
    running = training("speed", names, lambda: speeds(names, source), first=0)
    draw_live(running, len(LENGTHS) * len(names), _draw, start=texts.START)
    st.caption(_(texts.PARALLEL))


def _steps(made: Mapping[str, Translation], n_src: int, n_tgt: int) -> dict[str, list[str]]:
    built = configs(tuple(made))
    return {
        _(texts.MODEL): [_(texts.NAMES[name]) for name in made],
        _(texts.PARAMETERS): [grouped(model_info(name).parameters) for name in made],
        _(texts.IN_A_ROW): [str(steps_in_a_row(built[name], n_src, n_tgt)) for name in made],
        _(texts.IN_A_ROW_LONG): [
            str(steps_in_a_row(built[name], LONGER * n_src, LONGER * n_tgt)) for name in made
        ],
    }


def _draw(measured: Sequence[Speed]) -> None:
    """Draw what is measured so far."""
    if not measured:
        st.info(_(texts.NOTHING_YET))
        return
    by_name = {name: [one for one in measured if one.name == name] for name in MODELS}
    found = {name: of for name, of in by_name.items() if of}
    drawn = [
        Curve(
            _(texts.NAMES[name]), np.array([one.length for one in of]),
            np.array([one.tokens_per_second for one in of]), ROLES[name], LOOKS[name],
        )
        for name, of in found.items()
    ]  # fmt: skip
    figure = curves(
        drawn, step_title=_(texts.LENGTH_AXIS), value_title=_(texts.SPEED_AXIS),
        steps=LENGTHS[-1], mode=theme_mode(), height=300,
    )  # fmt: skip
    st.plotly_chart(
        figure, theme=None, config=plot_config("speed"), key="speed", alt=_(texts.SPEED_TITLE)
    )
    for of in found.values():
        st.markdown(f"- {_said(of)}")
    table_fold("speed", lambda: table(_columns(measured), "speed"))


def _said(of: Sequence[Speed]) -> str:
    """Say how fast one model is in short sentences, and in the longest so far."""
    short, long = of[0], of[-1]
    return _(texts.MEASURED).format(
        name=_(texts.NAMES[short.name]), low=short.length, high=long.length,
        short=grouped(round(short.tokens_per_second)), long=grouped(round(long.tokens_per_second)),
        ratio=round(100 * long.tokens_per_second / short.tokens_per_second),
    )  # fmt: skip


def _columns(measured: Sequence[Speed]) -> Columns:
    return {
        _(texts.MODEL): [_(texts.NAMES[one.name]) for one in measured],
        _(texts.LENGTH_AXIS): [str(one.length) for one in measured],
        _("tokens of a batch"): [str(one.tokens) for one in measured],
        _("seconds of a batch"): [one.seconds for one in measured],
        _(texts.SPEED_AXIS): [one.tokens_per_second for one in measured],
    }
