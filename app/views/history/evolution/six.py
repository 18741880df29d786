"""Six attentions on the same few numbers."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, get_args

import numpy as np
import streamlit as st

from app.format import escape, share
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, array_grid, draw_board
from app.page.kit import Code, Screens, pick, say
from app.state import Param, one_of
from app.ui.kept import table_menu
from app.ui.table import Columns, fold, written_table
from app.views.history.evolution import data
from app.views.history.evolution.beside import pick_sentence
from app.views.history.evolution.data import AttentionOutput, EvolutionChoice, Name, attentions

SIX_NAMES: Final[Mapping[Name, str]] = {
    "additive": N_("Additive (2015)"),
    "dot": N_("Dot product (2015)"),
    "scaled": N_("Scaled dot product (2017)"),
    "self": N_("Self-attention"),
    "cross": N_("Cross-attention"),
    "multi_head": N_("Multi-head, 2 heads"),
}
SIX_TEXTS: Final = {
    "additive": N_(
        "A small network compares: add, tanh, and weigh with v. RNNsearch uses it. The sum of all "
        "|v| bounds its scores."
    ),
    "dot": N_(
        "No network at all: numbers that agree in sign push the score up. Nothing bounds it."
    ),
    "scaled": N_("The same, divided by √{size} before the softmax, so that it stays softer."),
    "self": N_("A sentence looks at itself: queries, keys and values are all made from H."),
    "cross": N_("One sentence looks at the other: queries from S, keys and values from H."),
    "multi_head": N_(
        "Cross-attention twice, each time with half of the numbers; W_O mixes what they found."
    ),
}
NAME: Final = Param[Name]("six", "scaled", one_of(*get_args(Name)))
FIRST_THREE: Final[tuple[Name, ...]] = ("additive", "dot", "scaled")
PROJECTED: Final = "$Q = {q} W_Q$, $K = H W_K$, $V = H W_V$, "
SCALED: Final = r"$\mathrm{softmax}(Q K^\top$ $/ \sqrt{d})\,V$"
# The formulas, in parts; lines may break between these.
FORMULAS: Final[Mapping[Name, str]] = {
    "additive": r"$e_{ij} = v \cdot$ $\tanh(s_i W_a$ $+\ h_j U_a)$, $\mathrm{softmax}(e)\,H$",
    "dot": r"$\mathrm{softmax}(S H^\top)\,H$",
    "scaled": r"$\mathrm{softmax}(S H^\top$ $/ \sqrt{d})\,H$",
    "self": PROJECTED.format(q="H") + SCALED,
    "cross": PROJECTED.format(q="S") + SCALED,
    "multi_head": (
        r"$z_i =$ $\mathrm{softmax}(Q_i K_i^\top$ $/ \sqrt{d/2})\,V_i$, $[z_1; z_2]\,W_O$"
    ),
}
# What follows the weights where something other than H itself is mixed.
MIXED: Final[Mapping[Name, str]] = {
    "self": "× V =",
    "cross": "× V =",
    "multi_head": "[z₁; z₂] × W_O =",
}
screens = Screens[EvolutionChoice]()


@screens(
    "six",
    N_("Six attentions, one idea"),
    Code(
        N_("The same modules on a few vectors"),
        r"S \in \mathbb{R}^{T \times 4} \qquad H \in \mathbb{R}^{S \times 4}",
        "model.history.attentions:attentions",
    ),
    pick=pick_sentence,
    was=("additive", "dot", "scaled", "self", "cross", "multi-head"),
)
def draw_six(choice: EvolutionChoice) -> None:
    """Draw the choice of one attention, its formula, and its numbers for the fields' vectors."""
    six = _(
        "All of them score, take the softmax, and mix. They differ in how they score (the first "
        "three), where queries and keys come from (the next two), and how many heads look (the "
        "last). S are the decoder's vectors, H the encoder's, one a row."
    )
    say(f"{six} {_special(NAME.get(), choice)}")
    pick(NAME, _("Attention"), SIX_NAMES, label_visibility="collapsed")
    name, vectors = NAME.get(), choice.vectors
    st.markdown(FORMULAS[name])
    computed = attentions(vectors.inputs)
    _draw_numbers(vectors, name, computed[name])
    table_menu("six", partial(_columns, vectors, computed), "six-attentions")


@screens.drawer("formulas", N_("The formulas of all six"))
def draw_formulas(_choice: EvolutionChoice) -> None:
    """Draw the table of formulas."""
    columns = {
        _("attention"): [f"**{_(SIX_NAMES[name])}**" for name in FORMULAS],
        _("asks → answers"): ["$H$ → $H$" if name == "self" else "$S$ → $H$" for name in FORMULAS],
        _("formula"): list(FORMULAS.values()),
    }
    written_table(columns)


@screens.drawer("vectors", N_("The vectors that they are computed from: yours, if you like"))
def draw_vectors(choice: EvolutionChoice) -> None:
    """Draw the fields that hold the vectors."""
    text = _(
        "Vectors of {size} are enough to follow the numbers: the first {size} numbers of the "
        "embeddings of some of your tokens, and simple matrices. Change what you like: the six "
        "attentions follow."
    )
    say(text.format(size=data.SIZE))
    first = data.first_texts(choice.translations)
    with st.container(horizontal=True, gap="medium"):
        for name in data.VECTORS:
            _draw_field(name, first[name], height=150, width="stretch")

    def draw_matrices() -> None:
        with st.container(horizontal=True, gap="small"):
            for name in data.FIRST:
                if name not in data.VECTORS:
                    _draw_field(name, first[name], height=130, width=150)

    def reset() -> None:
        for name, param in data.FIELDS.items():
            param.set(data.FIRST[name])

    fold(_("The matrices that would be learned"), "matrices", "grid_on", draw_matrices)
    typed = {name: param.get() for name, param in data.FIELDS.items()}
    st.button(
        _("Back to my sentence"),
        "evolution-back",
        _("Goes back to the vectors of your sentence and the first matrices."),
        reset,
        icon=":material/replay:",
        disabled=all(text in (data.FIRST[name], first[name]) for name, text in typed.items()),
    )
    for error in choice.vectors.errors:
        instead = _("Until then, what was there at first is used.")
        st.error(f"{escape(error)} {instead}")


def _draw_field(name: str, first: str, **look: Any) -> None:
    param = data.FIELDS[name]
    tip = _("{size} numbers per line, with spaces between them, each from −10 to 10.")
    tip, key = tip.format(size=data.SIZE), param.widget(param.get() or first)
    st.text_area(data.title(name), key=key, help=tip, **look)


def _special(name: Name, choice: EvolutionChoice) -> str:
    text = _(SIX_TEXTS[name]).format(size=data.SIZE)
    if name != "scaled":
        return text
    vectors = choice.vectors
    word, most = escape(vectors.queries[-1]), largest(attentions(vectors.inputs), -1)
    sharp = _(
        "For “{word}”, the last query, the largest weight is {additive} with additive attention, "
        "{dot} with the dot product and {scaled} with the scaled one."
    )
    return f"{text} {sharp.format(word=word, **most)}"


def largest(computed: Mapping[Name, AttentionOutput], query: int) -> dict[str, str]:
    """Return a query's largest weight in each of the first three, as text."""
    return {name: share(computed[name].weights[0, query].max(), 3) for name in FIRST_THREE}


def queries_of(vectors: data.Vectors, name: Name) -> tuple[str, ...]:
    """Return what the rows of an attention are called."""
    return vectors.keys if name == "self" else vectors.queries


def _draw_numbers(vectors: data.Vectors, name: Name, attention: AttentionOutput) -> None:
    rows, heads = queries_of(vectors, name), len(attention.weights)
    labels: dict[str, Any] = {"row_labels": rows, "col_labels": vectors.keys}
    items: list[Grid | Op] = []
    for i, weights in enumerate(attention.weights, start=1):
        head = f" {i}" if heads > 1 else ""
        items += [
            array_grid(attention.scores[i - 1], _("scores") + head, **labels),
            Op("softmax"),
            array_grid(weights, _("weights") + head, scale="weights", **labels),
        ]
    out = array_grid(attention.out, _("result"), "output", row_labels=rows)
    items += [Op(MIXED.get(name, "× H =")), out]
    draw_board(items, f"six-{name}")


def _columns(vectors: data.Vectors, computed: Mapping[Name, AttentionOutput]) -> Columns:
    cells = [
        (name, index, float(attention.scores[index]), float(attention.weights[index]))
        for name, attention in computed.items()
        for index in np.ndindex(attention.weights.shape)
    ]
    return {
        _("attention"): [_(SIX_NAMES[name]) for name, *_rest in cells],
        _("head"): [str(head + 1) for _name, (head, _t, _s), *_rest in cells],
        _("query"): [queries_of(vectors, name)[t] for name, (_head, t, _s), *_rest in cells],
        _("key"): [vectors.keys[s] for _name, (_head, _t, s), *_rest in cells],
        _("scores"): [score for *_rest, score, _weight in cells],
        _("weights"): [weight for *_rest, weight in cells],
    }
