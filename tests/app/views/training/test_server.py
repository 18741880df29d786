"""A real server: what is too large, or comes without its token, is refused."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.views.models import card as models_card
from app.views.training import pairs as training_pairs
from model.training.estimate import n_parameters
from model.training.presets import preset
from tests.app.visitor import visit
from tests.browser.conftest import ROOT, serve

MEGABYTE = 2**20
CONFIG = tomllib.loads((ROOT / "app/.streamlit/config.toml").read_text(encoding="utf-8"))
LIMIT = CONFIG["server"]["maxUploadSize"] * MEGABYTE


@pytest.fixture(scope="module")
def server(tiny_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app with tiny models."""
    work = tmp_path_factory.mktemp("server")
    with serve(work, PRETRAINED_DIR=str(tiny_models), RUNS_DIR=str(work / "runs")) as address:
        yield address


def test_the_server_itself_refuses_what_is_too_large(server: str) -> None:
    with visit(server) as visitor:
        visitor.look("models")
        assert visitor.upload("pairs.tsv", b"a\tb\n" * 1000) == 204
        assert visitor.upload("pairs.tsv", bytes(LIMIT + 1)) == 413
        assert visitor.upload("pairs.tsv", bytes(LIMIT + 5 * MEGABYTE)) == 413
        visitor.look()


def test_an_upload_without_its_token_is_refused(server: str) -> None:
    with visit(server) as visitor:
        visitor.look("models")
        assert visitor.upload("pairs.tsv", b"a\tb\n", token="") == 403


def test_the_pages_offer_what_the_server_takes() -> None:
    assert models_card.MEGABYTES * MEGABYTE == LIMIT
    assert training_pairs.MEGABYTES * MEGABYTE < LIMIT
    base = n_parameters(preset("base")[0])
    assert 2 * base < LIMIT  # the zip of a model of the base size, in 16 bits
