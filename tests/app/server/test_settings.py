"""What whoever serves the app may set, and what is refused of it."""

import os
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from app.server.guards import ADDRESS, PageKnowsItsServer, content_policy, inline_scripts
from app.server.settings import PREFIX, Settings
from model import __version__

ROOT = Path(__file__).parents[3]


def test_settings_come_from_the_environment_and_all_are_in_the_docs() -> None:
    assert Settings.of({}) == Settings()
    given = {"ILLUMINATED_EMBED_IN": "https://a.example http://b.example:8080"}
    settings = Settings.of(given | {"ILLUMINATED_METRICS_KEY": "k"})
    assert settings.embed_in == ("https://a.example", "http://b.example:8080")
    assert settings.metrics_key == "k"
    docs = (Path(__file__).parents[3] / "docs/serving.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `(ILLUMINATED_(?!LIMIT_)\w+)` \|", docs, re.MULTILINE))
    assert told == {f"{PREFIX}{field.name.upper()}" for field in fields(Settings)}


def test_the_version_is_said_once_more_where_the_image_has_it() -> None:
    root = Path(__file__).parents[3]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__
    cited = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == __version__
    notes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## \[?(\d[\d.]*)", notes, re.MULTILINE)
    assert not released or released[0] == __version__, "the newest notes are of this version"


def test_what_would_serve_otherwise_than_meant_is_refused() -> None:
    """What is no origin would end up in a header, and could say anything there."""
    wrong = [("SERVE", "all"), ("TEACHER_KEY", "short"), ("SECRET", "short"), ("LOG", "xml")]
    origins = ("a.example", "https://a.example/", "https://*", "https://a.example;script-src")
    for name, value in (*wrong, *(("EMBED_IN", origin) for origin in (*origins, "data:x", "*"))):
        with pytest.raises(ValueError, match=f"ILLUMINATED_{name}"):
            Settings.of({f"ILLUMINATED_{name}": value})


@pytest.mark.parametrize(
    ("command", "variable"),
    [
        (("-m", "app"), "ILLUMINATED_LIMIT_STEPS"),
        (("-m", "app"), "ILLUMINATED_LOG"),
        (("-m", "app.notebook", "Hola."), "ILLUMINATED_SERVE"),
    ],
)
def test_a_setting_that_makes_no_sense_is_one_sentence(
    command: tuple[str, ...], variable: str
) -> None:
    """It was a traceback of twenty lines."""
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=os.environ | {variable: "abc"}, check=False,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"Error: {variable}: 'abc' is ")
    assert done.returncode == 1


@pytest.mark.parametrize("variable", ["RUNS_DIR", "MODELS_DIR", "PRETRAINED_DIR"])
def test_an_empty_folder_is_the_usual_one(variable: str, tmp_path: Path) -> None:
    """Set to nothing, it was the folder in which one happened to be."""
    code = "from model import checkpoint, files; "
    code += f"print({'files.RUNS' if variable[0] == 'R' else 'checkpoint.' + variable[:-4]})"
    environment = {name: os.environ[name] for name in os.environ if not name.endswith("_DIR")}
    usual, empty = (
        subprocess.check_output(
            [sys.executable, "-c", code], cwd=tmp_path, text=True,
            env=environment | {"PYTHONPATH": str(ROOT)} | more,
        )
        for more in ({}, {variable: ""})
    )  # fmt: skip
    assert empty == usual
    assert str(tmp_path) not in empty


def test_no_text_is_a_script_and_nobody_frames_the_page() -> None:
    rules = dict(rule.split(" ", 1) for rule in content_policy().split("; "))
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe-inline" not in rules["script-src"]
    assert "'unsafe-eval'" not in rules["script-src"]
    assert not any("http" in sources or "*" in sources for sources in rules.values())
    assert len(inline_scripts()) == 2, "the one script of Streamlit's own page, and ours"
    assert content_policy(["https://a.example"]).endswith("frame-ancestors https://a.example")


def test_each_page_knows_its_server() -> None:
    """Every page but the first asked twice below its own address, and got 404 both times."""

    async def pages(scope: Scope, receive: Receive, send: Send) -> None:
        assert "accept-encoding" not in Headers(scope=scope)
        await HTMLResponse("<html><head></head>…</html>")(scope, receive, send)

    client = TestClient(PageKnowsItsServer(pages))
    answer = client.get("/translate", headers={"accept": "text/html", "accept-encoding": "gzip"})
    assert answer.text == f"<html><head><script>{ADDRESS}</script></head>…</html>"
    assert int(answer.headers["content-length"]) == len(answer.content)
