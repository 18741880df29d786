"""The packed model writes what the plain one writes, in every search and every kind of model."""

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pytest
import torch

from model.decoding.beam import Step
from model.decoding.search import beam, greedy, n_best, translate_ids
from model.nn.packed import PackedLinear, PackedTransformer, packed
from model.nn.translator import Decodable, Translator
from tests.model.samples import tiny_model, tiny_translator

EOS = 2
SENTENCES = [[5, 9, 30, EOS], [7, EOS], [12, 13, 14, 15, 16, 17, 18, EOS], [33, 4, 4, EOS]]


def tiny(**changes: Any) -> Translator:
    return tiny_model(vocab_size=40, tie_generator=False, **changes)


MODELS: dict[str, Callable[[], Translator]] = {
    "post": partial(tiny, norm="post"),
    "pre": partial(tiny, norm="pre", n_heads=4, n_decoder_layers=3),
    # As models imported from Marian are: they begin with <pad> and must end at the limit.
    "marian": partial(
        tiny, norm="post", activation="swish", positions="marian", bos_id=0, force_end=True
    ),
    "rnn": partial(tiny_translator, "rnn", vocab_size=40, tie_generator=False, cell="tanh"),
    "rnnsearch": partial(tiny_translator, "rnnsearch", vocab_size=40, tie_generator=False),
}
SEARCHES: dict[str, Callable[[Decodable, list[int]], list[Step]]] = {
    "greedy": lambda model, src: list(greedy(model, src)),
    "beam 4": lambda model, src: list(beam(model, src, 4)),
    "beam 5": lambda model, src: list(beam(model, src, 5)),
}


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> Translator:
    # A checkpoint's weights are half precision.
    return MODELS[request.param]().half().float()


@pytest.mark.parametrize("search", SEARCHES)
def test_each_step_has_the_same_hypotheses_and_numbers(model: Translator, search: str) -> None:
    fast = packed(model)
    assert fast is not model
    for src in SENTENCES:
        pair = (SEARCHES[search](one, src) for one in (model, fast))
        for slow, quick in zip(*pair, strict=True):
            for one, other in zip(slow.hypotheses, quick.hypotheses, strict=True):
                assert (one.tokens, one.parent) == (other.tokens, other.parent)
                assert one.log_prob == pytest.approx(other.log_prob, abs=1e-4)
                np.testing.assert_allclose(one.log_probs, other.log_probs, atol=2e-5)


@pytest.mark.parametrize("width", [1, 4, 5])
def test_a_batch_that_shrinks_is_translated_as_by_the_plain_model(
    model: Translator, width: int
) -> None:
    """Sentences of several lengths need a mask over the source, and drop out as they end."""
    fast = packed(model)
    assert translate_ids(fast, SENTENCES, width) == translate_ids(model, SENTENCES, width)
    if width > 1:
        lists = (chain.from_iterable(n_best(one, SENTENCES, width, 3)) for one in (model, fast))
        for one, other in zip(*lists, strict=True):
            assert one.tokens == other.tokens
            assert one.score == pytest.approx(other.score, abs=1e-4)


def test_packing_leaves_the_model_as_it_was() -> None:
    model = tiny()
    before = {name: one.clone() for name, one in model.state_dict().items()}
    fast = packed(model)
    list(greedy(fast, SENTENCES[0]))
    assert isinstance(fast, PackedTransformer)
    assert packed(fast) is fast
    after = model.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(one, after[name]) for name, one in before.items())


def test_too_long_a_sentence_is_refused_as_by_the_plain_model() -> None:
    model = tiny(max_len=4)
    for one in (model, packed(model)):
        with pytest.raises(ValueError, match="5 tokens are more than this model's 4"):
            one.encode(torch.tensor([[3, 4, 5, 6, EOS]]), None)
        cache = one.start_cache(one.encode(torch.tensor([[3, EOS]]), None), None)
        with torch.inference_mode():
            for _ in range(4):
                one.decode_step(torch.tensor([[3]]), cache)
            with pytest.raises(ValueError, match="5 tokens are more"):
                one.decode_step(torch.tensor([[3]]), cache)


def test_a_product_is_the_same_with_one_thread_and_with_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Few rows, or one thread, and many rows on several threads go two ways."""
    model = tiny().half().float()
    linear, x = PackedLinear.of(model.generator), torch.randn(32, 16)
    alone = linear(x)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)
    assert torch.equal(linear(x), alone)
    assert torch.equal(linear(x[:3]), alone[:3])
    assert torch.allclose(alone, model.generator(x), atol=1e-5)
