"""What is chosen on the page: an expression with its numbers, and a network that learns XOR."""

from dataclasses import dataclass
from typing import Final

from app.page.live_training import Live, training
from app.state import Param, one_of, whole
from app.views.history.backprop.data import xor
from app.views.history.backprop.expression import Computed, expression_of

SQUASHES: Final[tuple[xor.Squash, ...]] = ("tanh", "sigmoid", "none")
RATES: Final = ("0.5", "1", "2", "4")
HIDDEN: Final = Param[str]("bh", "2", one_of("2", "3"))
SQUASH: Final = Param[xor.Squash]("bs", "tanh", one_of(*SQUASHES))
RATE: Final = Param[str]("br", "1", one_of(*RATES))
SEED: Final = Param[int]("bseed", 0, whole(0, 9999))


@dataclass(frozen=True, eq=False)
class Choice:
    """The expression, or the first example in place of a wrong one, and the network's training."""

    expression: Computed
    plan: xor.Plan
    training: Live[xor.Report]


def choice() -> Choice:
    """Return what is chosen; where there is no such training yet, one begins."""
    plan = xor.Plan(int(HIDDEN.get()), SQUASH.get(), float(RATE.get()), SEED.get())
    return Choice(expression_of(), plan, training("xor", plan, lambda: xor.learn(plan)))
