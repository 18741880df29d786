"""The phrase book as it is kept: whole sentences, one translation each, links between words."""

from __future__ import annotations

import random
import re

import pytest

from model import checkpoint
from model.atlas.atlas import Atlas
from model.atlas.sample import phrase_sample
from model.errors import UserError
from model.tasks import TASKS, phrases, split
from model.text.pairs import AlignedPair

BOTH = pytest.mark.parametrize("source", phrases.LANGUAGES)
FEW = random.Random(0).sample(phrases.lines(), 2000)


def written(one: AlignedPair) -> str:
    """Return the links as a text: sure ones with "=", others with "~"."""
    src, tgt = one.pair.src.split(), one.pair.tgt.split()
    signs = {link: "=" if link in one.sure else "~" for link in one.possible}
    return " ".join(f"{src[s]}{signs[s, t]}{tgt[t]}" for s, t in sorted(signs))


def test_words_are_linked_one_by_one_and_in_groups() -> None:
    (line,) = (one for one in phrases.lines() if one.startswith("No dormí la semana pasada.\t"))
    assert written(phrases.aligned(line, "es")) == (
        "No=not dormí=I dormí~did dormí~sleep la~last la~week. semana~last semana~week. "
        "pasada.~last pasada.~week."
    )
    assert written(phrases.aligned(line, "fr")) == (
        "Je=I n'ai~did n'ai~not n'ai~sleep pas~not dormi~did dormi~sleep la~last la~week. "
        "semaine~last semaine~week. dernière.~last dernière.~week."
    )


@BOTH
def test_every_sentence_is_spelled_as_one_and_its_words_are_linked(source: str) -> None:
    for one in (phrases.aligned(line, source) for line in FEW):
        src, tgt = one.pair.src, one.pair.tgt
        for text in (src, tgt):
            assert text == " ".join(text.split())
            assert text.lstrip("¿¡")[0].isupper()
        assert src[-1] == tgt[-1] in ".?!"
        assert ("¿" in src) == (source == "es" and src.endswith("?"))
        assert not re.search(r"\b(a|de) el |\b(de|à) les? ", src, re.IGNORECASE)
        assert all(s < len(src.split()) and t < len(tgt.split()) for s, t in one.possible)
        assert one.sure <= one.possible
        linked = {(src.split()[s][:3], tgt.split()[t][:3]) for s, t in one.sure}
        assert {name for name in ("Luc", "Dav") if name in tgt} <= {s for s, t in linked if s == t}


@BOTH
def test_there_are_so_many_sentences_and_none_twice(source: str) -> None:
    pairs = [phrases.aligned(line, source).pair for line in phrases.lines()]
    assert len({pair.src for pair in pairs}) == len(pairs) == phrases.SIZE
    task = TASKS[f"phrases-{source}"]
    assert task.probe.src not in {pair.src for pair in pairs}
    train, valid = split(task, task.pairs, 500, seed=1)
    assert (len(train), len(valid)) == (task.pairs, 500)
    shipped = Atlas.load_for(checkpoint.resolve(f"{source}-en"))
    assert shipped is not None
    assert set(shipped.examples) <= set(pairs)


def test_a_sample_is_drawn_by_its_seed_and_is_no_larger_than_the_book() -> None:
    sample = phrase_sample("es", 20, 0)
    assert sample == phrase_sample("es", 20, 0) != phrase_sample("es", 20, 1)
    assert len({pair.src for pair in sample.pairs}) == 20
    known = {pair.src for pair in sample.pairs[:10]}
    assert phrase_sample("es", 10, 0, known).pairs == sample.pairs[10:]
    with pytest.raises(UserError, match="46001 is too large"):
        phrase_sample("es", 46_001, 0)
