"""2017: attention alone, beside the two networks before it, and what that gained."""

import html
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.bars import pair_bars
from app.charts.theme import Role
from app.data.atlas import first_head
from app.data.attention import favourites
from app.data.translation import Translation, model_info
from app.format import grouped, number, percent, row_names
from app.i18n import N_, _
from app.inspector.arrays import STATE_FOLD, array_grid, draw_board, weights_grid
from app.page.kit import Code, QuizTask, Screens, guess, pick_from_list, say, show_chart
from app.ui.chosen import pair
from app.ui.sentence_box import offer
from app.ui.table import Columns, written_table
from app.views.history.evolution import data
from app.views.history.evolution.data import MODELS, RECURRENT, SEARCH, TRANSFORMER, Story

NAMES: Final = {RECURRENT: N_("RNN"), SEARCH: N_("RNNsearch"), TRANSFORMER: N_("Transformer")}
YEARS: Final = {RECURRENT: "2014", SEARCH: "2015", TRANSFORMER: "2017"}
MAP: Final = 390  # the height of a map's cells, in pixels
HIGH: Final = 330  # of the bars
HEAD: Final = state.Param[str]("ehead", "", str)
# What plays which part, and how, model by model; the sizes are of vectors.
PARTS: Final = {
    N_("**query**"): (
        N_("nothing asks"),
        N_("$q = W_a s + b$, from the decoder's state"),
        N_("$q = W_Q x + b_Q$, from the token just read"),
    ),
    N_("**key**"): (
        N_("nothing to choose from"),
        N_("$k = U_a h$, from each annotation"),
        N_("$k = W_K m + b_K$, from each vector of the memory"),
    ),
    N_("**value**"): (
        N_("$c = h_S$, the same vector at every step"),
        N_("$v = h$, the annotation itself"),
        N_("$v = W_V m + b_V$"),
    ),
    N_("**score**"): ("–", r"$v_a^\top \tanh(q + k)$", r"$q \cdot k / \sqrt{d_k}$"),
    N_("**how many at once**"): ("–", "1", N_("every head of every layer")),
}
ROLES: Final[dict[str, Role]] = dict(
    zip((*MODELS, data.EARLY), ("key", "query", "value", "residual"), strict=True)
)
NOT_MEASURED: Final = N_("None of these models has its scores by length in its folder.")
LENGTH_TITLE: Final = N_("What was gained: long sentences, and no waiting")


def pick_head(story: Story) -> None:
    """Draw the choice of the Transformer's layer and head, and the sentence of the story."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        if (one := story.translations.get(TRANSFORMER)) is not None:
            name = _("Layer {layer}, head {head}")
            heads, chosen = _heads(one), head_of(one)
            titles = {at: name.format(layer=i + 1, head=j + 1) for at, (i, j) in heads.items()}
            value = next(at for at, head in heads.items() if head == chosen)
            label = _("Layer and head of the Transformer")
            pick_from_list(HEAD, label, titles, value=value, width=320)
        if story.walk.translation.text != data.SENTENCE:
            offer((data.SENTENCE,), "story")


screens = Screens[Story]()


@screens(
    "beside",
    N_("2017: attention alone; one sentence, three networks"),
    Code(
        N_("Scaled dot product, of one head or many"),
        r"\mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "model.nn.attention:MultiHeadAttention.attend",
    ),
    pick=pick_head,
    was=("where", "vector"),
)
def draw_beside(story: Story) -> None:
    """Draw what each network has of the source while it writes, and what it writes."""
    say()
    translations = story.translations
    columns = st.columns([0.2 if name == RECURRENT else 0.4 for name in translations], gap="small")
    for column, one in zip(columns, translations.values(), strict=True):
        with column:
            language = html.escape(pair(one.model)[1], quote=True)
            st.markdown(f"**{YEARS[one.model]} · {_(NAMES[one.model])}**")
            st.html(
                f'<div lang="{language}" data-testid="beside" style="overflow-wrap:anywhere;'
                f'font-size:1.1rem">{html.escape(one.output) or "∅"}</div>'
            )
            _draw_look(one)
    text = _(
        "The RNN looks nowhere. RNNsearch looks at a vector for each token, but its states still "
        "wait for one another. The Transformer drops the recurrence: linear layers make queries, "
        "keys and values, in several heads, and a matrix product compares all of them at once."
    )
    read = _(
        "It has also read more, 64,000 sentences of our own among it: {tokens} M tokens in "
        "training, the others {fewer} M."
    )
    counts = {
        name: (info.training_tokens or 0) / 1e6
        for name in translations
        if (info := model_info(name))
    }
    known = {"tokens": counts.get(TRANSFORMER, 0), "fewer": counts[SEARCH]}
    if all(known.values()):
        text += " " + read.format(**{name: number(count, 0) for name, count in known.items()})
    missing = [_(NAMES[name]) for name in MODELS if name not in translations]
    if missing:
        says = _("Not in the folder “pretrained”, so not on this page: {names}.")
        text += " " + says.format(names=", ".join(missing))
    say(text)


def _draw_look(one: Translation) -> None:
    if not one.capture.n_layers("cross"):
        title = _("c, the encoder's last state")
        last = one.capture.arrays["memory"][0]
        draw_board([array_grid(last, title, "value", reach=1.0, fold=STATE_FOLD)], "c")
        return
    layer, head = head_of(one)
    weights = one.capture.weights("cross", layer, head)  # (T, S)
    written, read = ([token.text for token in side.tokens] for side in (one.target, one.source))
    title = _("being written ↓, looked at →")
    drawn = weights_grid(weights, title, row_names(written), read, height=MAP)
    draw_board([drawn], f"map-{one.model.replace('/', '-')}")


@screens.drawer(
    "roles",
    N_("Query, key and value, then and now"),
    was=(
        "numbers", "made", "six", "range", "formulas", "vectors", "additive", "dot", "scaled",
        "self", "cross", "multi-head",
    ),
)  # fmt: skip
def draw_roles(story: Story) -> None:
    """Draw the table of what plays query, key and value in each."""
    columns = {"": [_(part) for part in PARTS]}
    for i, name in enumerate(MODELS):
        if name in story.translations:
            columns[_(NAMES[name])] = [_(row[i]) for row in PARTS.values()]
    written_table(columns)
    text = _(
        "Memory networks of 2016 had the names, but the parts were there before. A score may be "
        "any number; the softmax raises e to each score and divides by the sum of these powers, so "
        "weights lie in [0, 1], and those of a row add up to 1."
    )
    say(text)


def head_of(translation: Translation) -> tuple[int, int]:
    """Return the chosen layer and head, from 0, or the best if the model lacks those."""
    return _heads(translation).get(HEAD.get()) or first_head(translation.model, "cross")


def _heads(translation: Translation) -> dict[str, tuple[int, int]]:
    """Return, by URL value, the layer and head (from 0) of all heads that attend to the source."""
    places = np.ndindex(translation.capture.n_layers("cross"), translation.capture.n_heads)
    return {f"{layer + 1}.{head + 1}": (layer, head) for layer, head in places}


@screens("length", LENGTH_TITLE, pick=False, was=("speed", "better", "fail", "try", "kept"))
def draw_gains(story: Story) -> None:
    """Draw scores by number of source words, and the steps that must wait for one another."""
    say()
    if scores := data.scores(story.translations):
        _draw_scores(scores)
    else:
        st.info(_(NOT_MEASURED))
    rnn, transformer = waiting(story)
    focus = max(favourites(one.capture).max() for one in looking(story))
    text = _(
        "It computes in parallel: an RNN waits for each state, the Transformer only from layer to "
        "layer ({rnn} → {transformer} steps here). It attends to what matters: on average up to "
        "{focus} of a head's weight is on its favourite token, not `<eos>`. It joins what is far "
        "apart: any two tokens are one step from each other, so long sentences cost it least."
    )
    say(text, rnn=rnn, transformer=transformer, focus=percent(float(focus)))


@screens.drawer("row", N_("Steps that wait for one another"))
def draw_row(story: Story) -> None:
    """Draw how many steps must run one after another."""
    say()
    rnn, transformer = waiting(story)
    options = sorted({1, transformer, rnn})
    says = _("{n}: one a layer, however long the sentence.").format(n=transformer)
    question = _(
        "In training, an RNN takes {n} steps one after another for your sentence. How many does "
        "the Transformer take?"
    ).format(n=rnn)
    right = frozenset([options.index(transformer)])
    guess(QuizTask(question, [str(n) for n in options], right, says, says))
    written_table(_steps(story))


def _draw_scores(scores: Mapping[str, tuple[data.OfLength, ...]]) -> None:
    rows = next(iter(scores.values()))
    groups = [
        _("{low}–{high} words ({n})").format(low=row.low, high=row.high, n=grouped(row.n, " "))
        for row in rows
    ]
    series = [
        (_name(name), ROLES[name], np.array([row.bleu for row in of]))
        for name, of in scores.items()
    ]
    figure = pair_bars(series, groups, value_title="BLEU", span=(0, 100))
    figure["layout"]["height"] = HIGH
    columns: dict[str, Sequence[str | float]] = {
        _("words"): [f"{row.low}–{row.high}" for row in rows],
        _("sentences"): [str(row.n) for row in rows],
    }
    scored: Columns = columns | {name: of.tolist() for name, _role, of in series}
    alt = _("BLEU of sentences they never saw, by their number of words")
    show_chart(figure, "bleu-by-length", alt, lambda: scored)
    st.caption(alt)


def _name(name: str) -> str:
    if name != data.EARLY:
        return _(NAMES[name])
    millions = number((data.early_tokens(TRANSFORMER) or 0) / 1e6, 0)
    return _("Transformer after {millions} M tokens, as many as theirs").format(millions=millions)


def _steps(story: Story) -> dict[str, list[str]]:
    n_src, n_tgt = _tokens(story)
    shown = story.translations.values()
    steps, longer = (
        [
            str(data.steps_in_a_row(one.capture.config, times * n_src, times * n_tgt))
            for one in shown
        ]
        for times in (1, 10)
    )
    return {
        _("model"): [_(NAMES[one.model]) for one in shown],
        _("steps in a row, your sentence"): steps,
        _("with ten times as many words"): longer,
    }


def waiting(story: Story) -> tuple[int, int]:
    """Return how many steps run one after another: in an RNN, and in the last model."""
    *_older, newest = story.translations.values()
    n_src, n_tgt = _tokens(story)
    return n_src + n_tgt, data.steps_in_a_row(newest.capture.config, n_src, n_tgt)


def _tokens(story: Story) -> tuple[int, int]:
    return len(story.walk.capture.src), len(story.walk.capture.tgt)


def looking(story: Story) -> list[Translation]:
    """Return the translations of the models that have an attention."""
    return [
        story.translations[name] for name in (SEARCH, TRANSFORMER) if name in story.translations
    ]
