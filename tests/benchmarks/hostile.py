"""A hostile visitor: 200 sockets with long sentences, five files at once, and the worst zip.

All of it goes to a server of this machine alone, from an address of its own (127.0.0.2), and ends
after the seconds that it is given.
"""

from __future__ import annotations

import random
import secrets
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from dataclasses import field as field_of
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidHandshake, WebSocketException

from app.server.visitors import Signer
from tests.app.visitor import Visitor, visit_as
from tests.model.hostile import charsmap, field, zipped
from tests.model.marian_samples import save_marian, theirs

ADDRESS = "127.0.0.2"
SOCKETS, UPLOADS = 200, 5
FILE = 390 * 2**20  # bytes
REPLACEMENT = 3_900_000  # bytes that one letter becomes
CUT_OFF = 0  # in place of a status
PATIENCE = 1.0  # seconds before a socket that was refused is tried again
LONG = 4000  # characters
WORDS = ["casa", "perro", "libro", "mesa", "agua", "noche", "camino", "ventana", "ciudad", "amigo"]
OFTEN = (OSError, WebSocketException, EOFError)  # what a server that defends itself answers


def worst_zip() -> bytes:
    """Return a valid tiny Marian model that replaces each "a" by megabytes when it reads."""
    with tempfile.TemporaryDirectory() as work:
        folder = save_marian(Path(work) / "model", theirs("tiny"))
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
    files["source.spm"] += field(3, field(2, charsmap({b"a": b"b" * REPLACEMENT})))
    # Text by chance hides how well the rest is packed.
    files["README.md"] = secrets.token_hex(400_000).encode()
    return zipped(files)


@dataclass
class Hostile(Visitor):
    """Who reads what comes and asks for more; `uploader` is where the page takes a zip."""

    uploader: str = ""

    def take(self, told: ForwardMsg) -> None:
        element = told.delta.new_element
        if element.WhichOneof("type") == "file_uploader":
            self.uploader = element.file_uploader.id

    def load(self, name: str) -> None:
        """Tell the page that its file has come."""
        message = BackMsg()
        message.rerun_script.page_name = "models"
        state = message.rerun_script.widget_states.widgets.add(id=self.uploader)
        info = state.file_uploader_state_value.uploaded_file_info.add(file_id="a-file", name=name)
        info.file_urls.file_id = "a-file"
        self.run(message)


@dataclass
class Attack:
    """So many seconds of it; `did` counts what was asked for, and what came of it."""

    address: str
    signer: Signer
    seconds: float
    zip: bytes
    did: Counter[str] = field_of(default_factory=Counter)

    def __post_init__(self) -> None:
        self.end = time.monotonic() + self.seconds
        self.lock = threading.Lock()
        self.open: dict[int, Hostile] = {}

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Go on with it while something else is done, and to its end."""
        with ThreadPoolExecutor(SOCKETS + UPLOADS + 1) as pool:
            asked = [pool.submit(self._upload) for _ in range(UPLOADS)]
            asked.append(pool.submit(self._load_worst))
            # The sockets take every page that an address may open: files come first.
            while self._going() and len(self.open) < len(asked):
                time.sleep(0.1)
            # Half of them get themselves a cookie each.
            asked += [pool.submit(self._talk, at, at % 2 == 0) for at in range(SOCKETS)]
            try:
                yield
                time.sleep(max(0.0, self.end - time.monotonic()))
            finally:
                self.end = 0.0
                for page in list(self.open.values()):  # gone in the middle of what they asked for
                    page.socket.close()
                for one in asked:
                    one.result()

    def _count(self, what: str) -> None:
        with self.lock:
            self.did[what] += 1

    def _going(self) -> bool:
        return time.monotonic() < self.end

    def _cookie(self) -> str:
        return self.signer.visitor_cookie().partition(";")[0]

    @contextmanager
    def _page(self, cookie: str) -> Iterator[Hostile]:
        with visit_as(Hostile, self.address, cookie, source=ADDRESS) as page:
            self._count("pages opened")
            self.open[id(page)] = page
            try:
                yield page
            finally:
                del self.open[id(page)]

    def _talk(self, seed: int, with_cookie: bool) -> None:
        """Ask for one long sentence after the other."""
        chance, cookie = random.Random(seed), self._cookie() if with_cookie else ""
        while self._going():
            try:
                with self._page(cookie) as page:
                    while self._going():
                        text = " ".join(chance.choices(WORDS, k=LONG))[:LONG]
                        page.look("translate", urlencode({"text": text}))
                        self._count("sentences answered")
            except InvalidHandshake:
                self._count("pages refused")
            except OFTEN as error:
                self._count(type(error).__name__)
            time.sleep(PATIENCE)

    def _upload(self) -> None:
        """Send large files, one after the other, and keep the page open that they go into."""
        cookie = self._cookie()
        while self._going():
            with suppress(*OFTEN), self._page(cookie) as page:
                page.look("models")
                while self._going():
                    self._count(f"files answered {self._put(page, cookie, FILE)}")
                    time.sleep(PATIENCE)
            time.sleep(PATIENCE)

    def _load_worst(self) -> None:
        """Load the worst zip, and let the server read with it."""
        cookie, data = self._cookie(), self.zip
        while self._going():
            with suppress(*OFTEN), ExitStack() as open_:
                page = open_.enter_context(self._page(cookie))
                page.look("models")
                self._count(f"zips answered {self._put(page, cookie, len(data), data)}")
                page.load("worst.zip")
                while self._going():
                    text = "a" * random.choice((1, 10, 100, LONG))
                    query = {"model": "models/worst", "text": text}
                    page.look("translate", urlencode(query))
                    self._count("worst sentences answered")
            time.sleep(PATIENCE)

    def _put(self, page: Hostile, cookie: str, size: int, data: bytes = b"") -> int:
        """Send a file, of zeros unless it is given, without holding it; return the status."""
        there = urlsplit(self.address)
        connection = HTTPConnection(
            there.hostname or "", there.port, timeout=60, source_address=(ADDRESS, 0)
        )
        connection.request("GET", "/_stcore/health")
        given = connection.getresponse()
        token = (given.getheader("Set-Cookie") or "").partition("_streamlit_xsrf=")[2]
        token = token.partition(";")[0]
        given.read()
        head = (
            b'--edge\r\nContent-Disposition: form-data; name="file"; filename="worst.zip"\r\n'
            b"Content-Type: application/zip\r\n\r\n"
        )
        tail, zeros = b"\r\n--edge--\r\n", bytes(2**20)
        parts = [data] if data else (zeros[: size - at] for at in range(0, size, 2**20))
        with suppress(OSError):  # refused before all of it was sent
            connection.request(
                "PUT",
                f"/_stcore/upload_file/{page.session}/a-file",
                body=(part for one in ([head], parts, [tail]) for part in one),
                headers={
                    "Content-Length": str(len(head) + size + len(tail)),
                    "Content-Type": "multipart/form-data; boundary=edge",
                    "X-Xsrftoken": token,
                    "Cookie": f"{cookie}; _streamlit_xsrf={token}",
                },
            )
        try:
            return connection.getresponse().status
        except (OSError, HTTPException):
            return CUT_OFF
        finally:
            connection.close()
