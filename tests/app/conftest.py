"""A folder of tiny models in place of the pretrained ones."""

import json
import pickle
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
import streamlit as st
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

from app import i18n
from app.charts.theme import Figure, coloured
from app.components import chart
from app.data.decoding import Decoding
from app.data.walk import Walk, walk
from model import checkpoint
from model import files as runs
from tests.app.chart_words import unknown
from tests.app.tiny import make_models


@pytest.fixture(scope="session", autouse=True)
def a_run_costs_what_the_page_does() -> Iterator[None]:
    """An AppTest adds to a page's own work a fifth more; nothing of it is the app's.

    It searches all installed packages for components, compiles the scripts at each run,
    describes each call for statistics and walks through all objects of the process, which the
    app's own settings forbid, and asks a thousand times a second whether the run has ended.
    """
    ask = local_script_runner.require_widgets_deltas
    compiled = ScriptCache()

    def wait(runner: Any, timeout: float) -> None:
        runner._script_thread.join(timeout)
        ask(runner, 1)

    with pytest.MonkeyPatch.context() as patch:
        search = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", search)
        patch.setattr(app_test, "ScriptCache", lambda: compiled)
        patch.setattr(local_script_runner, "ScriptCache", lambda: compiled)
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        for name in ("browser.gatherUsageStats", "runner.postScriptGC"):
            config.set_option(name, False)
        yield


@pytest.fixture(scope="session", autouse=True)
def plotly_checks_every_figure() -> Iterator[None]:
    """The page hands its figures over unchecked; what is drawn in a test, Plotly has to accept.

    And app/components/chart has to draw all that they say: bars that stack, deviations and smooth
    lines were once left out without a word.
    """
    describe = chart.payload
    accepted: set[bytes] = set()

    def checked(figure: Figure, *args: Any) -> Mapping[str, Any]:
        content = sha256(pickle.dumps(figure)).digest()
        if content not in accepted:
            go.Figure(coloured(figure, "light"))  # raises at an unknown property or colour
            drawn = coloured(figure, None)
            assert not unknown(drawn), unknown(drawn)
            json.dumps(drawn, allow_nan=False)  # a browser reads no NaN
            accepted.add(content)
        return describe(figure, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chart, "payload", checked)
        yield


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder itself; nothing may change it."""
    return make_models(tmp_path_factory.mktemp("pretrained"))


@pytest.fixture
def models(tiny_models: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, as the app's own; nothing was trained yet."""
    monkeypatch.setattr(checkpoint, "PRETRAINED", tiny_models)
    monkeypatch.setattr(runs, "RUNS", tiny_models / "runs")  # not the developer's own
    monkeypatch.setattr(checkpoint, "MODELS", tiny_models / "models")
    return tiny_models


@pytest.fixture
def sentence(models: Path) -> Walk:
    """A sentence in a tiny model."""
    return walk("es-en", "Qué será, será", Decoding())


@pytest.fixture(autouse=True)
def children_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a polite child takes minutes."""
    monkeypatch.setattr("app.data.child.NICE", 0)


@pytest.fixture
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Speak a language for one test."""
    with i18n.speaking(request.param):
        yield request.param


@pytest.fixture
def menus_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every menu of a figure is open."""

    def popover(*_args: object, key: str = "", **_options: object) -> Any:
        menu: Any = st.container(key=f"{key}-open")
        menu.open = key.startswith("menu-")
        return menu

    monkeypatch.setattr(st, "popover", popover)
