"""Uniform attention over the source: what each token loses, by layer and in all of them."""

import numpy as np

from app.components.board import array_grid
from app.format import share, signed
from app.i18n import _
from app.inspector.arrays import draw_board
from app.inspector.naming import layer_names, text_at
from app.inspector.probe import Probe, marked
from app.page.quiz import Task
from app.ui.section import section
from app.views.walk.explanation import texts
from app.views.walk.explanation.data import uniform


def uniform_text(probe: Probe) -> str:
    """Say what the chosen token loses."""
    changes = uniform(probe.walk)[:, probe.at]
    return _(texts.UNIFORM).format(
        word=marked(probe.word),
        layer=probe.layer + 1,
        one=signed(changes[probe.layer]),
        all=signed(changes[-1]),
    )


def guess_uniform(probe: Probe) -> Task:
    """Ask what is left of the token's probability."""
    before = float(np.exp(probe.log_p[probe.at]))
    after = float(np.exp(probe.log_p[probe.at] + uniform(probe.walk)[-1, probe.at]))
    question = _(texts.UNIFORM_ASK).format(word=probe.word, before=share(before))
    says = _(texts.UNIFORM_SAYS).format(after=share(after))
    right = frozenset([int(2 * after < before)])
    return Task(question, [_(one) for one in texts.UNIFORM_OPTIONS], right, says, says)


def draw_uniform(probe: Probe) -> None:
    """Draw the change of each token's log p, and say it of the chosen one."""
    section("", uniform_text(probe))
    changes = uniform(probe.walk)
    rows = [*layer_names(len(changes) - 1), _(texts.ALL_LAYERS)]
    columns = [text_at(probe.tokens, at) for at in range(len(probe.tokens))]
    title = _(texts.UNIFORM_MAP)
    grid = array_grid(changes, title, "output", row_labels=rows, col_labels=columns)
    draw_board([grid], "explanation-uniform")
