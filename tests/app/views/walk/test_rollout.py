"""Chapter 13: the maps are the model's, and what the page says of them is in them."""

from pathlib import Path

import numpy as np
import pytest

from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.format import percent
from app.views.walk.rollout.data import contributions, own_shares
from app.views.walk.rollout.page import myth, task
from app.views.walk.rollout.screens import _compared, guess_encoder, look_of
from model.interpret.rollout import flow, half_mixing, norm_mixing, reach
from tests.app.pages import SENTENCE, grids, numbers, opened, said, step


@pytest.fixture
def few(models: Path) -> Walk:
    """Flows through more tokens take seconds."""
    return walk("es-en", "Je suis", Decoding())


@pytest.mark.parametrize("way", ["weights", "rollout", "norms", "flow"])
def test_a_switch_draws_the_answer_of_each_way(few: Walk, way: str) -> None:
    S, capture = len(few.capture.src), few.capture
    app = step("rollout", "written", text="Je suis", model="es-en", way=way, layer="1", word="2")
    drawn = grids(app)
    source = numbers(drawn["from the source"])
    target = numbers(drawn["from the translation so far"])
    if way == "weights":
        expected = np.hstack([capture.weights(kind, 0).mean(0) for kind in ("cross", "decoder")])
        np.testing.assert_allclose(source.sum(-1), 1, atol=1e-5)
    else:
        mixing = half_mixing(capture)
        if way == "norms":
            mixing = norm_mixing(capture, few.parameters)
        expected = reach(mixing).decoder[0]
        if way == "flow":
            expected = np.stack([flow(mixing, "tgt", 0, t) for t in range(len(capture.tgt))])
            expected /= expected.sum(-1, keepdims=True)
        np.testing.assert_allclose(source.sum(-1) + target.sum(-1), 1, atol=1e-5)
        assert percent(expected[2, :S].sum()) in said(app)
    past = np.tri(len(capture.tgt), dtype=bool)
    np.testing.assert_allclose(source, expected[:, :S], atol=1e-5)
    np.testing.assert_allclose(target[past], expected[:, S:][past], atol=1e-5)


def test_the_encoders_map_and_its_layers(now: Walk) -> None:
    app = step("rollout", "encoder", text=SENTENCE, layer="1")
    drawn = numbers(grids(app)["encoder, after layer 1"])
    expected = reach(norm_mixing(now.capture, now.parameters)).encoder[0]
    np.testing.assert_allclose(drawn, expected, atol=1e-5)


def test_what_is_kept_is_measured_beside_what_is_assumed(now: Walk) -> None:
    measured = norm_mixing(now.capture, now.parameters)
    expected = [np.diagonal(rows).mean() for rows in measured.encoder]
    np.testing.assert_allclose(own_shares(now, "norms", "encoder"), expected)
    np.testing.assert_allclose(own_shares(now, "rollout", "cross"), 0.5)
    kept = [own_shares(now, "norms", kind) for kind in ("encoder", "decoder", "cross")]
    mean = percent(np.concatenate(kept).mean())
    # A question behind a question was asked, and showed no words until it was answered.
    app = opened("rollout", all="0", part="half", text=SENTENCE)
    assert f"is {mean} on average, where rollout assumes" in said(app)


def test_questions_and_mistake_are_answered_by_the_numbers(few: Walk) -> None:
    look = look_of(few)
    row = contributions(few, "norms", "decoder", -1)[look.at, : len(few.capture.src)]
    asked = task(look)
    (right,) = asked.answers
    assert asked.options[right] == look.source(int(row.argmax()))
    assert percent(row.max()) in asked.right
    own = np.diagonal(contributions(few, "norms", "encoder", -1))
    assert percent(own.min()) in myth(look).truth
    assert percent(own.mean()) in guess_encoder(look).right
    compared = _compared(look)
    np.testing.assert_allclose(compared.sum(-1), 1)
    assert len(compared) == 4
