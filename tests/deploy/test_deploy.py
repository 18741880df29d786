"""What deploy/ brings: an image that needs nothing but its folders, and a balancer that is fair.

No Docker runs here: the image's files are laid out as the Dockerfile says, on a disk that can only
be read, and served from there; nginx is the real one, with the real configuration.
"""

import json
import os
import re
import shutil
import subprocess
import threading
import venv
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distributions
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
import yaml
from packaging.utils import canonicalize_name
from websockets.sync.client import connect
from websockets.typing import Origin

from app.server.limits import Limits
from app.server.settings import PREFIX, Settings
from tests.app.visitor import Visitor, visit, visit_as
from tests.browser.conftest import ROOT, free_port, serve
from tests.deploy.balancer import balanced
from tests.model.disks import mounted
from tests.test_dependencies import OF_TORCH, pinned

DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text(encoding="utf-8"))
COPIES = [COMPOSE["services"][name] for name in ("app-one", "app-two")]
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


@pytest.mark.long
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
        paths: dict[str, Any] = {"RUNS_DIR": str(data / "runs"), "MODELS_DIR": str(data / "models")}
        paths |= {"HOME": str(data), "TMPDIR": str(data), "PYTHONDONTWRITEBYTECODE": "1"}
        own = ("--server.address", "localhost")
        with (
            serve(tmp_path, *own, root=image, start=entry, cwd=str(image), **paths) as it,
            visit(it) as visitor,
        ):
            visitor.look("translate")
            port = str(urlsplit(it).port)
            subprocess.run([word.replace("8501", port) for word in health], check=True)
        assert subprocess.run([python, "-c", "import pytest"], capture_output=True).returncode


def test_each_copy_has_the_memory_that_the_docs_name() -> None:
    user, entry = LAST_STAGE.index("\nUSER app"), LAST_STAGE.index("\nENTRYPOINT")
    assert user < entry
    assert LAST_STAGE.index("HEALTHCHECK") < entry
    docs = (ROOT / "docs/serving.md").read_text(encoding="utf-8")
    (gigabytes,) = re.findall(r"`deploy/compose.yaml` gives each (\d+) GB", docs)
    (network,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    for service in COPIES:
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["volumes"][0] == "data:/data", "one queue for both"
        told = {f"{PREFIX}{field.name.upper()}" for field in fields(Settings)}
        assert told <= service["environment"].keys(), "every setting is handed on"
        assert service["mem_limit"] == f"${{ILLUMINATED_MEMORY:-{gigabytes}g}}"
        assert service["memswap_limit"] == service["mem_limit"]
        assert service["environment"]["FORWARDED_ALLOW_IPS"] == network["subnet"]


def test_no_system_runs_out_of_files_before_all_pages_are_open() -> None:
    """With the 1,024 that a system may begin with, nginx let 500 visitors in, and 4,096 hang."""
    nginx = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    (connections,) = map(int, re.findall(r"worker_connections (\d+);", nginx))
    (files,) = map(int, re.findall(r"worker_rlimit_nofile (\d+);", nginx))
    assert files > 2 * connections, "each has one to the visitor and one to the app"
    assert COMPOSE["services"]["balancer"]["ulimits"]["nofile"] >= files
    assert all(copy["ulimits"]["nofile"] > 2 * Limits().all_pages for copy in COPIES)


@pytest.fixture
def stub() -> Iterator[str]:
    """The address of a server that only says who it is, and where a request comes from."""

    class Stub(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Security-Policy", "frame-ancestors https://two.example")
            self.end_headers()
            self.wfile.write((self.headers["X-Forwarded-For"] or "").encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("localhost", 0), Stub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def served_by(address: str, cookies: dict[str, str] | None = None) -> tuple[str, str]:
    """Which of the two servers answers, and which one the visitor is told to come back to."""
    answer = requests.get(f"{address}/_stcore/health", cookies=cookies, timeout=60)
    assert answer.status_code == 200
    named = re.search(r"frame-ancestors https://(\w+)\.example", str(answer.headers))
    assert named
    return named[1], answer.cookies.get("replica") or ""


def test_visitors_stay_on_their_server_and_lose_nothing_with_any_of_all(
    tmp_path: Path, stub: str
) -> None:
    """Both are dealt visitors, each stays where they began, and a server that dies is replaced.

    What a visitor wrote into the header of forwarded addresses came first in it, and could count as
    their address. When the balancer is killed, the page is there again with it.
    """
    if not shutil.which("nginx"):
        missing = "no nginx found: install one (on Debian: apt-get install nginx)"
        (pytest.fail if os.environ.get("REQUIRE_BROWSER", "0") != "0" else pytest.skip)(missing)
    environment: dict[str, Any] = {"ILLUMINATED_EMBED_IN": "https://one.example"}
    environment |= {"RUNS_DIR": str(tmp_path / "runs")}
    port, known = free_port(), [{"Cookie": f"replica={name}"} for name in ("one", "two")]
    with ExitStack() as running:
        first = ExitStack()
        one = first.enter_context(serve(tmp_path, **environment))
        with balanced(tmp_path, one, stub, port) as address:
            pass
        with pytest.raises(requests.ConnectionError):
            requests.get(address, timeout=2)
        address = running.enter_context(balanced(tmp_path, one, stub, port))
        with visit_as(Visitor, address, "replica=one") as visitor:
            visitor.look("glossary")
        assert {served_by(address) for _visitor in range(40)} == {("one", "one"), ("two", "two")}
        for name in ("one", "two"):
            assert {served_by(address, {"replica": name}) for _move in range(10)} == {(name, "")}
        stream = f"{address.replace('http', 'ws')}/_stcore/stream"
        with connect(stream, origin=Origin(address), additional_headers=known[0]):
            pass
        forged = known[1] | {"X-Forwarded-For": "192.0.2.1"}
        assert requests.get(address, headers=forged, timeout=60).text in ("127.0.0.1", "::1")
        assert requests.get(f"{address}/_stcore/metrics", timeout=60).status_code == 403
        first.close()
        assert {served_by(address, {"replica": "one"})[0] for _move in range(5)} == {"two"}
