"""The network that reads digits: same for a seed, right on digits it never saw, open to look at."""

import numpy as np
import pytest
import torch

from model.history.cnn import REPORTS, UPDATES, Cnn, Learned, read, train
from model.history.digits import HELD_OUT, digits


@pytest.fixture(scope="module")
def trained() -> list[Learned]:
    return list(train(0))


@pytest.mark.long
def test_it_begins_knowing_nothing_and_reads_more_than_95_of_100_digits(
    trained: list[Learned],
) -> None:
    assert len(trained) == REPORTS
    first, last = trained[0], trained[-1]
    assert (first.accuracy < 0.35, first.loss > 2) == (True, True)
    assert (last.accuracy > 0.95, last.loss < 0.3, last.update) == (True, True, UPDATES)


@pytest.mark.long
def test_a_seed_repeats_itself(trained: list[Learned]) -> None:
    again = train(0)
    assert [next(again).loss for _ in range(3)] == [report.loss for report in trained[:3]]
    assert next(train(1)).loss != trained[0].loss


def test_held_out_digits_are_never_learned_from() -> None:
    learn, held_out = digits()
    assert len(held_out) == HELD_OUT
    assert len(learn) + len(held_out) == 1797
    seen = {picture.numpy().tobytes() for picture in learn.pictures}
    assert not any(picture.numpy().tobytes() in seen for picture in held_out.pictures)
    assert set(held_out.labels.tolist()) == set(range(10))


@pytest.mark.long
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
