"""A real server, started from a folder of its own: whom it answers, and whom it asks."""

import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.frames import CloseCode
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.app.visitor import load_of, open_files, visit
from tests.browser.conftest import ROOT, free_port, serve

MEGABYTE = 2**20
SECONDS_TO_CLOSE = 30  # after one it is forgotten, and every five that is looked for
ROOMS = {"UPLOAD": "4", "ALL_UPLOAD": "16"}
CARELESS = """
[server]
address = "0.0.0.0"
allowedHosts = ["*"]
[browser]
gatherUsageStats = true
"""


@contextmanager
def outside() -> Iterator[tuple[str, list[str]]]:
    """Stand for all of the network: yield a proxy's address and what was asked of it."""
    asked: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(HTTPStatus.BAD_GATEWAY)

        do_CONNECT = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("localhost", 0), Proxy) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"http://localhost:{proxy.server_port}", asked
        proxy.shutdown()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """The address of an app started where other settings lie, and what it asked of the network."""
    work = tmp_path_factory.mktemp("elsewhere")
    (work / ".streamlit").mkdir()
    (work / ".streamlit/config.toml").write_text(CARELESS, encoding="utf-8")
    with outside() as (proxy, asked):
        runs = str(work / "runs")
        with serve(
            work, cwd=str(work), RUNS_DIR=runs, http_proxy=proxy, https_proxy=proxy
        ) as address:
            yield address, asked


def status(address: str, origin: str, host: str) -> int:
    """The status by which a page's socket is refused."""
    there = urlsplit(address)
    socket_ = socket.create_connection((there.hostname or "", there.port or 0))
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://{host}/_stcore/stream", sock=socket_, origin=Origin(origin))
    return refused.value.response.status_code


def test_foreign_pages_are_refused_and_nobody_is_asked(elsewhere: tuple[str, list[str]]) -> None:
    """Streamlit asked an outside service for its own address at each foreign Origin.

    It did so in its event loop: where a network drops packets, each such request froze all pages
    for seconds. And pages of any other port of this machine counted as its own.
    """
    address, asked = elsewhere
    own = urlsplit(address).netloc
    elsewhere_here = f"http://localhost:{free_port()}"  # whoever else listens on this machine
    foreign = ("http://example.org", "https://localhost.example.org", "null", "file://")
    for origin in (*foreign, elsewhere_here, "http://localhost", "http://[", ""):
        assert status(address, origin, own) == 403
        assert requests.get(address, headers={"Origin": origin}, timeout=10).status_code == 403
    for host in ("example.org", "localhost.example.org", "10.1.2.3:8501"):
        assert status(address, f"http://{host}", host) == 403
        assert requests.get(address, headers={"Host": host}, timeout=10).status_code == 403
    assert requests.get(address, headers={"Origin": address}, timeout=10).status_code == 200
    assert asked == []


def test_every_answer_has_the_headers_that_keep_others_away(
    elsewhere: tuple[str, list[str]],
) -> None:
    """The page could be framed by any site, and anyone could read the server's metrics."""
    address, _ = elsewhere
    for path in ("", "translate", "_stcore/health", "_stcore/metrics", "static/none.js"):
        headers = requests.get(f"{address}/{path}", timeout=10).headers
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert headers["X-Frame-Options"] == "DENY", path
        assert headers["Referrer-Policy"] == "same-origin", path
        assert "default-src 'self'" in headers["Content-Security-Policy"], path
        assert "illuminated" not in headers.get("Set-Cookie", ""), "one's own machine asks nothing"
    assert requests.get(f"{address}/_stcore/metrics", timeout=10).status_code == 403
    page = requests.get(f"{address}/teacher", timeout=10).text
    assert "password" not in page, "there is no class, and no teacher"


def metrics_of(address: str, key: str) -> dict[str, float]:
    """Read the server's metrics by their names."""
    bearer = {"Authorization": f"Bearer {key}"}
    text = requests.get(f"{address}/_stcore/metrics", headers=bearer, timeout=10).text
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def test_a_course_page_may_frame_one_view_and_a_key_reads_the_metrics(tmp_path: Path) -> None:
    with serve(
        tmp_path,
        RUNS_DIR=str(tmp_path / "runs"),
        ILLUMINATED_EMBED_IN="https://course.example",
        ILLUMINATED_EMBED_VIEWS="heads translate",
        ILLUMINATED_METRICS_KEY="secret",
    ) as address:
        headers = requests.get(f"{address}/translate?embed=true", timeout=10).headers
        assert headers["Content-Security-Policy"].endswith("frame-ancestors https://course.example")
        assert "X-Frame-Options" not in headers
        for other in ("", "training", "translate/x"):
            headers = requests.get(f"{address}/{other}", timeout=10).headers
            assert headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")
            assert headers["X-Frame-Options"] == "DENY"
        with visit(address) as visitor:
            visitor.look("glossary")
            told = metrics_of(address, "secret")
        assert told["open_pages"] == 1
        assert told["move_seconds_count"] == 1
        assert 0 < told["move_seconds_sum"] < 60
        assert told["process_memory_bytes"] > 100 * MEGABYTE
        metrics = f"{address}/_stcore/metrics"
        for key, status_code in (("secret", 200), ("Secret", 403), ("", 403)):
            asked = requests.get(metrics, headers={"Authorization": f"Bearer {key}"}, timeout=10)
            assert asked.status_code == status_code


def test_the_settings_hold_from_any_folder(elsewhere: tuple[str, list[str]]) -> None:
    """Started from another folder, the app served the whole network and sent statistics."""
    address, _ = elsewhere
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", urlsplit(address).port or 0), timeout=10)
    with visit(address) as visitor:
        visitor.look("translate")
        assert not visitor.config.gather_usage_stats


def test_open_to_all_it_asks_nobody_either(tmp_path: Path) -> None:
    """Open to the whole network, Streamlit asked outside for an address to print at the start."""
    with outside() as (proxy, asked):
        everywhere = ("--server.address", "0.0.0.0")
        with serve(tmp_path, *everywhere, http_proxy=proxy, https_proxy=proxy) as address:
            assert requests.get(address, headers={"Host": "example.org"}).status_code == 403
    assert asked == []


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an app that keeps a closed session for a second, and takes small files."""
    work = tmp_path_factory.mktemp("forgetful")
    options = ("--server.disconnectedSessionTTL", "1", "--server.maxUploadSize", "2")
    limits: dict[str, Any] = {
        f"ILLUMINATED_LIMIT_{name}_MEGABYTES": size for name, size in ROOMS.items()
    }
    with serve(work, *options, RUNS_DIR=str(work / "runs"), **limits) as address:
        yield address


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells open files")
def test_closed_sessions_leave_nothing_open(forgetful: str) -> None:
    """Three file descriptors and all uploads of a closed session stayed until another one closed.

    Of the last 128 they stayed for ever where nobody came any more.
    """
    of_one = 0
    for _ in range(2):
        for _ in range(6):
            with visit(forgetful) as visitor:
                visitor.look("models")
                assert visitor.upload("a.zip", bytes(MEGABYTE * 3 // 2)) == 204  # room for 10
                of_one = of_one or open_files(forgetful)
        deadline = time.monotonic() + SECONDS_TO_CLOSE
        while open_files(forgetful) >= of_one and time.monotonic() < deadline:
            time.sleep(0.1)
        assert open_files(forgetful) < of_one < 23


def test_more_text_than_anyone_types_is_refused(forgetful: str) -> None:
    """20 MB of text, written by the page's protocol, were taken and worked on."""
    with visit(forgetful) as visitor:
        visitor.look("translate")
        before = load_of(forgetful).memory
        with suppress(ConnectionClosedError):
            visitor.write("a" * 20 * MEGABYTE)
            list(visitor.socket)
        # It is refused by its first bytes: the reason may not be read while the rest is sent.
        refused = CloseCode.MESSAGE_TOO_BIG, CloseCode.ABNORMAL_CLOSURE
        assert visitor.socket.close_code in refused
        assert load_of(forgetful).memory - before < 15 * MEGABYTE
        assert load_of(forgetful).memory < 2**30


def test_uploads_are_limited_for_each_session(forgetful: str) -> None:
    """Each file was limited, and not their sum: a session could fill the server's memory."""
    with visit(forgetful) as visitor, visit(forgetful) as other:
        visitor.look("models")
        other.look("models")
        large = bytes(MEGABYTE * 3 // 2)
        sent = [visitor.upload("a.zip", large, f"file-{i}") for i in range(3)]
        assert sent == [204, 204, 413]
        assert other.upload("a.zip", large) == 204


def test_a_taken_port_names_a_free_one(tmp_path: Path) -> None:
    """All that was said was that the port is not available."""
    with socket.socket() as taken:
        taken.bind(("localhost", free_port()))
        taken.listen()
        port = taken.getsockname()[1]
        options = ["--server.port", str(port)]
        done = subprocess.run(
            [sys.executable, "-m", "app", *options],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 1
    named = re.search(r"--server\.port (\d+)", done.stderr)
    assert named, done.stderr
    with socket.socket() as free:
        free.bind(("localhost", int(named[1])))
    assert "Traceback" not in done.stderr
