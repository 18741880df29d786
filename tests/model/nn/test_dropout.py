"""Dropout made of random bytes behaves as dropout does."""

from itertools import product

import pytest
import torch

from model.nn.dropout import ByteDropout


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_share_and_scale(p: float) -> None:
    torch.manual_seed(0)
    dropout = ByteDropout(p).train()
    out = dropout(torch.ones(400, 1001))
    exact = round(p * 256) / 256
    assert float((out == 0).float().mean()) == pytest.approx(exact, abs=0.003)
    assert out[out != 0].unique().tolist() == pytest.approx([1 / (1 - exact)])
    assert float(out.mean()) == pytest.approx(1, abs=0.005)


def test_neighbours_are_independent_and_the_seed_decides() -> None:
    torch.manual_seed(0)
    kept = (ByteDropout(0.5).train()(torch.ones(1_000_000)) != 0).float() - 0.5
    for lag in (1, 2, 7, 8, 64):
        assert abs(float((kept[lag:] * kept[:-lag]).mean())) < 0.0015
    dropout, x = ByteDropout(0.3).train(), torch.randn(7, 13)
    torch.manual_seed(3)
    first, second = dropout(x), dropout(x)
    torch.manual_seed(3)
    assert torch.equal(dropout(x), first)
    assert not torch.equal(first, second)


def test_no_dropout_gives_back_the_very_tensor_and_any_other_its_shape_and_type() -> None:
    x = torch.randn(3)
    assert ByteDropout(0.5).eval()(x) is x
    assert ByteDropout(0.0).train()(x) is x
    assert ByteDropout(0.001).train()(x) is x  # rounded to 1/256
    shapes: list[tuple[int, ...]] = [(), (1,), (3,), (8,), (2, 3, 5), (0, 4)]
    for shape, dtype in product(shapes, (torch.float32, torch.bfloat16)):
        out = ByteDropout(0.5).train()(torch.ones(shape, dtype=dtype))
        assert (out.shape, out.dtype) == (torch.Size(shape), dtype)


def test_gradient_is_that_of_what_was_kept() -> None:
    torch.manual_seed(0)
    x = torch.ones(100, requires_grad=True)
    out = ByteDropout(0.5).train()(x)
    out.sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad, out.detach())
