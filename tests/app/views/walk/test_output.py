"""Chapter 10: from the vector to the word, over the whole vocabulary."""

import numpy as np
import pytest

from app.data.walk import Cell, Walk
from app.format import number, probability
from app.inspector import panel as ask
from app.views.walk.output.data import distribution, drawn_from, lens
from app.views.walk.output.screens import (
    FEW,
    VocabularyPiece,
    guess_lens,
    guess_temperature,
    myth,
    rest_of,
    taken,
)
from tests.app.pages import charts, grids, numbers, said, step

TEXT = "Qué será, será"  # of the fixture `sentence`


def charted(sentence: Walk, part: str, **query: str) -> list[list[float]]:
    """The bars of each stage on a screen: of the likeliest tokens, then of all others."""
    app = step("output", part, text=TEXT, step="2", **query)
    (figure,) = (figure for figure in charts(app).values() if len(figure["data"]) > 1)
    return [trace["x"] for trace in figure["data"]]


def test_no_token_is_dropped(sentence: Walk) -> None:
    logits = sentence.capture.logits[1]
    found = distribution(logits, 1.3)
    ids, few = found.order[:10].tolist(), FEW
    *_, scaled, powers, probabilities = charted(sentence, "temperature", temperature="1.3")
    np.testing.assert_allclose(scaled[:few], np.sort(logits)[::-1][:few] / 1.3, rtol=1e-5)
    assert sum(powers) == pytest.approx(found.total)
    assert sum(probabilities) == pytest.approx(1)
    assert rest_of(found.probabilities, ids[:few]) == pytest.approx(probabilities[-1])
    settings = {"temperature": "1.3", "k": "4", "p": "0.9"}
    p, final = charted(sentence, "choice", **settings)
    drawn = drawn_from(sentence, 1, 1.3, 4, 0.9)
    assert (sum(p), sum(final)) == pytest.approx((1, 1))
    np.testing.assert_allclose(final[:10], drawn.final[ids], atol=1e-9)


def test_at_first_the_softmax_is_the_models(sentence: Walk) -> None:
    _, powers, p = charted(sentence, "softmax", temperature="2")
    expected = np.sort(sentence.array("probabilities")[1])[::-1]
    np.testing.assert_allclose(p[:10], expected[:10], rtol=1e-4)
    assert p[-1] == pytest.approx(expected[10:].sum(), rel=1e-4)
    assert powers[0] == 1


def test_signs_that_are_never_written_are_never_drawn(sentence: Walk) -> None:
    drawn = drawn_from(sentence, 0, 2.0, 0, 1.0)
    assert drawn.final[sentence.config.pad_id] == drawn.final[sentence.config.bos_id] == 0


def test_the_task_turns_a_difference_into_a_ratio(sentence: Walk) -> None:
    app = step("output", "task", text=TEXT)
    first, second = np.sort(sentence.array("probabilities")[0])[::-1][:2]
    options = [float(option.replace("\\", "").split()[0]) for option in app.radio[-1].options]
    app.radio[-1].set_value(int(np.argmin(np.abs(np.array(options) - first / second)))).run()
    assert any("Yes" in box.value for box in app.success)
    low, high = np.sort(sentence.capture.logits[0].astype(float))[-2:]
    app.radio[-1].set_value(options.index(float(f"{high - low:.2f}"))).run()
    assert any("the difference of the logits itself" in box.value for box in app.info)


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


def test_a_logit_is_a_column_times_the_vector(sentence: Walk) -> None:
    app = step("output", "linear", text=TEXT, step="2", piece="7")
    drawn, word = grids(app), sentence.token(7).text
    x = numbers(next(grid for title, grid in drawn.items() if title.startswith("x · ")))
    products = numbers(drawn["products"])
    np.testing.assert_allclose(x * numbers(drawn[f"column of “{word}”"]), products, rtol=1e-5)
    bias = float(sentence.array("param:generator.b")[7])
    logit = float(sentence.capture.logits[1, 7])
    assert float(products.sum()) + bias == pytest.approx(logit, abs=1e-4)
    assert number(logit) in said(app)


def test_a_tied_column_is_an_embedding(sentence: Walk) -> None:
    drawn = grids(step("output", "tied", text=TEXT, piece="7"))
    word = sentence.token(7).text
    tied = "generator.W" in sentence.parameters.tied
    assert (f"embedding of “{word}”" in drawn) == tied
    if tied:
        row, column = (drawn[f"{of} of “{word}”"] for of in ("embedding", "column"))
        np.testing.assert_array_equal(numbers(row), numbers(column))


def test_halved_logits_make_shares_more_equal(sentence: Walk) -> None:
    piece = VocabularyPiece(sentence, 1, taken(sentence, 1))
    asked = guess_temperature(piece)
    logits = sentence.capture.logits[1].astype(float)
    p, q = (float((powers / powers.sum()).max()) for powers in (np.exp(logits / 2), np.exp(logits)))
    assert asked.answers == {2}
    assert p < q
    assert f"{p:.3f}" in asked.right
    assert f"{q:.3f}" in asked.right


def test_the_layer_where_the_answer_comes_to_the_front(sentence: Walk) -> None:
    asked = guess_lens(VocabularyPiece(sentence, 1, 7))
    front = lens(sentence, 1).argmax(-1).tolist()
    assert asked.answers == {front.index(front[-1])}


def test_the_mistake_is_refuted_by_two_other_temperatures(sentence: Walk) -> None:
    truth = myth(VocabularyPiece(sentence, 1, 7)).truth
    logits = np.sort(sentence.capture.logits[1].astype(float))[::-1]
    for temperature in (0.5, 1.0, 2.0):
        powers = np.exp((logits - logits[0]) / temperature)
        assert probability(powers[0] / powers.sum()) in truth
        if temperature >= 1:
            assert probability(powers[10:].sum() / powers.sum()) in truth
