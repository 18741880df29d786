"""Self-attention step by step, as matrices, and what the division by √d_k is for."""

from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.data import attention
from app.format import number, share, short
from app.i18n import N_, _
from app.inspector.arrays import BLOCK, LOW, Grid, Op, arrays, equation, grid, weights_grid
from app.inspector.head import MADE, MADE_NAMES, Head, parts_text, read_from, softmax_text
from app.page.kit import Code, QuizTask, Screens, guess, pick, say

SCALE_WITH: Final = N_("with ÷ √d_k: the model")
SCALE_WITHOUT: Final = N_("without")
SINGLE: Final = N_("With a single token to look at, its weight is 1, divided or not.")
MATRIX: Final = state.Param[str]("matrix", "q", state.one_of("q", "k", "v"))
MATRIX_NAMES: Final = {"q": N_("queries Q"), "k": N_("keys K"), "v": N_("values V")}
screens = Screens[Head]()


@screens("qkv", N_("1 · Make a query, a key and a value"))
def draw_make(head: Head) -> None:
    """Draw x × W + b for the one of q, k and v that is chosen."""
    walk, vector = head.walk, MADE.get()
    name = f"{head.scope}.{vector}"
    read = walk.inputs(name)[0]
    text = _(
        "Three learned matrices turn the same x into three vectors: a query q (what “{word}” looks "
        "for), a key k (what it can be found by) and a value v (what it passes on). Each has d_k = "
        "{d_k} numbers; x has {d_model}."
    ).format(word=head.word, d_k=head.d_k, d_model=walk.config.d_model)
    say(f"{text} {read_from(walk, read)}")
    pick(MADE, _("Make"), MADE_NAMES, label_visibility="collapsed")
    x = grid(walk, read, (head.query, None), head.title("x"), fold=BLOCK)
    product = equation(walk, name, (head.head, head.query, None), x, vector)
    arrays(walk, product, key="encoder-attention-1")


@screens("score", N_("2 · Score every token, divide by √d_k"), was=("divide",))
def draw_score(head: Head) -> None:
    """Draw the query, the keys and their dot products, then divided."""
    highest, scaled = head.row("scores")[head.most], head.row("scaled")[head.most]
    text = _(
        "The query of “{word}” is compared with the key of every token: multiply number by number "
        "and add up. This dot product is the score: the better the two match, the higher it is. "
        "“{high}” matches best: {before}. A sum of {d_k} products is spread √{d_k} = {root} times "
        "as widely as a single one; the division makes up for that: {after}."
    )
    sizes = {"d_k": head.d_k, "root": short(np.sqrt(head.d_k), 3)}
    values = {"before": number(highest), "after": number(scaled)}
    say(text, word=head.word, high=head.words[head.most], **sizes, **values)
    items: list[Grid | Op] = [
        head.part("q", (head.query, None), head.title("q")),
        Op("·"),
        head.part("k", (None, None), _("k of every token")),
        Op("="),
        head.column("scores", "q · k"),
        Op(f"÷ √{head.d_k} ="),
        head.column("scaled", "q · k ÷ √d_k", row_labels=()),
    ]
    arrays(head.walk, items, key="encoder-attention-2")


@screens("softmax", N_("3 · Softmax: scores become weights"))
def draw_softmax(head: Head) -> None:
    """Draw the scores, e to their power, and the weights."""
    say(softmax_text(head))
    items: list[Grid | Op] = [
        head.column("masked", "q · k ÷ √d_k"),
        Op("→"),
        head.column("powers", _("e to that power")),
        Op(f"÷ {number(head.row('powers').sum())} ="),
        head.column("weights", _("weight")),
    ]
    arrays(head.walk, items, key="encoder-attention-3")


@screens("sum", N_("4 · The weighted sum: z"), was=("weigh",))
def draw_sum(head: Head) -> None:
    """Draw each value, the same times its weight, and the sum of the rows."""
    text = N_(
        "Multiply each token's value by its weight: a large weight keeps it, a small one fades it "
        "out. Add up the rows, and you have z, what this head found for “{word}”: {parts}."
    )
    say(parts_text(head, text))
    # The largest number of V, so that colours fade with what is taken of it.
    reach = float(np.abs(head.walk.array(f"{head.scope}.v")[head.head]).max())
    look = {"reach": reach, "thumb": True, "row_labels": ()}
    items: list[Grid | Op] = [
        head.column("weights", _("weight")),
        Op("×"),
        head.part("v", (None, None), _("v of every token"), **look),
        Op("="),
        head.part("weighted", (head.query, None, None), _("weight × v"), **look),
        Op(_("Σ of the rows =")),
        head.part("context", (head.query, None), head.title("z"), reach=reach),
    ]
    arrays(head.walk, items, key="encoder-attention-4")


@screens(
    "matrix",
    N_("All tokens at once: Q, K and V"),
    Code(
        N_("Step 1: queries, keys and values"),
        r"Q = X W_Q + b_Q \qquad K = X W_K + b_K \qquad V = X W_V + b_V",
        "model.nn.attention:MultiHeadAttention.self_qkv",
    ),
)
def draw_matrices(head: Head) -> None:
    """Draw X × W + b for the one of Q, K and V that is chosen."""
    walk, vector = head.walk, MATRIX.get()
    name, every = f"{head.scope}.{vector}", (head.head, None, None)
    read = walk.inputs(name)[0]
    text = _(
        "The model handles all {n} tokens in one go. One row per token: X has {n} × {d_model} "
        "numbers, W has {d_model} × {d_k}, so Q, K and V have {n} × {d_k}."
    )
    sizes = {"n": len(head.words), "d_k": head.d_k, "d_model": walk.config.d_model}
    say(f"{text} {read_from(walk, read)}", **sizes)
    pick(MATRIX, _("Make all"), MATRIX_NAMES, label_visibility="collapsed")
    x = grid(walk, read, (None, None), "X", thumb=True, height=LOW)
    arrays(walk, equation(walk, name, every, x, vector.upper()), key="encoder-attention-matrix-1")


@screens(
    "z",
    N_("All tokens at once: Z"),
    Code(
        N_("Steps 2 to 6"),
        r"Z = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "model.nn.attention:MultiHeadAttention.attend",
    ),
    was=("product", "rows"),
)
def draw_z(head: Head) -> None:
    """Draw every query with every key, then the softmax of their scores, V and Z."""
    text = _(
        "One product compares every query with every key: Q Kᵀ has {n} × {n} scores; a row looks, "
        "a column is looked at. Divide by √d_k and take the softmax of each row: a row adds up to "
        "1, a column need not. One more product, with V, gives Z. In one formula: softmax(Q Kᵀ ÷ "
        "√d_k) V = Z. Row {row} of each is what you saw for “{word}”."
    )
    say(text, n=len(head.words), row=head.query + 1, word=head.word)
    reach = float(np.abs(head.walk.array(f"{head.scope}.v")[head.head]).max())
    look = {"reach": reach, "row_labels": (), "thumb": True}
    items: list[Grid | Op] = [
        head.part("q", (None, None), "Q", thumb=True),
        Op("×"),
        head.part("k", (None, None), "Kᵀ", transposed=True, thumb=True, col_labels=()),
        Op("÷ √d_k ="),
        head.part("scaled", (None, None), "Q Kᵀ ÷ √d_k", row_labels=()),
        Op("softmax →"),
        head.part("weights", (None, None), _("weights"), row_labels=()),
        Op("×"),
        head.part("v", (None, None), "V", **look),
        Op("="),
        head.part("context", (None, None), "Z", **look),
    ]
    arrays(head.walk, items, key="encoder-attention-matrix-2")


@screens("scale", N_("What if we did not divide by √d_k?"), was=("why",))
def draw_scaling(head: Head) -> None:
    """Draw the weights with the division and without it, and how spread they are."""
    layer, root = _weights(head), short(np.sqrt(head.d_k), 3)
    scaled, unscaled = (one[head.head, head.query] for one in layer)  # (S,) each
    compared = _("The same scores through the same softmax, with ÷ √{d_k} = {root} and without.")
    why = _(
        "A score adds up d_k products, so its spread grows with √d_k: in this layer ± {before} "
        "(standard deviation), after the division ± {after}. Weights near 0 or 1 hardly react "
        "when a score moves, so the gradient fades: that reaction, Σ w (1 − w), would be "
        "{without_answer}, not {with_answer}."
    )
    say(
        f"{compared} {why}",
        d_k=head.d_k,
        root=root,
        before=number(head.walk.array(f"{head.scope}.scores").std()),
        after=number(head.walk.array(f"{head.scope}.scaled").std()),
        with_answer=number(attention.sensitivity(scaled)),
        without_answer=number(attention.sensitivity(unscaled)),
    )
    largest, without = scaled.max(), unscaled.max()
    options = [_("It grows"), _("It stays the same"), _("It shrinks")]
    alone = head.mask.sum() == 1
    says = N_("Without the division it is {without}: larger gaps make a sharper softmax.")
    if alone:
        says = SINGLE
    token = head.walk.capture.queries(head.kind)[head.query].text
    question = N_(
        "The largest weight of “{word}” is {weight}. What becomes of it without the division by "
        "{root}?"
    )
    right = 1 if alone or without == largest else 0 if without > largest else 2
    values = {"weight": share(largest, 3), "without": share(without, 3), "root": root}
    guess(QuizTask.of(question, options, [right], says, word=token, **values))
    undivided = weights_grid(unscaled[:, None], _(SCALE_WITHOUT))
    picture, measures = st.columns([0.45, 0.55], gap="medium")
    with picture:
        arrays(head.walk, [head.column("weights", _(SCALE_WITH)), undivided], key="scaling")
    measures.markdown(_measured(head, layer))


def _measured(head: Head, layer: tuple[np.ndarray, np.ndarray]) -> str:
    """Say how spread the weights are, with the division and without."""
    rows = [one[head.head, head.query] for one in layer]
    measured = {
        _("largest weight"): [row.max() for row in rows],
        _("entropy, bits"): map(attention.entropy, rows),
        _("as many tokens as 2^entropy"): map(attention.tokens_seen, rows),
        _("reaction Σ w (1 − w)"): map(attention.sensitivity, rows),
        _("largest weight, mean of the layer"): [one.max(-1).mean() for one in layer],
    }
    lines = [[_("measure"), _(SCALE_WITH), _(SCALE_WITHOUT)], ["---", "--:", "--:"]]
    lines += [[name, *map(number, values)] for name, values in measured.items()]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    if head.mask.sum() == 1:
        return f"{table}\n\n{_(SINGLE)}"
    verdict = _(
        "With the division, “{word}” spreads its attention as if evenly over {with_words} "
        "tokens; without it, over {without_words}."
    )
    seen, unscaled = (number(attention.tokens_seen(row), 1) for row in rows)
    return f"{table}\n\n{verdict.format(word=head.word, with_words=seen, without_words=unscaled)}"


def _weights(head: Head) -> tuple[np.ndarray, np.ndarray]:
    """Return all heads' weights with the division and without, (H, T, S) each."""
    scaled = np.asarray(head.walk.array(f"{head.scope}.weights"), dtype=np.float64)
    return scaled, attention.unscaled_weights(head.walk, head.kind, head.layer)
