"""A sentence that leaves its pronoun out: where every head looks when “it” is written."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

import numpy as np

from app.data.translation import Translation
from app.format import escape, percent, visible
from app.i18n import _
from app.inspect.arrays import draw_board, weights_grid
from app.ui.chosen import decoding
from app.views.history.evolution import texts
from app.views.history.evolution.beside import looking_of, written
from app.views.history.evolution.choice import Choice
from app.views.history.evolution.data import SEARCH, TRANSFORMER, translations

CELLS: Final = 230  # what the rows of all tokens take at most, in pixels


def found() -> dict[str, tuple[Translation, np.ndarray]]:
    """Return each model that writes "it", with the weights of all its heads there, (L, H, S)."""
    rows = {}
    for one in looking_of(translations(texts.IT_SENTENCE, decoding())):
        words = [token.text.strip().lower() for token in written(one)]
        if texts.IT_WRITTEN in words:
            at = words.index(texts.IT_WRITTEN)
            rows[one.model] = one, np.asarray(one.capture.all_weights("cross")[:, :, at])
    return rows


def it_text(_choice: Choice) -> str:
    """Say where "it" comes from in each model."""
    rows = found()
    if not rows:
        return _(texts.IT_LOST)
    return " ".join([_(texts.IT).format(sentence=texts.IT_SENTENCE), *_favourites(rows)])


def draw_it(_choice: Choice) -> None:
    """Draw the weights of all heads, one column a head."""
    grids = []
    for name, (one, weights) in found().items():
        labels = [token.text for token in one.source.tokens]
        heads = [f"{layer + 1}.{head + 1}" for layer, head in np.ndindex(weights.shape[:2])]
        title = _(texts.IT_COLUMNS).format(name=_(texts.NAMES[name]))
        columns = weights.reshape(-1, weights.shape[-1]).T  # (S, L × H)
        grids.append(weights_grid(columns, title, labels, heads, height=CELLS))
    if grids:
        draw_board(grids, "it")


def _favourites(rows: Mapping[str, tuple[Translation, np.ndarray]]) -> list[str]:
    lines = []
    if SEARCH in rows:
        one, weights = rows[SEARCH]
        most = int(weights[0, 0].argmax())
        weight = percent(float(weights[0, 0, most]))
        lines.append(_(texts.IT_SEARCH).format(word=_word(one, most), weight=weight))
    if TRANSFORMER in rows:
        one, weights = rows[TRANSFORMER]
        favourites = Counter(weights.argmax(-1).ravel().tolist())
        each = _(texts.IT_MOST)
        named = (
            each.format(count=count, word=_word(one, at)) for at, count in favourites.most_common(3)
        )
        heads = int(np.prod(weights.shape[:2]))
        lines.append(_(texts.IT_HEADS).format(n=heads, list=", ".join(named)))
    return lines


def _word(translation: Translation, at: int) -> str:
    return escape(visible(translation.source.tokens[at].text))
