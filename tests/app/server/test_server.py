"""A real server, started where other settings lie: whom it answers, whom it asks, what it keeps."""

import json
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.frames import CloseCode
from websockets.sync.client import connect
from websockets.typing import Origin

from app.components.shared import library
from app.views.models import card as models_card
from app.views.training import pairs as training_pairs
from model.training.estimate import n_parameters
from model.training.presets import preset
from tests.app.server.outside import nobody_outside
from tests.app.visitor import load_of, open_files, visit
from tests.browser.conftest import ROOT, START, free_port, serve
from tests.model.forks import wait_for

MEGABYTE = 2**20
SETTINGS = {
    "EMBED_IN": "https://course.example", "EMBED_VIEWS": "heads translate",
    "METRICS_KEY": "secret", "LOG": "json",
    "LIMIT_UPLOAD_MEGABYTES": "4", "LIMIT_ALL_UPLOAD_MEGABYTES": "6",
}  # fmt: skip
CARELESS = """
[server]
address = "0.0.0.0"
allowedHosts = ["*"]
[browser]
gatherUsageStats = true
"""
# The app, but for a page that nobody can open.
BROKEN = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import streamlit as st
from app import main
from app.views.people import sources
del sources.AUTHORS
app = st.App("")
app = main.app
"""


@dataclass(frozen=True)
class Served:
    """A server's address, and its log."""

    address: str
    log: Path

    def headers(self, path: str) -> Any:
        return requests.get(f"{self.address}/{path}", timeout=60).headers

    def events(self) -> list[dict[str, str]]:
        lines = self.log.read_text(encoding="utf-8").splitlines()
        assert not [line for line in lines if "Error" in line and not line.startswith("{")]
        return [json.loads(line) for line in lines if line.startswith("{")]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """An app that asks nobody outside, keeps a closed session for a second, and has a broken page.

    `serve` sees that page's traceback in the log: all others are looked for here.
    """
    work = tmp_path_factory.mktemp("served")
    shutil.copytree(ROOT / "app/.streamlit", work / "app/.streamlit")
    (work / "app/main.py").write_text(BROKEN, encoding="utf-8")
    (work / "cwd/.streamlit").mkdir(parents=True)
    (work / "cwd/.streamlit/config.toml").write_text(CARELESS, encoding="utf-8")
    found = Served("", work / "log.txt")
    options = ("--server.disconnectedSessionTTL", "1", "--server.maxUploadSize", "2")
    environment: dict[str, Any] = {f"ILLUMINATED_{name}": SETTINGS[name] for name in SETTINGS}
    environment |= {"RUNS_DIR": str(work / "runs")}
    with (
        nobody_outside() as proxies,
        suppress(AssertionError),
        serve(
            work, *options, root=work, cwd=str(work / "cwd"), **environment, **proxies
        ) as address,
    ):
        yield Served(address, found.log)
    failed = [event["traceback"] for event in found.events() if "traceback" in event]
    assert all("AUTHORS" in traceback for traceback in failed), failed
    assert "hooks will be skipped" not in found.log.read_text(encoding="utf-8")


def status(address: str, origin: str, host: str) -> int:
    """The status by which a page's socket is refused."""
    there = urlsplit(address)
    socket_ = socket.create_connection((there.hostname or "", there.port or 0))
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://{host}/_stcore/stream", sock=socket_, origin=Origin(origin))
    return refused.value.response.status_code


def test_foreign_pages_are_refused_and_nobody_is_asked(served: Served) -> None:
    """Streamlit asked an outside service for its own address at each foreign Origin.

    It did so in its event loop: where a network drops packets, each such request froze all pages
    for seconds. And pages of any other port of this machine counted as its own.
    """
    address, own = served.address, urlsplit(served.address).netloc
    elsewhere_here = f"http://localhost:{free_port()}"  # whoever else listens on this machine
    foreign = ("http://example.org", "https://localhost.example.org", "null", "file://")
    for origin in (*foreign, elsewhere_here, "http://localhost", "http://[", ""):
        assert status(address, origin, own) == 403
        assert requests.get(address, headers={"Origin": origin}, timeout=60).status_code == 403
    for host in ("example.org", "localhost.example.org", "10.1.2.3:8501"):
        assert status(address, f"http://{host}", host) == 403
        assert requests.get(address, headers={"Host": host}, timeout=60).status_code == 403
    assert requests.get(address, headers={"Origin": address}, timeout=60).status_code == 200
    port = urlsplit(address).port
    for host in ("127.0.0.1", "[::1]"):  # the second one was listed, and refused
        headers = {"Host": f"{host}:{port}"}
        assert requests.get(address, headers=headers, timeout=60).status_code == 200, host


def test_the_files_of_a_page_are_small_and_kept(served: Served) -> None:
    """A first visit took 8 MB: nothing was compressed, and each file told the page's policy."""
    page = requests.get(f"{served.address}/translate", timeout=60)
    assert page.headers["Content-Encoding"] == "gzip"
    assert page.headers["Cache-Control"] == "no-cache"
    script = re.search(r"static/js/index\.[^\"]+\.js", page.text)
    assert script
    for path in (script[0], library.ADDRESS.removeprefix("/")):
        headers = served.headers(path)
        assert headers["Content-Encoding"] == "gzip", path
        assert "immutable" in headers["Cache-Control"], path
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert "Content-Security-Policy" not in headers, path


def test_every_answer_has_the_headers_that_keep_others_away(served: Served) -> None:
    """The page could be framed by any site, and anyone could read the server's metrics."""
    for path in ("", "training", "translate/x", "_stcore/health", "_stcore/metrics", "static/a.js"):
        headers = served.headers(path)
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert headers["X-Frame-Options"] == "DENY", path
        assert headers["Referrer-Policy"] == "same-origin", path
        assert headers["Content-Security-Policy"].startswith("default-src 'self'"), path
        assert headers["Content-Security-Policy"].endswith("frame-ancestors 'none'"), path
        assert "illuminated" not in headers.get("Set-Cookie", ""), "one's own machine asks nothing"
    page = requests.get(f"{served.address}/teacher", timeout=60).text
    assert "password" not in page, "there is no class, and no teacher"


def test_a_course_page_may_frame_one_view_and_a_key_reads_the_metrics(served: Served) -> None:
    headers = served.headers("translate?embed=true")
    assert headers["Content-Security-Policy"].endswith("frame-ancestors https://course.example")
    assert "X-Frame-Options" not in headers

    def asked(key: str) -> requests.Response:
        bearer = {"Authorization": f"Bearer {key}"}
        return requests.get(f"{served.address}/_stcore/metrics", headers=bearer, timeout=60)

    assert [asked(key).status_code for key in ("secret", "Secret", "")] == [200, 403, 403]
    before = metrics(served.address)
    with visit(served.address) as visitor:
        visitor.look("glossary")
        told = metrics(served.address)
    assert told["open_pages"] >= 1
    assert told["move_seconds_count"] - before["move_seconds_count"] == 1
    assert 0 < told["move_seconds_sum"] - before["move_seconds_sum"] < 60
    assert told["process_memory_bytes"] > 100 * MEGABYTE


def test_the_settings_hold_from_any_folder(served: Served) -> None:
    """Started from another folder, the app served the whole network and sent statistics."""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", urlsplit(served.address).port or 0), timeout=60)
    with visit(served.address) as visitor:
        visitor.look("glossary")
        assert not visitor.config.gather_usage_stats


def test_what_nobody_foresaw_is_one_sentence_with_its_number_in_the_log(served: Served) -> None:
    """Streamlit's own sentence was in English alone, and named nothing to look for in the log."""
    with visit(served.address) as visitor:
        visitor.look("people", "lang=es")
        visitor.look("glossary")
    (sentence,) = visitor.alerts
    found = re.fullmatch(r"No se pudo mostrar esta página; .* \((\w{8})\)", sentence)
    assert found, sentence
    (event,) = [event for event in served.events() if event.get("number") == found[1]]
    assert "ImportError" in event["traceback"]
    assert re.fullmatch(r"\w{8}", event["visitor"])


def metrics(address: str) -> dict[str, float]:
    """The server's metrics, by their names."""
    bearer = {"Authorization": f"Bearer {SETTINGS['METRICS_KEY']}"}
    told = requests.get(f"{address}/_stcore/metrics", headers=bearer, timeout=60).text
    lines = (line for line in told.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells open files")
def test_half_a_json_in_a_message_stops_no_housekeeping(served: Served) -> None:
    """After one message of 97 bytes nothing was given back: no session, upload or cache.

    The task that did so had ended at an error which that session's value raised, and said nothing.
    """
    components: list[str] = []
    with visit(served.address) as visitor:
        visitor.write("anything")
        while not components:
            element = ForwardMsg.FromString(visitor.receive()).delta.new_element
            components += [element.bidi_component.id] if element.HasField("bidi_component") else []
    poison = BackMsg()
    poison.rerun_script.widget_states.widgets.add(id=components[0], json_value="{")
    assert len(poison.SerializeToString()) < 100
    with visit(served.address) as visitor:
        visitor.run(poison)
        assert not visitor.alerts, "it is as if it had not been sent"
        open_then = open_files(served.address)
    # It is given back, and so is the page of who comes after it, and is the last one to close.
    wait_for(lambda: open_files(served.address) < open_then - 3, 60)
    with visit(served.address) as visitor:
        visitor.look("models")
        open_then = open_files(served.address)
    wait_for(lambda: open_files(served.address) < open_then - 3, 60)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells open files")
def test_closed_sessions_leave_nothing_open(served: Served) -> None:
    """Three file descriptors and all uploads of a closed session stayed until another one closed.

    Of the last 128 they stayed for ever where nobody came any more.
    """
    large = bytes(MEGABYTE * 3 // 2)  # there is room for three

    def upload() -> int:
        """Send a file from a page; return how many files are open then."""
        with visit(served.address) as visitor:
            visitor.look("models")
            wait_for(lambda: visitor.upload("a.zip", large) == 204)  # closed ones make room
            return open_files(served.address)

    of_one, *_others = (upload() for _ in range(6))
    wait_for(lambda: open_files(served.address) < of_one)
    assert of_one < 23


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells open files")
def test_where_files_run_out_pages_are_refused_and_nobody_hangs(tmp_path: Path) -> None:
    """Everybody timed out, and the log grew by 119 MB in three minutes."""
    few = ("bash", "-c", 'ulimit -n 120 && exec "$0" "$@"', *START, str(ROOT / "app/main.py"))
    with (
        serve(tmp_path, start=few, RUNS_DIR=str(tmp_path / "runs")) as address,
        ExitStack() as all_,
    ):
        there = urlsplit(address)
        for _ in range(200):
            one = socket.create_connection((there.hostname, there.port), 60, ("127.0.0.2", 0))
            all_.enter_context(one)
        refused = 0
        while not refused:
            assert open_files(address) < 120
            try:
                page = all_.enter_context(visit(address))
            except InvalidStatus as answer:
                refused = answer.response.status_code
            else:
                page.look("glossary")
        assert requests.get(address, timeout=60).status_code == 429, "it says that it is full"
        page.look("people")
    log = (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert "system resource" not in log
    assert len(log) < 100_000


def test_the_server_itself_refuses_what_is_too_large_or_comes_without_its_token(
    served: Served,
) -> None:
    with visit(served.address) as visitor:
        visitor.look("models")
        assert visitor.upload("pairs.tsv", b"a\tb\n", token="") == 403
        assert visitor.upload("pairs.tsv", b"a\tb\n") == 204
        assert visitor.upload("pairs.tsv", bytes(2 * MEGABYTE + 1)) == 413
        visitor.look()


def test_the_pages_offer_what_the_server_takes() -> None:
    config = tomllib.loads((ROOT / "app/.streamlit/config.toml").read_text(encoding="utf-8"))
    limit = config["server"]["maxUploadSize"]
    assert models_card.MEGABYTES == limit > training_pairs.MEGABYTES
    base = n_parameters(preset("base")[0])
    assert 2 * base < limit * MEGABYTE  # the zip of a model of the base size, in 16 bits


def test_more_text_than_anyone_types_is_refused(served: Served) -> None:
    """20 MB of text, written by the page's protocol, were taken and worked on."""
    with visit(served.address) as visitor:
        visitor.look("glossary")
        before = load_of(served.address).memory
        with suppress(ConnectionClosedError):
            visitor.write("a" * 20 * MEGABYTE)
            list(visitor.socket)
        # It is refused by its first bytes: the reason may not be read while the rest is sent.
        refused = CloseCode.MESSAGE_TOO_BIG, CloseCode.ABNORMAL_CLOSURE
        assert visitor.socket.close_code in refused
        assert load_of(served.address).memory - before < 15 * MEGABYTE
        assert load_of(served.address).memory < 2**30


def test_a_taken_port_names_a_free_one() -> None:
    """All that was said was that the port is not available."""
    with socket.socket() as taken:
        taken.bind(("localhost", free_port()))
        taken.listen()
        command = [sys.executable, "-m", "app", "--server.port", str(taken.getsockname()[1])]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    named = re.search(r"--server\.port (\d+)", done.stderr)
    assert named, done.stderr
    with socket.socket() as free:
        free.bind(("localhost", int(named[1])))
    assert "Traceback" not in done.stderr
