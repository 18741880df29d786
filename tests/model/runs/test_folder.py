"""A run's folder: safe names, whole files, and a status that does not lie."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from model.errors import UserError
from model.runs.folder import RunFolder, create_run, free_name, run_names, safe_name
from model.runs.plan import Plan, Status, Wishes
from tests.model.runs.run_samples import new_run, tiny_files, tiny_plan


@pytest.mark.parametrize("name", ["reverse", "Mi frase 2", "français_à-moi", "x" * 60, " a "])
def test_names_that_are_folders(name: str) -> None:
    assert safe_name(name) == name.strip()


@pytest.mark.parametrize(
    "name",
    [
        "", " ", ".", "..", "../x", "a/b", "a\\b", "/etc", "CON", "nul", "Com1", "x" * 300, "😀",
        "a\nb", "a\0b", ".hidden", "a.b", "~", "$HOME", "𝒳" * 60, "C:",
    ],
)  # fmt: skip
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(UserError, match="cannot be a name"):
        safe_name(name)


def test_a_taken_name_gets_a_number(tmp_path: Path) -> None:
    new_run(tmp_path, "reverse")
    with pytest.raises(UserError, match="There is already a run “reverse”"):
        new_run(tmp_path, "reverse")
    assert free_name("reverse", tmp_path) == "reverse 2"
    made = create_run(tiny_plan("reverse"), tiny_files(), tmp_path)
    assert (made.name, made.plan().name) == ("reverse 2", "reverse 2")
    assert run_names(tmp_path) == ["reverse 2", "reverse"]
    assert not [path for path in tmp_path.iterdir() if path.is_dir() and path.name[0] == "."]
    new_folder = tmp_path / "numbered"
    for _ in range(3):
        (new_folder / free_name("one 2", new_folder)).mkdir(parents=True)
    assert sorted(path.name for path in new_folder.iterdir()) == ["one 2", "one 3", "one 4"]


def test_a_plan_comes_back_as_it_was(tmp_path: Path) -> None:
    run = new_run(tmp_path, "one", rates=((3, 1e-3),))
    assert run.plan() == tiny_plan("one", rates=((3, 1e-3),)).__class__.from_dict(
        json.loads((run.path / "plan.json").read_text())
    )
    assert run.plan().train.rates == ((3, 1e-3),)
    assert run.plan().learning_rate == 1e-3


@pytest.mark.parametrize("text", ["", "[]", "{", '{"name": "x"}', "[" * 100_000, "\xff"])
def test_what_is_no_plan(text: str, tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "plan.json").write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=r"There is no run|was asked to do cannot be read"):
        RunFolder.named("odd", tmp_path).plan()


def test_who_claims_to_live_but_does_not_was_interrupted(tmp_path: Path) -> None:
    run = new_run(tmp_path, "one")
    assert run.status().state == "queued", "it is about to begin"
    for state in ("running", "paused"):
        run.write_status(Status(state, step=7, seconds_left=3.0))
        with run.alive_lock():
            assert run.status().state == state
        status = run.status()
        assert (status.state, status.step, status.seconds_left) == ("interrupted", 7, None)
    run.write_status(Status("finished"))
    assert run.status().state == "finished"


@pytest.mark.parametrize("text", ["", "{", '{"state": "dancing"}', '{"state": "running", "x": 1}'])
def test_a_damaged_status_never_raises(text: str, tmp_path: Path) -> None:
    run = new_run(tmp_path, "one")
    (run.path / "status.json").write_text(text)
    assert run.status().state == "interrupted"


def test_wishes_add_up(tmp_path: Path) -> None:
    run = new_run(tmp_path, "one")
    assert run.wishes() == Wishes()
    run.wish(pause_at=3)
    run.wish(learning_rate=0.1)
    assert run.wishes() == Wishes(pause_at=3, learning_rate=0.1)


def test_lines_that_were_cut_are_passed_over_and_cut_away(tmp_path: Path) -> None:
    run = new_run(tmp_path, "one")
    rows = [{"step": step, "loss": 1 / step} for step in range(1, 6)]
    text = "\n".join(map(json.dumps, rows))
    (run.path / "log.jsonl").write_text(text[:-4])
    assert run.log() == rows[:4]
    run.cut_after(3)
    assert run.log() == rows[:3]
    assert (run.path / "log.jsonl").read_text().endswith("}\n")


def test_a_run_that_lives_is_not_deleted(tmp_path: Path) -> None:
    run = new_run(tmp_path, "one")
    run.write_status(Status("running"))
    with run.alive_lock(), pytest.raises(ValueError, match="still alive"):
        run.delete()
    run.delete()
    assert list(tmp_path.iterdir()) == []
    assert not run.exists()


def test_from_dict_refuses_what_is_no_plan() -> None:
    with pytest.raises(ValueError, match="was asked to do cannot be read"):
        Plan.from_dict({"name": "x", "model": 3, "train": {}, "probe": ()})
