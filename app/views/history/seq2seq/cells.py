"""What a cell keeps and forgets, and what one vector can carry."""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.bars import columns
from app.charts.curves import Curve, Look, curves
from app.charts.theme import Role
from app.data.translation import Decoding, model_names
from app.data.walk import walk
from app.format import number, percent, quoted
from app.i18n import N_, _
from app.inspector.arrays import STATE_FOLD, Grid, Op, array_grid, arrays, grid, state_grid
from app.inspector.naming import token_markdown
from app.page.kit import Code, QuizTask, Screens, everything, guess, say, show_chart
from app.ui.sentence_box import offer
from app.ui.table import Columns, numbered
from app.views.history.seq2seq.data import TIMES, Repeated, moved, remembered, repeated
from app.views.history.seq2seq.unrolled import UNIT, UnrolledStep, pick_step

FORGET_TITLE: Final = N_("The plain cell forgets sooner")
CELLS_AFTER: Final = N_("tokens read after the first")
SHORT: Final = "No tengo tiempo"
LONG: Final = (
    "Mi hermano vivía en una casa pequeña cerca del mar y todos los días iba a la escuela con "
    "nosotros"
)
COPIES_AXIS: Final = N_("How often the sentence is said")
KEPT_AXIS: Final = N_("words kept")
LONGER_SENTENCES: Final = (
    "Mi hermano vive en una casa pequeña cerca del mar y trabaja en la ciudad",
    LONG,
)
COPIES: Final = state.Param[int]("copies", 3, state.whole(1, 6))
TRANSFORMER: Final = "es-en"
LOOKS: Final[Mapping[str, tuple[Role, Look]]] = {
    "RNN": ("key", "points"),
    "Transformer": ("value", "dash"),
}


def pick_unit(moment: UnrolledStep) -> None:
    """Draw the choice of one number of the state."""
    units = moment.walk.array(moment.states).shape[1]
    tip = _("Which number of the hidden state is followed through the sentence.")
    with st.container(width=200):
        st.number_input(_("Unit"), 1, units, key=UNIT.widget(moment.unit + 1), help=tip)


def pick_copies(_moment: UnrolledStep) -> None:
    """Draw the choice of how often the sentence is repeated."""
    tip = _("1 is your sentence; 2 is your sentence, “y”, and your sentence again.")
    st.slider(_(COPIES_AXIS), 1, 6, key=COPIES.widget(), help=tip, width=360)


screens = Screens[UnrolledStep]()


@screens(
    "gru",
    N_("Inside one step: the gates of a GRU, and the new state"),
    Code(
        N_("One step of the GRU"),
        r"\begin{aligned} r &= \sigma(W_r x + U_r h) \qquad z = \sigma(W_z x + U_z h) \\ n &="
        r" \tanh(W_n x + r \circ U_n h) \qquad h' = (1 - z) \circ n + z \circ h \end{aligned}",
        "model.nn.cell:GRU.step",
    ),
    pick=pick_step,
    was=("new",),
)
def draw_gru(moment: UnrolledStep) -> None:
    """Draw what the chosen step reads, its gates, the candidate and the new state."""
    gru = _(
        "The cell is a gated recurrent unit (GRU): every number of its state has two gates "
        "between 0 (shut) and 1 (open). The token and the previous state make both, the reset "
        "gate r and the update gate z. Here {doing}."
    )
    new = _(
        "r says how much of the old state enters the candidate n, the new content. z then mixes "
        "the two, number by number: 1 keeps the old number, 0 takes the candidate. In one "
        "formula: $(1 - z) \\circ n + z \\circ h$."
    )
    say(f"{gru.format(doing=moment.doing)}\n\n{new}")
    side, before = "src" if moment.reading else "tgt", _("previous state")
    x = f"x · {quoted(moment.token.text)}"
    names = _("reset gate r"), _("update gate z"), _("candidate n"), _("state after")
    reset, update, candidate, after = _part(moment, (moment.at, None), names)
    items: list[Grid | Op] = [
        grid(moment.walk, f"{side}.embed", (moment.at, None), x, fold=STATE_FOLD),
        Op("+"),
        state_grid(moment.walk, f"{moment.scope}.before", moment.at, before, "residual"),
        Op("→"),
        reset,
        update,
        candidate,
        Op("→"),
        after,
    ]
    arrays(moment.walk, items, key="gru")


@screens.drawer("unit", N_("One number of the state, token by token"))
def draw_unit(moment: UnrolledStep) -> None:
    """Draw the gates, the candidate and the state of the unit along the sentence."""
    names = *(f"{moment.scope}.{part}" for part in ("update", "before", "candidate")), moment.states
    z, *states = (float(moment.walk.array(name)[moment.at, moment.unit]) for name in names)
    values = zip(("old", "candidate", "new"), states, strict=True)
    written = {name: number(value, 3) for name, value in values}
    written |= {"keep": percent(z), "take": percent(1 - z), "word": token_markdown(moment.token)}
    text = _(
        "At “{word}”, unit {unit} keeps {keep} of its old value {old} and takes {take} of the "
        "candidate {candidate}: that makes {new}. Where z is near 0, a token overwrites the unit; "
        "near 1, the unit keeps its number."
    )
    say(text.format(unit=moment.unit + 1, **written))
    if not everything():
        pick_unit(moment)
    arrays(moment.walk, _part(moment, (None, moment.unit), "rznh"), key="unit")


def _part(moment: UnrolledStep, index: Sequence[int | None], titles: Iterable[str]) -> list[Grid]:
    """Return r, z, n and h of one token or of one unit."""
    walk, scope = moment.walk, moment.scope
    r, z, n, h = titles
    # One token is drawn as small pictures, one unit as cells with the tokens' names.
    look = {} if index[0] is None else {"fold": STATE_FOLD}
    return [
        grid(walk, f"{scope}.reset", index, r, scale="weights", role="query", **look),
        grid(walk, f"{scope}.update", index, z, scale="weights", role="key", **look),
        grid(walk, f"{scope}.candidate", index, n, reach=1.0, role="value", **look),
        grid(walk, moment.states, index, h, reach=1.0, role="output", **look),
    ]


@screens(
    "forget",
    FORGET_TITLE,
    Code(N_("One step of a plain cell"), r"h' = \tanh(W x + U h)", "model.nn.cell:Elman.step"),
    pick=False,
    was=("cells",),
)
def draw_forget(moment: UnrolledStep) -> None:
    """Draw how much is left of the first token as the sentence goes on."""
    measured = _(
        "Our encoder, once as it is and once with its gates fixed, reads your sentence {times} "
        "times, joined by “y”, with and without its first token “{word}”. How far apart the two "
        "states still are is what is left of “{word}”."
    ).format(times=TIMES, word=first_word(moment))
    memory, names = remembered(moment.walk), (_("GRU"), _("Plain cell"))
    after = np.arange(len(memory.gru))
    cells = _(
        "The first recurrent networks had no gates. A plain cell (Elman, 1990; `nn.RNN`) sends "
        "its whole state through U and tanh at every token. It is what remains of a GRU whose "
        "gates are fixed at r = 1 and z = 0."
    )
    say(f"{cells}\n\n{measured}")
    left = shares_left(moment)
    shares = {name: percent(share) for name, share in left.items()}
    question = N_(
        "“{word}” is followed by {n} more tokens. Which cell has more of it left in its state?"
    )
    word = moment.walk.capture.src[0].text
    options = [*names, _("Both the same")]
    right = 2 if left["gru"] == left["plain"] else int(left["plain"] > left["gru"])
    says = N_("{gru} is left in the GRU, {plain} in the plain cell.")
    guess(QuizTask.of(question, options, [right], says, word=word, n=after[-1], **shares))
    lines = [
        Curve(names[0], after, memory.gru, "key", "points"),
        Curve(names[1], after, memory.plain, "value", "dash"),
    ]
    figure = curves(lines, _(CELLS_AFTER), _("what is left of the first token"), span=(0, 1.05))
    kept = {names[0]: memory.gru.tolist(), names[1]: memory.plain.tolist()}
    columns = {_(CELLS_AFTER): [str(n) for n in after], **kept}
    show_chart(figure, "cells", _(FORGET_TITLE), lambda: columns)
    text = _(
        "After {n} more tokens, {gru} is left in the GRU and {plain} in the plain cell. At "
        "each token, the GRU's update gates let {update} of the old state through, on "
        "average. In training, the gradient comes back the same way and fades like this."
    )
    st.markdown(text.format(n=after[-1], update=percent(memory.update), **shares))
    told = _(
        "These weights were learned with gates. To train a network with plain cells, open "
        "“Train your own” and choose RNN, then its cell."
    )
    st.caption(told)


def first_word(moment: UnrolledStep) -> str:
    """Return the sentence's first token, for Markdown."""
    return token_markdown(moment.walk.capture.src[0])


def shares_left(moment: UnrolledStep) -> dict[str, float]:
    """Return how much is left of the first token at the end, in the GRU and in the plain cell."""
    memory = remembered(moment.walk)
    return {"gru": float(memory.gru[-1]), "plain": float(memory.plain[-1])}


@screens(
    "bridge", N_("The bridge: one vector, however long the sentence"), pick=False, was=("fade",)
)
def draw_bridge(moment: UnrolledStep) -> None:
    """Draw the encoder's last state, and those of a short and a long sentence beside it."""
    walk, tokens, long = moment.walk, moment.walk.capture.src, n_words(LONG)
    size, n = size_of(moment), len(tokens)
    words = {"sentence": SHORT, "short": n_words(SHORT), "long": long}
    text = _(
        "All that the decoder ever learns about your sentence: {size} numbers for {n} tokens, "
        "{each} a token. Beside it, the last states of “{sentence}”, {short} words, and of a "
        "sentence of {long}."
    )
    say(text.format(size=size, n=n, each=f"{size / n:.0f}", **words))
    options = [str(round(size * n / long)), str(size), str(round(size * long / n))]
    says = N_("Always {size}: the last state is all that it gets.")
    question = N_(
        "Of your {n} tokens, the decoder gets {size} numbers. How many does it get of a sentence "
        "of {long} words?"
    )
    guess(QuizTask.of(question, options, [1], says, n=n, size=size, long=long))
    left, right = st.columns(2, gap="medium")
    with left:
        own = state_grid(walk, "memory", 0, _("your sentence"), "input")
        others = (_last_state(walk.translation.model, text) for text in (SHORT, LONG))
        arrays(walk, [own, *others], "bridge")
        st.caption(f"{long}: {LONG}")
        st.markdown(_("Take a longer sentence, and each token has less room:"))
        offer(LONGER_SENTENCES, "longer")
    with right:
        shares = moved(walk)
        parts = shares[:-1]  # <eos> is not a word
        most, least = int(parts.argmax()), int(parts.argmin())
        named = {"most": token_markdown(tokens[most]), "least": token_markdown(tokens[least])}
        by = {"most_by": percent(shares[most]), "least_by": percent(shares[least])}
        text = _(
            "Leave one token out and let the encoder read the rest: how far does its last state "
            "move? (‖h − h without the token‖ ÷ ‖h‖.) “{most}” moves it most, by {most_by}, and "
            "“{least}” least, by {least_by}."
        ).format(**named, **by)
        if len(parts) == 1:
            say(text)
        else:
            first, second = (percent(half.mean()) for half in np.array_split(parts, 2))
            fade_halves = _(
                "On average, a token of the first half moves it by {first}, one of the second "
                "half by {second}."
            )
            say(f"{text} {fade_halves.format(first=first, second=second)}")
        names = [token.text for token in tokens]
        token, share = _("token left out"), _("how far the last state moves")
        figure = columns(shares, names, y_title=share, x_title=token, role="input", marked=most)
        numbers = {token: numbered(names), share: shares.tolist()}
        show_chart(figure, "fade", _("What is left of each token"), lambda: numbers)


def size_of(moment: UnrolledStep) -> int:
    """Return how many numbers the last state has."""
    return int(moment.walk.array("memory").shape[-1])


def n_words(text: str) -> int:
    """Return how many words a sentence has."""
    return len(text.split())


def _last_state(model: str, text: str) -> Grid:
    """Return the last state of another sentence; its numbers cannot be looked up on this page."""
    state, n = walk(model, text, Decoding("greedy")).array("memory")[0], n_words(text)
    return array_grid(state, _("{n} words").format(n=n), "input", reach=1.0, fold=STATE_FOLD)


@screens("try", N_("Long sentences: try it"), pick=pick_copies, was=("kept",))
def draw_tried(moment: UnrolledStep) -> None:
    """Draw what becomes of the sentence when it is repeated again and again."""
    text = _(
        "Join your sentence to itself with “y” (and): it gets longer, but no harder. A good "
        "translation repeats itself just as often. Both models translate greedily here."
    )
    say(text)
    left, right = st.columns(2, gap="medium")
    with left:
        runs = _runs(moment)
        st.html(
            f'<p lang="es" style="overflow-wrap:anywhere">{html.escape(runs["RNN"][-1].text)}</p>'
        )
        for column, (name, run) in zip(
            st.columns(len(runs), gap="medium"), runs.items(), strict=True
        ):
            with column, st.container(border=True):
                st.markdown(f"**{name}**")
                st.html(
                    '<div lang="en" data-testid="repeated" style="overflow-wrap:anywhere;'
                    f'font-size:1.1rem">{html.escape(run[-1].output) or "∅"}</div>'
                )
    with right:
        kept = {name.lower(): percent(run[-1].kept) for name, run in runs.items()}
        text = (
            _(
                "Take the words that each model wrote for one copy, {copies} times each: the RNN "
                "wrote {rnn} of them, the Transformer {transformer}."
            )
            if len(runs) > 1
            else _(
                "Take the words that the RNN wrote for one copy, {copies} times each: it wrote "
                "{rnn} of them."
            )
        )
        say(text.format(copies=COPIES.get(), **kept))
        copies = np.arange(1, len(runs["RNN"]) + 1)
        shares = {name: np.array([each.kept for each in run]) for name, run in runs.items()}
        lines = [Curve(name, copies, share, *LOOKS[name]) for name, share in shares.items()]
        title = _(KEPT_AXIS)
        figure = curves(lines, _(COPIES_AXIS), title, span=(0, 1.05))
        show_chart(figure, "copies", title, lambda: _columns(runs))
        says = _(
            "A longer vector would help a little. Bahdanau, Cho and Bengio kept all states of "
            "the encoder instead, and let the decoder choose which to look at: the next page."
        )
        st.markdown(says)


def _runs(moment: UnrolledStep) -> dict[str, tuple[Repeated, ...]]:
    """Return each model's translations of the sentence, repeated up to the chosen number."""
    own, copies = moment.walk.translation, COPIES.get()
    runs = {"RNN": repeated(own.model, own.text, copies)}
    if TRANSFORMER in model_names():
        runs["Transformer"] = repeated(TRANSFORMER, own.text, copies)
    return runs


def _columns(runs: Mapping[str, Sequence[Repeated]]) -> Columns:
    numbers = [str(n) for n in range(1, len(runs["RNN"]) + 1)]
    columns: dict[str, list[str | float]] = {_(COPIES_AXIS): [*numbers]}
    for name, run in runs.items():
        columns[name] = [each.output for each in run]
        columns[f"{name}, {_(KEPT_AXIS)}"] = [each.kept for each in run]
    return columns
