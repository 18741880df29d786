"""Files that browsers keep, and what is compressed on its way to them."""

import gzip
from collections import OrderedDict
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.testclient import TestClient

from app.server import files
from app.server.delivery import ROUTES, Compressed

TEXT = "let long = 'a text that repeats itself';\n" * 100


async def page(_request: Request) -> Response:
    return PlainTextResponse(TEXT)  # a visitor's own: nothing says that it is always the same


@pytest.fixture
def browser(tmp_path: Path) -> TestClient:
    (tmp_path / "app.js").write_text(TEXT)
    (tmp_path / "short.js").write_text("let it;")
    (tmp_path / "photo.png").write_bytes(TEXT.encode())
    routes = [
        *ROUTES,
        Mount("/static", StaticFiles(directory=tmp_path)),
        Mount("/media", StaticFiles(directory=tmp_path)),
        Route("/translate", page),
    ]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(Compressed)]))


def test_a_published_file_is_kept_for_ever_under_the_name_of_its_content(
    browser: TestClient,
) -> None:
    address = files.publish("library.js", TEXT)
    assert address == files.publish("library.js", TEXT)
    assert address != files.publish("library.js", TEXT + "// changed")
    answer = browser.get(address)
    assert answer.text == TEXT
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/javascript")
    gone = browser.get("/files/library.0000.js")
    assert gone.status_code == 404
    assert gone.headers["cache-control"] == "no-store"


def test_the_oldest_files_make_room(monkeypatch: pytest.MonkeyPatch, browser: TestClient) -> None:
    monkeypatch.setattr(files, "_passing", OrderedDict())
    monkeypatch.setattr(files, "MAX_FILES", 2)
    library = files.publish("library.js", "1;", kept=True)
    names = [files.publish("terms.json", f'"{n}"') for n in (0, 1, 0, 2)]
    found = [browser.get(one).status_code for one in (library, *names)]
    assert found == [200, 200, 404, 200, 200]


def test_what_is_the_same_for_all_is_compressed_once(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first visit took 8 MB, because Streamlit leaves that to a proxy."""
    packed: list[bytes] = []
    compress = gzip.compress

    def count(data: bytes, level: int, mtime: int) -> bytes:
        packed.append(data)
        return compress(data, level, mtime=mtime)

    monkeypatch.setattr(gzip, "compress", count)
    for _ in range(2):
        answer = browser.get("/static/app.js", headers={"accept-encoding": "gzip, br"})
        assert answer.text == TEXT
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) < len(TEXT) / 10
        assert answer.headers["vary"] == "Accept-Encoding"
    assert packed == [TEXT.encode()]
    unchanged = browser.get("/static/app.js", headers={"if-none-match": answer.headers["etag"]})
    assert unchanged.status_code == 304


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/static/app.js", {"accept-encoding": "identity"}),
        ("/static/app.js", {"accept-encoding": "gzip", "range": "bytes=0-9"}),
        ("/static/short.js", {"accept-encoding": "gzip"}),
        ("/static/photo.png", {"accept-encoding": "gzip"}),
        ("/static/none.js", {"accept-encoding": "gzip"}),
        ("/media/app.js", {"accept-encoding": "gzip"}),
        ("/translate", {"accept-encoding": "gzip"}),
    ],
)
def test_all_else_stays_as_it_is(browser: TestClient, path: str, asked: dict[str, str]) -> None:
    assert "content-encoding" not in browser.get(path, headers=asked).headers
