"""The evidence of a model: killed and gone on with, written and read, each number made again."""

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from typer.testing import CliRunner

from model import checkpoint
from model.atlas.evidence import NAME, Evidence, measure
from model.atlas.sample import Sample
from model.checkpoint import Checkpoint
from model.cli.main import app
from model.decoding.search import translate_ids
from model.interpret.calculation.parameters import parameters
from model.interpret.experiments.changes import LookLike
from model.interpret.experiments.importance import importance
from model.interpret.experiments.plan import each_alone
from model.interpret.recording import capture
from model.text.byte_level import BOS, EOS
from model.text.pairs import Pair
from tests.model.samples import ONE_LAYER, save_tiny

SAMPLE = Sample(
    "phrases-es", (Pair("a b c d", "d c b a"), Pair("b a g e", "e g"), Pair("c a", "a"))
)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    folder = tmp_path_factory.mktemp("evidence") / "model"
    save_tiny(folder, 2, ONE_LAYER)
    return checkpoint.load(folder)


def made(loaded: Checkpoint, folder: Path, killed_after: int = 10**6) -> Evidence:
    def track(done: int, total: int) -> None:
        if done > killed_after:
            raise KeyboardInterrupt

    return measure(loaded, SAMPLE, 1, 0, folder, track)


@pytest.fixture(scope="module")
def evidence(loaded: Checkpoint, tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    return made(loaded, tmp_path_factory.mktemp("parts"))


def test_a_killed_run_goes_on_where_it_was(
    loaded: Checkpoint, evidence: Evidence, tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        made(loaded, tmp_path, killed_after=1)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*/*.npz")}
    assert len(kept) == 2
    assert made(loaded, tmp_path) == evidence
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())


def test_each_number_is_that_of_its_own_experiment(loaded: Checkpoint, evidence: Evidence) -> None:
    rhos, same, lost = [], [], []
    learned = parameters(loaded.model)
    for i, pair in enumerate(SAMPLE.pairs):
        src_ids = [*loaded.tokenizer.encode(pair.src), EOS]
        (tgt_ids,) = translate_ids(loaded.model, [src_ids], 1)
        original = capture(loaded.model, loaded.tokenizer, src_ids, [BOS, *tgt_ids])
        target = random.Random(f"0/{i}").randrange(len(original.tgt))
        rows = importance(loaded.model, learned, original, target).rows
        rhos.append([spearmanr(rows[0], row).statistic for row in rows[1:]])
        same.append([rows[0].argmax() == row.argmax() for row in rows[1:]])
        uniform = each_alone(loaded.model, original, [LookLike("uniform", "cross")])
        lost.append(-uniform[0, target])
    means = [one.mean for one in evidence.agreements]
    np.testing.assert_allclose(means, np.mean(rhos, 0), atol=1e-6)
    np.testing.assert_allclose([one.same for one in evidence.agreements], np.mean(same, 0))
    np.testing.assert_allclose(
        [one.quartiles for one in evidence.agreements],
        np.quantile(rhos, (0.25, 0.5, 0.75), 0).T,
        atol=1e-6,
    )
    assert evidence.uniform == pytest.approx(np.mean(lost), abs=1e-6)
    assert (evidence.tokens, evidence.searched, len(evidence.layers)) == (3, 1, 1)
    assert evidence.methods[0] == "leave_one_out"
    assert [one.method for one in evidence.agreements] == [*evidence.methods[1:]]
    assert all(layer.found in (0.0, 1.0) for layer in evidence.layers)
    assert any(layer.distance > 0.1 for layer in evidence.layers)


def test_it_is_read_as_it_was_written_and_only_beside_its_own_weights(
    loaded: Checkpoint, evidence: Evidence
) -> None:
    path = loaded.folder / NAME
    assert Evidence.load_for(loaded.folder) is None
    evidence.save(path)
    checkpoint.verify(loaded.folder)
    found = Evidence.load_for(loaded.folder)
    assert found is not None
    assert found.methods == evidence.methods
    assert found.uniform == pytest.approx(evidence.uniform, rel=1e-4)
    found.save(path)
    assert Evidence.load(path) == found  # five digits stay five digits
    replace(found, weights="0" * 64).save(path)
    assert Evidence.load_for(loaded.folder) is None
    for broken in ({"format": 2}, {"format": 1, "agreements": 3}):
        path.write_text(json.dumps(broken))
        with pytest.raises(ValueError, match="evidence"):
            Evidence.load(path)
        assert Evidence.load_for(loaded.folder) is None
    path.unlink()


def test_the_command_writes_the_file_and_clears_up(loaded: Checkpoint, tmp_path: Path) -> None:
    out = tmp_path / NAME
    command = ["evidence", "--model", str(loaded.folder), "--out", str(out), "--sentences", "2"]
    refused = CliRunner().invoke(app, command)
    assert "phrase book" in str(refused.exception)
    done = CliRunner().invoke(app, [*command, "--source", "es", "--searched", "1"])
    assert done.exit_code == 0, done.output
    assert (Evidence.load(out).tokens, Evidence.load(out).sample) == (2, "phrases-es")
    assert [path.name for path in tmp_path.iterdir()] == [NAME]
