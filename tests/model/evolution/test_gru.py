"""The GRU gives torch's own numbers, forwards and backwards, and padding leaves it alone."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from model.evolution.gru import GRU


def made(d_in: int = 5, d_hidden: int = 7) -> GRU:
    torch.manual_seed(0)
    gru = GRU(d_in, d_hidden)
    nn.init.normal_(gru.w.bias)
    nn.init.normal_(gru.u.bias)
    return gru


def copied(gru: GRU, other: nn.GRU | nn.GRUCell) -> None:
    end = "_l0" if isinstance(other, nn.GRU) else ""
    with torch.no_grad():
        for ours, theirs in ((gru.w, "ih"), (gru.u, "hh")):
            getattr(other, f"weight_{theirs}{end}").copy_(ours.weight)
            getattr(other, f"bias_{theirs}{end}").copy_(ours.bias)


@torch.no_grad()
def test_a_step_equals_torchs_cell() -> None:
    gru, cell = made(), nn.GRUCell(5, 7)
    copied(gru, cell)
    x, h = torch.randn(4, 5), torch.randn(4, 7)
    found = gru.step(gru.w(x[:, None]), h[:, None]).hidden[:, 0]
    torch.testing.assert_close(found, cell(x, h))


@torch.no_grad()
@pytest.mark.parametrize("backwards", [False, True])
def test_a_sentence_equals_torchs_gru(backwards: bool) -> None:
    gru, theirs = made(), nn.GRU(5, 7, batch_first=True)
    copied(gru, theirs)
    x, h = torch.randn(3, 6, 5), torch.randn(3, 1, 7)
    expected, _ = theirs(x.flip(1) if backwards else x, h.transpose(0, 1))
    found = gru(x, h, backwards=backwards)
    torch.testing.assert_close(found.hidden, expected.flip(1) if backwards else expected)


@torch.no_grad()
def test_the_gates_are_those_of_the_formulas() -> None:
    gru = made(2, 1)
    x, h = torch.tensor([[[0.5, -1.0]]]), torch.tensor([[[0.25]]])
    (w_r, w_z, w_n), (b_r, b_z, b_n) = gru.w.weight, gru.w.bias
    (u_r, u_z, u_n), (c_r, c_z, c_n) = gru.u.weight[:, 0], gru.u.bias
    r = torch.sigmoid(x[0, 0] @ w_r + b_r + 0.25 * u_r + c_r)
    z = torch.sigmoid(x[0, 0] @ w_z + b_z + 0.25 * u_z + c_z)
    n = torch.tanh(x[0, 0] @ w_n + b_n + r * (0.25 * u_n + c_n))
    expected = torch.stack([r, z, n, (1 - z) * n + z * 0.25])
    found = torch.stack([gate[0, 0, 0] for gate in gru(x, h)])
    torch.testing.assert_close(found, expected)


@torch.no_grad()
@pytest.mark.parametrize("backwards", [False, True])
def test_padding_leaves_the_state_as_it_is(backwards: bool) -> None:
    gru, x = made(), torch.randn(2, 6, 5)
    real = torch.arange(6)[None, :, None] < torch.tensor([6, 4])[:, None, None]
    together = gru(x, gru.start(x), real, backwards).hidden
    short = gru(x[1:, :4], gru.start(x[1:]), None, backwards).hidden
    torch.testing.assert_close(together[1:, :4], short)
    kept = torch.zeros(7) if backwards else together[1, 3]
    assert all(torch.equal(state, kept) for state in together[1, 4:])
