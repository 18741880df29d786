"""Files that the app makes and browsers keep: the hash of a file's content is part of its name."""

import hashlib
from collections import OrderedDict
from pathlib import PurePath
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

FOLDER: Final = "/files"
MAX_FILES: Final = 300  # some of each model and language
TYPES: Final = {".js": "text/javascript", ".json": "application/json"}
FOR_EVER: Final = "public, max-age=31536000, immutable"
PUBLISHED: Final[OrderedDict[str, bytes]] = OrderedDict()


def publish(name: str, content: str) -> str:
    """Serve a text, and return its address on this server; the name's ending tells its type."""
    encoded, path = content.encode(), PurePath(name)
    name = f"{path.stem}.{hashlib.sha256(encoded).hexdigest()[:16]}{path.suffix}"
    PUBLISHED[name] = encoded
    PUBLISHED.move_to_end(name)
    if len(PUBLISHED) > MAX_FILES:
        PUBLISHED.popitem(last=False)
    return f"{FOLDER}/{name}"


async def _send(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in PUBLISHED:
        return PlainTextResponse("There is no such file.\n", 404, {"Cache-Control": "no-store"})
    headers = {"Cache-Control": FOR_EVER, "ETag": f'"{name}"'}
    return Response(PUBLISHED[name], headers=headers, media_type=TYPES[PurePath(name).suffix])


ROUTES: Final = [Route(f"{FOLDER}/{{name}}", _send)]
