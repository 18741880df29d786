"""Every measure of the head atlas against NumPy; muting against zeroed rows of W_O, to the bit."""

import copy
import random
from pathlib import Path

import numpy as np
import pytest
import torch

from model import checkpoint
from model.atlas import measures, muting
from model.atlas.aligning import align
from model.atlas.sample import Encoded, HeadId, Sample, heads_of, phrase_sample
from model.config import Norm
from model.marian import import_marian
from model.nn.transformer import Transformer
from model.text.pairs import AlignedPair, Pair
from tests.model.atlas.by_hand import Sentence, aer
from tests.model.marian_samples import save_marian, theirs
from tests.model.samples import letters_tokenizer, tiny_model

TEXTS = ("a b, a b c.", "dab! c d", "- a e", "b cb a d e f g")


def pairs_of_letters(seed: int, count: int = 0) -> list[AlignedPair]:
    """Pairs with words of several pieces, marks and repetitions, and random links."""
    rng = random.Random(seed)
    drawn = [" ".join(rng.choices("abcdef", k=rng.randint(2, 6))) for _ in range(count)]
    found = []
    for src in (*TEXTS, *drawn):
        tgt = " ".join(rng.choices(["a", "b,", "c", "de", "f."], k=rng.randint(2, 5)))
        cells = [(s, t) for s in range(len(src.split())) for t in range(len(tgt.split()))]
        possible = rng.sample(cells, 4)
        found.append(AlignedPair(Pair(src, tgt), frozenset(possible[:2]), frozenset(possible)))
    return found


def encoded(model: Transformer, golds: list[AlignedPair]) -> Encoded:
    sample = Sample("letters", tuple(one.pair for one in golds), tuple(golds))
    return Encoded(model, letters_tokenizer(), sample)


@pytest.mark.parametrize(("norm", "first"), [("pre", 0), ("post", 2)])
def test_measures_equal_numpy(norm: Norm, first: int) -> None:
    model, tokenizer = tiny_model(3, norm=norm), letters_tokenizer()
    golds, heads = pairs_of_letters(0)[first : first + 2], heads_of(model.config)
    numbers = list(range(len(golds)))
    sample = encoded(model, golds)
    found = measures.measure(model, sample, numbers)
    found["gradient"] = muting.gate_gradients(model, sample.batch(numbers))
    muted = muting.muted_one_by_one(model, sample.batch(numbers), heads)
    whole = muting.log_p(model, sample.batch(numbers)).detach().numpy()
    del found["lens_token"]
    seen = set[str]()
    for i, one in enumerate(golds):
        sentence = Sentence(model, tokenizer, one)
        assert whole[i] == pytest.approx(sentence.log_p(), abs=1e-4)
        for k, head in enumerate(heads):
            expected = sentence.measures(head)
            expected["gradient"] = (
                sentence.gradient(head) if k % 2 == i else found["gradient"][i, k]
            )
            assert muted[i, k] == pytest.approx(sentence.log_p([head]), abs=1e-4)
            for name, values in found.items():
                close = pytest.approx(expected.get(name, np.nan), abs=2e-4, nan_ok=True)
                assert values[i, k] == close, (name, head, one)
            seen |= expected.keys()
    assert seen == found.keys()


def test_muting_equals_rows_of_zeros_to_the_bit() -> None:
    model = tiny_model(2)
    batch = encoded(model, pairs_of_letters(1, count=8)).batch(range(12))
    for head in heads_of(model.config)[::3]:
        other = copy.deepcopy(model)
        with torch.inference_mode(), muting.without(other, head):
            zeroed = muting.log_p(other, batch)
            assert not torch.equal(zeroed, muting.log_p(model, batch))
        assert np.array_equal(muting.muted_one_by_one(model, batch, [head])[:, 0], zeroed.numpy())
        assert torch.equal(other.state_dict()["generator.weight"], model.generator.weight)
        for one, same in zip(other.parameters(), model.parameters(), strict=True):
            assert torch.equal(one, same)  # put back


def test_pruning_takes_the_head_that_hurts_least() -> None:
    model, tokenizer = tiny_model(4), letters_tokenizer()
    golds = pairs_of_letters(2)[:2]
    batch = encoded(model, golds).batch(range(len(golds)))
    sentences = [Sentence(model, tokenizer, one) for one in golds]
    heads, gone = heads_of(model.config), list[HeadId]()
    costs = dict.fromkeys(heads, 0.0)
    for _ in range(2):
        left = [head for head in heads if head not in gone]
        means = [np.mean([one.log_p([*gone, head]) for one in sentences]) for head in left]
        gone.append(muting.prune_next(model, [batch], gone, costs, len(heads)))
        assert gone[-1] == left[int(np.argmax(means))]
        assert costs[gone[-1]] == pytest.approx(-max(means), abs=1e-4)


def test_alignment_errors_equal_sets_of_links() -> None:
    model, tokenizer = tiny_model(5), letters_tokenizer()
    golds = pairs_of_letters(3, count=4)
    sentences = [Sentence(model, tokenizer, one) for one in golds]
    (found,) = align(model, encoded(model, golds), "letters", size=5)
    assert (found.pairs, found.most_words) == (len(golds), 0)
    assert len({(one.by, one.row, one.way) for one in found.variants}) == 12
    for variant in found.variants:
        way = variant.way
        of_heads: list[list[np.ndarray]] = []  # by head, then by sentence
        for layer in range(model.config.n_decoder_layers):
            for head in range(model.config.n_heads):
                where = variant.by, variant.row, layer, head
                of_heads.append([word_map(sentence, *where) for sentence in sentences])
                assert variant.heads[layer][head] == pytest.approx(aer(of_heads[-1], golds, way))
            of_layer = of_heads[-model.config.n_heads :]
            mean = [np.mean(maps, 0) for maps in zip(*of_layer, strict=True)]
            assert variant.layers[layer] == pytest.approx(aer(mean, golds, way))
        halves = [[aer(maps[at::2], golds[at::2], way) for maps in of_heads] for at in (0, 1)]
        best = int(np.argmin(halves[0]))
        assert variant.best == divmod(best, model.config.n_heads)
        assert variant.best_aer == pytest.approx(halves[1][best])
        chosen = [layer * model.config.n_heads + head for layer, head in variant.combination]
        both = [np.mean([of_heads[k][i] for k in chosen], 0) for i in range(1, len(golds), 2)]
        assert variant.combination_aer == pytest.approx(aer(both, golds[1::2], way))
        assert chosen[0] == best


def word_map(sentence: Sentence, by: str, row: str, layer: int, head: int) -> np.ndarray:
    """One head's map between words, NaN where a target word has no piece of its own."""
    scope = f"decoder.{layer}.cross_attn"
    arrays = sentence.arrays
    pieces = arrays[f"{scope}.weights"][head]
    if by == "norms":
        d_k = sentence.model.config.d_k
        attention = sentence.model.decoder[layer].cross_attn
        w_o = attention.w_o.weight.detach().double().numpy()[:, head * d_k : (head + 1) * d_k]
        lengths = pieces * np.linalg.norm(arrays[f"{scope}.v"][head] @ w_o.T, axis=-1)
        pieces = lengths / lengths.sum(-1, keepdims=True)
    src, out = sentence.words(sentence.src), sentence.words(sentence.out)
    rows = []
    for word in range(len(sentence.one.pair.tgt.split())):
        at = [t + (row == "reads") for t, of in enumerate(out) if of == word]
        mean = pieces[at].mean(0)
        count = len(sentence.one.pair.src.split())
        rows.append([sum(mean[[s for s, of in enumerate(src) if of == n]]) for n in range(count)])
    return np.array(rows)


def test_a_model_that_begins_with_pad_is_measured_alone_as_among_longer_sentences(
    tmp_path: Path,
) -> None:
    """Marian's <pad> begins a translation, is its last id, and its <eos> is 0: ours were taken for
    theirs, and such a model could not be measured."""
    import_marian(save_marian(tmp_path / "theirs", theirs()), tmp_path / "ours")
    loaded = checkpoint.load(tmp_path / "ours")
    sample = phrase_sample("es", 4, seed=0)
    of = Encoded(loaded.model, loaded.tokenizer, sample)
    assert len({len(src) for src, _tgt in of.examples}) > 1
    assert isinstance(loaded.model, Transformer)
    every = list(range(len(of)))
    together = measures.measure(loaded.model, of, every)
    del together["lens_token"]
    log_p = muting.log_p(loaded.model, of.batch(every)).detach().numpy()
    for i in every:
        alone = measures.measure(loaded.model, of, [i])
        for name, values in together.items():
            close = pytest.approx(alone[name][0], abs=2e-4, nan_ok=True)
            assert values[i] == close, name
        assert log_p[i] == pytest.approx(muting.log_p(loaded.model, of.batch([i])).item(), abs=1e-4)
    assert np.nanmin(together["bos"]) > 0, "nobody looks at the token that begins a translation"
    assert np.nanmin(together["eos"]) > 0, "nobody looks at the end of the source"
