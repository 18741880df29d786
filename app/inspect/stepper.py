"""Step through decoding: what was written, what could come next, and where the decoder looked."""

import numpy as np
import streamlit as st

from app.charts.bars import next_token_bars, row_bars
from app.charts.toolbar import plot_config
from app.components.chips import Chip, chips
from app.data.translation import Step, Translation
from app.i18n import _
from app.inspect.attention import Look, explain, kinds, pick
from app.texts.attention import NO_ATTENTION
from app.ui import player
from app.ui.chart import theme_mode
from app.ui.live_part import live_part
from app.ui.table import table, table_fold


def stepper(translation: Translation) -> None:
    """Draw the choice of head, the play button, and the step."""
    if not translation.steps:
        st.info(_("There was nothing to decode."))
        return
    look = pick(translation, steps=True) if kinds(translation) else None
    live_part(
        lambda: _draw_step(translation, look),
        failed=_("This sentence could not be translated; the server's log says why."),
        run_every=player.pace(),
    )


def _draw_step(translation: Translation, now: Look | None) -> None:
    steps = translation.steps
    player.tick(len(steps))
    player.controls(len(steps))
    at = player.step_of(len(steps)) - 1
    step = steps[at]
    written = translation.target.tokens[: at + 1]
    chips(
        [Chip(token.text, token.starts_word, token.special) for token in written],
        key="written",
        label=_("Written so far"),
        role="output",
    )
    left, right = st.columns(2, gap="large")
    with left:
        candidates(translation, at)
    with right:
        if now is None:
            st.info(_(NO_ATTENTION))
        else:
            _looked(now, at)
    if now is not None:
        explain(now, steps=True)
    table_fold("steps", lambda: candidates_table(step, at))


def candidates(translation: Translation, at: int) -> None:
    """Draw the likeliest tokens of a step as bars, the one taken marked."""
    step = translation.steps[at]
    title = _("What could come next")
    figure = next_token_bars(
        np.array([candidate.probability for candidate in step.candidates]),
        [candidate.token.text for candidate in step.candidates],
        value_title=_("probability, of the whole vocabulary"),
        title=title,
        mode=theme_mode(),
        chosen=step.chosen,
    )
    st.plotly_chart(figure, theme=None, config=plot_config("next-token"), key="next", alt=title)
    if translation.decoding.method == "sample":
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
        mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("looked"), key="looked", alt=title)


def candidates_table(step: Step, at: int) -> None:
    """Draw the tokens of a step as a table."""
    columns: dict[str, list[str | float]] = {
        _("token"): [candidate.token.text for candidate in step.candidates],
        _("probability"): [candidate.probability for candidate in step.candidates],
    }
    if any(candidate.drawn_with is not None for candidate in step.candidates):
        columns[_("drawn with")] = [candidate.drawn_with or 0.0 for candidate in step.candidates]
    columns[_("taken")] = ["✓" if i == step.chosen else "" for i in range(len(step.candidates))]
    table(columns, f"step-{at + 1}")
