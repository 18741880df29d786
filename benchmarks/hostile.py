"""A hostile visitor: 200 sockets with long sentences, five files at once, and the worst zip.

All of this goes only to a server on this machine, from a separate address (127.0.0.2), and ends
after a given number of seconds. It comes from a process of its own: its threads would keep those
waiting whose times are measured.
"""

from __future__ import annotations

import json
import random
import secrets
import subprocess
import sys
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
from urllib.parse import parse_qs, urlencode, urlsplit

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
REPLACEMENT = 3_900_000  # bytes that replace one letter
CUT_OFF = 0  # the status of a request without an answer
PATIENCE = 1.0  # seconds before a refused socket is tried again
LONG = 4000  # characters
WORDS = ["casa", "perro", "libro", "mesa", "agua", "noche", "camino", "ventana", "ciudad", "amigo"]
OFTEN = (OSError, WebSocketException, EOFError)  # errors when a server defends itself


class Attacker:
    """The process of an attack, which is ready once this is made: that takes it some seconds."""

    def __init__(self, address: str, secret: str, seconds: float) -> None:
        command = [sys.executable, "-m", "benchmarks.hostile", address, secret, str(seconds)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        assert self.process.stdout is not None
        self.process.stdout.readline()

    def begin(self) -> None:
        """Attack from now on."""
        print(file=self.process.stdin, flush=True)

    def end(self) -> Counter[str]:
        """Wait for the attack's end, and return what it did."""
        did, _errors = self.process.communicate()
        return Counter(json.loads(did))


def worst_zip() -> bytes:
    """Return a valid tiny Marian model that replaces each "a" it reads by megabytes."""
    with tempfile.TemporaryDirectory() as work:
        folder = save_marian(Path(work) / "model", theirs("tiny"))
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
    files["source.spm"] += field(3, field(2, charsmap({b"a": b"b" * REPLACEMENT})))
    # Random text hides how well the rest is compressed.
    files["README.md"] = secrets.token_hex(400_000).encode()
    return zipped(files)


@dataclass
class Hostile(Visitor):
    """A visitor who reads answers and asks for more.

    `uploader` is the page's field for zips, `box` that for a sentence. A session keeps the sentence
    of its first address: all others have to be typed.
    """

    uploader: str = ""
    box: str = ""
    query: str = ""  # the address, as the page has it

    def take(self, told: ForwardMsg) -> None:
        element = told.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "file_uploader":
            self.uploader = element.file_uploader.id
        elif kind == "text_input" and "-text-" in element.text_input.id:
            self.box = element.text_input.id
        elif told.WhichOneof("type") == "page_info_changed":
            self.query = told.page_info_changed.query_string

    def translate(self, text: str) -> bool:
        """Type a sentence into the box; return whether it is the page's own then."""
        message = BackMsg()
        message.rerun_script.page_name = "translate"
        message.rerun_script.query_string = self.query
        message.rerun_script.widget_states.widgets.add(id=self.box, string_value=text)
        self.run(message)
        return parse_qs(self.query).get("text", [text]) == [text]  # a long one has no address

    def load(self, name: str) -> None:
        """Tell the page that its file was uploaded."""
        message = BackMsg()
        message.rerun_script.page_name = "models"
        state = message.rerun_script.widget_states.widgets.add(id=self.uploader)
        info = state.file_uploader_state_value.uploaded_file_info.add(file_id="a-file", name=name)
        info.file_urls.file_id = "a-file"
        self.run(message)


@dataclass
class Attack:
    """An attack of some seconds; `did` counts the requests and their outcomes."""

    address: str
    signer: Signer
    seconds: float
    zip: bytes
    did: Counter[str] = field_of(default_factory=Counter)

    def __post_init__(self) -> None:
        self.end = time.monotonic() + self.seconds
        self.lock = threading.Lock()
        self.open: dict[int, Hostile] = {}

    def run(self) -> None:
        """Attack to the end."""
        with ThreadPoolExecutor(SOCKETS + UPLOADS + 1) as pool:
            asked = [pool.submit(self._upload) for _ in range(UPLOADS)]
            asked.append(pool.submit(self._load_worst))
            # The sockets use up all pages that an address may open, so files come first.
            while self._going() and len(self.open) < len(asked):
                time.sleep(0.1)
            # Half of them get a cookie each.
            asked += [pool.submit(self._talk, at, at % 2 == 0) for at in range(SOCKETS)]
            time.sleep(max(0.0, self.end - time.monotonic()))
            for page in list(self.open.values()):  # closed while they are being answered
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
        """Ask for one long sentence after another."""
        chance, cookie = random.Random(seed), self._cookie() if with_cookie else ""
        while self._going():
            try:
                with self._page(cookie) as page:
                    page.look("translate")
                    while self._going():
                        text = " ".join(chance.choices(WORDS, k=LONG))[:LONG]
                        is_taken = page.translate(text)
                        self._count(f"sentences {'taken' if is_taken else 'refused'}")
            except InvalidHandshake:
                self._count("pages refused")
            except OFTEN as error:
                self._count(type(error).__name__)
            time.sleep(PATIENCE)

    def _upload(self) -> None:
        """Send large files, one after another, and keep open the page that they belong to."""
        cookie = self._cookie()
        while self._going():
            with suppress(*OFTEN), self._page(cookie) as page:
                page.look("models")
                while self._going():
                    self._count(f"files answered {self._put(page, cookie, FILE)}")
                    time.sleep(PATIENCE)
            time.sleep(PATIENCE)

    def _load_worst(self) -> None:
        """Load the worst zip, and let the server read a sentence with it."""
        cookie, data = self._cookie(), self.zip
        while self._going():
            with suppress(*OFTEN), ExitStack() as open_:
                # Both now: the sockets soon use up all pages that an address may open.
                page, other = (open_.enter_context(self._page(cookie)) for _ in range(2))
                page.look("models")
                self._count(f"zips answered {self._put(page, cookie, len(data), data)}")
                page.load("worst.zip")
                other.look("translate", urlencode({"model": "models/worst", "text": "a"}))
                while self._going():
                    is_taken = other.translate("a" * random.choice((1, 10, 100, LONG)))
                    self._count(f"worst sentences {'taken' if is_taken else 'refused'}")
            time.sleep(PATIENCE)

    def _put(self, page: Hostile, cookie: str, size: int, data: bytes = b"") -> int:
        """Send a file, zeros unless `data` is given, without holding it; return the status."""
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
        with suppress(OSError):  # it may be refused before all of it was sent
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


def main() -> None:
    """Attack an address, given with its class's secret and the seconds."""
    address, secret, seconds = sys.argv[1:]
    data = worst_zip()
    print("ready", flush=True)
    if not sys.stdin.readline():
        return
    attack = Attack(address, Signer(secret.encode()), float(seconds), data)
    attack.run()
    print(json.dumps(attack.did))


if __name__ == "__main__":
    main()
