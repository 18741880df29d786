"""The one page that is not Streamlit's: a teacher's key is entered here, once in a browser.

It is sent in a form's body and never in an address, which histories and logs keep.
"""

from __future__ import annotations

from html import escape
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from app import i18n
from app.i18n import _
from app.server.pace import Pace
from app.server.visitors import Signer

TRIES_A_MINUTE: Final = 10  # of everybody: one guesses the key from many addresses
LONGEST_FORM: Final = 2000  # bytes
PAGE: Final = """<!doctype html><html lang="{language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>{title}</title>
<style>:root{{color-scheme:light dark;font:1rem/1.5 sans-serif}}
body{{max-width:24rem;margin:15vh auto;padding:0 1rem}}
input,button{{font:inherit;padding:.5rem .75rem;width:100%;box-sizing:border-box;margin:.4rem 0}}
</style><h1>{title}</h1><p role="status">{text}</p>
<form method="post"><label>{label}<input name="key" type="password" required autofocus
autocomplete="current-password"></label><button>{button}</button></form></html>"""


def teacher_routes(signer: Signer) -> list[Route]:
    """Return the routes of the page that takes the teacher's key."""
    tries = Pace(TRIES_A_MINUTE)

    async def show(request: Request) -> Response:
        return _text(request, "see")

    async def enter(request: Request) -> Response:
        if tries.wait("") > 0:
            return _text(request, "wait", 429)
        tries.take("")
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > LONGEST_FORM:
                return _text(request, "wrong", 413)
        given = parse_qs(body.decode(errors="replace")).get("key", [""])[0]
        if not signer.knows(given):
            return _text(request, "wrong", 403)
        cookie = signer.teacher_cookie()
        https = request.headers.get("x-forwarded-proto", request.url.scheme) == "https"
        answer = RedirectResponse("training", 303)
        answer.headers["Set-Cookie"] = cookie + ("; Secure" if https else "")
        return answer

    return [Route("/teacher", show, methods=["GET"]), Route("/teacher", enter, methods=["POST"])]


def _text(request: Request, which: str, status: int = 200) -> Response:
    """Return the page with one of its sentences, in the browser's language."""
    language = i18n.match(request.headers.get("accept-language", "").split(",")[0])
    with i18n.speaking(language):
        texts = {
            "see": _("With the teacher's key you see all runs of the class, and can stop them."),
            "wrong": _("This is not the teacher's key."),
            "wait": _("Too many keys were tried: come back in a minute."),
        }
        page = PAGE.format(
            language=language,
            title=escape(_("Teacher")),
            text=escape(texts[which]),
            label=escape(_("Key")),
            button=escape(_("Enter")),
        )
    return HTMLResponse(page, status)
