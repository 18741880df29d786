"""A run that was really made, in a second: it ships with the tiny models as a recorded one."""

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.data import runs as services_runs
from app.data.moments import Film, film_of
from model import checkpoint
from model import files as runs
from model.runs.folder import RunFolder
from tests.app.pages import opened, unfold
from tests.model.runs.run_samples import tiny_plan, train


def trained_on_letters(factory: pytest.TempPathFactory, name: str, **plan: Any) -> RunFolder:
    """Train a model to reverse letters, in a folder of its own."""
    folder = RunFolder.named(name, factory.mktemp("runs"))
    folder.create(replace(tiny_plan(name), task="reverse", pairs=80, data=(), valid="", **plan))
    assert train(folder) == 0
    return folder


@pytest.fixture(scope="session")
def tiny_run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Reversing letters, learned for 24 steps; nothing may change it."""
    return trained_on_letters(tmp_path_factory, "reverse")


def ship(run: RunFolder, models: Path, folder: Path) -> RunFolder:
    """Copy models into a folder, and beside them a run as a recorded one."""
    shutil.copytree(models, folder)
    shutil.copytree(run.path, folder / "recorded" / "reverse")
    return RunFolder(folder / "recorded" / "reverse")


@pytest.fixture(scope="session")
def shipped(
    tiny_run: RunFolder, tiny_models: Path, tmp_path_factory: pytest.TempPathFactory
) -> RunFolder:
    """The same run as a recorded one, beside tiny models; nothing may change it."""
    return ship(tiny_run, tiny_models, tmp_path_factory.mktemp("shipped") / "pretrained")


@pytest.fixture
def shown(shipped: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunFolder:
    """It, and an empty folder of runs: for pages that only show it."""
    monkeypatch.setattr(checkpoint, "PRETRAINED", shipped.path.parents[1])
    monkeypatch.setattr(runs, "RUNS", tmp_path / "runs")
    return shipped


@pytest.fixture
def recorded(
    tiny_run: RunFolder, tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> RunFolder:
    """The same for a test that changes it."""
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path / "pretrained")
    monkeypatch.setattr(runs, "RUNS", tmp_path / "runs")
    return ship(tiny_run, tiny_models, tmp_path / "pretrained")


@pytest.fixture
def own(recorded: RunFolder) -> RunFolder:
    """The same run among the visitors' own."""
    runs.RUNS.mkdir()
    shutil.copytree(recorded.path, runs.RUNS / "reverse")
    return RunFolder.named("reverse")


def unfolded(fold: str, **query: str) -> AppTest:
    """The page with one of its folds open."""
    app = unfold(opened("training", **query), fold)
    assert not app.exception
    return app


def failures(app: AppTest) -> list[str]:
    """Return the page's own errors: those with an icon are the doctor's word on the run."""
    return [error.value for error in app.error if not error.icon]


def healthy(**query: str) -> AppTest:
    """The page; raises AssertionError for an error of its own."""
    app = opened("training", **query)
    assert not app.exception
    assert not failures(app)
    return app


def run_film(name: str = "recorded/reverse") -> Film:
    """The film of a run that has one."""
    made = film_of(name)
    assert made is not None
    return made


def rewrite_plan(run: RunFolder, **train: Any) -> None:
    """Let a run have been trained with other settings."""
    plan = run.plan()
    run.write_plan(replace(plan, train=replace(plan.train, **train)))


def copied(run: RunFolder, name: str, **plan: Any) -> RunFolder:
    """Copy a run beside itself, where it has another plan."""
    other = RunFolder(shutil.copytree(run.path, run.path.with_name(name)))
    other.write_plan(replace(run.plan(), name=name, **plan))
    return other


def smoothed(run: RunFolder) -> list[float]:
    """Leave a run's log as older runs have it, with the smoothed loss alone; return that."""
    rows = [{k: v for k, v in row.items() if k != "cross_entropy"} for row in run.log()]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (run.path / "log.jsonl").write_text(text)
    return [row["loss"] for row in rows]


@contextmanager
def living(run: RunFolder) -> Iterator[None]:
    """Let a run be alive, as if a trainer were at work on it."""
    run.write_status(replace(run.status(), state="running"))
    held, let_go = threading.Event(), threading.Event()

    def live() -> None:
        with run.alive_lock():
            held.set()
            let_go.wait(60)

    trainer = threading.Thread(target=live)
    trainer.start()
    held.wait(60)
    try:
        yield
    finally:
        let_go.set()
        trainer.join()


@pytest.fixture
def spawned(recorded: RunFolder, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the runs that were started; none of them really runs."""
    names: list[str] = []
    monkeypatch.setattr(services_runs, "_spawn", lambda folder, *options: names.append(folder.name))
    return names
