"""Chapter 12: every answer is a second run, and the numbers that it says are the model's."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.data.changed import Change, of
from app.data.importance import hidden, importance
from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.format import escape, number, signed
from app.inspector.probe import Probe, probe_of
from app.page.quiz import largest
from app.ui.sentence_box import offered
from app.views.walk.what_if import heads
from app.views.walk.what_if.data import Layer, differing, layers, left_alone, muted, read_mute, run
from app.views.walk.what_if.heads import FOUND, STOPPED
from app.views.walk.what_if.questions import (
    EARLIER,
    QUESTIONS,
    backwards,
    control,
    without_past,
    without_positions,
)
from model.interpret.experiments.changed import capture_changed, log_probs
from model.interpret.experiments.plan import plan
from tests.app.pages import grids, numbers, opened, step

TEXT = "Nunca es tarde para aprender."
STEPS = [
    "control", "head", "one", "sweep", "words", "mattered", "agree", "complete", "task",
]  # fmt: skip


@pytest.fixture
def now(models: Path) -> Walk:
    return walk("es-en", TEXT, Decoding("beam", beam=4))


@pytest.fixture
def probe(now: Walk) -> Probe:
    return probe_of(now)


def change_of(now: Walk, *changes: Change) -> np.ndarray:
    """By how much log p of each token changes, each run made alone."""
    changed = capture_changed(now.model, now.tokenizer, plan(now.model, now.capture, changes))
    return log_probs(changed) - log_probs(now.capture)


def said(app: AppTest) -> str:
    return " ".join(text.value for text in app.markdown)


def test_the_control_changes_nothing(probe: Probe) -> None:
    total, differ = differing(control(probe))
    assert total == sum(array.size for array in probe.walk.capture.arrays.values())
    assert differ == 0
    assert differing(without_past(probe))[1] > 0


@pytest.mark.parametrize(
    ("asked", "change"),
    [
        (without_past, of.LookLike("itself", "decoder")),
        (without_positions, of.WithoutPositions("src")),
    ],
)
def test_a_question_is_answered_by_its_own_run(probe: Probe, asked: object, change: Change) -> None:
    made = asked(probe)  # type: ignore[operator]
    np.testing.assert_allclose(made.after - made.before, change_of(probe.walk, change), atol=2e-5)


def test_the_sentence_is_read_backwards_but_for_its_end(probe: Probe) -> None:
    ids = probe.walk.capture.src_ids
    assert list(backwards(probe).plan.src_ids) == [*ids[-2::-1], ids[-1]]


def test_each_head_is_muted_alone_or_left_alone(now: Walk) -> None:
    at, others = Layer("cross", 1), (0, 1, 3)
    mute = change_of(now, of.MuteHeads("cross", 1, (2,)))
    np.testing.assert_allclose(muted(now, at)[2], mute, atol=2e-5)
    alone = change_of(now, of.MuteHeads("cross", 1, others))
    np.testing.assert_allclose(left_alone(now, at)[2], alone, atol=2e-5)


def test_the_guess_about_a_head_is_judged_by_the_numbers(probe: Probe) -> None:
    changes = heads.cross_muted(probe.walk)[..., probe.at]
    layer, head = np.unravel_index(changes.argmin(), changes.shape)
    asked = heads.guess_head(probe)
    (right,) = asked.answers
    assert asked.options[right].startswith(f"layer {layer + 1}, head {head + 1}:")


def test_the_wall_has_every_head_of_the_model(models: Path, now: Walk) -> None:
    app = step("what_if", "sweep", text=TEXT)
    wall = numbers(grids(app)["Δ log p without one head"])
    expected = [muted(now, at).sum(-1) for at in layers(now)]
    np.testing.assert_allclose(wall, expected, atol=1e-5)
    assert wall.shape == (6, 4)
    assert signed(wall.min(), 3) in said(app)


def test_the_wall_of_one_token_and_the_run_of_the_chosen_head(models: Path, now: Walk) -> None:
    chosen = "mute-decoder-1-2"
    app = step("what_if", "sweep", text=TEXT, about="word", word="1", muted=chosen)
    wall = numbers(grids(app)["Δ log p without one head"])
    expected = [muted(now, at)[:, 1] for at in layers(now)]
    np.testing.assert_allclose(wall, expected, atol=1e-5)
    assert "Head 3 of layer 2, masked self-attention: mute" in said(app)
    app.button(key="open-muted").click().run()
    assert not app.exception
    assert app.title[0].value.startswith("Translate")
    assert app.query_params["change"] == chosen


def test_every_source_token_is_hidden_and_its_run_is_opened(models: Path, now: Walk) -> None:
    app = step("what_if", "words", text=TEXT, hidden="2")
    table = numbers(grids(app)["Δ log p of each token without one token"])
    sums = numbers(grids(app)["Δ log p of the translation without one token"])
    expected = np.stack(
        [change_of(now, of.HideWords("src", (i,))) for i in range(len(now.capture.src))], axis=1
    )
    np.testing.assert_allclose(table, expected, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(sums[0], expected.sum(0), rtol=1e-4)
    assert signed(-hidden(now)[:, 2].sum(), 3) in said(app)
    app.button(key="open-hidden").click().run()
    assert not app.exception
    assert app.query_params["change"] == "hide-src-2"


@pytest.mark.parametrize(
    "text",
    ["", "mute-cross", "mute-cross-9-0", "mute-cross-0-9", "mute-cross-0-0_1", "nomask", "x"],
)
def test_any_other_head_in_the_address_is_none(now: Walk, text: str) -> None:
    assert read_mute(text, now) is None


def test_a_sweep_goes_on_until_it_is_stopped(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run of the page mutes heads for a second at most: a click on Stop comes between."""
    monkeypatch.setattr(heads, "AT_ONCE", 0.001)
    app = step("what_if", "sweep", text="hola")
    assert not app.exception
    key, found = app.session_state[FOUND]
    assert len(found) == 6
    for at in list(found)[2:]:
        del found[at]
    app.session_state[STOPPED] = key
    app.run()
    assert [bar.proto.text for bar in app.get("progress")] == ["Stopped after 2 of 6 layers."]
    assert np.isnan(numbers(grids(app)["Δ log p without one head"])).any(-1).sum() == 4
    app.button(key="sweep-on").click().run()
    assert not app.exception
    assert not app.get("progress")
    assert np.isfinite(numbers(grids(app)["Δ log p without one head"])).all()


def test_the_map_scales_each_method_by_its_own(models: Path, now: Walk) -> None:
    app = step("what_if", "mattered", text=TEXT, word="2")
    shown = numbers(grids(app)["Each row ÷ its own largest magnitude"])
    rows = importance(now, 2).rows
    np.testing.assert_allclose(shown, rows / np.abs(rows).max(-1, keepdims=True), atol=1e-5)
    np.testing.assert_allclose(np.abs(shown).max(-1), 1)
    np.testing.assert_allclose(rows[0], hidden(now)[2], atol=1e-6)


def test_the_ranks_and_what_is_missing_are_told(models: Path, now: Walk) -> None:
    found = importance(now, 2)
    app = step("what_if", "agree", text=TEXT, word="2")
    shown = numbers(grids(app)["rank correlation"])
    np.testing.assert_allclose(shown, found.correlations, atol=1e-6)
    apart = found.correlations[~np.eye(len(shown), dtype=bool)]
    text = said(app)
    assert signed(apart.max()) in text
    assert signed(apart.min()) in text
    text = said(step("what_if", "complete", text=TEXT, word="2"))
    assert signed(found.gap, 3) in text
    assert number(log_probs(now.capture)[2], 3) in text


def test_the_mistake_compares_two_heads(probe: Probe) -> None:
    weights = probe.walk.capture.all_weights("cross").max(-1)
    changes = heads.cross_muted(probe.walk)
    T = changes.shape[-1]
    apart = weights.reshape(-1, T).argmax(0) != changes.reshape(-1, T).argmin(0)
    assert f"for {apart.sum()} of the {T} tokens" in heads.myth(probe).truth


def test_the_task_asks_what_the_translation_misses(models: Path, now: Walk) -> None:
    app = opened("what_if", text=TEXT, all="0", part="task")
    question = app.radio[-1]
    drops = hidden(now).sum(0)
    shown, answers = largest(drops)
    question.set_value(min(answers)).run()
    assert escape(signed(-drops.max())) in app.success[0].value
    wrong = next(i for i in range(len(shown)) if i not in answers)
    app.radio[-1].set_value(wrong).run()
    assert not app.success
    assert app.info


def test_the_visitors_changes_do_not_count_here(models: Path, now: Walk) -> None:
    """Every experiment begins with the unchanged run, whatever was changed on Translate."""
    plain, changed = (
        step("what_if", "control", text=TEXT, **query) for query in ({}, {"change": "nopos"})
    )
    title = "log p of each token of the original translation"
    assert np.array_equal(numbers(grids(plain)[title]), numbers(grids(changed)[title]))
    assert "Changed run:" not in said(changed)


def test_one_token_alone_can_be_asked_about(models: Path) -> None:
    app = opened("what_if", text="a")
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize("part", STEPS)
def test_each_step_opens_alone(models: Path, part: str) -> None:
    app = step("what_if", part, text=TEXT)
    assert not app.exception
    assert not app.error
    titles = [text.value for text in app.markdown if text.value.startswith("## ")]
    assert len(titles) == 1


@pytest.mark.parametrize("asked", QUESTIONS)
def test_each_question_shows_its_run(models: Path, probe: Probe, asked: str) -> None:
    app = step("what_if", "control", text=TEXT, asked=asked)
    assert not app.exception
    made = QUESTIONS[asked].run(probe)
    shown = numbers(grids(app)["log p of each token of the original translation"])
    np.testing.assert_allclose(shown[1], made.after, rtol=1e-5)


@pytest.mark.parametrize("part", EARLIER)
def test_the_address_of_an_earlier_screen_asks_its_question(models: Path, part: str) -> None:
    """All of them opened the question about the decoder's past."""
    app = opened("what_if", all="0", part=part, text=TEXT)
    (chosen,) = [box for box in app.selectbox if box.label == "The question"]
    assert chosen.value == part
    chosen.set_value("control").run()
    (chosen,) = [box for box in app.selectbox if box.label == "The question"]
    assert chosen.value == "control"


def test_the_question_is_chosen_above_all_screens_too(models: Path) -> None:
    """It could not be: what all screens share left it out."""
    app = opened("what_if", text=TEXT)
    assert "The question" in [box.label for box in app.selectbox]


def test_a_run_is_made_once(now: Walk) -> None:
    change = of.WithoutPositions("src")
    assert run(now, change) is run(now, change)


@pytest.mark.parametrize("model", ["es-en", "fr-en"])
def test_the_example_that_is_offered_has_an_answer_to_each_question(model: str) -> None:
    """Four of the first six questions had nothing to see: the words stayed as they were."""
    longest = probe_of(walk(model, max(offered(model), key=len), Decoding()))
    asked = [name for name, one in QUESTIONS.items() if one.when(longest)]
    assert asked == list(QUESTIONS)
    runs = {name: QUESTIONS[name].run(longest) for name in asked}
    same = [name for name, run in runs.items() if run.translation.output == run.original.output]
    assert same == ["control"]
