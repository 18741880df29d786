"""The page outside Streamlit on which a teacher enters their key, once per browser.

The key is sent in a form's body and never in an address, which histories and logs keep.
"""

import asyncio
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.i18n import N_
from app.server.pace import Allowance
from app.server.plain_page import plain_page
from app.server.visitors import Signer, address_of

TRIES_A_MINUTE: Final = 10  # for each address, and for each visitor
SECONDS_TO_WAIT: Final = 10.0  # at most, after more tries: the right key must still get through
LONGEST_FORM: Final = 2000  # bytes
FORM: Final = """<form method="post"><label>{label}<input name="key" type="password" required
autofocus autocomplete="current-password"></label><button>{button}</button></form>"""
TEXTS: Final = {
    "see": N_("With the teacher's key you see all runs of the class, and can stop them."),
    "wrong": N_("This is not the teacher's key."),
}


def teacher_routes(signer: Signer) -> list[Route]:
    """Return the routes of the page on which the teacher's key is entered."""
    tries = Allowance(TRIES_A_MINUTE)

    async def show(request: Request) -> Response:
        return _text(request, "see")

    async def enter(request: Request) -> Response:
        names = {address_of(request.scope), signer.visitor(request.cookies)} - {""}
        for name in names:
            tries.take(name)
        # Guessing again and again means waiting longer and longer; nobody is refused because of
        # another visitor's guesses.
        await asyncio.sleep(min(SECONDS_TO_WAIT, max(map(tries.wait, names), default=0.0)))
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > LONGEST_FORM:
                return _text(request, "wrong", 413)
        given = parse_qs(body.decode(errors="replace")).get("key", [""])[0]
        if not signer.knows(given):
            return _text(request, "wrong", 403)
        for name in names:
            tries.take(name, -1.0)
        cookie = signer.teacher_cookie(request.cookies)
        https = request.headers.get("x-forwarded-proto", request.url.scheme) == "https"
        answer = RedirectResponse("training", 303)
        answer.headers["Set-Cookie"] = cookie + ("; Secure" if https else "")
        return answer

    return [Route("/teacher", show, methods=["GET"]), Route("/teacher", enter, methods=["POST"])]


def _text(request: Request, which: str, status: int = 200) -> Response:
    """Return the page with one of its sentences."""
    labels = {"label": N_("Key"), "button": N_("Enter")}
    return plain_page(request.headers, N_("Teacher"), TEXTS[which], status, FORM, labels)
