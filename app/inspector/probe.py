"""What is asked about, a token of the translation and a layer, and who answers. (T tokens)"""

from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, array_grid
from app.data.importance import METHODS, Importance, importance, own_log_probs
from app.data.translation import Token
from app.data.walk import ATTENTIONS, Walk
from app.format import escape, visible
from app.i18n import _
from app.inspector.naming import follows, text_at, texts_of
from app.inspector.picks import layer_of, pick_word, word_of


@dataclass(frozen=True, eq=False)
class Probe:
    """One token that the model writes, the target position that writes it, and a layer."""

    walk: Walk
    at: int
    layer: int

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens that are written, <eos> last, (T,)."""
        return follows(self.walk)

    @property
    def word(self) -> str:
        """The token, as people read it."""
        return text_at(self.tokens, self.at)

    @cached_property
    def log_p(self) -> np.ndarray:
        """The unchanged log p of each token, (T,)."""
        return own_log_probs(self.walk)

    @property
    def written(self) -> list[str]:
        """The tokens that are written, as people read them."""
        return texts_of(self.tokens)

    @property
    def sources(self) -> list[str]:
        """The source tokens, as people read them."""
        return texts_of(self.walk.capture.src)

    def source(self, at: int) -> str:
        """Return a source token, as people read it."""
        return text_at(self.walk.capture.src, at)


def probe_of(walk: Walk) -> Probe:
    """Return what is asked about; at first the longest token, as it has most to say."""
    lengths = [len(token.text) * token.text.isalpha() for token in follows(walk)]
    at = word_of(follows(walk), lengths.index(max(lengths)))
    return Probe(walk, at, layer_of(walk.config.n_decoder_layers))


def cross_scopes(walk: Walk) -> tuple[str, ...]:
    """Return the encoder-decoder attention of every layer, as parts of the model."""
    return tuple(map(ATTENTIONS["cross"].scope, range(walk.config.n_attentions("cross"))))


def pick_written(probe: Probe) -> None:
    """Draw what is written, to choose one token of it."""
    label = _("The token of the translation that you ask about")
    pick_word(probe.tokens, label, probe.at, "output")


def marked(text: str) -> str:
    """Write a visitor's text for Markdown."""
    return escape(visible(text))


def answers_about(probe: Probe) -> Importance:
    """Ask all methods about the chosen token."""
    # Who reads a book never sees it, and it starts a thread, which a browser does not let it.
    with nullcontext() if state.in_book() else st.spinner(_("Asking all methods …")):
        return importance(probe.walk, probe.at)


def correlation_grid(values: np.ndarray, title: str, **options: Any) -> Grid:
    """Return correlations (R, C) as a grid; where there is none, NaN, its cell is hatched."""
    known = np.isfinite(values)
    mask = None if known.all() else known
    return array_grid(np.where(known, values, 0.0), title, reach=1.0, mask=mask, **options)


def names(found: Importance) -> list[str]:
    """Return what the methods are called; the head that looks most decidedly by its place."""
    layer, head = found.best or (0, 0)
    place = {"layer": layer + 1, "head": head + 1}
    return [_(METHODS[method].title).format(**place) for method in found.methods]
