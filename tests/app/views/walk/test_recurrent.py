"""The pages with a recurrent translator: what it has is shown, and what it lacks is said."""

from pathlib import Path

import pytest

from app.data.translation import Decoding
from app.data.walk import Cell, walk
from app.inspector.naming import array_name, cell_name
from app.registry import VIEWS, WALK
from app.ui.chosen import model_name
from model import checkpoint
from model import files as runs
from model.config import Arch
from model.interpret.calculation.stages import stages
from tests.app.pages import opened
from tests.app.recurrent import RECURRENT, make_every_model

CHAPTERS = [view.slug for view in VIEWS if view.section == WALK]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_every_model(tmp_path_factory.mktemp("every"))


@pytest.fixture(autouse=True)
def every_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", folder)
    monkeypatch.setattr(runs, "RUNS", folder / "runs")


def test_they_are_models_like_the_others() -> None:
    names = ["es-en", "fr-en", "rnn/es-en", "rnnsearch/es-en"]
    assert checkpoint.pretrained_names() == names
    assert [model_name(name) for name in names[2:]] == [
        "Spanish → English (RNN)", "Spanish → English (RNNsearch)",
    ]  # fmt: skip


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_says_that_it_needs_a_transformer(chapter: str) -> None:
    app = opened(chapter, model="rnn/es-en", text="hola")
    assert not app.exception
    assert not app.error
    (said,) = [info.value for info in app.info]
    assert "recurrent network" in said
    app.button(key="transformer").click().run()
    assert not app.exception
    assert not any("recurrent network" in info.value for info in app.info)
    assert app.query_params.get("model", "es-en") == "es-en"


@pytest.mark.parametrize("arch", RECURRENT)
@pytest.mark.parametrize("view", ["matrix", "wall", "lines", "steps", "beam"])
def test_the_translation_and_each_look_inside(arch: Arch, view: str) -> None:
    app = opened("translate", model=f"{arch}/es-en", text="Nunca es tarde.", view=view)
    assert not app.exception
    assert not app.error
    told = any("no attention" in info.value for info in app.info)
    assert told == (arch == "rnn" and view != "beam")


@pytest.mark.parametrize("arch", RECURRENT)
def test_every_number_has_a_name(arch: Arch) -> None:
    made = walk(f"{arch}/es-en", "Nunca es tarde.", Decoding("greedy"))
    for name in stages(made.config):
        cell = Cell(name, (0,) * len(made.numbers.shape(name)))
        assert cell_name(made, cell).startswith(array_name(name))
    for name in made.parameters.arrays:
        assert array_name(f"param:{name}")
