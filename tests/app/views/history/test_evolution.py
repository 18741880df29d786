"""The evolution of attention: three translators, their numbers, and six attentions on a few."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.data.translation import Decoding
from app.format import number, percent
from app.views.history.evolution import cost, data
from app.views.history.evolution.beside import share_cell
from app.views.history.evolution.data import (
    MODELS,
    EvolutionChoice,
    by_length,
    translations,
)
from model import checkpoint
from tests.app.pages import grids, judged, numbers, opened, said, sound, step
from tests.app.test_pages import sentences
from tests.app.tiny import make_models

TEXT = "Qué será, será"
MISSING = "Not in the folder"


def page(**query: str) -> AppTest:
    return sound(opened("evolution", text=TEXT, decoding="greedy", **query))


def outputs(app: AppTest) -> list[str]:
    return [
        html.proto.body for html in app.get("html") if 'data-testid="beside"' in html.proto.body
    ]


def test_the_three_translate_the_same_sentence(models: Path) -> None:
    app = page()
    made = translations(TEXT, Decoding("greedy"))
    assert tuple(made) == MODELS
    for shown, one in zip(outputs(app), made.values(), strict=True):
        assert one.text == TEXT
        assert (one.output or "∅").split()[0] in shown
    assert not [text for text in sentences(app) if MISSING in text]
    assert "Checked" in said(app)


def test_query_key_and_value_are_the_captured_ones(models: Path) -> None:
    app = step("evolution", "roles", text=TEXT, decoding="greedy", estep="2", ehead="1.3")
    table = app.table[0].value
    made = translations(TEXT, Decoding("greedy"))
    for title, name, layer, head in (
        ("RNNsearch", MODELS[1], 0, 0),
        ("Transformer", MODELS[2], 0, 2),
    ):
        column, capture = " ".join(table[title]), made[name].capture
        weights = capture.weights("cross", layer, head)[1]
        most = int(weights.argmax())
        assert f"{100 * weights[most]:.1f} %" in column
        for stage, at in (("q", 1), ("k", most), ("v", most), ("context", 1)):
            first = capture.stage("cross", layer, stage, head)[at, :4]
            assert ", ".join(map(number, first)) in column, stage
    last = made[MODELS[0]].capture.arrays["memory"][0]
    assert ", ".join(map(number, last[:4])) in " ".join(table["RNN"])


def test_nearly_all_of_the_attention_is_no_quotation() -> None:
    """“>99.9 %” began a cell, and Markdown took it for a quotation: “99.9 %” with a bar."""
    assert share_cell(0.99999) == "\\>99.9 %"
    assert share_cell(0.5) == percent(0.5)


@pytest.mark.parametrize(("test", "metric"), [("test", "bleu"), ("everyday", "chrf")])
def test_scores_by_length_are_those_of_the_files(models: Path, test: str, metric: str) -> None:
    app = page(test=test, score=metric)
    for name, title in zip(MODELS, ("RNN", "RNNsearch", "Transformer"), strict=True):
        rows = checkpoint.load(models / name).metrics[f"{test}_by_length"]
        short, long = (row[metric] for row in rows)
        assert f"**{title}**: {short:.1f} → {long:.1f}" in said(app)


def test_the_transformer_is_compared_after_as_many_tokens(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = page(test="test")
    assert "**Transformer after 12 M tokens**: 30.0 → 10.0" in said(app)
    assert "as many tokens as the two recurrent" in said(app)
    fair = "**Transformer after"
    assert fair not in said(page(test="everyday")), "it was not measured there"
    monkeypatch.setattr(data, "trained_tokens", lambda name: 4_500_000)
    assert fair not in said(page(test="test")), "nor after as many"


def test_what_the_transformer_has_read_besides_is_said(models: Path) -> None:
    """“All three learned from pairs of Tatoeba's sentences”: it alone had read our own as well."""
    app = page()
    assert "also read 64,000 more sentences of our own" in said(app)
    assert "After as many tokens as the two others have read, its BLEU was 25.5." in said(app)


def test_the_favourite_token_is_said_to_be_none_of_the_special_ones(models: Path) -> None:
    """75.7 % was said of “the sharpest head”; with `<eos>`, which another looks at, 94.3 %."""
    capture = translations(TEXT, Decoding("greedy"))[MODELS[2]].capture
    words = capture.all_weights("cross")[..., [not token.special for token in capture.src]]
    shown = said(step("evolution", "better", text=TEXT, decoding="greedy"))
    assert f"not `<eos>`:\n\n### {percent(float(words.max(-1).mean(-1).max()))}" in shown


def test_only_what_was_measured_is_offered(models: Path) -> None:
    """Older files have no chrF, and no model here was scored on sentences as typed."""
    app = page(test="test_as_typed", score="chrf")
    offered = app.button_group("test-en").options
    assert list(offered) == ["held-out sentences", "everyday sentences"]
    assert "chrF" not in said(app)


def test_speed_is_measured_when_asked(models: Path) -> None:
    app = page(part="speed")
    assert "Nothing is measured yet." in sentences(app)
    app.button(key="live-speed-step").click().run()
    assert "Nothing is measured yet." not in sentences(app)
    assert "tokens per second in sentences of 5" in said(app)


def test_six_attentions_follow_what_is_typed(models: Path) -> None:
    typed = {"eh": "1 0 0 0\n0 2 0 0", "es": "0 3 0 0"}
    app = page(part="vectors", ewq="0 1 0 0\n1 0 0 0\n0 0 1 0\n0 0 0 1", **typed)
    scaled = np.exp([0, 6 / 2]) / np.exp([0, 6 / 2]).sum()
    dot = np.exp([0, 6]) / np.exp([0, 6]).sum()
    additive = np.exp([np.tanh(1) + np.tanh(3), np.tanh(5)])
    additive /= additive.sum()
    assert (
        f"is {additive.max():.3f} with additive attention, {dot[1]:.3f} with the dot product and "
        f"{scaled[1]:.3f}" in said(app)
    )
    judged(app, 1)
    assert f"gives its favourite {scaled[1]:.3f}".replace(".", "\\.") in app.info[-1].value
    app.button(key="evolution-back").click().run()
    assert not {"eh", "es", "ewq"} & set(app.query_params)


@pytest.mark.parametrize(
    ("field", "typed", "complaint"),
    [
        ("h", "1 2 3", "line 1: 4 numbers from −10 to 10 are needed"),
        ("s", "1 2 3 4\n1 2 x 4", "line 2: 4 numbers"),
        ("s", "1 2 3 nan", "line 1: 4 numbers"),
        ("w_q", "1 0 0 99", "4 lines are needed, not 1"),
        ("h", "\n".join(["1 2 3 4"] * 9), "at most 5 lines"),
        ("v_a", "1 1 1 <b>", "4 numbers from −10 to 10 are needed"),
    ],
)
def test_what_cannot_be_read_is_said(models: Path, field: str, typed: str, complaint: str) -> None:
    app = opened("evolution", part="vectors", text=TEXT, **{data.FIELDS[field].name: typed})
    assert not app.exception
    assert len(app.error) == 1
    assert complaint in app.error[0].value.replace("\\", "")
    assert "Checked" in said(app)


def test_without_the_recurrent_models_the_rest_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", make_models(tmp_path, ("es-en",)))
    app = page()
    assert len(outputs(app)) == 1
    (missing,) = [text for text in sentences(app) if MISSING in text]
    assert missing.endswith(": RNN, RNNsearch.")
    assert "scaled one" in said(app)


def test_weights_are_the_softmax_of_the_scores(models: Path) -> None:
    drawn = grids(step("evolution", "range", text=TEXT, decoding="greedy", estep="2", ehead="2.1"))
    made = translations(TEXT, Decoding("greedy"))
    for name, title, layer in ((MODELS[1], "2015", 0), (MODELS[2], "2017", 1)):
        scores = made[name].capture.stage("cross", layer, "masked", 0)[1]
        shown = numbers(drawn[f"{title}: scores"]).ravel()
        np.testing.assert_allclose(shown, scores, atol=1e-6)
        weights = np.exp(scores - scores.max())
        shown = numbers(drawn[f"{title}: weights"]).ravel()
        np.testing.assert_allclose(shown, weights / weights.sum(), atol=1e-6)


def test_the_three_advantages_have_measured_numbers(models: Path) -> None:
    app = step("evolution", "better", text=TEXT, decoding="greedy")
    made = translations(TEXT, Decoding("greedy"))
    source, target = made[MODELS[0]].source.tokens, made[MODELS[0]].target.tokens
    layers = made[MODELS[2]].capture.config
    steps = layers.n_encoder_layers + layers.n_decoder_layers
    assert f"### {len(source) + len(target)} → {steps}" in said(app)
    rnn, early = by_length(MODELS[0]), by_length(MODELS[2], early=True)
    assert f"### {rnn[-1].bleu:.1f} → {early[-1].bleu:.1f}" in said(app)
    assert "from the RNN to the Transformer after 12 M tokens" in said(app)
    assert percent(rnn[-1].bleu / rnn[0].bleu) in said(app)


def test_one_model_with_other_groups_does_not_hide_the_rest(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one model's groups differed, the cards said that none had its scores."""
    rows = {name: by_length(name) for name in MODELS}
    rows[MODELS[1]] = rows[MODELS[1]][:1]
    monkeypatch.setattr(
        data, "by_length", lambda name, *_, early=False: () if early else rows[name]
    )
    choice = EvolutionChoice()
    choice.translations = translations(TEXT, Decoding("greedy"))
    assert list(cost.scores_of(choice)) == [MODELS[0], MODELS[2]]
