"""The page Models: the list of all, and what one can do with each."""

import io
import shutil
import time
import zipfile
from pathlib import Path

import pytest
import yaml

from app.data.translation import model_names
from app.views.models.card import HEAD
from app.views.models.data import (
    SHIPPED_LICENCE,
    cards,
    delete_model,
    forget,
    load_zip,
    packing,
    readme_of,
)
from model import checkpoint, imported
from model import files as runs
from model.errors import UserError
from tests.app.pages import ROOT, opened, sound, unfold
from tests.app.tiny import make_models
from tests.model.hostile import charsmap, field
from tests.model.marian_samples import save_marian, theirs

MODEL = "models/opus-es-en"
UNSAFE = ("../x", "CON", "🙂", "x" * 300)


@pytest.fixture(scope="module")
def marian_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_marian(tmp_path_factory.mktemp("marian") / "theirs", theirs())


@pytest.fixture
def own(models: Path, marian_files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An imported model and a run from a zip, beside the shipped ones."""
    monkeypatch.setattr(checkpoint, "MODELS", tmp_path / "models")
    monkeypatch.setattr(runs, "RUNS", tmp_path / "runs")
    imported.take_in(marian_files, "opus-es-en")
    load_zip(packing("es-en")(), "mine")
    return tmp_path


def zipped(folder: Path, **renamed: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in folder.iterdir():
            archive.write(file, renamed.get(file.stem, file.name))
    return made.getvalue()


def test_the_list_has_every_model_with_its_card(own: Path) -> None:
    by_name = {card.name: card for card in cards()}
    assert list(by_name) == model_names()
    card = by_name[MODEL]
    assert (card.kind, card.licence) == ("imported", "cc-by-4.0")
    assert card.parameters == sum(p.numel() for p in checkpoint.load(MODEL).model.parameters())
    assert by_name["runs/mine"].kind == "trained"
    assert by_name["es-en"].bleu == 12.3
    app = sound(opened("models", shown=MODEL))
    (table,) = app.dataframe
    told = {"opus-es-en, imported", "Spanish → English (RNN)", "Spanish → English (RNNsearch)"}
    assert told <= set(table.value["Model"])
    assert "Spanish → English" in set(table.value["Languages"])


def test_the_licence_of_shipped_models_is_that_of_the_project_and_of_its_data() -> None:
    """The page said – for all of them."""
    own, data = SHIPPED_LICENCE.split("; data ")
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith(own)
    told = [*(ROOT / "pretrained").rglob("README.md")]
    of_models = [path for path in told if (path.parent / "weights.safetensors").exists()]
    assert len(of_models) >= 4
    for path in (*of_models, ROOT / "pretrained/snapshots/README.md"):
        assert data in path.read_text(encoding="utf-8").replace("CC-BY", "CC BY"), path
    shipped = [card for card in cards() if card.kind == "shipped"]
    assert shipped
    assert {card.licence for card in shipped} == {SHIPPED_LICENCE}


def test_a_shipped_models_card_has_its_scores_for_machines_and_not_on_the_page() -> None:
    for card in cards():
        if card.kind != "shipped" or card.name.startswith("snapshots/"):
            continue
        head = yaml.safe_load(readme_of(card.name).split("---\n")[1])
        (result,) = head["model-index"][0]["results"]
        scores = {metric["type"]: metric["value"] for metric in result["metrics"]}
        assert card.bleu is not None
        assert card.chrf is not None
        assert scores == {"bleu": round(card.bleu, 1), "chrf": round(card.chrf, 1)}
        assert HEAD.sub("", readme_of(card.name)).lstrip().startswith("# ")


@pytest.mark.parametrize(("name", "stem"), [(MODEL, "opus-es-en"), ("runs/mine", "mine")])
def test_the_page_renames_describes_and_refuses(own: Path, name: str, stem: str) -> None:
    """What was wrong was told at the top of the page, far from where one had typed it."""
    app = opened("models", shown=name)
    for unsafe in UNSAFE:
        app.text_input(key=f"name-{name}").set_value(unsafe)
        app.button(key="rename").click().run()
        (error,) = app.error
        assert "cannot be a name" in error.value, unsafe
        drawn = list(app.main)
        keys = [str(getattr(one, "key", "")) for one in drawn]
        assert keys.index("rename") < drawn.index(error) < keys.index("open-versus")
    app.text_input(key=f"name-{name}").set_value("my own")
    app.button(key="rename").click().run()
    new = name.replace(stem, "my own")
    assert new in model_names()
    assert name not in model_names()
    unfold(app, f"card-{new}").text_area(key=f"about-{new}").set_value("<b>What it is</b>")
    app.button(key="describe").click().run()
    assert readme_of(new) == "<b>What it is</b>"
    assert checkpoint.load(new)


@pytest.mark.parametrize("name", [MODEL, "runs/mine"])
def test_a_deletion_can_be_undone(own: Path, name: str) -> None:
    app = opened("models", shown=name)
    sound(app.button(key="delete").click().run())
    assert name not in model_names()
    sound(app.button(key="undo").click().run())
    assert checkpoint.load(name)
    assert not [button for button in app.button if button.key == "undo"]
    forget(delete_model(name))
    left = [path.name for path in (own / name).parent.iterdir()]
    assert set(left) <= {".create.lock"}


def test_what_ships_stays_as_it_is(own: Path) -> None:
    app = opened("models", shown="es-en")
    assert not {"delete", "rename", "describe"} & {button.key for button in app.button}


def test_two_models_side_by_side(own: Path) -> None:
    app = opened("models", shown=MODEL)
    sound(unfold(app, "versus"))
    assert list(app.dataframe[-1].value.columns) == ["about", "first", "second"]


def test_a_marian_model_comes_in_a_zip_and_goes_out_in_one(own: Path, marian_files: Path) -> None:
    name = load_zip(zipped(marian_files), "opus-es-en")
    assert name == f"{MODEL} 2"
    again = load_zip(packing(name)(), "again")
    assert again == "models/again"
    assert checkpoint.load(again).config == checkpoint.load(MODEL).config


def test_a_zip_with_another_file_is_refused(own: Path, marian_files: Path) -> None:
    before = sorted(own.rglob("*"))
    for inside in ("../vocab.json", "sub/vocab.json", "run.py"):
        with pytest.raises(UserError, match="not a file of a model"):
            load_zip(zipped(marian_files, vocab=inside), "new")
    assert sorted(own.rglob("*")) == before


@pytest.mark.parametrize("name", ["source.spm", "target.spm"])
def test_a_letter_replaced_by_megabytes_is_refused_in_a_sentence(
    own: Path, marian_files: Path, tmp_path: Path, name: str
) -> None:
    """A zip of 260 kB: one letter took 14 s and 700 MB, 4,000 letters more than 6 GB."""
    hostile = Path(shutil.copytree(marian_files, tmp_path / "hostile"))
    replaced = charsmap({b"a": b"x" * 3_900_000})
    (hostile / name).write_bytes((hostile / name).read_bytes() + field(3, field(2, replaced)))
    data = zipped(hostile)
    assert len(data) < 400_000  # most of it the weights, which are random
    before, start = sorted(own.rglob("*")), time.thread_time()
    with pytest.raises(UserError, match=f"{name} replaces letters with texts more than 11 times"):
        load_zip(data, "hostile")
    assert time.thread_time() - start < 2
    assert sorted(own.rglob("*")) == before


def test_without_any_model_there_is_the_way_to_load_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", make_models(tmp_path, ()))
    monkeypatch.setattr(checkpoint, "MODELS", tmp_path / "models")
    monkeypatch.setattr(runs, "RUNS", tmp_path / "runs")
    sound(opened("models"))
