"""What the page asks of the artificial neuron, and of its numbers computed again."""

from model.history.neuron import GATES, THRESHOLDS, Neuron, Row, rows, search
from model.history.recomputed import counts_again, outputs_again, potentials

__all__ = ["GATES", "THRESHOLDS", "Neuron", "Row", "counts_again", "outputs_again", "rows"]
__all__ += ["potentials", "search"]
