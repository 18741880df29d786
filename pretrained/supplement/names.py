"""Pairs full of invented names, so that a translator learns to copy what it never saw.

Each name is put together from syllables, once, and stands unchanged on both sides.
"""

import itertools
import random
from collections.abc import Iterator

import figures

PAIRS = 4000
TEMPLATES = {
    language: [
        line.split("\t") for line in figures.read(f"figures/names.{language}-en.tsv").splitlines()
    ]
    for language in figures.COLUMNS
}

# Single letters stand twice and three times: most names are easy to say.
ONSETS = """
    b b b c c d d d f f g g h h j k k l l l m m m n n p p r r r s s s t t v v w y z z
    br ch cl cr dr fl fr gl gr kh kr pl pr qu sh sk st th tr vl x ñ
""".split()  # noqa: SIM905
NUCLEI = "a a a a a a e e e e e e i i i i o o o o u u u ai ei ia ie io ou y á é í ó ö ü".split()  # noqa: SIM905
CODAS = "l m n n r r s t d k x z ck ll nd ng rd rn st th".split()  # noqa: SIM905
ENDINGS = """
    a a o o i e ia io us is os as el al an en on in or er ir ar ez ov ova ski sen son ton ham berg
    ford wick land burg grad polis ville dor mir thal wyn nor rim dûr heim ione
""".split()  # noqa: SIM905


def invent(rng: random.Random) -> str:
    """A name of 4 to 13 letters; now and then two with a hyphen."""
    if rng.random() < 0.03:
        return f"{invent(rng)}-{invent(rng)}"
    syllables = [
        (rng.choice(ONSETS) if place or rng.random() < 0.8 else "")
        + rng.choice(NUCLEI)
        + (rng.choice(CODAS) if rng.random() < 0.35 else "")
        for place in range(rng.choice((1, 1, 1, 2, 2, 3)))
    ]
    name = "".join(syllables) + (rng.choice(ENDINGS) if rng.random() < 0.5 else "")
    if not 4 <= len(name) <= 13:
        return invent(rng)
    return name[0].upper() + name[1:]


def sentences(language: str, seed: int) -> Iterator[figures.Sentence]:
    """Sentences without end, each with names of its own."""
    rng = random.Random(seed)
    for src, tgt in itertools.cycle(TEMPLATES[language]):
        drawn = {place: invent(rng) for place in "abc" if f"{{{place}}}" in src}
        yield figures.Sentence(src.format(**drawn), tgt.format(**drawn), tuple(drawn.values()))


def training(language: str) -> list[figures.Sentence]:
    """What a translator of a language is trained on."""
    return list(itertools.islice(sentences(language, 1), PAIRS))


def held_out(language: str, count: int) -> list[figures.Sentence]:
    """Sentences that no translator was trained on."""
    return list(itertools.islice(sentences(language, 2), count))
