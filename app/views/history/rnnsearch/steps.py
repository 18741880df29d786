"""The alignment network step by step, for one token that is about to be written."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from app.components.board import Grid, Op
from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape, number, probability, quoted, visible
from app.i18n import _
from app.inspector.arrays import STATE_FOLD, arrays, grid, state_grid
from app.inspector.head import Head
from app.inspector.naming import follows, token_markdown
from app.inspector.picks import pick_word, word_of
from app.inspector.steps import parts_text, softmax_text
from app.page.quiz import Task, largest
from app.views.history.rnnsearch import texts

SCOPE: Final = "decoder.0.cross_attn"
THUMB: Final = 84  # the height of a matrix with a row a token, in pixels
WIDE: Final = 64  # numbers of a context in one line


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
        return f"{'c' if vector == 'z' else vector} · {quoted(self.written.text)}"

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


def pick_written(row: Alignment) -> None:
    """Draw the choice of a token that is about to be written."""
    pick_word(follows(row.walk), _(texts.PICK), row.query)


def query_text(row: Alignment) -> str:
    """Say what the decoder asks with, and what it knows by then."""
    walk, at = row.walk, row.query
    sizes = {"size": walk.config.d_hidden, "d_model": walk.config.d_model}
    text = _(texts.QUERY if at else texts.QUERY_FIRST)
    asks = text.format(word=row.word, last=token_markdown(walk.capture.tgt[at]), **sizes)
    return f"{asks}\n\n{_(texts.KEYS).format(n=len(row.words), d_model=walk.config.d_model)}"


def draw_query(row: Alignment) -> None:
    """Draw the decoder's state and the query made of it, the annotations and their keys."""
    before = state_grid(row.walk, "decoder.0.before", row.query, f"s_{row.query}", "query")
    query = row.part("q", (row.query, None), "W_a s + b")
    arrays(row.walk, [before, Op("× W_a + b ="), query], key="align-1")
    look = {"thumb": True, "height": THUMB}
    read = grid(row.walk, "memory", (None, None), _("annotations h"), role="input", **look)
    keys = row.part("k", (None, None), "U_a h", **look)
    arrays(row.walk, [read, Op("× U_a ="), keys], key="align-2")


def score_text(row: Alignment) -> str:
    """Say how a score is made, how far it can go, and which is the highest."""
    bound = number(float(np.abs(row.walk.array(f"param:{SCOPE}.v_a")).sum()))
    scores = row.row("scores")
    high = {"high": row.words[row.most], "high_score": number(scores[row.most])}
    made = _(texts.SCORE).format(d_model=row.walk.config.d_model, bound=bound)
    return f"{_(texts.MATCH)} {made} {_(texts.SCORE_HIGH).format(**high)}"


def guess_score(row: Alignment) -> Task:
    """Ask which token scores highest."""
    scores, tokens = row.row("scores"), row.walk.capture.src
    shown, answers = largest(scores)
    options = [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown]
    high = {"high": tokens[row.most].text, "high_score": number(scores[row.most])}
    says = _(texts.SCORE_SAYS).format(**high)
    return Task(_(texts.SCORE_ASK).format(word=row.written.text), options, answers, says, says)


def draw_score(row: Alignment) -> None:
    """Draw the query and the keys, the tanh of their sums, and the scores made of it."""
    # One scale for both sides of the sum.
    reach = float(max(np.abs(row.walk.array(f"{SCOPE}.{name}")).max() for name in "qk"))
    small = {"fold": STATE_FOLD}
    items: list[Grid | Op] = [
        row.part("q", (row.query, None), "W_a s + b", reach=reach, **small),
        Op("+"),
        row.part("k", (None, None), "U_a h", reach=reach, thumb=True),
        Op("→ tanh ="),
        row.part("match", (row.query, None, None), "tanh(…)", reach=1.0, thumb=True, row_labels=()),
        Op("·"),
        grid(row.walk, f"param:{SCOPE}.v_a", (None,), "v_a", fold=STATE_FOLD),
        Op("="),
        row.column("scores", _("score")),
    ]
    arrays(row.walk, items, key="align-3")


def sum_text(row: Alignment) -> str:
    """Say how scores become weights, and what the context is made of."""
    return f"{softmax_text(row)}\n\n{parts_text(row, texts.SUM)}"


def draw_sum(row: Alignment) -> None:
    """Draw the scores, their weights, the weighted annotations and their sum."""
    reach = float(np.abs(row.walk.array("memory")).max())  # so that colours fade with the weights
    look = {"reach": reach, "thumb": True, "row_labels": ()}
    items: list[Grid | Op] = [
        row.column("masked", _("score")),
        Op("softmax"),
        row.column("weights", _("weight"), row_labels=()),
        Op("×"),
        grid(row.walk, "memory", (None, None), _("annotations h"), role="input", **look),
        Op("="),
        row.part("weighted", (row.query, None, None), _("weight × v"), **look),
        Op(_("Σ of the rows =")),
        row.part("context", (row.query, None), row.title("z"), reach=reach, fold=WIDE),
    ]
    arrays(row.walk, items, key="align-4")


def state_text(row: Alignment) -> str:
    """Say what the next state is made of, and which token it chooses."""
    steps, last = row.walk.translation.steps, row.walk.capture.tgt[row.query]
    p = steps[row.query].taken.probability if row.query < len(steps) else float("nan")
    return _(texts.STATE).format(last=token_markdown(last), word=row.word, p=probability(p))


def draw_state(row: Alignment) -> None:
    """Draw the old state, the token, the context, and the new state."""
    walk, at = row.walk, row.query
    last = walk.capture.tgt[at].text
    items: list[Grid | Op] = [
        state_grid(walk, "decoder.0.before", at, f"s_{at}", "query"),
        Op("+"),
        grid(walk, "tgt.embed", (at, None), f"y · {quoted(last)}", fold=STATE_FOLD),
        Op("+"),
        row.part("context", (at, None), row.title("z"), reach=1.0, fold=STATE_FOLD),
        Op("→"),
        state_grid(walk, "decoder.0.state", at, f"s_{at + 1}", "output"),
    ]
    arrays(walk, items, key="align-5")
