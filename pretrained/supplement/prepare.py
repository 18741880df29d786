"""Write all of the supplement that a translator is trained with into one file.

    python pretrained/supplement/prepare.py es runs/supplement.es-en.tsv

Names and proverbs (learned by heart) and the everyday sentences stand in it twice, what is drawn by
chance once. The same text every time.
"""

import sys
from pathlib import Path

import figures
import names

FOLDER = Path(__file__).parent


def everyday(language: str) -> list[str]:
    """The everyday sentences of a language, with their English."""
    lines = (FOLDER / "everyday.tsv").read_text(encoding="utf-8").splitlines()
    triples = (line.split("\t") for line in lines)
    return [f"{triple[figures.COLUMNS[language]]}\t{triple[figures.EN]}" for triple in triples]


def supplement(language: str) -> list[str]:
    """Every line "source TAB English" of a language."""
    by_heart = (FOLDER / f"{language}-en.tsv").read_text(encoding="utf-8").splitlines()
    invented = names.pairs({"es": names.SPANISH, "fr": names.FRENCH}[language], names.PAIRS)
    drawn = [f"{src}\t{tgt}" for src, tgt, _ in figures.training(language)]
    return 2 * (by_heart + everyday(language)) + invented + drawn


if __name__ == "__main__":
    language, path = sys.argv[1:]
    Path(path).write_text("\n".join(supplement(language)) + "\n", encoding="utf-8")
