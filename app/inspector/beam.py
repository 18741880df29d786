"""The beam: its tree that can be steered, its hypotheses, and where one of them looks."""

import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import streamlit as st

from app import state
from app.components.beam_tree import beam_tree, payload
from app.components.board import Grid
from app.components.shared.kept import KeptFigure
from app.data.atlas import first_head
from app.data.changed import translation_of
from app.data.decoding import Decoding, TreeNode, WeighedTranslation
from app.data.steering import Ids, branch, hypothesis_capture, is_open, tree
from app.data.translation import Kind, Run, Translation, translate
from app.data.walk import ATTENTIONS
from app.format import escape, number, row_names, visible
from app.i18n import _
from app.inspector.arrays import draw_board, weights_grid
from app.inspector.attention import KIND_NAMES, kinds
from app.inspector.picks import head_of, layer_of, pick_head, pick_layer
from app.state import Trail
from app.ui.buttons import quiet_button
from app.ui.kept import table_menu
from app.ui.pickers import pick, pick_from_list
from app.ui.table import Columns, fold, table

NAMES: Final = "ABCD"  # of branches
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
        label = _("The chosen hypothesis and where it looked")
        fold(label, "hypothesis", "visibility", lambda: draw_looks(translation))
    table(hypotheses_columns(translation), "hypotheses")


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
        pick_from_list(state.HYPOTHESIS, _("Hypothesis"), titles, value=value)
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
    return [kind for kind in kinds(way) if ATTENTIONS[kind].queries == "tgt"]


def _titles(way: Translation) -> Mapping[Trail, str]:
    """Return what can be looked at, by how the address names it."""
    titles = {
        _trail(one.tokens): _title(_("number {n}").format(n=i), one)
        for i, one in enumerate(way.hypotheses[:FINISHED], start=1)
    }
    for name, tokens in branches_of(way).items():
        winner = branch(way, tokens).hypotheses[0]
        titles[_trail(winner.tokens)] = _title(_("branch {name}").format(name=name), winner)
    at = looked_at(way)
    if _trail(at) not in titles:
        text = " ".join(token.text for token in hypothesis_capture(way, at).tgt[1:])
        titles[_trail(at)] = " · ".join([_("chosen in the tree"), text])
    return titles


def _trail(tokens: Ids) -> Trail:
    return (("", tokens),)


def _title(name: str, one: WeighedTranslation) -> str:
    return f"{name} · {number(one.score, 3)} · {one.text}"


def own_beam(translation: Translation) -> Translation:
    """Return what a beam of the chosen width writes, whichever way the page decodes."""
    return translate(translation.model, translation.text, Decoding("beam", state.BEAM.get()))


def branches_of(way: Translation) -> dict[str, Ids]:
    """Return where the branches of this sentence begin, by name; those of others wait for it."""
    mark = _mark(way)
    return {
        name[:1]: tokens
        for name, tokens in state.BRANCHES.get()[: len(NAMES)]
        if name[1:] == mark and name[:1] in NAMES and is_open(way, tokens)
    }


def chosen_tokens(way: Translation) -> Ids:
    """Return the hypothesis that one looks at; none of its words at first."""
    for _name, tokens in state.HYPOTHESIS.get():
        if is_open(way, tokens):
            return tokens
    return ()


def choose(tokens: Ids) -> None:
    """Look at a hypothesis."""
    state.HYPOTHESIS.set(_trail(tokens) if tokens else ())


def draw_steered(way: Translation, height: int = 620) -> None:
    """Draw the tree with its branches, and what each branch came to."""
    branches, at = branches_of(way), chosen_tokens(way)
    nodes = tree(way, branches, at)
    selected = next((node.id for node in nodes if node.tokens == at != ()), None)
    beam_tree(
        nodes,
        key="tree",
        selected=selected,
        on_select=partial(_select, way.run, nodes),
        hint=_(
            "Dashed or dotted: click it, or press Enter on it, and the search goes on from there."
        ),
        height=height,
    )
    with st.container(gap=None):
        _draw_branches(way, branches)
    nodes_menu(nodes, "tree")


def nodes_menu(nodes: Sequence[TreeNode], name: str) -> None:
    """Draw the menu with all hypotheses of a tree as a table, and with the tree as a web page."""
    drawn = payload(nodes)
    figure, alt = KeptFigure("beam_tree", drawn), drawn["text"]["name"]
    table_menu(name, lambda: _columns(nodes), f"beam-{name}", lambda: [figure], alt=alt)


def _select(run: Run, nodes: Sequence[TreeNode], at: int) -> None:
    """Look at a hypothesis; one that the beam gave up goes on from there."""
    way, node = translation_of(run), nodes[at]
    choose(node.tokens)
    branches = branches_of(way)
    if node.status not in ("pruned", "candidate") or node.tokens in branches.values():
        return
    free = [name for name in NAMES if name not in branches]
    if free:
        _keep(way, branches | {free[0]: node.tokens})


def _remove(run: Run, name: str) -> None:
    way = translation_of(run)
    _keep(way, {other: tokens for other, tokens in branches_of(way).items() if other != name})


def _keep(way: Translation, branches: Mapping[str, Ids]) -> None:
    mark = _mark(way)
    state.BRANCHES.set(tuple((f"{name}{mark}", tokens) for name, tokens in branches.items()))


def _mark(way: Translation) -> str:
    """Tell sentences apart: the ids of a branch mean nothing beside another one."""
    return f"{zlib.crc32(f'{way.model} {way.text}'.encode()):08x}"


def _draw_branches(way: Translation, branches: Mapping[str, Ids]) -> None:
    winners = {name: branch(way, tokens).hypotheses[0] for name, tokens in branches.items()}
    own = way.hypotheses[0]
    said = _filled(_("The beam's own: “{text}”, log p {total}, score {score}."), own)
    st.markdown(f"{said} {_comparison(own, winners)}")
    for name, winner in winners.items():
        n = len(branches[name])
        word = visible(branch(way, branches[name]).tree[n].token)
        with st.container(horizontal=True, gap="small", vertical_alignment="center", wrap=False):
            label = _("Remove {name}").format(name=name)
            quiet_button(label, f"remove-{name}", "close", _remove, way.run, name)
            says = _("From “{word}”, step {n}: “{text}”, log p {total}, score {score}.")
            st.markdown(_filled(says, winner, n=n, word=escape(word)))
    if len(branches) == len(NAMES):
        st.caption(
            _("There is room for {n} branches: remove one to begin another.").format(n=len(NAMES))
        )


def _comparison(own: WeighedTranslation, winners: Mapping[str, WeighedTranslation]) -> str:
    if not winners:
        return ""
    name = max(winners, key=lambda name: winners[name].score)
    if winners[name].score <= own.score:
        return _("None of these branches scores higher.")
    says = _("Branch {name} scores higher: the beam gave up a better translation.")
    return says.format(name=name)


def _filled(text: str, one: WeighedTranslation, **values: object) -> str:
    total, score = number(one.log_prob, 3), number(one.score, 3)
    return text.format(text=escape(one.text), total=total, score=score, **values)


def _columns(nodes: Sequence[TreeNode]) -> Columns:
    names = {"kept": _("kept"), "pruned": _("pruned"), "finished": _("finished")}
    names["candidate"] = _("never kept")
    texts_of: dict[int, str] = {}
    for node in nodes:
        before = texts_of[node.parent] if node.parent is not None else ""
        texts_of[node.id] = f"{before} {visible(node.token)}".strip()
    return {
        _("hypothesis"): list(texts_of.values()),
        _("log-probability"): [node.log_prob for node in nodes],
        _("score"): [node.score for node in nodes],
        _("state"): [names[node.status] for node in nodes],
        _("branch"): [node.branch for node in nodes],
    }
