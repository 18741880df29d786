"""Write all that a translator is trained with: corpus, supplement, other sources, dictionary.

    python pretrained/supplement/mix.py es ../shared/corpora runs/mix.es-en.tsv --groups words

Besides each line as it is, some of them stand once more as visitors type them (`shaped`): in
quotation marks, after a dash, with an open end, in Title Case, with a word in capitals; some short
ones are joined (`joined`), and single words stand with a capital and a full stop as well.

The corpora are a folder beside the project: `es-en/train.tsv`, and under `more/es-en/` other
sources, one file each. Their licences allow shipping weights; those under a GPL stay out. The same
text every time. With `--reverse` the English comes first, and what a test or the validation asks of
such a model is left out.
"""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import figures
import prepare

sys.path.insert(0, str(Path(__file__).parents[2]))
from model.text.reading import clean, read

# The files and, in their third column, the sources that a group takes.
GROUPS: dict[str, dict[str, frozenset[str]]] = {
    "everyday": {
        "storybooks": frozenset({"storybooks"}),
        "refugee_phrasebook": frozenset({"refugee_phrasebook"}),
        "mgsm": frozenset({"mgsm"}),
        "trail_sense": frozenset({"trail_sense"}),
        "raspberrypi": frozenset({"raspberrypi"}),
        "games_small": frozenset({"renpy"}),
    },
    "prose": {
        "gnome_help": frozenset({"gnome_help"}),
        "opensource_guide": frozenset({"opensource_guide"}),
        "canada_digital": frozenset({"canada_digital"}),
        "pud": frozenset({"pud"}),
        "xquad": frozenset({"xquad"}),
        "tico19": frozenset({"tico19"}),
        "novels": frozenset({"novels"}),
        "web_prose": frozenset({"bitcoin_org", "monero"}),
        "ui": frozenset(
            {"babybuddy", "duckduckgo", "grocy", "inaturalist", "tasking_manager"}
            | {"wikipedia_android"}
        ),
    },
}
RARE = 3
LONGEST = 40
SHAPED = 6_000  # lines of each shape
JOINED = 12_000
_MARKUP = re.compile(r"[<>{}\[\]|\\=_*#@~^`]|https?:|www\.|%[sd(]|&\w+;|\\n")
_WORD = re.compile(r"[^\W\d_]+")


def rows(file: Path) -> Iterator[list[str]]:
    """Read the columns of each line; a corpus does not have every file in both languages."""
    if not file.is_file():
        return
    for line in file.read_text(encoding="utf-8").splitlines():
        yield line.split("\t")


def is_usable(src: str, tgt: str) -> bool:
    """Tell whether a pair is a sentence of plain words on both sides, of like lengths."""
    if _MARKUP.search(src + tgt) or src == tgt:
        return False
    n_src, n_tgt = len(src.split()), len(tgt.split())
    if not 1 <= min(n_src, n_tgt) or max(n_src, n_tgt) > LONGEST:
        return False
    return max(n_src, n_tgt) <= 3 or 0.4 < n_src / n_tgt < 2.5


def group(folder: Path, name: str) -> list[str]:
    """Return the usable lines "source TAB English" of a group's files."""
    return [
        f"{src}\t{tgt}"
        for file, sources in GROUPS[name].items()
        for src, tgt, source in rows(folder / f"{file}.tsv")
        if source in sources and is_usable(src, tgt)
    ]


def words(folder: Path, known: Counter[str]) -> list[str]:
    """Return dictionary lines of words and idioms that the sentences have fewer than three times.

    A headword gives its first sense, an inflected form its one, a phrase its gloss.
    """
    entries = [
        (src, tgt)
        for src, tgt, kind, source, rank in rows(folder / "lexicon.tsv")
        if rank == "0" and kind != "name" and not source.startswith(("apertium", "freedict"))
    ]
    entries += [(src, tgt) for src, tgt, *_ in rows(folder / "lexicon_forms.tsv")]
    rare = [pair for pair in entries if any(known[word] < RARE for word in parts(pair[0]))]
    phrases = [(src, tgt) for src, tgt, _ in rows(folder / "wiktionary_phrases.tsv") if " " in src]
    return [f"{src}\t{tgt}" for src, tgt in rare + phrases if is_usable(src, tgt)]


def parts(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def shaped(lines: list[str], language: str, rng: random.Random) -> Iterator[str]:
    """Yield lines in shapes that visitors type, on both sides alike where a shape has a meaning."""
    quoted = "« {} »" if language == "fr" else '"{}"'
    shapes: list[Callable[[str, str], tuple[str, str]]] = [
        lambda src, tgt: (quoted.format(src), f'"{tgt}"'),
        lambda src, tgt: (f"- {src}", f"- {tgt}"),
        lambda src, tgt: (f"{src.rstrip('.')}...", f"{tgt.rstrip('.')}..."),
        lambda src, tgt: (" ".join(word[:1].upper() + word[1:] for word in src.split()), tgt),
        lambda src, tgt: (with_capitals(src, rng), tgt),
    ]
    plain = [line for line in lines if line.count(".") == 2 and '"' not in line and "«" not in line]
    for shape in shapes:
        for line in rng.sample(plain, min(SHAPED, len(plain))):
            src, tgt = line.split("\t")
            yield "\t".join(shape(src, tgt))


def with_capitals(text: str, rng: random.Random) -> str:
    """Return a text with one of its words in capitals."""
    words = text.split()
    at = rng.randrange(len(words))
    return " ".join([*words[:at], words[at].upper(), *words[at + 1 :]])


def joined(lines: list[str], rng: random.Random) -> Iterator[str]:
    """Yield two to four short lines as one."""
    short = [line for line in lines if len(line) < 80 and line[-1] in ".?!"]
    for _ in range(min(JOINED, len(short))):
        parts = [line.split("\t") for line in rng.sample(short, rng.choice((2, 2, 2, 3, 4)))]
        yield "\t".join(" ".join(side) for side in zip(*parts, strict=True))


def ended(lines: list[str]) -> Iterator[str]:
    """Yield words without a mark at their end as short sentences: "gato" as "Gato."."""
    for line in lines:
        src, tgt = line.split("\t")
        if line.islower() and len(line.split()) <= 4:
            yield f"{figures.capitalised(src)}.\t{figures.capitalised(tgt)}."


def as_typed(lines: list[str], language: str) -> list[str]:
    """Return the lines and their other shapes, shuffled, with sources as a translator reads them.

    `language` is the source's.
    """
    rng = random.Random(1)
    lines = [*lines, *shaped(lines, language, rng), *joined(lines, rng), *ended(lines)]
    rng.shuffle(lines)
    pairs = (line.split("\t") for line in lines)
    return [f"{read(src, language).text}\t{clean(tgt)}" for src, tgt in pairs]


def mixture(language: str, corpora: Path, groups: list[str]) -> list[str]:
    """Return every line of the mixture, from another language into English."""
    folder = corpora / "more" / f"{language}-en"
    corpus = corpora / f"{language}-en" / "train.tsv"
    lines = [f"{src}\t{tgt}" for src, tgt in rows(corpus)]
    lines += prepare.supplement(language, "more.tsv", "further.tsv", "typed.tsv")
    doubles = figures.with_doubles(language, figures.PAIRS // 4)
    lines += [f"{sentence.src}\t{sentence.tgt}" for sentence in doubles]
    for name in groups:
        if name != "words":
            lines += group(folder, name)
    if "words" in groups:
        known = Counter(word for line in lines for word in parts(line.split("\t")[0]))
        lines += words(folder, known)
    return lines


def from_english(lines: list[str], language: str, corpora: Path) -> list[str]:
    """Return the lines with English first, but those whose English is in a test or validation."""
    files = [corpora / f"{language}-en" / name for name in ("valid.tsv", "test.tsv")]
    files.append(Path(__file__).parents[1] / "everyday" / f"{language}-en.tsv")
    held_out = {tgt for file in files for _src, tgt in rows(file)}
    pairs = (line.split("\t") for line in lines)
    return [f"{tgt}\t{src}" for src, tgt in pairs if tgt not in held_out]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=("es", "fr"))
    parser.add_argument("corpora", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--groups", nargs="*", default=[], choices=(*GROUPS, "words"))
    parser.add_argument("--reverse", action="store_true")
    given = parser.parse_args()
    mixed = mixture(given.language, given.corpora, given.groups)
    mixed = from_english(mixed, given.language, given.corpora) if given.reverse else mixed
    mixed = as_typed(mixed, "en" if given.reverse else given.language)
    given.out.write_text("\n".join(mixed) + "\n", encoding="utf-8")
