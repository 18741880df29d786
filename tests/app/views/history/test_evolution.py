"""One sentence by three translators: their own numbers, and what was measured of them."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.data.translation import Decoding
from app.data.walk import walk
from app.format import percent
from app.views.history.evolution import data
from app.views.history.evolution.data import (
    MODELS,
    RECURRENT,
    SEARCH,
    SENTENCE,
    TRANSFORMER,
    by_length,
    remembered,
    scores,
    surest,
    translations,
)
from model import checkpoint
from tests.app.pages import charts, grids, judged, numbers, opened, option, said, sound, step
from tests.app.tiny import make_models

TEXT = "Qué será, será"
MISSING = "Not in the folder"


def page(part: str, **query: str) -> AppTest:
    return sound(step("evolution", part, text=TEXT, decoding="greedy", **query))


def outputs(app: AppTest) -> list[str]:
    return [
        html.proto.body for html in app.get("html") if 'data-testid="beside"' in html.proto.body
    ]


def test_the_story_is_told_on_its_own_sentence_until_another_is_typed(models: Path) -> None:
    assert opened("evolution").text_input[0].value == SENTENCE
    app = page("beside")
    assert app.text_input[0].value == TEXT
    app.button(key="story-0").click().run()
    assert app.text_input[0].value == SENTENCE
    assert not [one for one in app.button if str(one.key).startswith("story")]


def test_the_three_translate_the_same_sentence(models: Path) -> None:
    app = page("beside")
    made = translations(TEXT, Decoding("greedy"))
    assert tuple(made) == MODELS
    for shown, one in zip(outputs(app), made.values(), strict=True):
        assert (one.output or "∅").split()[0] in shown
    assert MISSING not in said(app)
    assert "Checked" in said(app)


def test_each_network_is_drawn_by_its_own_numbers(models: Path) -> None:
    made = translations(TEXT, Decoding("greedy"))
    drawn = grids(page("unrolled"))
    read, written = (next(grid for name, grid in drawn.items() if name[0] == of) for of in "hs")
    arrays = made[RECURRENT].capture.arrays
    np.testing.assert_allclose(numbers(read), arrays["encoder.0.forward.hidden"], atol=1e-6)
    np.testing.assert_allclose(numbers(written), arrays["decoder.0.state"], atol=1e-6)
    drawn = grids(page("map", word="1"))
    weights = made[SEARCH].capture.weights("cross", 0, 0)
    np.testing.assert_allclose(numbers(drawn["being written ↓, looked at →"]), weights, atol=1e-6)
    np.testing.assert_allclose(numbers(drawn["weight"]).ravel(), weights[1], atol=1e-6)
    raised = np.exp(numbers(drawn["score"]).ravel())
    np.testing.assert_allclose(raised / raised.sum(), weights[1], atol=1e-6)
    drawn = grids(page("beside", ehead="1.3"))
    weights = made[TRANSFORMER].capture.weights("cross", 0, 2)
    np.testing.assert_allclose(numbers(drawn["being written ↓, looked at →"]), weights, atol=1e-6)


def test_a_plain_cell_keeps_less(models: Path) -> None:
    left = remembered(walk(RECURRENT, TEXT, Decoding("greedy")))
    app = page("forget")
    for cell in (left.gru, left.plain):
        assert percent(float(cell[-1])) in said(app).replace("\\", "")


def test_the_proverbs_are_two_blocks(models: Path) -> None:
    app = page("batch")
    assert "a block of their own" in said(app)
    assert {f"sentence {n}" for n in range(1, 5)} <= set(grids(app))


def test_the_task_asks_for_another_row_than_the_surest(models: Path) -> None:
    app = page("task")
    one = walk(SEARCH, TEXT, Decoding("greedy"))
    weights = np.array(one.array("decoder.0.cross_attn.weights")[0])
    others = np.delete(np.arange(len(weights)), surest(one))
    row = weights[others[weights[others].max(-1).argmax()]]
    judged(app, option(app, f"{int(row.argmax()) + 1}: "))


def test_scores_by_length_are_those_of_the_files_and_alike(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Transformer's come twice: after as many tokens as the two others have read, and now."""
    found = scores(MODELS)
    assert list(found) == [RECURRENT, SEARCH, data.EARLY, TRANSFORMER]
    for name in MODELS:
        rows = checkpoint.load(models / name).metrics["test_by_length"]
        assert [row.bleu for row in found[name]] == [row["bleu"] for row in rows]
    assert [row.bleu for row in found[data.EARLY]] == [30.0, 10.0]
    app = page("length")
    assert "Transformer after 12 M tokens, as many as theirs" in str(charts(app))
    monkeypatch.setattr(data, "trained_tokens", lambda name: 4_500_000)
    assert data.EARLY not in scores(MODELS), "nor after as many"


def test_one_model_with_other_groups_does_not_hide_the_rest(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one model's groups differed, the cards said that none had its scores."""
    rows = {name: by_length(name) for name in MODELS}
    rows[SEARCH] = rows[SEARCH][:1]
    monkeypatch.setattr(data, "by_length", lambda name, *, early=False: () if early else rows[name])
    assert list(scores(MODELS)) == [RECURRENT, TRANSFORMER]


def test_the_steps_that_wait_are_counted(models: Path) -> None:
    made = translations(TEXT, Decoding("greedy"))
    source, target = made[SEARCH].source.tokens, made[SEARCH].target.tokens
    config = made[TRANSFORMER].capture.config
    steps = config.n_encoder_layers + config.n_decoder_layers
    rnn = len(source) + len(target)
    assert f"({rnn} → {steps} steps here)" in said(page("length"))
    table = page("row").table[0].value
    assert list(table["steps in a row, your sentence"]) == [str(rnn), str(rnn), str(steps)]


def test_without_the_other_models_the_rest_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", make_models(tmp_path, (SEARCH,)))
    app = page("beside")
    assert len(outputs(app)) == 1
    assert f"{MISSING} “pretrained”, so not on this page: RNN, Transformer." in said(app)
    assert "h, read ↓" not in grids(page("forget")), "no vector without its network"
