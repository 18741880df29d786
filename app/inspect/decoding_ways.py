"""Greedy decoding against a beam, both really run on the same sentence."""

import html
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

import numpy as np
import streamlit as st

from app.components.board import Grid, board
from app.data.translation import Decoding, Step, Token, Translation, translate
from app.data.walk import Walk
from app.format import probability, visible
from app.i18n import _
from app.inspect.arrays import twins
from app.inspect.beam import beam as beam_view
from app.inspect.decoding_step import quoted
from app.texts import decoding as texts
from app.ui.chosen import pair
from app.ui.section import section
from app.ui.sentence_box import offer
from app.ui.table import fold

WIDTH: Final = 4


def ways(walk: Walk) -> None:
    """Show what both write, how likely it is, and where they part."""
    greedy, beam = both(walk)
    section(_(texts.WAYS_TITLE), _(texts.WAYS).format(width=WIDTH))
    apart = parting(greedy, beam)
    names = _("Greedy"), _("Beam of {width}").format(width=WIDTH)
    columns = st.columns(2, gap="medium")
    for column, name, way in zip(columns, names, (greedy, beam), strict=True):
        with column, st.container(border=True):
            _card(name, way, apart)
    added = _("log p added up, piece by piece")
    st.markdown(f"{_said(greedy, beam, apart)}\n\n**{added}**")
    both_ways = dict(zip(names, (greedy, beam), strict=True))
    _sums({" = ".join(names): greedy} if apart is None else both_ways)
    hard = _harder(walk) if apart is None else []
    if hard:
        st.markdown(_(texts.TRY))
        offer(hard, "hard")
    fold(
        _("The beam's tree of hypotheses"), "beam-tree", ":material/account_tree:",
        lambda: beam_view(beam),
    )  # fmt: skip


def both(walk: Walk) -> tuple[Translation, Translation]:
    """Return the sentence decoded greedily and by a beam."""
    model, text = walk.translation.model, walk.translation.text
    return translate(model, text, Decoding("greedy")), translate(
        model, text, Decoding("beam", WIDTH)
    )


def parting(greedy: Translation, beam: Translation) -> int | None:
    """Return the step, from 0, at which two translations part; None if they are the same."""
    ours, theirs = written(greedy), written(beam)
    if [token.id for token in ours] == [token.id for token in theirs]:
        return None
    pairs = zip(ours, theirs, strict=False)
    return len(list(takewhile(lambda pair: pair[0].id == pair[1].id, pairs)))


def written(translation: Translation) -> list[Token]:
    """Return every token that was taken, the end sign included."""
    return [step.candidates[step.chosen].token for step in translation.steps]


def log_probs(translation: Translation) -> np.ndarray:
    """Return log p of every token that was taken, (T,)."""
    return np.log(_probabilities(translation))


def _harder(walk: Walk) -> list[str]:
    """Return sentences that are harder than those the page begins with."""
    hard = texts.HARD.get(pair(walk.translation.model)[0], ())
    return [text for text in hard if text != walk.translation.text]


def _card(name: str, way: Translation, apart: int | None) -> None:
    logs = log_probs(way)
    said = _(texts.LOG_PROB).format(
        n=len(logs), total=_signed(logs.sum()), mean=_signed(logs.mean())
    )
    st.html(
        f"<b>{html.escape(name)}</b>"
        f'<div data-testid="way" style="overflow-wrap:anywhere">{_marked(written(way), apart)}'
        f'</div><div style="font-size:0.875rem">{html.escape(said)}</div>'
    )


def _marked(tokens: Sequence[Token], apart: int | None) -> str:
    """Write the pieces, with a mark below those that only one of the two wrote."""
    same, other = tokens[:apart], tokens[apart:] if apart is not None else []
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


def _said(greedy: Translation, beam: Translation, apart: int | None) -> str:
    if apart is None:
        return _(texts.SAME)
    ours, theirs = greedy.steps[apart], beam.steps[apart]
    part = _(texts.PART).format(
        n=apart + 1,
        a=quoted(ours.candidates[ours.chosen].token), p=probability(_probability(ours)),
        b=quoted(theirs.candidates[theirs.chosen].token), q=probability(_probability(theirs)),
    )  # fmt: skip
    mean = {"greedy": log_probs(greedy).mean(), "beam": log_probs(beam).mean()}
    pays = _(texts.PAYS) if mean["beam"] >= mean["greedy"] else _(texts.PAYS_NOT)
    scores = pays.format(**{name: _signed(value) for name, value in mean.items()})
    return f"{part} {scores} {_(texts.WORDS_APART)}"


def _sums(named: dict[str, Translation]) -> None:
    """Draw each piece's probability, its logarithm, and the sum of these so far."""
    reach = max(1.0, *(float(-log_probs(way).sum()) for way in named.values()))  # p goes up to 1
    grids = [
        Grid(
            "", (None, None), _steps(way), name, "output", reach=reach,
            row_labels=["p", "log p", "Σ log p"],
            col_labels=[token.text for token in written(way)],
        )
        for name, way in named.items()
    ]  # fmt: skip
    board(grids, key="log-p", fold=twins(grids, "log-p"))


def _steps(way: Translation) -> np.ndarray:
    logs = log_probs(way)
    return np.stack([_probabilities(way), logs, np.cumsum(logs)])  # (3, T)


def _probabilities(way: Translation) -> np.ndarray:
    return np.array([_probability(step) for step in way.steps])  # (T,)


def _probability(step: Step) -> float:
    return step.candidates[step.chosen].probability


def _signed(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")
