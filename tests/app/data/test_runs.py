"""Starting runs from the page: processes of their own, that nothing on the page can lose."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from app.data import runs as services_runs
from app.server import settings
from app.server.settings import Settings
from model import checkpoint, files
from model.config import ModelConfig
from model.errors import UserError
from model.runs.folder import RunFolder
from model.runs.plan import Status
from model.runs.queue import Slot
from model.training.estimate import estimate
from tests.model.forks import wait_for
from tests.model.runs.run_samples import new_run, tiny_files, tiny_plan, train

ROOT = Path(__file__).parents[3]
Spawned = list[tuple[str, ...]]
SERVER = """
import sys, time
from app.data import runs as services_runs
from tests.model.runs.run_samples import tiny_files, tiny_plan
services_runs.NICE = 1  # on a busy machine a polite child takes minutes
print(services_runs.start(tiny_plan("lives on", steps=1_000_000), tiny_files()), flush=True)
print(*(child.pid for child in services_runs._children.values()), flush=True)
time.sleep(600)
"""


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of runs, in a session that has started none; none was recorded."""
    monkeypatch.setattr(files, "RUNS", tmp_path)
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path / "pretrained")
    monkeypatch.setattr("streamlit.session_state", {})
    monkeypatch.setattr(services_runs, "_children", {})
    yield tmp_path
    for run in tmp_path.glob("*/plan.json"):
        RunFolder(run.parent).wish(stop=True)


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> Spawned:
    """What would have been spawned: run name and options."""
    calls: Spawned = []
    monkeypatch.setattr(
        services_runs, "_spawn", lambda run, *options: calls.append((run.name, *options))
    )
    return calls


def test_a_run_outlives_the_server_that_started_it(runs: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], cwd=ROOT, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL, env=os.environ | {"RUNS_DIR": str(runs), "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert server.stdout is not None
    name, pid = (server.stdout.readline().strip() for _ in range(2))
    run = RunFolder.named(name)
    wait_for(lambda: run.status().state == "running")
    assert os.getpgid(int(pid)) == int(pid), "the terminal's Ctrl-C reaches it"
    assert os.getpriority(os.PRIO_PROCESS, int(pid)) > os.getpriority(os.PRIO_PROCESS, 0)
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()
    step = run.status().step
    wait_for(lambda: run.status().step > step + 5)
    with pytest.raises(ValueError, match="still going"):
        services_runs.delete(name)
    services_runs.stop(name)
    wait_for(lambda: not services_runs.is_alive(name) and not run.is_alive())
    assert run.status().state == "stopped"
    assert run.saved_step == run.status().step
    services_runs.delete(name)
    assert services_runs.runs() == []


@pytest.fixture
def other_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Trainings go to two machines, for which this one stands: what its ssh was told."""
    asked, ssh = tmp_path / "asked", tmp_path / "bin/ssh"
    ssh.parent.mkdir()
    ssh.write_text(f'#!/bin/sh\necho "$4 $5" >> "{asked}"\nexec sh -c "$5"\n')
    ssh.chmod(0o755)
    for name, value in {
        "PATH": f"{ssh.parent}:{os.environ['PATH']}", "PYTHON": sys.executable,
        "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    environment = {"ILLUMINATED_TRAIN_WITH": "deploy/torchrun-on 'localhost 127.0.0.1' 1"}
    monkeypatch.setattr(settings, "SETTINGS", Settings.of(environment))
    return asked


def test_torchrun_is_started_on_other_machines(
    runs: Path, other_machines: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON", "echo")
    name = services_runs.start(tiny_plan("together"), tiny_files())
    (child,) = services_runs._children.values()
    assert child.wait(60) == 0
    told = dict(line.split(" ", 1) for line in other_machines.read_text().splitlines())
    assert sorted(told) == ["127.0.0.1", "localhost"]
    plan = f"-m model train --plan {RunFolder.named(name).path / 'plan.json'} --insist"
    for host, rank in (("localhost", 0), ("127.0.0.1", 1)):
        assert f"--nnodes 2 --node-rank {rank} --nproc-per-node 1 " in told[host]
        assert "--master-addr localhost" in told[host]
        assert plan in told[host]
    monkeypatch.setenv("PYTHON", "false")
    services_runs.again(name)
    assert services_runs._children[RunFolder.named("together 2").path].wait(60) == 1


@pytest.mark.slow
def test_two_machines_train_a_run_together_when_its_turn_has_come(
    runs: Path, other_machines: Path
) -> None:
    """One of them writes."""
    before = Slot(new_run(runs, "before"))
    assert before.acquire()
    before.folder.write_status(Status("running"))
    run = RunFolder.named(services_runs.start(tiny_plan("together", steps=4), tiny_files()))
    with before.folder.alive_lock():
        wait_for(run.is_alive)
        assert services_runs.place("together") == 1
        assert run.status().state == "queued"
    before.folder.write_status(Status("finished"))
    before.release()
    wait_for(lambda: run.status().state not in ("queued", "running"))
    assert (run.status().state, run.status().error) == ("finished", None)
    assert [row["step"] for row in run.log()] == [1, 2, 3, 4]


def test_a_run_that_does_not_stop_is_killed(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It held its place in the queue, and its memory, for as long as it liked."""
    monkeypatch.setattr(services_runs, "SECONDS_TO_STOP", 0.1)
    stuck = subprocess.Popen(["sleep", "600"])
    monkeypatch.setattr(services_runs, "_children", {runs / "stuck": stuck})
    services_runs.stop(new_run(runs, "stuck").name)
    wait_for(lambda: services_runs.runs() and not services_runs._children)
    assert stuck.returncode == -signal.SIGKILL


def test_a_double_click_starts_one_run(
    runs: Path, spawned: Spawned, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In two windows too."""
    monkeypatch.setattr(services_runs, "_visitor", lambda: "the same")

    def click(_window: int) -> bool:
        with suppress(ValueError):
            return bool(services_runs.start(tiny_plan("once"), tiny_files()))
        return False

    with ThreadPoolExecutor(4) as windows:
        assert sum(windows.map(click, range(4))) == 1
    assert spawned == [("once",)]
    assert [run.name for run in services_runs.runs()] == ["once"]


def test_what_does_not_fit_the_memory_is_refused_before_it_starts(
    runs: Path, spawned: Spawned
) -> None:
    huge = ModelConfig(vocab_size=1_000_000, d_model=65_536, n_encoder_layers=64, n_heads=64)
    for plan, why in (
        (replace(tiny_plan("huge"), model=huge), r"would need about .* GB of memory"),
        (replace(tiny_plan("none"), data=(), valid=""), "no pairs"),
    ):
        with pytest.raises(ValueError, match=why):
            services_runs.start(plan, tiny_files())
    assert (spawned, services_runs.runs()) == ([], [])


def test_a_page_starts_nothing_beyond_its_form(runs: Path, spawned: Spawned) -> None:
    """What fits the memory may still hold the only place to train for days: one endless step."""
    endless = tiny_plan("endless", accumulate=10**9)
    with pytest.raises(ValueError, match="accumulate is 1000000000: at most"):
        services_runs.start(endless, tiny_files())
    assert (spawned, services_runs.runs()) == ([], [])
    new_run(runs, "of the command line", accumulate=100)
    with pytest.raises(ValueError, match="accumulate is 100: at most"):
        services_runs.again("of the command line")
    assert services_runs.run("of the command line") is not None
    assert spawned == []


def test_one_run_a_visitor_also_after_a_reload(
    runs: Path, spawned: Spawned, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that was loaded again is another session: it knew of no run, and started a second."""
    cookies: dict[str, str] = {}
    monkeypatch.setattr("streamlit.context", SimpleNamespace(cookies=cookies))
    for browser, name in (("a", "first"), ("b", "other")):
        cookies[XSRF_COOKIE_NAME] = generate_xsrf_token_string(browser.encode())
        assert services_runs.start(tiny_plan(name), tiny_files()) == name
        st.session_state.clear()
        # Each answer of the server masks the same token in another way.
        cookies[XSRF_COOKIE_NAME] = generate_xsrf_token_string(browser.encode())
        assert services_runs.own_run() == name
        with pytest.raises(ValueError, match=f"{name} is still going"):
            services_runs.start(tiny_plan(name), tiny_files())
    RunFolder.named("other").write_status(Status("stopped"))
    assert services_runs.start(tiny_plan("other"), tiny_files()) == "other 2"
    for act in (services_runs.resume, lambda name: services_runs.train_on(name, 5)):
        with pytest.raises(ValueError, match="other 2 is still going"):
            act("other")
    assert RunFolder.named("other").plan().train.steps == 24


def test_what_other_runs_hold_is_counted(
    runs: Path, spawned: Spawned, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run fitted into the memory alone, and all that were paused did not fit together."""
    one = estimate(tiny_plan("x").model, tiny_plan("x").train).memory_bytes
    monkeypatch.setattr("model.training.estimate.machine_bytes", lambda: 2 * one)
    paused = new_run(runs, "paused")
    (paused.path / "last").mkdir()
    paused.write_status(Status("paused", step=7))
    held = f"other runs hold about {one / 2**30:.1f} GB"
    with paused.alive_lock(), pytest.raises(ValueError, match=re.escape(held)):
        services_runs.start(tiny_plan("new"), tiny_files())
    assert services_runs.start(tiny_plan("new"), tiny_files()) == "new", "nobody holds any more"


def test_a_run_that_rests_is_resumed_and_stopped_like_any_other(
    runs: Path, spawned: Spawned
) -> None:
    for act, state in (
        (services_runs.go_on, "queued"),
        (services_runs.one_step, "queued"),
        (services_runs.stop, "stopped"),
    ):
        run = new_run(runs, act.__name__)
        (run.path / "last").mkdir()
        run.wish(pause_at=0)
        run.write_status(Status("paused", step=7))
        act(run.name)
        act(run.name)  # a double click
        assert run.status().state == state
    assert spawned == [("go_on", "--resume"), ("one_step", "--resume")]


def test_unsafe_names_reach_nothing(runs: Path, spawned: Spawned) -> None:
    new_run(runs.parent, f"{runs.name}x")
    for name in ("../x", "CON", "x" * 300, "😀", "recorded/../../x", ""):
        assert services_runs.run(name) is None
        for touch in (services_runs.stop, services_runs.delete, services_runs.resume):
            with pytest.raises(ValueError, match=r"cannot be a name|There is no run"):
                touch(name)
        with pytest.raises(ValueError, match="cannot be a name"):
            services_runs.start(tiny_plan(name), tiny_files())
    assert list(runs.iterdir()) in ([], [runs / ".create.lock"])


def test_wishes_of_a_visitor(runs: Path) -> None:
    run = new_run(runs, "one")
    run.write_status(Status("paused", step=7))
    wish, pauses = services_runs, []
    for act in (wish.pause, wish.one_step, wish.one_step, wish.go_on):
        act("one")
        pauses.append(run.wishes().pause_at)
    assert pauses == [0, 8, 9, None]
    services_runs.learning_rate("one", 2e-3)
    assert run.wishes().learning_rate == 2e-3
    for value in (0, -1, 1.1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=r"choose 1e-05 to 1\.0"):
            services_runs.learning_rate("one", value)


def test_resume_and_train_on(runs: Path, spawned: Spawned) -> None:
    run = new_run(runs, "one")
    run.write_status(Status("finished", step=24, steps=24))
    run.wish(stop=True, pause_at=3)
    (run.path / "last").mkdir()
    services_runs.train_on("one", 10)
    assert spawned == [("one", "--resume")]
    assert (run.plan().train.steps, run.status().state, run.status().step) == (34, "queued", 24)
    assert not run.wishes().stop
    assert run.wishes().pause_at is None
    with pytest.raises(ValueError, match="already under way"):
        services_runs.resume("one")


def test_again_begins_at_step_0_as_the_run_itself_began(runs: Path, spawned: Spawned) -> None:
    run = new_run(runs, "one", rates=((5, 1e-3),))
    run.write_status(Status("queued"))
    again, other = services_runs.again("one"), RunFolder.named("one 2")
    assert again == "one 2"
    assert run.wishes().stop, "what is alive is stopped, and waited for"
    assert other.plan().train == replace(run.plan().train, rates=())
    assert (other.path / "train.tsv").read_text() == (run.path / "train.tsv").read_text()
    with pytest.raises(ValueError, match="is still going"):
        services_runs.start(tiny_plan("one"), tiny_files())
    other.write_status(Status("finished"))
    assert services_runs.again("one 2", seed=5) == "one 3"
    assert RunFolder.named("one 3").plan().train.seed == 5
    assert spawned == [("one 2",), ("one 3",)]


def test_a_plan_that_was_changed_by_hand_is_not_resumed(runs: Path, spawned: Spawned) -> None:
    """With another d_model in plan.json, the run said so of itself and trained on as it was."""
    run = new_run(runs, "one", steps=1)
    assert train(run) == 0
    plan = run.plan()
    run.write_plan(replace(plan, model=replace(plan.model, d_model=32)))
    with pytest.raises(UserError, match="d_model 16 → 32"):
        services_runs.resume("one")
    (run.path / "train.tsv").write_text("a b\tb a\n")
    run.write_plan(plan)
    with pytest.raises(UserError, match="data "):
        services_runs.resume("one")
    assert (spawned, run.status().state) == ([], "finished")
