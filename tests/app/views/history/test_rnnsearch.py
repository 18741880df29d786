"""The page on RNNsearch, and Translate with models that attend in one way, or in none."""

from pathlib import Path

import numpy as np
import pytest
import streamlit as st

from app.components.grid import Weights
from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.format import percent, row_names
from app.views.history.rnnsearch import screens
from app.views.history.rnnsearch.screens import alignment, draw_alignment
from tests.app.pages import grids, healthy, judged, numbers, opened, option, said, step
from tests.app.test_pages import translation

NAME, TEXT = "rnnsearch/es-en", "Nunca es tarde para aprender."
SCOPE = "decoder.0.cross_attn"
WAYS = ("matrix", "wall", "lines", "steps", "beam")
PICTURES = ("query", "score", "sum", "state")


@pytest.fixture
def sentence(models: Path) -> Walk:
    return walk(NAME, TEXT, Decoding())


def test_a_word_is_named_by_what_is_written_with_its_row(sentence: Walk) -> None:
    app = opened("rnnsearch", text=TEXT, word="0")
    first = sentence.translation.target.tokens[1].text
    assert f"Before it writes “{first}”" in said(app).replace("\\", "")
    assert alignment(sentence).query < len(sentence.capture.tgt)


def test_the_task_knows_where_the_word_looked(sentence: Walk) -> None:
    app = step("rnnsearch", "task", text=TEXT)
    row = int(app.radio[-1].label.replace("\\", "").rpartition("(")[2].rstrip(")?")) - 1
    best = int(sentence.array(f"{SCOPE}.weights")[0, row].argmax()) + 1
    judged(app, option(app, f"{best}:"))


def test_the_pictures_follow_from_one_another(sentence: Walk) -> None:
    """From the query to the context, and on to the next state, by numbers that were drawn."""
    parts = {part: grids(step("rnnsearch", part, text=TEXT, word="0")) for part in PICTURES}
    q, k = (sentence.array(f"{SCOPE}.{name}")[0] for name in "qk")
    np.testing.assert_allclose(numbers(parts["query"]["W_a s + b"]).ravel(), q[0], atol=1e-6)
    np.testing.assert_allclose(numbers(parts["query"]["U_a h"]), k, atol=1e-6)
    tanh, v_a = numbers(parts["score"]["tanh(…)"]), numbers(parts["score"]["v_a"]).ravel()
    scores = numbers(parts["score"]["score"]).ravel()
    np.testing.assert_allclose(tanh, np.tanh(q[0] + k), atol=1e-5)
    np.testing.assert_allclose(tanh @ v_a, scores, atol=1e-4)
    assert np.abs(scores).max() <= np.abs(v_a).sum()
    weights = np.exp(scores) / np.exp(scores).sum()
    np.testing.assert_allclose(numbers(parts["sum"]["weight"]).ravel(), weights, atol=1e-5)
    weighted = numbers(parts["sum"]["weight × v"])
    np.testing.assert_allclose(weighted, weights[:, None] * sentence.array("memory"), atol=1e-5)
    state = numbers(parts["state"]["s_1"]).ravel()
    np.testing.assert_allclose(state, sentence.array("decoder.0.state")[0], atol=1e-6)


def test_the_guess_is_right_where_the_score_is_highest(sentence: Walk) -> None:
    app = opened("rnnsearch", all="0", part="score", text=TEXT, word="0")
    best = int(sentence.array(f"{SCOPE}.scores")[0, 0].argmax()) + 1
    answer = "has the highest score"
    assert answer not in said(app), "the words above the question gave its answer away"
    app.radio[0].set_value(option(app, f"{best}:")).run()
    assert "material/check" in said(app)
    assert answer in said(app)


def test_the_mistake_names_the_row_that_is_least_sure(sentence: Walk) -> None:
    app = step("rnnsearch", "myth", text=TEXT)
    most = sentence.array(f"{SCOPE}.weights")[0].max(-1)
    assert percent(float(most.min())) in said(app)
    few = int((most <= 0.5).sum())
    told = f"In {few} of {len(most)} rows" if few else f"share {percent(1 - float(most.min()))}"
    assert told in said(app)  # "in 0 of 9 rows" once refuted nothing


@pytest.mark.parametrize(
    ("way", "kind", "head"), [*((way, "cross", "1") for way in WAYS), ("matrix", "encoder", "max")]
)
def test_translate_looks_into_rnnsearch(models: Path, way: str, kind: str, head: str) -> None:
    app = opened(model=NAME, view=way, kind=kind, head=head, text=TEXT, pin="1.2")
    healthy(app)
    assert translation(app)
    if way in ("matrix", "wall", "lines"):
        assert list(app.button_group("kind-en").options) == ["Encoder-decoder"]
    assert ("tanh" in " ".join(one.value for one in app.caption)) == (way != "beam")


@pytest.mark.parametrize("way", WAYS)
def test_translate_says_that_an_rnn_has_no_attention(models: Path, way: str) -> None:
    app = opened(model="rnn/es-en", view=way, text=TEXT)
    healthy(app)
    assert translation(app)
    assert any("no attention" in info.value for info in app.info) == (way != "beam")


def test_the_alignment_has_one_name_for_its_rows(
    sentence: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had three: “being written”, “query (looks)”, and in a fold the token that was read."""
    drawn: dict[str, Weights] = {}
    for name in ("matrix", "lines"):
        draw = lambda weights, name=name, **_: drawn.update({name: weights})  # noqa: E731
        monkeypatch.setattr(screens, name, draw)
    monkeypatch.setattr(st, "page_link", lambda *_, **__: None)
    draw_alignment(alignment(sentence))
    tokens = [token.text for token in sentence.capture.tgt]
    assert drawn["matrix"].queries == drawn["lines"].queries == row_names(tokens)
