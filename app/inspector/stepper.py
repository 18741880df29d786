"""Step through decoding: what was written, what could come next, and where the decoder looked."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from app.charts.bars import distribution_bars
from app.data.changed import translation_of
from app.data.decoding import Candidate
from app.data.translation import DecodingStep, Run, Translation
from app.i18n import _
from app.inspector.attention import (
    NO_ATTENTION,
    draw_explanation,
    kinds,
    look_of_steps,
)
from app.inspector.naming import quoted_token
from app.inspector.picks import token_chips
from app.ui import player
from app.ui.about import about
from app.ui.chart import show_chart
from app.ui.live_part import live_part
from app.ui.table import Columns


def draw_steps(translation: Translation) -> None:
    """Draw the choice of head, the play button, and the step."""
    if not translation.steps:
        st.info(_("There was nothing to decode."))
        return
    live_part(
        partial(_draw_step, translation.run),
        failed=_("This sentence could not be translated; the server's log says why."),
        run_every=player.run_every(),
    )


def _draw_step(run: Run) -> None:
    translation = translation_of(run)
    look, steps = look_of_steps(translation) if kinds(translation) else None, translation.steps
    player.tick(len(steps))
    player.controls(len(steps), what="token", arrows=True)
    at = player.step_of(len(steps)) - 1
    written = translation.target.tokens[: at + 1]
    token_chips(written, key="written", label=_("Written so far"), role="output")
    left, right = st.columns(2, gap="large")
    with left:
        draw_candidates(translation, at)
        if (never := never_written(translation, at)) is not None:
            st.caption(never)
    with right:
        if look is None:
            st.info(_(NO_ATTENTION))
        else:
            title, labels = _("Where the decoder looked"), look.keys.labels
            figure = distribution_bars(look.weights[at], labels, "key", _("weight"), title)
            with about(place=look.place):
                show_chart(figure, "looked", title)
    if look is not None:
        draw_explanation(look, steps=True)


def draw_candidates(translation: Translation, at: int, most: int | None = None) -> None:
    """Draw the likeliest tokens of a step as bars, `most` or down to the one taken, marked."""
    step, title = translation.steps[at], _("What could come next")
    shown = candidates_of(step, most)
    probabilities = np.array([candidate.probability for candidate in shown])
    texts = [candidate.token.text for candidate in shown]
    name = _("probability, over the whole vocabulary")
    figure = distribution_bars(probabilities, texts, "output", name, title, step.chosen)
    show_chart(figure, "next-token", title, lambda: _columns(step), file=f"step-{at + 1}")
    if translation.decoding.method == "sample":
        st.caption(
            _(
                "These are the model's own probabilities. The table also has those after "
                "temperature, top-k and top-p, with which the token was drawn."
            )
        )


def candidates_of(step: DecodingStep, most: int | None) -> Sequence[Candidate]:
    """Return the likeliest tokens of a step: `most`, or down to the one taken."""
    if most is None:
        return step.candidates
    return step.candidates[: max(most, step.chosen + 1)]


def never_written(translation: Translation, at: int) -> str | None:
    """Say which tokens were likelier than the one taken, and can still not be written."""
    config, step = translation.capture.config, translation.steps[at]
    likelier = [candidate.token for candidate in step.candidates[: step.chosen]]
    never = [quoted_token(one) for one in likelier if one.id in (config.pad_id, config.bos_id)]
    if not never:
        return None
    says = _(
        "{tokens}: more likely, but never written. Such a token only marks the beginning of a "
        "sentence or pads a batch."
    )
    return says.format(tokens=" · ".join(never))


def _columns(step: DecodingStep) -> Columns:
    columns: dict[str, list[str | float]] = {
        _("token"): [candidate.token.text for candidate in step.candidates],
        _("probability"): [candidate.probability for candidate in step.candidates],
    }
    if any(candidate.drawn_with is not None for candidate in step.candidates):
        columns[_("drawn with")] = [candidate.drawn_with or 0.0 for candidate in step.candidates]
    columns[_("chosen")] = ["✓" if i == step.chosen else "" for i in range(len(step.candidates))]
    return columns
