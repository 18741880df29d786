"""The page Models fetches a translator by its name: who may, what is said, what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.data import visitors
from app.server import limits, settings
from app.server.settings import Settings
from app.views.models import data
from model import checkpoint
from model import files as runs
from model.errors import UserError
from model.files import VISITORS
from model.hub import job, worker
from tests.app.pages import opened
from tests.model.hub.hub_server import NAME, Hub, Model, lead_to, serving
from tests.model.marian_samples import save_marian, theirs


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_marian(tmp_path_factory.mktemp("marian") / "theirs", theirs())


@pytest.fixture
def hub(
    models: Path, translator: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Hub]:
    monkeypatch.setattr(checkpoint, "MODELS", tmp_path / "models")
    monkeypatch.setattr(runs, "RUNS", tmp_path / "runs")
    with serving(Hub({NAME: Model(translator)})) as served:
        lead_to(served, tmp_path / "home", monkeypatch)
        yield served


def serve(monkeypatch: pytest.MonkeyPatch, **given: object) -> None:
    monkeypatch.setattr(settings, "SETTINGS", replace(Settings(), **given))  # type: ignore[arg-type]


def fetch_here() -> None:
    """Fetch in this process what was begun on the page."""
    known = job.current()
    assert known is not None
    for _status in worker.steps(job._folder()):
        pass


def texts(app: AppTest) -> str:
    boxes = (*app.markdown, *app.error, *app.success, *app.info, *app.warning, *app.caption)
    return "\n".join(box.value for box in boxes)


# tests/browser/test_fetching.py looks a translator up, fetches it and shows it.
def test_what_stops_says_so_and_can_go_on_or_be_forgotten(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "start", lambda offer, anonymous: job.prepare(offer))
    opened("models")
    assert not hub.asked, "nothing is asked for before somebody wants it"
    data.fetch(data.look_up(NAME))
    states = worker.steps(job._folder())
    next(states)
    states.close()
    app = opened("models")
    assert "was stopped at" in texts(app)
    hub.damages = 1
    app.button("fetch-on").click().run()
    with pytest.raises(UserError):
        fetch_here()
    app.run()
    assert "did not come as" in texts(app)
    app.button("fetch-discard").click().run()
    assert job.current() is None
    assert app.text_input("fetch-name")


def test_an_exhibit_and_a_class_that_allows_none_fetch_nothing(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(monkeypatch, serve="exhibit", fetch=("*",))
    assert data.allowed_names() == ()
    with pytest.raises(UserError, match="exhibit"):
        data.look_up(NAME)
    serve(monkeypatch, serve="class")
    monkeypatch.setattr(visitors, "visitor", lambda: "a" * 32)
    with pytest.raises(UserError, match="may not be fetched here"):
        data.look_up(NAME)
    assert not hub.asked


def test_a_class_fetches_what_its_teacher_allows_within_a_visitors_megabytes(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(monkeypatch, serve="class", fetch=("Helsinki-NLP/*",))
    monkeypatch.setattr(visitors, "visitor", lambda: "a" * 32)
    monkeypatch.setenv("HF_TOKEN", "of whoever serves")
    began: list[bool] = []

    def start(offer: data.HubOffer, anonymous: bool) -> None:
        began.append(anonymous)
        job.prepare(offer)

    monkeypatch.setattr(job, "start", start)
    hub.models["me/mine"] = hub.models[NAME]
    with pytest.raises(UserError, match=r"may not be fetched here: .* Helsinki-NLP/\*"):
        data.look_up("me/mine")
    offer = data.look_up(NAME)
    assert all("authorization" not in headers for _method, _path, headers in hub.asked)
    with pytest.raises(UserError, match="may not be fetched here"):
        data.fetch(replace(offer, repository="me/mine"))
    ballast = checkpoint.MODELS / VISITORS / ("a" * 32) / "ballast"
    ballast.parent.mkdir(parents=True)
    ballast.write_bytes(bytes(2**20))
    monkeypatch.setattr(limits, "LIMITS", replace(limits.LIMITS, megabytes=1))
    with pytest.raises(UserError, match="at most 1 MB are yours"):
        data.fetch(offer)
    monkeypatch.setattr(limits, "LIMITS", replace(limits.LIMITS, megabytes=5))
    data.fetch(offer)
    assert began == [True], "with the token of whoever serves"
    fetch_here()
    place = checkpoint.MODELS / VISITORS / ("a" * 32)
    assert (place / "opus-mt-es-en/manifest.json").is_file()
    assert (place.parent / ".fetch.lock").exists(), "each visitor has a queue of their own"
