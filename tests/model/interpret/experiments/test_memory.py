"""What a recurrent encoder still knows of a word that it has read."""

import numpy as np
import torch

from model.interpret.experiments.memory import moved, remembered, strides
from tests.model.nn.samples import tiny_capture

SRC = [5, 9, 30, 41, 2]


def test_the_first_token_counts_in_full_when_it_was_just_read() -> None:
    model, _ = tiny_capture("rnn")
    found = remembered(model, SRC)
    assert found.gru.shape == found.plain.shape == (len(SRC),)
    assert found.gru[0] == found.plain[0] == 1
    assert 0 < found.update < 1


def test_the_memory_moves_as_a_shorter_sentence_says() -> None:
    model, _ = tiny_capture("rnn")
    with torch.inference_mode():
        whole, shorter = (
            model.encode(torch.tensor([ids]), None)[0].numpy() for ids in (SRC, SRC[1:])
        )
    found = moved(model, SRC, whole)
    assert found.shape == (len(SRC),)
    distance = np.linalg.norm(shorter - whole) / np.linalg.norm(whole)
    np.testing.assert_allclose(found[0], distance, rtol=1e-4)


def test_padding_does_not_move_the_state() -> None:
    model, _ = tiny_capture("rnn")
    ids = np.array([SRC, [7, 2, 0, 0, 0]])
    found = strides(model, ids)
    assert found.shape == ids.shape
    assert (found[ids != 0] > 0).all()
    assert (found[1, 2:] == 0).all()
    with torch.inference_mode():
        first, second = (model.encode(torch.tensor([ids]), None)[0, 0] for ids in ([7], [7, 2]))
    np.testing.assert_allclose(found[1, :2], [first.norm(), (second - first).norm()], rtol=1e-4)
