"""Chapter 5: the heads side by side are the model's, and their parts add up to its output."""

import numpy as np
import pytest

from app.components.board import Grid
from app.data.walk import Walk
from app.format import share
from app.inspector.head import Head
from app.views.walk.heads import screens
from app.views.walk.heads.screens import Meant, meant
from tests.app.pages import judged, opened, said, sound, step

TEXT = "Qué será, será"  # of the fixture `sentence`


@pytest.fixture
def head(sentence: Walk) -> Head:
    return Head(sentence, "encoder", 1, 2, 1)


def test_heads_side_by_side_times_w_o_is_the_output(
    head: Head, pictures: dict[str, list[Grid]]
) -> None:
    screens.draw_out(head)
    every, side, w, b, out = (grid.values for grid in pictures["heads-output"])
    np.testing.assert_array_equal(every.ravel(), side)
    np.testing.assert_allclose(side @ w + b, out, atol=1e-4)


def test_what_the_heads_add_is_the_output(head: Head, pictures: dict[str, list[Grid]]) -> None:
    screens.draw_parts(head)
    rows, bias, out = (grid.values for grid in pictures["heads-parts"])
    np.testing.assert_allclose(rows.sum(0) + bias, out, atol=1e-4)


def test_the_task_is_right(sentence: Walk) -> None:
    app = step("heads", "task", text=TEXT, word="1", layer="2", head="mean")
    weights = sentence.capture.weights("encoder", 1)[:, 1]
    first, second = np.sort(weights, axis=0)[[-1, -2]]
    clear = np.where(np.arange(weights.shape[1]) == 1, -1, first - second)
    judged(app, int(weights[:, int(clear.argmax())].argmax()))


def test_what_the_verb_gives_to_a_word_is_the_sum_over_its_pieces(head: Head) -> None:
    assert not Meant(head.walk, "estaba", ("animal", "calle")).found
    of = meant(head, 0)
    assert of.found
    pieces = [token.text.strip() for token in of.walk.capture.src]
    verb, animal = of.tokens("estaba"), of.tokens("animal")
    assert "".join(pieces[i] for i in verb).startswith("estaba")
    assert "animal" in "".join(pieces[i] for i in animal)
    weights = of.walk.array("encoder.1.self_attn.weights")[2]
    expected = np.mean([[weights[row, key] for key in animal] for row in verb], 0).sum()
    assert of.given("animal")[1, 2] == pytest.approx(expected)


def test_the_other_sentence_tells_what_each_word_gets(sentence: Walk) -> None:
    app = opened("heads", all="0", part="pronoun", text=TEXT)
    of = meant(Head(sentence, "encoder", 0, 0, 0), 1)
    animal, street = (share(of.given(word).sum()) for word in of.words)
    assert f"“{of.words[0]}” gets {animal}, “{of.words[1]}” {street}" in said(app)


def test_a_translation_without_the_pronoun_is_said_to_have_none(sentence: Walk) -> None:
    """It said that the words of the example could not be found, which they were."""
    app = opened("heads", all="0", part="it", text=TEXT)
    assert meant(Head(sentence, "encoder", 0, 0, 0), 0).found
    assert "This translation has no “it”" in said(app)
    assert "cuts the example" not in said(app)


def test_the_mistake_counts_distances(sentence: Walk) -> None:
    app = opened("heads", all="0", part="task", text=TEXT, layer="2")
    weights = sentence.array("encoder.1.self_attn.weights")
    most = max(len({int(row.argmax()) - i for i, row in enumerate(head)}) for head in weights)
    assert f"{most} different distances" in said(app)


def test_the_example_is_in_the_language_that_is_read(models: object) -> None:
    for part in ("pronoun", "it"):
        app = sound(opened("heads", all="0", part=part, text="Je suis étudiant.", model="fr-en"))
        assert "estaba" not in said(app)
