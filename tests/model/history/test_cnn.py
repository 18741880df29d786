"""The network that reads digits: same for a seed, right on digits it never saw, open to look at."""

import numpy as np
import pytest
import torch

from model.history.cnn import REPORTS, UPDATES, Cnn, Learned, read, train
from model.history.digits import HELD_OUT, digits


@pytest.fixture(scope="module")
def trained() -> list[Learned]:
    return list(train(0))


@pytest.mark.parametrize("seed", [1, 2])
def test_it_reads_more_than_95_of_100_held_out_digits(seed: int) -> None:
    *_, last = train(seed)
    assert last.accuracy > 0.95
    assert last.update == UPDATES


def test_it_begins_knowing_nothing(trained: list[Learned]) -> None:
    assert trained[0].accuracy < 0.35
    assert trained[0].loss > 2
    assert len(trained) == REPORTS
    assert trained[-1].loss < 0.3


def test_a_seed_repeats_itself(trained: list[Learned]) -> None:
    again = train(0)
    for first in trained[:4]:
        assert next(again).loss == first.loss
    other = train(1)
    assert next(other).loss != trained[0].loss


def test_held_out_digits_are_never_learned_from() -> None:
    learn, held_out = digits()
    assert len(held_out) == HELD_OUT
    assert len(learn) + len(held_out) == 1797
    seen = {picture.numpy().tobytes() for picture in learn.pictures}
    assert not any(picture.numpy().tobytes() in seen for picture in held_out.pictures)
    assert set(held_out.labels.tolist()) == set(range(10))


def test_a_reading_is_the_networks_own(trained: list[Learned]) -> None:
    _, held_out = digits()
    weights = trained[-1].weights
    right = 0
    for picture, label in zip(held_out.pictures[:60], held_out.labels[:60], strict=True):
        reading = read(weights, picture[0].numpy())
        right += int(reading.probabilities.argmax()) == int(label)
        assert reading.probabilities.sum() == pytest.approx(1, abs=1e-5)
    network = Cnn()
    network.load_state_dict({name: torch.tensor(one) for name, one in weights.items()})
    assert right == int((network(held_out.pictures[:60]).argmax(1) == held_out.labels[:60]).sum())
    pooled = reading.maps2.reshape(16, 4, 2, 4, 2).max((2, 4))
    np.testing.assert_array_equal(reading.pooled, pooled)
    assert reading.maps1.shape == (8, 8, 8)
