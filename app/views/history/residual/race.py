"""Four networks that race: shallow and deep, plain and with shortcuts."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.toolbar import plot_config
from app.i18n import _
from app.page.live_training import draw_live, training
from app.state import Param, one_of, whole
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.views.history.residual import texts
from app.views.history.residual.data import (
    SHALLOW,
    UPDATES,
    WIDTH,
    Plan,
    Report,
    laps,
    plans,
    race,
)

DEPTH: Final = Param[str]("rdepth", "30", one_of("20", "30", "40"))
SEED: Final = Param[int]("rseed", 0, whole(0, 999))
FIRST: Final = 2  # reports made before the page is first seen


def draw_race() -> None:
    """Draw the choices and the race."""
    st.header(_(texts.RACE_TITLE), anchor=False)
    depth, seed = int(DEPTH.get()), SEED.get()
    st.markdown(_(texts.RACE).format(shallow=SHALLOW, depth=depth, width=WIDTH, updates=UPDATES))
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        st.segmented_control(
            _("Layers"), ["20", "30", "40"], required=True, key=DEPTH.widget(),
            help=_(texts.DEPTH_HELP),
        )  # fmt: skip
        st.number_input(
            _("Random numbers (seed)"), 0, 999, step=1, key=SEED.widget(),
            help=_(texts.SEED_HELP), width=200,
        )  # fmt: skip
    running = training("residual", (depth, seed), lambda: race(depth, seed), FIRST)
    draw_live(running, laps(), partial(_draw, plans(depth, seed)), before=1)


def _draw(racing: Sequence[Plan], reports: Sequence[Report]) -> None:
    at = np.array([report.update for report in reports])
    wrong = [np.array([report.laps[i].learned_wrong for report in reports]) for i in range(4)]
    drawn = [
        Curve(
            _name(plan), at, wrong[i], "value" if plan.shortcut else "key",
            "dash" if plan.depth == SHALLOW else "line",
        )
        for i, plan in enumerate(racing)
    ]  # fmt: skip
    title = _(texts.WRONG_TITLE)
    figure = curves(
        drawn, step_title=_("update"), value_title="", steps=UPDATES,
        span=(0, 1.0), mode=theme_mode(), height=340,
    )  # fmt: skip
    st.caption(title)
    st.plotly_chart(figure, theme=None, config=plot_config("race"), key="residual-race", alt=title)
    _said(racing, reports[-1])
    table_fold("residual-race", lambda: _table(racing, reports))


def _said(racing: Sequence[Plan], last: Report) -> None:
    shallow, _short, plain, residual = (lap.learned_wrong for lap in last.laps)
    st.markdown(
        _(texts.RESULT).format(
            update=last.update, shallow=SHALLOW, depth=racing[-1].depth,
            shallow_wrong=f"{100 * shallow:.1f}", plain_wrong=f"{100 * plain:.1f}",
            residual_wrong=f"{100 * residual:.1f}",
        )
    )  # fmt: skip
    if last.update == UPDATES and plain > 2 * max(shallow, residual):
        st.success(_(texts.DEGRADED), icon=":material/check:")


def _table(racing: Sequence[Plan], reports: Sequence[Report]) -> None:
    columns: dict[str, list[float]] = {_("update"): [report.update for report in reports]}
    for i, plan in enumerate(racing):
        name, all_laps = _name(plan), [report.laps[i] for report in reports]
        columns[_("{name}: loss").format(name=name)] = [lap.loss for lap in all_laps]
        columns[_("{name}: wrong").format(name=name)] = [lap.learned_wrong for lap in all_laps]
        columns[_("{name}: wrong, held out").format(name=name)] = [
            lap.held_out_wrong for lap in all_laps
        ]
    table(columns, "race")


def _name(plan: Plan) -> str:
    return _(texts.NAMES[plan.shortcut]).format(depth=plan.depth)
