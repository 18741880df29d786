"""Visitors of a class, told apart by a signed cookie; another cookie identifies the teacher.

The cookies are HttpOnly and signed with a secret that the replicas of a server share. A cookie that
is forged, or signed with another secret, counts as missing.
"""

import asyncio
import hashlib
import hmac
import re
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.i18n import N_
from app.server.connections import are_files_short
from app.server.memory import is_short
from app.server.plain_page import plain_page

VISITOR: Final = "illuminated_visitor"
TEACHER: Final = "illuminated_teacher"
DAY: Final = 24 * 60 * 60  # seconds
SECONDS_OF_VISITOR: Final = 400 * DAY  # the longest that browsers keep a cookie
SECONDS_OF_TEACHER: Final = DAY
DIGITS: Final = 32
NAME: Final = re.compile(rf"[0-9a-f]{{{DIGITS}}}")
SESSIONS: Final = 10_000
FULL: Final = N_("Too many pages are open")
CLOSE_ONE: Final = N_(
    "You have as many pages of this app open as one visitor may: close one, and this page "
    "opens within seconds."
)
ADDRESS_FULL: Final = N_(
    "Your network has as many pages of this app open as one network may have: this page opens "
    "by itself as soon as one of them is closed."
)
SERVER_FULL: Final = N_(
    "This server has as many pages open as it can serve: this page opens by itself as soon as "
    "there is room."
)
SECONDS_TO_ASK: Final = 5
SECONDS_HELD: Final = 5.0  # before a socket too many is refused
NO_PAGES: Final = ("/_stcore", "/media", "/component", "/auth/", "/oauth2callback", "/teacher")


class Signer:
    """Signs the identity of visitors, and reads it back: "" for what it did not sign."""

    def __init__(self, secret: bytes, teacher_key: str = "") -> None:
        self.secret, self.teacher_key = secret, teacher_key

    def visitor(self, cookies: Mapping[str, str]) -> str:
        """Return the visitor of a request, as 32 hexadecimal digits."""
        name = self._read(VISITOR, cookies)
        return name if NAME.fullmatch(name) else ""

    def is_teacher(self, cookies: Mapping[str, str]) -> bool:
        """Return whether the teacher's key was entered in this browser not too long ago."""
        until = self._read(TEACHER, cookies, self.holder(cookies))
        return bool(self.teacher_key) and until.isdecimal() and int(until) > time.time()

    def knows(self, key: str) -> bool:
        """Return whether a key is the teacher's."""
        known = self.teacher_key.encode()
        return bool(known) and hmac.compare_digest(key.encode(), known)

    def visitor_cookie(self, name: str = "") -> str:
        """Return the cookie of a visitor; without a name, that of a new visitor."""
        value = self._sign(VISITOR, name or secrets.token_hex(DIGITS // 2))
        return _cookie(VISITOR, value, SECONDS_OF_VISITOR)

    def teacher_cookie(self, cookies: Mapping[str, str]) -> str:
        """Return the teacher's cookie, bound to its holder; a change of the key invalidates it."""
        until = str(int(time.time()) + SECONDS_OF_TEACHER)
        signed = self._sign(TEACHER, until, self.holder(cookies))
        return _cookie(TEACHER, signed, SECONDS_OF_TEACHER)

    def holder(self, cookies: Mapping[str, str]) -> str:
        """Return the only visitor who may use a teacher's cookie; "" for anyone at the browser."""
        return ""

    def _read(self, kind: str, cookies: Mapping[str, str], holder: str = "") -> str:
        signed = cookies.get(kind, "")
        value = signed.partition(".")[0]
        is_ours = hmac.compare_digest(signed.encode(), self._sign(kind, value, holder).encode())
        return value if is_ours else ""

    def _sign(self, kind: str, value: str, holder: str = "") -> str:
        key = self.teacher_key if kind == TEACHER else ""
        text = "\0".join((kind, value, key, holder)).encode()
        return f"{value}.{hmac.new(self.secret, text, hashlib.sha256).hexdigest()}"


def _cookie(name: str, value: str, seconds: int) -> str:
    return f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax"


def cookies_of(scope: Scope) -> dict[str, str]:
    """Return the cookies of a request."""
    return cookie_parser(Headers(scope=scope).get("cookie", ""))


def address_of(scope: Scope) -> str:
    """Return the address that a request comes from; "" if it is unknown.

    Behind a proxy that FORWARDED_ALLOW_IPS names, uvicorn has set this to the address that the
    proxy forwards; forwarded addresses from anyone else are ignored.
    """
    client = scope.get("client")
    return network_of(client[0]) if client else ""


def network_of(host: str) -> str:
    """Return an IPv4 address, or the /64 network of an IPv6 address, which one customer has."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    return str(address.ipv4_mapped or IPv6Network((int(address) >> 64 << 64, 64)))


class KnownVisitors:
    """Gives a cookie to every visitor who opens a page, and renews it for those who have one."""

    def __init__(self, app: ASGIApp, signer: Signer) -> None:
        self.app, self.signer = app, signer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_page(scope["path"]):
            return await self.app(scope, receive, send)
        cookie = self.signer.visitor_cookie(self.signer.visitor(cookies_of(scope)))
        https = Headers(scope=scope).get("x-forwarded-proto", scope["scheme"]) == "https"

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in (200, 304):
                secure = "; Secure" if https else ""
                MutableHeaders(scope=message).append("Set-Cookie", cookie + secure)
            await send(message)

        return await self.app(scope, receive, send_with_cookie)


def is_page(path: str) -> bool:
    """Return whether a path is a page's own.

    The files that a page loads are requested at once, before its cookie has arrived.
    """
    return "." not in path and not path.startswith(NO_PAGES)


class Sessions:
    """The visitor of each session; the oldest sessions are forgotten and then belong to nobody."""

    def __init__(self) -> None:
        self._visitors: OrderedDict[str, str] = OrderedDict()

    def note(self, session: str, visitor: str) -> None:
        """Remember the visitor who started a session."""
        self._visitors.setdefault(session, visitor)
        while len(self._visitors) > SESSIONS:
            self._visitors.popitem(last=False)

    def of(self, visitor: str) -> list[str]:
        """Return the sessions that a visitor started."""
        return [session for session, name in list(self._visitors.items()) if name == visitor]


SESSIONS_OF: Final = Sessions()


class OwnSessionsOnly:
    """Lets a page resume only its own visitor's session.

    Otherwise, anybody who knew another visitor's session id could send files to it or, once its
    page was closed, take it over with everything that was typed and loaded there.
    """

    def __init__(self, app: ASGIApp, signer: Signer, sessions: Sessions) -> None:
        self.app, self.signer, self.sessions = app, signer, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            own = self.sessions.of(self.signer.visitor(cookies_of(scope)))
            headers = MutableHeaders(raw=list(scope["headers"]))
            named = headers.get("sec-websocket-protocol", "").split(",")
            if len(named) > 2 and named[2].strip() not in own:  # the third one names the session
                headers["sec-websocket-protocol"] = ",".join(named[:2])
            scope = {**scope, "headers": headers.raw}
        await self.app(scope, receive, send)


@dataclass(frozen=True)
class MostPages:
    """How many pages may be open at once: for one visitor, from one address, and in total."""

    visitor: int
    address: int
    all: int


@dataclass(eq=False)
class OpenPages:
    """Counts open pages by visitor and by address; unidentified visitors have only an address."""

    by_visitor: Counter[str] = field(default_factory=Counter)
    by_address: Counter[str] = field(default_factory=Counter)

    def count(self, visitor: str, address: str, change: int) -> None:
        """Count a page that opens (1) or closes (-1)."""
        if visitor:
            self.by_visitor[visitor] += change
        self.by_address[address] += change
        self.by_visitor, self.by_address = +self.by_visitor, +self.by_address

    def refusal(self, visitor: str, address: str, most: MostPages) -> str:
        """Return why no more pages may open; "" if one may."""
        if self.by_visitor[visitor] >= most.visitor:
            return CLOSE_ONE
        if self.by_address[address] >= most.address:
            return ADDRESS_FULL
        is_full = self.by_address.total() >= most.all or is_short() or are_files_short()
        return SERVER_FULL if is_full else ""


OPEN_PAGES: Final = OpenPages()


@dataclass
class PagesThatFit:
    """Refuses pages beyond the limit of open ones, with or without a cookie, and says why."""

    app: ASGIApp
    most: MostPages
    signer: Signer | None = None
    pages: OpenPages = OPEN_PAGES
    patience: float = SECONDS_HELD

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_socket = scope["type"] == "websocket"
        if not is_socket and (scope["type"] != "http" or not is_page(scope["path"])):
            return await self.app(scope, receive, send)
        visitor = self.signer.visitor(cookies_of(scope)) if self.signer else ""
        address = address_of(scope)
        why = self.pages.refusal(visitor, address, self.most)
        if why and is_socket:
            await asyncio.sleep(self.patience)  # slows down clients that retry at once
            return await send({"type": "websocket.close", "code": 1013})
        if why:
            # A page whose socket is refused would stay empty forever.
            answer = plain_page(Headers(scope=scope), FULL, why, 429, seconds=SECONDS_TO_ASK)
            return await answer(scope, receive, send)
        if not is_socket:
            return await self.app(scope, receive, send)
        self.pages.count(visitor, address, 1)
        try:
            await self.app(scope, receive, send)
        finally:
            self.pages.count(visitor, address, -1)
