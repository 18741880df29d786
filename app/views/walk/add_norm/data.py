"""The residual stream's part of the door to the model: which arrays it is, layer by layer."""

from model.interpret.calculation.stream import residual_stream

__all__ = ["residual_stream"]
