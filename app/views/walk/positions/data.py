"""The door to positions: their waves, and the words read in another order."""

from app.data.cache import cached
from app.data.walk import Walk
from model.config import HALVES, Positions
from model.interpret.calculation.derived import likeness
from model.interpret.calculation.positions import encodings, position_dots, rate, wave
from model.interpret.experiments.order import Order, Reordered, reorder

__all__ = ["HALVES", "Order", "Positions", "Reordered", "encodings", "likeness", "position_dots"]
__all__ += ["rate", "wave"]


@cached()
def reordered(walk: Walk, order: Order) -> Reordered:
    """Run the model on the source tokens in both orders."""
    return reorder(walk.model, walk.tokenizer, walk.capture.src_ids, order)
