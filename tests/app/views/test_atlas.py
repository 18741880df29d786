"""The page Head atlas: its map, its points and its cards show what was measured."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.data.changed import change_types, read
from app.format import escape, number
from app.views.atlas.choice import KIND_NAMES, KINDS
from model import checkpoint
from model import files as runs
from model.atlas import evidence
from model.atlas.atlas import NAME, Atlas
from model.atlas.build import Size, build
from model.atlas.measures import MEASURES, FoundRole
from model.atlas.over_training import OverTraining
from model.atlas.sample import phrase_sample
from model.config import TrainConfig
from model.errors import UserError
from model.runs.folder import RunFolder
from model.runs.plan import State, Status, plan_of
from model.tasks import TASKS
from tests.app.pages import charts, grids, numbers, opened, said, sound, unfold

TEXT = "Nunca es tarde."


def told(app: AppTest) -> str:
    return "\n".join([said(app), *(one.value for one in app.header)])


@pytest.fixture(scope="module")
def measured(tiny_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one tiny model and its atlas, and the same as a snapshot."""
    folder = tmp_path_factory.mktemp("measured")
    shutil.copytree(tiny_models / "es-en", folder / "es-en")
    loaded = checkpoint.load(folder / "es-en")
    size = Size(bleu=2, pruning=2, held_out=2, tried=2)
    sample = phrase_sample("es", 20, 0)
    parts = folder.with_name("parts")
    atlas = build(loaded, sample, (), parts, 0, lambda done, total: None, size)
    atlas.save(folder / "es-en" / NAME)
    checkpoint.save(folder / "snapshots/es-en-late", loaded.model, loaded.tokenizer, {"step": 9})
    return folder


@pytest.fixture
def atlas(measured: Path, monkeypatch: pytest.MonkeyPatch) -> Atlas:
    """The atlas of the only model there is."""
    monkeypatch.setattr(checkpoint, "PRETRAINED", measured)
    return Atlas.load(measured / "es-en" / NAME)


def page(**query: str) -> AppTest:
    return sound(opened("atlas", text=TEXT, **query))


@pytest.mark.parametrize(
    ("measure", "by"), [("log_p_lost", "weights"), ("before", "norms"), ("writes", "weights")]
)
def test_the_map_shows_the_means_of_every_head(atlas: Atlas, measure: str, by: str) -> None:
    """At an address with nonsense in it."""
    odd = {"card": "cross.99.1", "role": "x", "only": "y", "against": ""}
    shown = grids(page(measure=measure, by=by, **odd))
    name = f"norm_{measure}" if by == "norms" and MEASURES[measure].weights else measure
    for kind, title in KINDS.items():
        means = [one.measures.get(name) for one in atlas.heads if one.id.kind == kind]
        expected = [mean.mean for mean in means if mean]
        assert (title in shown) == bool(expected)
        if expected:
            np.testing.assert_allclose(numbers(shown[title]).ravel(), expected, rtol=1e-6)


def test_a_filter_leaves_the_heads_it_names(atlas: Atlas) -> None:
    shown = grids(page(only="cross"))
    assert KINDS["cross"] in shown
    assert KINDS["encoder"] not in shown
    roles = {one.role.role for one in atlas.heads if one.role}
    for role in (*roles, "none"):
        shown = grids(page(role=role))
        cells = [numbers(shown[title]) for title in KINDS.values() if title in shown]
        count = sum(int(np.isfinite(one).sum()) for one in cells)
        wanted = [one for one in atlas.heads if (one.role.role if one.role else "none") == role]
        assert count == len(wanted)


def test_a_card_is_of_the_head_in_the_address(atlas: Atlas) -> None:
    head = atlas.heads[-1]
    key = f"{head.id.kind}.{head.id.layer + 1}.{head.id.head + 1}"
    app = page(card=key)
    name = f"Encoder-decoder attention · layer {head.id.layer + 1} · head {head.id.head + 1}"
    assert app.header[0].value == name
    text = told(app)
    assert ("**Role" in text) == (head.role is not None)
    for at in head.typical:
        assert escape(atlas.examples[at].tgt) in text
    assert name in grids(app)  # its map on the visitor's sentence


def test_mute_it_goes_to_translate_with_the_change(atlas: Atlas) -> None:
    app = page(card="cross.1.2")
    app.button("atlas-mute").click().run()
    (entry,) = read(app.query_params["change"])
    assert entry.change == change_types.MuteHeads("cross", 0, (1,))
    assert "Translate" in app.title[0].value


def test_without_an_atlas_the_page_says_how_to_make_one(models: Path) -> None:
    (info,) = page().info
    assert "python -m model atlas --model es-en" in info.value


@pytest.fixture
def trained(atlas: Atlas, measured: Path, monkeypatch: pytest.MonkeyPatch) -> RunFolder:
    """A run that has ended, of the model, without its atlas."""
    monkeypatch.setattr(runs, "RUNS", measured.parent / "own")
    folder = RunFolder.named("mine")
    shutil.rmtree(folder.path.parent, ignore_errors=True)
    best = folder.path / "best"
    shutil.copytree(measured / "es-en", best, ignore=shutil.ignore_patterns(NAME))
    config = checkpoint.load(best).config
    folder.write_plan(plan_of(TASKS["copy"], "mine", config, TrainConfig()))
    folder.write_status(Status("finished"))
    return folder


def job(folder: RunFolder, state: State, **more: Any) -> None:
    """Let the job of a run stand somewhere, without a process."""
    one = RunFolder(folder.path.parent / ".atlas" / "runs" / folder.name)
    one.path.mkdir(parents=True, exist_ok=True)
    one.write_status(Status(state, **more))


def test_a_run_is_measured_at_a_press_and_stopped_at_another(
    trained: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = list[list[str]]()
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_more: started.append(command))
    app = page(model="runs/mine")
    app.button("atlas-make").click().run()
    (command,) = started
    assert command[1:4] == ["-m", "model.atlas.job", "runs/mine"]
    app.button("atlas-stop").click().run()
    assert RunFolder(trained.path.parent / ".atlas/runs/mine").wishes().stop
    app = page(model="runs/mine")  # as the job is still about to end
    assert "atlas-stop" in [button.key for button in app.button]


def test_how_a_job_ended_is_one_sentence(trained: RunFolder) -> None:
    for state in ("stopped", "interrupted"):
        job(trained, state)
        app = page(model="runs/mine")
        assert "it goes on from there" in next(iter([*app.info, *app.warning])).value
        assert app.button("atlas-make")
    job(trained, "failed", error=UserError("no_sample"))
    app = opened("atlas", text=TEXT, model="runs/mine")
    assert "no sentences to measure" in app.error[0].value
    trained.write_status(Status("queued"))
    app = page(model="runs/mine")
    assert "still going" in app.info[0].value
    assert "atlas-make" not in [button.key for button in app.button]


def over_training(app: AppTest) -> list[dict[str, Any]]:
    """The charts over the steps of a training."""
    axes = ((chart, chart["layout"]["xaxis"]) for chart in charts(app).values())
    return [chart for chart, axis in axes if axis["title"]["text"] == "training step"]


def test_a_head_is_followed_over_the_training(trained: RunFolder, atlas: Atlas) -> None:
    k = len(atlas.heads) - 1
    head = atlas.heads[k]
    role = FoundRole("writes", 0.75)
    heads = (*atlas.heads[:k], replace(head, role=role))
    lines = tuple({"writes": (0.1, 0.25, 0.7, 0.8)} if i == k else {} for i in range(k + 1))
    over = OverTraining("film", 1, (0, 10, 20, 40), lines)
    replace(atlas, heads=heads, over_training=over).save(trained.path / "best" / NAME)
    at = f"{head.id.kind}.{head.id.layer + 1}.{head.id.head + 1}"
    app = page(model="runs/mine", card=at, only="cross", role="writes", measure="writes")
    assert "from step 20 on, to the end at step 40" in told(app)
    (chart,) = over_training(app)
    own = next(line for line in chart["data"] if list(line["y"]) == [0.1, 0.25, 0.7, 0.8])
    assert list(own["x"]) == [0, 10, 20, 40]


def test_a_head_without_a_role_says_how_near_it_came(trained: RunFolder, atlas: Atlas) -> None:
    """It said only that it had found none, of a training in which no head ever had one."""
    k = len(atlas.heads) - 1
    heads = (*atlas.heads[:k], replace(atlas.heads[k], role=None))
    key = f"cross.{heads[k].id.layer + 1}.{heads[k].id.head + 1}"
    for most, says in ((0.5, "never found a clear role"), (0.75, "but it had one: at step 20 it")):
        line = {"writes": (0.1, 0.25, most, 0.4), "reads": (0.2, 0.2, 0.2, 0.2)}
        lines = tuple(line for _head in heads)
        over = OverTraining("phrases-es", 9, (0, 10, 20, 40), lines)
        replace(atlas, heads=heads, over_training=over).save(trained.path / "best" / NAME)
        app = page(model="runs/mine", card=key, only="cross", role="none")
        assert says in told(app)
        assert f"looks at the word it writes with {most:.2f}" in told(app)
        lines_drawn = [list(line["y"]) for line in over_training(app)[0]["data"]]
        assert [0.6, 0.6] in lines_drawn  # the threshold


def test_a_model_without_moments_leads_to_one_that_has_some(atlas: Atlas) -> None:
    app = page()
    assert "no earlier moment of its training" in told(app)
    app.button("atlas-snapshots").click().run()
    assert app.query_params["model"] == "snapshots/es-en-late"


def test_heads_are_in_order_and_a_card_shows_how_its_measure_is_spread(atlas: Atlas) -> None:
    app = page(measure="entropy", card="encoder.1.1")
    ordered = sorted(atlas.heads, key=lambda one: one.measures["entropy"].mean)
    largest, smallest = ordered[-1], ordered[0]
    (ends,) = [one.value for one in app.caption if one.value.startswith("Largest")]
    first, last = (
        f"{KIND_NAMES[one.id.kind]} {one.id.layer + 1}.{one.id.head + 1}"
        for one in (largest, smallest)
    )
    assert f"{first} (" in ends.partition(",")[0]
    assert f"Smallest: {last}" in ends
    spread = numbers(grids(app)["Entropy, in bits"])[0]
    np.testing.assert_allclose(spread, atlas.heads[0].measures["entropy"].quantiles, rtol=1e-6)


def test_two_measures_are_plotted_once_asked_for(atlas: Atlas) -> None:
    """Drawn at each move, the points took longer than the map."""
    app = page(measure="entropy", against="distance")
    before = len(charts(app))
    unfold(app, "atlas-scatter")
    points = charts(app)["atlas-scatter"]
    assert len(charts(app)) == before + 1
    for name, axis in (("entropy", "x"), ("distance", "y")):
        drawn = [value for trace in points["data"] for value in trace[axis]]
        np.testing.assert_allclose(drawn, [one.measures[name].mean for one in atlas.heads])
        low, high = points["layout"][f"{axis}axis"]["range"]
        assert low < min(drawn) < max(drawn) < high


def test_alignments_are_told_at_their_best_and_as_one_sees_them(atlas: Atlas) -> None:
    (alignment,) = [one for one in atlas.alignments if not one.most_words]
    wanted = ("weights", "writes", "target")
    usual = next(one for one in alignment.variants if (one.by, one.row, one.way) == wanted)
    best = number(min(one.best_aer for one in alignment.variants), 1)
    text = told(page())
    assert f": 20**: at best {best} for one head" in text
    assert f"each target word linked once: {number(min(usual.layers), 1)}." in text


@pytest.mark.parametrize("name", [one for one in checkpoint.pretrained_names() if "/" not in one])
def test_a_shipped_transformer_carries_an_atlas_and_evidence_of_its_own_weights(name: str) -> None:
    found, folder = Atlas.load_for(checkpoint.resolve(name)), checkpoint.resolve(name)
    assert found is not None
    assert evidence.Evidence.load_for(folder) is not None
    assert (found.sentences, len(found.heads)) == (1000, 88)
    assert {one.gold for one in found.alignments} == {found.sample, "parliament.tsv"}
