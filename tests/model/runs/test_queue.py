"""One training at a time, in order of creation, and small while it waits."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from model.files import VISITORS
from model.runs.folder import RunFolder, create_run, run_names
from model.runs.plan import Status
from model.runs.queue import Slot, place, waiting
from tests.model.forks import ends, fork, wait_for
from tests.model.runs.run_samples import ROOT, new_run, tiny_files, tiny_plan, train


def waiting_names(runs: Path) -> list[str]:
    """The names of the queued runs, the one that comes next first."""
    return [run.name for run in waiting(runs)]


@pytest.fixture
def queue(tmp_path: Path) -> list[RunFolder]:
    """Three runs that are about to begin, the oldest first."""
    return [new_run(tmp_path, name) for name in ("c", "a", "b")]


def test_the_oldest_goes_first_and_alone(queue: list[RunFolder], tmp_path: Path) -> None:
    first, second, third = map(Slot, queue)
    assert waiting_names(tmp_path) == ["c", "a", "b"]
    assert not second.acquire()
    assert not third.acquire()
    assert first.acquire()
    assert first.acquire(), "who has it keeps it"
    queue[0].write_status(Status("running"))
    with queue[0].alive_lock():
        assert not second.acquire()
        assert [place(run.name, tmp_path) for run in queue] == [0, 1, 2]
    first.release()
    assert second.acquire()
    assert first.held is False


def test_who_has_died_waits_no_more(queue: list[RunFolder], tmp_path: Path) -> None:
    queue[0].write_status(Status("running"))  # without its lock: it was killed
    queue[1].write_status(Status("stopped"))
    assert waiting_names(tmp_path) == ["b"]
    assert place("b", tmp_path) == 0
    assert Slot(queue[2]).acquire()


def test_visitors_take_turns_whatever_they_queue(tmp_path: Path) -> None:
    """Nine runs of one visitor, queued first, would keep all others waiting for hours."""
    first, second = tmp_path / VISITORS / "a", tmp_path / VISITORS / "b"
    queued = [new_run(first, name) for name in ("a1", "a2", "a3")]
    queued += [new_run(second, name) for name in ("b1", "b2")]
    assert waiting_names(first) == waiting_names(second) == ["a1", "b1", "a2", "b2", "a3"]
    assert place("b2", second) == 3
    trained = []
    while queue := waiting(first):
        slots = {run.name: Slot(run) for run in queue}
        assert not any(slots[run.name].acquire() for run in queue[1:])
        assert slots[queue[0].name].acquire()
        trained.append(queue[0].name)
        queue[0].write_status(Status("finished"))
        slots[queue[0].name].release()
    assert trained == ["a1", "b1", "a2", "b2", "a3"]
    assert waiting_names(tmp_path) == [], "nobody's own folder is that of all"


@pytest.mark.parametrize("hours", [-24, 24])
def test_a_clock_that_was_set_blocks_nobody(
    queue: list[RunFolder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """Set back by a day, the clock made a run that had died in the queue wait for that day, as if
    it were about to begin, and all others waited for it.
    """
    there = time.time() + 3600 * hours
    monkeypatch.setattr("time.time", lambda: there)
    assert waiting_names(tmp_path) == []
    late = new_run(tmp_path, "late")
    assert waiting_names(tmp_path) == ["late"]
    assert Slot(late).acquire()


def test_eight_at_the_same_instant_train_one_after_the_other(tmp_path: Path) -> None:
    start = time.time() + 0.3

    def press() -> None:
        time.sleep(max(0.0, start - time.time()))
        plan = tiny_plan("same", steps=1, validate_pairs=1)
        assert train(create_run(plan, tiny_files(), tmp_path)) == 0

    assert ends(*[fork(press) for _ in range(8)]) == [0] * 8
    runs = [RunFolder.named(name, tmp_path) for name in run_names(tmp_path)]
    assert len(runs) == 8
    told = [run.status() for run in sorted(runs, key=lambda run: run.plan().created)]
    assert [status.state for status in told] == ["finished"] * 8
    assert [status.updated for status in told] == sorted(status.updated for status in told)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_who_waits_is_small(tmp_path: Path) -> None:
    """A run that waits has not loaded PyTorch, which takes ten times as much."""
    first, second = new_run(tmp_path, "first"), new_run(tmp_path, "second")
    slot = Slot(first)
    assert slot.acquire()
    first.write_status(Status("running"))
    command = [sys.executable, "-m", "model", "train", "--plan", str(second.path / "plan.json")]
    child = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    wait_for(second.is_alive)
    assert second.status().state == "queued"
    lines = Path(f"/proc/{child.pid}/status").read_text().splitlines()
    (peak,) = (int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    second.wish(stop=True)
    assert child.wait(60) == 0
    slot.release()
    assert second.status().state == "stopped"
    assert peak < 60 * 1024, f"{peak} kB"
