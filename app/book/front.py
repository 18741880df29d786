"""`python -m app.book.front FOLDER`: the page that leads to the books of several models."""

import sys
from pathlib import Path
from string import Template
from typing import Final

from app import i18n
from app.book.assets import NAME
from app.components.document import safe
from app.i18n import _
from app.ui.chosen import model_name

PAGE: Final = Template(
    """<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>$name</title>
<style>
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
section {
  padding-bottom: 1rem; border-top: 1px solid color-mix(in srgb, currentcolor 25%, transparent);
}
h1, h2 { line-height: 1.2; }
a { display: inline-block; padding: 0.3rem 0; margin-right: 1.5rem; }
</style>
<main><h1>$name</h1>
$parts</main></html>
"""
)


def main(folder: Path) -> None:
    """Lead to the books that lie in a folder, each named as its model, in their languages."""
    books = sorted(book for book in folder.glob("*/") if (book / "index.html").is_file())
    parts = ""
    for language in i18n.LANGUAGES:
        if own := [book.name for book in books if (book / language).is_dir()]:
            with i18n.speaking(language):
                parts += _part(language, own)
    (folder / "index.html").write_text(PAGE.substitute(name=NAME, parts=parts), encoding="utf-8")


def _part(language: str, books: list[str]) -> str:
    """Return what a language's readers are told, and where they are led."""
    links = "".join(
        f'<a href="{safe(book)}/{language}/index.html">{safe(model_name(book))}</a>\n'
        for book in books
    )
    title = _("Look inside a Transformer while it translates")
    says = _(
        "A real encoder-decoder Transformer, small enough to run on your computer, "
        "translates the sentence you type. You see every number it computes on the way, "
        "and you can check each one on the page: nothing is made up."
    )
    return (
        f'<section lang="{language}"><h2>{safe(title)}</h2>\n'
        f"<p>{safe(says)}</p>\n{links}</section>\n"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
