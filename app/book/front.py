"""`python -m app.book.front FOLDER`: the page that leads to the books of several models."""

import sys
from pathlib import Path

from app.book.assets import NAME
from app.book.build import HEAD
from app.components.document import safe
from app.ui.chosen import model_name


def main(folder: Path) -> None:
    """Lead to the books that lie in a folder, each named as its model."""
    links = "".join(
        f'<li><a href="{safe(book.name)}/index.html">{safe(model_name(book.name))}</a></li>\n'
        for book in sorted(folder.glob("*/"))
    )
    text = f'{HEAD}<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    text += f"<title>{NAME}</title>\n<h1>{NAME}</h1>\n<ul>\n{links}</ul></html>\n"
    (folder / "index.html").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
