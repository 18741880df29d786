"""Chapter 3: the waves are the model's positions, and without them order is lost."""

from pathlib import Path

import numpy as np
import pytest

from app.data.translation import Decoding
from app.data.walk import walk
from app.views.walk.positions import data as service
from app.views.walk.positions.order import another_order
from app.views.walk.positions.waves import components
from tests.app.pages import opened

TEXTS = ("Qué será, será", "hola", "a", "donde hay humo hay fuego " * 6)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("how", ["reversed", "rotated", "shuffled"])
def test_another_order_is_another_one_of_the_same_tokens(models: Path, text: str, how: str) -> None:
    tokens = walk("es-en", text, Decoding("greedy")).capture.src
    order = another_order(tokens, how, seed=3)  # type: ignore[arg-type]
    assert sorted(order) == list(range(len(tokens)))
    assert order != tuple(range(len(tokens)))


@pytest.mark.parametrize("text", TEXTS)
def test_without_positions_order_is_lost(models: Path, text: str) -> None:
    now = walk("es-en", text, Decoding("greedy"))
    found = service.reordered(now, another_order(now.capture.src, "reversed", 0))
    assert found.moved(False).max() < 1e-5
    assert found.moved(True).max() > 1e-2
    # The first of the four runs is the one that the rest of the page shows.
    np.testing.assert_allclose(found.memory[True][0], now.array("memory"), atol=1e-5)


def test_the_waves_are_the_captured_positions(models: Path) -> None:
    now = walk("es-en", TEXTS[0], Decoding("greedy"))
    captured, d, layout = now.array("src.pos"), now.config.d_model, now.config.positions
    for pair in range(d // 2):
        sine, cosine = components(pair, d, layout)
        angle = np.arange(len(captured)) * service.rate(pair, d, layout)
        np.testing.assert_allclose(captured[:, sine], np.sin(angle), atol=1e-5)
        np.testing.assert_allclose(captured[:, cosine], np.cos(angle), atol=1e-5)


@pytest.mark.parametrize(
    "query",
    [
        {"text": TEXTS[0], "word": "2", "pair": "9999", "order": "shuffled", "shuffle": "7"},
        {"text": "hola", "side": "tgt", "word": "500"},
        {"text": TEXTS[3], "lang": "es", "side": "?", "order": "x"},
    ],
)
def test_the_page_opens(models: Path, query: dict[str, str]) -> None:
    app = opened("positions", **query)
    assert not app.exception
    assert not app.error


def test_the_task_is_answered_by_the_distance(models: Path) -> None:
    app = opened("positions", text=TEXTS[0], word="1")
    question = app.radio[0]
    right = question.options.index("7 and 9")
    question.set_value(right).run()
    assert len(app.success) == 1
    app.radio[0].set_value(0).run()
    assert not app.success
