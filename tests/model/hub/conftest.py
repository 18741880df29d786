"""A hub with one tiny translator, and the environment that leads there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from model import checkpoint
from model.hub.fetch import ask
from model.hub.offer import HubOffer
from tests.model.hub.hub_server import NAME, Hub, Model, lead_to, serving
from tests.model.marian_samples import save_marian, theirs


@pytest.fixture(scope="session")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_marian(tmp_path_factory.mktemp("marian") / "theirs", theirs("small"))


@pytest.fixture(scope="session")
def offer(translator: Path, tmp_path_factory: pytest.TempPathFactory) -> HubOffer:
    """What any of these hubs offers under the name: a process asks, once."""
    with pytest.MonkeyPatch.context() as patch, serving(Hub({NAME: Model(translator)})) as served:
        lead_to(served, tmp_path_factory.mktemp("home"), patch)
        return ask(NAME)


@pytest.fixture
def hub(translator: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub, empty folders of models and of what their library keeps at home, and no proxy."""
    monkeypatch.setattr(checkpoint, "MODELS", tmp_path / "models")
    with serving(Hub({NAME: Model(translator)})) as served:
        lead_to(served, tmp_path / "home", monkeypatch)
        yield served
