"""The page on the RNN: what it says of the sentence is what the model does."""

from pathlib import Path

import numpy as np
import pytest

from app.data.translation import Decoding, load
from app.data.walk import Walk, walk
from app.views.history.seq2seq.data import TIMES, joined, remembered
from app.views.history.seq2seq.unrolled import (
    IN_ENGLISH,
    PROVERBS,
    proverbs,
    translations,
    unit_of,
)
from model.text.byte_level import EOS
from tests.app.pages import charts, grids, healthy, judged, numbers, opened, option, said, step

NAME, TEXT = "rnn/es-en", "Nunca es tarde para aprender."


@pytest.fixture
def sentence(models: Path) -> Walk:
    return walk(NAME, TEXT, Decoding())


def test_the_page_begins_with_the_last_word(sentence: Walk) -> None:
    app = opened("seq2seq", text=TEXT)
    count = len(sentence.capture.src) + len(sentence.capture.tgt)
    assert app.slider(key="step-en").value == len(sentence.capture.src) - 1
    assert app.slider(key="step-en").max == count


@pytest.mark.parametrize(("chosen", "part"), [("999", "unrolled"), ("0", "write")])
def test_a_screen_of_one_network_steps_through_it_alone(
    sentence: Walk, chosen: str, part: str
) -> None:
    """One may arrive there with a step of the other network."""
    app, source = step("seq2seq", part, text=TEXT, step=chosen), len(sentence.capture.src)
    healthy(app)
    slider = app.slider(key="step-en")
    assert slider.value == (source if part == "unrolled" else source + 1)
    steps = source + len(sentence.capture.tgt)
    assert (slider.min, slider.max) == ((1, source) if part == "unrolled" else (source + 1, steps))


def test_the_proverbs_are_one_padded_batch(sentence: Walk) -> None:
    made = proverbs(sentence)
    rows = [[*sentence.tokenizer.encode(text), EOS] for text in PROVERBS]
    assert made.ids.shape == (4, max(map(len, rows)))
    for ids, row in zip(made.ids.tolist(), rows, strict=True):
        assert ids == row + [sentence.config.pad_id] * (len(ids) - len(row))
    app = step("seq2seq", "block", text=TEXT)
    table = load(NAME).model.src_embed.weight.detach().numpy()
    first = numbers(grids(app)["sentence 1"])
    vectors = table[made.ids[0]] * np.sqrt(sentence.config.d_model)
    np.testing.assert_allclose(first, vectors[:, : len(first)].T, atol=1e-5)


def test_their_translations_are_a_block_of_their_own(sentence: Walk) -> None:
    """Only the Spanish halves were shown: nothing said that the target side is padded, too."""
    made = translations(sentence)
    rows = [[*sentence.tokenizer.encode(text), EOS] for text in IN_ENGLISH]
    assert made.ids.shape == (4, max(map(len, rows)))
    assert [ids[: len(row)] for ids, row in zip(made.ids.tolist(), rows, strict=True)] == rows
    assert made.padding == made.ids.size - sum(map(len, rows)) > 0
    told = said(step("seq2seq", "batch", text=TEXT))
    assert f"{made.padding} of {made.ids.size} places" in told
    assert "slaughter" in "".join(token.text for token in made.tokens[0])


def test_padding_leaves_the_state_where_it_is(sentence: Walk) -> None:
    made = proverbs(sentence)
    drawn = grids(step("seq2seq", "padding", text=TEXT))["how far each token moves the state"]
    assert ((numbers(drawn) == 0) == ~made.mask).all()
    assert made.difference < 1e-5


def test_the_guess_about_forgetting_is_right_where_more_is_left(sentence: Walk) -> None:
    found = remembered(sentence)
    app = opened("seq2seq", all="0", part="forget", text=TEXT)
    assert not charts(app)
    app.radio[0].set_value(int(found.plain[-1] > found.gru[-1])).run()
    assert charts(app)
    assert "material/check" in said(app)


def test_what_is_left_of_the_first_token_is_what_numpy_finds(sentence: Walk) -> None:
    """Two states that read the same but for the first token, with gates and without."""
    found = remembered(sentence)
    ids = sentence.tokenizer.encode(joined(TEXT, TIMES))
    model = load(NAME).model
    weights = {n: p.detach().double().numpy() for n, p in model.named_parameters()}
    x = weights["src_embed.weight"][ids] * np.sqrt(model.config.d_model)
    w, b, u, c = (
        weights[f"encoder.0.gru.{name}"] for name in ("w.weight", "w.bias", "u.weight", "u.bias")
    )
    wx, n = x @ w.T + b, model.config.d_hidden

    def gru(t: int, h: np.ndarray) -> np.ndarray:
        a, v = wx[t], u @ h + c
        r, z = (1 / (1 + np.exp(-a[i : i + n] - v[i : i + n])) for i in (0, n))
        return (1 - z) * np.tanh(a[2 * n :] + r * v[2 * n :]) + z * h

    def plain(t: int, h: np.ndarray) -> np.ndarray:
        return np.tanh(wx[t, 2 * n :] + u[2 * n :] @ h + c[2 * n :])

    for cell, ours in ((gru, found.gru), (plain, found.plain)):
        read, missed = cell(0, np.zeros(n)), np.zeros(n)
        apart = [np.linalg.norm(read - missed)]
        for t in range(1, len(ids)):
            read, missed = cell(t, read), cell(t, missed)
            apart.append(np.linalg.norm(read - missed))
        np.testing.assert_allclose(ours, np.array(apart) / apart[0], atol=1e-4)


def test_the_task_knows_the_smallest_gate(sentence: Walk) -> None:
    app = step("seq2seq", "task", text=TEXT)
    gate = sentence.array("encoder.0.forward.update")[:, unit_of(sentence)]
    judged(app, option(app, f"{gate.argmin() + 1}:"))


def test_a_missing_model_is_one_sentence(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.page.errors.model_names", lambda: ["es-en"])
    app = opened("seq2seq")
    assert not app.exception
    assert ["“rnn/es-en”, which is missing" in error.value for error in app.error] == [True]
