"""How fast the three train: what waits for what, and the tokens per second of this machine."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, Look, curves
from app.data.translation import model_info
from app.format import grouped
from app.i18n import _
from app.page.live_training import draw_live, training
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.ui.table import Columns, written_table
from app.views.history.evolution import texts
from app.views.history.evolution.choice import Choice
from app.views.history.evolution.data import LENGTHS, MODELS, TOKENS, Speed, speeds, steps_in_a_row
from app.views.history.evolution.scores import ROLES

LOOKS: Final[dict[str, Look]] = dict(zip(MODELS, ("points", "dash", "line"), strict=True))
LONGER: Final = 10


def row_text(choice: Choice) -> str:
    """Say how many tokens are read and written."""
    n_src, n_tgt = _tokens(choice)
    return _(texts.ROW).format(n_src=n_src, n_tgt=n_tgt)


def guess_row(choice: Choice) -> Task:
    """Ask how many steps of the Transformer wait for one another."""
    rnn, transformer = waiting(choice)
    options = sorted({1, transformer, rnn})
    says = _(texts.ROW_SAYS).format(n=transformer)
    question = _(texts.ROW_ASK).format(n=rnn)
    right = frozenset([options.index(transformer)])
    return Task(question, [str(n) for n in options], right, says, says)


def waiting(choice: Choice) -> tuple[int, int]:
    """Return how many steps wait for one another on the sentence: in an RNN, in the last model."""
    n_src, n_tgt = _tokens(choice)
    return n_src + n_tgt, steps_in_a_row(list(choice.translations)[-1], n_src, n_tgt)


def draw_row(choice: Choice) -> None:
    """Draw the steps that wait for one another."""
    written_table(_steps(tuple(choice.translations), *_tokens(choice)))


def measure_text(_choice: Choice) -> str:
    """Say what is measured."""
    return _(texts.MEASURE).format(tokens=TOKENS)


def draw_speed(choice: Choice) -> None:
    """Measure what the waiting costs."""
    names = tuple(choice.translations)
    source = [token.id for token in next(iter(choice.translations.values())).source.tokens]
    running = training("speed", names, lambda: speeds(names, source), first=0)
    draw_live(running, len(LENGTHS) * len(names), _draw, start=texts.START)
    st.caption(_(texts.PARALLEL))


def _tokens(choice: Choice) -> tuple[int, int]:
    first = next(iter(choice.translations.values()))
    return len(first.source.tokens), len(first.target.tokens)


def _steps(names: Sequence[str], n_src: int, n_tgt: int) -> dict[str, list[str]]:
    steps = [steps_in_a_row(name, n_src, n_tgt) for name in names]
    longer = [steps_in_a_row(name, LONGER * n_src, LONGER * n_tgt) for name in names]
    return {
        _("model"): [_(texts.NAMES[name]) for name in names],
        _("parameters"): [grouped(model_info(name).parameters) for name in names],
        _("steps in a row, your sentence"): list(map(str, steps)),
        _("with ten times as many words"): list(map(str, longer)),
    }


def _draw(measured: Sequence[Speed]) -> None:
    if not measured:
        st.info(_("Nothing is measured yet."))
        return
    of_models = [[speed for speed in measured if speed.name == name] for name in MODELS]
    begun = list(filter(None, of_models))
    axes = _(texts.LENGTH_AXIS), _(texts.SPEED_AXIS)
    figure = curves([_curve(own) for own in begun], *axes, steps=LENGTHS[-1], height=210)
    show_chart(figure, "speed", _(texts.SPEED_TITLE), partial(_columns, measured))
    for own in begun:
        st.markdown(f"- {_measured(own)}")


def _curve(own: Sequence[Speed]) -> Curve:
    name = own[0].name
    lengths = np.array([speed.length for speed in own])
    rates = np.array([speed.tokens_per_second for speed in own])
    return Curve(_(texts.NAMES[name]), lengths, rates, ROLES[name], LOOKS[name])


def _measured(own: Sequence[Speed]) -> str:
    """Say how fast one model is in short sentences, and in the longest so far."""
    low, high = own[0], own[-1]
    rates = {"short": low.tokens_per_second, "long": high.tokens_per_second}
    written = {name: grouped(round(rate)) for name, rate in rates.items()}
    ratio = round(100 * rates["long"] / rates["short"])
    lengths = {"low": low.length, "high": high.length}
    return _(texts.MEASURED).format(
        name=_(texts.NAMES[low.name]), ratio=ratio, **lengths, **written
    )


def _columns(measured: Sequence[Speed]) -> Columns:
    return {
        _("model"): [_(texts.NAMES[speed.name]) for speed in measured],
        _(texts.LENGTH_AXIS): [str(speed.length) for speed in measured],
        _("tokens of a batch"): [str(speed.tokens) for speed in measured],
        _("seconds of a batch"): [speed.seconds for speed in measured],
        _(texts.SPEED_AXIS): [speed.tokens_per_second for speed in measured],
    }
