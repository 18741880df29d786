"""Chapter 4: the six steps draw the model's own numbers, and its task has the right answer."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from app.components.board import Grid, Op
from app.data.attention import simple_attention
from app.data.translation import Decoding, Kind
from app.data.walk import Walk, walk
from app.format import maths, percent
from app.inspect import six_steps
from app.inspect.head import Head
from app.texts.six_steps import TITLES
from app.views.walk.self_attention.scaling import answer, entropy, words_seen
from tests.app.pages import opened


@pytest.fixture
def now(models: Path) -> Walk:
    return walk("es-en", "Qué será, será", Decoding("greedy"))


def drawn(head: Head, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Grid]]:
    """The grids of the six steps, by the end of their picture's name."""
    made: dict[str, list[Grid]] = {}

    def keep(_walk: Walk, items: Sequence[Grid | Op], key: str) -> None:
        made[key[-1]] = [item for item in items if isinstance(item, Grid)]

    monkeypatch.setattr(six_steps, "arrays", keep)
    six_steps.draw_six_steps(head)
    return made


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_each_step_follows_from_the_one_before(
    now: Walk, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = drawn(Head(now, kind, 1, 2, 1), monkeypatch)
    x, w, b, q = (grid.values for grid in steps["1"])
    np.testing.assert_allclose(x @ w + b, q, atol=1e-4)
    q, k, scores = (grid.values for grid in steps["2"])
    np.testing.assert_allclose(k @ q, scores[:, 0], atol=1e-4)
    scores, scaled = (grid.values for grid in steps["3"][:2])
    np.testing.assert_allclose(scores / np.sqrt(now.config.d_k), scaled, atol=1e-5)
    masked, powers, weights = (grid.values for grid in steps["4"])
    np.testing.assert_allclose(np.exp(masked), powers, rtol=1e-5)
    np.testing.assert_allclose(powers / powers.sum(), weights, atol=1e-5)
    weights, v, weighted = (grid.values for grid in steps["5"])
    np.testing.assert_allclose(weights * v, weighted, atol=1e-6)
    np.testing.assert_allclose(weighted.sum(0), steps["6"][0].values, atol=1e-5)


def test_the_decoder_draws_its_mask(now: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    masked = drawn(Head(now, "decoder", 0, 0, 0), monkeypatch)["3"][2]
    assert masked.mask is not None
    assert masked.mask[:, 0].tolist() == [True] + [False] * (len(masked.values) - 1)
    assert np.isneginf(masked.values[1:]).all()


def test_keys_and_values_of_encoder_decoder_attention_come_from_the_memory(now: Walk) -> None:
    head = Head(now, "cross", 1, 0, 1)
    assert [head.reader(vector)[0] for vector in "kv"] == ["memory", "memory"]
    assert head.reader("k")[1] == head.most
    assert head.reader("q")[1] == head.query


def test_spread() -> None:
    even, one = np.full(8, 1 / 8), np.array([0.0, 1.0, 0.0])
    assert entropy(even) == pytest.approx(3)
    assert words_seen(even) == pytest.approx(8)
    assert words_seen(one) == 1
    assert answer(one) == 0
    assert answer(even) == pytest.approx(7 / 8)


def test_what_stands_in_a_sentence() -> None:
    assert maths("÷ √d_k, W_Q and d_model") == r"÷ $\sqrt{d_k}$, $W_{Q}$ and $d_{model}$"
    assert maths(r"“d\_k”") == r"“d\_k”"
    assert percent(0.7087) == "70.9 %"


def test_the_page_tells_the_numbers_of_the_sentence(models: Path) -> None:
    app = opened("self_attention", text="Qué será, será", word="1", layer="2", head="3")
    assert not app.exception
    capture = walk("es-en", "Qué será, será", Decoding("beam", beam=4)).capture
    weights = capture.weights("encoder", 1, 2)
    x = simple_attention(capture.arrays["src.sum"])
    said = " ".join(text.value for text in app.markdown)
    assert f"{x.scores[1, 1]:.2f}" in said
    assert all(f"### {maths(title)}\n" in said for title in TITLES)
    assert percent(float(weights[1].max())) in said
    question = app.radio[0]
    question.set_value(int(weights[:, 1].argmax())).run()
    assert app.success
