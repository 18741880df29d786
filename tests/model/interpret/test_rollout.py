"""Attention through all layers, against NumPy of its own, by hand, and flows by brute force."""

from itertools import product

import numpy as np
import pytest

from model.config import KINDS, Kind, Norm
from model.interpret.calculation.parameters import parameters
from model.interpret.rollout import (
    Mixing,
    contributions,
    flow,
    from_source,
    half_mixing,
    norm_mixing,
    reach,
)
from tests.model.interpret.experiments.reference import Reference
from tests.model.interpret.experiments.samples import NORMS, PAIRS, captured, model_of

S, T = 5, 5  # tokens of the first pair, with <eos> or <bos>


@pytest.mark.parametrize("norm", NORMS)
def test_rollout_is_the_product_of_all_layers(norm: Norm) -> None:
    """Against one large matrix: all words of both sides, a sub-layer a product."""
    original = captured(model_of(norm), PAIRS[0])
    whole = np.eye(S + T)
    for layer in range(2):
        step = np.eye(S + T)
        step[:S, :S] = (np.eye(S) + original.weights("encoder", layer).mean(0)) / 2
        whole = step @ whole
        found = reach(half_mixing(original)).encoder[layer]
        np.testing.assert_allclose(found, whole[:S, :S], atol=1e-6)
    for layer in range(2):
        own, cross = np.eye(S + T), np.eye(S + T)
        own[S:, S:] = (np.eye(T) + original.weights("decoder", layer).mean(0)) / 2
        cross[S:, S:] = np.eye(T) / 2
        cross[S:, :S] = original.weights("cross", layer).mean(0) / 2
        whole = cross @ own @ whole
        found = reach(half_mixing(original)).decoder[layer]
        np.testing.assert_allclose(found, whole[S:], atol=1e-6)
    np.testing.assert_allclose(from_source(half_mixing(original)), whole[S:, :S], atol=1e-6)


def by_hand(norm: Norm, kind: Kind, layer: int) -> tuple[np.ndarray, np.ndarray]:
    """What each vector adds to a sub-layer's output, one head and word after the other; the sum."""
    model = model_of(norm)
    original = captured(model, PAIRS[0])
    made = Reference(model, model.config, original.src_ids, original.tgt_ids)
    stack = "encoder" if kind == "encoder" else "decoder"
    scope = f"{stack}.{layer}.{'cross_attn' if kind == 'cross' else 'self_attn'}"
    after = f"{stack}.{layer}.add_norm_{2 if kind == 'cross' else 1}"
    w_o = made.weights[f"{scope}.w_o.weight"].T
    bias = made.weights[f"{scope}.w_o.bias"]
    residual = made.arrays[f"{after}.add"] - made.arrays[f"{scope}.out"]
    rows = []
    for t, x in enumerate(residual):
        parts = [np.zeros(16) for _ in range(S + T if kind == "cross" else len(residual))]
        for h, s in product(range(2), range(S)):
            value = made.arrays[f"{scope}.v"][h, s]
            parts[s] += made.arrays[f"{scope}.weights"][h, t, s] * value @ w_o[h * 8 : h * 8 + 8]
        parts[S + t if kind == "cross" else t] += x
        rows.append(parts)
    added, whole = np.array(rows), made.arrays[f"{after}.add"]
    if norm == "pre":
        return added, whole - bias
    gamma, beta = (made.weights[f"{after}.norm.{name}"] for name in ("weight", "bias"))
    eps = model.get_submodule(f"{after}.norm").eps
    sigma = np.sqrt(whole.var(-1) + eps)[:, None, None]
    added = (added - added.mean(-1, keepdims=True)) / sigma * gamma
    of_bias = (bias - bias.mean()) / sigma[:, 0] * gamma
    return added, made.arrays[f"{after}.norm"] - beta - of_bias


@pytest.mark.parametrize("norm", NORMS)
def test_the_parts_of_a_sublayer_are_as_by_hand_and_add_up_to_it(norm: Norm) -> None:
    model = model_of(norm)
    original, learned = captured(model, PAIRS[0]), parameters(model)
    mixing = norm_mixing(original, learned)
    for kind, layer in product(KINDS, range(2)):
        expected, whole = by_hand(norm, kind, layer)
        found = contributions(original, learned, kind, layer)
        np.testing.assert_allclose(found, expected, atol=2e-5)
        np.testing.assert_allclose(found.sum(1), whole, atol=2e-5)
        lengths = np.sqrt((expected**2).sum(-1))
        shares = lengths / lengths.sum(-1, keepdims=True)
        np.testing.assert_allclose(getattr(mixing, kind)[layer], shares, atol=1e-5)


def test_uniform_attention_with_a_residual_of_one_half_is_known() -> None:
    """After n layers (I + U)/2, a word keeps 2⁻ⁿ of its own and has its share of the rest."""
    n, own = 3, np.eye(4)
    uniform = np.full((4, 4), 1 / 4)
    stacked = np.stack([(own + uniform) / 2] * n)
    cross = np.stack([np.hstack([uniform, own]) / 2] * n)
    found = reach(Mixing(stacked, stacked, cross))
    np.testing.assert_allclose(found.encoder[-1], own / 8 + uniform * 7 / 8)
    # Of the decoder's own words, each cross-attention leaves one half.
    np.testing.assert_allclose(found.decoder[-1][:, :4], uniform * 7 / 8)
    np.testing.assert_allclose(found.decoder[-1][:, 4:], (own / 8 + uniform * 7 / 8) / 8)


def cut(capacities: np.ndarray, source: int, sink: int) -> float:
    """The smallest cut of all ways to part a graph, which is its largest flow."""
    size = len(capacities)
    cuts = []
    for sides in product((False, True), repeat=size):
        side = np.array(sides)
        if side[source] and not side[sink]:
            cuts.append(capacities[side][:, ~side].sum())
    return float(min(cuts))


def test_flows_are_the_smallest_cuts() -> None:
    rng = np.random.default_rng(0)
    encoder, decoder = rng.dirichlet(np.ones(2), (2, 2)), rng.dirichlet(np.ones(2), (1, 2))
    cross = rng.dirichlet(np.ones(4), (1, 2)) * [[1, 1, 1, 0], [1, 1, 0, 1]]
    cross /= cross.sum(-1, keepdims=True)
    graph = np.zeros((12, 12))  # source 0 1, layer 2 3, memory 4 5, target 6 7, own 8 9, out 10 11
    for first, mix in ((0, encoder[0]), (2, encoder[1]), (6, decoder[0])):
        for t, s in product(range(2), range(2)):
            graph[first + s, first + 2 + t] = mix[t, s]
    for t, s in product(range(2), range(2)):
        graph[4 + s, 10 + t] = cross[0, t, s]
        graph[8 + s, 10 + t] = cross[0, t, 2 + s]
    mixing = Mixing(encoder, decoder, cross)
    for t in range(2):
        expected = [cut(graph, source, 10 + t) for source in (0, 1, 6, 7)]
        np.testing.assert_allclose(flow(mixing, "tgt", 0, t), expected, atol=1e-5)
        for layer in range(2):
            expected = [cut(graph, source, 2 + 2 * layer + t) for source in (0, 1)]
            np.testing.assert_allclose(flow(mixing, "src", layer, t), expected, atol=1e-5)
