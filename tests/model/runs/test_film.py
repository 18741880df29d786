"""A frame is what the model computes for the probe at that moment, and comes back from the disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import save

from model.config import KINDS
from model.decoding.search import translate_ids
from model.runs.film import Frame, exact_share, film, moments
from model.tasks import TASKS, split
from model.text.byte_level import BOS, EOS
from model.text.pairs import Pair
from model.text.tokenizer import Tokenizer
from tests.model.samples import letters_tokenizer, reversed_pairs, tiny_model

PROBE = Pair("a b c d", "d c b a")


@pytest.fixture(scope="module")
def frame() -> Frame:
    return film(tiny_model(), letters_tokenizer(), PROBE, 7)


def test_a_frame_is_what_the_model_computes(frame: Frame) -> None:
    model, tokenizer = tiny_model(), letters_tokenizer()
    src, tgt = [*tokenizer.encode(PROBE.src), EOS], [*tokenizer.encode(PROBE.tgt), EOS]
    with torch.inference_mode():
        logits = model(torch.tensor([src]), torch.tensor([[BOS, *tgt[:-1]]]))[0]
    p = logits.softmax(-1)
    best = p.topk(10, dim=-1)
    assert frame.target_ids.tolist() == tgt
    np.testing.assert_allclose(frame.target_p, p[range(len(tgt)), tgt], rtol=1e-5)
    np.testing.assert_allclose(frame.top_p, best.values, rtol=1e-5)
    assert (frame.top_p[:, 0] >= frame.top_p[:, 1]).all()
    assert frame.output == tokenizer.decode(translate_ids(model, [src], width=1)[0])
    assert [token.id for token in frame.capture.src] == src
    assert all(name.endswith(".weights") for name in frame.capture.arrays)


def test_a_frame_comes_back_with_three_digits(frame: Frame, tmp_path: Path) -> None:
    path = tmp_path / "frames" / "00000007.safetensors"
    frame.save(path)
    loaded = Frame.load(path)
    assert (loaded.step, loaded.output) == (7, frame.output)
    assert (loaded.capture.src, loaded.capture.tgt) == (frame.capture.src, frame.capture.tgt)
    for kind in KINDS:
        for layer in range(2):
            weights = loaded.capture.weights(kind, layer)
            np.testing.assert_allclose(weights, frame.capture.weights(kind, layer), atol=5e-4)
    for name in ("target_ids", "target_p", "top_ids", "top_p"):
        assert np.array_equal(getattr(loaded, name), getattr(frame, name))
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    with pytest.raises(ValueError, match="read-only"):
        loaded.capture.weights("cross", 0)[:] = 0


def test_the_shares_are_those_of_the_heads_that_look_where_they_should(frame: Frame) -> None:
    name = "decoder.1.cross_attn.weights"
    planted = np.zeros_like(frame.capture.arrays[name])  # (H, T, S)
    backwards = [(i, 3 - i) for i in range(4)]
    for i, j in backwards:
        planted[1, i, j] = 0.9
    arrays = {**frame.capture.arrays, name: planted}
    looking = replace(frame, capture=replace(frame.capture, arrays=arrays))
    assert frame.cells(backwards) == ((0, 3), (1, 2), (2, 1), (3, 0))
    shares = looking.shares(backwards)
    assert shares[1, 1] == shares.max() == pytest.approx(0.9)
    with pytest.raises(ValueError, match="no place"):
        frame.shares([(9, 9)])


def test_a_word_of_several_pieces_looks_and_is_looked_at_in_all_of_them() -> None:
    tokenizer = letters_tokenizer()
    frame = film(tiny_model(), tokenizer, Pair("a xyz b", "b xyz"), 0)
    pieces = range(1, len(frame.capture.src) - 2)  # between "a" and "b", <eos>
    rows = range(1, len(frame.capture.tgt) - 1)  # after "b"
    assert min(len(pieces), len(rows)) > 1
    assert frame.cells([(1, 1)]) == tuple((row, piece) for row in rows for piece in pieces)


@pytest.mark.parametrize(("name", "expected"), [
    ("numbers-es", "two>doscientos hundred>doscientos thirty>treinta four>cuatro"),
    ("numbers-fr", "two>deux two>cent hundred>deux hundred>cent thirty>trente four>quatre"),
])  # fmt: skip
def test_each_part_of_a_hyphenated_number_looks_at_its_own_word(name: str, expected: str) -> None:
    """“thirty-four” was one word: the row of “thirty” was to look at “treinta” and “cuatro”, that
    of “four” nowhere, and the best head was judged by that.
    """
    task = TASKS[name]
    assert task.align is not None
    pairs, _ = split(task, 500, 1, seed=0)
    tokenizer = Tokenizer.train((text for pair in pairs for text in (pair.src, pair.tgt)), 476)
    model = tiny_model(vocab_size=tokenizer.vocab_size)
    frame = film(model, tokenizer, task.probe, 0)
    src, tgt = frame.capture.src, tokenizer.tokens(frame.target_ids.tolist())
    cells = frame.cells(task.align(task.probe))
    assert " ".join(f"{tgt[row].text}>{src[key].text}" for row, key in cells) == expected


def test_what_is_no_frame(frame: Frame, tmp_path: Path) -> None:
    good, zeros = tmp_path / "1.safetensors", {"x": np.zeros(3)}
    frame.save(good)
    whole = good.read_bytes()
    replace(frame, target_p=np.zeros(2)).save(good)
    deep = save({**zeros}, metadata={"step": "[" * 100_000})  # which is no ValueError of Python's
    odd = (whole[:200], b"no frame", save(zeros, metadata={"step": "1"}), deep, good.read_bytes())
    for data in (*odd, b"x" * (33 * 2**20)):
        good.write_bytes(data)
        with pytest.raises(ValueError, match=r"is no frame of a film\.$"):
            Frame.load(good)


def test_moments_are_dense_at_first_and_hold_each_validation() -> None:
    for steps, every in ((1, 500), (30, 10), (1500, 250), (100_000, 5000)):
        found = moments(steps, every)
        assert {0, steps, *range(every, steps + 1, every)} <= found
        assert max(found) == steps
        assert len(found) < 80
        assert steps < 1500 or {1, 2, 5, 10, 20} <= found


def test_exact_is_what_greedy_decoding_writes_exactly() -> None:
    """Every second target is what the model itself writes; the others differ in one token."""
    model, tokenizer = tiny_model(), letters_tokenizer()
    sources = [[*ids, EOS] for ids in tokenizer.encode_batch([p.src for p in reversed_pairs(20)])]
    written = translate_ids(model, sources, width=1)
    examples = [
        (source, ids if i % 2 else [*ids[:3], ids[3] + 1, *ids[4:]])
        for i, (source, ids) in enumerate(zip(sources, written, strict=True))
    ]
    assert exact_share(model, examples) == 0.5
    assert exact_share(model, examples[1::2]) == 1
