"""Chapter 12: every answer is a second run, and the numbers that it says are the model's."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from app.data.changed import Change, change_types
from app.data.importance import hidden, importance
from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.format import escape, number, signed
from app.inspector.probe import Probe, probe_of
from app.page.quiz import largest
from app.ui.sentence_box import offered
from app.views.walk.what_if import heads
from app.views.walk.what_if.data import differing, layers, muted, read_mute
from app.views.walk.what_if.heads import FOUND, STOPPED
from app.views.walk.what_if.questions import EARLIER, QUESTIONS
from model.interpret.calculation.target import log_probs
from model.interpret.experiments.changed import capture_changed
from model.interpret.experiments.plan import plan
from tests.app.pages import SENTENCE, grids, judged, numbers, opened, revealed, said, sound, step


def change_of(now: Walk, change: Change) -> np.ndarray:
    """By how much log p of each token changes, in a run made alone."""
    changed = capture_changed(now.model, now.tokenizer, plan(now.model, now.capture, [change]))
    return log_probs(changed) - log_probs(now.capture)


def test_the_control_changes_nothing(probe: Probe) -> None:
    total, differ = differing(QUESTIONS["control"].run(probe))
    assert total == sum(array.size for array in probe.walk.capture.arrays.values())
    assert differ == 0
    assert differing(QUESTIONS["past"].run(probe))[1] > 0


def test_the_sentence_is_read_backwards_but_for_its_end(probe: Probe) -> None:
    ids = probe.walk.capture.src_ids
    assert list(QUESTIONS["order"].run(probe).plan.src_ids) == [*ids[-2::-1], ids[-1]]


def test_the_guess_about_a_head_is_judged_by_the_numbers(probe: Probe) -> None:
    changes = heads.cross_muted(probe.walk)[..., probe.at]
    layer, head = np.unravel_index(changes.argmin(), changes.shape)
    asked = heads.guess_head(probe)
    (right,) = asked.answers
    assert asked.options[right].startswith(f"layer {layer + 1}, head {head + 1}:")


# tests/browser/test_what_if.py opens the run of a head.
def test_the_wall_has_every_head_of_the_model(now: Walk) -> None:
    app = step("what_if", "sweep", text=SENTENCE)
    wall = numbers(grids(app)["Δ log p without one head"])
    changes = np.stack([muted(now, at) for at in layers(now)])
    np.testing.assert_allclose(wall, changes.sum(-1), atol=1e-5)
    assert wall.shape == (6, 4)
    assert signed(wall.min(), 3) in said(app)
    query = {"about": "word", "word": "1", "muted": "mute-decoder-1-2"}
    app = step("what_if", "sweep", text=SENTENCE, **query)
    wall = numbers(grids(app)["Δ log p without one head"])
    np.testing.assert_allclose(wall, changes[..., 1], atol=1e-5)
    assert "Head 3 of layer 2, masked self-attention: mute" in said(app)


def test_every_source_token_is_hidden_and_its_run_is_opened(now: Walk) -> None:
    app = step("what_if", "words", text=SENTENCE, hidden="2")
    table = numbers(grids(app)["Δ log p of each token without one token"])
    sums = numbers(grids(app)["Δ log p of the translation without one token"])
    places = range(len(now.capture.src))
    expected = np.stack(
        [change_of(now, change_types.HideWords("src", (i,))) for i in places], axis=1
    )
    np.testing.assert_allclose(table, expected, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(sums[0], expected.sum(0), rtol=1e-4)
    assert signed(-hidden(now)[:, 2].sum(), 3) in said(app)
    sound(app.button(key="open-hidden").click().run())
    assert app.query_params["change"] == "hide-src-2"


def test_any_other_head_in_the_address_is_none(now: Walk) -> None:
    for text in ("", "mute-cross", "mute-cross-9-0", "mute-cross-0-9", "mute-cross-0-0_1", "x"):
        assert read_mute(text, now) is None


def test_a_sweep_goes_on_until_it_is_stopped(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run of the page mutes heads for a second at most: a click on Stop comes between."""
    monkeypatch.setattr(heads, "AT_ONCE", 0.001)
    app = step("what_if", "sweep", text="hola")
    key, found = app.session_state[FOUND]
    assert len(found) == 6
    for at in list(found)[2:]:
        del found[at]
    app.session_state[STOPPED] = key
    app.run()
    assert [bar.proto.text for bar in app.get("progress")] == ["Stopped after 2 of 6 layers."]
    assert np.isnan(numbers(grids(app)["Δ log p without one head"])).any(-1).sum() == 4
    sound(app.button(key="sweep-on").click().run())
    assert not app.get("progress")
    assert np.isfinite(numbers(grids(app)["Δ log p without one head"])).all()


def test_the_map_scales_each_method_by_its_own_and_their_ranks_are_told(now: Walk) -> None:
    app = step("what_if", "mattered", text=SENTENCE, word="2")
    shown = numbers(grids(app)["Each row ÷ its own largest magnitude"])
    rows = importance(now, 2).rows
    np.testing.assert_allclose(shown, rows / np.abs(rows).max(-1, keepdims=True), atol=1e-5)
    np.testing.assert_allclose(np.abs(shown).max(-1), 1)
    np.testing.assert_allclose(rows[0], hidden(now)[2], atol=1e-6)
    found = importance(now, 2)
    app = step("what_if", "agree", text=SENTENCE, word="2")
    shown = numbers(grids(app)["rank correlation"])
    np.testing.assert_allclose(shown, found.correlations, atol=1e-6)
    apart = found.correlations[~np.eye(len(shown), dtype=bool)]
    assert signed(apart.max()) in said(app)
    assert signed(apart.min()) in said(app)
    text = said(step("what_if", "complete", text=SENTENCE, word="2"))
    assert signed(found.gap, 3) in text
    assert number(log_probs(now.capture)[2], 3) in text


def test_the_mistake_compares_two_heads(probe: Probe) -> None:
    weights = probe.walk.capture.all_weights("cross").max(-1)
    changes = heads.cross_muted(probe.walk)
    T = changes.shape[-1]
    apart = weights.reshape(-1, T).argmax(0) != changes.reshape(-1, T).argmin(0)
    assert f"for {apart.sum()} of the {T} tokens" in heads.myth(probe).truth


def test_the_task_asks_what_the_translation_misses(now: Walk) -> None:
    app = opened("what_if", text=SENTENCE, all="0", part="task")
    drops = hidden(now).sum(0)
    _shown, answers = largest(drops)
    judged(app, min(answers))
    app.radio[-1].set_value(min(answers)).run()
    assert escape(signed(-drops.max())) in app.success[0].value


def test_the_visitors_changes_do_not_count_here(now: Walk) -> None:
    """Every experiment begins with the unchanged run, whatever was changed on Translate."""
    plain = step("what_if", "control", text=SENTENCE)
    changed = step("what_if", "control", text=SENTENCE, change="nopos")
    title = "log p of each token of the original translation"
    assert np.array_equal(numbers(grids(plain)[title]), numbers(grids(changed)[title]))
    assert "Changed run:" not in said(changed)


def test_each_question_shows_its_run_also_by_an_earlier_address(probe: Probe) -> None:
    """All earlier addresses opened the question about the decoder's past."""
    for asked, question in QUESTIONS.items():
        query = {"part": asked} if asked in EARLIER else {"part": "control", "asked": asked}
        app = revealed(opened("what_if", all="0", text=SENTENCE, **query))
        shown = numbers(grids(app)["log p of each token of the original translation"])
        np.testing.assert_allclose(shown[1], question.run(probe).after, rtol=1e-5)
        assert choice(app).value == asked
        if asked in EARLIER:
            assert choice(choice(app).set_value("control").run()).value == "control"


def choice(app: AppTest) -> Selectbox:
    (found,) = [box for box in app.selectbox if box.label == "The question"]
    return found


def test_one_token_alone_can_be_asked_about_and_the_question_above_all_screens(
    models: Path,
) -> None:
    """It could not be chosen there: what all screens share left it out."""
    assert choice(sound(opened("what_if", text="a"))).value in QUESTIONS


@pytest.mark.parametrize("model", ["es-en", pytest.param("fr-en", marks=pytest.mark.slow)])
def test_the_example_that_is_offered_has_an_answer_to_each_question(model: str) -> None:
    """Four of the first six questions had nothing to see: the words stayed as they were."""
    longest = probe_of(walk(model, max(offered(model), key=len), Decoding()))
    asked = [name for name, one in QUESTIONS.items() if one.when(longest)]
    assert asked == list(QUESTIONS)
    runs = {name: QUESTIONS[name].run(longest) for name in asked}
    same = [name for name, run in runs.items() if run.translation.output == run.original.output]
    assert same == ["control"]
