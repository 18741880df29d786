"""A run's folder: safe names, whole files, and a status that does not lie."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from model.errors import UserError
from model.files import safe_name
from model.runs.folder import RunFolder, create_run, free_name, run_names
from model.runs.plan import Plan, Status, Wishes
from tests.model.runs.run_samples import new_run, tiny_files, tiny_plan


def test_names_that_are_refused() -> None:
    for name in ("reverse", "Mi frase 2", "français_à-moi", "x" * 60, " a "):
        assert safe_name(name) == name.strip()
    for name in (
        "", " ", ".", "..", "../x", "a/b", "a\\b", "/etc", "CON", "nul", "Com1", "x" * 300, "😀",
        "a\nb", "a\0b", ".hidden", "a.b", "~", "$HOME", "𝒳" * 60, "C:",
    ):  # fmt: skip
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


def test_a_plan_is_read_again_where_it_has_changed_alone(tmp_path: Path) -> None:
    """With 300 runs the page that lists them took six times as long as with one."""
    run = new_run(tmp_path, "x", rates=((3, 1e-3),))
    plan = run.plan()
    assert plan == Plan.from_dict(json.loads((run.path / "plan.json").read_text()))
    assert (plan.train.rates, plan.learning_rate) == (((3, 1e-3),), 1e-3)
    assert RunFolder(run.path).plan() is plan
    run.write_plan(replace(plan, created=5.0))
    assert run.plan().created == 5
    file = run.path / "plan.json"
    file.write_text(file.read_text("utf-8").replace('"created": 5.0', '"created": 6.0'), "utf-8")
    assert run.plan().created == 6
    file.unlink()
    with pytest.raises(UserError, match="There is no run"):
        run.plan()


def test_what_is_no_plan(tmp_path: Path) -> None:
    run = new_run(tmp_path, "odd")
    for text in ("", "[]", "{", '{"name": "x"}', "[" * 100_000, "\xff"):
        (run.path / "plan.json").write_text(text, encoding="latin-1")
        with pytest.raises(ValueError, match=r"There is no run|was asked to do cannot be read"):
            run.plan()
    run = new_run(tmp_path, "future")
    run.write_plan(replace(run.plan(), created=1e15))  # no calendar has that year
    with pytest.raises(UserError, match="The value of created makes no sense"):
        run.plan()


def test_who_claims_to_live_but_does_not_was_interrupted(tmp_path: Path) -> None:
    run = new_run(tmp_path, "one")
    assert run.status().state == "queued", "it is about to begin"
    for state in ("running", "paused"):
        run.write_status(Status(state, step=7, seconds_left=3.0))
        with run.alive_lock():
            assert run.status().state == state
        status = run.status()
        assert (status.state, status.step, status.seconds_left) == ("interrupted", 7, None)
    (run.path / "last").mkdir()
    run.write_status(Status("paused", step=7))
    assert run.status().state == "paused", "it has saved, and may rest without a process"
    run.write_status(Status("finished"))
    assert run.status().state == "finished"


def test_a_damaged_status_never_raises(tmp_path: Path) -> None:
    run = new_run(tmp_path, "one")
    for text in ("", "{", '{"state": "dancing"}', '{"state": "running", "x": 1}'):
        (run.path / "status.json").write_text(text)
        assert run.status().state == "interrupted"


def test_a_status_that_could_not_be_read_once_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One moment without a free descriptor showed a finished run as interrupted from then on."""
    run = new_run(tmp_path, "x")
    run.write_status(Status("finished"))

    def fail(path: Path, **_: object) -> str:
        raise OSError(24, "Too many open files", path)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", fail)
        assert run.status().state == "interrupted"
    assert run.status().state == "finished"


def test_wishes_add_up(tmp_path: Path) -> None:
    run = new_run(tmp_path, "one")
    assert run.wishes() == Wishes()
    run.wish(pause_at=3)
    run.wish(learning_rate=0.1)
    assert run.wishes() == Wishes(pause_at=3, learning_rate=0.1)


def test_lines_that_were_cut_are_passed_over_and_cut_away(tmp_path: Path) -> None:
    run = new_run(tmp_path, "one")
    rows = [logged(step, loss=1 / step) for step in range(1, 6)]
    text = "\n".join(map(json.dumps, rows))
    (run.path / "log.jsonl").write_text(text[:-4])
    assert run.log() == rows[:4]
    run.cut_after(3)
    assert run.log() == rows[:3]
    assert (run.path / "log.jsonl").read_text().endswith("}\n")


ODD = ["text", None, True, [1], {"a": 1}, math.inf, -math.inf, math.nan, 1e18, -1e18, 10**400, -1]


def logged(step: object = 1, **changes: object) -> dict[str, object]:
    """A row of log.jsonl."""
    numbers = {"loss": 2.0, "learning_rate": 0.1, "gradient_norm": 1.0}
    return {"step": step, "epoch": 0, "tokens": 9} | numbers | changes


def write_rows(path: Path, rows: Sequence[object]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("odd", ODD, ids=[str(odd)[:9] for odd in ODD])
def test_a_row_that_no_run_writes_is_passed_over(odd: object, tmp_path: Path) -> None:
    """One text for a number in samples.jsonl, and the Train page showed the app's error."""
    run = new_run(tmp_path, "one")
    scores = dict.fromkeys(("loss", "bleu", "chrf", "exact"), 1.0)
    lost = logged(2, loss=math.nan, gradient_norm=math.inf, skipped=True)
    good = [logged(), lost, logged(3, validation=scores | {"loss": math.nan}), logged(4)]
    fields = ("step", "epoch", "tokens", "learning_rate")
    bad: list[object] = [logged(**{name: odd}) for name in fields]
    bad += [{"step": 4}, [], 3, "x", None]
    if odd not in ({}, None):
        bad.append(logged(validation=odd))
    if not isinstance(odd, float | int) or odd is True or abs(odd) == 10**400:
        bad += [logged(loss=odd), logged(validation=scores | {"loss": odd})]
    write_rows(run.path / "log.jsonl", [*bad, *good])
    sample = dict.fromkeys(("src", "tgt", "output"), "a")
    frame = {"step": 1, "exact": 0.5, "judged": 4, "samples": [sample]}
    bad = [frame | {name: odd} for name in ("step", "exact", "judged", "samples")]
    bad += [frame | {"samples": [odd]}, frame | {"samples": [sample | {"tgt": 5}]}, {"step": 1}]
    write_rows(run.path / "samples.jsonl", [frame, *bad])
    assert run.samples() == [frame]
    assert [row["step"] for row in run.log()] == [1, 2, 3, 4]
    assert run.odd_files() == ["log.jsonl", "samples.jsonl"]
    run.cut_after(3)
    assert [row["step"] for row in run.log()] == [1, 2, 3]
    assert run.odd_files() == []


@pytest.mark.parametrize("odd", ODD, ids=[str(odd)[:9] for odd in ODD])
def test_a_status_with_an_odd_value_is_that_runs_alone(odd: object, tmp_path: Path) -> None:
    """A text for a time in one status.json broke the Train page for everybody."""
    run = new_run(tmp_path, "one")
    whole = {"state": "finished", "step": 3, "steps": 3, "seconds": 1.0, "updated": 2.0}
    for name in ("state", "step", "steps", "seconds", "tokens_per_second", "updated"):
        (run.path / "status.json").write_text(json.dumps(whole | {name: odd}))
        status = run.status()
        assert (status.state, status.step, status.updated) == ("interrupted", 0, 0.0)
        assert status.error is not None
        assert status.error.text == f"Its status.json has values that make no sense: {name}."
    for error in (odd, {"code": odd}, {"code": "bad_rate", "values": odd}, {"code": "out_of_memory",
                  "values": {"needed": odd, "machine": "x"}}):  # fmt: skip
        (run.path / "status.json").write_text(json.dumps(whole | {"error": error}))
        found = run.status().error
        assert found is None or isinstance(found.text, str)


@pytest.mark.parametrize("odd", ODD, ids=[str(odd)[:9] for odd in ODD])
def test_a_plan_with_an_odd_value_is_refused_and_named(odd: object, tmp_path: Path) -> None:
    new_run(tmp_path, "good")
    run = new_run(tmp_path, "odd")
    plan = json.loads((run.path / "plan.json").read_text())
    names = ("name", "task", "probe", "pairs", "created", "valid", "data", "from_model", "model")
    for name in names:
        if name == "from_model" and odd is True:
            continue
        if isinstance(odd, str) and name in ("name", "task", "valid"):
            continue
        (run.path / "plan.json").write_text(json.dumps(plan | {name: odd}))
        with pytest.raises(ValueError, match=r"makes no sense|cannot be read|no setting a"):
            run.plan()
        assert sorted(run_names(tmp_path)) == ["good", "odd"]
    assert RunFolder.named("good", tmp_path).plan()


def test_what_leads_elsewhere_is_no_run(tmp_path: Path) -> None:
    """A link in runs/ showed, and could have deleted, what lies anywhere on the disk."""
    outside = new_run(tmp_path / "outside", "secret")
    runs = tmp_path / "runs"
    new_run(runs, "own")
    (runs / "link").symlink_to(outside.path, target_is_directory=True)
    (runs / "dangling").symlink_to(tmp_path / "nowhere")
    assert run_names(runs) == ["own"]
    for name in ("link", "dangling"):
        with pytest.raises(UserError, match="There is no run"):
            RunFolder.named(name, runs)
        assert free_name(name, runs) == f"{name} 2"


def test_a_folder_with_a_name_that_no_run_has_is_passed_over(tmp_path: Path) -> None:
    """`train --out runs/my.run` took the Train page from everybody: its name was refused there."""
    run = new_run(tmp_path, "one")
    run.path.rename(tmp_path / "my.run")
    (tmp_path / "my.run" / "frames").mkdir()
    (tmp_path / "my.run" / "frames" / "².safetensors").touch()
    assert run_names(tmp_path) == []
    assert RunFolder(tmp_path / "my.run").frames() == []


def test_a_run_that_lives_is_not_deleted(tmp_path: Path) -> None:
    run = new_run(tmp_path, "one")
    run.write_status(Status("running"))
    with run.alive_lock(), pytest.raises(ValueError, match="still going"):
        run.delete()
    run.delete()
    assert list(tmp_path.iterdir()) == []
    assert not run.exists()
