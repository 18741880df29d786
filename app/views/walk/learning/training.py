"""The same sentence while the model learned, and the gradient that it learns from."""

import html
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import streamlit as st

from app import state
from app.data.attention import allowed, favourites, scope_of, sharpest
from app.data.moments import OF_RUN, film_of
from app.data.translation import ModelUnavailableError, Token, model_names
from app.data.walk import Cell
from app.format import RAISED, escape, grouped, listed, localized, number, percent, power, tex
from app.i18n import N_, _
from app.inspector.arrays import array_grid, arrays, draw_board, grid, weights_grid
from app.inspector.naming import text_at
from app.inspector.picks import head_of, layer_of
from app.page.kit import Code, Screens, pick, say, show_chart
from app.state import Param, Pin, one_of
from app.ui.chosen import model_name, pair
from app.ui.table import Columns
from app.views.walk.learning import data
from app.views.walk.learning.loss_chart import loss_curve, moment_bars
from app.views.walk.learning.target import TargetPosition, pick_scores, position_of

DELTAS: Final = ("0.01", "0.1", "1")
DELTA: Final = Param[str]("delta", "0.1", one_of(*DELTAS))
REACH: Final = 4.0  # how far the curve goes to either side, in units of the score
POINTS: Final = 9
GRADIENT: Final = "gradient"
HIGH: Final = 145  # pixels that the cells of a map may take
WIDEST: Final = 14  # tokens


@dataclass(frozen=True, eq=False)
class Slopes:
    """∂loss/∂score of one head, (T, S), with the tokens of both sides."""

    scope: str
    layer: int
    head: int
    values: np.ndarray
    queries: Sequence[Token]
    keys: Sequence[Token]
    mask: np.ndarray

    @property
    def flat(self) -> bool:
        return not self.values.any()

    @property
    def strongest(self) -> tuple[int, int]:
        query, key = np.unravel_index(int(np.abs(self.values).argmax()), self.values.shape)
        return int(query), int(key)

    def words(self, query: int, key: int) -> tuple[str, str]:
        """Return the words of a cell, numbered where a word comes twice."""
        return text_at(self.queries, query), text_at(self.keys, key)


def has_moments(lesson: TargetPosition) -> bool:
    """Whether there is more than one moment to compare."""
    return len(_names(lesson.walk)) > 1


screens = Screens[TargetPosition]()


@screens("moments", N_("Untrained, early, trained"), pick=False)
def draw_moments(lesson: TargetPosition) -> None:
    """Draw what models of the same languages, from the first step on, make of a sentence."""
    walk = lesson.walk
    shown = _shown(walk)
    if any(map(_is_snapshot, shown)):
        text = _(
            "The same sentence and the same right translation, “{reference}”, before a model that "
            "has learned nothing, one that has just begun, and a trained one."
        )
        say(text, reference=escape(walk.text) or "∅")
    else:
        say()
        _draw_none_kept(walk.translation.model)
    columns = st.columns(len(shown) if len(shown) > 1 else (1, 2))
    for one, column in zip(shown, columns, strict=False):
        with column:
            _draw_card(one)
    if len(shown) == 1:  # there is nothing that it was before
        with columns[1]:
            _draw_answers(walk)
    _draw_sizes(walk)


@screens.drawer("answers", N_("Their answers as distributions"), when=has_moments)
def draw_answers(lesson: TargetPosition) -> None:
    """Draw the target, and what each moment says at each position."""
    means = (one.losses.probabilities.mean() for one in _shown(lesson.walk))
    text = _(
        "The target, then what each model says, one position per row, one token of the right "
        "translation per column. On average, the right token gets {means}. Each model cuts the "
        "text into tokens of its own."
    )
    say(text, means=listed(percent(float(mean)) for mean in means))
    _draw_answers(lesson.walk)


def _draw_answers(walk: data.Taught) -> None:
    shown = _shown(walk)
    cols = [token.text for token in shown[0].columns]
    rows = [token.text for token in shown[0].capture.tgt]
    target = weights_grid(shown[0].target, _("the target"), rows, cols, thumb=True)
    answers = [
        weights_grid(
            one.answers,
            _("after {steps} steps").format(steps=grouped(one.steps, " ")),
            cols=[token.text for token in one.columns],
            role="output",
            thumb=True,
        )
        for one in shown
    ]
    arrays(walk, [target, *answers], key="moment-answers")


@screens.drawer("characters", N_("The loss falls"), when=has_moments)
def draw_characters(lesson: TargetPosition) -> None:
    """Draw the loss by character of all moments."""
    walk, moments = lesson.walk, _moments(lesson.walk)
    text = _(
        "The models cut the text into different tokens, so losses per token cannot be compared: a "
        "few long tokens are harder to guess than many short ones. But all have to say the same "
        "text to the end, so losses per character can. There is no smoothing in them."
    )
    if len({one.vocabulary for one in moments}) == 1:
        text = _(
            "The loss of the right translation, shared out among its characters, from the first "
            "step of training to the last. There is no smoothing in these numbers."
        )
    say(text)
    title = _("The loss for each character of the right translation")
    own = [one.name == walk.translation.model for one in moments]
    losses = np.array([one.a_character for one in moments])
    names = [model_name(one.name) for one in moments]
    figure = moment_bars(losses, names, own.index(True) if any(own) else None, title)
    show_chart(figure, "moments", title, lambda: _columns(moments))


def _draw_sizes(walk: data.Taught) -> None:
    """Say how large the models are, where they are not moments of one training."""
    moments = _moments(walk)
    small, last = moments[0], moments[-1]
    if len({one.vocabulary for one in moments}) == 1:
        return
    sizes = _(
        "The first {count} are one small network ({parameters} million numbers, {tokens} tokens) "
        "at different steps of its training; the last one is {model} ({its_parameters} million "
        "numbers, {its_tokens} tokens)."
    ).format(
        count=sum(map(_is_snapshot, moments)),
        parameters=number(small.parameters / 1e6, 1),
        tokens=grouped(small.vocabulary),
        model=escape(model_name(last.name)),
        its_parameters=number(last.parameters / 1e6, 1),
        its_tokens=grouped(last.vocabulary),
    )
    ahead = _(
        "Here the right translation is the one {model} wrote, which gives that model a head start."
    ).format(model=escape(model_name(walk.translation.model)))
    st.caption(sizes if walk.reference else f"{sizes} {ahead}")


def _names(walk: data.Taught) -> list[str]:
    name = walk.translation.model
    return data.moments_of(name, [other for other in model_names() if pair(other) == pair(name)])


def _moments(walk: data.Taught) -> list[data.LearningStep]:
    """Return the moments there are; a damaged model does not take the others with it."""
    moments = []
    for name in _names(walk):
        with suppress(ModelUnavailableError):
            moments.append(data.moment(name, walk))
    return moments


def _shown(walk: data.Taught) -> list[data.LearningStep]:
    """Return the first moments, and the last."""
    moments = _moments(walk)
    return list(dict.fromkeys([*moments[:2], moments[-1]]))


def _is_snapshot(one: data.LearningStep) -> bool:
    return one.name.startswith("snapshots/")


def _draw_none_kept(name: str) -> None:
    """Say that there is nothing earlier; lead to a film of its training, or of another's."""
    st.info(
        _("No early moments of this model's training were kept, so only what it became is shown.")
    )
    run = name.removeprefix(OF_RUN)
    filmed = name.startswith(OF_RUN) and film_of(run) is not None
    label = _("See the film of its training") if filmed else _("See a film of a training run")
    page, icon = "views/training/page.py", ":material/movie:"
    st.page_link(page, label=label, icon=icon, query_params={"training": run} if filmed else None)
    others = [name for name in model_names() if name.startswith("snapshots/")]
    if not others:
        return
    label = _("Open {model}").format(model=escape(model_name(others[0])))
    if st.button(label, key="open-snapshot", icon=":material/school:"):
        state.MODEL.set(others[0])
        state.TEXT.set(None)
        st.rerun()  # the whole page: the model is not this part's alone


def _draw_card(one: data.LearningStep) -> None:
    """Draw one moment: its step, its own translation, and what the right one costs it."""
    with st.container(border=True, height="stretch"):
        st.markdown(f"**{escape(model_name(one.name))}**")
        st.caption(_("after {steps} steps").format(steps=grouped(one.steps)))
        # Text that a model wrote never goes through Markdown.
        st.html(
            '<div style="max-height:7.5rem;overflow-y:auto;overflow-wrap:anywhere" tabindex="0" '
            f'role="group" aria-label="{html.escape(_("its translation"), quote=True)}">'
            f"{html.escape(one.output) or '∅'}</div>"
        )
        st.metric(_("loss"), number(one.losses.total))
        text = _("{word} a word, {character} a character")
        st.caption(text.format(word=number(one.a_word), character=number(one.a_character, 3)))


def _columns(moments: list[data.LearningStep]) -> Columns:
    return {
        _("model"): [model_name(one.name) for one in moments],
        _("steps"): [grouped(one.steps) for one in moments],
        _("its translation"): [one.output for one in moments],
        _("tokens"): [str(len(one.losses.targets)) for one in moments],
        _("loss"): [one.losses.total for one in moments],
        _("a word"): [one.a_word for one in moments],
        _("a character"): [one.a_character for one in moments],
    }


@screens("maps", N_("Alignment grows by itself"), pick=False)
def draw_maps(lesson: TargetPosition) -> None:
    """Draw where the sharpest head of each moment looks."""
    shown = _shown(lesson.walk)
    # What the favourite token of each sharpest head gets, on average.
    shares = listed(percent(float(favourites(one.capture).max())) for one in shown)
    text = _(
        "For each model, you see the encoder-decoder head that looks most sharply at single "
        "tokens, `<eos>` left out: on average, its first choice among the others gets {shares} of "
        "its attention. Nobody ever said which word belongs to which; that grows out of the loss "
        "alone."
    )
    say(text, shares=shares)
    maps = []
    for one in shown:
        layer, head = sharpest(one.capture)
        rows, cols = ([token.text for token in side] for side in (one.capture.tgt, one.capture.src))
        weights = one.capture.weights("cross", layer, head)
        place = _("layer {layer}, head {head}").format(layer=layer + 1, head=head + 1)
        look: dict[str, Any] = {"role": "output", "note": place, "thumb": True}
        maps.append(weights_grid(weights, model_name(one.name), rows, cols, **look))
    arrays(lesson.walk, maps, key="maps")


@screens(
    "gradient",
    N_("Which way is better: gradients"),
    Code(
        N_("The gradient of each score"),
        r"\frac{\partial\,\text{loss}}{\partial\,\text{score}_{h,t,s}}",
        "model.interpret.experiments.interventions:attention_gradients",
    ),
    pick=pick_scores,
    was=("wish",),
)
def draw_gradients(lesson: TargetPosition) -> None:
    """Draw one head's weights beside the gradients of its scores."""
    gradient = _(
        "Training knows the way because it can ask each number: if you grew a little, what would "
        "the loss do? The answer is the *gradient*. Here every score q · k of one head is asked: "
        "∂loss/∂score. Each row adds up to 0: who looks more here looks less elsewhere."
    )
    sign = _(
        "**Minus (red)**: more of this score would lower the loss, so training pushes it up: "
        "*look here more*. **Plus (blue)**: *look here less*."
    )
    head = slopes(lesson)
    say(f"{gradient}\n\n{sign} {_wish(lesson, head)}")
    # Side by side, long sentences would leave their cells too little room.
    beside = len(head.keys) <= WIDEST
    left, right = st.columns(2, gap="medium") if beside else (st.container(), st.container())
    with left:
        name, index = f"{head.scope}.weights", (head.head, None, None)
        title = _("weights: where it looks")
        looks = grid(lesson.walk, name, index, title, role="output", mask=head.mask, height=HIGH)
        arrays(lesson.walk, [looks], "looks")
    with right:
        _draw_map(head, cell_of(head))


@screens.drawer(
    "check", N_("Is that true? Two runs of the model, and the step downhill"), was=("descent",)
)
def draw_check(lesson: TargetPosition) -> None:
    """Write both slopes: that of two runs of the model, and the gradient."""
    head = slopes(lesson)
    cell = cell_of(head)
    query, key = map(escape, head.words(*cell))
    text = _(
        "Change one score, “{query}” → “{key}”, by δ, run the whole model again, and see what the "
        "loss L does. The slope that is measured should be the gradient. Click a cell of the "
        "gradients to test another one."
    )
    masked = _(
        "This cell is masked: its score becomes −∞ whatever it was, so the loss cannot feel it."
    )
    say(text if head.mask[cell] else f"{text} {masked}", query=query, key=key)
    delta, slope = float(DELTA.get()), float(head.values[cell])
    # What is added to the score, and the loss that follows, (N,) each.
    changes = np.unique([*np.linspace(-REACH, REACH, POINTS), -delta, delta])
    score = Cell(f"{head.scope}.scores", (head.head, *cell))
    position = position_of(lesson)
    losses = data.losses_if(lesson.walk, score, changes.tolist(), lesson.smoothing, position)
    less, more = np.searchsorted(changes, [-delta, delta]).tolist()
    left, right = st.columns(2, gap="medium")
    with left:
        tip = _("How much is added to the score, and taken from it.")
        pick(DELTA, "δ", DELTAS, format_func=localized, help=tip)
        measured = float(losses[more] - losses[less]) / (2 * delta)
        formula = (
            rf"\begin{{aligned}} L(s+\delta) &= {number(losses[more], 6)} \\[4pt] L(s-\delta) &="
            rf" {number(losses[less], 6)} \\[4pt] \frac{{L(s+\delta)-L(s-\delta)}}{{2\,\delta}} &="
            rf" \mathbf{{{_tex(measured)}}} \\[8pt] \frac{{\partial L}}{{\partial s}} &="
            rf" \mathbf{{{_tex(slope)}}}\end{{aligned}}"
        )
        st.latex(tex(formula))
        text = _(
            "The two slopes differ by {difference}: what is left is the curvature of the loss "
            "between −δ and +δ, and rounding."
        )
        st.caption(text.format(difference=power(abs(measured - slope))))
    with right:
        text = _(
            "Follow the slope down, and the loss falls. But scores are not stored in the model: "
            "they are made of W_Q and W_K. So the gradient is handed on to these matrices, and on "
            "to the embeddings (*backpropagation*), and there each number moves a small step "
            "against its own gradient: *gradient descent*."
        )
        say(text)
        title = _("The loss, as this one score changes")
        figure = loss_curve(changes, losses, slope, (less, more), title)
        columns = {_("added to the score"): changes.tolist(), _("loss"): losses.tolist()}
        show_chart(figure, "slope", title, lambda: columns)


def _tex(value: float) -> str:
    return number(value, 6) if abs(value) >= 1e-3 else power(value, 3)


def slopes(lesson: TargetPosition) -> Slopes:
    """Return the gradients of the chosen head."""
    kind, walk, capture = state.KIND.get(), lesson.walk, lesson.walk.capture
    layer, head = layer_of(capture.n_layers(kind)), head_of(capture.n_heads)
    scope = scope_of(walk, kind, layer)
    gradients = data.gradients_of(walk, lesson.smoothing, position_of(lesson))
    values = gradients.arrays[f"{scope}.scores"][head]
    sides = capture.queries(kind), capture.keys(kind)
    return Slopes(scope, layer, head, values, *sides, allowed(walk, kind))


def _wish(lesson: TargetPosition, head: Slopes) -> str:
    """Say in words what the strongest gradient asks for."""
    if head.flat:
        return _(
            "All gradients are 0 here: where only one token can be looked at, its weight is 1 "
            "whatever its score."
        )
    query, key = head.strongest
    value = head.values[query, key]
    weight = lesson.walk.array(f"{head.scope}.weights")[head.head, query, key]
    return _(
        "The strongest in this map: “{query}” should look **{way}** at “{key}” (gradient "
        "{gradient}, weight now {weight})."
    ).format(
        query=escape(head.queries[query].text),
        key=escape(head.keys[key].text),
        way=_("more") if value < 0 else _("less"),
        gradient=localized(f"{value:+.3g}"),
        weight=number(weight, 3),
    )


def _draw_map(head: Slopes, cell: tuple[int, int]) -> None:
    # So small that they would all read as 0.00: in units by which the largest comes to at least 1.
    largest = float(np.abs(head.values).max())
    power = max(0, math.ceil(-math.log10(largest))) if largest else 0
    title = f"10{str(power).translate(RAISED)} · ∂loss/∂score" if power else "∂loss/∂score"
    rows, cols = ([token.text for token in side] for side in (head.queries, head.keys))
    options: dict[str, Any] = {"name": GRADIENT, "mask": head.mask, "height": HIGH}
    values = head.values * 10.0**power
    drawn = array_grid(values, title, row_labels=rows, col_labels=cols, **options)
    asked, on_ask = Cell(GRADIENT, cell), lambda cell: state.PIN.set(Pin(*cell.index))
    draw_board([drawn], GRADIENT, asked=asked, on_ask=on_ask)


def cell_of(head: Slopes) -> tuple[int, int]:
    """Return the cell that is checked: the one clicked, else the strongest."""
    pin = state.PIN.get()
    if pin is None or pin.query is None or pin.key is None:
        return head.strongest
    inside = pin.query < len(head.queries) and pin.key < len(head.keys)
    return (pin.query, pin.key) if inside else head.strongest
