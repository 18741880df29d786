"""Encoder-decoder attention, screen by screen."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import Series, distribution_bars, pair_bars
from app.data.attention import of_next, without_bridge
from app.format import number, percent
from app.i18n import N_, _
from app.inspector.arrays import LOW, Grid, Op, arrays, equation, grid
from app.inspector.head import MADE, MADE_NAMES, Head, parts_text, read_from
from app.inspector.naming import follows, token_markdown
from app.page.kit import Code, QuizTask, Screens, guess, pick, say, show_chart
from app.page.moves import go
from app.registry import Address
from app.ui.table import numbered

MOST_HIGH: Final = 370  # pixels of the chart, so that its step fits a laptop's screen
screens = Screens[Head]()


@screens(
    "made",
    N_("Queries from the translation, keys and values from the source"),
    Code(
        N_("Queries, from the decoder"), r"Q = X W_Q", "model.nn.attention:MultiHeadAttention.query"
    ),
    Code(
        N_("Keys and values, from the memory"),
        r"K_\text{encdec} = M W_K,\quad V_\text{encdec} = M W_V",
        "model.nn.attention:MultiHeadAttention.key_value",
    ),
    Code(
        N_("Once for the whole translation"),
        r"M \to (K_\text{encdec}, V_\text{encdec})",
        "model.nn.transformer:Transformer.start_cache",
    ),
    was=("keys", "values", "qkv"),
)
def draw_made(head: Head) -> None:
    """Draw X × W_Q + b_Q = Q, or the memory that becomes K or V."""
    made = _(
        "Each of the {targets} tokens that the decoder has read asks a question: its vector times "
        "$W_Q$ is its query. The memory, one row for each of the {sources} source tokens, "
        "answers: times $W_K$ it gives the keys, times $W_V$ the values. Neither depends on the "
        "translation, so each layer makes its pair once and keeps it for all time steps; only the "
        "query is new each time."
    )
    walk, vector = head.walk, MADE.get()
    say(f"{made} {read_from(walk, walk.inputs(f'{head.scope}.q')[0])}", **_sizes(head))
    pick(MADE, _("Make"), MADE_NAMES, label_visibility="collapsed")
    name, x, title = f"{head.scope}.{vector}", _("memory"), f"{vector.upper()}_encdec"
    if vector == "q":
        x, title = "X", "Q"
    rows = grid(walk, walk.inputs(name)[0], (None, None), x, thumb=True, height=LOW)
    arrays(walk, equation(walk, name, (head.head, None, None), rows, title), f"cross-{vector}")


def _sizes(head: Head) -> dict[str, int]:
    capture = head.walk.capture
    return {"targets": len(capture.tgt), "sources": len(capture.src)}


@screens(
    "score", N_("The same steps as in self-attention"), was=("divide", "softmax", "weigh", "sum")
)
def draw_steps(head: Head) -> None:
    """Draw one query against all keys, the weights, and the values that they mix."""
    text = N_(
        "The query of “{word}” meets the key of every source token, ÷ √d_k, softmax; the "
        "weights then mix the values of the source. What comes over, z, is {parts}."
    )
    say(parts_text(head, text))
    walk, at = head.walk, (head.query, None)
    reach = float(np.abs(walk.array(f"{head.scope}.v")[head.head]).max())
    look = {"reach": reach, "thumb": True}
    items: list[Grid | Op] = [
        head.part("q", at, head.title("q")),
        Op("·"),
        head.part("k", (None, None), _("k of every token"), thumb=True),
        Op(f"÷ √{head.d_k} ="),
        head.column("scaled", "q · k ÷ √d_k", row_labels=()),
        Op("softmax"),
        head.column("weights", _("weight")),
        Op("×"),
        head.part("v", (None, None), _("v of every token"), row_labels=(), **look),
        Op("="),
        head.part("context", at, head.title("z"), **look),
    ]
    arrays(walk, items, "cross-steps")
    label, icon = _("These steps one by one, in self-attention"), ":material/hub:"
    there = (Address("self_attention", "score"),)
    st.button(label, "cross-to-self", type="tertiary", icon=icon, on_click=go, args=there)


@screens(
    "map",
    N_("Who looked at what"),
    Code(
        N_("Attention"),
        r"Z = \text{softmax}\!\left(\frac{Q K_\text{encdec}^\top}{\sqrt{d_k}}\right)"
        r" V_\text{encdec}",
        "model.nn.attention:MultiHeadAttention.attend",
    ),
    was=("most",),
)
def draw_map(head: Head) -> None:
    """Draw all tokens' weights."""
    text = _(
        "{targets} queries look at {sources} keys. No mask: the whole source is there from the "
        "start. A row is named “after … → …”: the decoder has just read the first token and "
        "writes the second next."
    )
    say(text, **_sizes(head))
    walk, following = head.walk, follows(head.walk)
    left, right = st.columns(2, gap="medium")
    with left:
        arrays(walk, [head.part("weights", (None, None), _("weights"))], "cross-map")
    with right:
        text = _(
            "Having read “{read}” and about to write “{next}”, the decoder looks most at "
            "“{source}” with this head: {weight}. Each bar shows a token that was written and "
            "where this head looked for it. Other heads and layers look elsewhere."
        )
        say(
            text,
            read=head.word,
            next=token_markdown(following[head.query]),
            source=head.words[head.most],
            weight=percent(float(head.weights[head.most])),
        )
        weights = walk.array(f"{head.scope}.weights")[head.head]  # (T, S)
        best, largest = weights.argmax(-1).tolist(), weights.max(-1)
        words, sources = ([token.text for token in one] for one in (following, walk.capture.src))
        title = _("The source token that each token looked at the most")
        pairs = [f"{word} ← {sources[i]}" for word, i in zip(words, best, strict=True)]
        figure = distribution_bars(largest, pairs, "key", _("weight"), "", head.query)
        columns = {
            _("read"): numbered([token.text for token in walk.capture.tgt]),
            _("then written"): words,
            _("looked at most"): [f"{i + 1} {sources[i]}" for i in best],
            _("weight"): largest.tolist(),
        }
        show_chart(figure, "most", title, lambda: columns)


@screens("bridge", N_("Cut the bridge"), pick=False)
def draw_bridge(head: Head) -> None:
    """Draw what is left of each token's probability when nothing comes over from the source."""
    say()
    # (T,) each
    before, after = of_next(head.walk, head.walk.capture.logits), without_bridge(head.walk)
    mean, mean_cut = before.mean(), after.mean()
    asks = N_(
        "On average, the model gives its next token a probability of {mean}. What is left if "
        "nothing comes over from the source?"
    )
    says = N_(
        "It falls to {mean_cut}: this attention is the only way from the source to the translation."
    )
    if mean_cut >= mean:
        says = N_(
            "It is {mean_cut}: this attention is the only way from the source to the translation, "
            "but this model hardly uses it."
        )
    options = [_("More than half of it"), _("Less than half of it")]
    means = {"mean": number(mean, 3), "mean_cut": number(mean_cut, 3)}
    guess(QuizTask.of(asks, options, [int(2 * mean_cut < mean)], says, **means))
    most = int((before - after).argmax())
    text = _(
        "Set to 0 all that comes out of this attention behind W_O, in every layer: the decoder can "
        "only guess from its own tokens. The probability of “{most}” goes from {before} to "
        "{after}; the mean over the translation from {mean} to {mean_cut}."
    )
    left, right = st.columns((1, 2), gap="medium")
    with left:
        say(
            text,
            most=token_markdown(follows(head.walk)[most]),
            before=number(before[most]),
            after=number(after[most]),
            mean=number(mean),
            mean_cut=number(mean_cut),
        )
    with right:
        words = [token.text for token in follows(head.walk)]
        pairs: list[Series] = [
            (_("as the model is"), "value", before),
            (_("without encoder-decoder attention"), "key", after),
        ]
        figure = pair_bars(pairs, words, value_title=_("probability"), span=(0, 1.12))
        figure["layout"]["height"] = min(figure["layout"]["height"], MOST_HIGH)
        title = _("Probability of each token of the translation")
        columns = {_("next token"): numbered(words)}
        probabilities = {name: values.tolist() for name, _role, values in pairs}
        show_chart(figure, "bridge", title, lambda: columns | probabilities)
