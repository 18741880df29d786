"""One sentence by three translators: what they attend to, and each one's query, key and value."""

import html
from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.data.atlas import first_head
from app.data.translation import Token, Translation, model_info
from app.format import escape, listed, number, percent, power, quoted, row_names, share, visible
from app.i18n import N_, _
from app.inspector.arrays import STATE_FOLD, Grid, Op, array_grid, draw_board, weights_grid
from app.page.kit import Code, QuizTask, Screens, beside, guess, pick_from_list, say
from app.ui.chosen import pair
from app.ui.sentence_box import sentence_line
from app.ui.table import written_table
from app.views.history.evolution.data import (
    MODELS,
    RECURRENT,
    SEARCH,
    TRANSFORMER,
    EvolutionChoice,
    are_early_scores_fair,
    early_bleu,
    looks,
)

NAMES: Final = {RECURRENT: N_("RNN"), SEARCH: N_("RNNsearch"), TRANSFORMER: N_("Transformer")}
YEARS: Final = {RECURRENT: "2014", SEARCH: "2015", TRANSFORMER: "2017"}
MEMORY: Final = N_("m, the memory's vector of the token ({memory} numbers)")
MAP: Final = 200  # the height of a map's cells, in pixels
HEAD: Final = state.Param[str]("ehead", "", str)
STEP: Final = state.Param[int]("estep", 0, state.whole(0, 10_000))
FIRST: Final = 4  # numbers of a vector that are written out
NOTHING: Final = "–"
PARTS: Final = (
    N_("**query**"),
    N_("**key**"),
    N_("**value**"),
    N_("**score**, as the softmax reads it"),
    N_("**result**"),
)
MIXED: Final = r"$\sum_j \alpha_j v_j$"
# What query, key and value are computed from and how, and the score.
MADE_OF: Final = {
    SEARCH: (
        (N_("s, the decoder's state before the token ({state} numbers)"), "$q = W_a s + b$"),
        (N_("h, the annotation of the token ({memory} numbers)"), "$k = U_a h$"),
        (N_("the annotation itself"), "$v = h$"),
    ),
    TRANSFORMER: (
        (
            N_("x, the decoder's vector of the token just read ({memory} numbers)"),
            "$q = W_Q x + b_Q$",
        ),
        (MEMORY, "$k = W_K m + b_K$"),
        (MEMORY, "$v = W_V m + b_V$"),
    ),
}
SCORE: Final = {SEARCH: r"$v_a^\top \tanh(q + k)$", TRANSFORMER: r"$q \cdot k / \sqrt{d_k}$"}
ROWS: Final = (
    N_("is about to write"),
    N_("looks most at"),
    *PARTS[:4],
    N_("**weight** after the softmax"),
    PARTS[4],
)


def pick_sentence(_choice: EvolutionChoice) -> None:
    """Draw the sentence to type."""
    sentence_line(TRANSFORMER)


def pick_head(choice: EvolutionChoice) -> None:
    """Draw the choice of the Transformer's layer and head, if it is there."""
    if TRANSFORMER not in choice.translations:
        return
    translation = choice.translations[TRANSFORMER]
    name, heads, chosen = _("Layer {layer}, head {head}"), _heads(translation), head_of(translation)
    titles = {at: name.format(layer=i + 1, head=j + 1) for at, (i, j) in heads.items()}
    value = next(at for at, head in heads.items() if head == chosen)
    label = _("Layer and head of the Transformer")
    tip = _(
        "RNNsearch has a single attention. The Transformer has one for each layer and head; "
        "you start with the one that aligns words best."
    )
    pick_from_list(HEAD, label, titles, value=value, help=tip)


def pick_step(choice: EvolutionChoice) -> None:
    """Draw the choice of a step of the translation."""
    count, step = _count(choice.translations), step_of(choice.translations) + 1
    if count > 1:
        key, tip = STEP.widget(step), _("Which token of each translation is about to be written.")
        st.slider(_("Step of the translation"), 1, count, key=key, help=tip)


pick_all: Final = beside([0.5, 0.25, 0.25], pick_sentence, pick_head, pick_step, gap="medium")
screens = Screens[EvolutionChoice]()


@screens("beside", N_("The same sentence, three networks"), pick=pick_sentence)
def draw_beside(choice: EvolutionChoice) -> None:
    """Draw the three translations of the sentence."""
    text = _(
        "All three learned with the same trainer, at first from the same pairs: Tatoeba's, and "
        "some of our own. The Transformer then went on, and also read 64,000 more sentences of "
        "our own. Below each translation stands how much its network has read."
    )
    say(text)
    translations = choice.translations
    missing = [_(NAMES[name]) for name in MODELS if name not in translations]
    if missing:
        says = _("Not in the folder “pretrained”, so not on this page: {names}.")
        st.info(says.format(names=", ".join(missing)))
    columns = st.columns(len(translations), gap="small")
    for column, translation in zip(columns, translations.values(), strict=True):
        with column, st.container(border=True, height="stretch"):
            _draw_card(translation)
            if translation.model == TRANSFORMER and are_early_scores_fair(translations):
                _draw_early_score()


def _draw_card(translation: Translation) -> None:
    st.markdown(f"**{_(NAMES[translation.model])}**, {YEARS[translation.model]}")
    language = html.escape(pair(translation.model)[1], quote=True)
    st.html(
        f'<div lang="{language}" data-testid="beside" style="overflow-wrap:anywhere;'
        f'font-size:1.2rem">{html.escape(translation.output) or "∅"}</div>'
    )
    info = model_info(translation.model)
    size = (
        N_("{millions} M parameters")
        if info.bleu is None
        else N_(
            "{millions} M parameters, at most {tokens} M tokens read in training, BLEU {bleu} on "
            "sentences it never saw"
        )
    )
    counts = {"millions": info.parameters, "tokens": info.training_tokens or 0}
    millions = {name: number(count / 1e6, 1) for name, count in counts.items()}
    st.caption(_(size).format(bleu=number(info.bleu or 0, 1), **millions))


def _draw_early_score() -> None:
    """Say what compares like with like."""
    if (bleu := early_bleu(TRANSFORMER)) is not None:
        text = _("After as many tokens as the two others have read, its BLEU was {bleu}.")
        st.caption(text.format(bleu=number(bleu, 1)))


@screens(
    "where",
    N_("Where the three look"),
    pick=beside([0.65, 0.35], pick_sentence, pick_head, gap="medium"),
    was=("vector",),
)
def draw_maps(choice: EvolutionChoice) -> None:
    """Draw the RNN's one vector, and the weights of each model that has attention."""
    text = _(
        "RNNsearch and the Transformer keep a vector for each source token and look at them before "
        "each token they write: a row for each token being written, a column for each source token."
    )
    grids = []
    if (recurrent := choice.translations.get(RECURRENT)) is not None:
        last, n = recurrent.capture.arrays["memory"][0], len(recurrent.source.tokens)
        vector = _(
            "The RNN looks nowhere: its decoder gets one vector, the encoder's last state, "
            "{size} numbers into which all your {n} tokens must fit."
        )
        text += " " + vector.format(size=last.size, n=n)
        title = _("c, the encoder's last state")
        grids.append(array_grid(last, title, "value", reach=1.0, fold=STATE_FOLD))
    say(text)
    for one in looking_of(choice.translations):
        title = _("{name}: being written ↓, looked at →").format(name=_(NAMES[one.model]))
        written, read = ([token.text for token in side.tokens] for side in (one.target, one.source))
        grids.append(weights_grid(weights_of(one), title, row_names(written), read, height=MAP))
    draw_board(grids, "maps")


def head_of(translation: Translation) -> tuple[int, int]:
    """Return the chosen layer and head, from 0, or the best if the model lacks those."""
    return _heads(translation).get(HEAD.get()) or first_head(translation.model, "cross")


def weights_of(translation: Translation) -> np.ndarray:
    """Return a model's attention weights, (T, S): the chosen head's, if it has more than one."""
    layer, head = head_of(translation)
    return translation.capture.weights("cross", layer, head)


def written(translation: Translation) -> tuple[Token, ...]:
    """Return the token that is written at each step, <eos> last."""
    return (*translation.target.tokens[1:], translation.source.tokens[-1])


def looking_of(translations: Mapping[str, Translation]) -> list[Translation]:
    """Return the translations of the models that have an attention."""
    return [translations[name] for name in (SEARCH, TRANSFORMER) if name in translations]


def _heads(translation: Translation) -> dict[str, tuple[int, int]]:
    """Return, by URL value, the layer and head (from 0) of all heads that attend to the source."""
    places = np.ndindex(translation.capture.n_layers("cross"), translation.capture.n_heads)
    return {f"{layer + 1}.{head + 1}": (layer, head) for layer, head in places}


@screens(
    "roles",
    N_("Query, key and value, then and now"),
    Code(
        N_("Additive attention"),
        r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j) \qquad \alpha_i = \mathrm{softmax}(e_i)"
        r" \qquad c_i = \sum_j \alpha_{ij} h_j",
        "model.nn.rnnsearch:AdditiveAttention.attend",
    ),
    Code(
        N_("Scaled dot product, of one head or many"),
        r"\mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "model.nn.attention:MultiHeadAttention.attend",
    ),
    pick=pick_all,
    was=("numbers",),
)
def draw_roles(choice: EvolutionChoice) -> None:
    """Draw the same in numbers, at the chosen step."""
    numbers = _(
        "One step of each. Key and value are those of the token that gets the most attention; "
        "of each vector, the first {first} numbers are written out."
    )
    roles = _(
        "Memory networks of 2016 had the names, but the parts were there before. RNNsearch: layers "
        "make queries and keys, a small network compares them, and the weights average unmodified "
        "annotations. "
        "Transformer: linear layers make queries, keys and values, and one matrix product compares."
    )
    say(f"{roles} {numbers.format(first=FIRST)}")
    columns = {"": [_(row) for row in ROWS]}
    step = step_of(choice.translations)
    for name, one in choice.translations.items():
        columns[_(NAMES[name])] = _column(one, step)
    written_table(columns)


@screens.drawer("made", N_("What makes them, in formulas"))
def draw_made(choice: EvolutionChoice) -> None:
    """Draw the table of what plays query, key and value in each."""
    columns = {"": [_(part) for part in PARTS]}
    for name, one in choice.translations.items():
        columns[_(NAMES[name])] = _made(one)
    written_table(columns)


@screens.drawer(
    "range", N_("Scores from −∞ to ∞, weights from 0 to 1"), when=lambda _choice: looks()
)
def draw_range(choice: EvolutionChoice) -> None:
    """Draw scores and weights of each model at the chosen step."""
    text = _(
        "A score, the Transformer's divided by √d_k, may be any number. The softmax raises e to "
        "each score and divides by the sum of these powers: the weights lie in [0, 1], and those "
        "of a row add up to 1. So a weight is a share, and a score is not."
    )
    say(text)
    one = looking_of(choice.translations)[0]
    scores, weights = scores_and_weights(one, step_of(choice.translations))
    lowest = int(scores.argmin())
    name, low = _(NAMES[one.model]), number(scores[lowest])
    says = N_("It is {weight}. e to any power is positive: small, but never 0 or less.")
    options = [_("below 0"), _("exactly 0"), _("above 0")]
    question = N_("The lowest score of {name} at this step is {low}. Its weight is …")
    guess(
        QuizTask.of(question, options, [2], says, name=name, low=low, weight=power(weights[lowest]))
    )
    items: list[Grid | Op] = []
    lines = []
    for one in looking_of(choice.translations):
        name, year = _(NAMES[one.model]), YEARS[one.model]
        scores, weights = scores_and_weights(one, step_of(choice.translations))
        tokens = [token.text for token in one.source.tokens]
        score_title, weight_title = _("{name}: scores"), _("{name}: weights")
        items += [
            array_grid(scores[:, None], score_title.format(name=year), row_labels=tokens),
            Op("→"),
            weights_grid(weights[:, None], weight_title.format(name=year)),
        ]
        ends = {"low": scores.min(), "high": scores.max()}
        shares = {"least": power(weights.min()), "most": share(weights.max(), 3)}
        written = {end: number(float(value)) for end, value in ends.items()} | shares
        lines.append(
            _("{name}: scores from {low} to {high}, weights from {least} to {most}.").format(
                name=name, **written
            )
        )
    draw_board(items, "range")
    st.markdown("  \n".join(lines))


def scores_and_weights(translation: Translation, step: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores and the weights of a model's chosen head at a step, (S,) each."""
    capture, (layer, head) = translation.capture, head_of(translation)
    scores = capture.stage("cross", layer, "masked", head)[step]
    return scores, capture.stage("cross", layer, "weights", head)[step]


def step_of(translations: Mapping[str, Translation]) -> int:
    """Return the chosen step, from 0; by default the one with the surest attention."""
    count, chosen = _count(translations), STEP.get()
    looking = looking_of(translations)
    if chosen == 0 and looking:
        words = [not token.special for token in looking[-1].source.tokens]
        looks = weights_of(looking[-1])[:count]
        return int((looks[:, words] if any(words) else looks).max(-1).argmax())
    return min(max(chosen, 1), count) - 1


def _count(translations: Mapping[str, Translation]) -> int:
    return min(len(written(one)) for one in translations.values())


def _made(translation: Translation) -> list[str]:
    """Return the cells of `PARTS` for one model."""
    capture = translation.capture
    if not capture.n_layers("cross"):
        value = _("c, the same vector at every step")
        return [
            _("nothing asks"),
            _("nothing to choose from"),
            f"{value}: $c = h_S$",
            NOTHING,
            "$c$",
        ]
    sizes = {"state": capture.config.d_hidden, "memory": capture.arrays["memory"].shape[1]}
    made = (f"{_(text).format(**sizes)}: {formula}" for text, formula in MADE_OF[translation.model])
    return [*made, SCORE[translation.model], MIXED]


def _column(translation: Translation, step: int) -> list[str]:
    """Return the cells of `ROWS` for one model."""
    capture, writes = translation.capture, _quoted(written(translation)[step])
    if not capture.n_layers("cross"):
        c = _numbers(capture.arrays["memory"][0])
        return [writes, NOTHING, NOTHING, NOTHING, c, NOTHING, NOTHING, c]
    layer, head = head_of(translation)
    q, k, v, scores, weights, context = (
        capture.stage("cross", layer, stage, head)
        for stage in ("q", "k", "v", "masked", "weights", "context")
    )
    most = int(weights[step].argmax())
    return [
        writes,
        _quoted(translation.source.tokens[most]),
        _numbers(q[step]),
        _numbers(k[most], len(k)),
        _numbers(v[most], len(v)),
        number(scores[step, most]),
        share_cell(float(weights[step, most])),
        _numbers(context[step]),
    ]


def share_cell(weight: float) -> str:
    """Write a share in a cell, escaped: a leading “>” would become a Markdown quotation."""
    return percent(weight).replace(">", r"\>")


def _numbers(vector: np.ndarray, n: int | None = None) -> str:
    """Write the size and first numbers of a vector, or of the first of n such vectors."""
    first = listed([*map(number, vector[:FIRST]), "…"])
    size = vector.size if n is None else f"{n} × {vector.size}"
    return f"{size}: {first}"


def _quoted(token: Token) -> str:
    return quoted(escape(visible(token.text)))
