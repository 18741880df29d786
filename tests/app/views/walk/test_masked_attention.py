"""Chapter 7: what is hidden is hidden, and peeks once the mask is gone."""

import numpy as np
import pytest

from app.data.walk import Walk
from app.format import escape, number, percent
from app.views.walk.masked_attention.data import of_next, unmasked
from model.interpret.calculation.numbers import softmax
from tests.app.pages import SENTENCE, grids, judged, numbers, opened, said, step

LOOK = {"text": SENTENCE, "layer": "2", "head": "3", "word": "2"}


def test_the_task_asks_where_it_would_peek(now: Walk) -> None:
    app = step("masked_attention", "task", replaced="4", **LOOK)
    best = 3 + int(unmasked(now)["decoder.1.self_attn.weights"][2, 2, 3:].argmax())
    options = app.radio[-1].options
    at = next(i for i, option in enumerate(options) if option.startswith(f"{best + 1} "))
    judged(app, at)


def test_the_row_of_bos_draws_its_mask(now: Walk) -> None:
    masked = grids(step("masked_attention", "row", **LOOK | {"word": "0"}))["after the mask"]
    assert np.isfinite(numbers(masked)[:, 0]).tolist() == [
        i == 0 for i in range(len(now.capture.tgt))
    ]


def test_what_the_mask_takes_away_is_said_to_be_divided(now: Walk) -> None:
    """It was called a score, which the tour says is the undivided product."""
    scaled = now.array("decoder.1.self_attn.scaled")[2, 2, 3:].max()
    shown = said(step("masked_attention", "row", **LOOK))
    assert f"divided by $\\sqrt{{d_k}}$, is {number(scaled)}" in shown


def test_a_score_of_0_hides_nothing(now: Walk) -> None:
    app = opened("masked_attention", all="0", part="ways", **LOOK)
    scores = now.array("decoder.1.self_attn.scaled")[2, 2].astype(float)
    scores[3:] = 0
    powers = np.exp(scores)
    app.radio[0].set_value(1).run()
    assert ":material/check:" in said(app)
    assert escape(percent(powers[3:].sum() / powers.sum())) in said(app)


def test_the_probabilities_of_the_mistake(now: Walk) -> None:
    ids = [token.id for token in now.capture.tgt]
    own = of_next(now, causal=True)
    assert own[0] == pytest.approx(softmax(now.capture.logits[0])[ids[1]], abs=1e-6)
    logits = unmasked(now)["logits"]
    assert of_next(now, causal=False)[1] == pytest.approx(softmax(logits[1])[ids[2]], abs=1e-6)
