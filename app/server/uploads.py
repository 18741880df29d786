"""Limits on uploads: a page must have asked for a file, and all files together must fit."""

import asyncio
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.internals import uploaded_bytes
from app.server.limits import LIMITS
from app.server.memory import is_short
from app.server.visitors import SESSIONS, SESSIONS_OF, Signer, cookies_of

MEGABYTE: Final = 2**20
FORM: Final = 2**16  # bytes of the form around an uploaded file
SECONDS_SILENT: Final = 20.0  # at most, between two parts of a file
SECONDS_FREE: Final = 60.0  # before the minimum speed applies to a file
SLOWEST: Final = 16 * 2**10  # bytes per second
SECONDS_AT_ONCE: Final = 0.05
ADDRESS: Final = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+/?$")  # names the session
FASTEST: Final = 8 * MEGABYTE  # bytes per second of all visitors: pages wait while they are read


class UploadFields:
    """The size limit in bytes of the file that each session may send; the oldest are forgotten."""

    def __init__(self) -> None:
        self._most: OrderedDict[str, int] = OrderedDict()

    def note(self, session: str, most: int) -> None:
        """Remember that a page asks for a file of at most `most` bytes."""
        self._most[session] = max(most, self._most.pop(session, 0))
        while len(self._most) > SESSIONS:
            self._most.popitem(last=False)

    def most(self, session: str) -> int:
        """Return the largest size of file that a session may send; 0 if no page asked for one."""
        return self._most.get(session, 0)


FIELDS: Final = UploadFields()


class RefusedError(Exception):
    """A file is refused; holds the status and the sentence of the response."""


@dataclass
class UploadsThatFit:
    """Refuses a file that no page asked for or for which there is no room.

    Streamlit limits each file, but not their sum. Only the bytes that have arrived count, not the
    announced size, so that a slow sender does not block anybody else's file. With a `signer`, the
    limit holds for each visitor over all their pages, and nobody can send a file to another
    visitor's page or delete one there.
    """

    app: ASGIApp
    signer: Signer | None = None
    fields: UploadFields = FIELDS
    clock: Callable[[], float] = time.monotonic
    arriving: Counter[str] = field(default_factory=Counter)  # bytes by session, or by visitor
    read_until: float = 0.0  # when all bytes so far have been read at the speed FASTEST

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("PUT", "DELETE"):
            return await self.app(scope, receive, send)
        try:
            session = self._session(scope)
            if scope["method"] == "DELETE":
                return await self.app(scope, receive, send)
            await self._take(session, scope, receive, send)
        except RefusedError as refused:
            status, sentence = refused.args
            answer = PlainTextResponse(f"{sentence}\n", status, {"Connection": "close"})
            await answer(scope, receive, send)

    def _session(self, scope: Scope) -> str:
        """Return the session that a request names, if it is its own visitor's."""
        found = ADDRESS.search(scope["path"])
        if found is None:
            raise RefusedError(404, "There is no such address.")
        if self.signer and found[1] not in SESSIONS_OF.of(self.signer.visitor(cookies_of(scope))):
            raise RefusedError(403, "This page is somebody else's.")
        return found[1]

    async def _take(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        owner, sessions = session, [session]
        if self.signer is not None:
            owner = self.signer.visitor(cookies_of(scope))
            sessions = SESSIONS_OF.of(owner)
        most = self.fields.most(session)
        if not most:
            raise RefusedError(403, "No page asked for a file.")
        came, start = 0, self.clock()

        def check(size: int) -> None:
            # It asks the system: at the start, and then once a megabyte.
            is_looked_at = not came or came // MEGABYTE < (came + size) // MEGABYTE
            held = uploaded_bytes(sessions) + self.arriving[owner]
            of_all = uploaded_bytes() + self.arriving.total()
            if (
                came + size > most + FORM
                or held + size > LIMITS.upload_megabytes * MEGABYTE
                or of_all + size > LIMITS.all_upload_megabytes * MEGABYTE
                or (is_looked_at and is_short())
            ):
                raise RefusedError(413, "There are too many files.")
            if came < (self.clock() - start - SECONDS_FREE) * SLOWEST:
                raise RefusedError(408, "The file comes too slowly.")

        async def receive_what_fits() -> Message:
            nonlocal came
            try:
                message = await asyncio.wait_for(receive(), SECONDS_SILENT)
            except TimeoutError:
                raise RefusedError(408, "The file comes too slowly.") from None
            size = len(message.get("body", b""))
            check(size)
            self.arriving[owner] += size
            came += size
            if self.signer is not None:
                await self._keep_pace(size)
            return message

        check(int(Headers(scope=scope).get("content-length", 0)))
        try:
            await self.app(scope, receive_what_fits, send)
        finally:
            self.arriving[owner] -= came
            self.arriving = +self.arriving

    async def _keep_pace(self, size: int) -> None:
        """Delay a file while all visitors together send faster than they may."""
        now = self.clock()
        self.read_until = max(self.read_until, now) + size / FASTEST
        if self.read_until - now > SECONDS_AT_ONCE:
            await asyncio.sleep(self.read_until - now)
