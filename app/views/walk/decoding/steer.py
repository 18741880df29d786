"""Steering the beam: branches from words not taken, and a beginning that the visitor types."""

from typing import Final

import streamlit as st

from app.components.beam_tree import beam_tree
from app.components.chips import Chip, chips
from app.data.decoding import Hypothesis, TreeNode
from app.data.steering import Beginning, begun, branch, tree
from app.data.translation import Translation
from app.format import escape, number, visible
from app.i18n import _
from app.inspector import steering
from app.inspector.steering import own_beam
from app.page.quiz import Task
from app.state import LONGEST_SENTENCE, Param, up_to
from app.ui.pickers import live_text
from app.views.walk.decoding import texts
from app.views.walk.decoding.moment import Moment

BEGIN: Final = Param[str | None]("begin", None, up_to(LONGEST_SENTENCE))
# Of a tree that has its branches below it, in pixels: each takes the height of a row.
HEIGHT, ROW, LEAST_HEIGHT = 300, 42, 174


def branch_text(moment: Moment) -> str:
    """Say what a branch is."""
    return _(texts.BRANCH).format(width=own_beam(moment.walk.translation).decoding.beam)


def guess_branch(moment: Moment) -> Task:
    """Ask whether the best beginning that the beam gave up leads to something better."""
    way = own_beam(moment.walk.translation)
    start = given_up(way)
    own, found = way.hypotheses[0], branch(way, start.tokens).hypotheses[0]
    options = [_(texts.BRANCH_YES), _(texts.BRANCH_NO)]
    values = {
        "n": len(start.tokens),
        "word": visible(start.token),
        "best": own.text,
        "text": found.text,
        "score": number(found.score, 3),
        "own": number(own.score, 3),
    }
    says, right = texts.BRANCH_SAYS, int(found.score <= own.score)
    return Task.of(texts.BRANCH_ASK, options, [right], says, says, **values)


def given_up(way: Translation) -> TreeNode:
    """Return the best beginning that the beam pruned, or a word that it never kept."""
    pruned = [node for node in way.tree if node.status == "pruned"]
    if pruned:
        return max(pruned, key=lambda node: node.score)
    return next(node for node in tree(way, {}, ()) if node.status == "candidate")


def draw_branch(moment: Moment) -> None:
    """Draw the tree that can be steered."""
    way = own_beam(moment.walk.translation)
    height = HEIGHT - ROW * len(steering.branches_of(way))
    steering.draw_steered(way, max(height, LEAST_HEIGHT))


def draw_begin(moment: Moment) -> None:
    """Draw the field, what it forces, and what the search makes of it."""
    way = own_beam(moment.walk.translation)
    text = BEGIN.get()
    shown = example(way) if text is None else text
    field, forced = st.columns([0.6, 0.4], gap="medium")
    with field:
        live_text(_(texts.BEGIN_FIELD), BEGIN.widget(shown), max_chars=LONGEST_SENTENCE)
    beginning = begun(way, shown)
    if beginning is None:
        st.info(_(texts.BEGIN_NOTHING))
        return
    with forced:
        _draw_forced(beginning)
    _draw_beside(beginning.decoded.hypotheses[0], way.hypotheses[0])
    hint = _(texts.BEGIN_TREE)
    beam_tree(beginning.decoded.tree, key="begun", hint=hint, height=170)
    steering.nodes_menu(beginning.decoded.tree, "begun")


def example(way: Translation) -> str:
    """Return the likeliest first word that the beam's winner does not begin with."""
    return next(
        (
            one.token.text
            for i, one in enumerate(way.steps[0].candidates)
            if i != way.steps[0].chosen and one.token.text.isalpha()
        ),
        way.output[:1],
    )


def _draw_forced(beginning: Beginning) -> None:
    forced = [Chip(token.text, token.starts_word) for token in beginning.tokens]
    letters = Chip(f"{beginning.letters}…")
    chips([*forced, letters], key="forced", label=_(texts.BEGIN_FORCED), role="output")


def _draw_beside(yours: Hypothesis, own: Hypothesis) -> None:
    """Draw both translations with what they come to."""
    for column, (name, one) in zip(
        st.columns(2, gap="medium"),
        ((texts.BEGIN_BY_YOU, yours), (texts.BEGIN_OWN, own)),
        strict=True,
    ):
        scores = _(texts.BEGIN_SCORE).format(
            total=number(one.log_prob, 3), score=number(one.score, 3)
        )
        with column, st.container(border=True):
            st.markdown(f"**{_(name)}**  \n{escape(one.text)}  \n:small[{scores}]")
