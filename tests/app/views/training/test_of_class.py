"""What a teacher sees of the server and of the class, and nobody else."""

import logging
from collections import deque
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.data import visitors
from app.server import settings
from app.server.log import LATEST_ERRORS
from app.server.metrics import WAITED
from app.server.settings import Settings
from model import __version__
from model import files as folder
from model.files import VISITORS
from model.runs.plan import Status
from tests.app.pages import opened, unfold
from tests.model.runs.run_samples import new_run

ALICE = "a" * 32


@pytest.fixture
def serves(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A class in which Alice keeps a run, and who asks is the teacher."""
    monkeypatch.setattr(folder, "RUNS", tmp_path / "runs")
    monkeypatch.setattr(settings, "SETTINGS", Settings(serve="class"))
    who = SimpleNamespace(visitor=lambda _: "b" * 32, is_teacher=lambda _: True)
    monkeypatch.setattr(visitors, "signer", lambda: who)
    run = new_run(folder.RUNS / VISITORS / ALICE, "mine")
    run.write_status(Status("finished", step=1, steps=1))
    monkeypatch.setattr(LATEST_ERRORS, "failures", deque(maxlen=2))
    return who


def test_the_server_in_figures_its_disk_and_its_errors(
    serves: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WAITED, "latest", [0.2] * 19 + [3.0])
    monkeypatch.setattr(WAITED, "pages", 7)
    failed = ValueError("a sentence of somebody's")
    record = logging.LogRecord("app", logging.ERROR, "", 0, "a page failed", (), None)
    record.exc_info, record.number = (ValueError, failed, None), "1f2e3d4c"
    LATEST_ERRORS.handle(record)
    app = opened("training")
    for name in ("kept-by-all", "failures"):
        unfold(app, f"{name}")
    figures = {one.label: one.value for one in app.metric}
    assert figures["visitors · pages"].endswith(" · 7")
    assert figures["wait: half · 95 of 100"] == "0.2 · 0.2 s"
    assert figures["training · waiting"] == "0 · 0"
    assert f"Version {__version__}, started " in " ".join(one.value for one in app.caption)
    tables = [one.value for one in app.dataframe]
    kept = next(one for one in tables if "last here" in one.columns)
    assert list(kept["visitor"]) == [ALICE[:6]]
    failures = next(one for one in tables if "number" in one.columns)
    assert list(failures["number"]) == ["1f2e3d4c"]
    assert list(failures["error"]) == ["a page failed: ValueError"], "and nothing of a sentence"
    steps = next(one.label for one in app.number_input if one.label.startswith("Steps"))
    assert steps.endswith("20\u202f000)"), "a training of 1,586 hours was offered"
    serves.is_teacher = lambda _: False
    assert not opened("training").metric
