"""The page of a book that names what needs the app, and leads to it."""

from string import Template
from typing import Final

from app.book.assets import NAME
from app.components.document import safe
from app.i18n import N_, _
from app.registry import view_of

# Where the app answers on the computer on which it was started.
HERE: Final = "http://localhost:8501"
FILE: Final = "app.html"
# What the app's pages do that a book's cannot.
PAGES: Final = {
    "training": N_("Train a model of your own, and watch attention form as a film."),
    "models": N_("Open your own models, or any Marian translator by its name."),
    "atlas": N_("See what each head is for, measured on a thousand sentences."),
    "trace": N_("Open the attention of a model that ran elsewhere."),
    "lessons": N_("Put screens together into a lesson, and teach a class with it, live."),
}
_PAGE: Final = Template(
    """<!doctype html>
<html lang="$language">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self' file:">
<meta name="referrer" content="no-referrer">
<title>$title · $name</title>
<link rel="stylesheet" href="$style">
</head>
<body class="stApp beyond">
<main>
<h1>$title</h1>
<p>$lead</p>
<dl>
$rows</dl>
<p>$start</p>
<p><a href="$back">$back_says</a></p>
</main>
</body>
</html>
"""
)


def page(language: str, style: str, address: str, back: str) -> str:
    """Return the page, in the language of the interface; `address` is the app's own, or its host's.

    `style` and `back` are the addresses of the style sheet and of the book's first screen.
    """
    app = (address or HERE).rstrip("/")
    rows = "".join(
        f'<dt><a href="{safe(app)}/{slug}">{safe(_(view_of(slug).title))}</a></dt>'
        f"<dd>{safe(_(text))}</dd>\n"
        for slug, text in PAGES.items()
    )
    lead = _(
        "This book runs in your browser alone. What trains, keeps or shares a model needs the app:"
    )
    start = (
        _("They open at {address}.").format(address=app)
        if address
        else _(
            "The app is free, and runs on a computer with Python: make run, in the folder of the "
            "project, starts it. Then these links open it there."
        )
    )
    return _PAGE.substitute(
        language=language, name=NAME, title=safe(label()), style=safe(style), lead=safe(lead),
        rows=rows, start=safe(start), back=safe(back), back_says=safe(_("Back to the book")),
    )  # fmt: skip


def label() -> str:
    """Return what a link to the page says."""
    return _("With the app")
