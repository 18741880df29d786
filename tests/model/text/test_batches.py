"""Sentence pairs in batches: each once an epoch, with little padding, as people type them."""

import random
from collections import Counter

import pytest
import torch

from model.text.batches import Dataset, as_typed, collate, without_accents, without_final_mark
from model.text.byte_level import BOS, EOS, PAD
from model.text.pairs import Pair
from model.text.tokenizer import Tokenizer
from tests.model.samples import letters_tokenizer, reversed_pairs


def test_as_people_type() -> None:
    assert without_accents("Qué será, señor? Étudiant ç") == "Que sera, senor? Etudiant c"
    assert without_final_mark("¿Qué será…?") == "Qué será"
    text = "¿Dónde está Él, señor?"
    forms = {as_typed(text, random.Random(seed)) for seed in range(200)}
    assert "donde esta el, senor" in forms
    assert len(forms) == 8  # every choice of the three changes
    assert as_typed("a", random.Random(3)) == as_typed("a", random.Random(3))


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return Dataset(reversed_pairs(300, longest=20), letters_tokenizer(), seed=5)


def test_batches_keep_to_the_budget_and_little_of_them_is_padding(dataset: Dataset) -> None:
    for budget in (1, 200, 10**9):
        batches = dataset.epoch(0, budget)
        assert all(batches)
        shown = [example for batch in batches for example in batch]
        assert sorted(shown) == sorted(dataset.examples), "not every example once"
        for batch in batches:
            assert len(batch) == 1 or sum(len(src) + len(tgt) for src, tgt in batch) <= budget
        assert (len(batches) == 1) == (budget == 10**9)
    padded = [collate(examples) for examples in dataset.epoch(0, 200)]
    size = sum(batch.src.numel() + batch.tgt_out.numel() for batch in padded)
    assert sum(batch.n_tokens for batch in padded) > 0.95 * size


def test_each_epoch_mixes_other_neighbours_by_its_seed_alone(dataset: Dataset) -> None:
    together = [
        {frozenset(str(pair) for pair in batch) for batch in dataset.epoch(epoch, 200)}
        for epoch in (0, 1)
    ]
    assert len(together[0] & together[1]) < 0.1 * len(together[0])
    pairs = reversed_pairs(300, longest=20)
    same, other = (Dataset(pairs, letters_tokenizer(), seed=seed) for seed in (5, 6))
    random.seed(1)
    torch.manual_seed(1)
    assert same.epoch(2, 200) == dataset.epoch(2, 200)
    assert same.epoch(3, 200) != dataset.epoch(2, 200)
    assert other.epoch(2, 200) != dataset.epoch(2, 200)


def test_variations_touch_the_source_of_some() -> None:
    pairs = [Pair(f"Étudiant {i}.", f"Student {i}.") for i in range(100)]
    tokenizer = letters_tokenizer()
    varied = Dataset(pairs, tokenizer, vary=0.5, seed=1)
    shown = [example for batch in varied.epoch(0, 500) for example in batch]
    sources = {tokenizer.decode(src) for src, _ in shown}
    unchanged = sum(pair.src in sources for pair in pairs)
    assert 35 <= unchanged <= 75
    assert Counter(tokenizer.decode(tgt) for _, tgt in shown) == Counter(p.tgt for p in pairs)
    assert varied.epoch(0, 500) == Dataset(pairs, tokenizer, vary=0.5, seed=1).epoch(0, 500)
    assert all(src[-1] == tgt[-1] == EOS for src, tgt in shown)


def test_a_source_is_cut_into_smaller_pieces_by_chance_and_reads_the_same() -> None:
    lines = ["the cat sat on the mat", "that hat is the best"] * 20
    tokenizer = Tokenizer.train(lines, 300)
    pairs = [Pair(line, line) for line in lines]
    dataset = Dataset(pairs, tokenizer, subword_dropout=0.2, seed=1)
    [batch] = dataset.epoch(0, 10**6)
    assert {tokenizer.decode(src) for src, _ in batch} == set(lines)
    assert all(src[-1] == EOS for src, _ in batch)
    assert sum(len(src) for src, _ in batch) > sum(len(src) for src, _ in dataset.examples)
    assert sorted(tgt for _, tgt in batch) == sorted(tgt for _, tgt in dataset.examples)
    assert [batch] == Dataset(pairs, tokenizer, subword_dropout=0.2, seed=1).epoch(0, 10**6)
    assert [batch] != dataset.epoch(1, 10**6)
    to_bytes = Dataset(pairs, tokenizer, subword_dropout=1.0).epoch(0, 10**6)[0]
    assert all(len(src) - 1 == len(" " + tokenizer.decode(src)) for src, _ in to_bytes)


def test_a_batch_is_padded_and_shifted_and_sentences_too_long_are_left_out() -> None:
    pairs = [Pair("a", "a"), Pair("a " * 50, "a")]
    assert len(Dataset(pairs, letters_tokenizer(), max_tokens=20).examples) == 1
    with pytest.raises(ValueError, match="No sentence pair has fewer than 20 tokens"):
        Dataset(pairs[1:], letters_tokenizer(), max_tokens=20)
    batch = collate([([7, 8, EOS], [9, EOS]), ([7, EOS], [9, 8, EOS])])
    assert batch.src.tolist() == [[7, 8, EOS], [7, EOS, PAD]]
    assert batch.tgt_in.tolist() == [[BOS, 9, PAD], [BOS, 9, 8]]
    assert batch.tgt_out.tolist() == [[9, EOS, PAD], [9, 8, EOS]]
    assert batch.n_tokens == 10


def test_shards_share_a_batch_out(dataset: Dataset) -> None:
    batch = collate(dataset.epoch(0, 100)[0])
    for n in (1, 3, 7):
        shards = [batch.shard(rank, n) for rank in range(n)]
        rows = [row for shard in shards for row in shard.src.tolist()]
        assert sorted(rows) == sorted(batch.src.tolist())
        assert sum(shard.n_tokens for shard in shards) == batch.n_tokens
