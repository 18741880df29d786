"""Positional encodings by their formula, and how near two positions are to each other."""

import numpy as np

from model.config import HALVES, Positions


def rate(pair: int, d_model: int, layout: Positions) -> float:
    """Return how fast one pair of sine and cosine turns, in radians a position."""
    half = d_model // 2
    last = max(half - 1, 1) if layout == "half" else half
    return 10_000.0 ** (-pair / last)


def wave(component: int, d_model: int, layout: Positions) -> tuple[int, bool]:
    """Return the pair that a component belongs to, and whether it is its sine."""
    half = d_model // 2
    if layout in HALVES:
        return component % half, component < half
    return component // 2, component % 2 == 0


def encodings(length: int, d_model: int, layout: Positions) -> np.ndarray:
    """Return the encodings of the positions 0 … length-1, (length, d_model)."""
    if layout == "none":
        return np.zeros((length, d_model))
    rates = np.array([rate(pair, d_model, layout) for pair in range(d_model // 2)])
    angles = np.arange(length)[:, None] * rates  # (length, d_model / 2)
    if layout in HALVES:
        return np.concatenate((np.sin(angles), np.cos(angles)), axis=-1)  # (length, d_model)
    return np.stack((np.sin(angles), np.cos(angles)), axis=-1).reshape(length, d_model)


def position_dots(length: int, d_model: int, layout: Positions) -> np.ndarray:
    """Return the dot product of each pair of positions' encodings, (length, length)."""
    p = encodings(length, d_model, layout)
    return p @ p.T
