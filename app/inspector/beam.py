"""The beam: the tree of what was weighed, its hypotheses, and where one of them looks."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from app import state
from app.components.beam_tree import beam_tree
from app.components.board import Grid
from app.data.atlas import first_head
from app.data.decoding import Hypothesis
from app.data.steering import Ids, branch, hypothesis_capture
from app.data.translation import Kind, Translation
from app.format import number
from app.i18n import _
from app.inspector.arrays import draw_board, weights_grid
from app.inspector.attention import KIND_NAMES, kinds
from app.inspector.naming import row_names
from app.inspector.picks import head_of, layer_of, pick_head, pick_layer
from app.inspector.steering import branches_of, chosen_tokens, draw_steered
from app.state import Trail
from app.texts import steering as texts
from app.texts.steering import LOOKS
from app.ui.pickers import pick, pick_from_list
from app.ui.table import Columns, fold, table

FINISHED: Final = 4  # of those that the beam finished, offered to look at


def draw_beam(translation: Translation) -> None:
    """Draw the tree of hypotheses, which can be steered, and the list of those that were kept."""
    if translation.decoding.method != "beam":
        st.info(_("Only beam search has hypotheses to compare: choose “Beam” in the sidebar."))
        return
    draw_steered(translation)
    st.caption(
        _("A score is the sum of the log-probabilities, divided by the length of the hypothesis.")
    )
    if kinds(translation):
        fold(_(LOOKS), "hypothesis", ":material/visibility:", lambda: draw_looks(translation))
    table(hypotheses_columns(translation), "hypotheses")


def draw_tree(translation: Translation) -> None:
    """Draw the tree of hypotheses."""

    def select(node: int) -> None:
        st.session_state["tree-node"] = node

    selected = st.session_state.get("tree-node")
    beam_tree(translation.tree, key="plain-tree", selected=selected, on_select=select)


def hypotheses_columns(translation: Translation) -> Columns:
    """Return the hypotheses that were kept to the end, with their scores, as a table."""
    hypotheses = translation.hypotheses
    return {
        _("score"): [hypothesis.score for hypothesis in hypotheses],
        _("log-probability"): [hypothesis.log_prob for hypothesis in hypotheses],
        _("finished"): ["✓" if hypothesis.finished else "" for hypothesis in hypotheses],
        _("hypothesis"): [hypothesis.text for hypothesis in hypotheses],
    }


def looked_at(way: Translation) -> Ids:
    """Return the hypothesis that is chosen; the beam's winner at first."""
    return chosen_tokens(way) or way.hypotheses[0].tokens


def look_kind(way: Translation) -> Kind:
    """Return which of the decoder's attentions is chosen; over at the source at first."""
    return kind if (kind := state.KIND.get()) in _kinds(way) else "cross"


def pick_hypothesis(way: Translation) -> None:
    """Draw the hypotheses to choose from, the kinds of attention, their layers and heads."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        titles, value = _titles(way), _trail(looked_at(way))
        pick_from_list(state.HYPOTHESIS, _(texts.HYPOTHESIS), titles, value=value)
        names = {kind: KIND_NAMES[kind] for kind in _kinds(way)}
        pick(state.KIND, _("Attention"), names, value=look_kind(way))
        first = first_head(way.model, "cross")
        pick_layer(way.capture.n_layers("cross"), first.layer)
        pick_head(way.capture.n_heads, first.head)


def draw_looks(way: Translation) -> None:
    """Draw the choices, and where the chosen hypothesis looks in one head."""
    pick_hypothesis(way)
    draw_board([plain_map(way)], "hypothesis-looks")


def plain_map(way: Translation) -> Grid:
    """Return where the chosen hypothesis looks; no cell opens: the page is of another run."""
    capture, kind = hypothesis_capture(way, looked_at(way)), look_kind(way)
    first = first_head(way.model, "cross")
    layer = layer_of(capture.n_layers("cross"), first.layer)
    head = head_of(capture.n_heads, first.head)
    return weights_grid(
        capture.weights(kind, layer, head),
        _(KIND_NAMES[kind]),
        row_names([token.text for token in capture.queries(kind)], "…"),
        [token.text for token in capture.keys(kind)],
    )


def _kinds(way: Translation) -> list[Kind]:
    decoder: tuple[Kind, ...] = ("cross", "decoder")
    return [kind for kind in decoder if way.capture.n_layers(kind)]


def _titles(way: Translation) -> Mapping[Trail, str]:
    """Return what can be looked at, by how the address names it."""
    titles = {
        _trail(one.tokens): _title(_(texts.NUMBER).format(n=i), one)
        for i, one in enumerate(way.hypotheses[:FINISHED], start=1)
    }
    for name, tokens in branches_of(way).items():
        winner = branch(way, tokens).hypotheses[0]
        titles[_trail(winner.tokens)] = _title(_(texts.OF_BRANCH).format(name=name), winner)
    at = looked_at(way)
    if _trail(at) not in titles:
        text = " ".join(token.text for token in hypothesis_capture(way, at).tgt[1:])
        titles[_trail(at)] = f"{_(texts.IN_TREE)} · {text}"
    return titles


def _trail(tokens: Ids) -> Trail:
    return (("", tokens),)


def _title(name: str, one: Hypothesis) -> str:
    return f"{name} · {number(one.score, 3)} · {one.text}"
