"""All of the network outside of this machine, as a proxy that notes what it is asked for."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


@contextmanager
def nobody_outside() -> Iterator[dict[str, Any]]:
    """Yield the environment of a server that may ask nobody; raises AssertionError if it did."""
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
        address = f"http://localhost:{proxy.server_port}"
        yield {"http_proxy": address, "https_proxy": address}
        proxy.shutdown()
    assert asked == []
