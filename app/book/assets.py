"""What all pages of a book load: the app's components, its styles, and what leads through it."""

from functools import cache
from pathlib import Path
from typing import Any, Final

from app.components import board
from app.components.document import mode_colours
from app.components.opened import Opened, payload
from app.components.shared.library import COMPONENTS, KINDS
from app.components.shared.library import program as linked
from app.i18n import _

FOLDER: Final = Path(__file__).parent
NAME: Final = "Illuminated Transformer"


@cache
def program() -> str:
    """Return the script of a book."""
    return linked(
        KINDS,
        FOLDER / "runtime/book.js",
        "globalThis.book_take = runtime_book.take;",
        'addEventListener("DOMContentLoaded", runtime_book.start);',
    )


@cache
def style() -> str:
    """Return the style sheet of a book: what Streamlit's page gives, then the app's own."""
    light, dark = mode_colours("light"), mode_colours("dark")
    colours = (
        f":root {{ {light} }}",
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}",
        f':root[data-mode="light"] {{ {light} }}',
        f':root[data-mode="dark"] {{ {dark} }}',
    )
    app = (COMPONENTS.parent / "style.css").read_text(encoding="utf-8")
    return "\n".join([*colours, _read("book.css"), app, _read("last.css")])


def texts() -> dict[str, Any]:
    """Return what the book says of itself."""
    return {
        "missing": _("This screen is not in this book."),
        "unloaded": _("This could not be loaded. Try it again when there is a network."),
        "only": _("This book does not have this choice: the app does."),
        "nearest": _("This book does not have these choices in combination: it shows the nearest."),
        "cell": _("This book does not have the calculation of this number: the app does."),
        "frame": _("Copy this figure as a frame for another page"),
        "copied": _("Copied: paste it into another page."),
        "table": _("Table"),
        "code": _("The code that computes it"),
        "opened": payload(Opened("", "", "", [], []))["text"],
        "board": board.payload([])["text"],
    }


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
