"""Four networks that race: shallow and deep, plain and with shortcuts."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from app.charts.curves import Curve, Look, curves
from app.charts.theme import Role
from app.format import number
from app.i18n import _
from app.page.live_training import draw_live
from app.ui.chart import show_chart
from app.ui.pickers import pick, pick_seed
from app.ui.table import Columns
from app.views.history.residual import texts
from app.views.history.residual.choice import DEPTH, DEPTHS, SEED, Choice
from app.views.history.residual.data import SHALLOW, Plan, Report, deep, plans


def pick_race(_choice: Choice) -> None:
    """Draw the choice of the depth and the seed."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick(DEPTH, _("Layers"), DEPTHS, help=_(texts.DEPTH_HELP))
        pick_seed(SEED, _(texts.SEED_HELP))


def race_text(choice: Choice) -> str:
    """Say who races."""
    sizes = {"shallow": SHALLOW, "depth": choice.depth, "width": deep.WIDTH}
    return _(texts.RACE).format(**sizes)


def draw_race(choice: Choice) -> None:
    """Draw the race."""
    racing = plans(choice.depth, SEED.get())
    draw_live(choice.training, deep.REPORTS, partial(_draw, racing), before=1)


def _draw(racing: Sequence[Plan], reports: Sequence[Report]) -> None:
    at, lines = np.array([report.update for report in reports]), []
    for i, plan in enumerate(racing):
        wrong = np.array([report.laps[i].learned_wrong for report in reports])
        role: Role = "value" if plan.shortcut else "key"
        look: Look = "dash" if plan.depth == SHALLOW else "line"
        lines.append(Curve(_name(plan), at, wrong, role, look))
    titles = _("update"), _("read wrongly")
    figure = curves(lines, *titles, steps=deep.UPDATES, span=(0, 1.0), height=250)
    left, right = st.columns([0.68, 0.32], gap="small", vertical_alignment="center")
    with left:
        title, numbers = _(texts.WRONG_TITLE), partial(_columns, racing, reports)
        show_chart(figure, "residual-race", title, numbers)
    with right:
        _draw_result(racing[-1].depth, reports[-1])


def _draw_result(depth: int, last: Report) -> None:
    shallow, _short, plain, residual = (lap.learned_wrong for lap in last.laps)
    shares = {"shallow_wrong": shallow, "plain_wrong": plain, "residual_wrong": residual}
    written = {name: number(100 * share, 1) for name, share in shares.items()}
    about = {"update": last.update, "updates": deep.UPDATES, "shallow": SHALLOW, "depth": depth}
    st.markdown(_(texts.RESULT).format(**about, **written))
    if last.update == deep.UPDATES and plain > 2 * max(shallow, residual):
        st.markdown(_(texts.DEGRADED))


def _columns(racing: Sequence[Plan], reports: Sequence[Report]) -> Columns:
    columns: dict[str, list[float]] = {_("update"): [report.update for report in reports]}
    for i, plan in enumerate(racing):
        name, own = _name(plan), [report.laps[i] for report in reports]
        held_out = _("{name}: wrong, held out").format(name=name)
        columns[_("{name}: loss").format(name=name)] = [lap.loss for lap in own]
        columns[_("{name}: wrong").format(name=name)] = [lap.learned_wrong for lap in own]
        columns[held_out] = [lap.held_out_wrong for lap in own]
    return columns


def _name(plan: Plan) -> str:
    return _(texts.NAMES[plan.shortcut]).format(depth=plan.depth)
