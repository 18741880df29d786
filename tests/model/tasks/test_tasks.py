"""Every task: pairs by seed, parts that do not overlap, and no source with two translations."""

from __future__ import annotations

import random
from dataclasses import fields

import pytest

from model.config import ModelConfig, TrainConfig
from model.tasks import TASKS, make_pairs, split
from model.tasks.task import Task
from model.text.pairs import Pair
from model.text.tokenizer import Tokenizer
from model.training.presets import PRESETS

ALL = pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))


@ALL
def test_a_task_is_made_by_its_seed_alone_and_holds_out_what_it_must(task: Task) -> None:
    train, valid = split(task, 300, 50, seed=3)
    assert (train, valid) == split(task, 300, 50, seed=3) != split(task, 300, 50, seed=4)
    assert (len(train), len(valid)) == (300, 50)
    sources = [pair.src for pair in train + valid]
    assert len(set(sources)) == 350
    assert task.probe.src not in sources
    rng, found = random.Random(1), dict[str, str]()
    for _ in range(1000):
        pair = task.make(rng)
        assert found.setdefault(pair.src, pair.tgt) == pair.tgt, "a source has one translation"
    assert task.preset in PRESETS
    known = {field.name for config in (ModelConfig, TrainConfig) for field in fields(config)}
    assert task.settings.keys() <= known


@pytest.mark.parametrize("name", [name for name, task in TASKS.items() if task.pieces])
def test_a_tokenizer_finds_so_many_pieces_at_most(name: str) -> None:
    most, (pairs, _held_out) = TASKS[name].pieces, make_pairs(name, 500, 0, seed=1)
    size = int(TASKS[name].settings.get("vocab_size", 20_000))
    found = Tokenizer.train((text for pair in pairs for text in (pair.src, pair.tgt)), size)
    assert most is not None
    assert (1 if most < 1000 else 0.4) * most - 2 <= found.vocab_size <= most


def test_a_task_without_more_pairs_gives_fewer() -> None:
    def make(rng: random.Random) -> Pair:
        digit = str(rng.randrange(10))
        return Pair(digit, digit)

    few = Task("few", "", "", make, None, Pair("7", "7"), "tiny", 100)
    train, valid = split(few, 100, 4, seed=0)
    assert sorted(pair.src for pair in train + valid) == list("012345689")
    assert len(valid) == 4
