"""torch's optimizers without its compiler: the same steps, and nothing slow is imported."""

import subprocess
import sys

import pytest
import torch

from model.nn.optimizers import SGD, Adam, AdamW

UPDATES = """
import sys
from itertools import islice
from model.history import cnn
from model.history.deep import Plan, race
list(islice(cnn.train(0), 2))
list(islice(race([Plan(3, True)], 0), 2))
assert "torch._dynamo" not in sys.modules
"""


def test_a_page_that_trains_does_not_wait_for_the_compiler() -> None:
    """Filters, ResNet and the search for other attention once waited 2.5 s for its import."""
    done = subprocess.run([sys.executable, "-c", UPDATES], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


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
