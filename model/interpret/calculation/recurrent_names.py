"""The parameters of the recurrent translators under the papers' names."""

from collections.abc import Iterator

import numpy as np

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
