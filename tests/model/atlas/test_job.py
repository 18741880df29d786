"""An atlas in the background: hand-made heads get their roles, a stop leaves nothing half."""

import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

from model import checkpoint
from model import files as runs
from model.atlas import job
from model.atlas.atlas import Atlas
from model.atlas.build import Size
from model.atlas.sample import HeadId, Sample
from model.checkpoint import Checkpoint
from model.config import TrainConfig
from model.errors import UserError
from model.runs.folder import RunFolder
from model.runs.plan import Status, plan_of
from model.tasks import TASKS
from tests.model.atlas.test_roles import TOKENIZER, hand_made, look, places, translated

MODEL = "runs/mine"
SMALL = Size(bleu=2, pruning=2, held_out=2, tried=1)


@pytest.fixture
def best(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a model made by hand, whose run has ended."""
    monkeypatch.setattr(runs, "RUNS", tmp_path)
    monkeypatch.setattr(job, "SIZE", SMALL)
    model = hand_made()
    look(model.encoder[0].self_attn, 0, places(-1))
    look(model.decoder[0].cross_attn, 0, places(0))
    folder = RunFolder.named("mine")
    checkpoint.save(folder.path / "best", model, TOKENIZER, {})
    # Places are no weights: a model read from the disk would count them as usual.
    loaded = Checkpoint(model, TOKENIZER, {}, folder.path / "best")
    monkeypatch.setattr(checkpoint, "load", lambda name: loaded)
    config = TrainConfig(validate_pairs=60)
    folder.write_plan(plan_of(TASKS["copy"], "mine", model.config, config, pairs=60))
    folder.write_status(Status("finished"))
    return folder.path / "best"


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters that become others, as the sentences that were held out."""

    def sample_for(loaded: Checkpoint, count: int, seed: int) -> Sample:
        golds = translated(seed, 44)
        return Sample("letters", tuple(one.pair for one in golds), golds)

    monkeypatch.setattr(job, "sample_for", sample_for)


def queue() -> RunFolder:
    """Ask for the job as `start` does, without a process."""
    folder = RunFolder(runs.RUNS / ".atlas" / MODEL)
    folder.path.mkdir(parents=True, exist_ok=True)
    folder.wish(stop=False)
    folder.write_status(Status("queued"))
    return folder


@pytest.mark.long
def test_a_stopped_job_writes_no_atlas_and_goes_on_to_the_roles_of_heads_made_by_hand(
    best: Path, letters: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, track = queue(), job._Job._track

    def tracked(self: job._Job, done: int, total: int) -> None:
        if done == 3:
            job.stop(MODEL)  # a visitor presses Stop
        track(self, done, total)

    monkeypatch.setattr(job._Job, "_track", tracked)
    job.run(MODEL)
    assert folder.status().state == "stopped"
    assert Atlas.load_for(best) is None
    assert sorted(path.name for path in best.iterdir()) == sorted(
        [*checkpoint.FILES, "manifest.json"]
    )
    assert len(list(folder.path.glob("parts/*/*.npz"))) == 3
    monkeypatch.setattr(job._Job, "_track", track)
    queue()
    job.run(MODEL)
    atlas, status = Atlas.load_for(best), job.status(MODEL)
    assert atlas is not None
    found = {head.id: head.role.role for head in atlas.heads if head.role}
    assert found == {HeadId("encoder", 0, 0): "before", HeadId("cross", 0, 0): "writes"}
    assert status is not None
    assert (status.state, status.step) == ("finished", status.steps)
    assert not (folder.path / "parts").exists()
    checkpoint.verify(best)


def test_it_waits_for_another_and_can_be_stopped_meanwhile(best: Path, letters: None) -> None:
    folder = queue()
    with FileLock(runs.RUNS / job.LOCK):
        waiting = threading.Thread(target=job.run, args=(MODEL,))
        waiting.start()
        while not folder.is_alive():
            time.sleep(0.01)
        assert folder.status().state == "queued"
        job.stop(MODEL)
        waiting.join(20)
    assert folder.status().state == "stopped"


def test_what_goes_wrong_is_one_sentence(best: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for error, code in (
        (OSError(28, "full"), "atlas_not_written"),
        (RuntimeError("odd"), "atlas_broke_off"),
    ):

        def broken(*_given: object, error: Exception = error, **_named: object) -> None:
            raise error

        monkeypatch.setattr(job, "sample_for", broken)
        folder = queue()
        job.run(MODEL)
        status = folder.status()
        assert (status.state, status.error and status.error.code) == ("failed", code)


def test_a_run_that_goes_on_and_other_models_are_refused(best: Path) -> None:
    RunFolder.named("mine").write_status(Status("queued"))
    with pytest.raises(UserError, match="still going"):
        job.start(MODEL)
    for name in ("es-en", "runs/../x", "snapshots/es-en-late"):
        with pytest.raises(UserError):
            job.start(name)
    assert job.status(MODEL) is None
