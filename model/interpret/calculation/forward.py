"""A run of the Transformer without PyTorch: each array computed from those before it, in float32.

The recipes are those of `recompute`, which check a capture in float64.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from model.config import ModelConfig
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parameters import Parameters
from model.interpret.calculation.recompute import recompute
from model.interpret.calculation.stages import Stage, stages
from model.interpret.capture import Capture, Override, frozen
from model.text.byte_level import Token

Arrays = dict[str, np.ndarray]


def captured_stages(config: ModelConfig) -> list[Stage]:
    """Return the stages that a capture holds, in the order of computing.

    Raises ValueError for a recurrent network, whose states come from each other.
    """
    if config.recurrent:
        raise ValueError("Only a Transformer can be computed stage by stage.")
    return [stage for stage in stages(config).values() if stage.captured]


def fill(arrays: Arrays, run: Capture, parameters: Parameters, wanted: Iterable[Stage]) -> None:
    """Add the arrays of some stages of a run to those that it has."""
    numbers = Numbers(run, parameters)
    for stage in wanted:
        arrays[stage.name] = computed(numbers, stage)


def computed(numbers: Numbers, stage: Stage) -> np.ndarray:
    """Return one array, with what the changes of the run do to it."""
    array, _ = recompute(numbers, stage, np.float32)
    for override in numbers.capture.overrides.get(stage.name, ()):
        array = override.apply(array, numbers.capture.arrays)
    return array.astype(np.float32, copy=False)


def forward(
    parameters: Parameters,
    src: Sequence[Token],
    tgt: Sequence[Token],
    overrides: Mapping[str, tuple[Override, ...]] | None = None,
) -> Capture:
    """Return the capture of a teacher-forced pass: `src` ends with <eos>, `tgt` starts with <bos>.

    Raises ValueError for a recurrent network.
    """
    arrays: Arrays = {}
    run = Capture(parameters.config, tuple(src), tuple(tgt), arrays, overrides or {})
    fill(arrays, run, parameters, captured_stages(parameters.config))
    return frozen(run.config, run.src, run.tgt, arrays, run.overrides)
