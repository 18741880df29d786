"""A small hub: it speaks the protocol of Hugging Face's, has models of the test's, and faults."""

import datetime
import hashlib
import ipaddress
import json
import re
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NAME: Final = "Helsinki-NLP/opus-mt-es-en"
COMMIT: Final = "0123456789abcdef0123456789abcdef01234567"
TOKEN: Final = "hf_of_a_member"
LARGE: Final = (".safetensors", ".bin", ".spm")  # what the hub keeps apart, by SHA-256
PIECE: Final = 4096


@dataclass
class Model:
    """A repository: its files, and what its page says."""

    folder: Path
    card: dict[str, Any] = field(default_factory=lambda: {"license": "cc-by-4.0"})
    model_type: str = "marian"
    private: bool = False
    gated: bool = False


@dataclass
class Hub:
    """What a server has, how it fails, and what it was asked for."""

    models: dict[str, Model] = field(default_factory=dict)
    stalls: int = 0  # how many downloads of weights stop in the middle, and say nothing
    breaks: int = 0  # how many break off there
    damages: int = 0  # how many have another byte there
    pause: float = 0.0  # seconds after each piece
    status: int = 0  # what every request is answered with, if not what it asks for
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    sent: int = 0  # bytes of files
    address: str = ""
    over: threading.Event = field(default_factory=threading.Event)


class Handler(BaseHTTPRequestHandler):
    """Answers as the hub does: information, redirects to where large files are, parts of files."""

    protocol_version = "HTTP/1.1"

    def __init__(self, hub: Hub, *arguments: Any) -> None:
        self.hub = hub
        super().__init__(*arguments)

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        names = {name.lower(): value for name, value in self.headers.items()}
        self.hub.asked.append((self.command, self.path, names))
        if self.hub.status:
            self._answer(self.hub.status)
        elif found := re.fullmatch(r"/api/models/([^/]+/[^/]+)", path):
            self._tell(found[1])
        elif found := re.fullmatch(r"/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", path):
            self._resolve(*found.groups())
        elif found := re.fullmatch(r"/large/([^/]+/[^/]+)/(.+)", path):
            self._send(self.hub.models[found[1]].folder / found[2])
        else:
            self._answer(404)

    def _tell(self, name: str) -> None:
        model = self.hub.models.get(name)
        if model is None or (model.private and not self._is_member()):
            self._answer(401, {"X-Error-Code": "RepoNotFound", "X-Error-Message": "not found"})
            return
        about = {
            "id": name,
            "sha": COMMIT,
            "private": model.private,
            "gated": "auto" if model.gated else False,
            "cardData": model.card,
            "config": {"model_type": model.model_type},
            "siblings": [_sibling(file) for file in sorted(model.folder.iterdir())],
        }
        data = json.dumps(about).encode()
        self._answer(200, {"Content-Type": "application/json"}, data)

    def _resolve(self, name: str, revision: str, file: str) -> None:
        model = self.hub.models[name]
        path = model.folder / file
        if model.gated and not self._is_member():
            self._answer(401, {"X-Error-Code": "GatedRepo", "X-Error-Message": "gated"})
        elif revision != COMMIT:
            self._answer(404, {"X-Error-Code": "RevisionNotFound"})
        elif path.suffix in LARGE:  # and it says that xet has it, too
            xet = {"X-Xet-Hash": "0" * 64, "X-Xet-Refresh-Route": f"{self.hub.address}/xet"}
            self._answer(302, {"Location": f"{self.hub.address}/large/{name}/{file}", **xet})
        else:
            self._send(path)

    def _is_member(self) -> bool:
        return self.headers.get("Authorization") == f"Bearer {TOKEN}"

    def _send(self, path: Path) -> None:
        data, start = path.read_bytes(), 0
        if asked := re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", "")):
            start = int(asked[1])
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(data) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.end_headers()
        middle = (start + len(data)) // 2 if path.suffix in (".safetensors", ".bin") else -1
        for at in range(start, len(data), PIECE):
            piece = data[at : at + PIECE]
            if at <= middle < at + PIECE and self._fails():
                return
            if at <= middle < at + PIECE and self.hub.damages:
                self.hub.damages -= 1
                piece = bytes([piece[0] ^ 1]) + piece[1:]
            self.wfile.write(piece)
            self.hub.sent += len(piece)
            time.sleep(self.hub.pause)

    def _fails(self) -> bool:
        if self.hub.breaks:
            self.hub.breaks -= 1
            self.close_connection = True
            return True
        if self.hub.stalls:
            self.hub.stalls -= 1
            self.wfile.flush()
            self.hub.over.wait()
            self.close_connection = True
            return True
        return False

    def _answer(
        self, status: int, headers: dict[str, str] | None = None, data: bytes = b""
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _sibling(file: Path) -> dict[str, Any]:
    data = file.read_bytes()
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    told: dict[str, Any] = {"rfilename": file.name, "size": len(data), "blobId": blob}
    if file.suffix in LARGE:
        sha256 = hashlib.sha256(data).hexdigest()
        told["lfs"] = {"size": len(data), "sha256": sha256, "pointerSize": 134}
    return told


class Server(ThreadingHTTPServer):
    """One that is not surprised by clients who go away."""

    daemon_threads = True

    def handle_error(self, *_arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(hub: Hub, certificate: Path | None = None) -> Iterator[Hub]:
    """Serve a hub on a free port; with a certificate's file to write, by TLS."""
    server = Server(("127.0.0.1", 0), partial(Handler, hub))
    scheme = "http"
    if certificate is not None:
        scheme = "https"
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, _write_certificate(certificate))
        server.socket = context.wrap_socket(server.socket, server_side=True)
    hub.address = f"{scheme}://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.over.set()
        server.shutdown()
        server.server_close()


def lead_to(hub: Hub, home: Path, patch: pytest.MonkeyPatch) -> None:
    """Let the environment lead to a hub, with an empty home of its library, and no proxy."""
    for name in ("HF_TOKEN", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "HF_HUB_OFFLINE"):
        patch.delenv(name, raising=False)
        patch.delenv(name.lower(), raising=False)
    patch.setenv("HF_HOME", str(home))
    patch.setenv("NO_PROXY", "")
    patch.setenv("HF_ENDPOINT", hub.address)


def _write_certificate(path: Path) -> Path:
    """Write a certificate that nobody else signed, and its key, whose path is returned."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now, day = datetime.datetime.now(datetime.UTC), datetime.timedelta(days=1)
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    kept = path.with_suffix(".key")
    form = serialization.PrivateFormat.PKCS8
    nothing = serialization.NoEncryption()
    kept.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, nothing))
    return kept
