"""RNNsearch, screen by screen."""

from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.grid import Weights
from app.components.lines import lines
from app.components.matrix import matrix
from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape, number, probability, quoted, visible
from app.i18n import N_, _
from app.inspector.arrays import STATE_FOLD, Grid, Op, arrays, grid, state_grid
from app.inspector.head import Head, parts_text, softmax_text
from app.inspector.naming import follows, labels_of, token_markdown
from app.inspector.picks import pick_word, word_of
from app.page.kit import Code, QuizTask, Screens, guess, say
from app.page.quiz import largest
from app.state import Pin

SCOPE: Final = "decoder.0.cross_attn"
THUMB: Final = 84  # the height of a matrix with one row per token, in pixels
WIDE: Final = 64  # numbers of a context in one line


class AlignmentRow(Head):
    """One row of the alignment: that of the word which it helps to write."""

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


def alignment(walk: Walk) -> AlignmentRow:
    """Return the chosen row; by default, the surest one."""
    return AlignmentRow(walk, "cross", 0, 0, word_of(follows(walk), surest(walk)))


def pick_written(row: AlignmentRow) -> None:
    """Draw the choice of a token that is about to be written."""
    pick_word(follows(row.walk), _("The token that is about to be written"), row.query)


screens = Screens[AlignmentRow]()


@screens(
    "read",
    N_("Two cells read; one annotation for each token"),
    Code(
        N_("Read in both directions"),
        r"h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]",
        "model.nn.rnnsearch:SearchEncoder.forward",
    ),
    pick=False,
    was=("back", "annotation"),
)
def draw_read(row: AlignmentRow) -> None:
    """Draw the states of the forward cell, and of the backward one."""
    walk = row.walk
    both, n = walk.array("memory").shape[1], len(walk.capture.src)
    note = _(
        "Side by side, the two are its *annotation* h: {both} numbers. All {n} annotations of "
        "your sentence are kept, so a longer sentence gets more room: no bottleneck."
    )
    read_text = _(
        "One cell reads forwards, as in the RNN, another one backwards. The state at a token, "
        "{size} numbers, knows all that came before, or all that comes after."
    )
    say(f"{read_text.format(size=walk.config.d_hidden)} {note.format(both=both, n=n)}")
    for way, arrow in (("forward", "→"), ("backward", "←")):
        items: list[Grid | Op] = []
        for i, token in enumerate(row.walk.capture.src):
            hidden = f"encoder.0.{way}.hidden"
            items += [Op(arrow), state_grid(row.walk, hidden, i, quoted(token.text), "input")]
        arrays(row.walk, items[1:], key=way)


@screens("query", N_("Step 1: the decoder asks, each token answers"), was=("keys",))
def draw_query(row: AlignmentRow) -> None:
    """Draw the decoder's state and the query computed from it, the annotations and their keys."""
    walk, at = row.walk, row.query
    sizes = {"size": walk.config.d_hidden, "d_model": walk.config.d_model}
    text = (
        _(
            "Before it writes “{word}”, the decoder asks which source tokens matter now. The "
            "question is its state s, {size} numbers, which knows all that was written before "
            "“{last}”. A learned matrix turns it into {d_model} numbers: the query."
        )
        if at
        else _(
            "Before it writes “{word}”, its first token, the decoder asks which source tokens "
            "matter now. Its first state s, {size} numbers, comes from the backward cell. A "
            "learned matrix turns it into {d_model} numbers: the query."
        )
    )
    asks = text.format(word=row.word, last=token_markdown(walk.capture.tgt[at]), **sizes)
    keys = _(
        "Another matrix makes a key from each annotation: {n} rows of {d_model} numbers. Keys "
        "do not depend on what is written, so they are made once for the whole translation."
    )
    say(f"{asks}\n\n{keys.format(n=len(row.words), d_model=walk.config.d_model)}")
    before = state_grid(row.walk, "decoder.0.before", row.query, f"s_{row.query}", "query")
    query = row.part("q", (row.query, None), "W_a s + b")
    arrays(row.walk, [before, Op("× W_a + b ="), query], key="align-1")
    look = {"thumb": True, "height": THUMB}
    read = grid(row.walk, "memory", (None, None), _("annotations h"), role="input", **look)
    made = row.part("k", (None, None), "U_a h", **look)
    arrays(row.walk, [read, Op("× U_a ="), made], key="align-2")


@screens(
    "score",
    N_("Step 2: one score for each token"),
    Code(
        N_("The alignment network: additive attention"),
        r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j) \qquad"
        r" \alpha_i = \mathrm{softmax}(e_i) \qquad c_i = \sum_j \alpha_{ij} h_j",
        "model.nn.rnnsearch:AdditiveAttention.attend",
    ),
    was=("match",),
)
def draw_score(row: AlignmentRow) -> None:
    """Draw the query and the keys, the tanh of their sums, and the scores computed from it."""
    bound = number(float(np.abs(row.walk.array(f"param:{SCOPE}.v_a")).sum()))
    scores = row.row("scores")
    made = _(
        "A last learned vector, $v_a$, turns these {d_model} numbers into a single score: "
        "multiply and add up. No score can exceed ± {bound} here, the sum of all |$v_a$|; a dot "
        "product has no such limit."
    ).format(d_model=row.walk.config.d_model, bound=bound)
    match = _(
        "The query is added to each key, and the tanh squeezes each sum to between −1 and 1. "
        "Hence the name *additive* attention; the Transformer multiplies instead."
    )
    say(f"{match} {made}")
    tokens = row.walk.capture.src
    shown, answers = largest(scores)
    options = [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown]
    high = {"high": tokens[row.most].text, "high_score": number(scores[row.most])}
    asks = N_("The decoder is about to write “{word}”. Which token scores highest?")
    says, word = N_("“{high}”, with a score of {high_score}."), row.written.text
    guess(QuizTask.of(asks, options, answers, says, word=word, **high))
    st.markdown(escape(_("“{high}” has the highest score, {high_score}.").format(**high)))
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


@screens("sum", N_("Step 3: softmax, and the weighted sum: the context"), was=("softmax", "weigh"))
def draw_sum(row: AlignmentRow) -> None:
    """Draw the scores, their weights, the weighted annotations and their sum."""
    parts = N_(
        "The values v are the annotations themselves. Multiply each by its weight, and add up: "
        "that is the context c for “{word}”: {parts}."
    )
    say(softmax_text(row), parts_text(row, parts))
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


@screens(
    "state",
    N_("Step 4: from the context to the next token"),
    Code(
        N_("The decoder's step: align, then go on"),
        r"s_i = \mathrm{GRU}([y_{i-1}; c_i], s_{i-1})",
        "model.nn.rnnsearch:SearchDecoder.step",
    ),
)
def draw_state(row: AlignmentRow) -> None:
    """Draw the old state, the token, the context, and the new state."""
    walk, at = row.walk, row.query
    steps, last = walk.translation.steps, walk.capture.tgt[at]
    p = steps[at].taken.probability if at < len(steps) else float("nan")
    text = _(
        "The decoder's GRU reads the token just written, “{last}”, and the context c, and "
        "turns the old state into a new one. State, context and token together choose "
        "“{word}”, with a probability of {p}."
    )
    say(text.format(last=token_markdown(last), word=row.word, p=probability(p)))
    items: list[Grid | Op] = [
        state_grid(walk, "decoder.0.before", at, f"s_{at}", "query"),
        Op("+"),
        grid(walk, "tgt.embed", (at, None), f"y · {quoted(last.text)}", fold=STATE_FOLD),
        Op("+"),
        row.part("context", (at, None), row.title("z"), reach=1.0, fold=STATE_FOLD),
        Op("→"),
        state_grid(walk, "decoder.0.state", at, f"s_{at + 1}", "output"),
    ]
    arrays(walk, items, key="align-5")


@screens("map", N_("The whole alignment"), pick=False, was=("lines",))
def draw_alignment(row: AlignmentRow) -> None:
    """Draw the weights of all steps as a heatmap and as lines."""
    walk, name = row.walk, f"{SCOPE}.weights"
    read = [token.text for token in walk.capture.src]
    weights = Weights(np.asarray(walk.array(name)[0]), labels_of(walk, name, 1), read)  # (T, S)
    text = _(
        "One row for each token written, one column for each source token: the picture that "
        "made this paper famous. Nobody told the model which words belong together. It found "
        "out because that helps it translate."
    )
    say(text)
    left, right = st.columns(2, gap="medium")
    with left:
        matrix(weights, key="alignment")
    with right:
        text = _(
            "The same weights as lines. On the left are the source tokens; on the right, the "
            "steps of the decoder: the token it has just read → the one it writes next. The wider "
            "a line, the larger its weight. Choose a token to see only its lines."
        )
        say(text)
        locked = Pin(row.query, None)
        lines(weights, key="alignment-lines", locked=locked, on_lock=_choose)
        st.page_link(
            "views/translate/page.py",
            label=_("Pin a cell, merge tokens into words, hide special tokens"),
            icon=":material/tune:",
            query_params={"model": walk.translation.model},
        )


def _choose(pin: Pin) -> None:
    if pin.query is not None:
        state.WORD.set(pin.query)


def surest(walk: Walk) -> int:
    """Return the row with the surest attention, of a word to a word."""
    weights = np.array(walk.array(f"{SCOPE}.weights")[0])  # (T, S)
    weights[:, [token.special for token in walk.capture.src]] = 0
    weights[[token.special for token in follows(walk)]] = 0
    return int(weights.max(-1).argmax())
