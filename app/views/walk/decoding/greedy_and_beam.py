"""Greedy decoding against a beam, both really run on the same sentence, and what they add up to."""

import html
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final

import numpy as np
import streamlit as st

from app.components.board import Grid, array_grid
from app.data.changed import translated
from app.data.decoding import running
from app.data.steering import looped
from app.data.translation import Decoding, Token, Translation, translate
from app.data.walk import Walk, code, powers
from app.format import escape, grouped, number, power, probability, share, visible
from app.i18n import N_, _
from app.inspector.arrays import arrays, draw_board
from app.inspector.naming import quoted_token
from app.inspector.picks import token_chips
from app.page.kit import Code, Myth, QuizTask, Screens, guess, say
from app.texts.examples import HARD
from app.ui.chosen import pair
from app.ui.kept import show_html
from app.ui.sentence_box import offer
from app.views.walk.decoding.steps import DecoderStep

MYTH: Final = N_(
    "Greedy decoding takes the likeliest token at every step, so it finds the likeliest sentence."
)
WIDTH: Final = 4
WAYS: Final = (Decoding("greedy"), Decoding("beam", WIDTH))


def myth(moment: DecoderStep) -> Myth:
    """Show a sentence for which the beam finds a likelier translation: this one, or a hard one."""
    for text in (moment.walk.translation.text, *harder(moment.walk)):
        greedy, other = both(moment.walk, text)
        ours, theirs = _total(greedy), _total(other)
        if theirs > ours and parting(greedy, other) is not None:
            times = float(powers(theirs - ours))
            truth = _(
                "For “{text}”, greedy decoding writes “{greedy}”, with log p = {greedy_total} in "
                "all. The beam writes “{beam}”, with {beam_total}: {times} times as likely, for "
                "the same model. A token that is likeliest now can lead to a sentence that is not."
            ).format(
                text=escape(text),
                greedy=escape(greedy.output),
                beam=escape(other.output),
                greedy_total=number(ours, 3),
                beam_total=number(theirs, 3),
                times=number(times, 1) if times < 1000 else grouped(round(times)),
            )
            return Myth(_(MYTH), truth)
    truth = _(
        "Greedy decoding never goes back: a token that is likeliest now can lead to a sentence "
        "that is not. Your sentence gives no example, since the beam found nothing likelier than "
        "greedy decoding's log p = {greedy_total}. Try a longer or rarer one."
    )
    return Myth(_(MYTH), truth.format(greedy_total=number(_total(both(moment.walk)[0]), 3)))


screens = Screens[DecoderStep]()


@screens(
    "ways",
    N_("Greedy against beam"),
    Code(
        N_("Greedy: take the likeliest"),
        r"y_t = \arg\max_w \; p(w \mid y_{<t}, x)",
        "model.decoding.sampling:likeliest",
    ),
    Code(
        N_("Beam: keep the best beginnings"),
        r"\mathrm{score}(y) = \frac{1}{|y|} \sum_t \log p(y_t \mid y_{<t}, x)",
        "model.decoding.beam:Beam.choose",
    ),
    pick=False,
    was=("totals",),
)
def draw_ways(moment: DecoderStep) -> None:
    """Draw what both write, where they part, and log p added up."""
    greedy, beam = both(moment.walk)
    ours, theirs = (number(log_probs(way).mean(), 3) for way in (greedy, beam))
    ways = _(
        "The model gives probabilities; something has to choose. Greedy decoding takes the "
        "likeliest token at every step and never looks back. Beam search keeps the {width} best "
        "beginnings, continues all of them, and decides at the end."
    ).format(width=WIDTH)
    totals = _(
        "The last row of each board adds up log p, token by token. Every token makes the sum "
        "smaller, so short sentences would win too easily. The beam divides it by the number of "
        "tokens: {greedy} for greedy decoding, {beam} for the beam. The larger one is better."
    ).format(greedy=ours, beam=theirs)
    say(f"{ways} {totals}")
    step = parting(greedy, beam)
    asks = N_(
        "Greedy decoding and a beam of {width} both translate your sentence. Do they write "
        "the same?"
    )
    says = N_("Here they write the same.")
    if step is not None:
        says = N_("They differ here, from step {n} on.")
    options, right = [_("Yes, the same"), _("No, they differ")], [int(step is not None)]
    guess(QuizTask.of(asks, options, right, says, width=WIDTH, n=(step or 0) + 1))
    named = {_("Greedy"): greedy, _("Beam of {width}").format(width=WIDTH): beam}
    _draw_cards(moment.walk, named, step)
    draw_board(sum_grids({" = ".join(named): greedy} if step is None else named), "log-p")


def _draw_cards(walk: Walk, ways: Mapping[str, Translation], step: int | None) -> None:
    """Draw what both write, and say where they part; where they do not, offer harder sentences."""
    for column, (name, way) in zip(st.columns(2, gap="medium"), ways.items(), strict=True):
        with column, st.container(border=True):
            _draw_card(name, way, step)
    greedy, beam = ways.values()
    st.markdown(_comparison(greedy, beam, step))
    if step is None and (hard := harder(walk)):
        st.markdown(_("They differ more often on long and unusual sentences. Try one:"))
        offer(hard, "hard")


@screens.drawer("greedy", N_("Greedy decoding, as a loop"))
def draw_loop(moment: DecoderStep) -> None:
    """Draw the lines of the loop, and all tokens that they write."""
    tokens, eos_id = looped(moment.walk), moment.walk.config.eos_id
    ended = bool(tokens) and tokens[-1].id == eos_id
    text = _(
        "Here is all of greedy decoding: read what is written so far, take the likeliest token, "
        "append it, and stop at `<eos>`. We ran these lines on your sentence. `<eos>` never came, "
        "so they stopped after **{n}** rounds, the longest allowed length."
    )
    if ended:
        text = _(
            "Here is all of greedy decoding: read what is written so far, take the likeliest "
            "token, append it, and stop at `<eos>`. We ran these lines on your sentence: the "
            "loop ran **{n}** times."
        )
    say(text, n=len(tokens))
    label = _("What the loop wrote")
    token_chips(tokens, key="looped", label=label, role="output")
    st.code(code("model.decoding.search:greedy_loop"), "python")


@screens.drawer("sums", N_("How likely is a whole sentence?"))
def draw_sums(moment: DecoderStep) -> None:
    """Draw p of every token, log p, and the sum so far; say what p that is of all."""
    way = moment.walk.translation
    total = _total(way)
    p = float(powers(total))
    text = _(
        "A translation is as likely as the product of its tokens' probabilities. Such products "
        "soon get tiny, so we add up logarithms: the log of a product is the sum of the logs. "
        "Your {n} tokens come to {total}, so the whole translation has p = e^({total}) = {p}."
    )
    written_p = share(p, 3) if p >= 0.001 else power(p)
    say(text, n=len(way.steps), total=number(total, 3), p=written_p)
    arrays(moment.walk, sum_grids({_("your translation"): way}), "sums")


def both(walk: Walk, text: str | None = None) -> tuple[Translation, Translation]:
    """Return what greedy decoding and the beam write, of the walk's sentence or another one."""
    if text is None or text == walk.translation.text:
        greedy, beam = (translated(walk, way) for way in WAYS)
    else:
        greedy, beam = (translate(walk.translation.model, text, way) for way in WAYS)
    return greedy, beam


def parting(greedy: Translation, beam: Translation) -> int | None:
    """Return the step, from 0, at which two translations part; None if they are the same."""
    ids = ([token.id for token in written(way)] for way in (greedy, beam))
    pairs = enumerate(zip_longest(*ids))
    return next((step for step, (ours, theirs) in pairs if ours != theirs), None)


def written(translation: Translation) -> list[Token]:
    """Return every token that was taken, the end sign included."""
    return [step.taken.token for step in translation.steps]


def log_probs(translation: Translation) -> np.ndarray:
    """Return log p of every token that was taken, (T,)."""
    return running(translation.steps)[1]


def _total(translation: Translation) -> float:
    return float(log_probs(translation).sum())


def sum_grids(ways: Mapping[str, Translation]) -> list[Grid]:
    """Return p of every token that was taken, log p, and the sum of these so far, each way's."""
    reach = max(1.0, *(-_total(way) for way in ways.values()))  # p goes up to 1
    grids = []
    for name, way in ways.items():
        words = [token.text for token in written(way)]
        labels = {"row_labels": ["p", "log p", "Σ log p"], "col_labels": words}
        grids.append(array_grid(running(way.steps), name, "output", reach=reach, **labels))
    return grids


def harder(walk: Walk) -> list[str]:
    """Return sentences over which the two ways part more often."""
    hard = HARD.get(pair(walk.translation.model)[0], ())
    return [text for text in hard if text != walk.translation.text]


def _draw_card(name: str, way: Translation, step: int | None) -> None:
    """Draw the tokens, with a mark below those that only one of the two wrote, and their log p."""
    tokens, logs = written(way), log_probs(way)
    text = _joined(tokens[:step])
    if step is not None and tokens[step:]:
        text += (
            '<span style="text-decoration:underline;text-decoration-thickness:2px;'
            f'text-underline-offset:4px">{_joined(tokens[step:])}</span>'
        )
    total, mean = number(logs.sum(), 3), number(logs.mean(), 3)
    log_prob = _("log p of the {n} tokens: {total} in all, {mean} per token")
    log_prob = log_prob.format(n=len(logs), total=total, mean=mean)
    show_html(
        f"<b>{html.escape(name)}</b>"
        '<div data-testid="way" style="overflow-wrap:anywhere">'
        f'<span style="font-size:1.2rem">{text}</span></div>'
        f'<div style="font-size:0.875rem">{html.escape(log_prob)}</div>'
    )


def _joined(tokens: Sequence[Token]) -> str:
    return "".join(
        f"{' ' if token.starts_word or token.special else ''}{html.escape(visible(token.text))}"
        for token in tokens
    )


def _comparison(greedy: Translation, beam: Translation, step: int | None) -> str:
    """Say where the two part, and whether the beam's way is the likelier one."""
    if step is None:
        return _(
            "Both write the same: here, the likeliest token at every step also made the best "
            "sentence that the beam could find."
        )
    a, b = greedy.steps[step].taken, beam.steps[step].taken
    p, q = probability(a.probability), probability(b.probability)
    part = _(
        "From step {n} on, they differ. Until then both have written the same, and they see "
        "the same probabilities. Greedy decoding takes {a}, {p}. The beam's winner continues "
        "with {b}, {q}."
    ).format(n=step + 1, a=quoted_token(a.token), p=p, b=quoted_token(b.token), q=q)
    ours, theirs = log_probs(greedy).mean(), log_probs(beam).mean()
    pays = _(
        "It pays off: log p per token is {beam} in the end, against {greedy} for greedy decoding."
    )
    if theirs < ours:
        pays = _(
            "It does not pay off this time: log p per token is {beam} in the end, against "
            "{greedy} for greedy decoding, whose path the beam had dropped."
        )
    scores = pays.format(greedy=number(ours, 3), beam=number(theirs, 3))
    return " ".join([part, scores, _("Underlined: what they write from there on.")])
