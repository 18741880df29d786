"""A sentence in which something must be known of another word: what each head does with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app.data.walk import Walk, walk
from app.format import escape, share
from app.i18n import _
from app.inspector.arrays import arrays, weights_grid
from app.inspector.head import Head
from app.inspector.naming import head_names, layer_names
from app.ui.chosen import pair
from app.views.walk.heads import texts

WRITTEN: Final = ("it", "he", "she")


@dataclass(frozen=True, eq=False)
class Meant:
    """One sentence, and the tokens of the word that stands for another, and of the two others."""

    walk: Walk
    sentence: str
    verb: str
    words: tuple[str, str]

    @property
    def found(self) -> bool:
        """Whether the words can be found in the model's tokens."""
        return all(self.tokens(word) for word in (self.verb, *self.words))

    def given(self, word: str) -> np.ndarray:
        """Return what the verb gives to a word in each encoder head, (L, H)."""
        weights = self.walk.capture.all_weights("encoder")  # (L, H, T, T)
        rows = weights[:, :, self.tokens(self.verb)].mean(2)  # (L, H, T)
        return np.asarray(rows[..., self.tokens(word)].sum(-1))

    def tokens(self, word: str) -> list[int]:
        """Return the tokens that a word was cut into, the last time it stands there."""
        pieces = ["" if token.special else token.text.strip() for token in self.walk.capture.src]
        ends = np.cumsum([len(piece) for piece in pieces])
        start = "".join(pieces).rfind(word)
        if start < 0:
            return []
        begins = ends - [len(piece) for piece in pieces]
        return np.flatnonzero((ends > start) & (begins < start + len(word))).tolist()


def meant(head: Head, which: int) -> Meant:
    """Return the sentence about the animal, 0, or about the street, 1, as the model reads it."""
    shown = head.walk.translation
    pronoun = texts.PRONOUNS[pair(shown.model)[0]]
    sentence = pronoun[which]
    assert isinstance(sentence, str)
    opened = walk(shown.model, sentence, shown.decoding)
    return Meant(opened, sentence, pronoun.heads[which], pronoun.things)


def has_pronoun(head: Head) -> bool:
    """Say whether there is an example in the language that the model reads."""
    return pair(head.walk.translation.model)[0] in texts.PRONOUNS


def pronoun_text(head: Head) -> str:
    """Say who is meant, and which head looks there most."""
    of = meant(head, 0)
    if not of.found:
        return _(texts.LOST)
    given = of.given(of.words[0])
    layer, best = np.unravel_index(int(given.argmax()), given.shape)
    return _(texts.PRONOUN).format(
        sentence=escape(of.sentence),
        verb=of.verb,
        animal=of.words[0],
        layer=int(layer) + 1,
        head=int(best) + 1,
        weight=share(given.max()),
    )


def draw_pronoun(head: Head) -> None:
    """Draw what the verb gives to the animal and to the street in each head."""
    _draw_given(meant(head, 0), "heads-pronoun")


def twin_text(head: Head) -> str:
    """Say what is different in the other sentence, and what each word gets in it."""
    of = meant(head, 1)
    twin = _(texts.TWIN).format(sentence=escape(of.sentence), verb=of.verb)
    if not of.found:
        return twin
    sums = [share(of.given(word).sum()) for word in of.words]
    animal, street = of.words
    says = _(texts.TWIN_SAYS).format(animal=animal, street=street, first=sums[0], second=sums[1])
    return f"{twin} {says}"


def draw_twin(head: Head) -> None:
    """Draw the same of the sentence about the street."""
    _draw_given(meant(head, 1), "heads-twin")


def it_text(head: Head) -> str:
    """Say what was looked at when the pronoun was written."""
    of = meant(head, 0)
    place = _written(of)
    if place is None:
        return _(texts.LOST)
    weights, layer = _looks(head, of, place)
    text = _(texts.IT).format(
        output=escape(of.walk.translation.output),
        it=of.walk.capture.tgt[place].text.strip(),
        n=sum(int(key) in of.tokens(of.verb) for key in weights.argmax(-1)),
        heads=len(weights),
        layer=layer + 1,
        verb=of.verb,
    )
    spanish = pair(head.walk.translation.model)[0] == "es"
    return f"{text} {_(texts.IT_VERB)}" if spanish else text


def draw_it(head: Head) -> None:
    """Draw what each head of a decoder layer looked at when the pronoun was written."""
    of = meant(head, 0)
    place = _written(of)
    if place is None:
        return
    weights, _layer = _looks(head, of, place)
    labels = [token.text for token in of.walk.capture.src]
    drawn = weights_grid(weights, _("weights"), head_names(len(weights)), labels)
    arrays(of.walk, [drawn], key="heads-it")


def _written(of: Meant) -> int | None:
    """Return the place of the pronoun in the translation."""
    words: Sequence[str] = [token.text.strip().lower() for token in of.walk.capture.tgt]
    return next((i for i, word in enumerate(words) if i and word in WRITTEN), None)


def _looks(head: Head, of: Meant, place: int) -> tuple[np.ndarray, int]:
    """Return the weights (H, S) with which a token was written, and of which decoder layer."""
    heads = of.walk.capture.all_weights("cross")  # (L, H, T, S)
    layer = min(head.layer, len(heads) - 1)
    return np.asarray(heads[layer, :, place - 1]), layer  # the row before writes it


def _draw_given(of: Meant, key: str) -> None:
    if not of.found:
        st.info(_(texts.LOST))
        return
    grids = []
    for i, word in enumerate(of.words):
        given = of.given(word)
        rows = () if i else layer_names(len(given))
        title = _(texts.TO).format(verb=of.verb, word=word)
        grids.append(weights_grid(given, title, rows, head_names(given.shape[1])))
    arrays(of.walk, grids, key=key)
