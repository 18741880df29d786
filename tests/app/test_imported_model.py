"""An imported Marian model on every page: translated with, asked, muted, deleted."""

import io
import json
from pathlib import Path

import pytest

from app.data.changed import run_walk
from app.data.decoding import Decoding
from app.data.walk import Cell, walk
from app.notebook import load
from model import checkpoint, imported
from model.export import Engine, export
from model.interpret.trace import Trace
from model.runs.archive import pack, unpack
from tests.app.pages import opened, sent_to_browser, sound
from tests.model.marian_samples import save_marian, theirs

pytestmark = pytest.mark.long  # its model alone takes five seconds
MODEL = "models/opus-es-en"
TEXT = "La profesora lee un libro."
# Those that read more of a model than its attention.
PAGES = (
    *("translate", "atlas", "models", "cheat_sheet", "big_picture", "vectors", "positions"),
    *("self_attention", "add_norm", "decoding", "output", "learning", "what_if", "explanation"),
)


@pytest.fixture(scope="module")
def taken_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models with an imported one."""
    folder = tmp_path_factory.mktemp("marian")
    save_marian(folder / "theirs", theirs("small"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint, "MODELS", folder / "models")
        imported.take_in(folder / "theirs", "opus-es-en")
    return folder / "models"


@pytest.fixture
def marian(models: Path, taken_in: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(checkpoint, "MODELS", taken_in)
    return MODEL


@pytest.mark.parametrize("page", PAGES)
def test_every_page_of_a_model_opens_with_it(marian: str, page: str) -> None:
    app = sound(opened(page, model=marian, text="La casa.", decoding="greedy"))
    assert "opus-es-en, imported" in {one for box in app.selectbox for one in box.options}


def test_any_number_of_it_can_be_asked_down_to_the_embedding(marian: str) -> None:
    opened_walk = walk(marian, TEXT, Decoding("greedy"))
    cell, names = Cell("logits", (0, 5)), []
    while True:
        found = opened_walk.explain(cell)
        assert found.difference is None or found.difference < 1e-4
        names.append(cell.name)
        inner = [parent for parent in found.parents if not parent.name.startswith("param:")]
        if not inner:
            break
        cell = inner[-1]
    assert names[-1] in ("src.embed", "src.pos", "tgt.embed", "tgt.pos")
    assert len(names) > 20
    assert opened_walk.check(()).passed
    (table,) = opened_walk.explain(Cell("tgt.embed", (0, 3))).parents
    assert opened_walk.tokenizer.token(table.index[0]).text == "<pad>"


def test_a_muted_head_changes_the_run_and_is_checked(marian: str) -> None:
    before = walk(marian, TEXT, Decoding("greedy"))
    after = run_walk(marian, TEXT, Decoding("greedy"), "mute-cross-0-1")
    muted = after.array("decoder.0.cross_attn.context")[1]
    assert (muted == muted[0]).all()
    assert (after.array("logits")[0] != before.array("logits")[0]).any()
    assert after.check(()).passed
    sound(opened(model=marian, text=TEXT, change="mute-cross-0-1"))


def test_it_goes_out_as_a_page_a_trace_a_zip_and_for_ctranslate2(
    marian: str, tmp_path: Path
) -> None:
    capture = load(marian).translate(TEXT, beam=1)
    page = capture.show("wall").html
    assert "opus-es-en, imported" in page
    assert len(page) < 1_000_000
    trace = Trace.parse(capture.translation.capture.to_bytes())
    assert trace.kinds == ("encoder", "decoder", "cross")
    checkpoint.load(unpack(io.BytesIO(pack(checkpoint.resolve(marian))), tmp_path / "again"))
    export(checkpoint.load(marian), tmp_path / "engine")
    (text,) = Engine(tmp_path / "engine").translate_lines([TEXT], beam=1)
    assert text == capture.output


@pytest.fixture
def foreign(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model that can be taken in, before it is."""
    monkeypatch.setattr(checkpoint, "MODELS", tmp_path / "models")
    return save_marian(tmp_path / "theirs", theirs())


def test_a_model_of_several_targets_is_told_which_one_by_a_list(foreign: Path) -> None:
    ids = json.loads((foreign / "vocab.json").read_text(encoding="utf-8"))
    rarest = max(ids, key=lambda piece: ids[piece] if piece != "<pad>" else -1)
    ids[">>fra<<"] = ids.pop(rarest)
    (foreign / "vocab.json").write_text(json.dumps(ids), encoding="utf-8")
    settings = {"source_lang": "deu", "target_lang": "roa"}
    (foreign / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    imported.take_in(foreign, "opus-mt-de-roa")
    app = opened(model="models/opus-mt-de-roa")
    assert app.text_input[0].label == "A sentence in German"
    assert app.text_input[0].value == "Es ist nie zu spät, etwas zu lernen"
    (into,) = (box for box in app.selectbox if box.label == "Into")
    assert (into.options, into.value) == (["English", "French"], ">>eng<<")
    assert ">>eng<<" in json.dumps(sent_to_browser(app))
    sound(into.set_value(">>fra<<").run())
    assert app.text_input[0].value == "Es ist nie zu spät, etwas zu lernen"
    assert ">>fra<<" in json.dumps(sent_to_browser(app))
    assert ">>eng<<" not in json.dumps(sent_to_browser(app))
    sound(opened("vectors", model="models/opus-mt-de-roa", into=">>fra<<", text="Ja"))


def test_in_a_language_without_an_example_one_types(foreign: Path) -> None:
    settings = {"source_lang": "kab", "target_lang": "en"}
    (foreign / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    imported.take_in(foreign, "new")
    sound(opened("models", shown="models/new"))
    app = sound(opened(model="models/new"))
    assert (app.text_input[0].label, app.text_input[0].value) == ("A sentence in Kabyle", "")
