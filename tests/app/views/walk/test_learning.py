"""How it learned: the losses, the moments and the gradients on the page are the model's own."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from app.data.translation import Decoding, Kind
from app.data.walk import walk
from app.format import escape, number, percent, signed
from app.inspector.naming import text_at
from app.views.walk.learning import loss as loss_of
from app.views.walk.learning import training
from app.views.walk.learning.data import (
    Taught,
    gradients_of,
    moment,
    moments_of,
    smoothing_of,
    taught,
)
from app.views.walk.learning.target import TRAINED, UNTRAINED, TargetPosition, cross_entropy
from model import checkpoint
from model import files as runs
from model.config import TrainConfig
from model.runs.folder import RunFolder
from model.runs.plan import Status, plan_of
from model.tasks import TASKS
from tests.app.pages import grids, numbers, opened, said, sent_to_browser, sound, step
from tests.app.tiny import make_models

SENTENCE = "Nunca es tarde para aprender"
RIGHT = "It's never too late to learn."
QUERY = {"text": SENTENCE, "reference": RIGHT, "decoding": "greedy"}


def lesson(reference: str = RIGHT, name: str = "es-en") -> Taught:
    return taught(walk(name, SENTENCE, Decoding("greedy")), reference)


@pytest.fixture(scope="module")
def moments_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model and two moments of its training; nothing may change it."""
    folder = tmp_path_factory.mktemp("moments")
    names = ("es-en", "snapshots/es-en-early", "snapshots/es-en-untrained")
    for at, name in ((9, names[0]), (5, names[1]), (0, names[2])):
        make_models(folder, (name,))
        loaded = checkpoint.load(folder / name)
        metrics = {"step": at, "train": {"label_smoothing": 0.2}}
        checkpoint.save(folder / name, loaded.model, loaded.tokenizer, metrics)
    return folder


@pytest.fixture
def with_snapshots(moments_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, as the app's own."""
    monkeypatch.setattr(checkpoint, "PRETRAINED", moments_folder)
    return moments_folder


def test_without_a_translation_the_model_is_compared_with_its_own(models: Path) -> None:
    now = lesson("  \u200b ")
    assert now.reference == ""
    assert now.capture is now.translation.capture
    assert now.key != lesson().key


def test_moments_are_in_order_and_read_the_same_text(with_snapshots: Path) -> None:
    names = checkpoint.pretrained_names() + checkpoint.snapshot_names()
    assert moments_of("es-en", names) == [
        "snapshots/es-en-untrained", "snapshots/es-en-early", "es-en",
    ]  # fmt: skip
    assert smoothing_of("es-en") == 0.2
    for name in names:
        found = moment(name, lesson())
        again = taught(walk(name, SENTENCE, Decoding("greedy")), RIGHT)
        assert found.losses.total == pytest.approx(again.losses(0).total)
        assert found.output == again.translation.output


def test_the_page_shows_those_numbers(with_snapshots: Path) -> None:
    app, now = sound(opened("learning", epsilon="0.25", **QUERY)), lesson()
    whole = step("learning", "sentence", epsilon="0.25", **QUERY)
    assert number(now.losses(0.25).total, 4) in said(whole)
    assert "ε = 0.2" in said(app)
    untrained = moment("snapshots/es-en-untrained", now)
    assert app.metric[0].value == f"{untrained.losses.total:.2f}"


def test_the_share_of_the_favourite_token_says_what_it_leaves_out(with_snapshots: Path) -> None:
    capture = moment("snapshots/es-en-untrained", lesson()).capture
    words = capture.all_weights("cross")[..., [not token.special for token in capture.src]]
    shown = said(step("learning", "maps", **QUERY))
    assert "`<eos>` left out" in shown
    assert percent(float(words.max(-1).mean(-1).max())) in shown


@pytest.mark.parametrize(
    ("kind", "scope"), [("cross", "decoder.1.cross_attn"), ("encoder", "encoder.1.self_attn")]
)
def test_the_task_asks_for_the_lowest_gradient(models: Path, kind: Kind, scope: str) -> None:
    app = opened("learning", all="0", part="task", kind=kind, layer="2", head="3", **QUERY)
    now = lesson()
    gradient = gradients_of(now, 0.1, None).arrays[f"{scope}.scores"][2]
    query, key = np.unravel_index(gradient.argmin(), gradient.shape)
    queries, keys = now.capture.queries(kind), now.capture.keys(kind)
    wanted = escape(f"“{text_at(queries, int(query))}” → “{text_at(keys, int(key))}”")
    fits = [option == wanted for option in app.radio[-1].options]
    right = app.radio[-1].set_value(fits.index(True)).run()
    (told,) = [box.value for box in right.success if "the lowest in the map" in box.value]
    assert escape(signed(float(gradient.min()), 4)) in told
    wrong = app.radio[-1].set_value(fits.index(False)).run()
    assert not wrong.success


def test_any_reference(models: Path) -> None:
    for reference in ("<b>$x$</b> **y** `z` [l](u) <eos>", "🙂" * 300):
        query = {"reference": reference, "word": "7", "pin": "50.50", "head": "max"}
        sound(opened("learning", text="hola", decoding="greedy", **query))


def test_a_model_without_snapshots_says_so_and_leads_to_a_film(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened("learning")
    assert ["No early moments" in info.value for info in app.info] == [True]
    assert film_links(app) == [("See a film of a training run", "")]
    monkeypatch.setattr(runs, "RUNS", tmp_path)
    monkeypatch.setattr(training, "film_of", lambda name: name)
    folder = RunFolder.named("mine")
    shutil.copytree(models / "es-en", folder.path / "best")
    config = checkpoint.load(models / "es-en").config
    folder.write_plan(plan_of(TASKS["copy"], "mine", config, TrainConfig()))
    folder.write_status(Status("finished"))
    app = opened("learning", model="runs/mine")
    assert film_links(app) == [("See the film of its training", "training=mine")]


def film_links(app: AppTest) -> list[tuple[str, str]]:
    """The links to the page of trainings in the text, with what they ask for."""
    links = [link.proto for link in app.main.get("page_link")]
    return [(one.label, one.query_string) for one in links if "film" in one.label]


def test_the_six_words_are_marked_as_made_by_hand(models: Path) -> None:
    app = step("learning", "whole", text=SENTENCE)
    assert "Example by hand." in said(app)
    drawn = grids(app)
    assert np.array_equal(numbers(drawn["the target"]).argmax(1), [2, 1, 0, 4, 5])
    np.testing.assert_allclose(numbers(drawn["trained"]), TRAINED, rtol=1e-6)
    for rows in (UNTRAINED, TRAINED):
        np.testing.assert_allclose(np.sum(rows, axis=1), 1)
    shown = cross_entropy(np.array(UNTRAINED))
    assert shown == pytest.approx(-np.log(0.12 * 0.13 * 0.11 * 0.14 * 0.11))


def test_the_target_is_drawn_around_its_one(models: Path) -> None:
    epsilon = 0.2
    app = step("learning", "target", epsilon=str(epsilon), word="1", **QUERY)
    items = (item for data in sent_to_browser(app) for item in data["fixed"].get("items", ()))
    one_hot, drawn = (item for item in items if item.get("title", "").startswith("the target, ids"))
    assert numbers(one_hot)[0].max() == 1
    values, now = numbers(drawn)[0], lesson()
    size = now.config.n_tgt_vocab
    assert values.max() == pytest.approx(1 - epsilon + epsilon / size)
    assert values.min() == pytest.approx(epsilon / size)
    assert drawn["col_labels"][int(values.argmax())] == now.token(now.targets[1]).text


@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_the_loss_is_entropy_and_divergence(models: Path, smoothing: float) -> None:
    now = lesson()
    entropy, kl = now.divergence(1, smoothing)
    target = torch.tensor(now.target(1, smoothing))
    logits = torch.tensor(now.capture.logits[1], dtype=torch.float64)
    expected = torch.nn.functional.kl_div(logits.log_softmax(-1), target, reduction="sum")
    assert kl == pytest.approx(float(expected))
    assert entropy == pytest.approx(float(torch.special.entr(target).sum()))
    assert entropy + kl == pytest.approx(float(now.losses(smoothing).losses[1]))
    asked = loss_of.guess_floor(TargetPosition(now, 1, smoothing))
    assert asked.answers == {int(smoothing > 0)}


def test_each_moment_answers_in_its_own_tokens(with_snapshots: Path) -> None:
    drawn, now = grids(step("learning", "answers", **QUERY)), lesson()
    for name, steps in (("snapshots/es-en-untrained", 0), ("snapshots/es-en-early", 5)):
        found = moment(name, now)
        answers = numbers(drawn[f"after {steps} steps"])
        right = answers[found.target.astype(bool)]
        np.testing.assert_allclose(right, found.losses.probabilities, rtol=1e-5)
        assert (answers.sum(1) <= 1 + 1e-5).all()


def test_a_token_in_front_still_pays(models: Path) -> None:
    now = lesson("")
    truth = loss_of.myth(TargetPosition(now, 0, 0.1)).truth
    front = now.capture.logits.argmax(-1) == np.array(now.targets)
    paid = now.losses(0).surprises[front]
    assert f"At {int(front.sum())} of {len(front)}" in truth
    assert f"{paid.sum():.2f} nats" in truth
    assert f"pays {paid.max():.2f}" in truth
