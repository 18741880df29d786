"""The pages with a recurrent translator: what it has is shown, and what it lacks is said."""

from pathlib import Path

import pytest

from app.data.translation import Decoding
from app.data.walk import Cell, walk
from app.inspector.naming import array_name, cell_name
from model.config import Arch
from model.interpret.calculation.stages import stages
from tests.app.pages import opened, sound
from tests.app.tiny import RECURRENT


def test_a_chapter_says_that_it_needs_a_transformer(models: Path) -> None:
    for chapter in ("cheat_sheet", "heads"):  # one frame says it for all chapters
        app = sound(opened(chapter, model="rnn/es-en", text="hola"))
        (info,) = app.info
        assert "recurrent network" in info.value
    sound(app.button(key="transformer").click().run())
    assert not any("recurrent network" in info.value for info in app.info)
    assert app.query_params.get("model", "es-en") == "es-en"


@pytest.mark.parametrize("arch", RECURRENT)
def test_every_number_has_a_name(models: Path, arch: Arch) -> None:
    made = walk(f"{arch}/es-en", "Nunca es tarde.", Decoding("greedy"))
    for name in stages(made.config):
        cell = Cell(name, (0,) * len(made.numbers.shape(name)))
        assert cell_name(made, cell).startswith(array_name(name))
    for name in made.parameters.arrays:
        assert array_name(f"param:{name}")
