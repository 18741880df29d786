"""The beam's tree that can be steered: a word that was not taken becomes one more branch."""

import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import streamlit as st

from app import state
from app.components.beam_tree import beam_tree, payload
from app.components.shared.kept import Figure
from app.data.changed import translation_of
from app.data.decoding import Decoding, Hypothesis, TreeNode
from app.data.steering import Ids, branch, is_open, tree
from app.data.translation import Run, Translation, translate
from app.format import escape, number, visible
from app.i18n import _
from app.texts import steering as texts
from app.ui.kept import table_menu
from app.ui.table import Columns

NAMES: Final = "ABCD"


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
    state.HYPOTHESIS.set((("", tokens),) if tokens else ())


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
        hint=_(texts.HINT),
        height=height,
    )
    with st.container(gap=None):
        _draw_branches(way, branches)
    nodes_menu(nodes, "tree")


def nodes_menu(nodes: Sequence[TreeNode], name: str) -> None:
    """Draw the menu with all hypotheses of a tree as a table, and with the tree as a web page."""
    drawn = payload(nodes)
    figure, alt = Figure("beam_tree", drawn), drawn["text"]["name"]
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
    st.markdown(f"{_filled(texts.OWN, own)} {_comparison(own, winners)}")
    for name, winner in winners.items():
        n = len(branches[name])
        word = visible(branch(way, branches[name]).tree[n].token)
        with st.container(horizontal=True, gap="small", vertical_alignment="center", wrap=False):
            st.button(
                _(texts.REMOVE).format(name=name),
                icon=":material/close:",
                key=f"remove-{name}",
                type="tertiary",
                on_click=partial(_remove, way.run, name),
            )
            st.markdown(_filled(texts.BRANCH, winner, n=n, word=escape(word)))
    if len(branches) == len(NAMES):
        st.caption(_(texts.MOST).format(n=len(NAMES)))


def _comparison(own: Hypothesis, winners: Mapping[str, Hypothesis]) -> str:
    if not winners:
        return ""
    name = max(winners, key=lambda name: winners[name].score)
    return _(texts.BETTER if winners[name].score > own.score else texts.WORSE).format(name=name)


def _filled(text: str, one: Hypothesis, **values: object) -> str:
    total, score = number(one.log_prob, 3), number(one.score, 3)
    return _(text).format(text=escape(one.text), total=total, score=score, **values)


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
