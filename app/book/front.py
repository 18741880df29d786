"""`python -m app.book.front FOLDER`: the page that leads to the books of several models."""

import sys
from pathlib import Path

from app.book.build import front
from app.ui.chosen import model_name


def main(folder: Path) -> None:
    """Lead to the books that lie in a folder, each named as its model."""
    front(folder, {book.name: model_name(book.name) for book in sorted(folder.glob("*/"))})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
