"""A folder of tiny models in place of the pretrained ones."""

from pathlib import Path

import pytest

from model import checkpoint, runs
from tests.app.tiny import make_models


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder itself; nothing may change it."""
    return make_models(tmp_path_factory.mktemp("pretrained"))


@pytest.fixture
def models(tiny_models: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, as the app's own; nothing was trained yet."""
    monkeypatch.setattr(checkpoint, "PRETRAINED", tiny_models)
    monkeypatch.setattr(runs, "RUNS", tiny_models / "runs")  # not the developer's own
    return tiny_models
