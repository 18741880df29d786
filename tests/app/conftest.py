"""A folder of tiny models in place of the pretrained ones."""

from pathlib import Path

import pytest

from model import checkpoint
from tests.app.tiny import make_models


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder itself; nothing may change it."""
    return make_models(tmp_path_factory.mktemp("pretrained"))


@pytest.fixture
def models(tiny_models: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, as the app's own."""
    monkeypatch.setattr(checkpoint, "PRETRAINED", tiny_models)
    return tiny_models
