"""The residual stream layer by layer, and the word that each layer would already predict.

T target tokens, D = d_model, V = size of the target vocabulary.
"""

import numpy as np

from model.config import ModelConfig, Stack
from model.interpret.calculation.numbers import deviation
from model.interpret.calculation.parameters import Parameters
from model.interpret.capture import Capture


def stream_names(config: ModelConfig, stack: Stack) -> tuple[str, ...]:
    """Return the arrays that are the stream: the input, then what each sub-layer leaves."""
    side, parts, _ = config.stacks[stack]
    layers, sublayers = range(config.n_layers(stack)), range(1, len(parts) + 1)
    last = "add" if config.norm == "pre" else "norm"
    left = (f"{stack}.{i}.add_norm_{n}.{last}" for i in layers for n in sublayers)
    return (f"{side}.sum", *left)


def logit_lens(capture: Capture, parameters: Parameters, position: int | None = None) -> np.ndarray:
    """Return the logits that each decoder layer's output would give, (L, T, V).

    Each output takes the way of the last one: the final norm, if the model has one, then the
    generator; so the last layer's are the model's own. With a `position`, its logits alone,
    (L, V).
    """
    *_, writer = capture.config.stacks
    n = len(capture.config.stacks[writer].sublayers)
    names = stream_names(capture.config, writer)[n::n]
    x = np.stack([capture.arrays[name] for name in names]).astype(np.float64)  # (L, T, D)
    if position is not None:
        x = x[:, position]  # (L, D)
    if capture.config.norm == "pre":
        sigma = deviation(x, parameters.eps)[..., None]
        normed = (x - x.mean(-1, keepdims=True)) / sigma
        x = normed * parameters["decoder.norm.gamma"] + parameters["decoder.norm.beta"]
    return x @ parameters["generator.W"] + parameters["generator.b"]
