"""Write all of the supplement that a translator is trained with into one file.

    python pretrained/supplement/prepare.py es runs/supplement.es-en.tsv
    python pretrained/supplement/prepare.py es runs/supplement.es-en.tsv more.tsv

The second has the triples of one more file as well. Names and proverbs (learned by heart) and the
everyday sentences stand in it twice; what is drawn by chance, and the triples of more files, once.
The same text every time.
"""

import sys
from pathlib import Path

import figures
import names


def everyday(language: str, *files: str) -> list[str]:
    """The sentences of a language in files of triples, with their English."""
    lines = (line for file in files for line in figures.read(file).splitlines())
    triples = (line.split("\t") for line in lines)
    return [f"{triple[figures.COLUMNS[language]]}\t{triple[figures.EN]}" for triple in triples]


def supplement(language: str, *more: str) -> list[str]:
    """Every line "source TAB English" of a language, with those of more files of triples."""
    by_heart = figures.read(f"{language}-en.tsv").splitlines()
    drawn = names.training(language) + figures.training(language)
    twice = by_heart + everyday(language, "everyday.tsv")
    once = [f"{pair.src}\t{pair.tgt}" for pair in drawn]
    return 2 * twice + once + everyday(language, *more)


if __name__ == "__main__":
    language, path, *more = sys.argv[1:]
    Path(path).write_text("\n".join(supplement(language, *more)) + "\n", encoding="utf-8")
