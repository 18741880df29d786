"""Chapter 7: what is hidden is hidden, and peeks once the mask is gone."""

from pathlib import Path

import numpy as np
import pytest

from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.format import escape, percent
from app.views.walk.masked_attention.data import (
    alternatives,
    batch,
    effect,
    hide,
    of_next,
    unmasked,
)
from model.interpret.calculation.numbers import softmax
from tests.app.pages import opened

TEXT = "Nunca es tarde para aprender."
PAIR = ("Donde hay humo, hay fuego, y nunca es tarde para aprender.", "It's never. " * 20)


STEPS = ["mask", "row", "ways", "batch", "peek", "change", "task"]


@pytest.fixture
def now(models: Path) -> Walk:
    return walk("es-en", TEXT, Decoding("greedy"))


def test_three_ways_to_hide(now: Walk) -> None:
    word = len(now.capture.tgt) // 2
    scope = "decoder.1.self_attn"
    ways = hide(now.array(f"{scope}.scaled")[0, word], word)
    assert np.allclose(ways.before, now.array(f"{scope}.weights")[0, word], atol=1e-6)
    assert ways.after.sum() < 0.999
    assert ways.zero[word + 1 :].sum() > 0


def test_the_mask_alone_keeps_the_future_out(now: Walk) -> None:
    assert np.triu(unmasked(now)["decoder.0.self_attn.weights"][0], 1).any()
    place = len(now.capture.tgt) - 2
    other = alternatives(now, place)[0]
    assert other.id != now.capture.tgt[place].id
    masked, opened_up = (effect(now, place, other, causal) for causal in (True, False))
    assert masked.largest.size == 0
    assert not masked.moved[:place].any()
    assert masked.moved[place] > 0
    assert opened_up.largest.size == pytest.approx(
        abs(opened_up.largest.after - opened_up.largest.before)
    )
    assert (opened_up.moved[:place] > 0).all()


@pytest.mark.parametrize("pairs", [(PAIR,), ()])
def test_padding_changes_nothing_but_for_the_mask(now: Walk, pairs: tuple[()]) -> None:
    made = batch(now, pairs)
    assert not made.src_padding[0].all()
    assert made.src_padding[1].all()
    assert made.apart < 1e-5 < made.apart_open
    weights = made.weights["encoder.0.self_attn.weights"]
    assert not weights[..., ~made.src_padding[0]].any()
    assert (made.target[0] == (made.causal & made.tgt_padding[0])).all()


def test_the_page_and_its_task(models: Path) -> None:
    app = opened("masked_attention", text=TEXT, layer="2", head="3", word="2", change="4")
    assert not app.exception
    assert not app.error
    question = app.radio[-1]
    now = walk("es-en", TEXT, Decoding("beam", beam=4))
    best = 3 + int(unmasked(now)["decoder.1.self_attn.weights"][2, 2, 3:].argmax())
    at = next(i for i, option in enumerate(question.options) if option.startswith(f"{best + 1} "))
    question.set_value(at).run()
    assert app.success
    question = app.radio[-1]
    question.set_value((at + 1) % len(question.options)).run()
    assert not app.success
    assert app.info


def test_a_score_of_0_hides_nothing(models: Path) -> None:
    app = opened("masked_attention", all="0", part="ways", text=TEXT, layer="2", head="3", word="2")
    now = walk("es-en", TEXT, Decoding("beam", beam=4))
    scores = now.array("decoder.1.self_attn.scaled")[2, 2].astype(float)
    scores[3:] = 0
    powers = np.exp(scores)
    app.radio[0].set_value(1).run()
    said = " ".join(text.value for text in app.markdown)
    assert ":material/check:" in said
    assert escape(percent(powers[3:].sum() / powers.sum())) in said


def test_the_probabilities_of_the_mistake(now: Walk) -> None:
    ids = [token.id for token in now.capture.tgt]
    own = of_next(now, causal=True)
    assert own[0] == pytest.approx(softmax(now.capture.logits[0])[ids[1]], abs=1e-6)
    logits = unmasked(now)["logits"]
    assert of_next(now, causal=False)[1] == pytest.approx(softmax(logits[1])[ids[2]], abs=1e-6)


@pytest.mark.parametrize("step", STEPS)
def test_each_step_opens_alone(models: Path, step: str) -> None:
    app = opened("masked_attention", all="0", part=step, text=TEXT, word="2")
    assert not app.exception
    assert not app.error
    titles = [text.value for text in app.markdown if text.value.startswith("## ")]
    assert len(titles) == 1
