"""A page of one sentence, served without Streamlit when no page of the app can be opened."""

from collections.abc import Mapping
from html import escape
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse

from app import i18n
from app.i18n import _

PAGE: Final = """<!doctype html><html lang="{language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>{title}</title>
<style>:root{{color-scheme:light dark;font:1rem/1.5 sans-serif}}
body{{max-width:24rem;margin:15vh auto;padding:0 1rem}}
input,button{{font:inherit;padding:.5rem .75rem;width:100%;box-sizing:border-box;margin:.4rem 0}}
</style><h1>{title}</h1><p role="status">{text}</p>{more}</html>"""


def plain_page(
    headers: Headers,
    title: str,
    text: str,
    status: int,
    more: str = "",
    labels: Mapping[str, str] | None = None,
    seconds: int = 0,
) -> HTMLResponse:
    """Return a page in the browser's language, with title and text translated by the catalogue.

    `more` is HTML into which `labels` are filled; after `seconds`, the browser reloads the page.
    """
    language = i18n.match(headers.get("accept-language", "").split(",")[0])
    with i18n.speaking(language):
        filled = {name: escape(_(label)) for name, label in (labels or {}).items()}
        page = PAGE.format(
            language=language,
            title=escape(_(title)),
            text=escape(_(text)),
            more=more.format(**filled),
        )
    return HTMLResponse(page, status, {"Refresh": str(seconds)} if seconds else None)
