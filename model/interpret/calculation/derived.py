"""What no capture holds, computed from what it holds, in float64.

H heads, T query tokens, S key tokens, D = d_model, d_k = D / H; N = d_hidden of a GRU.
"""

import numpy as np


def likeness(x: np.ndarray) -> np.ndarray:
    """Return w′ᵢⱼ = xᵢ · xⱼ, (T, D) -> (T, T)."""
    return x @ x.T


def mixture(weights: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return yᵢ = Σⱼ wᵢⱼ xⱼ, (T, T) and (T, D) -> (T, D)."""
    return weights @ x


def powers(masked: np.ndarray | float) -> np.ndarray:
    """Return e to the power of each score; divided by its row's sum, it is the weight."""
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(masked))


def weighted(weights: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return each value times its weight, (H, T, S) and (H, S, d_k) -> (H, T, S, d_k)."""
    return weights[..., None] * v[:, None]


def part(context: np.ndarray, w_o: np.ndarray) -> np.ndarray:
    """Return z_h × its rows of W_O for each head, (H, T, d_k) and (H, d_k, D) -> (H, T, D).

    Together with b_O they add up to the attention's `out`.
    """
    return context @ w_o


def length(vectors: np.ndarray) -> np.ndarray:
    """Return the length of each vector, (H, T, D) -> (H, T)."""
    return np.linalg.norm(vectors, axis=-1)


def before(states: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Return the state that each step of a GRU begins with, (T, N); the first is `start`, or 0."""
    first = np.zeros((1, states.shape[1])) if start is None else start
    return np.concatenate([first, states[:-1]])


def before_backwards(states: np.ndarray) -> np.ndarray:
    """Return the state that each step begins with where the last token is read first, (S, N)."""
    return before(states[::-1])[::-1]


def recall(states: np.ndarray, u_n: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Return what a GRU's candidate may take of the state before: U_n h, (T, N) -> (T, N)."""
    return states @ u_n + bias


def match(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Return tanh(q + k) of each query and key, (1, T, D) and (1, S, D) -> (1, T, S, D)."""
    return np.tanh(q[:, :, None] + k[:, None])
