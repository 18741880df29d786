"""What deploy/ brings: an image that needs nothing but its folders, and a balancer that is fair.

No Docker runs here: the image's files are laid out as the Dockerfile says, on a disk that can only
be read, and served from there; nginx is the real one, with the real configuration.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import distributions
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
import yaml
from packaging.utils import canonicalize_name
from websockets.sync.client import connect
from websockets.typing import Origin

from app.server.limits import Limits
from app.server.settings import PREFIX, Settings
from model.runs.folder import RunFolder
from tests.app.tiny import make_models
from tests.app.visitor import visit
from tests.browser.conftest import ROOT, free_port, serve
from tests.deploy.balancer import balanced
from tests.model.disks import mounted
from tests.model.runs.run_samples import new_run
from tests.test_dependencies import OF_TORCH, pinned

DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text(encoding="utf-8"))
LAST_STAGE = DOCKERFILE.rpartition("\nFROM ")[2]
FOLDERS = re.findall(r"^COPY (?!--from)(\w+) (\w+)$", LAST_STAGE, re.MULTILINE)


def ignored(folder: str, names: list[str]) -> list[str]:
    """The names that .dockerignore keeps away from the builder."""
    rules = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    here = Path(folder).relative_to(ROOT)
    return [name for name in names if (here / name).as_posix() in rules or f"**/{name}" in rules]


def words(instruction: str) -> list[str]:
    """The words of a command of the image's."""
    (found,) = re.findall(rf"{instruction} (\[.*?\])$", LAST_STAGE, re.MULTILINE | re.DOTALL)
    command: list[str] = json.loads(found.replace("\\\n", ""))
    return command


def environment(folder: Path) -> Path:
    """Make an environment that has what the image installs and nothing else; return its Python."""
    (file,) = re.findall(r"install .*--requirement (\S+)", DOCKERFILE)
    venv.create(folder, with_pip=False)
    site = next(folder.glob("lib/python*/site-packages"))
    found = [one for one in distributions() if is_of_image(canonicalize_name(one.name), file)]
    for one in found:
        for top in {path.parts[0] for path in one.files or ()} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(str(one.locate_file(top)))
    return folder / "bin/python"


def is_of_image(name: str, file: str) -> bool:
    return name in {"torch", *pinned(file)} or OF_TORCH.fullmatch(name) is not None


def test_the_image_serves_from_a_disk_that_can_only_be_read(tmp_path: Path) -> None:
    """Its own commands, in an environment where nothing is that the tests alone need."""
    image, data, python = tmp_path / "srv", tmp_path / "data", str(environment(tmp_path / "venv"))
    data.mkdir()
    with mounted(image, "size=200m"):
        for source, target in FOLDERS:
            shutil.copytree(ROOT / source, image / target, ignore=ignored)
        assert {path.name for path in image.iterdir()} == {"app", "model", "pretrained"}
        subprocess.run(["mount", "-o", "remount,ro", str(image)], check=True)
        entry, health = ([python, *words(name)[1:]] for name in ("ENTRYPOINT", "CMD"))
        with (
            serve(
                tmp_path,
                "--server.address",
                "localhost",
                root=image,
                start=entry,
                cwd=str(image),
                HOME=str(data),
                TMPDIR=str(data),
                RUNS_DIR=str(data / "runs"),
                MODELS_DIR=str(data / "models"),
                PYTHONDONTWRITEBYTECODE="1",
            ) as address,
            visit(address) as visitor,
        ):
            visitor.look("translate")
            port = str(urlsplit(address).port)
            subprocess.run([word.replace("8501", port) for word in health], check=True)
        assert subprocess.run([python, "-c", "import pytest"], capture_output=True).returncode


def test_the_image_runs_as_nobody_special() -> None:
    user, entry = LAST_STAGE.index("\nUSER app"), LAST_STAGE.index("\nENTRYPOINT")
    assert user < entry
    assert LAST_STAGE.index("HEALTHCHECK") < entry
    for name in ("app-one", "app-two"):
        service = COMPOSE["services"][name]
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["volumes"][0] == "data:/data", "one queue for both"
        told = {f"{PREFIX}{field.name.upper()}" for field in fields(Settings)}
        assert told <= service["environment"].keys(), "every setting is handed on"


def test_each_copy_has_the_memory_that_the_docs_name() -> None:
    docs = (ROOT / "docs/serving.md").read_text(encoding="utf-8")
    (gigabytes,) = re.findall(r"`deploy/compose.yaml` gives each (\d+) GB", docs)
    for name in ("app-one", "app-two"):
        service = COMPOSE["services"][name]
        assert service["mem_limit"] == f"${{ILLUMINATED_MEMORY:-{gigabytes}g}}"
        assert service["memswap_limit"] == service["mem_limit"]
        (network,) = COMPOSE["networks"]["default"]["ipam"]["config"]
        assert service["environment"]["FORWARDED_ALLOW_IPS"] == network["subnet"]


def test_no_system_runs_out_of_files_before_all_pages_are_open() -> None:
    """With the 1,024 that a system may begin with, nginx let 500 visitors in, and 4,096 hang."""
    nginx = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    (connections,) = map(int, re.findall(r"worker_connections (\d+);", nginx))
    (files,) = map(int, re.findall(r"worker_rlimit_nofile (\d+);", nginx))
    assert files > 2 * connections, "each has one to the visitor and one to the app"
    assert COMPOSE["services"]["balancer"]["ulimits"]["nofile"] >= files
    for name in ("app-one", "app-two"):
        assert COMPOSE["services"][name]["ulimits"]["nofile"] > 2 * Limits().all_pages


@pytest.fixture(scope="module")
def nginx() -> None:
    """The balancer's program is there."""
    if shutil.which("nginx"):
        return
    if os.environ.get("REQUIRE_BROWSER", "") not in ("", "0"):
        pytest.fail("no nginx found")
    pytest.skip("no nginx found: install one (on Debian: apt-get install nginx)")


def _wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 240
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)


def served_by(address: str, cookies: dict[str, str] | None = None) -> tuple[str, str]:
    """Which of the two servers answers, and which one the visitor is told to come back to."""
    answer = requests.get(f"{address}/_stcore/health", cookies=cookies, timeout=10)
    assert answer.status_code == 200
    named = re.search(r"frame-ancestors https://(\w+)\.example", str(answer.headers))
    assert named
    return named[1], answer.cookies.get("replica") or ""


def replica(work: Path, name: str, models: Path) -> AbstractContextManager[str]:
    """One of two copies of the app, told apart by who may frame it."""
    place = work / name
    place.mkdir()
    return serve(
        place,
        PRETRAINED_DIR=str(models),
        RUNS_DIR=str(work / "runs"),
        ILLUMINATED_EMBED_IN=f"https://{name}.example",
    )


@contextmanager
def trained(folder: RunFolder) -> Iterator[None]:
    """Train a run as a page does, by a process of its own."""
    command = [sys.executable, "-m", "model", "train", "--plan", str(folder.path / "plan.json")]
    child = subprocess.Popen([*command, "--threads", "1"], cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        child.terminate()
        child.wait(60)


@pytest.mark.usefixtures("nginx")
def test_nobody_forges_an_address_through_the_balancer(tmp_path: Path) -> None:
    """What a visitor wrote into the header came first in it, and could count as their address."""

    class Echo(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write((self.headers["X-Forwarded-For"] or "").encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("localhost", 0), Echo) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        copy = f"http://localhost:{server.server_port}"
        with balanced(tmp_path, copy, copy) as address:
            forged = {"X-Forwarded-For": "192.0.2.1"}
            told = requests.get(address, headers=forged, timeout=10).text
        server.shutdown()
    assert told in ("127.0.0.1", "::1")


@pytest.mark.usefixtures("nginx")
def test_visitors_stay_on_their_server_and_lose_nothing_with_any_of_all(tmp_path: Path) -> None:
    """Both are dealt visitors, each stays where they began, and a server that dies is replaced.

    While two visitors train, the balancer is killed: the runs go on, the second in its turn, and
    the page is there again with the balancer.
    """
    models, runs = make_models(tmp_path / "models"), tmp_path / "runs"
    with ExitStack() as running:
        two = running.enter_context(replica(tmp_path, "two", models))
        first = ExitStack()
        one = first.enter_context(replica(tmp_path, "one", models))
        port = free_port()
        trainings = [new_run(runs, name, steps=60) for name in ("a", "b")]
        for training in trainings:
            running.enter_context(trained(training))
        with balanced(tmp_path, one, two, port) as address, visit(address) as visitor:
            visitor.look("training", "run=a")
            assert [run.status().state for run in trainings] != ["finished"] * 2
        with pytest.raises(requests.ConnectionError):
            requests.get(address, timeout=2)
        address = running.enter_context(balanced(tmp_path, one, two, port))
        with visit(address) as visitor:
            visitor.look("training", "run=b")
        _wait_until(lambda: [run.status().state for run in trainings] == ["finished"] * 2)
        assert all(len(run.log()) == 60 and run.is_saved() for run in trainings)
        assert {served_by(address) for _visitor in range(40)} == {("one", "one"), ("two", "two")}
        for name in ("one", "two"):
            known = {"replica": name}
            assert {served_by(address, known) for _move in range(10)} == {(name, "")}
            stream = f"{address.replace('http', 'ws')}/_stcore/stream"
            cookie = {"Cookie": f"replica={name}"}
            with connect(stream, origin=Origin(address), additional_headers=cookie):
                pass
        assert requests.get(f"{address}/_stcore/metrics", timeout=10).status_code == 403
        first.close()
        assert {served_by(address, {"replica": "one"})[0] for _move in range(5)} == {"two"}
