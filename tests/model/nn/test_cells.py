"""Both cells give torch's own numbers, forwards and backwards, and padding leaves them alone."""

import pytest
import torch
from torch import nn

from model.nn.cell import GRU, Elman, RecurrentCell

CELLS: list[type[RecurrentCell]] = [GRU, Elman]


def made(kind: type[RecurrentCell], d_in: int = 5, d_hidden: int = 7) -> RecurrentCell:
    torch.manual_seed(0)
    cell = kind(d_in, d_hidden)
    nn.init.normal_(cell.w.bias)
    nn.init.normal_(cell.u.bias)
    return cell


@torch.no_grad()
def copied(cell: RecurrentCell, other: nn.RNNBase) -> None:
    for ours, theirs in ((cell.w, "ih"), (cell.u, "hh")):
        getattr(other, f"weight_{theirs}_l0").copy_(ours.weight)
        getattr(other, f"bias_{theirs}_l0").copy_(ours.bias)


@torch.no_grad()
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(("kind", "theirs"), [(GRU, nn.GRU), (Elman, nn.RNN)])
def test_a_sentence_equals_torchs_network(
    kind: type[RecurrentCell], theirs: type[nn.RNNBase], backwards: bool
) -> None:
    cell, other = made(kind), theirs(5, 7, batch_first=True)  # type: ignore[call-arg, arg-type]
    copied(cell, other)
    x, h = torch.randn(3, 6, 5), torch.randn(3, 1, 7)
    expected, _ = other(x.flip(1) if backwards else x, h.transpose(0, 1))
    found = cell(x, h, backwards=backwards)["hidden"]
    step = cell.step(cell.w(x[:, [-backwards]]), h)["hidden"]
    torch.testing.assert_close(step[:, 0], found[:, -backwards], atol=1e-5, rtol=0)
    wanted = expected.flip(1) if backwards else expected
    torch.testing.assert_close(found, wanted, atol=1e-5, rtol=0)


@torch.no_grad()
def test_the_gates_are_those_of_the_formulas() -> None:
    gru = made(GRU, 2, 1)
    x, h = torch.tensor([[[0.5, -1.0]]]), torch.tensor([[[0.25]]])
    (w_r, w_z, w_n), (b_r, b_z, b_n) = gru.w.weight, gru.w.bias
    (u_r, u_z, u_n), (c_r, c_z, c_n) = gru.u.weight[:, 0], gru.u.bias
    r = torch.sigmoid(x[0, 0] @ w_r + b_r + 0.25 * u_r + c_r)
    z = torch.sigmoid(x[0, 0] @ w_z + b_z + 0.25 * u_z + c_z)
    n = torch.tanh(x[0, 0] @ w_n + b_n + r * (0.25 * u_n + c_n))
    expected = torch.stack([r, z, n, (1 - z) * n + z * 0.25])
    found = torch.stack([each[0, 0, 0] for each in gru(x, h).values()])
    torch.testing.assert_close(found, expected)


@torch.no_grad()
def test_a_plain_cell_is_a_gru_with_its_gates_fixed() -> None:
    gru, x, h = made(GRU), torch.randn(2, 1, 5), torch.randn(2, 1, 7)
    wide_open, shut = 40.0, -40.0  # before the sigmoid: r = 1, z = 0
    plain = Elman.without_gates(gru)  # type: ignore[arg-type]
    found = plain(x, h)["hidden"]
    gru.w.bias[:14] = torch.tensor([wide_open] * 7 + [shut] * 7)
    torch.testing.assert_close(found, gru(x, h)["hidden"])


@torch.no_grad()
@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("backwards", [False, True])
def test_padding_leaves_the_state_as_it_is(kind: type[RecurrentCell], backwards: bool) -> None:
    cell, x = made(kind), torch.randn(2, 6, 5)
    real = torch.arange(6)[None, :, None] < torch.tensor([6, 4])[:, None, None]
    together = cell(x, cell.start(x), real, backwards)["hidden"]
    short = cell(x[1:, :4], cell.start(x[1:]), None, backwards)["hidden"]
    torch.testing.assert_close(together[1:, :4], short)
    kept = torch.zeros(7) if backwards else together[1, 3]
    assert all(torch.equal(state, kept) for state in together[1, 4:])
