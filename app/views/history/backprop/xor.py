"""A small network that learns XOR with the engine, live; and what becomes of other starts."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.plane import Dots, Surface, plane
from app.charts.toolbar import plot_config
from app.components.board import Grid, board
from app.i18n import _
from app.page.live_training import draw_live, training
from app.state import Param, one_of, whole
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.views.history.backprop import texts
from app.views.history.backprop.data import (
    ENOUGH,
    INPUTS,
    STARTS,
    TARGETS,
    Plan,
    Report,
    Squash,
    descend,
    learn,
    surface,
)

SLOW, PAUSE = 200, 0.004  # seconds after each of the first updates: they are too fast for the eye

SQUASHES: tuple[Squash, ...] = ("tanh", "sigmoid")
HIDDEN = Param[str]("bh", "2", one_of("2", "3"))
SQUASH = Param[Squash]("bs", "tanh", one_of(*SQUASHES))
RATE = Param[str]("br", "1", one_of("0.5", "1", "2", "4"))
SEED = Param[int]("bseed", 0, whole(0, 9999))
PLACES = np.linspace(-0.5, 1.5, 41)
SPAN = (-0.5, 1.5)
POINTS = 400  # more than this, and the curve is thinned out
REACHES = (100, 200, 500, 1000)  # where the axis of the updates may end


def plan_of() -> Plan:
    """Return the network and its training as they are chosen."""
    return Plan(int(HIDDEN.get()), SQUASH.get(), float(RATE.get()), SEED.get())


def draw_learning() -> None:
    """Draw the choices, and the training."""
    plan = plan_of()
    st.markdown(_(texts.XOR).format(hidden=plan.hidden, n=plan.n_weights))
    st.latex(
        rf"E = \tfrac{{1}}{{2}} \sum (\text{{{_(texts.OUTPUT)}}} - \text{{{_(texts.WANTED)}}})^2"
        r" \quad w \leftarrow w - \eta\,\frac{\partial E}{\partial w}"
    )
    st.caption(_(texts.XOR_RULE))
    _choices()
    draw_live(
        training("xor", plan, lambda: learn(plan)),
        plan.updates + 1,
        lambda reports: _draw(plan, reports),
        before=1,
        pause=lambda count: PAUSE if count <= SLOW else 0.0,
    )


def _choices() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            _("Hidden units"), ["2", "3"], required=True, key=HIDDEN.widget(),
            help=_(texts.HIDDEN_HELP),
        )  # fmt: skip
        st.segmented_control(
            _("Hidden function"), list(SQUASHES), required=True, key=SQUASH.widget(),
            help=_(texts.SQUASH_HELP),
        )  # fmt: skip
        st.segmented_control(
            _("Step size η"), ["0.5", "1", "2", "4"], required=True, key=RATE.widget(),
            help=_(texts.RATE_HELP),
        )  # fmt: skip
        st.number_input(
            _("Seed"), 0, 9999, step=1, key=SEED.widget(), help=_(texts.SEED_HELP), width=130
        )  # fmt: skip


def _draw(plan: Plan, reports: Sequence[Report]) -> None:
    now = reports[-1]
    _verdict(plan, reports)
    left, right = st.columns(2, gap="medium")
    with left:
        _surface(plan, now)
    with right:
        _curve(plan, reports)
        st.table(_rows(now))
    st.markdown(_(texts.WEIGHTS))
    st.table(_weights(plan, now))
    table_fold("xor-errors", lambda: table(_errors(reports), "xor"))


def _verdict(plan: Plan, reports: Sequence[Report]) -> None:
    now, made = reports[-1], len(reports) - 1
    said = {"right": now.right, "loss": f"{now.loss:.4f}", "n": made}
    if now.loss < ENOUGH:
        st.success(_(texts.LEARNED).format(**said), icon=":material/check:")
    elif made == plan.updates:
        st.warning(_(texts.STUCK).format(**said), icon=":material/landscape:")
    else:
        st.info(_(texts.LEARNING).format(**said), icon=":material/trending_down:")


def _surface(plan: Plan, now: Report) -> None:
    figure = plane(
        [
            Dots(
                _("XOR = {wanted}").format(wanted=wanted),
                np.array([row for row, t in zip(INPUTS, TARGETS, strict=True) if t == wanted]),
                "output", "circle" if wanted else "circle-open", size=16,
            )
            for wanted in (1, 0)
        ],
        [], across=SPAN, up=SPAN, x_title="x₁", y_title="x₂",
        surface=Surface(PLACES, surface(now, plan, PLACES), _("output")),
        mode=theme_mode(), height=380,
    )  # fmt: skip
    alt = _("What the network says for every point of the plane")
    st.plotly_chart(figure, theme=None, config=plot_config("xor"), key="xor-surface", alt=alt)
    st.caption(_(texts.SURFACE))


def _curve(plan: Plan, reports: Sequence[Report]) -> None:
    losses = np.array([report.loss for report in reports])
    at = np.unique(np.linspace(0, len(losses) - 1, min(len(losses), POINTS)).round().astype(int))
    title = _("The error, update by update")
    figure = curves(
        [Curve(_("error"), at, losses[at], "output")], step_title=_("update"),
        value_title=_("error E"), title=title, steps=_reach(len(losses) - 1, plan.updates),
        mode=theme_mode(), height=220,
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("xor-error"), key="xor-error", alt=title)


def _reach(made: int, most: int) -> int:
    """How far the axis goes: far enough, and the same for many updates."""
    return next((reach for reach in REACHES if made <= reach), most)


def _rows(now: Report) -> dict[str, list[str]]:
    return {
        "x₁": [str(row[0]) for row in INPUTS],
        "x₂": [str(row[1]) for row in INPUTS],
        _("output"): [f"{said:.4f}" for said in now.outputs],
        "XOR": [str(goal) for goal in TARGETS],
        _("right?"): [
            "✓" if (said > 0.5) == bool(goal) else "✗"
            for said, goal in zip(now.outputs, TARGETS, strict=True)
        ],
    }


def _weights(plan: Plan, now: Report) -> dict[str, list[str]]:
    return {
        _("weight"): weight_names(plan),
        _("value"): [f"{w:.4f}".replace("-", "−") for w in now.weights],
        "∂E/∂w": [f"{s:+.5f}".replace("-", "−") for s in now.slopes],
    }


def weight_names(plan: Plan) -> list[str]:
    """Name the weights in the order of a report."""
    units = [f"h{'₁₂₃'[unit]}" for unit in range(plan.hidden)]
    names = [f"{x} → {unit}" for unit in units for x in ("x₁", "x₂", _("bias"))]
    output = _("output")
    return [*names, *(f"{unit} → {output}" for unit in (*units, _("bias")))]


def _errors(reports: Sequence[Report]) -> dict[str, list[str | float]]:
    return {
        _("update"): [str(i) for i in range(len(reports))],
        _("error"): [report.loss for report in reports],
        _("rows right"): [str(report.right) for report in reports],
    }


def draw_starts() -> None:
    """Draw the error that each of the first seeds ends with."""
    plan = plan_of()
    found = descend(Plan(plan.hidden, plan.squash, plan.rate, 0, plan.updates))
    st.markdown(_(texts.STARTS).format(starts=STARTS, updates=plan.updates))
    tens = STARTS // 10
    board(
        [
            Grid(
                "", (None, None), found.losses.reshape(tens, 10), _("Error at the end"), "output",
                "weights", row_labels=[str(10 * i) for i in range(tens)],
                col_labels=[str(i) for i in range(10)],
            )
        ],
        key="starts",
    )  # fmt: skip
    stuck = np.flatnonzero(~found.learned).tolist()
    form = texts.STARTS_READ if stuck else texts.STARTS_ALL
    st.markdown(
        _(form).format(learned=STARTS - len(stuck), starts=STARTS, stuck=", ".join(map(str, stuck)))
    )
