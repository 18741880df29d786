"""A hostile visitor of a class, who tries whatever a script can send: nothing but sentences come.

One real server, one victim with a run and a session of their own, and no browser that would behave.
`serve` looks through the server's log for tracebacks at the end.
"""

import io
import re
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
import requests
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed

from app.server.visitors import TEACHER, VISITOR, Signer
from benchmarks.hostile import Hostile
from model.files import VISITORS
from model.runs.plan import Status
from tests.app.server.outside import nobody_outside
from tests.app.tiny import make_models
from tests.app.visitor import SECONDS, Visitor, send_file, visit_as
from tests.browser.conftest import serve
from tests.model.runs.run_samples import new_run

SECRET = "what the server signs with"
KEY = "the teacher's own key"
VICTIM, RUN, SENTENCE = "f" * 32, "Zoraidas own run", "Zoraida tiene dos hermanos"
SLOW = 20  # moves a minute


@dataclass
class Attacker(Visitor):
    """Who notes all that comes back."""

    seen: list[bytes] = field(default_factory=list)

    def take(self, told: ForwardMsg) -> None:
        super().take(told)
        self.seen.append(told.SerializeToString())
        element = told.delta.new_element
        assert element.alert.format != Alert.ERROR or "log says why" not in element.alert.body


@dataclass(frozen=True)
class Class:
    """A server of a class, where it keeps things, and who somebody is there."""

    address: str
    runs: Path
    signer: Signer

    def cookie(self, visitor: str) -> str:
        return self.signer.visitor_cookie(visitor).partition(";")[0]

    def opened(self, cookie: str, session: str = "") -> AbstractContextManager[Attacker]:
        """Open a page with a cookie, and go on with a session if one is named."""
        return visit_as(Attacker, self.address, cookie, session=session)

    def put(self, cookie: str, session: str, data: bytes) -> int:
        """Send a file as the page does, with the token that the server gives anybody."""
        return send_file(self.address, session, data, cookie)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    """A class with one victim, who has a run and a model, and saw them: nobody changes them.

    It is open to the whole network: Streamlit then asked outside for an address to print.
    """
    work = tmp_path_factory.mktemp("class")
    models, runs = make_models(work / "pretrained", ("es-en",)), work / "runs"
    run = new_run(runs / VISITORS / VICTIM, RUN)
    shutil.copytree(models / "es-en", run.path / "best")
    run.write_status(Status("finished", step=1, steps=1))
    before = {path: path.stat().st_mtime_ns for path in runs.rglob("*") if path.is_file()}
    environment: dict[str, Any] = {
        "PRETRAINED_DIR": str(models), "RUNS_DIR": str(runs), "MODELS_DIR": str(work / "models"),
        "ILLUMINATED_SERVE": "class", "ILLUMINATED_SECRET": SECRET,
        "ILLUMINATED_TEACHER_KEY": KEY, "ILLUMINATED_LIMIT_REQUESTS": str(SLOW),
        "ILLUMINATED_LIMIT_PAGES": "3", "ILLUMINATED_LIMIT_UPLOAD_MEGABYTES": "4",
    }  # fmt: skip
    options = ("--server.address", "0.0.0.0", "--server.maxUploadSize", "2")
    with (
        nobody_outside() as proxies,
        serve(work, *options, **environment, **proxies) as address,
    ):
        served = Class(address, runs, Signer(SECRET.encode(), KEY))
        with served.opened(served.cookie(VICTIM)) as victim:
            victim.look("training")
            assert any(RUN.encode() in told for told in victim.seen), "they do see their run"
        victims_session(served)
        yield served
    assert all(path.stat().st_mtime_ns == when for path, when in before.items())


def victims_session(served: Class) -> str:
    """Let the victim translate a sentence and leave; return their session."""
    with served.opened(served.cookie(VICTIM)) as victim:
        victim.look("translate", f"text={SENTENCE.replace(' ', '+')}")
        assert any(SENTENCE.encode() in told for told in victim.seen)
    return victim.session


def asking(page: str) -> BackMsg:
    """What asks for a page."""
    message = BackMsg()
    message.rerun_script.page_name = page
    return message


def is_clean(*answers: bytes) -> bool:
    """Whether answers hold nothing of the victim's, of the server's disk, or of its code."""
    text = b"\n".join(answers)
    found = (RUN.encode(), SENTENCE.encode(), VICTIM.encode(), b"Traceback", b'File "/')
    return not any(part in text for part in (*found, b"site-pack"))


def test_forged_cookies_are_nobodys(served: Class) -> None:
    value = served.cookie(VICTIM).partition("=")[2]
    forged = (
        f"{VISITOR}={VICTIM}", f"{TEACHER}={value}",
        Signer(b"another secret").visitor_cookie(VICTIM).partition(";")[0],
        f"{TEACHER}=9999999999.{value.partition('.')[2]}; " + "a=b; " * 200,
    )  # fmt: skip
    for cookie in forged:
        with served.opened(cookie) as attacker:
            attacker.look("training", f"visitor={VICTIM}")
            assert is_clean(*attacker.seen), cookie


def test_addresses_lead_to_nobody_else(served: Class) -> None:
    own = served.runs / VISITORS / VICTIM / RUN
    queries = {
        "training": (
            f"training={RUN}",
            f"training=../{VICTIM}/{RUN}",
            f"visitor={VICTIM}",
            "visitor=..",
        ),
        "translate": (f"model=runs/{RUN}", f"model={own}", "pins=%00", "change=" + "x" * 9000),
        "models": (f"shown=runs/{VISITORS}/{VICTIM}/{RUN}", "lesson=%ff"),
    }
    asked_for = [(page, query) for page in queries for query in queries[page]]
    for at, (page, query) in enumerate(asked_for):
        with served.opened(served.cookie(f"{at:032x}")) as attacker:
            attacker.look(page, query.replace(" ", "+"))
            asked = query.partition("=")[2].encode()
            # Streamlit sends the address back: what was asked for is no answer.
            assert is_clean(*(told.replace(asked, b"") for told in attacker.seen)), query


def test_anothers_session_is_not_taken_over(served: Class) -> None:
    """Streamlit gave a closed page's session, with all in it, to whoever named it."""
    victims = victims_session(served)
    for cookie in (served.cookie("0" * 32), "", f"{VISITOR}={VICTIM}"):
        with served.opened(cookie, victims) as attacker:
            attacker.run(asking("translate"))
            assert attacker.session != victims
            assert is_clean(*attacker.seen)
    with served.opened(served.cookie(VICTIM), victims) as victim:
        victim.look("translate")
        assert victim.session == victims, "to its own visitor it is given"


def test_paths_and_methods_give_sentences(served: Class) -> None:
    victims = victims_session(served)
    paths = (
        "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/runs", "/static/../../main.py",
        "/media/" + "0" * 56, "/component/../../x", "/runs/.secret", "/.visitors/" + VICTIM,
        "/_stcore/metrics", "/_stcore/agent/openapi.json", "/_stcore/script-health-check",
        "/teacher/../x", "/" + "a" * 5000, "/%00", "/translate/" + "x/" * 200,
        f"/_stcore/upload_file/{victims}/a", f"/_stcore/upload_file/{victims}",
        "/_stcore/upload_file/a",
    )  # fmt: skip
    headers, browser = {"Cookie": served.cookie("1" * 32)}, requests.Session()
    for path in paths:
        for method in ("GET", "POST", "PUT", "DELETE"):
            request = requests.Request(method, served.address, headers=headers).prepare()
            request.url = served.address + path
            answer = browser.send(request, timeout=SECONDS, allow_redirects=False)
            assert answer.status_code < 500, (method, path)
            assert is_clean(answer.content), (method, path)
    there = f"{served.address}/teacher"
    for key in ("", KEY[:-1], KEY + "\0", "x" * 3000):
        answer = requests.post(there, data={"key": key}, timeout=SECONDS)
        assert answer.status_code in (403, 413)
        assert TEACHER not in answer.headers.get("Set-Cookie", "")
    foreign = {"Origin": "https://evil.example"}
    assert requests.post(there, {"key": KEY}, headers=foreign, timeout=SECONDS).status_code == 403
    foreign = {"Host": "example.org"}
    assert requests.get(served.address, headers=foreign, timeout=SECONDS).status_code == 403


def test_three_pages_share_ones_room_and_a_fourth_is_refused(served: Class) -> None:
    victims, mine, large = victims_session(served), served.cookie("2" * 32), bytes(3 * 2**19)
    assert served.put(mine, victims, b"x") == served.put("", victims, b"x") == 403
    with served.opened(mine) as one, served.opened(mine) as two, served.opened(mine) as three:
        for page in (one, two, three):
            page.look("models")
        fourth = requests.get(f"{served.address}/models", headers={"Cookie": mine}, timeout=SECONDS)
        assert fourth.status_code == 429
        assert served.put(mine, one.session, large) == 204
        assert served.put(mine, two.session, large) == 204
        assert served.put(mine, one.session + "0", large) == 403
        assert served.put(mine, three.session, large) == 413, "three pages, one visitor"


def load(attacker: Attacker, name: str) -> None:
    """Tell the page's loader that a file came, as a browser does after it sent one."""
    found = re.search(rb"\$\$ID-[0-9a-f]+-load-zip", b"".join(attacker.seen))
    assert found
    message = asking("models")
    state = message.rerun_script.widget_states.widgets.add(id=found[0].decode())
    info = state.file_uploader_state_value.uploaded_file_info.add(file_id="a-file", name=name)
    info.file_urls.file_id = "a-file"
    attacker.run(message)


def test_zips_leave_nothing_behind(served: Class) -> None:
    files = {
        f"../../{VISITORS}/{VICTIM}/evil": b"x",
        "pytorch_model.bin": b"cos\nsystem\n(S'true'\ntR.",
        "": b"",
    }
    for at, (member, data) in enumerate(files.items()):
        file, cookie = io.BytesIO(), served.cookie(f"{at + 100:032x}")
        if member:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(member, data)
        with served.opened(cookie) as attacker:
            attacker.look("models")
            assert served.put(cookie, attacker.session, file.getvalue()) == 204
            load(attacker, "a.zip")
            assert attacker.alerts, f"{member} gets a sentence"
            assert is_clean(*attacker.seen), member
    taken = (path for path in (served.runs / VISITORS).glob("*/*") if path.name[0] != ".")
    assert [path.name for path in taken] == [RUN]


def test_odd_messages_break_nothing_for_others(served: Class) -> None:
    odd = asking("translate")
    odd.rerun_script.fragment_id = "0" * 32
    odd.rerun_script.page_script_hash = "../../x"
    for i in range(50):
        odd.rerun_script.widget_states.widgets.add(id=f"$$ID-{i}-\0", json_value="{" * 1000)
    messages: tuple[bytes | str | BackMsg, ...] = (
        b"", b"\xff" * 1000, "text", odd, BackMsg(load_git_info=True), BackMsg(clear_cache=True),
        BackMsg(set_run_on_save=True), BackMsg(stop_script=True),
        BackMsg(debug_shutdown_runtime=True), BackMsg(debug_disconnect_websocket=True),
    )  # fmt: skip
    for message in messages:
        data = message.SerializeToString() if isinstance(message, BackMsg) else message
        with suppress(ConnectionClosed), served.opened(served.cookie("3" * 32)) as attacker:
            attacker.socket.send(data)
            attacker.look("cheat-sheet")
            assert is_clean(*attacker.seen)
    with served.opened(served.cookie(VICTIM)) as victim:
        victim.look("cheat-sheet")


def test_the_hostile_visitor_of_the_benchmark_types_what_is_computed(served: Class) -> None:
    """A session keeps the text of its first address: of all its sentences, one was computed."""
    with visit_as(Hostile, served.address, served.cookie("5" * 32)) as page:
        page.look("translate")
        for text in ("Hola amigo", "Tengo dos casas"):
            assert page.translate(text)
            assert parse_qs(page.query)["text"] == [text]


def test_a_flood_is_told_to_wait_and_others_are_answered(served: Class) -> None:
    with served.opened(served.cookie("4" * 32)) as attacker:
        for _ in range(SLOW + 2):
            attacker.socket.send(asking("cheat-sheet").SerializeToString())
        attacker.look("cheat-sheet")
        assert any("continue in" in told for told in attacker.alerts)
        assert is_clean(*attacker.seen)
        with served.opened(served.cookie(VICTIM)) as victim:
            victim.look("cheat-sheet")
            assert not any("continue in" in told for told in victim.alerts)
