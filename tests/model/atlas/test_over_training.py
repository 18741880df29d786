"""Heads over a training: hand-made ones find their role at the step that they were made at."""

from pathlib import Path

import numpy as np
import pytest

from model.atlas.measures import measure
from model.atlas.over_training import found_at, of_film, of_snapshots
from model.atlas.sample import Encoded, HeadId, Sample, heads_of
from model.checkpoint import Checkpoint
from model.config import TrainConfig
from model.nn.transformer import Transformer
from model.runs.film import film
from model.runs.folder import RunFolder
from model.runs.plan import plan_of
from model.tasks import TASKS
from model.text.pairs import Pair
from tests.model.atlas.test_roles import TOKENIZER, hand_made, look, places, translated

HEAD = HeadId("encoder", 0, 0)


def training() -> dict[int, Transformer]:
    """A model whose head looks at the word before it, as it does from step 20 on."""
    models = {step: hand_made() for step in (0, 10, 20, 40)}
    for step in (20, 40):
        look(models[step].encoder[0].self_attn, 0, places(-1))
    return models


def test_a_role_is_found_where_it_stays() -> None:
    assert found_at((0, 5, 9), (0.1, 0.6, 0.9)) == 5
    assert found_at((0, 5, 9), (0.7, 0.5, 0.9)) == 9
    assert found_at((0, 5, 9), (0.7, 0.6, 0.9)) == 0
    assert found_at((0, 5, 9), (0.7, 0.9, 0.5)) is None


def test_snapshots_tell_the_step_and_the_measures_of_the_atlas() -> None:
    golds = translated(0, 12)
    sample = Sample("letters", tuple(one.pair for one in golds), golds)
    models = training()
    snapshots = [
        Checkpoint(model, TOKENIZER, {"step": step}, Path()) for step, model in models.items()
    ]
    over = of_snapshots(snapshots[::-1], sample)
    assert (over.steps, over.sentences) == ((0, 10, 20, 40), 12)
    heads = heads_of(models[0].config)
    line = over.measures[heads.index(HEAD)]["before"]
    assert found_at(over.steps, line) == 20
    assert line[0] < 0.5 < 0.8 < line[-1]
    encoded = Encoded(models[20], TOKENIZER, sample)
    whole = measure(models[20], encoded, range(12))
    for k in range(len(heads)):
        for name, values in over.measures[k].items():
            assert values[2] == pytest.approx(float(np.nanmean(whole[name][:, k])), rel=1e-5)


def test_a_film_tells_the_step_and_passes_foreign_frames_over(tmp_path: Path) -> None:
    folder, models = RunFolder(tmp_path), training()
    config = models[0].config
    plan = plan_of(TASKS["copy"], "run", config, TrainConfig())
    pair = Pair("a b c d e", "a b c d e")
    folder.write_plan(type(plan)(**{**vars(plan), "probe": (pair.src, pair.tgt)}))
    for step, model in models.items():
        film(model, TOKENIZER, pair, step).save(folder.frame_file(step))
    film(models[0], TOKENIZER, Pair("a b", "a b"), 41).save(folder.frame_file(41))
    folder.frame_file(42).write_bytes(b"no frame")
    over = of_film(folder, Checkpoint(models[40], TOKENIZER, {}, tmp_path / "best"))
    assert over is not None
    assert (over.steps, over.sentences) == ((0, 10, 20, 40), 1)
    found = over.measures[heads_of(config).index(HEAD)]
    assert found_at(over.steps, found["before"]) == 20
    weights = film(models[40], TOKENIZER, pair, 40).capture.weights("encoder", 0, 0)
    assert found["before"][-1] == pytest.approx(float(np.diag(weights, -1).mean()), rel=1e-5)
