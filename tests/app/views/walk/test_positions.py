"""Chapter 3: the waves are the model's positions, and without them order is lost."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from app.data.translation import Decoding
from app.data.walk import walk
from app.format import number
from app.views.walk.positions import data as service
from app.views.walk.positions.screens import How, another_order
from tests.app.pages import charts, grids, judged, numbers, opened, said, step

TEXTS = ("Qué será, será", "a", "donde hay humo hay fuego " * 6)


def test_another_order_is_another_one_of_the_same_tokens(models: Path) -> None:
    orders: tuple[How, ...] = ("reversed", "rotated", "shuffled")
    for text, how in product(TEXTS, orders):
        tokens = walk("es-en", text, Decoding("greedy")).capture.src
        order = another_order(tokens, how, seed=3)
        assert sorted(order) == list(range(len(tokens)))
        assert order != tuple(range(len(tokens)))


def test_the_task_is_answered_by_the_distance(models: Path) -> None:
    app = step("positions", "task", text=TEXTS[0], word="1")
    judged(app, app.radio[0].options.index("7 and 9"))
    dots = service.position_dots(12, 32, "interleaved")
    for i, pair in enumerate(((8, 9), (6, 9), None, (1, 5), (2, 7))):
        if pair is not None:
            app.radio[0].set_value(i).run()
            assert not app.success
            assert f"{dots[pair]:.3f}" in app.info[-1].value.replace("\\", "")


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
    text = said(step("positions", "task", text=TEXTS[0]))
    assert f"p · p is {number(float(p[1] @ p[2]))}" in text
    assert f"is {number(float(query @ key))}." in text


def test_a_guess_about_two_positions_is_told_by_the_picture(models: Path) -> None:
    app = opened("positions", all="0", part="dots", text=TEXTS[0])
    assert not charts(app)
    app.radio[0].set_value(1).run()
    assert charts(app)
    dots = service.position_dots(32, 32, "interleaved")
    assert dots[1, 2] == pytest.approx(dots[30, 31])
    assert f"{dots[30, 31]:.2f} again" in said(app).replace("\\", "")
