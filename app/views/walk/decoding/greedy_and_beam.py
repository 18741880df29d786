"""Greedy decoding against a beam, both really run on the same sentence."""

import html
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

import numpy as np
import streamlit as st

from app.components.board import array_grid
from app.data.changed import translated
from app.data.decoding import running
from app.data.translation import Decoding, Token, Translation, translate
from app.data.walk import Walk
from app.format import number, probability, visible
from app.i18n import _
from app.inspector.arrays import draw_board
from app.inspector.naming import quoted_token
from app.texts.examples import HARD
from app.ui.chosen import pair
from app.ui.kept import show_html
from app.ui.sentence_box import offer

WIDTH: Final = 4
WAYS: Final = (Decoding("greedy"), Decoding("beam", WIDTH))


def draw_cards(walk: Walk) -> None:
    """Draw what both write, and say where they part; where they do not, offer harder sentences."""
    greedy, beam = both(walk)
    step = parting(greedy, beam)
    for column, (name, way) in zip(
        st.columns(2, gap="medium"), _named(greedy, beam).items(), strict=True
    ):
        with column, st.container(border=True):
            _draw_card(name, way, step)
    st.markdown(_comparison(greedy, beam, step))
    hard = harder(walk) if step is None else []
    if hard:
        st.markdown(_("They differ more often on long and unusual sentences. Try one:"))
        offer(hard, "hard")


def totals_text(walk: Walk) -> str:
    """Say what both come to per token."""
    ours, theirs = (number(log_probs(way).mean(), 3) for way in both(walk))
    return _(
        "The last row of each board adds up log p, token by token. Every token makes the sum "
        "smaller, so short sentences would win too easily. The beam divides it by the number of "
        "tokens: {greedy} for greedy decoding, {beam} for the beam. The larger one is better."
    ).format(greedy=ours, beam=theirs)


def draw_totals(walk: Walk) -> None:
    """Draw log p added up of what both write; once, where they write the same."""
    greedy, beam = both(walk)
    ways = _named(greedy, beam)
    _draw_sums({" = ".join(ways): greedy} if parting(greedy, beam) is None else ways)


def both(walk: Walk, text: str | None = None) -> tuple[Translation, Translation]:
    """Return what greedy decoding and the beam write, of the walk's sentence or another one."""
    if text is None or text == walk.translation.text:
        greedy, beam = (translated(walk, way) for way in WAYS)
    else:
        greedy, beam = (translate(walk.translation.model, text, way) for way in WAYS)
    return greedy, beam


def _named(greedy: Translation, beam: Translation) -> dict[str, Translation]:
    return {_("Greedy"): greedy, _("Beam of {width}").format(width=WIDTH): beam}


def parting(greedy: Translation, beam: Translation) -> int | None:
    """Return the step, from 0, at which two translations part; None if they are the same."""
    ours, theirs = written(greedy), written(beam)
    if [token.id for token in ours] == [token.id for token in theirs]:
        return None
    pairs = zip(ours, theirs, strict=False)
    return len(list(takewhile(lambda pair: pair[0].id == pair[1].id, pairs)))


def written(translation: Translation) -> list[Token]:
    """Return every token that was taken, the end sign included."""
    return [step.taken.token for step in translation.steps]


def log_probs(translation: Translation) -> np.ndarray:
    """Return log p of every token that was taken, (T,)."""
    return sums(translation)[1]


def sums(translation: Translation) -> np.ndarray:
    """Return p of every token that was taken, log p, and the sum of these so far, (3, T)."""
    return running(translation.steps)


def harder(walk: Walk) -> list[str]:
    """Return sentences over which the two ways part more often."""
    hard = HARD.get(pair(walk.translation.model)[0], ())
    return [text for text in hard if text != walk.translation.text]


def _draw_card(name: str, way: Translation, step: int | None) -> None:
    logs = log_probs(way)
    total, mean = number(logs.sum(), 3), number(logs.mean(), 3)
    log_prob = _("log p of the {n} tokens: {total} in all, {mean} per token")
    log_prob = log_prob.format(n=len(logs), total=total, mean=mean)
    show_html(
        f"<b>{html.escape(name)}</b>"
        f'<div data-testid="way" style="overflow-wrap:anywhere">{_marked(written(way), step)}'
        f'</div><div style="font-size:0.875rem">{html.escape(log_prob)}</div>'
    )


def _marked(tokens: Sequence[Token], step: int | None) -> str:
    """Write the tokens, with a mark below those that only one of the two wrote."""
    same, other = tokens[:step], tokens[step:] if step is not None else []
    text = f'<span style="font-size:1.2rem">{_joined(same)}'
    if other:
        text += (
            '<span style="text-decoration:underline;text-decoration-thickness:2px;'
            f'text-underline-offset:4px">{_joined(other)}</span>'
        )
    return f"{text}</span>"


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


def _draw_sums(ways: dict[str, Translation]) -> None:
    reach = max(1.0, *(float(-log_probs(way).sum()) for way in ways.values()))  # p goes up to 1
    rows = ["p", "log p", "Σ log p"]
    grids = []
    for name, way in ways.items():
        labels = {"row_labels": rows, "col_labels": [token.text for token in written(way)]}
        grids.append(array_grid(sums(way), name, "output", reach=reach, **labels))
    draw_board(grids, "log-p")
