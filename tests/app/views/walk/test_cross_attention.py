"""Chapter 8: keys and values are the source's, and nothing else brings it over."""

from pathlib import Path

import numpy as np
import pytest

from app.data.translation import Decoding
from app.data.walk import walk
from app.format import escape, percent
from app.inspector.head import Head
from app.inspector.look_picks import surest
from app.views.walk.cross_attention.data import with_bridge, without_bridge
from model.interpret.calculation.numbers import softmax
from tests.app.pages import opened

TEXT = "Nunca es tarde para aprender."
STEPS = ["made", "score", "map", "bridge", "task"]


def test_cutting_the_bridge_changes_the_probabilities_of_the_words(models: Path) -> None:
    now = walk("es-en", TEXT, Decoding("greedy"))
    tgt = [token.id for token in now.capture.tgt]
    assert with_bridge(now)[0] == pytest.approx(softmax(now.capture.logits[0])[tgt[1]], abs=1e-6)
    assert not np.allclose(with_bridge(now), without_bridge(now))


def test_the_surest_word_looks_at_a_word(models: Path) -> None:
    now = walk("es-en", TEXT, Decoding("greedy"))
    weights = now.array("decoder.0.cross_attn.weights")[0]
    words = weights[:, :-1]  # all but the end token
    assert words[surest(Head(now, "cross", 0, 0, 0))].max() == words.max()


def test_the_page_and_its_task(models: Path) -> None:
    app = opened("cross_attention", text=TEXT, layer="2", head="3")
    assert not app.exception
    assert not app.error
    titles = [text.value for text in app.markdown if text.value.startswith("## ")]
    assert titles[0].startswith("## Queries from the translation, keys")
    now = walk("es-en", TEXT, Decoding("beam", beam=4))
    best = int(now.array("decoder.1.cross_attn.weights")[2].sum(0).argmax())
    question = app.radio[-1]
    at = next(i for i, option in enumerate(question.options) if option.startswith(f"{best + 1} "))
    question.set_value(at).run()
    assert app.success
    app.radio[-1].set_value((at + 1) % len(question.options)).run()
    assert not app.success
    assert app.info


def test_the_guess_is_answered_by_the_means(models: Path) -> None:
    app = opened("cross_attention", all="0", part="bridge", text=TEXT)
    now = walk("es-en", TEXT, Decoding("beam", beam=4))
    before, after = with_bridge(now).mean(), without_bridge(now).mean()
    app.radio[0].set_value(int(2 * after < before)).run()
    said = " ".join(text.value for text in app.markdown)
    assert ":material/check:" in said
    assert escape(f"{after:.3f}") in said


def test_the_mistake_names_the_row_that_wrote_the_token(models: Path) -> None:
    app = opened("cross_attention", all="0", part="task", text=TEXT, word="2", layer="2", head="3")
    weights = walk("es-en", TEXT, Decoding("beam", beam=4)).array("decoder.1.cross_attn.weights")
    said = " ".join(text.value for text in app.markdown)
    assert percent(weights[2, 2].max()) in said
    assert percent(weights[2, 1].max()) in said


@pytest.mark.parametrize("step", STEPS)
def test_each_step_opens_alone(models: Path, step: str) -> None:
    app = opened("cross_attention", all="0", part=step, text=TEXT)
    assert not app.exception
    assert not app.error
    titles = [text.value for text in app.markdown if text.value.startswith("## ")]
    assert len(titles) == 1
