"""Chapter 3: the waves are the model's positions, and without them order is lost."""

from pathlib import Path

import numpy as np
import pytest

from app.data.translation import Decoding
from app.data.walk import walk
from app.format import number
from app.views.walk.positions import data as service
from app.views.walk.positions.order import another_order
from app.views.walk.positions.places import components
from tests.app.pages import grids, numbers, opened, revealed, step

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
    app = revealed(opened("positions", text=TEXTS[0], word="1"))
    question = app.radio[0]
    right = question.options.index("7 and 9")
    question.set_value(right).run()
    assert len(app.success) == 1
    dots = service.position_dots(12, 32, "interleaved")
    for i, pair in enumerate(((8, 9), (6, 9), None, (1, 5), (2, 7))):
        if pair is not None:
            app.radio[0].set_value(i).run()
            assert not app.success
            assert f"{dots[pair]:.3f}" in app.info[-1].value.replace("\\", "")


PARTS = {
    "sum": "x + p",
    "all": "X + P",
    "waves": "Sines and cosines",
    "layouts": "Half and half",
    "dots": "The row of",
    "lost": "orders",
    "outputs": "How far each token's output moves",
    "task": "p · p is",
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("side", ["src", "tgt"])
def test_each_step_opens_alone_with_its_own_picture(models: Path, part: str, side: str) -> None:
    app = step("positions", part, text=TEXTS[0], side=side, word="1")
    assert not app.exception
    assert not app.error
    drawn = [
        *grids(app),
        *(chart.proto.alt for chart in app.get("plotly_chart")),
        *(box.proto.body for box in app.get("html")),
    ]
    seen = {name for name, own in PARTS.items() if any(own in text for text in drawn)}
    if part == "task":
        assert any(PARTS["task"] in text.value for text in app.markdown)
    assert part in seen | {"task"}


def test_the_whole_sentence_is_added_up(models: Path) -> None:
    drawn = grids(step("positions", "all", text=TEXTS[0]))
    x, p, both = (numbers(drawn[title]) for title in ("X", "P", "X + P"))
    np.testing.assert_allclose(x + p, both, atol=1e-5)
    waves = service.encodings(len(p), p.shape[1], "interleaved")
    np.testing.assert_allclose(p, waves, atol=1e-5)


def test_the_mistake_is_refuted_by_the_models_own_score(models: Path) -> None:
    now = walk("es-en", TEXTS[0], Decoding("beam"))
    p, attention = now.array("src.pos"), "encoder.0.self_attn"
    x = now.array("src.sum")
    W, b = (now.parameters[f"{attention}.{name}"] for name in ("W_Q", "b_Q"))
    query = (x[1] @ W + b)[: now.config.d_k]
    W, b = (now.parameters[f"{attention}.{name}"] for name in ("W_K", "b_K"))
    key = (x[2] @ W + b)[: now.config.d_k]
    said = " ".join(text.value for text in step("positions", "task", text=TEXTS[0]).markdown)
    assert f"p · p is {number(float(p[1] @ p[2]))}" in said
    assert f"is {number(float(query @ key))}." in said


def test_a_guess_about_two_positions_is_told_by_the_picture(models: Path) -> None:
    app = opened("positions", all="0", part="dots", text=TEXTS[0])
    assert not app.get("plotly_chart")
    app.radio[0].set_value(1).run()
    assert app.get("plotly_chart")
    dots = service.position_dots(32, 32, "interleaved")
    assert dots[1, 2] == pytest.approx(dots[30, 31])
    said = " ".join(text.value for text in app.markdown).replace("\\", "")
    assert f"{dots[30, 31]:.2f} again" in said
