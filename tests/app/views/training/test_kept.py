"""What becomes of a trained model: named, kept, shared, trained on, compared, and deleted."""

import io
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from app.data.cache import CACHE
from app.data.runs import delete
from app.data.translation import Decoding, model_names, translate
from app.ui.chosen import model_name, pair
from app.ui.sentence_box import offered
from app.views.models import data
from app.views.models.data import load_zip, rename, versus
from app.views.training.data import model_of, train_further
from model import checkpoint
from model import files as runs
from model.errors import UserError
from model.runs.archive import MOST_FRAMES, pack
from model.runs.folder import RunFolder
from tests.app.pages import opened
from tests.app.test_pages import translation
from tests.app.views.training.conftest import living, run_film, unfolded
from tests.model.samples import same_weights

MODEL = "runs/reverse"
OUTSIDE = ["../x", "..", "/tmp/x", "a/b", "a\\b", "CON", "con", "nul", "COM1", "x" * 300, "🙂",
           "", " ", ".hidden", "a\0b", "a\nb", "~", "C:x"]  # fmt: skip


@pytest.fixture(autouse=True)
def _nothing_cached() -> None:
    CACHE.clear()


def packed(name: str) -> bytes:
    return data.packing(f"runs/{name}")().read()


def take_in(zipped: bytes | BinaryIO, stem: str) -> str:
    """Load a zip whose model becomes a run; return the run's name."""
    return load_zip(zipped, stem).removeprefix("runs/")


def paths(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.name != "alive.lock"}


def test_a_run_is_a_model_like_any_other(own: RunFolder) -> None:
    assert model_names()[:5] == ["es-en", "fr-en", "rnn/es-en", "rnnsearch/es-en", MODEL]
    assert model_of("reverse") == MODEL
    assert pair(MODEL) == ("", "")
    assert "reverse" in model_name(MODEL)
    assert offered(MODEL)[0] == own.plan().probe[0]
    made = translate(MODEL, "a b c d", Decoding("greedy"))
    assert made.capture.n_heads == own.plan().model.n_heads
    app = opened(model=MODEL)
    assert not app.exception
    assert app.text_input[0].value == own.plan().probe[0]
    assert translation(app)
    (own.path / "best" / "manifest.json").unlink()
    assert model_of("reverse") is None
    assert MODEL not in model_names()


def test_renaming_keeps_all(own: RunFolder) -> None:
    before = checkpoint.load(own.path / "best").model
    assert rename("reverse", "  Al revés 2 ") == "Al revés 2"
    assert not own.path.exists()
    folder = RunFolder.named("Al revés 2")
    assert folder.plan().name == "Al revés 2"
    assert folder.log()
    assert same_weights(before, checkpoint.load("runs/Al revés 2").model)
    assert rename("Al revés 2", "Al revés 2") == "Al revés 2"
    other = take_in(pack(folder.path / "best"), "other")
    with pytest.raises(UserError, match="There is already a run"):
        rename(other, "Al revés 2")


def test_names_that_lead_outside_are_refused(own: RunFolder, tmp_path: Path) -> None:
    before, zipped = paths(tmp_path), pack(own.path / "best")
    for name in OUTSIDE:
        with pytest.raises(UserError, match="cannot be a name"):
            rename("reverse", name)
        with pytest.raises(UserError, match="cannot be a name"):
            take_in(zipped, name)
        assert paths(tmp_path) == before, name


def test_what_is_alive_is_left_alone(own: RunFolder) -> None:
    with living(own), pytest.raises(ValueError, match="still going"):
        rename("reverse", "new")
    assert own.exists()


def test_a_zip_becomes_a_run_again(own: RunFolder, tmp_path: Path) -> None:
    data = packed("reverse")
    name = take_in(io.BytesIO(data), "reverse")
    assert name == "reverse 2"
    folder = RunFolder.named(name)
    assert (folder.status().state, folder.status().step) == ("finished", own.status().step)
    plan = folder.plan()
    assert (plan.name, plan.task, plan.probe) == (name, "reverse", own.plan().probe)
    models = [checkpoint.load(f"runs/{one}").model for one in ("reverse", name)]
    assert same_weights(*models)
    assert own.is_saved()
    assert not folder.is_saved()
    kept = [(one.frames(), one.log(), one.samples()) for one in (own, folder)]
    assert kept[0] == kept[1], "its film and its log"
    best = [{path.name for path in (one.path / "best").iterdir()} for one in (own, folder)]
    assert best[0] == best[1]
    first, second = run_film("reverse"), run_film(name)
    assert np.array_equal(first.head("cross", 0, 0), second.head("cross", 0, 0))
    delete(name)
    assert [path.name for path in runs.RUNS.iterdir()] == ["reverse"]


def test_a_long_film_is_thinned_and_keeps_its_last_frame(own: RunFolder) -> None:
    last = own.frames()[-1]
    for step in range(last + 1, last + 2 * MOST_FRAMES):
        shutil.copy(own.frame_file(last), own.frame_file(step))
    names = zipfile.ZipFile(io.BytesIO(packed("reverse"))).namelist()
    frames = [name for name in names if name.startswith("frames/")]
    assert MOST_FRAMES / 2 < len(frames) <= MOST_FRAMES
    assert frames[-1] == f"frames/{own.frames()[-1]:08d}.safetensors"
    take_in(packed("reverse"), "long")


def test_a_model_from_a_zip_is_trained_on_as_a_new_run(own: RunFolder, spawned: list[str]) -> None:
    name = take_in(packed("reverse"), "given")
    app = unfolded("kept", training=name)
    assert any("fresh optimiser" in caption.value for caption in app.caption)
    assert [fold.label for fold in app.expander].count("How it was trained") == 1
    app.number_input(key="more-given").set_value(9)
    app.button(key="train-on").click().run()
    assert not app.exception
    assert spawned == ["given 2"]
    plan = RunFolder.named("given 2").plan()
    assert (plan.task, plan.train.steps, plan.from_model) == ("reverse", 9, True)
    models = (RunFolder.named("given 2").path / "start", RunFolder.named(name).path / "best")
    assert same_weights(*(checkpoint.load(model).model for model in models))
    assert app.query_params["training"] == "given 2"


def test_without_its_pairs_it_is_trained_on_those_of_the_sidebar(
    own: RunFolder, spawned: list[str]
) -> None:
    forged(own, plan=replace(own.plan(), task="own").to_dict(), step=24)
    name = take_in(packed("reverse"), "given")
    with pytest.raises(ValueError, match="no pairs"):
        train_further(name, 9)
    assert not any(button.key in ("train-on", "run-replay") for button in opened(
        "training", training=name).button)  # fmt: skip
    pairs = "".join(f"a b {i}\tb a {i}\n" for i in range(40))
    app = opened("training", training=name, task="own", **{"t-pairs": pairs})
    app.button(key="train-on").click().run()
    assert not app.exception
    assert spawned == ["given 2"]
    made = RunFolder.named("given 2")
    assert (made.plan().task, made.plan().data, made.plan().pairs) == ("own", ("train.tsv",), 36)
    assert set(made.files()) == {"train.tsv", "valid.tsv"}


def test_a_model_without_a_plan_is_taken_in(recorded: RunFolder) -> None:
    name = take_in(pack(checkpoint.resolve("es-en")), "es-en")
    app = unfolded("how", training=name)
    assert any("does not say how it was trained" in one.value for one in app.markdown)
    assert translate(f"runs/{name}", "Qué será", Decoding("greedy")).steps
    assert offered(f"runs/{name}")[0]


def forged(own: RunFolder, **metrics: object) -> bytes:
    """Pack the model of a run with metrics that nobody measured."""
    loaded = checkpoint.load(own.path / "best")
    checkpoint.save(own.path / "best", loaded.model, loaded.tokenizer, metrics)
    return pack(own.path / "best")


def test_a_plan_that_names_files_elsewhere_names_none(own: RunFolder) -> None:
    plan = own.plan().to_dict() | {"data": ["../../../etc/passwd"], "valid": "/etc/passwd"}
    taken = RunFolder.named(take_in(forged(own, plan=plan), "forged")).plan()
    assert (taken.data, taken.valid) == ((), "")


def test_a_plan_that_is_none_hurts_nobody(own: RunFolder) -> None:
    plans: tuple[object, ...] = (5, [], {}, {"name": 3})
    for plan in plans:
        name = take_in(forged(own, plan=plan, train={"steps": "many"}, step="x"), "strange")
        assert RunFolder.named(name).plan().name == name


def test_a_plan_beyond_the_form_is_refused(own: RunFolder) -> None:
    """A zip of 23 kB with `accumulate` of 1e9 was taken: trained on, its one step never ended, and
    all others waited for it.
    """
    for i, name in enumerate(("accumulate", "validate_pairs", "average", "steps", "max_tokens")):
        train = replace(own.plan().train, **{name: 10**9})  # type: ignore[arg-type]
        whole_plan = {"plan": replace(own.plan(), train=train).to_dict()}
        data = forged(own, **whole_plan if i % 2 else {"train": train.to_dict()})
        before = paths(runs.RUNS)
        with pytest.raises(UserError, match=f"^{name} is 1000000000: at most "):
            take_in(data, "forged")
        assert paths(runs.RUNS) == before


def test_what_a_plan_in_a_zip_may_not_bring(own: RunFolder) -> None:
    """A checkpoint kept at each of 100,000 steps fills the disk; a sentence of a megabyte, or as
    many learning rates, takes seconds to draw.
    """
    plan = own.plan()
    odd = [
        replace(plan, snapshots=tuple(range(1000)), pairs=10**12),
        replace(plan, probe=("a " * 5000, "b")),
        replace(plan, train=replace(plan.train, rates=((1, 0.1),) * 1000)),
    ]
    names = [take_in(forged(own, plan=one.to_dict()), "forged") for one in odd]
    taken = [RunFolder.named(name).plan() for name in names]
    assert (taken[0].task, taken[0].snapshots, taken[0].pairs) == ("reverse", (), 1_000_000)
    assert [one.task for one in taken[1:]] == ["loaded"] * 2


def test_two_models_side_by_side(own: RunFolder) -> None:
    name = take_in(packed("reverse"), "again")
    same = versus(MODEL, f"runs/{name}", "a b c d")
    assert same.first.output == same.second.output
    assert same.difference is not None
    assert not same.difference.any()
    assert versus(MODEL, "es-en", "a b c d").difference is None


def test_the_page_deletes_only_when_asked_twice(own: RunFolder) -> None:
    app = unfolded("kept", training="reverse")
    app.button(key="delete").click().run()
    app.button(key="delete-no").click().run()
    assert own.exists()
    app.button(key="delete").click().run()
    app.button(key="delete-yes").click().run()
    assert not app.exception
    assert not own.exists()
    assert list(runs.RUNS.iterdir()) == []
    assert "training" not in app.query_params


def test_an_address_of_a_run_that_is_gone_says_so(own: RunFolder) -> None:
    """Another run stood under the address of one that was deleted."""
    assert "no run “gone” any more" in opened("training", training="gone").info[0].value
    assert not any("any more" in box.value for box in opened("training", training="reverse").info)
