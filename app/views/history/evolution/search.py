"""2015: RNNsearch keeps every state, and looks at them before each token that it writes."""

from typing import Final

import numpy as np
import streamlit as st

from app.format import escape, number, probability, quoted
from app.i18n import N_, _
from app.inspector.arrays import STATE_FOLD, Grid, Op, arrays, grid, state_grid
from app.inspector.head import parts_text
from app.inspector.naming import follows, token_markdown
from app.inspector.picks import pick_word
from app.page.kit import Code, Screens, say
from app.views.history.evolution.data import SCOPE, Story


def pick_written(story: Story) -> None:
    """Draw the choice of a token that is about to be written."""
    pick_word(follows(story.walk), _("The token that is about to be written"), story.query)


HIGH: Final = 300  # of the alignment, in pixels
screens = Screens[Story]()


@screens(
    "map",
    N_("2015: RNNsearch looks back at every token"),
    Code(
        N_("Read in both directions"),
        r"h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]",
        "model.nn.rnnsearch:SearchEncoder.forward",
    ),
    Code(
        N_("The alignment network: additive attention"),
        r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j) \qquad"
        r" \alpha_i = \mathrm{softmax}(e_i) \qquad c_i = \sum_j \alpha_{ij} h_j",
        "model.nn.rnnsearch:AdditiveAttention.attend",
    ),
    Code(
        N_("The decoder's step: align, then go on"),
        r"s_i = \mathrm{GRU}([y_{i-1}; c_i], s_{i-1})",
        "model.nn.rnnsearch:SearchDecoder.step",
    ),
    pick=pick_written,
    was=("lines", "sum", "softmax", "weigh"),
)
def draw_alignment(story: Story) -> None:
    """Draw the weights of all steps, and those of one step with the context that they make."""
    walk, name = story.walk, f"{SCOPE}.weights"
    say()
    left, right = st.columns([0.66, 0.34], gap="medium")
    with left:
        whole = grid(walk, name, (0, None, None), _("being written ↓, looked at →"), height=HIGH)
        arrays(walk, [whole], key="alignment")
    with right:
        items: list[Grid | Op] = [
            story.column("masked", _("score"), height=HIGH),
            Op("softmax"),
            story.column("weights", _("weight"), row_labels=(), height=HIGH),
        ]
        arrays(walk, items, key="align-sum")
    parts = N_(
        "The context for “{word}”: {parts}. Nobody told it which words belong together: the "
        "alignment helps it translate."
    )
    text = _(
        "**It writes: “{output}”** Bahdanau, Cho and Bengio kept all {n} states h, read in both "
        "directions (annotations, {both} numbers each). Before each token the decoder's state "
        "asks, a small network compares it with each h, and the weights mix them."
    )
    sizes = {"n": len(story.words), "both": walk.array("memory").shape[1]}
    say(text.format(output=escape(walk.translation.output), **sizes), parts_text(story, parts))


@screens.drawer(
    "score",
    N_("One step of it, number by number"),
    was=("match", "query", "keys", "read", "back", "annotation", "state"),
)
def draw_step(story: Story) -> None:
    """Draw the annotations and the state, the comparison of the two, and the new state."""
    walk, at = story.walk, story.query
    bound = number(float(np.abs(walk.array(f"param:{SCOPE}.v_a")).sum()))
    text = _(
        "The state s before “{word}” becomes a query, each annotation a key. They are added, the "
        "tanh squeezes each sum to between −1 and 1, and a learned vector $v_a$ makes one score: "
        "*additive* attention. No score can exceed ± {bound}; the Transformer multiplies instead, "
        "and a dot product has no such limit."
    )
    say(text, word=story.word, bound=bound)
    small, thumb = {"fold": STATE_FOLD}, {"thumb": True}
    asks: list[Grid | Op] = [
        state_grid(walk, "decoder.0.before", at, f"s_{at}", "query"),
        Op("× W_a + b ="),
        story.part("q", (at, None), "W_a s + b", **small),
        Op("+"),
        story.part("k", (None, None), "U_a h", **thumb),
        Op("→ tanh ="),
        story.part("match", (at, None, None), "tanh(…)", reach=1.0, row_labels=(), **thumb),
        Op("·"),
        grid(walk, f"param:{SCOPE}.v_a", (None,), "v_a", **small),
        Op("="),
        story.column("scores", _("score")),
    ]
    arrays(walk, asks, key="align-score")
    last, steps = walk.capture.tgt[at], walk.translation.steps
    p = steps[at].taken.probability if at < len(steps) else float("nan")
    text = _(
        "The decoder's GRU reads the token just written, “{last}”, and the context c, and turns "
        "the old state into a new one, which chooses “{word}” with a probability of {p}."
    )
    say(text, last=token_markdown(last), word=story.word, p=probability(p))
    items: list[Grid | Op] = [
        state_grid(walk, "decoder.0.before", at, f"s_{at}", "query"),
        Op("+"),
        grid(walk, "tgt.embed", (at, None), f"y · {quoted(last.text)}", **small),
        Op("+"),
        story.part("context", (at, None), story.title("z"), reach=1.0, **small),
        Op("→"),
        state_grid(walk, "decoder.0.state", at, f"s_{at + 1}", "output"),
    ]
    arrays(walk, items, key="align-state")
