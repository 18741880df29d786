"""From scores to probabilities, to a choice, and to what each layer would have chosen."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.bars import Column, stage_bars
from app.format import grouped, listed, number, probability, tex
from app.i18n import N_, _
from app.inspector.naming import layer_names, quoted_token
from app.page.kit import Code, Myth, QuizTask, Screens, guess, say, show_chart
from app.views.walk.output import logits
from app.views.walk.output.charts import lens_grid
from app.views.walk.output.data import Distribution, distribution, drawn_from, latex, lens

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


def myth(piece: logits.VocabularyPiece) -> Myth:
    """Give the likeliest token, and all outside of the first few, at three temperatures."""
    sharp, usual, flat = (distribution(piece.logits, t).probabilities for t in (0.5, 1.0, 2.0))
    top = distribution(piece.logits).order[: logits.TOP].tolist()
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


screens = Screens[logits.VocabularyPiece]()


@screens(
    "softmax",
    SOFTMAX_TITLE,
    Code(
        N_("Every stage over the whole vocabulary"),
        r"e^{z_i / T - \max_j z_j / T} \;\to\; \div \Sigma",
        "model.interpret.calculation.target:distribution",
    ),
    pick=logits.pick_step,
)
def draw_softmax(piece: logits.VocabularyPiece) -> None:
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
    say(f"{softmax_text} {tail.format(n=others, p=p)}")
    all_ = distribution(piece.logits)
    columns = [
        _logits(_("logit z"), piece.logits, ids),
        _column("e^(z − max)", all_.powers, ids),
        _column(_("÷ Σ = p"), all_.probabilities, ids, top=1.0),
    ]
    _draw_stages(piece, ids, columns, "softmax", _(SOFTMAX_TITLE))


def rest_of(values: np.ndarray, ids: Sequence[int]) -> float:
    """Add up what all tokens have but those of some ids."""
    return float(np.delete(values, ids).sum())


def _draw_stages(
    piece: logits.VocabularyPiece,
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


def _logits(title: str, values: np.ndarray, ids: Sequence[int]) -> Column:
    """Return a column of numbers that cannot be added up: nothing stands for the others."""
    own = np.asarray(values, dtype=np.float64)[list(ids)]
    return Column(title, np.append(own, np.nan), [*map(number, own.tolist()), ""])


def _column(title: str, values: np.ndarray, ids: Sequence[int], top: float | None = None) -> Column:
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
    pick=logits.pick_temperature,
)
def draw_temperature(piece: logits.VocabularyPiece) -> None:
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
        _logits(_("logit z"), piece.logits, ids),
        _logits("z ÷ T", all_.scaled, ids),
        _column("e^(z ÷ T − max)", all_.powers, ids),
        _column(_("÷ Σ = p"), all_.probabilities, ids, top=1.0),
    ]
    _draw_stages(piece, ids, columns, "temperature", _(TEMPERATURE_TITLE))


@screens.drawer("numbers", N_("The softmax, number by number"))
def draw_numbers(piece: logits.VocabularyPiece) -> None:
    """Write the three steps with the numbers of the token that is looked at."""
    text = _(
        "The same for {word} alone, with its own numbers. The sum that it is divided by runs over "
        "all {size} tokens, not only over those that have a bar."
    )
    say(text.format(word=piece.word, size=piece.vocabulary))
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


def guess_temperature(piece: logits.VocabularyPiece) -> QuizTask:
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


@screens("choice", CHOICE_TITLE, pick=logits.pick_settings)
def draw_choice(piece: logits.VocabularyPiece) -> None:
    """Draw the probabilities, and what a token is drawn from."""
    kept, written = int((_drawn(piece).final > 0).sum()), logits.taken(piece.walk, piece.at)
    word = quoted_token(piece.walk.token(written))
    text = _(
        "Greedy decoding takes the likeliest token; beam search follows several. Sampling "
        "draws one at random: *top-k* keeps the k likeliest, *top-p* the fewest that together "
        "reach p, and what is left is divided by its sum again. Now {kept} of {size} tokens "
        "can be drawn; {word} was written."
    )
    say(text.format(kept=grouped(kept), size=piece.vocabulary, word=word))
    all_, ids = distribution(piece.logits, state.TEMPERATURE.get()), piece.likeliest
    columns = [
        _column("p", all_.probabilities, ids, top=1.0),
        _column(_("drawn from"), _drawn(piece).final, ids, top=1.0),
    ]
    _draw_stages(piece, ids, columns, "choice", _(CHOICE_TITLE))


def _drawn(piece: logits.VocabularyPiece) -> Distribution:
    temperature, top_k = state.TEMPERATURE.get(), state.TOP_K.get()
    return drawn_from(piece.walk, piece.at, temperature, top_k, state.TOP_P.get())


@screens(
    "lens",
    LENS_TITLE,
    Code(
        N_("What each layer would have said"),
        r"\mathrm{softmax}(\mathrm{norm}(x^{(l)}) \, W_{\mathrm{vocab}} + b)",
        "model.interpret.calculation.stream:logit_lens",
    ),
    pick=logits.pick_step,
)
def draw_lens(piece: logits.VocabularyPiece) -> None:
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


def guess_lens(piece: logits.VocabularyPiece) -> QuizTask:
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
