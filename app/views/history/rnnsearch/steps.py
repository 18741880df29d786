"""The alignment network in six steps, for one word that is about to be written."""

from typing import Final

import numpy as np

from app.components.board import Op
from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape, number, visible
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.head import Head
from app.inspect.naming import follows, token_markdown
from app.inspect.picks import word_of
from app.inspect.six_steps import add_up, softmax, weigh
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

    @property
    def looked_at(self) -> str:
        """The word that is looked at most, as it is."""
        return self.walk.capture.src[self.most].text

    def title(self, vector: str) -> str:
        """What the Transformer calls z is the context c here."""
        return f"{'c' if vector == 'z' else vector} · “{self.written.text}”"


def alignment(walk: Walk) -> Alignment:
    """Return the chosen row; at first, the surest one."""
    return _row(walk, word_of(follows(walk), surest(walk).query))


def surest(walk: Walk) -> Alignment:
    """Return the row of the word that is surest where to look."""
    weights = np.array(walk.array(f"{SCOPE}.weights")[0])  # (T, S)
    weights[:, [token.special for token in walk.capture.src]] = 0
    weights[[token.special for token in follows(walk)]] = 0
    return _row(walk, int(weights.max(-1).argmax()))


def _row(walk: Walk, query: int) -> Alignment:
    return Alignment(walk, "cross", 0, 0, query)


def steps(now: Alignment) -> None:
    """Draw what the alignment network does for one word."""
    for title, draw in zip(texts.TITLES, STEPS, strict=True):
        draw(now, _(title))


def _query(now: Alignment, title: str) -> None:
    at, name = (now.query, None), f"s_{now.query}"
    state = grid(now.walk, "decoder.0.before", at, name, role="query", reach=1.0)
    text = texts.QUERY if now.query else texts.QUERY_FIRST
    section(
        title,
        _(text).format(
            size=state.values.size,
            d_model=now.walk.config.d_model,
            last=token_markdown(now.walk.capture.tgt[now.query]),
        ),
        3,
    )
    made = grid(now.walk, f"{SCOPE}.q", (0, now.query, None), "W_a s + b")
    arrays(now.walk, [state, Op("× W_a + b ="), made], key="align-1")


def _keys(now: Alignment, title: str) -> None:
    sizes = {"n": len(now.words), "d_model": now.walk.config.d_model}
    section(title, _(texts.KEYS).format(**sizes), 3)
    read = grid(now.walk, "memory", (None, None), _("annotations h"), role="input", reach=1.0)
    made = grid(now.walk, f"{SCOPE}.k", (0, None, None), "U_a h")
    arrays(now.walk, [read, Op("× U_a ="), made], key="align-2")


def _match(now: Alignment, title: str) -> None:
    section(title, _(texts.MATCH).format(word=now.words[now.most]), 3)
    reach = float(
        max(np.abs(now.walk.array(f"{SCOPE}.{name}")).max() for name in "qk")
    )  # one scale for both sides of the sum
    arrays(
        now.walk,
        [
            grid(now.walk, f"{SCOPE}.q", (0, now.query, None), "W_a s + b", reach=reach),
            Op("+"),
            grid(
                now.walk, f"{SCOPE}.k", (0, now.most, None), f"U_a h · “{now.looked_at}”",
                reach=reach,
            ),
            Op("→ tanh ="),
            grid(
                now.walk, f"{SCOPE}.match", (0, now.query, now.most, None),
                f"tanh · “{now.looked_at}”", reach=1.0,
            ),
        ],
        key="align-3",
    )  # fmt: skip


def _score(now: Alignment, title: str) -> None:
    scores = now.row("scores")
    said = _(texts.SCORE).format(
        d_model=now.walk.config.d_model, high=now.words[now.most],
        high_score=number(scores[now.most]),
    )  # fmt: skip
    if now.least is not None:
        low = _(texts.SCORE_LOW)
        said += " " + low.format(low=now.words[now.least], low_score=number(scores[now.least]))
    section(title, said, 3)
    arrays(
        now.walk,
        [
            grid(now.walk, f"{SCOPE}.match", (0, now.query, None, None), "tanh(…)", reach=1.0),
            Op("·"),
            grid(now.walk, f"param:{SCOPE}.v_a", (None,), "v_a"),
            Op("="),
            now.column("scores", _("score")),
        ],
        key="align-4",
    )


def _softmax(now: Alignment, title: str) -> None:
    softmax(now, title, _("score"))


def _sum(now: Alignment, title: str) -> None:
    section(title, _(texts.VALUES), 3)
    weigh(now)
    add_up(now, texts.SUM)


STEPS: Final = (_query, _keys, _match, _score, _softmax, _sum)
