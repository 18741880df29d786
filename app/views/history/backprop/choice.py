"""What one chooses on the page: the expression, and the network that learns XOR."""

from dataclasses import dataclass
from typing import Final

from app.page.live_training import Live, training
from app.state import Param, one_of, whole
from app.views.history.backprop.data import xor
from app.views.history.backprop.typed import Computed, expression_of

SQUASHES: Final[tuple[xor.Squash, ...]] = ("tanh", "sigmoid", "none")
RATES: Final = ("0.5", "1", "2", "4")
HIDDEN: Final = Param[str]("bh", "2", one_of("2", "3"))
SQUASH: Final = Param[xor.Squash]("bs", "tanh", one_of(*SQUASHES))
RATE: Final = Param[str]("br", "1", one_of(*RATES))
SEED: Final = Param[int]("bseed", 0, whole(0, 9999))


@dataclass(frozen=True, eq=False)
class BackpropChoice:
    """The expression (the first example if it is invalid) and the network's training."""

    expression: Computed
    plan: xor.NetworkPlan
    training: Live[xor.NetworkReport]


def choice() -> BackpropChoice:
    """Return the choice; start its training if there is none yet."""
    plan = xor.NetworkPlan(int(HIDDEN.get()), SQUASH.get(), float(RATE.get()), SEED.get())
    return BackpropChoice(expression_of(), plan, training("xor", plan, lambda: xor.learn(plan)))
