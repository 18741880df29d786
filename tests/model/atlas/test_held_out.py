"""What a model is measured on where nobody names sentences: those that its task held out."""

from dataclasses import replace
from pathlib import Path

import pytest

from model import checkpoint
from model.atlas.sample import aligned, phrase_sample, sample_for
from model.config import TrainConfig
from model.errors import UserError
from model.runs.folder import RunFolder
from model.runs.plan import plan_of
from model.tasks import TASKS, make_pairs, phrases
from model.text.pairs import Pair
from tests.model.samples import save_tiny


def run(tmp_path: Path, name: str, **changes: object) -> checkpoint.Checkpoint:
    """A run of few pairs, with a model that never learned."""
    folder = RunFolder(tmp_path / "run")
    save_tiny(folder.path / "best")
    loaded = checkpoint.load(folder.path / "best")
    config = TrainConfig(validate_pairs=30, seed=5)
    plan = plan_of(TASKS[name], "run", loaded.config, config, pairs=60)
    folder.write_plan(replace(plan, **changes))  # type: ignore[arg-type]
    return loaded


def test_a_run_is_measured_on_what_its_task_held_out(tmp_path: Path) -> None:
    sample = sample_for(run(tmp_path, "reverse"), 20, 0)
    train, held_out = make_pairs("reverse", 60, 30, 5)
    assert sample.pairs == tuple(pair for pair in held_out if TASKS["reverse"].align(pair))[:20]  # type: ignore[misc]
    assert not {pair.src for pair in sample.pairs} & {pair.src for pair in train}
    first = sample.gold[0]
    assert first.sure == {(len(first.pair.src.split()) - 1 - t, t) for t in range(len(first.sure))}
    sample = sample_for(run(tmp_path / "es", "phrases-es"), 40, 0)
    train, _held_out = make_pairs("phrases-es", 60, 30, 5)
    assert (sample.name, len(sample.gold)) == ("phrases-es", 40)
    assert not {pair.src for pair in sample.pairs} & {pair.src for pair in train}


def test_own_pairs_are_those_that_chose_the_checkpoint(tmp_path: Path) -> None:
    loaded = run(tmp_path, "copy", task="own", data=("t.tsv",), valid="v.tsv")
    (tmp_path / "run" / "v.tsv").write_text("a b\tc d\ne\tf\n", encoding="utf-8")
    sample = sample_for(loaded, 1, 0)
    assert (sample.pairs, sample.gold) == ((Pair("a b", "c d"),), ())


def test_a_model_that_names_nothing_is_refused_and_one_of_a_language_is_not(tmp_path: Path) -> None:
    for name in ("model", "es-en-mine"):
        save_tiny(tmp_path / name)
    with pytest.raises(UserError, match="no sentences to measure"):
        sample_for(checkpoint.load(tmp_path / "model"), 5, 0)
    assert sample_for(checkpoint.load(tmp_path / "es-en-mine"), 5, 0).name == "phrases-es"


def test_a_model_from_english_is_measured_on_the_same_pairs_turned_round(tmp_path: Path) -> None:
    save_tiny(tmp_path / "en-es")
    sample = sample_for(checkpoint.load(tmp_path / "en-es"), 2000, 0)
    assert sample.name == "phrases-en-es"
    assert len({pair.src for pair in sample.pairs}) == 2000  # English sentences stand twice there
    spanish = phrase_sample("es", phrases.SIZE // 4, 0).gold
    links = {(one.pair.tgt, one.pair.src): {(t, s) for s, t in one.sure} for one in spanish}
    shared = [one for one in sample.gold if (one.pair.src, one.pair.tgt) in links]
    assert len(shared) > 200
    assert all(one.sure == links[one.pair.src, one.pair.tgt] for one in shared)


def test_the_parts_of_a_word_with_hyphens_are_links_of_the_word() -> None:
    pair = Pair("ochenta y cinco mil", "eighty-five thousand")
    (one,) = aligned(TASKS["numbers-es"], [pair])
    assert one.sure == {(0, 0), (2, 0), (3, 1)}
    assert list(aligned(TASKS["digits-es"], [pair])) == []
