"""How it learned: the losses, the moments and the gradients on the page are the model's own."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from app.data.translation import Decoding, Token
from app.data.walk import Cell, walk
from app.format import escape
from app.views.walk.learning.data import (
    Taught,
    gradients_of,
    losses_if,
    moment,
    moments_of,
    smoothing_of,
    taught,
)
from model import checkpoint
from tests.app.pages import opened
from tests.app.tiny import make_models

SENTENCE = "Nunca es tarde para aprender"
RIGHT = "It's never too late to learn."


def lesson(reference: str = RIGHT, name: str = "es-en") -> Taught:
    return taught(walk(name, SENTENCE, Decoding("greedy")), reference)


def numbered(tokens: Sequence[Token], at: int) -> str:
    """A word as the page names it: with its place where it comes twice."""
    twice = [token.text for token in tokens].count(tokens[at].text) > 1
    return f"{tokens[at].text} ({at + 1})" if twice else tokens[at].text


def texts(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption, *app.info))


@pytest.fixture
def with_snapshots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model with two moments of its training."""
    names = ("es-en", "snapshots/es-en-early", "snapshots/es-en-untrained")
    for step, name in ((9, names[0]), (5, names[1]), (0, names[2])):
        make_models(tmp_path, (name,))
        loaded = checkpoint.load(tmp_path / name)
        metrics = {"step": step, "train": {"label_smoothing": 0.2}}
        checkpoint.save(tmp_path / name, loaded.model, loaded.tokenizer, metrics)
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path)
    return tmp_path


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.3])
def test_the_loss_is_that_of_training(models: Path, smoothing: float) -> None:
    now = lesson()
    loaded = checkpoint.load(models / "es-en")
    source = [token.id for token in now.capture.src]
    with torch.no_grad():
        made = loaded.model(torch.tensor([source]), torch.tensor([[1, *now.targets[:-1]]]))[0]
    expected = torch.nn.functional.cross_entropy(
        made, torch.tensor(now.targets), label_smoothing=smoothing, reduction="sum"
    )
    assert now.text == RIGHT
    assert now.losses(smoothing).total == pytest.approx(float(expected), rel=1e-5)
    assert gradients_of(now, smoothing, None).loss == pytest.approx(float(expected), rel=1e-5)


def test_without_a_translation_the_model_is_compared_with_its_own(models: Path) -> None:
    now = lesson("  \u200b ")
    assert now.reference == ""
    assert now.capture is now.translation.capture
    assert now.key != lesson().key


@pytest.mark.parametrize(
    "kind", ["encoder.1.self_attn", "decoder.1.self_attn", "decoder.0.cross_attn"]
)
@pytest.mark.parametrize("position", [None, 2])
def test_a_nudged_score_moves_the_loss_by_its_gradient(
    models: Path, kind: str, position: int | None
) -> None:
    now, name = lesson(), f"{kind}.scores"
    gradient = gradients_of(now, 0.1, position).arrays[name]  # (H, T, S)
    index = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
    cell = Cell(name, tuple(int(i) for i in index))
    less, still, more = losses_if(now, cell, [-0.05, 0.0, 0.05], 0.1, position)
    assert (more - less) / 0.1 == pytest.approx(gradient[cell.index], rel=0.02, abs=1e-5)
    own = now.losses(0.1)
    assert still == pytest.approx(own.total if position is None else own.losses[position], rel=1e-5)


def test_moments_are_in_order_and_read_the_same_text(with_snapshots: Path) -> None:
    names = checkpoint.pretrained_names() + checkpoint.snapshot_names()
    assert moments_of("es-en", names) == [
        "snapshots/es-en-untrained", "snapshots/es-en-early", "es-en",
    ]  # fmt: skip
    assert smoothing_of("es-en") == 0.2
    for name in names:
        found = moment(name, lesson())
        again = taught(walk(name, SENTENCE, Decoding("greedy")), RIGHT)
        assert found.losses.total == pytest.approx(again.losses(0).total)
        assert found.output == again.translation.output


def test_the_page_shows_those_numbers(with_snapshots: Path) -> None:
    app = opened("learning", text=SENTENCE, reference=RIGHT, decoding="greedy", epsilon="0.25")
    assert not app.exception
    assert not app.error
    now = lesson()
    assert f"{now.losses(0.25).total:.4f}" in texts(app)
    assert "ε = 0.2" in texts(app)
    untrained = moment("snapshots/es-en-untrained", now)
    assert app.metric[0].value == f"{untrained.losses.total:.2f}"


@pytest.mark.parametrize("kind", ["cross", "encoder", "decoder"])
def test_the_task_asks_for_the_lowest_gradient(models: Path, kind: str) -> None:
    app = opened(
        "learning",
        text=SENTENCE,
        reference=RIGHT,
        decoding="greedy",
        kind=kind,
        layer="2",
        head="3",
    )
    scope = {"cross": "decoder.1.cross_attn", "encoder": "encoder.1.self_attn"}.get(
        kind, "decoder.1.self_attn"
    )
    now = lesson()
    gradient = gradients_of(now, 0.1, None).arrays[f"{scope}.scores"][2]
    query, key = np.unravel_index(gradient.argmin(), gradient.shape)
    queries, keys = now.capture.queries(kind), now.capture.keys(kind)  # type: ignore[arg-type]
    wanted = escape(f"“{numbered(queries, query)}” → “{numbered(keys, key)}”")
    fits = [option == wanted for option in app.radio[0].options]
    right = app.radio[0].set_value(fits.index(True)).run()
    assert any(
        "the lowest of the map" in said.value and escape(f"{gradient.min():+.4f}") in said.value
        for said in right.success
    )
    wrong = app.radio[0].set_value(fits.index(False)).run()
    assert not wrong.success


@pytest.mark.parametrize(
    "reference", ["", "   ", "a", "<b>$x$</b> **y** `z` [l](u)", "🙂" * 300, "x " * 3000, "<eos>"]
)
def test_any_reference(models: Path, reference: str) -> None:
    app = opened("learning", text="hola", reference=reference, word="7", pin="50.50", head="max")
    assert not app.exception
    assert not app.error


def test_a_model_without_snapshots_says_so(models: Path) -> None:
    app = opened("learning")
    assert [said.value for said in app.info] == [
        "No early moments of this model's training were kept, so only what it became is shown."
    ]
