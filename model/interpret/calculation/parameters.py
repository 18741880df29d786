"""What training has learned, under the paper's names, as frozen views of the model's own arrays.

This file does not import torch.

H heads, D = d_model, d_k = D / H, V = size of a vocabulary. A vector is a row: y = x W + b.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from model.config import ModelConfig
from model.interpret.calculation.stages import PARAM, stages

if TYPE_CHECKING:
    from model.nn.translator import Translator

EPS: Final = 1e-5  # of each LayerNorm, PyTorch's default


@dataclass(frozen=True, eq=False)
class Parameters:
    """The parameters by name, each matrix as (inputs, outputs).

    `src_embed`, `tgt_embed` (V, D); `generator.W` (D, V), `.b` (V,); in each attention `W_Q`,
    `W_K`, `W_V`, `W_O` (D, D) and `b_Q` … (D,), where head h has the columns from h·d_k to
    (h+1)·d_k; in each feed-forward `W_1` (D, d_ff), `b_1`, `W_2`, `b_2`; in each norm `gamma`,
    `beta` (D,). `tied` names the arrays that are another one, seen from elsewhere.
    `longest` is, by the `param:…` name of each matrix, the length of its longest column, for
    bounds on rounding.
    """

    config: ModelConfig
    arrays: Mapping[str, np.ndarray]
    tied: Mapping[str, str]
    longest: Mapping[str, float]
    eps: float

    def __getitem__(self, name: str) -> np.ndarray:
        """Return one array; raises ValueError for an unknown name."""
        if name not in self.arrays:
            raise ValueError(f"The model has no parameter {name!r}.")
        return self.arrays[name]

    def heads(self, name: str) -> np.ndarray:
        """Cut a matrix into heads: W_Q, W_K, W_V -> (H, D, d_k), W_O -> (H, d_k, D)."""
        matrix, H, d_k = self[name], self.config.n_heads, self.config.d_k
        if name.endswith("W_O"):
            return matrix.reshape(H, d_k, -1)  # (H, d_k, D)
        return matrix.reshape(-1, H, d_k).transpose(1, 0, 2)  # (H, D, d_k)


def parameters(model: Translator) -> Parameters:
    """Copy the parameters of a model."""
    named = model.named_parameters()
    return renamed(model.config, {name: p.detach().cpu().numpy() for name, p in named})


def renamed(config: ModelConfig, weights: Mapping[str, np.ndarray]) -> Parameters:
    """Give weights, as a checkpoint names and stores them, the paper's names.

    Raises ValueError if some are missing.
    """
    arrays: dict[str, np.ndarray] = {}
    for name, array in weights.items():
        array.flags.writeable = False
        arrays.update(_by_paper_names(name, array, config.d_hidden if config.recurrent else 0))
    tied: dict[str, str] = {}
    if config.share_embeddings:
        arrays["tgt_embed"], tied["tgt_embed"] = arrays["src_embed"], "src_embed"
    if config.tie_generator:
        arrays["generator.W"], tied["generator.W"] = arrays["tgt_embed"].T, "tgt_embed"
    needed = {name for stage in stages(config).values() for name in stage.params}
    if not needed <= {PARAM + name for name in arrays}:
        raise ValueError("Weights are missing.")
    longest = {
        PARAM + name: float(np.sqrt(np.einsum("ij,ij->j", array, array).max()))
        for name, array in arrays.items()
        if array.ndim == 2
    }
    return Parameters(config, arrays, tied, longest, 0.0 if config.recurrent else EPS)


def _by_paper_names(
    name: str, array: np.ndarray, d_hidden: int
) -> Iterator[tuple[str, np.ndarray]]:
    """Rename one of the model's arrays, and cut it where it holds several of the paper's."""
    scope, _, kind = name.rpartition(".")
    letter = "W" if kind == "weight" else "b"
    array = array.T  # (inputs, outputs); a vector stays as it is
    if scope.endswith("_embed"):
        yield scope, array.T
    elif scope == "generator":
        yield f"generator.{letter}", array
    elif d_hidden:
        yield from recurrent_names(name, array, d_hidden)
    elif scope.endswith("norm"):
        scope = scope.replace("coder_norm", "coder.norm")
        yield f"{scope}.{'gamma' if kind == 'weight' else 'beta'}", array
    elif scope.endswith("w_qkv"):
        parts = np.split(array, 3, axis=-1)
        for part, of in zip(parts, "QKV", strict=True):
            yield scope.replace("w_qkv", f"{letter}_{of}"), part
    else:  # w_o, w_1, w_2
        attention, _, last = scope.rpartition(".")
        yield f"{attention}.{letter}_{last[-1].upper()}", array


# What the matrices of a cell are for, in the order in which they are stacked, by their number.
_STACKED = {3: "rzn", 1: "h"}


def recurrent_names(
    name: str, array: np.ndarray, d_hidden: int
) -> Iterator[tuple[str, np.ndarray]]:
    """Rename an array (inputs, outputs), and cut it where it holds several of the papers'.

    A GRU has `W_r`, `W_z`, `W_n` (inputs, d_hidden) for what it reads, `U_r` … for its state and,
    in RNNsearch's decoder, `C_r` … for the context, with the biases `b_r` … and `u_r` …; a plain
    cell has `W_h`, `U_h`, `C_h`, `b_h`, `u_h`. `W_s`,
    `b_s` make the decoder's first state; `O_s`, `O_c`, `O_y`, `b_o` the readout of state, context
    and embedding; `W_a`, `b_a`, `U_a`, `v_a` are the attention's.
    """
    scope, _, kind = name.rpartition(".")
    owner, _, last = scope.rpartition(".")
    if kind == "v_a":
        yield name, array
    elif last == "begin":
        yield f"{owner}.{'W' if kind == 'weight' else 'b'}_s", array
    elif last == "readout":
        yield from _readout(owner, array, d_hidden)
    elif last == "w_context":
        yield from _stacked(owner, "C", array, d_hidden)
    elif owner.endswith("_attn"):  # w_a, u_a
        yield f"{owner}.{last[0].upper() if kind == 'weight' else 'b'}_a", array
    else:  # the w and u of a cell
        letter = last.upper() if kind == "weight" else {"w": "b", "u": "u"}[last]
        yield from _stacked(_shown_as(owner), letter, array, d_hidden)


def _readout(owner: str, array: np.ndarray, d_hidden: int) -> Iterator[tuple[str, np.ndarray]]:
    """Cut the rows for state, context (twice as long) and embedding; a plain RNN has the first."""
    if array.ndim == 1:
        yield f"{owner}.b_o", array
        return
    for part, of in zip(np.split(array, [d_hidden, 3 * d_hidden]), "scy", strict=True):
        if part.size:
            yield f"{owner}.O_{of}", part


def _stacked(
    scope: str, letter: str, array: np.ndarray, d_hidden: int
) -> Iterator[tuple[str, np.ndarray]]:
    count = array.shape[-1] // d_hidden
    for part, of in zip(np.split(array, count, axis=-1), _STACKED[count], strict=True):
        yield f"{scope}.{letter}_{of}", part


def _shown_as(cell: str) -> str:
    """Return the scope under which a cell's numbers are captured."""
    layer, _, name = cell.rpartition(".")
    if layer.startswith("decoder"):
        return layer
    return f"{layer}.{name.removeprefix('gru_') if name != 'gru' else 'forward'}"
