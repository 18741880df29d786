"""All numbers by name: those of a capture, those derived from it, and the parameters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from model.interpret.calculation import derived
from model.interpret.calculation.cell import Cell, CellBlock
from model.interpret.calculation.parameters import Parameters
from model.interpret.calculation.stages import PARAM, Stage, stages
from model.interpret.capture import Capture


@dataclass(frozen=True, eq=False)
class Numbers:
    """A capture and the parameters of the model that made it.

    Raises ValueError if they belong to models of different shapes.
    """

    capture: Capture
    parameters: Parameters

    def __post_init__(self) -> None:
        if self.capture.config != self.parameters.config:
            raise ValueError("The capture and the parameters belong to different models.")

    @property
    def stages(self) -> Mapping[str, Stage]:
        return stages(self.capture.config)

    def array(self, name: str) -> np.ndarray:
        """Return an array as it is stored, or as derived from the capture; raises ValueError."""
        if name.startswith(PARAM):
            return self.parameters[name.removeprefix(PARAM)]
        if name in self.capture.arrays:
            return self.capture.arrays[name]
        stage = self.stages.get(name)
        if stage is None:
            raise ValueError(f"The model has no array {name!r}.")
        if stage.captured:
            raise ValueError(f"The capture holds no {name}.")
        return self._derived(stage, *map(self.double, stage.inputs))

    def double(self, name: str) -> np.ndarray:
        """Return a whole array in float64."""
        return np.asarray(self.array(name), dtype=np.float64)

    def _derived(self, stage: Stage, *inputs: np.ndarray) -> np.ndarray:
        if stage.kind == "deviation":
            return deviation(inputs[0], self.parameters.eps)
        learned = [self.array(name) for name in stage.params]
        if stage.kind == "part":
            learned = [self.parameters.heads(name.removeprefix(PARAM)) for name in stage.params]
        compute = _DERIVED.get(stage.kind) or getattr(derived, stage.kind)
        return np.asarray(compute(*inputs, *learned))

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of an array, without computing a derived one."""
        stage = self.stages.get(name)
        if stage is None or stage.captured:
            return self.array(name).shape
        first, *others = map(self.shape, (*stage.inputs, *stage.params))
        if stage.kind in ("mean", "deviation", "length"):
            return first[:-1]
        if stage.kind == "likeness":
            return (first[0], first[0])
        if stage.kind == "match":
            return (*first[:2], *others[0][1:])
        if stage.kind in ("mixture", "part"):  # a product
            return (*first[:-1], others[0][-1])
        return (*first, others[0][-1]) if stage.kind == "weighted" else first

    def line(self, block: CellBlock) -> np.ndarray:
        """Return the numbers of a block, in float64."""
        index = tuple(slice(None) if axis is None else axis for axis in block.index)
        return np.asarray(self.array(block.name)[index], dtype=np.float64)

    def at(self, cell: Cell) -> float:
        """Return one number."""
        stage = self.stages.get(cell.name)
        if stage is None or stage.kind not in _OF_A_TOKEN:
            return float(self.array(cell.name)[cell.index])
        token, *rest = cell.index
        x = self.line(CellBlock(stage.inputs[0], (token, None)))
        return float(self._derived(stage, x)[tuple(rest)])

    def valid(self, cell: Cell) -> Cell:
        """Return the cell with a plain index; raises ValueError if it does not exist."""
        shape, index = self.shape(cell.name), tuple(int(i) for i in cell.index)
        pairs = zip(index, shape, strict=False)
        if len(index) != len(shape) or not all(0 <= i < size for i, size in pairs):
            raise ValueError(f"{cell.name} has the shape {shape} and no number at {index}.")
        return Cell(cell.name, index)


# Too many to compute for the sake of one: its token's vector is enough.
_OF_A_TOKEN = ("mean", "deviation", "probabilities")


def softmax(x: np.ndarray) -> np.ndarray:
    """Return e^x / Σ e^x along the last axis; the largest is taken off first, against overflow.

    A row of −∞ alone gives NaN, as in the model.
    """
    with np.errstate(invalid="ignore"):
        powers = np.exp(x - x.max(-1, keepdims=True))
        return np.asarray(powers / powers.sum(-1, keepdims=True))


def deviation(x: np.ndarray, eps: float) -> np.ndarray:
    """Return σ = √(mean of (x − μ)² + ε) along the last axis."""
    return np.sqrt(x.var(-1) + eps)


# The others are functions of `derived`, by the name of their kind.
_DERIVED: Mapping[str, Callable[..., np.ndarray]] = {
    "mean": lambda x: x.mean(-1),
    "probabilities": softmax,
    "mixing": softmax,
}
