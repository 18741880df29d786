"""What the step to attention alone gained: scores by length, speed, and quality."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.bars import pair_bars
from app.charts.curves import Curve, Look, curves
from app.charts.theme import Role
from app.data.attention import favourites
from app.data.translation import model_info
from app.format import grouped, listed, number, percent
from app.i18n import N_, _
from app.page.kit import Code, QuizTask, Screens, guess, pick, say, show_chart
from app.page.live_training import draw_live, training
from app.ui.table import Columns, written_table
from app.views.history.evolution import data
from app.views.history.evolution.beside import NAMES, pick_sentence
from app.views.history.evolution.data import EvolutionChoice

LENGTH_TITLE: Final = N_("How long may a sentence be?")
LENGTH: Final = {
    "bleu": N_(
        "BLEU (100: word for word the reference) of {n} sentences, by their number of words."
    ),
    "chrf": N_(
        "chrF (100: letter for letter the reference), which forgives a wrong ending, of {n} "
        "sentences, by their number of words."
    ),
}
TEST_NAMES: Final = {
    "test": N_("held-out sentences"),
    "test_as_typed": N_("the same, as typed"),
    "everyday": N_("everyday sentences"),
}
NOT_MEASURED: Final = N_("None of these models has its scores by length in its folder.")
SPEED_TITLE: Final = N_("What the waiting costs: measure it")
LENGTH_AXIS: Final = N_("tokens in each sentence")
SPEED_AXIS: Final = N_("tokens per second")
NO_NUMBER: Final = "–"
ROLES: Final[dict[str, Role]] = dict(
    zip((*data.MODELS, data.EARLY), ("key", "query", "value", "residual"), strict=True)
)
TEST: Final = state.Param[data.Test]("test", "test", state.one_of(*data.TESTS))
METRIC: Final = state.Param[str]("score", "bleu", state.one_of("bleu", "chrf"))
HIGH: Final = 330  # pixels
METRICS: Final = {"bleu": "BLEU", "chrf": "chrF"}
LOOKS: Final[dict[str, Look]] = dict(zip(data.MODELS, ("points", "dash", "line"), strict=True))
screens = Screens[EvolutionChoice]()


@screens("length", LENGTH_TITLE, pick=False)
def draw_scores(choice: EvolutionChoice) -> None:
    """Draw scores by number of source words for the models whose files hold them."""
    say()
    measured = {test: _alike(_scores(choice, test)) for test in data.TESTS}
    offered = {test: TEST_NAMES[test] for test in data.TESTS if measured[test]}
    if not offered:
        st.info(_(NOT_MEASURED))
        return
    test = TEST.get() if TEST.get() in offered else next(iter(offered))
    scores = measured[test]
    both = all(row.chrf is not None for of in scores.values() for row in of)
    metric = METRIC.get() if both else "bleu"
    with st.container(horizontal=True, vertical_alignment="center"):
        pick(TEST, _("Sentences"), offered, value=test, label_visibility="collapsed")
        if both:
            pick(METRIC, _("Score"), METRICS, value=metric, label_visibility="collapsed")
        rows = next(iter(scores.values()))
        text = _("The last group has only {n} sentences, so its numbers are the least certain.")
        st.caption(text.format(n=rows[-1].n))
    of_each = {name: np.array([getattr(row, metric) for row in of]) for name, of in scores.items()}
    st.markdown(
        f"{_(LENGTH[metric]).format(n=grouped(sum(row.n for row in rows)))} {_ends(of_each)}"
    )
    groups = [
        _("{low}–{high} words ({n})").format(low=row.low, high=row.high, n=grouped(row.n, " "))
        for row in rows
    ]
    series = [(_name(name), ROLES[name], of) for name, of in of_each.items()]
    figure = pair_bars(series, groups, value_title=METRICS[metric], span=(0, 100))
    figure["layout"]["height"] = HIGH
    columns: dict[str, Sequence[str | float]] = {
        _("words"): [f"{row.low}–{row.high}" for row in rows],
        _("sentences"): [str(row.n) for row in rows],
    }
    scored: Columns = columns | {name: of.tolist() for name, _role, of in series}
    show_chart(figure, f"{metric}-by-length", _(LENGTH_TITLE), lambda: scored)
    if data.EARLY in of_each:
        says = _(
            "“{name}” is the same training, stopped where it had read as many tokens as the "
            "two recurrent networks. Its learning rate had not fallen yet; theirs had."
        )
        st.caption(says.format(name=_name(data.EARLY)))


def _scores(choice: EvolutionChoice, test: data.Test) -> dict[str, tuple[data.OfLength, ...]]:
    """Return all models' scores on a test; before the Transformer's, those that compare like with
    like: after as many tokens as the others have read.
    """
    scores = {name: data.by_length(name, test) for name in choice.translations}
    if data.are_early_scores_fair(choice.translations):
        last = scores.pop(data.TRANSFORMER)
        early = data.by_length(data.TRANSFORMER, test, early=True)
        scores |= {data.EARLY: early, data.TRANSFORMER: last}
    return scores


def _name(name: str) -> str:
    if name != data.EARLY:
        return _(NAMES[name])
    millions = number((data.early_tokens(data.TRANSFORMER) or 0) / 1e6, 0)
    return _("Transformer after {millions} M tokens").format(millions=millions)


def _ends(of_each: dict[str, np.ndarray]) -> str:
    """Say each model's score on the shortest sentences and on the longest."""
    each = _("**{name}**: {first} → {last}")
    ends = (
        each.format(name=_name(name), first=number(of[0], 1), last=number(of[-1], 1))
        for name, of in of_each.items()
    )
    length_ends = _("From the shortest sentences to the longest:")
    return f"{length_ends} {listed(ends)}."


def _alike(scores: dict[str, tuple[data.OfLength, ...]]) -> dict[str, tuple[data.OfLength, ...]]:
    """Leave out models without scores, and those whose groups differ from the first one's."""
    groups = {name: [(row.low, row.high, row.n) for row in rows] for name, rows in scores.items()}
    first = next(filter(None, groups.values()), [])
    return {name: rows for name, rows in scores.items() if rows and groups[name] == first}


@screens(
    "row",
    N_("Steps that wait for one another"),
    Code(
        N_("The measurement"),
        r"\frac{\text{tokens}}{\text{seconds}}",
        "model.history.speed:measure",
    ),
    pick=pick_sentence,
)
def draw_row(choice: EvolutionChoice) -> None:
    """Draw the steps that must run one after another."""
    n_src, n_tgt = _tokens(choice)
    text = _(
        "An RNN needs the previous state to make the next, in training too. The Transformer "
        "handles all tokens at once and waits only from layer to layer. Your sentence has "
        "{n_src} tokens, its translation {n_tgt}."
    )
    say(text.format(n_src=n_src, n_tgt=n_tgt))
    rnn, transformer = waiting(choice)
    options = sorted({1, transformer, rnn})
    says = _("{n}: one a layer, however long the sentence.").format(n=transformer)
    question = _(
        "In training, an RNN takes {n} steps one after another for your sentence. How many does "
        "the Transformer take?"
    ).format(n=rnn)
    right = frozenset([options.index(transformer)])
    guess(QuizTask(question, [str(n) for n in options], right, says, says))
    names = tuple(choice.translations)
    steps, longer = (
        [str(data.steps_in_a_row(name, times * n_src, times * n_tgt)) for name in names]
        for times in (1, 10)
    )
    columns = {
        _("model"): [_(NAMES[name]) for name in names],
        _("parameters"): [grouped(model_info(name).parameters) for name in names],
        _("steps in a row, your sentence"): steps,
        _("with ten times as many words"): longer,
    }
    written_table(columns)


@screens.drawer("speed", SPEED_TITLE)
def draw_speed(choice: EvolutionChoice) -> None:
    """Measure what it costs that steps must wait."""
    text = _(
        "Each model is built once more, untrained, and trained on batches of {tokens} tokens: "
        "many short sentences or few long ones, made of your tokens. No other model changes."
    )
    say(text.format(tokens=data.speed.TOKENS))
    names = tuple(choice.translations)
    source = [token.id for token in next(iter(choice.translations.values())).source.tokens]
    running = training("speed", names, lambda: data.speeds(names, source), first=0)
    start = N_("Measure"), N_("Time all models at all lengths, or until you stop it.")
    draw_live(running, len(data.speed.LENGTHS) * len(names), _draw, start=start)
    says = _(
        "This is the time of one processor core, which computes little at once anyway. On a "
        "graphics processor, most of its thousands of arithmetic units would stand idle while "
        "a network waits."
    )
    st.caption(says)


def waiting(choice: EvolutionChoice) -> tuple[int, int]:
    """Return how many steps run one after another: in an RNN, and in the last model."""
    n_src, n_tgt = _tokens(choice)
    return n_src + n_tgt, data.steps_in_a_row(list(choice.translations)[-1], n_src, n_tgt)


def _tokens(choice: EvolutionChoice) -> tuple[int, int]:
    first = next(iter(choice.translations.values()))
    return len(first.source.tokens), len(first.target.tokens)


def _draw(measured: Sequence[data.speed.Speed]) -> None:
    if not measured:
        st.info(_("Nothing is measured yet."))
        return
    lines, told = [], []
    for name in data.MODELS:
        own = [speed for speed in measured if speed.name == name]
        if not own:
            continue
        lengths = np.array([speed.length for speed in own])
        rates = np.array([speed.tokens_per_second for speed in own])
        lines.append(Curve(_(NAMES[name]), lengths, rates, ROLES[name], LOOKS[name]))
        text = _(
            "**{name}**: {short} tokens per second in sentences of {low} tokens, {long} in "
            "sentences of {high}: {ratio} % of that."
        )
        ends = {"low": lengths[0], "high": lengths[-1], "ratio": round(100 * rates[-1] / rates[0])}
        ends |= {"short": grouped(round(rates[0])), "long": grouped(round(rates[-1]))}
        told.append(text.format(name=_(NAMES[name]), **ends))
    axes = _(LENGTH_AXIS), _(SPEED_AXIS)
    figure = curves(lines, *axes, steps=data.speed.LENGTHS[-1], height=210)
    show_chart(figure, "speed", _(SPEED_TITLE), partial(_columns, measured))
    for text in told:
        st.markdown(f"- {text}")


def _columns(measured: Sequence[data.speed.Speed]) -> Columns:
    return {
        _("model"): [_(NAMES[speed.name]) for speed in measured],
        _(LENGTH_AXIS): [str(speed.length) for speed in measured],
        _("tokens of a batch"): [str(speed.tokens) for speed in measured],
        _("seconds of a batch"): [speed.seconds for speed in measured],
        _(SPEED_AXIS): [speed.tokens_per_second for speed in measured],
    }


@screens("better", N_("Three advantages over recurrent networks"), pick=pick_sentence)
def draw_better(choice: EvolutionChoice) -> None:
    """Draw the three, side by side."""
    say(_("What the Transformer gained, with the numbers of these three models."))
    scores = scores_of(choice)
    rnn, transformer = waiting(choice)
    far, says = NO_NUMBER, _(NOT_MEASURED)
    fair = data.EARLY if data.EARLY in scores else data.TRANSFORMER
    if both := scores.get(data.RECURRENT) and scores.get(fair):
        first, last = scores[data.RECURRENT][-1], both[-1]
        far = f"{number(first.bleu, 1)} → {number(last.bleu, 1)}"
        says = _("{low} to {high} words, from the RNN to the {name}").format(
            low=last.low, high=last.high, name=_name(fair)
        )
    cards = (
        (
            _("**1. It computes in parallel.** Steps that wait for one another in training:"),
            f"{rnn} → {transformer}",
            _("on your sentence, from the RNN to the Transformer"),
        ),
        (
            _("**2. It attends to what matters now.** Weight of the favourite token, not `<eos>`:"),
            _focus(choice),
            _(
                "on average, in the head of the Transformer where this is largest; the RNN has no "
                "weights"
            ),
        ),
        (_("**3. It joins what is far apart.** BLEU on the longest sentences:"), far, says),
    )
    for column, (title, value, what) in zip(st.columns(3, gap="small"), cards, strict=True):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"{title}\n\n### {value}\n\n{what}")
    if both:
        kept = {"rnn": _kept(scores[data.RECURRENT]), "transformer": _kept(both)}
        text = _(
            "From the shortest sentences to the longest, the RNN keeps {rnn} of its BLEU, the "
            "{name} {transformer}: with attention, any two tokens are one step apart."
        )
        st.markdown(text.format(name=_name(fair), **kept))


def scores_of(choice: EvolutionChoice) -> dict[str, tuple[data.OfLength, ...]]:
    """Return the scores by length of the models that have them, in the same groups."""
    return _alike(_scores(choice, "test"))


def _focus(choice: EvolutionChoice) -> str:
    for name in (data.TRANSFORMER, data.SEARCH):
        if name in choice.translations:
            return percent(float(favourites(choice.translations[name].capture).max()))
    return NO_NUMBER


def _kept(rows: tuple[data.OfLength, ...]) -> str:
    return percent(rows[-1].bleu / rows[0].bleu) if rows[0].bleu else NO_NUMBER
