"""What most chapters are tested with: a sentence in a tiny model, and what is drawn of it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from app.components.board import Grid, Op
from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.inspector.probe import Probe, probe_of
from app.views.walk.heads import screens
from app.views.walk.self_attention import steps
from model import checkpoint
from model.config import ModelConfig
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer
from tests.app.pages import SENTENCE
from tests.app.tiny import LINES


@pytest.fixture
def now(models: Path) -> Walk:
    return walk("es-en", SENTENCE, Decoding())


@pytest.fixture
def probe(now: Walk) -> Probe:
    return probe_of(now)


@pytest.fixture(scope="session")
def uneven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one pre-norm model of one head, one encoder layer and three in the decoder."""
    folder = tmp_path_factory.mktemp("uneven")
    tokenizer = Tokenizer.train(LINES * 3, 340)
    torch.manual_seed(0)
    config = ModelConfig(
        tokenizer.vocab_size, d_model=16, n_heads=1, d_ff=24, n_encoder_layers=1,
        n_decoder_layers=3, norm="pre", max_len=64,
    )  # fmt: skip
    checkpoint.save(folder / "es-en", Transformer(config).eval(), tokenizer, {})
    return folder


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Grid]]:
    """The grids of the pictures that are drawn outside of a page, by the pictures' names."""
    made: dict[str, list[Grid]] = {}

    def keep(_walk: Walk, items: Sequence[Grid | Op], key: str) -> None:
        made[key] = [item for item in items if isinstance(item, Grid)]

    monkeypatch.setattr(screens, "arrays", keep)
    monkeypatch.setattr(steps, "arrays", keep)
    return made
