"""Chapter 4: the steps draw the model's own numbers, and its task has the right answer."""

import numpy as np

from app.components.board import Grid
from app.data.attention import simple_attention
from app.data.walk import Walk
from app.format import escape, maths, percent
from app.inspector.head import Head
from app.views.walk.self_attention import steps
from app.views.walk.self_attention.screens import (
    PATCHES,
    SOUND_SHARP,
    SPOKEN,
    THINGS,
    VALUES,
    VOWELS,
    example,
    frames,
    heard,
    seen,
)
from tests.app.pages import judged, opened, said, step

TEXT = "Qué será, será"  # of the fixture `sentence`


def test_each_step_follows_from_the_one_before(
    sentence: Walk, pictures: dict[str, list[Grid]]
) -> None:
    for one in steps.screens[:4]:
        one.draw(Head(sentence, "encoder", 1, 2, 1))
    made = {key[-1]: grids for key, grids in pictures.items()}
    x, w, b, q = (grid.values for grid in made["1"])
    np.testing.assert_allclose(x @ w + b, q, atol=1e-4)
    q, k, scores, scaled = (grid.values for grid in made["2"][:4])
    np.testing.assert_allclose(k @ q, scores[:, 0], atol=1e-4)
    np.testing.assert_allclose(scores / np.sqrt(sentence.config.d_k), scaled, atol=1e-5)
    masked, powers, weights = (grid.values for grid in made["3"])
    np.testing.assert_allclose(np.exp(masked), powers, rtol=1e-5)
    np.testing.assert_allclose(powers / powers.sum(), weights, atol=1e-5)
    weights, v, weighted, z = (grid.values for grid in made["4"])
    np.testing.assert_allclose(weights * v, weighted, atol=1e-6)
    np.testing.assert_allclose(weighted.sum(0), z, atol=1e-5)


def test_what_stands_in_a_sentence() -> None:
    assert maths("÷ √d_k, W_Q and d_model") == r"÷ $\sqrt{d_k}$, $W_{Q}$ and $d_{model}$"
    assert maths(r"“d\_k”") == r"“d\_k”"


def test_the_page_tells_the_numbers_of_the_sentence(sentence: Walk) -> None:
    app = opened("self_attention", text=TEXT, word="1", layer="2", head="3")
    capture = sentence.capture
    weights = capture.weights("encoder", 1, 2)
    x = simple_attention(capture.arrays["src.sum"])
    assert f"{x.scores[1, 1]:.2f}" in said(app)
    assert all(f"## {maths(str(one.title))}\n" in said(app) for one in steps.screens[:4])
    assert percent(float(weights[1].max())) in said(app)
    app = step("self_attention", "task", text=TEXT, word="1", layer="2", head="3")
    best = int(weights[:, 1].argmax())
    judged(app, best)
    other = (best + 1) % len(app.radio[-1].options)
    assert escape(f"{weights[other, 1]:.3f}") in app.info[0].value


def test_two_tokens_by_hand_are_those_of_the_slides() -> None:
    hand = example()
    assert hand.scores.tolist() == [112, 96]
    assert hand.scaled.tolist() == [14, 12]
    np.testing.assert_allclose(hand.weights, [1 / (1 + np.exp(-2)), 1 / (1 + np.exp(2))])
    own, other = hand.weights
    expected = [own * a + other * b for a, b in zip(*VALUES, strict=True)]
    np.testing.assert_allclose(hand.z, expected)


def test_words_see_their_part_of_a_picture_and_letters_of_a_sound() -> None:
    np.testing.assert_allclose(seen().sum((1, 2)), 1)
    for weights, thing in zip(seen(), THINGS, strict=True):
        row, col = np.unravel_index(weights.argmax(), weights.shape)
        assert PATCHES[row][col] == thing
    weights_of = heard()
    np.testing.assert_allclose(weights_of.sum(1), 1)
    for weights, letter in zip(weights_of, VOWELS, strict=True):
        assert SPOKEN[int(weights.argmax())] == letter
        scores = [SOUND_SHARP * np.dot(VOWELS[letter], frame) for frame in frames()]
        np.testing.assert_allclose(weights, np.exp(scores) / np.exp(scores).sum())


def test_the_mistake_is_refuted_by_numbers_of_the_model(sentence: Walk) -> None:
    app = opened("self_attention", all="0", part="task", text=TEXT, layer="2")
    array = sentence.array
    weights = array("encoder.1.self_attn.weights")
    lengths = np.linalg.norm(weights[..., None] * array("encoder.1.self_attn.v")[:, None], axis=-1)
    rows = (one.reshape(-1, lengths.shape[-1]) for one in (lengths, weights))
    ratios = [
        (row.max() / row[weight.argmax()], weight.max()) for row, weight in zip(*rows, strict=True)
    ]
    assert percent(max(ratios)[1]) in said(app)
