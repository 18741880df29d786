"""The beam's hypotheses: steered, looked into, and asked for a translation."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.beam_tree import beam_tree
from app.components.chips import Chip, chips
from app.data import steering
from app.data.attention import allowed, scope_of
from app.data.decoding import TreeNode, longest
from app.data.translation import Decoding, Translation, translate
from app.data.walk import Walk
from app.format import escape, number, visible
from app.i18n import N_, _
from app.inspector import beam
from app.inspector.arrays import arrays, draw_board, grid
from app.inspector.attention import KIND_NAMES
from app.inspector.beam import look_kind, looked_at, own_beam, pick_hypothesis, plain_map
from app.inspector.picks import layer_of
from app.page.kit import Code, QuizTask, Screens, everything, guess, say, show_chart
from app.page.moves import OPEN
from app.state import LONGEST_SENTENCE, Param, up_to
from app.ui.kept import table_menu
from app.ui.pickers import live_text
from app.views.walk.decoding.greedy_and_beam import WIDTH, both
from app.views.walk.decoding.steps import DecoderStep
from app.views.walk.decoding.wanted_chart import fate_lines

SLUG: Final = "looks"
HEIGHT: Final = 245  # pixels
BEGIN: Final = Param[str | None]("begin", None, up_to(LONGEST_SENTENCE))
# Of a tree that has its branches below it, in pixels: each takes the height of a row.
STEER_HEIGHT: Final = 300
ROW: Final = 42
LEAST_HEIGHT: Final = 174
WANTED: Final = Param[str | None]("wanted", None, up_to(LONGEST_SENTENCE))
WIDE: Final = 10  # the widest that can be chosen in the sidebar


def lens(walk: Walk) -> Walk:
    """Return the sentence with the chosen hypothesis, where the screen is about that one."""
    if OPEN.get() != SLUG or everything():
        return walk
    return steering.of_hypothesis(walk, looked_at(own_beam(walk.translation)))


screens = Screens[DecoderStep]()


@screens(
    "branch",
    N_("A word that was not taken"),
    Code(
        N_("Steer: strike out what the beginning does not allow"),
        r"\log p(w) = -\infty \;\text{ for }\; w \notin \mathrm{allowed}(y_{<t})",
        "model.decoding.beam:Prefix.allowed",
    ),
    pick=False,
)
def draw_branch(moment: DecoderStep) -> None:
    """Draw the tree that can be steered."""
    text = _(
        "A beam of {width} forgets all but {width} beginnings at each step. Choose one that it "
        "gave up, and the same search goes on from there. Any other word shows what else could "
        "have followed."
    )
    way = own_beam(moment.walk.translation)
    say(text, width=way.decoding.beam)
    start = given_up(way)
    own, found = way.hypotheses[0], steering.branch(way, start.tokens).hypotheses[0]
    asked = QuizTask.of(
        N_(
            "At step {n} the beam gave up “{word}”. It now goes on from there. Will it find a "
            "translation that scores higher than “{best}”?"
        ),
        [_("Yes, a better one"), _("No, none better")],
        [int(found.score <= own.score)],
        N_("It comes to “{text}”, with a score of {score} against {own}."),
        n=len(start.tokens),
        word=visible(start.token),
        best=own.text,
        text=found.text,
        score=number(found.score, 3),
        own=number(own.score, 3),
    )
    guess(asked)
    height = STEER_HEIGHT - ROW * len(beam.branches_of(way))
    beam.draw_steered(way, max(height, LEAST_HEIGHT))


@screens.drawer("tree", N_("The beam's tree of hypotheses"))
def draw_tree(moment: DecoderStep) -> None:
    """Draw all that the beam weighed, and offer what it kept to the end as a table."""
    walk = moment.walk
    text = _(
        "Every beginning that the beam keeps is a *hypothesis*. Its score is the sum of its "
        "log p, divided by its length. At each step, those of the {width} best that end with "
        "`<eos>` are set aside as finished, and the {width} best of the others go on. The "
        "search stops when none of these could still overtake, even if all further tokens, up "
        "to {limit} in all, cost nothing; the finished hypothesis with the best score wins. "
        "Greedy decoding follows a single branch."
    )
    say(text, width=WIDTH, limit=longest(walk.config, walk.capture.src_ids))
    _greedy, way = both(moment.walk)

    def select(node: int) -> None:
        st.session_state["tree-node"] = node

    selected = st.session_state.get("tree-node")
    beam_tree(way.tree, key="plain-tree", selected=selected, on_select=select)
    table_menu("hypotheses", partial(beam.hypotheses_columns, way), "hypotheses")


@screens.drawer("begin", N_("Begin the translation yourself"))
def draw_begin(moment: DecoderStep) -> None:
    """Draw the field, what it forces, and what the search makes of it."""
    text = _(
        "Type how it has to begin: until your letters are written, all other tokens are struck "
        "out. The last word may be half a word, which the model completes; after a blank, a "
        "new word begins."
    )
    say(text)
    way = own_beam(moment.walk.translation)
    typed = BEGIN.get()
    shown = example(way) if typed is None else typed
    field, forced = st.columns([0.6, 0.4], gap="medium")
    with field:
        live_text(_("The translation begins with"), BEGIN.widget(shown), max_chars=LONGEST_SENTENCE)
    beginning = steering.begun(way, shown)
    if beginning is None:
        st.info(_("Type at least one letter, and no more than the model can write."))
        return
    with forced:
        tokens = [Chip(token.text, token.starts_word) for token in beginning.tokens]
        letters = Chip(f"{beginning.letters}…")
        chips([*tokens, letters], key="forced", label=_("Forced"), role="output")
    named = {
        _("As you begin it"): beginning.decoded.hypotheses[0],
        _("The beam's own"): way.hypotheses[0],
    }
    for column, (name, one) in zip(st.columns(2, gap="medium"), named.items(), strict=True):
        scores = _("log p {total}, score {score}")
        scores = scores.format(total=number(one.log_prob, 3), score=number(one.score, 3))
        with column, st.container(border=True):
            st.markdown(f"**{name}**  \n{escape(one.text)}  \n:small[{scores}]")
    hint = _("The search from your beginning, as a tree")
    beam_tree(beginning.decoded.tree, key="begun", hint=hint, height=170)
    beam.nodes_menu(beginning.decoded.tree, "begun")


def given_up(way: Translation) -> TreeNode:
    """Return the best beginning that the beam pruned, or a word that it never kept."""
    pruned = [node for node in way.tree if node.status == "pruned"]
    if pruned:
        return max(pruned, key=lambda node: node.score)
    return next(node for node in steering.tree(way, {}, ()) if node.status == "candidate")


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


@screens("wanted", N_("Where did the beam lose it?"), pick=False)
def draw_wanted(moment: DecoderStep) -> None:
    """Draw the field, what became of the translation, and its sums beside those that go on."""
    text = _(
        "Type a translation that you had hoped for. It goes on in the beam as long as its sum of "
        "log p is among the {width} best of the step."
    )
    way = own_beam(moment.walk.translation)
    say(text, width=way.decoding.beam)
    typed = WANTED.get()
    shown = hoped_for(way) if typed is None else typed
    field, button = st.columns([0.64, 0.36], gap="small", vertical_alignment="bottom")
    label, key = _("The translation you had hoped for"), WANTED.widget(shown)
    field.text_input(label, key=key, max_chars=LONGEST_SENTENCE, autocomplete="off")
    found = steering.wanted(way, shown)
    if found is None:
        st.info(_("Type a translation, no longer than the model can write."))
        return
    verdict = f"{what_became(way, found)} {_judgement(way, found)}"
    said = st.empty()
    said.markdown(verdict)
    places = found.fate.places
    own, last = np.array([(place.log_prob, place.last) for place in places]).T
    ranks = [place.rank for place in places]
    words = [visible(token.text) for token in found.tokens[: len(places)]]
    names = _("the wanted one, with its rank"), _("the last that goes on")
    figure = fate_lines(own, last, ranks, words, found.fate.lost, names, _("sum of log p"))
    columns = {_("token"): words, _("rank"): list(map(str, ranks))}
    values = {names[0]: own.tolist(), names[1]: last.tolist()}
    alt = _("The wanted translation, with its ranks, and the last that goes on")
    show_chart(figure, "wanted", alt, lambda: columns | values)
    width = steering.width_of(way, shown)  # many searches: what is known is on the page by now
    said.markdown(f"{verdict} {_needed(width)}")
    if width is not None and way.decoding.beam != width <= WIDE:
        label = _("Search with a width of {w}").format(w=width)
        icon = ":material/search:"
        if button.button(label, "wider", on_click=state.BEAM.set, args=(width,), icon=icon):
            st.rerun()  # the whole page: its beam is another one


def hoped_for(way: Translation) -> str:
    """Return the best translation that only a wider beam writes to its end, or the beam's own."""
    own = {one.text for one in way.hypotheses if one.finished}
    wide = translate(way.model, way.text, Decoding("beam", WIDE))
    return next(
        (one.text for one in wide.hypotheses if one.finished and one.text not in own), way.output
    )


def what_became(way: Translation, found: steering.Wanted) -> str:
    """Say at which step the beam lost it, or that it did not."""
    fate, width = found.fate, way.decoding.beam
    if fate.lost is not None:
        word, place = escape(visible(found.tokens[fate.lost].text)), fate.places[fate.lost]
        return _(
            "The beam lost it at **step {n}**: “{word}” made it **number {rank}**, and only "
            "{width} go on."
        ).format(n=fate.lost + 1, word=word, rank=place.rank, width=width)
    text = _(
        "The beam of {width} never dropped it: it stopped at step {n}, before this one was "
        "complete, since none that was still open could win."
    )
    if fate.won:
        text = _("It is what the beam of {width} writes.")
    elif fate.kept:
        text = _("The beam of {width} wrote it to the end, but another one scored higher.")
    return text.format(width=width, n=len(fate.places))


def _judgement(way: Translation, found: steering.Wanted) -> str:
    """Say whether the model or the search prefers the winner."""
    if found.fate.won:
        return ""
    own = way.hypotheses[0].score
    text = _(
        "Its score is {score}, the winner's {own}: the model itself prefers the winner, which is "
        "no fault of the search."
    )
    if found.score > own:
        text = _(
            "Its score is {score}, the winner's {own}: to the model it is the better one, and it "
            "was the search that missed it."
        )
    return text.format(score=number(found.score, 3), own=number(own, 3))


def _needed(width: int | None) -> str:
    text = _("The smallest beam that writes it to the end has a width of **{w}**.")
    if width is None:
        text = _("We tried every width up to {widest}: none writes it to the end.")
    return text.format(w=width, widest=steering.WIDEST)


@screens(
    SLUG,
    N_("Every hypothesis looks for itself"),
    pick=lambda moment: pick_hypothesis(own_beam(moment.walk.translation)),
)
def draw_looks(moment: DecoderStep) -> None:
    """Draw where the chosen hypothesis looks; its numbers open where the page is about it alone."""
    text = _(
        "A hypothesis reads its own words, not the winner's. So it has its own past to look "
        "back at, and looks over at the source in its own way. Choose one: every cell is from "
        "its own run."
    )
    say(text)
    walk = moment.walk
    if not isinstance(walk, steering.Steered):
        draw_board([plain_map(own_beam(walk.translation))], "hypothesis-looks")
        return
    kind, layer = look_kind(walk.translation), layer_of(walk.config.n_decoder_layers)
    name, every = f"{scope_of(walk, kind, layer)}.weights", (moment.head, None, None)
    mask = allowed(walk, kind) if kind == "decoder" else None
    looks = grid(walk, name, every, _(KIND_NAMES[kind]), mask=mask, height=HEIGHT)
    arrays(walk, [looks], "hypothesis-looks")
