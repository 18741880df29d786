"""Chapter 6: the arrays around each sub-layer are the model's, and the task's answer is right."""

from pathlib import Path

import numpy as np
import pytest

from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.format import escape
from app.views.walk.add_norm import ffn
from app.views.walk.add_norm.ffn import SHARES, guess_share, stream
from app.views.walk.add_norm.norm import ANGLES, Sub, guess_angle
from model import checkpoint
from tests.app.pages import grids, judged, numbers, opened, said, sound, step

TEXT = "Donde hay humo, hay fuego"


@pytest.fixture(params=["post", "pre"])
def opened_walk(
    request: pytest.FixtureRequest, models: Path, uneven: Path, monkeypatch: pytest.MonkeyPatch
) -> Walk:
    """A sentence in a model of either order."""
    if request.param == "pre":
        monkeypatch.setattr(checkpoint, "PRETRAINED", uneven)
    return walk("es-en", TEXT, Decoding("greedy"))


def test_the_stream_is_the_captured_one(opened_walk: Walk) -> None:
    of = stream(Sub(opened_walk, "decoder", 0, 1))
    config = opened_walk.config
    sublayers = config.n_decoder_layers * len(config.stacks["decoder"].sublayers)
    assert len(of.steps) == len(of.lengths) == sublayers + 1
    for i, name in enumerate(of.names):
        assert of.lengths[i] == pytest.approx(np.linalg.norm(opened_walk.array(name)[1]))
    first, second = (opened_walk.array(name)[1] for name in of.names[:2])
    angle = first @ second / np.linalg.norm(first) / np.linalg.norm(second)
    assert of.cosines[0] == pytest.approx(angle, abs=1e-5)


def test_the_task_is_answered_by_the_smallest_cosine(models: Path) -> None:
    of = stream(Sub(walk("es-en", TEXT, Decoding("beam")), "encoder", 0, 0))
    app = step("add_norm", "task", text=TEXT)
    right = int(of.cosines.argmin())
    assert app.radio[0].options == [escape(name) for name in of.steps[1:]]
    judged(app, right)
    wrong = (right + 1) % len(of.cosines)
    assert f"a cosine of {of.cosines[wrong]:.3f};" in app.info[-1].value.replace("\\", "")


def test_the_strips_of_many_layers_are_one_a_layer(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of five layers the strips after each sub-layer went out of the window."""
    monkeypatch.setattr(ffn, "MOST", 4)
    drawn = grids(step("add_norm", "strips", text=TEXT, side="src", word="1"))
    titles = [title for title in drawn if title == "x + p" or title.startswith("Layer")]
    assert titles == ["x + p", "Layer 1", "Layer 2"]
    now = walk("es-en", TEXT, Decoding("beam"))
    expected = now.array(now.stream("encoder")[-1], (1,))
    np.testing.assert_allclose(numbers(drawn["Layer 2"]).ravel(), expected, atol=1e-6)


def test_what_is_normalised_and_what_is_added_comes_out(opened_walk: Walk) -> None:
    """Recompute the drawn norm and sum from the other grids on their boards."""
    drawn = grids(step("add_norm", "norm", text=TEXT, word="1"))
    x = next(numbers(grid) for title, grid in drawn.items() if "·" in title and "x" in title)
    (mu,), (sigma,) = (numbers(drawn[name])[0] for name in "μσ")
    gamma, beta = numbers(drawn["γ"]), numbers(drawn["β"])
    out = next(numbers(grid) for title, grid in drawn.items() if title.startswith("norm("))
    np.testing.assert_allclose((x - mu) / sigma * gamma + beta, out, atol=1e-5)
    assert (mu, sigma) == pytest.approx((x.mean(), x.std()), abs=1e-3)
    added = grids(step("add_norm", "add", text=TEXT, word="1"))
    x, out, both = (
        next(numbers(grid) for title, grid in added.items() if title.startswith(start))
        for start in ("x · ", "sub-layer(", "x + sub-layer(")
    )
    np.testing.assert_allclose(x + out, both, atol=1e-5)


def test_the_guesses_fit_what_is_seen(opened_walk: Walk) -> None:
    sub = Sub(opened_walk, "encoder", 0, 1, 0)
    (right,) = guess_angle(sub).answers
    low, high = (0, *ANGLES, 180)[right : right + 2]
    x, both = (np.asarray(opened_walk.array(name)[1], float) for name in (sub.x, sub.add))
    degrees = np.degrees(np.arccos(x @ both / np.linalg.norm(x) / np.linalg.norm(both)))
    assert low <= degrees < high
    (right,) = guess_share(sub).answers
    least, most = (0, *SHARES, 1.01)[right : right + 2]
    hidden = opened_walk.array("encoder.0.ffn.hidden")[1]
    assert least <= (hidden > 0).mean() < most


def test_the_mistake_is_refuted_by_the_normalised_numbers(opened_walk: Walk) -> None:
    sub = Sub(opened_walk, "encoder", 0, 1, 0)
    x = np.asarray(opened_walk.array(sub.normed)[1], float)
    divided = np.abs((x - x.mean()) / x.std())
    assert divided.max() > 1  # as its mean square is 1
    text = said(step("add_norm", "task", text=TEXT, word="1"))
    assert f"{(divided > 1).sum()} lie outside" in text
    assert f"the largest is {divided.max():.2f}. After" in text


def test_the_last_norm_can_be_chosen_where_there_is_one(opened_walk: Walk) -> None:
    text = said(sound(opened("add_norm", side="tgt", norm="10", text=TEXT)))
    is_pre = opened_walk.config.norm == "pre"
    assert ("## Add\n" in text) != is_pre
    assert "## Normalise\n" in text
    assert ("the stack normalises once more" in text) == is_pre
