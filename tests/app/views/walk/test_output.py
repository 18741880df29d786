"""Chapter 10: from the vector to the word, over the whole vocabulary."""

from pathlib import Path

import numpy as np
import pytest

from app.data.translation import Decoding
from app.data.walk import Cell, Walk, walk
from app.inspect import panel as ask
from app.views.walk.output.data import distribution, drawn_from, lens
from app.views.walk.output.piece import PIECE
from app.views.walk.output.softmax import rest_of, stages
from tests.app.pages import opened

TEXT = "Qué será, será"


@pytest.fixture
def sentence(models: Path) -> Walk:
    return walk("es-en", TEXT, Decoding())


@pytest.mark.parametrize(
    "query",
    [
        {"step": "1"},
        {"step": "999", "piece": "7"},
        {"piece": "999999", "temperature": "0.1"},
        {"k": "3", "p": "0.5", "temperature": "2"},
        {"decoding": "sample", "k": "5"},
    ],
)
def test_every_setting_opens(models: Path, query: dict[str, str]) -> None:
    app = opened("output", text=TEXT, **query)
    assert not app.exception
    assert not app.error


def test_no_piece_is_dropped(sentence: Walk) -> None:
    logits = sentence.capture.logits[1]
    found = distribution(logits, 1.3)
    ids = found.order[:10].tolist()
    drawn = drawn_from(sentence, 1, 1.3, 4, 0.9)
    columns = stages(logits, found, drawn, ids)
    *_, powers, probabilities, final = columns
    assert powers.values.sum() == pytest.approx(found.total)
    assert probabilities.values.sum() == pytest.approx(1)
    assert final.values.sum() == pytest.approx(1)
    assert rest_of(found.probabilities, ids) == pytest.approx(
        found.probabilities[found.order[10:]].sum()
    )


def test_signs_that_are_never_written_are_never_drawn(sentence: Walk) -> None:
    drawn = drawn_from(sentence, 0, 2.0, 0, 1.0)
    assert drawn.final[sentence.config.pad_id] == drawn.final[sentence.config.bos_id] == 0


def test_the_last_layer_says_what_the_model_says(sentence: Walk) -> None:
    said = lens(sentence, 2)
    assert said.shape == (sentence.config.n_decoder_layers, sentence.config.n_tgt_vocab)
    assert np.allclose(said[-1], sentence.array("probabilities")[2], atol=1e-6)


def test_the_task_turns_a_difference_into_a_ratio(sentence: Walk) -> None:
    app = opened("output", text=TEXT)
    radio = next(radio for radio in app.radio if radio.key and "task-" in radio.key)
    first, second = np.sort(sentence.array("probabilities")[0])[::-1][:2]
    options = [float(option.replace("\\", "").split()[0]) for option in radio.options]
    radio.set_value(int(np.argmin(np.abs(np.array(options) - first / second)))).run()
    assert any("Yes" in box.value for box in app.success)


def test_a_piece_outlives_its_url(models: Path) -> None:
    assert PIECE.parse("12") == 12
    assert PIECE.parse("-5") == -1


def test_of_a_row_over_the_vocabulary_the_panel_draws_what_weighs_most(
    sentence: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask, "LONGEST", 100)
    found = sentence.explain(Cell("probabilities", (1, 7)))
    places = ask._heaviest(found)
    assert places is not None
    logits = sentence.capture.logits[1]
    assert sorted(places) == sorted(np.argsort(-logits)[: ask.HEAVIEST].tolist())
    strip = ask._strip(sentence, found.sources[0], places)
    np.testing.assert_allclose(strip.values, logits[list(places)], rtol=1e-6)
    assert list(strip.col_labels) == [sentence.token(i).text for i in places]
    assert ask._heaviest(sentence.explain(Cell("logits", (1, 7)))) is None
