"""What most chapters are tested with: a sentence in a tiny model."""

from pathlib import Path

import pytest

from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.inspector.probe import Probe, probe_of
from tests.app.pages import SENTENCE

TEXT = "Qué será, será"


@pytest.fixture
def now(models: Path) -> Walk:
    return walk("es-en", SENTENCE, Decoding())


@pytest.fixture
def sentence(models: Path) -> Walk:
    return walk("es-en", TEXT, Decoding())


@pytest.fixture
def probe(now: Walk) -> Probe:
    return probe_of(now)
