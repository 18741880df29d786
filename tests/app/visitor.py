"""A visitor without a browser, by the page's own protocol; and a look at the server."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import Config
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

SECONDS = 60
FIRST_OF_TWO = ForwardMsg.FINISHED_EARLY_FOR_RERUN
V = TypeVar("V", bound="Visitor")


@dataclass
class Visitor:
    """One open page; it is drawn again at each `look`."""

    socket: ClientConnection
    address: str
    session: str = ""
    config: Config = field(default_factory=Config)
    alerts: list[str] = field(default_factory=list)  # what its boxes said

    def look(self, page: str = "training", query: str = "") -> None:
        """Run the page to its end; raises AssertionError for an exception on it."""
        message = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.query_string = query
        self.run(message)

    def run(self, message: BackMsg) -> None:
        """Ask for a run and take what is drawn, until its end."""
        self.socket.send(message.SerializeToString())
        while True:
            told = ForwardMsg.FromString(self.receive())
            kind = told.WhichOneof("type")
            if kind == "new_session":
                self.session = told.new_session.initialize.session_id or self.session
                self.config = told.new_session.config
            self.take(told)
            if kind == "script_finished" and told.script_finished != FIRST_OF_TWO:
                return

    def receive(self) -> bytes:
        """Return the next message, as it came."""
        return bytes(self.socket.recv(SECONDS))  # type: ignore[arg-type]

    def take(self, told: ForwardMsg) -> None:
        """Take a message; raises AssertionError for an exception."""
        element = told.delta.new_element
        assert element.WhichOneof("type") != "exception", told
        if element.WhichOneof("type") == "alert":
            self.alerts.append(element.alert.body)

    def write(self, text: str) -> None:
        """Ask for a run with a text in some widget."""
        message = BackMsg()
        message.rerun_script.widget_states.widgets.add(id="some", string_value=text)
        self.socket.send(message.SerializeToString())

    def upload(self, name: str, data: bytes, token: str | None = None) -> int:
        """Send a file straight to the server; return the status of its answer."""
        return send_file(self.address, self.session, data, name=name, token=token)


def send_file(
    address: str,
    session: str,
    data: bytes,
    cookie: str = "",
    name: str = "a.zip",
    token: str | None = None,
) -> int:
    """Send a file to a session as its page does; return the status of the answer.

    The token that the server gave shows that its own page sends the file. The text of a refusal is
    not read: the server may close before all of the file was sent.
    """
    health = requests.get(f"{address}/_stcore/health", timeout=SECONDS)
    given = health.cookies["_streamlit_xsrf"] or ""
    return requests.put(
        f"{address}/_stcore/upload_file/{session}/a-file",
        files={"file": (name, data)},
        headers={
            "X-Xsrftoken": given if token is None else token,
            "Cookie": "; ".join(filter(None, [cookie, f"_streamlit_xsrf={given}"])),
        },
        timeout=SECONDS,
        stream=True,
    ).status_code


@contextmanager
def visit(address: str) -> Iterator[Visitor]:
    """Open the app as a visitor, and leave it again."""
    with visit_as(Visitor, address) as visitor:
        yield visitor


@contextmanager
def visit_as(
    kind: type[V], address: str, cookie: str = "", source: str = "", session: str = ""
) -> Iterator[V]:
    """Open the app as a visitor of a kind, and leave it again; `cookie` says who in a class.

    `source` is the address of this machine that they come from, and `session` one to go on with.
    """
    url = address.replace("http", "ws") + "/_stcore/stream"
    names = ("streamlit", "token", session) if session else ("streamlit",)
    protocols = [Subprotocol(name) for name in names]
    headers = {"Cookie": cookie} if cookie else {}
    with connect(
        url,
        subprotocols=protocols,
        additional_headers=headers,
        max_size=None,
        open_timeout=SECONDS,
        source_address=(source, 0) if source else None,
    ) as socket:
        yield kind(socket, address)


@dataclass(frozen=True)
class Load:
    """What a server holds of the machine (Linux): memory in bytes, threads, child processes."""

    memory: int
    threads: int
    children: int


def load_of(address: str) -> Load:
    """Look at the server that serves an address."""
    mine = _server(address)
    fields = dict(
        line.split(":", 1) for line in Path(f"/proc/{mine}/status").read_text().splitlines()
    )
    children = sum(_parent(pid) == mine for pid in _processes())
    return Load(int(fields["VmRSS"].split()[0]) * 1024, int(fields["Threads"]), children)


def open_files(address: str) -> int:
    """Count the files and sockets that the server of an address holds open (Linux)."""
    return sum(1 for _ in Path(f"/proc/{_server(address)}/fd").iterdir())


def computing(address: str) -> float:
    """Return how many seconds the server of an address has computed so far (Linux)."""
    used = Path(f"/proc/{_server(address)}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def _server(address: str) -> int:
    port = str(urlsplit(address).port).encode()
    return next(pid for pid in _processes() if port in _cmdline(pid).split(b"\0"))


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _cmdline(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # gone meanwhile
        return b""


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0
