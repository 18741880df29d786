"""Write all of the supplement that a translator is trained with into one file.

    python pretrained/supplement/prepare.py es runs/supplement.es-en.tsv

Names and proverbs (learned by heart) and the everyday sentences stand in it twice, what is drawn by
chance once. The same text every time.
"""

import sys
from pathlib import Path

import figures
import names


def everyday(language: str) -> list[str]:
    """The everyday sentences of a language, with their English."""
    triples = (line.split("\t") for line in figures.read("everyday.tsv").splitlines())
    return [f"{triple[figures.COLUMNS[language]]}\t{triple[figures.EN]}" for triple in triples]


def supplement(language: str) -> list[str]:
    """Every line "source TAB English" of a language."""
    by_heart = figures.read(f"{language}-en.tsv").splitlines()
    drawn = names.training(language) + figures.training(language)
    return 2 * (by_heart + everyday(language)) + [f"{pair.src}\t{pair.tgt}" for pair in drawn]


if __name__ == "__main__":
    language, path = sys.argv[1:]
    Path(path).write_text("\n".join(supplement(language)) + "\n", encoding="utf-8")
