"""torch's optimizers without its compiler: the same steps, and nothing slow is imported."""

import re
import sys
from pathlib import Path

import pytest
import torch

from model.training.optim import SGD, Adam, AdamW

ROOT = Path(__file__).parents[3]


def test_a_page_that_trains_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Filters, ResNet and the search for other attention once waited 2.5 s for its import."""
    monkeypatch.setitem(sys.modules, "torch._dynamo", None)  # its import fails
    for kind in (Adam, AdamW, SGD):
        x = torch.tensor([1.0], requires_grad=True)
        optimizer = kind([x], lr=0.1)
        optimizer.zero_grad()
        x.sum().backward()
        optimizer.step()
    for path in (path for folder in ("app", "model") for path in (ROOT / folder).rglob("*.py")):
        made = re.findall(r"optim\.[A-Z]\w+\(|from torch\.optim import", path.read_text("utf-8"))
        assert not made, path


@pytest.mark.parametrize(
    ("own", "settings"), [(Adam, {}), (AdamW, {"weight_decay": 0.1}), (SGD, {"momentum": 0.9})]
)
def test_steps_are_those_of_torch(own: type, settings: dict[str, float]) -> None:
    ends = []
    for kind in (own, getattr(torch.optim, own.__name__)):
        x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
        optimizer = kind([x], lr=0.1, **settings)
        for _step in range(5):
            optimizer.zero_grad()
            (x**3).sum().backward()
            optimizer.step()
        ends.append(x.detach())
    assert torch.equal(*ends)
