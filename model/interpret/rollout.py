"""Attention through all layers: which source and target words reach a vector, and by how much.

L layers, S source tokens, T target tokens, D = d_model.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

import numpy as np

from model.config import ATTENTIONS, KINDS, Kind
from model.interpret.calculation.parameters import Parameters
from model.interpret.capture import Capture

UNIT: Final = 10**6  # the solver's capacities are whole numbers


@dataclass(frozen=True, eq=False)
class Mixing:
    """How much of each sub-layer's output comes from each vector that entered it; rows sum to 1.

    `encoder` is (L, S, S) and `decoder` (L, T, T), the vector's own residual on the diagonal;
    `cross` is (L, T, S + T): the memory's vectors, then on a diagonal the residual.
    """

    encoder: np.ndarray
    decoder: np.ndarray
    cross: np.ndarray


@dataclass(frozen=True, eq=False)
class Reach:
    """How much of each vector comes from each word, after each layer; rows sum to 1.

    `encoder` is (L, S, S), `decoder` (L, T, S + T): the source's words, then the target's.
    """

    encoder: np.ndarray
    decoder: np.ndarray


def _mixing(original: Capture, of: Callable[[Kind, int], np.ndarray]) -> Mixing:
    layers = {kind: range(original.n_layers(kind)) for kind in KINDS}
    return Mixing(**{kind: np.stack([of(kind, i) for i in layers[kind]]) for kind in KINDS})


def half_mixing(original: Capture) -> Mixing:
    """Take one half from the residual, and the other by the weights, averaged over the heads."""

    def halves(kind: Kind, layer: int) -> np.ndarray:
        weights = original.weights(kind, layer).astype(np.float64).mean(0)
        own = np.eye(len(weights))
        if ATTENTIONS[kind].own:
            return (weights + own) / 2
        return np.hstack([weights, own]) / 2

    return _mixing(original, halves)


def norm_mixing(original: Capture, parameters: Parameters) -> Mixing:
    """Measure what each vector adds to a sub-layer's output, by the length of what it becomes."""
    return _mixing(original, partial(shares, original, parameters))


def shares(original: Capture, parameters: Parameters, kind: Kind, layer: int) -> np.ndarray:
    """Return the lengths of a sub-layer's parts, (T, S), or (T, S + T), shares of their sum."""
    lengths = np.linalg.norm(contributions(original, parameters, kind, layer), axis=-1)
    shared: np.ndarray = lengths / lengths.sum(-1, keepdims=True)
    return shared


def contributions(original: Capture, parameters: Parameters, kind: Kind, layer: int) -> np.ndarray:
    """Return what each vector adds to the output of an attention with its residual, (T, S, D).

    It is α·v·W_O of all heads together, and for the query's own vector also the residual (in
    encoder-decoder attention that is a place of its own, (T, S + T, D)); under post-norm through
    the normalisation, which is linear once its deviation is known (Kobayashi et al. 2021). All
    of a row but the biases b_O and β, which belong to no word, adds up to the output.
    """
    scope, stage = ATTENTIONS[kind].scope(layer), ATTENTIONS[kind].add_norm(layer)
    values = original.stage(kind, layer, "v") @ parameters.heads(f"{scope}.W_O")  # (H, S, D)
    weights = original.weights(kind, layer).astype(np.float64)
    added = np.einsum("hts,hsd->tsd", weights, values)  # (T, S, D)
    out = original.arrays[f"{stage}.add"].astype(np.float64)  # (T, D)
    residual = out - original.arrays[f"{scope}.out"]
    T = len(residual)
    if not ATTENTIONS[kind].own:
        added = np.concatenate([added, np.zeros((T, T, added.shape[-1]))], axis=1)
    added[range(T), range(added.shape[1] - T, added.shape[1])] += residual
    if original.config.norm == "pre":
        return added
    sigma = np.sqrt(out.var(-1) + parameters.eps)[:, None, None]
    centred = added - added.mean(-1, keepdims=True)
    transformed: np.ndarray = centred / sigma * parameters[f"{stage}.norm.gamma"]
    return transformed


def reach(mixing: Mixing) -> Reach:
    """Follow the words through all layers: a sub-layer multiplies what its vectors hold.

    With `half_mixing` it is attention rollout (Abnar & Zuidema 2020), with `norm_mixing` its form
    by norms (Ferrando et al. 2022). Feed-forward networks mix no words.
    """
    encoder, decoder = list[np.ndarray](), list[np.ndarray]()
    S, T = mixing.encoder.shape[-1], mixing.decoder.shape[-1]
    memory = np.eye(S)
    for mix in mixing.encoder:
        memory = mix @ memory
        encoder.append(memory)
    source = np.hstack([memory, np.zeros((S, T))])  # (S, S + T)
    found = np.hstack([np.zeros((T, S)), np.eye(T)])  # (T, S + T)
    for own, cross in zip(mixing.decoder, mixing.cross, strict=True):
        found = cross @ np.vstack([source, own @ found])
        decoder.append(found)
    return Reach(np.stack(encoder), np.stack(decoder))


def from_source(mixing: Mixing) -> np.ndarray:
    """Return how much of the decoder's last vectors comes from each source word, (T, S).

    What is missing in a row to 1 came from the target's words.
    """
    return reach(mixing).decoder[-1][:, : mixing.encoder.shape[-1]]


def flow(mixing: Mixing, side: Literal["src", "tgt"], layer: int, position: int) -> np.ndarray:
    """Return the largest flow from each word to a vector, (S,) or (S + T,) (Abnar & Zuidema 2020).

    Each share is the capacity of a pipe from one vector to the next. `layer` is that of the
    encoder's or decoder's output, from 0.
    """
    import networkx as nx  # a fifth of a second, which all other pages save
    from networkx.algorithms.flow import build_residual_network, shortest_augmenting_path

    S, T = mixing.encoder.shape[-1], mixing.decoder.shape[-1]
    depth = len(mixing.encoder)
    memory = depth * S
    size = memory + S + (2 * len(mixing.decoder) + 1) * T
    edges = np.zeros((size, size))
    for i, mix in enumerate(mixing.encoder):
        edges[i * S : (i + 1) * S, (i + 1) * S : (i + 2) * S] = mix.T
    at = memory + S
    inputs = [*range(S), *range(at, at + T)]
    for own, cross in zip(mixing.decoder, mixing.cross, strict=True):
        edges[at : at + T, at + T : at + 2 * T] = own.T
        edges[memory : memory + S, at + 2 * T : at + 3 * T] = cross[:, :S].T
        edges[at + T : at + 2 * T, at + 2 * T : at + 3 * T] = cross[:, S:].T
        at += 2 * T
    if side == "src":
        sink, inputs = (layer + 1) * S + position, inputs[:S]
    else:
        sink = memory + S + 2 * (layer + 1) * T + position
    pipes = nx.from_numpy_array(np.rint(edges * UNIT).astype(int), create_using=nx.DiGraph)
    solver = partial(
        nx.maximum_flow_value,
        pipes,
        capacity="weight",
        flow_func=shortest_augmenting_path,
        residual=build_residual_network(pipes, "weight"),  # built once for all words
    )
    return np.array([solver(i, sink) for i in inputs]) / UNIT
