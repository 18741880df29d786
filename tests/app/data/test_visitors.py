"""Whose runs and models a page means: in a class, nobody's but one's own."""

import io
import os
import shutil
import subprocess
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.data import runs, translation, visitors
from app.data.visitors import LOOKED_AT
from app.server import limits, settings
from app.server.limits import Limits
from app.server.settings import Settings
from app.server.visitors import Signer
from app.views.atlas import data as atlas
from app.views.models import data as models
from model import checkpoint
from model import files as folder
from model.errors import UserError
from model.files import VISITORS
from model.runs.folder import RunFolder
from model.runs.plan import Status
from tests.app.views.training.conftest import living
from tests.model.disks import mounted
from tests.model.runs.run_samples import new_run, tiny_files, tiny_plan

ALICE, BOB, TEACHER = "a" * 32, "b" * 32, "c" * 32
KEY = "the teacher's own key"
Come = Callable[[str], None]


@pytest.fixture
def comes(tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Come:
    """Serve a class, and let somebody else be the one who asks."""
    monkeypatch.setattr(checkpoint, "PRETRAINED", tiny_models)
    monkeypatch.setattr(checkpoint, "MODELS", tmp_path / "models")
    monkeypatch.setattr(folder, "RUNS", tmp_path / "runs")
    monkeypatch.setattr("streamlit.session_state", {})
    monkeypatch.setattr(settings, "SETTINGS", Settings(serve="class", teacher_key=KEY))
    monkeypatch.setattr(runs, "_spawn", lambda run, *options: None)
    signer = Signer(b"secret", KEY)
    monkeypatch.setattr(visitors, "signer", lambda: signer)

    def come(name: str) -> None:
        signed = [signer.visitor_cookie(name)] if name else []
        if name == TEACHER:
            signed.append(signer.teacher_cookie({}))
        cookies = dict(one.partition(";")[0].split("=", 1) for one in signed)
        monkeypatch.setattr("streamlit.session_state", {})
        context = SimpleNamespace(cookies=cookies, ip_address=None)
        monkeypatch.setattr(visitors, "st", SimpleNamespace(context=context))

    return come


def place(visitor: str) -> Path:
    return folder.RUNS / VISITORS / visitor


def own_model(visitor: str, name: str) -> None:
    """Let a visitor have a run that has come to its end."""
    run = new_run(place(visitor), name)
    shutil.copytree(checkpoint.PRETRAINED / "es-en", run.path / "best")
    run.write_status(Status("finished", step=1, steps=1))


def files(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*"))


def test_runs_and_models_of_one_are_nowhere_for_another(comes: Come) -> None:
    """From a second browser one resumed, stopped, renamed and deleted another visitor's run."""
    comes(ALICE)
    own_model(ALICE, "secret")
    assert [run.name for run in runs.runs()] == ["secret"]
    assert "runs/secret" in translation.model_names()
    assert translation.load("runs/secret")
    before = files(folder.RUNS)
    comes(BOB)
    assert runs.runs() == []
    assert "runs/secret" not in translation.model_names()
    paths = (
        "secret", "../" + ALICE + "/secret", f".visitors/{ALICE}/secret", str(place(ALICE)), "..",
        "recorded/../../runs", "", "\0",
    )  # fmt: skip
    acts = (
        runs.pause, runs.go_on, runs.one_step, runs.stop, runs.resume, runs.delete, runs.again,
        lambda name: runs.train_on(name, 5), lambda name: runs.learning_rate(name, 0.1),
        lambda name: models.rename(name, "mine"), lambda name: models.delete_model(f"runs/{name}"),
        lambda name: models.delete_model(f"models/{name}"),
        lambda name: translation.load(f"runs/{name}"), lambda name: translation.load(name),
    )  # fmt: skip
    for name in paths:
        for act in acts:
            with pytest.raises(ValueError):  # noqa: PT011 - a sentence, whichever
                act(name)
    for name in (str(place(ALICE) / "secret"), f"../runs/{VISITORS}/{ALICE}/secret"):
        with pytest.raises(translation.ModelUnavailableError):
            translation.translate(name, "hola", translation.Decoding("greedy"))
    assert files(folder.RUNS) == before


def test_the_same_name_is_another_model_for_each(comes: Come) -> None:
    """What is computed from a model is cached for all visitors: by its files, not by its name."""
    for visitor, model in ((ALICE, "es-en"), (BOB, "rnn/es-en")):
        own_model(visitor, "mine")
        shutil.rmtree(place(visitor) / "mine" / "best")
        shutil.copytree(checkpoint.PRETRAINED / model, place(visitor) / "mine" / "best")
    loaded = []
    for visitor in (ALICE, BOB, ALICE):
        comes(visitor)
        loaded.append(translation.load("runs/mine").folder)
    best = [place(visitor) / "mine" / "best" for visitor in (ALICE, BOB, ALICE)]
    assert loaded == best


def test_what_is_loaded_and_renamed_and_deleted_stays_with_its_visitor(comes: Come) -> None:
    comes(ALICE)
    own_model(ALICE, "one")
    packed = models.packing("runs/one")
    comes(BOB)
    assert zipfile.ZipFile(packed()).testzip() is None, "made where nobody's cookie is read"
    assert models.load_zip(packed(), "two") == "runs/two"
    assert models.rename("two", "one") == "one", "that name is free in Bob's folder"
    deleted = models.delete_model("runs/one")
    assert deleted.aside.is_relative_to(place(BOB))
    assert [run.name for run in runs.runs()] == []
    comes(ALICE)
    assert [run.name for run in runs.runs()] == ["one"]


def test_one_run_of_each_is_alive(comes: Come) -> None:
    for visitor in (ALICE, BOB):
        comes(visitor)
        assert runs.start(tiny_plan("mine"), tiny_files()) == "mine"
        comes(visitor)  # in another browser, or after a restart
        assert runs.own_run() == "mine"
        with pytest.raises(ValueError, match="is still going"):
            runs.start(tiny_plan("more"), tiny_files())
    assert runs.place("mine") == 1


def test_the_atlas_of_ones_model_is_made_in_ones_own_folder(
    comes: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All jobs lay in one folder, and their processes saw only the models of the server."""
    begun: list[dict[str, str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda *_, env, **__: begun.append(env))
    for visitor in (ALICE, BOB):
        comes(visitor)
        own_model(visitor, "mine")
        assert atlas.status("runs/mine") is None
        atlas.measure("runs/mine")
        assert (place(visitor) / ".atlas" / "runs" / "mine").is_dir()
    of_whom = [(env["RUNS_DIR"], env["MODELS_DIR"]) for env in begun]
    models_of = checkpoint.MODELS / VISITORS
    assert of_whom == [(str(place(one)), str(models_of / one)) for one in (ALICE, BOB)]
    atlas.stop("runs/mine")
    wishes = [RunFolder(place(one) / ".atlas/runs/mine").wishes().stop for one in (ALICE, BOB)]
    assert wishes == [False, True]


def test_who_sends_no_cookie_only_looks(comes: Come) -> None:
    comes("")
    new_run(folder.RUNS, "of the server").write_status(Status("finished"))
    before = files(folder.RUNS)
    with pytest.raises(ValueError, match="allow cookies"):
        runs.start(tiny_plan("mine"), tiny_files())
    with pytest.raises(ValueError, match="allow cookies"):
        models.load_zip(b"PK", "mine")
    assert (runs.runs(), files(folder.RUNS)) == ([], before)


def test_an_exhibit_is_watched_and_stays_as_it_is(
    comes: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    comes("")
    monkeypatch.setattr(settings, "SETTINGS", Settings(serve="exhibit"))
    run = new_run(folder.RUNS, "shown")
    shutil.copytree(checkpoint.PRETRAINED / "es-en", run.path / "best")
    run.write_status(Status("stopped", step=1, steps=9))
    assert [one.name for one in runs.runs()] == ["shown"]
    assert translation.load("runs/shown")
    before = {path: path.stat().st_mtime_ns for path in files(folder.RUNS)}
    zipped = models.packing("runs/shown")()
    acts: tuple[Callable[[], object], ...] = (
        lambda: runs.start(tiny_plan("mine"), tiny_files()),
        lambda: runs.start_job([tiny_plan("mine")], tiny_files()),
        lambda: runs.again("shown"), lambda: runs.resume("shown"), lambda: runs.stop("shown"),
        lambda: runs.train_on("shown", 5), lambda: runs.delete("shown"),
        lambda: models.delete_model("runs/shown"), lambda: models.rename_model("runs/shown", "x"),
        lambda: models.describe("runs/shown", "x"), lambda: models.load_zip(zipped, "x"),
        lambda: atlas.measure("runs/shown"), lambda: atlas.stop("runs/shown"),
    )  # fmt: skip
    for act in acts:
        with pytest.raises(ValueError, match="This is an exhibit"):
            act()
    assert {path: path.stat().st_mtime_ns for path in files(folder.RUNS)} == before
    assert not models.can_change("runs/shown")
    assert not atlas.can_measure("runs/shown")


def test_a_teacher_sees_and_stops_all_and_nobody_else_does(comes: Come) -> None:
    for visitor in (ALICE, BOB):
        comes(visitor)
        runs.start(tiny_plan("mine"), tiny_files())
    comes(ALICE)
    LOOKED_AT.set(BOB)
    assert (runs.of_class(), visitors.looked_at()) == ([], "")
    assert [run.folder.path.parent for run in runs.runs()] == [place(ALICE)]
    runs.stop_class()
    assert not RunFolder(place(BOB) / "mine").wishes().stop
    comes(TEACHER)
    LOOKED_AT.set("")
    assert runs.runs() == []
    assert {(whose, run.name) for whose, run in runs.of_class()} == {(ALICE, "mine"), (BOB, "mine")}
    LOOKED_AT.set(BOB)
    assert [run.folder.path.parent for run in runs.runs()] == [place(BOB)]
    LOOKED_AT.set("../..")
    assert visitors.looked_at() == ""
    runs.stop_class()
    assert all(RunFolder(place(one) / "mine").wishes().stop for one in (ALICE, BOB))


def test_a_class_has_its_limits(comes: Come, monkeypatch: pytest.MonkeyPatch) -> None:
    """A training of 1,586 hours was offered, and a visitor could fill the disk."""
    plan = tiny_plan("mine", steps=100)
    wide = replace(plan, model=replace(plan.model, d_ff=4096))
    cases = (
        ({"steps": 99}, [plan], "at most 99"),
        ({"parameters": 100_000}, [wide], "parameters"),
        ({"minutes": 1}, [replace(plan, minutes=2)], "minutes"),
        ({"runs": 1}, [plan, plan], "started together"),
        ({"megabytes": 1}, [wide], "are yours here"),
    )
    comes(ALICE)
    for most, plans, told in cases:
        monkeypatch.setattr(limits, "LIMITS", Limits(**{"parameters": 10**9, **most}))
        with pytest.raises(ValueError, match=told):
            runs.start_job(plans, tiny_files())
        assert runs.runs() == []
    monkeypatch.setattr(limits, "LIMITS", Limits(visitors=1))
    runs.start(plan, tiny_files())
    comes(BOB)
    with pytest.raises(ValueError, match="come back tomorrow"):
        runs.start(plan, tiny_files())
    monkeypatch.setattr(settings, "SETTINGS", Settings())
    assert runs.start(replace(wide, name="at home"), tiny_files()) == "at home"


@pytest.fixture
def come_from(comes: Come, monkeypatch: pytest.MonkeyPatch) -> Callable[[int, str], Path]:
    """Let a visitor come from an address and keep something; give their folder."""
    page = SimpleNamespace(session_id="s")
    monkeypatch.setattr(visitors, "get_script_run_ctx", lambda **_: page)

    def come(visitor: int, address: str) -> Path:
        comes(f"{visitor:032x}")
        monkeypatch.setattr("app.data.visitors.st.context.ip_address", address)
        visitors.make_room(0)
        (folder.own_runs() / "kept").write_bytes(bytes(7000))
        return folder.own_runs()

    return come


def test_one_address_cannot_keep_newcomers_out(
    come_from: Callable[[int, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight cookies of one address took all eight places in eight seconds, for sixty days."""
    monkeypatch.setattr(limits, "LIMITS", Limits(visitors=8))
    student = come_from(1, "192.0.2.1")
    many = [come_from(visitor, "192.0.2.66") for visitor in range(10, 17)]
    (many[4] / "kept").write_bytes(b"least")
    newcomer = come_from(2, "192.0.2.2")
    assert newcomer.is_dir()
    assert student.is_dir(), "whose address has one place"
    assert [one.is_dir() for one in many] == [True] * 4 + [False] + [True] * 2
    with pytest.raises(UserError) as refused:
        come_from(17, "192.0.2.66")
    assert refused.value.code == "server_full"


def test_a_newcomer_takes_the_place_of_who_was_away_longest_and_keeps_least(
    come_from: Callable[[int, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIMITS", Limits(visitors=4))
    folders = [come_from(visitor, f"192.0.2.{visitor}") for visitor in range(4)]
    with pytest.raises(UserError) as refused:
        come_from(9, "192.0.2.9")
    assert refused.value.code == "server_full", "all were here today"
    assert all(one.is_dir() for one in folders)
    (folders[2] / "kept").write_bytes(b"least")
    for at, days in enumerate((0, 3, 3, 2)):
        then = time.time() - days * 86_400 - 100
        os.utime(folders[at] / ".opened", (then, then))
    assert come_from(9, "192.0.2.9").is_dir()
    assert [one.is_dir() for one in folders] == [True, True, False, True]
    monkeypatch.setattr(visitors.Place, "is_at_rest", False)
    with pytest.raises(UserError):
        come_from(10, "192.0.2.10")


def test_an_address_and_the_whole_disk_are_bounded(
    come_from: Callable[[int, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIMITS", Limits(address_visitors=2))
    for visitor in range(2):
        come_from(visitor, "192.0.2.1")
    with pytest.raises(UserError, match="Your network keeps the work of 2 visitors"):
        come_from(2, "192.0.2.1")
    last = come_from(3, "2001:db8::1")
    (last / "kept").write_bytes(bytes(2**20))
    for most, says in (
        (Limits(address_megabytes=1), "of your network would take up 1 MB here, and at most 1 MB"),
        (Limits(all_megabytes=1), "This server has no room left"),
    ):
        monkeypatch.setattr(limits, "LIMITS", most)
        with pytest.raises(UserError, match=says):
            come_from(4, "2001:db8::2")  # of the same network
    monkeypatch.setattr(limits, "LIMITS", Limits(address_megabytes=1))
    assert come_from(5, "192.0.2.5").is_dir()
    assert "192.0.2" not in (last / ".opened").read_text()


def test_a_zip_beyond_ones_share_is_not_kept(comes: Come, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is counted before it is read, and what comes out of it once more."""
    comes(ALICE)
    own_model(ALICE, "mine")
    zipped = models.packing("runs/mine")().read()
    comes(BOB)
    monkeypatch.setattr(limits, "LIMITS", Limits(megabytes=1))
    with pytest.raises(ValueError, match="are yours here"):
        models.load_zip(io.BytesIO(zipped + bytes(2**20)), "mine")
    (place(BOB)).mkdir(parents=True)
    (place(BOB) / "ballast").write_bytes(bytes(2**20 - len(zipped) - 1))
    with pytest.raises(ValueError, match="are yours here"):
        models.load_zip(zipped, "mine")
    assert [path.name for path in place(BOB).iterdir()] == ["ballast", ".opened"]


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let hours go by and sweep, with both clocks or the one that never jumps."""
    clock = SimpleNamespace(time=time.time(), monotonic=0.0)
    monkeypatch.setattr(visitors, "_long_gone", {})
    monkeypatch.setattr("app.data.visitors.time.time", lambda: clock.time)
    monkeypatch.setattr("app.data.visitors.time.monotonic", lambda: clock.monotonic)

    def pass_by(hours: float, jump: float = 0.0) -> None:
        clock.monotonic += hours * 3600
        clock.time += (hours + jump) * 3600
        visitors.sweep()

    return pass_by


AGES = Limits().days * 24 + 1  # hours


def test_what_nobody_opened_for_long_goes_and_nothing_else(
    comes: Come, hours: Callable[..., None]
) -> None:
    for visitor in (ALICE, BOB):
        comes(visitor)
        visitors.make_room(0)
        own_model(visitor, "mine")
        (checkpoint.MODELS / VISITORS / visitor / "imported").mkdir(parents=True)
    new_run(folder.RUNS, "of the server").write_status(Status("finished"))
    hours(1)
    assert sorted(visitors.visitors()) == [ALICE, BOB]
    with living(RunFolder(place(ALICE) / "mine")):
        hours(AGES)
        os.utime(place(BOB) / visitors.OPENED, (time.time(), time.time()))
        hours(13)
        assert place(ALICE).exists(), "a run of theirs is under way"
    hours(1)
    hours(11)
    assert place(ALICE).exists(), "found long gone, half a day ago at most"
    hours(1)
    assert visitors.visitors() == [BOB]
    assert not (checkpoint.MODELS / VISITORS / ALICE).exists()
    assert (checkpoint.MODELS / VISITORS / BOB / "imported").exists()
    assert (folder.RUNS / "of the server").exists()


def test_what_a_killed_process_left_counts_nothing_and_goes(
    comes: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed while a zip was unpacked, a server held its megabytes against the visitor for ever."""
    comes(ALICE)
    place, files = folder.RUNS / VISITORS / ALICE, checkpoint.MODELS / VISITORS / ALICE
    run = new_run(place, "one")
    left = (place / ".taken.x", files / ".upload.x", files / ".import.x", run.path / ".log.1.2")
    for one in left[:3]:
        one.mkdir(parents=True)
        (one / folder.HELD).touch()
        (one / "weights").write_bytes(bytes(2**20))
    left[3].write_bytes(bytes(2**20))
    monkeypatch.setattr(limits, "LIMITS", Limits(megabytes=1))
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 60)
    visitors.make_room(2**19)
    assert not any(one.exists() for one in left)
    for one in left[:3]:
        one.mkdir()
        (one / folder.HELD).touch()
    monkeypatch.setattr(time, "time", lambda: now + 120)
    visitors.sweep()
    assert not any(one.exists() for one in left)
    assert run.path.is_dir()


def test_a_clock_that_jumps_ahead_deletes_nothing(comes: Come, hours: Callable[..., None]) -> None:
    """A machine that woke in another year, until it asked for the time, lost a whole class."""
    comes(ALICE)
    visitors.make_room(0)
    hours(1)
    for _jump in range(2):
        hours(1, jump=10 * AGES)
        hours(10)
        assert place(ALICE).exists()
        hours(1, jump=-10 * AGES)
        hours(12)
    assert place(ALICE).exists(), "the clock was put right: what was found before counts no more"


def test_lost_storage_is_a_sentence_and_all_is_there_when_it_is_back(
    comes: Come, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    comes(ALICE)
    visitors.make_room(0)
    own_model(ALICE, "mine")
    monkeypatch.setattr(visitors, "_long_gone", {place(ALICE): -2.0 * visitors.GRACE})
    folder.RUNS.rename(tmp_path / "unplugged")
    folder.RUNS.write_text("no folder")
    visitors.note_visit()
    assert runs.runs() == []
    with pytest.raises(ValueError, match="The run cannot be written: "):
        runs.start(tiny_plan("more"), tiny_files())
    monkeypatch.setattr(visitors, "_folders", lambda: iter([place(ALICE)]))  # listed just before
    visitors.sweep()
    folder.RUNS.unlink()
    (tmp_path / "unplugged").rename(folder.RUNS)
    assert [run.name for run in runs.runs()] == ["mine"]


def test_a_full_disk_is_a_sentence_and_what_was_there_stays(
    comes: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    comes(ALICE)
    monkeypatch.setattr(visitors, "get_script_run_ctx", lambda **_: SimpleNamespace(session_id="s"))
    with mounted(folder.RUNS, "size=1m"):
        visitors.make_room(0)
        own_model(ALICE, "mine")
        ballast = folder.RUNS / "ballast"
        with suppress(OSError):
            ballast.write_bytes(bytes(2**20))
        with pytest.raises(ValueError, match=r"The run cannot be written: .*(space|full)"):
            runs.start(tiny_plan("more"), tiny_files())
        assert [run.name for run in runs.runs()] == ["mine"]
        os.utime(place(ALICE) / visitors.OPENED, (0, 0))
        subprocess.run(["mount", "-o", "remount,ro", str(folder.RUNS)], check=True)
        visitors.note_visit()
        subprocess.run(["mount", "-o", "remount,rw", str(folder.RUNS)], check=True)
        ballast.unlink()
        assert runs.start(tiny_plan("more"), tiny_files()) == "more"


def test_servers_with_the_same_runs_know_the_same_visitors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "RUNS", tmp_path / "runs")
    secret = visitors._kept_secret()
    assert len(secret) == 32
    assert visitors._kept_secret() == secret
    assert (tmp_path / "runs" / visitors.SECRET).stat().st_mode & 0o077 == 0
