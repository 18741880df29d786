"""How much of itself a vector keeps in each attention: as rollout assumes, and as measured."""

from typing import Literal

import numpy as np

from app.format import percent
from app.i18n import _
from app.inspector.arrays import draw_board, weights_grid
from app.inspector.naming import layer_names
from app.page.quiz import Task
from app.ui.section import section
from app.views.walk.rollout import texts
from app.views.walk.rollout.choice import Look
from app.views.walk.rollout.data import KINDS, own_shares

Way = Literal["rollout", "norms"]


def half_text(look: Look) -> str:
    """Say what is kept on average, assumed and measured."""
    return _(texts.HALF).format(assumed=_mean(look, "rollout"), measured=_mean(look, "norms"))


def guess_half(look: Look) -> Task:
    """Ask whether a vector keeps more of itself than rollout assumes."""
    more = _kept(look, "norms").mean() > _kept(look, "rollout").mean()
    says = _(texts.HALF_SAYS).format(measured=_mean(look, "norms"))
    question = _(texts.HALF_ASK).format(assumed=_mean(look, "rollout"))
    return Task(question, [_(one) for one in texts.HALF_OPTIONS], frozenset([more]), says, says)


def draw_half(look: Look) -> None:
    """Draw what is kept in each attention of each layer, and say it."""
    section("", half_text(look))
    grids = []
    for way in ("rollout", "norms"):
        shares = [own_shares(look.walk, way, kind) for kind in KINDS]
        values = np.full((len(shares), max(map(len, shares))), np.nan)
        for row, kept in zip(values, shares, strict=True):
            row[: len(kept)] = kept
        title = _(texts.HALF_MAP).format(way=_(texts.WAYS[way]))
        rows = [_(texts.KINDS[kind]) for kind in KINDS]
        grids.append(weights_grid(values, title, rows, layer_names(values.shape[1])))
    draw_board(grids, "rollout-half")


def _kept(look: Look, way: Way) -> np.ndarray:
    return np.concatenate([own_shares(look.walk, way, kind) for kind in KINDS])


def _mean(look: Look, way: Way) -> str:
    return percent(_kept(look, way).mean())
