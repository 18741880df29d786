"""A score for each token of the vocabulary, then probabilities, a choice, and each layer's own."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.bars import Column, stage_bars
from app.components.chips import Chip, chips
from app.data.translation import Token
from app.data.walk import Walk
from app.format import grouped, listed, number, probability, quoted, tex
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, array_grid, arrays, grid
from app.inspector.naming import layer_names, quoted_token
from app.inspector.picks import token_chips
from app.inspector.stepper import never_written
from app.page.kit import Code, Myth, QuizTask, Screens, beside, guess, say, show_chart, side_by_side
from app.page.sidebar import SETTINGS
from app.ui import player
from app.ui.table import fold
from app.views.walk.output.charts import lens_grid, logit_histogram
from app.views.walk.output.data import distribution, drawn_from, latex, lens

# The piece whose column is looked at, by its id; -1: the one that was written.
PIECE: Final = state.Param[int]("piece", -1, state.whole(-1, 10_000_000))
TOP: Final = 10


@dataclass(frozen=True, eq=False)
class VocabularyPiece:
    """A piece of the vocabulary, by its id, after the token `at` that the decoder has read."""

    walk: Walk
    at: int
    id: int

    @property
    def token(self) -> Token:
        return self.walk.token(self.id)

    @property
    def word(self) -> str:
        """The piece in quotation marks, for Markdown."""
        return quoted_token(self.token)

    @property
    def vocabulary(self) -> str:
        """How many pieces there are, as it is written."""
        return grouped(self.walk.config.n_tgt_vocab)

    @property
    def logits(self) -> np.ndarray:
        """The logits of the whole vocabulary at this step, (V,)."""
        return np.asarray(self.walk.capture.logits[self.at])

    @cached_property
    def likeliest(self) -> list[int]:
        """The ids of the likeliest pieces in order, and this one where it is none of them."""
        ids: list[int] = np.argsort(-self.logits, kind="stable")[:TOP].tolist()
        return ids if self.id in ids else [*ids, self.id]


MARKED: Final = 3


def pick_step(piece: VocabularyPiece) -> None:
    """Draw all that is written, to choose the token whose making is shown."""
    walk = piece.walk
    written = [walk.token(taken(walk, at)) for at in range(len(walk.translation.steps))]
    label = _("Which token is being written?")
    token_chips(
        written, key="pick-step", label=label, role="output", selected=piece.at, on_select=_go
    )


def pick_likely(piece: VocabularyPiece) -> None:
    """Draw the likeliest tokens, to choose one to look at."""
    ids = piece.likeliest
    tokens = [piece.walk.token(i) for i in ids]
    chips(
        [Chip(t.text, special=t.special, note=_("id {id}").format(id=t.id)) for t in tokens],
        key="pick-piece",
        label=_("Whose column?"),
        role="key",
        selected=ids.index(piece.id),
        on_select=lambda i: PIECE.set(ids[i]),
    )


pick_column = beside([0.42, 0.58], pick_step, pick_likely, gap="medium", align="top")


def pick_all(piece: VocabularyPiece) -> None:
    """Draw all that can be chosen."""
    pick_column(piece)
    if not _sampling():
        side_by_side([1] * len(SETTINGS), *SETTINGS, gap="medium", align="top")


def piece_of(walk: Walk) -> VocabularyPiece:
    """Return what is chosen; the piece that was written where there is none such."""
    at, chosen = player.step_of(len(walk.translation.steps)) - 1, PIECE.get()
    return VocabularyPiece(
        walk, at, chosen if 0 <= chosen < walk.config.n_tgt_vocab else taken(walk, at)
    )


screens = Screens[VocabularyPiece]()


@screens(
    "linear",
    N_("One column, one logit"),
    Code(
        N_("The final linear layer"),
        r"\mathrm{logits} = x \, W_{\mathrm{vocab}} + b",
        "model.nn.transformer:Transformer.logits",
    ),
    pick=pick_column,
    was=("vector",),
)
def draw_linear(piece: VocabularyPiece) -> None:
    """Draw the vector's product with one column of the matrix."""
    walk, read = piece.walk, piece.walk.capture.tgt[piece.at]
    vector = _(
        "At step {n} the decoder has read {word}: all layers have turned its vector into these "
        "{d_model} numbers."
    )
    if walk.config.norm == "pre":
        vector = _(
            "At step {n} the decoder has read {word}: all layers and one last normalisation have "
            "turned its vector into these {d_model} numbers."
        )
    vector = vector.format(n=piece.at + 1, word=quoted_token(read), d_model=walk.config.d_model)
    linear = _(
        "The final linear layer is a matrix of {d_model} rows and {size} columns, one for each "
        "token. Multiply x by the column of {word}, number by number, and add up: {sum}. With the "
        "bias {bias}, the *logit* is {logit}. Positive products (blue) speak for {word}, negative "
        "ones (red) against it."
    ).format(
        d_model=walk.config.d_model,
        size=piece.vocabulary,
        word=piece.word,
        sum=number(_products(piece).sum()),
        bias=number(walk.array("param:generator.b")[piece.id]),
        logit=number(piece.logits[piece.id]),
    )
    say(f"{vector}\n\n{linear}")
    products = array_grid(_products(piece), _("products"), "output")
    arrays(walk, [_vector(piece), Op("×"), _column(piece), Op("="), products], key="product")


@screens.drawer(
    "tied",
    N_("Where the columns come from"),
    when=lambda piece: "generator.W" in piece.walk.parameters.tied,
)
def draw_tied(piece: VocabularyPiece) -> None:
    """Draw the token's row of the embedding table beside its column."""
    text = _(
        "This model learned no matrix of its own for this: the two matrices are *tied*. The "
        "column of {word} is its row of the embedding table, number for number. So the final "
        "layer compares x with the embedding of every token, by a dot product."
    )
    say(text, word=piece.word)
    title = _("embedding of “{word}”").format(word=piece.token.text)
    row = grid(piece.walk, "param:tgt_embed", (piece.id, None), title, role="input")
    arrays(piece.walk, [row, Op("="), _column(piece)], key="tied")


def _go(at: int) -> None:
    PIECE.set(-1)
    state.STEP.set(at + 1)


def taken(walk: Walk, at: int) -> int:
    """Return the id of the piece that was written."""
    return walk.translation.steps[at].taken.token.id


def _vector(piece: VocabularyPiece) -> Grid:
    walk, at = piece.walk, piece.at
    title = f"x · {quoted(walk.capture.tgt[at].text)}"
    return grid(walk, walk.inputs("logits")[0], (at, None), title)


def _column(piece: VocabularyPiece) -> Grid:
    title = _("column of “{word}”").format(word=piece.token.text)
    return grid(piece.walk, "param:generator.W", (None, piece.id), title, role="key")


def _products(piece: VocabularyPiece) -> np.ndarray:
    """Return x times the column, number by number, (D,)."""
    x = np.asarray(_vector(piece).values, dtype=np.float64)
    return x * piece.walk.array("param:generator.W", (None, piece.id))


@screens("highest", N_("All logits, and the highest"), pick=pick_step, was=("all",))
def draw_likeliest(piece: VocabularyPiece) -> None:
    """Draw the likeliest tokens' logits as cells, and all of them on demand."""
    first, second = np.argsort(-piece.logits, kind="stable")[:2].tolist()
    never = never_written(piece.walk.translation, piece.at) or ""
    walk = piece.walk
    said = _(
        "Each of the {size} tokens gets a logit: any number in (−∞, ∞). Here are the highest. On "
        "its own a logit means little; only the gaps between logits count. {first} leads {second} "
        "by {gap}."
    ).format(
        size=piece.vocabulary,
        first=quoted_token(walk.token(first)),
        second=quoted_token(walk.token(second)),
        gap=number(float(piece.logits[first]) - float(piece.logits[second])),
    )
    say(f"{said} {never}".rstrip())
    left, right = st.columns(2, gap="medium")
    with left:
        ids, index = piece.likeliest, (piece.at, None)
        words = [walk.token(i).text for i in ids]
        strip = grid(walk, "logits", index, "logits", cols=ids, col_labels=words, role="output")
        arrays(walk, [strip], key="logits")

        def draw_all() -> None:
            whole = grid(walk, "logits", index, _("all logits, by id"), role="output")
            arrays(walk, [whole], key="all-logits")

        label = _("The whole row: {size} logits").format(size=piece.vocabulary)
        fold(label, "all-logits", "apps", draw_all)
    with right:
        above = int((piece.logits > piece.logits[piece.id]).sum())
        text = _(
            "All {size} logits, by size; the count is logarithmic, so that even a single token "
            "shows. Half of them lie below {median}. {word} has {logit}, more than any other."
        )
        if above:
            text = _(
                "All {size} logits, by size; the count is logarithmic, so that even a single "
                "token shows. Half of them lie below {median}. {word} has {logit}; others with "
                "more: {above}."
            )
        say(
            text,
            size=piece.vocabulary,
            median=number(np.median(piece.logits)),
            word=piece.word,
            logit=number(piece.logits[piece.id]),
            above=grouped(above),
        )
        marked = dict.fromkeys([*piece.likeliest[:MARKED], piece.id])
        logits = {walk.token(i).text: float(piece.logits[i]) for i in marked}
        figure = logit_histogram(piece.logits, logits)
        show_chart(figure, "logit-counts", _("How many tokens have which logit"))


def pick_settings(piece: VocabularyPiece, count: int = len(SETTINGS)) -> None:
    """Draw what is written, and the first settings of what a token is drawn from."""
    settings = SETTINGS[:count]
    if _sampling():
        pick_step(piece)
        text = _(
            "You decode by sampling now, so these settings shape the translation itself: they "
            "are in the sidebar, under “Decoding”."
        )
        st.info(text)
        return
    widths = [1 - 0.19 * len(settings), *[0.19] * len(settings)]
    side_by_side(widths, partial(pick_step, piece), *settings, gap="medium", align="top")


def _sampling() -> bool:
    """Whether the settings are those of the translation itself, which are in the sidebar."""
    return state.METHOD.get() == "sample"


SOFTMAX_TITLE: Final = N_("From logits to probabilities")
TEMPERATURE_TITLE: Final = N_("Temperature")
CHOICE_TITLE: Final = N_("Choosing the token")
LENS_TITLE: Final = N_("What each layer would already have said")
FIRST = 3  # how many tokens of each layer are named
ROW: Final = 21  # pixels a token
FEW: Final = 7  # tokens that have a bar where there are four columns of them
# On a narrow screen the picture scrolls in its own frame: its columns need their width.
STYLE = """<style>
[class*="st-key-stages-"] { overflow-x: auto; }
[class*="st-key-stages-"] > * { min-width: 480px; }
</style>"""


def myth(piece: VocabularyPiece) -> Myth:
    """Give the likeliest token, and all outside of the first few, at three temperatures."""
    sharp, usual, flat = (distribution(piece.logits, t).probabilities for t in (0.5, 1.0, 2.0))
    top = distribution(piece.logits).order[:TOP].tolist()
    truth = _(
        "Softmax only divides 1 among the {size} tokens. Divide the logits by T = 2, and “{word}” "
        "falls from {p} to {flat}; by T = 0.5, and it rises to {sharp}: whether it is right has "
        "not changed. Nor does a temperature bring ideas. The order of the tokens stays the same, "
        "and sampling only reaches further down: the {n} tokens after the first {top} share "
        "{rest} at T = 1, and {more} at T = 2."
    ).format(
        size=piece.vocabulary,
        word=quoted_token(piece.walk.token(top[0]))[1:-1],
        p=probability(float(usual[top[0]])),
        flat=probability(float(flat[top[0]])),
        sharp=probability(float(sharp[top[0]])),
        n=grouped(len(usual) - len(top)),
        top=len(top),
        rest=probability(rest_of(usual, top)),
        more=probability(rest_of(flat, top)),
    )
    return Myth(
        _(
            "Softmax gives the probability of being right, and a higher temperature makes the "
            "model creative."
        ),
        truth,
    )


@screens(
    "softmax",
    SOFTMAX_TITLE,
    Code(
        N_("Every stage over the whole vocabulary"),
        r"e^{z_i / T - \max_j z_j / T} \;\to\; \div \Sigma",
        "model.interpret.calculation.target:distribution",
    ),
    pick=pick_step,
)
def draw_softmax(piece: VocabularyPiece) -> None:
    """Draw the three stages from logits to probabilities."""
    ids = piece.likeliest
    p = probability(rest_of(distribution(piece.logits).probabilities, ids))
    others = grouped(piece.walk.config.n_tgt_vocab - len(ids))
    softmax_text = _(
        "Raise e to the power of every logit: all numbers become positive, and differences become "
        "ratios. Divide by their sum over the whole vocabulary: now they add up to 1. (The "
        "largest logit is subtracted first, which cancels in the division.)"
    )
    tail = _("The other {n} tokens share {p}.")
    say(f"{softmax_text} {tail}", n=others, p=p)
    all_ = distribution(piece.logits)
    columns = [
        _plain_bars(_("logit z"), piece.logits, ids),
        _bars("e^(z − max)", all_.powers, ids),
        _bars(_("÷ Σ = p"), all_.probabilities, ids, top=1.0),
    ]
    _draw_stages(piece, ids, columns, "softmax", _(SOFTMAX_TITLE))


def rest_of(values: np.ndarray, ids: Sequence[int]) -> float:
    """Add up what all tokens have but those of some ids."""
    return float(np.delete(values, ids).sum())


def _draw_stages(
    piece: VocabularyPiece,
    ids: Sequence[int],
    columns: Sequence[Column],
    key: str,
    title: str,
) -> None:
    """Draw a column of bars for each stage: of some tokens, then of all others."""
    rest = _("the other {n}").format(n=grouped(piece.walk.config.n_tgt_vocab - len(ids), " "))
    labels = [*(piece.walk.token(i).text for i in ids), rest]
    figure = stage_bars(columns, labels, marked=ids.index(piece.id), quiet=len(labels) - 1)
    figure["layout"]["height"] = ROW * len(labels) + 60
    st.html(STYLE)
    with st.container(key=f"stages-{key}"):
        numbers = {column.title: column.values.tolist() for column in columns}
        show_chart(figure, key, title, lambda: {_("token"): labels} | numbers)


def _plain_bars(title: str, values: np.ndarray, ids: Sequence[int]) -> Column:
    """Return a column of numbers that cannot be added up: nothing stands for the others."""
    own = np.asarray(values, dtype=np.float64)[list(ids)]
    return Column(title, np.append(own, np.nan), [*map(number, own.tolist()), ""])


def _bars(title: str, values: np.ndarray, ids: Sequence[int], top: float | None = None) -> Column:
    """Return a column of numbers that add up: the last one is that of all others."""
    all_ = np.append(values[list(ids)], rest_of(values, ids))
    return Column(title, all_, [probability(value) for value in all_.tolist()], "output", top)


@screens(
    "temperature",
    TEMPERATURE_TITLE,
    Code(
        N_("Softmax with temperature, top-k and top-p"),
        r"p_i = \frac{e^{z_i / T}}{\sum_{j} e^{z_j / T}}",
        "model.decoding.sampling:sampling_probs",
    ),
    pick=lambda piece: pick_settings(piece, 1),
)
def draw_temperature(piece: VocabularyPiece) -> None:
    """Draw all stages from logits to probabilities, with the division by T."""
    text = _(
        "The logits can be divided by a *temperature* T: below 1 their gaps grow, above 1 they "
        "shrink. The order stays, so greedy decoding does not notice. Move T and watch."
    )
    say(text)
    guess(guess_temperature(piece))
    all_, first = distribution(piece.logits, state.TEMPERATURE.get()), piece.likeliest[:FEW]
    ids = first if piece.id in first else [*first, piece.id]
    columns = [
        _plain_bars(_("logit z"), piece.logits, ids),
        _plain_bars("z ÷ T", all_.scaled, ids),
        _bars("e^(z ÷ T − max)", all_.powers, ids),
        _bars(_("÷ Σ = p"), all_.probabilities, ids, top=1.0),
    ]
    _draw_stages(piece, ids, columns, "temperature", _(TEMPERATURE_TITLE))


@screens.drawer("numbers", N_("The softmax, number by number"))
def draw_numbers(piece: VocabularyPiece) -> None:
    """Write the three steps with the numbers of the token that is looked at."""
    text = _(
        "The same for {word} alone, with its own numbers. The sum that it is divided by runs over "
        "all {size} tokens, not only over those that have a bar."
    )
    say(text, word=piece.word, size=piece.vocabulary)
    temperature = state.TEMPERATURE.get()
    all_ = distribution(piece.logits, temperature)
    stages = (piece.logits, all_.scaled, all_.powers, all_.probabilities)
    logit, scaled, power, p = (float(values[piece.id]) for values in stages)
    z, z_t, e, total = map(latex.number, (logit, scaled, power, all_.total))
    formula = (
        r"\large\begin{aligned}"
        rf"\dfrac{{z}}{{T}} &= \dfrac{{{z}}}{{{temperature:g}}} = {z_t} \\[10pt]"
        rf"e^{{z/T - \max}} &= e^{{{z_t} - {latex.signed(all_.largest)}}} = {e} \\[10pt]"
        rf"p &= \dfrac{{{e}}}{{{total}}} = {latex.number(p)}"
        r"\end{aligned}"
    )
    st.latex(tex(formula))


def guess_temperature(piece: VocabularyPiece) -> QuizTask:
    """Ask what halving all logits does to the likeliest token."""
    one, two = (distribution(piece.logits, temperature) for temperature in (1.0, 2.0))
    best = int(one.order[0])
    p, q = float(two.probabilities[best]), float(one.probabilities[best])
    asks = N_(
        "All logits are halved (T = 2). What becomes of the probability of the likeliest token?"
    )
    says = N_("At T = 2, “{word}” has {p}, not {q}: smaller gaps, more equal shares.")
    options = [_("It rises"), _("It does not change"), _("It falls")]
    values = {"word": piece.walk.token(best).text, "p": probability(p), "q": probability(q)}
    return QuizTask.of(asks, options, [2 if p < q else 1], says, **values)


@screens("choice", CHOICE_TITLE, pick=pick_settings)
def draw_choice(piece: VocabularyPiece) -> None:
    """Draw the probabilities, and what a token is drawn from."""
    final = drawn_from(
        piece.walk, piece.at, state.TEMPERATURE.get(), state.TOP_K.get(), state.TOP_P.get()
    ).final
    text = _(
        "Greedy decoding takes the likeliest token; beam search follows several. Sampling "
        "draws one at random: *top-k* keeps the k likeliest, *top-p* the fewest that together "
        "reach p, and what is left is divided by its sum again. Now {kept} of {size} tokens "
        "can be drawn; {word} was written."
    )
    word = quoted_token(piece.walk.token(taken(piece.walk, piece.at)))
    say(text, kept=grouped(int((final > 0).sum())), size=piece.vocabulary, word=word)
    all_, ids = distribution(piece.logits, state.TEMPERATURE.get()), piece.likeliest
    columns = [
        _bars("p", all_.probabilities, ids, top=1.0),
        _bars(_("drawn from"), final, ids, top=1.0),
    ]
    _draw_stages(piece, ids, columns, "choice", _(CHOICE_TITLE))


@screens(
    "lens",
    LENS_TITLE,
    Code(
        N_("What each layer would have said"),
        r"\mathrm{softmax}(\mathrm{norm}(x^{(l)}) \, W_{\mathrm{vocab}} + b)",
        "model.interpret.calculation.stream:logit_lens",
    ),
    pick=pick_step,
)
def draw_lens(piece: VocabularyPiece) -> None:
    """Draw the likeliest tokens of each decoder layer's output, and what it gives to one token."""
    text = _(
        "Every decoder layer leaves a vector of the same length, so an earlier one can go "
        "straight to the final layer and the softmax. The model was never trained to speak this "
        "early: do not take the lower rows for its opinion."
    )
    say(text)
    guess(guess_lens(piece))
    probabilities = lens(piece.walk, piece.at)  # (L, V)
    best = np.argsort(-probabilities, axis=-1, kind="stable")[:, :FIRST]
    shown = np.concatenate([best, np.full((len(best), 1), piece.id)], axis=1)  # (L, 4)
    words = [[piece.walk.token(int(i)).text for i in row] for row in shown]
    layers = layer_names(len(shown))
    choices = [_("choice {n}").format(n=i + 1) for i in range(FIRST)] + [f"“{piece.token.text}”"]
    values = np.take_along_axis(probabilities, shown, axis=1)
    columns: dict[str, Sequence[str | float]] = {_("layer"): layers}
    for i, choice in enumerate(choices):
        columns[choice] = [row[i] for row in words]
        columns[f"p · {choice}"] = values[:, i].tolist()
    figure = lens_grid(values, words, layers, choices)
    show_chart(figure, "layers", _(LENS_TITLE), lambda: columns)
    by_layer = listed(probability(p) for p in probabilities[:, piece.id])
    st.markdown(_("Layer by layer, {word} has {list}.").format(word=piece.word, list=by_layer))


def guess_lens(piece: VocabularyPiece) -> QuizTask:
    """Ask at which layer the token that is likeliest at the end comes to the front."""
    probabilities = lens(piece.walk, piece.at)  # (L, V)
    best = probabilities.argmax(-1)
    first = int((best == best[-1]).argmax())
    layers = layer_names(len(best))
    p = probability(probabilities[first, best[-1]])
    asks = N_("At which layer does “{word}”, the likeliest token at the end, first take the lead?")
    says = N_("It is in front for the first time at {layer}, with {p}.")
    values = {"word": piece.walk.token(int(best[-1])).text, "layer": layers[first], "p": p}
    return QuizTask.of(asks, layers, [first], says, **values)
