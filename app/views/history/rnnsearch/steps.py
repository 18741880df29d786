"""The alignment network in six steps, for one word that is about to be written."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from app import state
from app.components.board import Grid, Op
from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape, number, visible
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.head import Head
from app.inspect.naming import follows, token_markdown
from app.inspect.picks import pick_word, word_of
from app.inspect.six_steps import add_up, softmax, weigh
from app.ui.live_part import FAILED, live_part
from app.ui.section import section
from app.views.history.rnnsearch import texts

SCOPE: Final = "decoder.0.cross_attn"


class Alignment(Head):
    """One row of the alignment, by the word that it serves to write."""

    @property
    def written(self) -> Token:
        return follows(self.walk)[self.query]

    @property
    def word(self) -> str:
        """The word that is about to be written, for Markdown."""
        return escape(visible(self.written.text))

    def title(self, vector: str) -> str:
        """What the Transformer calls z is the context c here."""
        return f"{'c' if vector == 'z' else vector} · “{self.written.text}”"

    def part(self, stage: str, at: Sequence[int | None], title: str, **options: Any) -> Grid:
        """Return a part of a stage of the one head there is."""
        return grid(self.walk, f"{SCOPE}.{stage}", (0, *at), title, **options)


def alignment(walk: Walk) -> Alignment:
    """Return the chosen row; at first, the surest one."""
    return Alignment(walk, "cross", 0, 0, word_of(follows(walk), surest(walk).query))


def surest(walk: Walk) -> Alignment:
    """Return the row of the word that is surest where to look."""
    weights = np.array(walk.array(f"{SCOPE}.weights")[0])  # (T, S)
    weights[:, [token.special for token in walk.capture.src]] = 0
    weights[[token.special for token in follows(walk)]] = 0
    return Alignment(walk, "cross", 0, 0, int(weights.max(-1).argmax()))


def draw_steps(row: Alignment) -> None:
    """Draw the choice of a word, and what the alignment network does for it."""
    walk = row.walk
    live_part(lambda: _draw_row(alignment(walk)), failed=_(FAILED), shared=state.ASKED.get)


def _draw_row(row: Alignment) -> None:
    pick_word(follows(row.walk), _(texts.PICK), row.query)
    section("", _(texts.STEPS).format(word=row.word))
    for title, draw in zip(texts.TITLES, STEPS, strict=True):
        draw(row, _(title))


def _query(row: Alignment, title: str) -> None:
    walk, at = row.walk, row.query
    before = grid(walk, "decoder.0.before", (at, None), f"s_{at}", role="query", reach=1.0)
    sizes = {"size": before.values.size, "d_model": walk.config.d_model}
    text = _(texts.QUERY if at else texts.QUERY_FIRST)
    section(title, text.format(last=token_markdown(walk.capture.tgt[at]), **sizes), 3)
    query = row.part("q", (at, None), "W_a s + b")
    arrays(walk, [before, Op("× W_a + b ="), query], key="align-1")


def _keys(row: Alignment, title: str) -> None:
    walk = row.walk
    section(title, _(texts.KEYS).format(n=len(row.words), d_model=walk.config.d_model), 3)
    read = grid(walk, "memory", (None, None), _("annotations h"), role="input", reach=1.0)
    arrays(walk, [read, Op("× U_a ="), row.part("k", (None, None), "U_a h")], key="align-2")


def _match(row: Alignment, title: str) -> None:
    section(title, _(texts.MATCH).format(word=row.words[row.most]), 3)
    # One scale for both sides of the sum.
    reach = float(max(np.abs(row.walk.array(f"{SCOPE}.{name}")).max() for name in "qk"))
    query, key, word = row.query, row.most, f" · “{row.walk.capture.src[row.most].text}”"
    items: list[Grid | Op] = [
        row.part("q", (query, None), "W_a s + b", reach=reach),
        Op("+"),
        row.part("k", (key, None), f"U_a h{word}", reach=reach),
        Op("→ tanh ="),
        row.part("match", (query, key, None), f"tanh{word}", reach=1.0),
    ]
    arrays(row.walk, items, key="align-3")


def _score(row: Alignment, title: str) -> None:
    scores, d_model = row.row("scores"), row.walk.config.d_model
    high = {"high": row.words[row.most], "high_score": number(scores[row.most])}
    text = _(texts.SCORE).format(d_model=d_model, **high)
    if row.least is not None:
        low = {"low": row.words[row.least], "low_score": number(scores[row.least])}
        text += " " + _(texts.SCORE_LOW).format(**low)
    section(title, text, 3)
    items: list[Grid | Op] = [
        row.part("match", (row.query, None, None), "tanh(…)", reach=1.0),
        Op("·"),
        grid(row.walk, f"param:{SCOPE}.v_a", (None,), "v_a"),
        Op("="),
        row.column("scores", _("score")),
    ]
    arrays(row.walk, items, key="align-4")


def _softmax(row: Alignment, title: str) -> None:
    softmax(row, title, _("score"))


def _sum(row: Alignment, title: str) -> None:
    section(title, _(texts.VALUES), 3)
    weigh(row)
    add_up(row, texts.SUM)


STEPS: Final = (_query, _keys, _match, _score, _softmax, _sum)
