"""What runs in a browser computes and writes what PyTorch does: the app's own lines, on NumPy."""

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model import checkpoint
from model.checkpoint import PRETRAINED, save
from tests.app.live import child
from tests.app.live.child import GRADIENTS, STAND_INS, Found, Task
from tests.model.interpret.experiments.samples import EVERY
from tests.model.samples import letters_tokenizer, tiny_model

NAMES = ("es-en", "fr-en")
RELATIVE = 1e-4  # of the largest number of an array
OF_GRADIENTS = 1e-3  # in single precision, they are small differences of large numbers
MANY = [pytest.mark.slow, pytest.mark.timeout(3600)]


def compare(tasks: Sequence[Task], env: dict[str, str] | None = None) -> None:
    """Run tasks here and as a browser does, and compare all that they wrote and computed."""
    asked = [sys.executable, "-W", "ignore", child.__file__]
    done = subprocess.run(
        asked, input=pickle.dumps(tasks), env=os.environ | (env or {}), capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    for task, answer in zip(tasks, pickle.loads(done.stdout), strict=True):
        assert_same(task, Found(*answer), child.found(task))


def assert_same(task: Task, live: Found, torch: Found) -> None:
    assert live.ids == torch.ids, task
    assert live.passed
    assert torch.passed
    assert [text for text, _ in live.hypotheses] == [text for text, _ in torch.hypotheses], task
    scores = [score for _, score in torch.hypotheses]
    assert [score for _, score in live.hypotheses] == pytest.approx(scores, abs=1e-4)
    assert live.arrays.keys() == torch.arrays.keys()
    for name, expected in torch.arrays.items():
        array, finite = live.arrays[name], np.isfinite(expected)
        assert (array.shape, array.dtype) == (expected.shape, expected.dtype), name
        assert np.array_equal(np.isfinite(array), finite), name
        scale = np.abs(expected[finite]).max(initial=0)
        off = np.abs(array[finite] - expected[finite]).max(initial=0)
        most = OF_GRADIENTS if "gradient" in name else RELATIVE
        assert off <= most * scale, (task, name, off, scale)


def sentences(name: str, count: int) -> list[str]:
    """Return everyday sentences and, every second one, some of those with names and figures."""
    rows = [
        (PRETRAINED / folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
        for folder in ("everyday", "supplement")
    ]
    return [row.split("\t")[0] for pair in zip(*rows, strict=False) for row in pair][:count]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "count"),
    [("es-en", 4), *(pytest.param(name, 200, marks=MANY) for name in NAMES)],
)
def test_every_token_and_every_number(name: str, count: int) -> None:
    chosen = sentences(name, count)
    assert len(chosen) == count
    compare([(name, text, method, "") for text in chosen for method in ("greedy", "beam")])


def test_gradients() -> None:
    names = ("es-en", "rnnsearch/es-en")
    compare([(name, "Los gatos duermen.", GRADIENTS, "") for name in names])


def test_what_is_typed_is_text() -> None:
    typed = ("<pad> <eos>", "<script>alert(1)</script>", "🙂🙂 ñandú\u202e", "1" * 40, "¿?")
    compare([("es-en", text, "beam", "") for text in typed])


SETTINGS: list[dict[str, Any]] = [
    {"norm": "post", "positions": "half", "activation": "gelu", "n_heads": 4},
    {"positions": "none", "activation": "swish", "force_end": True, "scale_embedding": False},
    {"share_embeddings": False, "tie_generator": False, "positions": "marian"},
]


def test_every_kind_of_model_and_of_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = letters_tokenizer()
    for i, settings in enumerate(SETTINGS):
        model = tiny_model(vocab_size=tokenizer.vocab_size, **settings)
        save(tmp_path / f"tiny-{i}", model, tokenizer, {})
    monkeypatch.setattr(checkpoint, "MODELS", tmp_path)
    names = [f"models/tiny-{i}" for i in range(len(SETTINGS))]
    changes = [changed.replace("other", "b%20a%20e%20f") for changed in ("", *EVERY)]
    # A beam of models that learned nothing has hypotheses with nearly the same score.
    tasks = [(name, "a b c d", "greedy", one) for name, one in zip(cycle(names), changes)]
    large = [
        ("es-en", "Los gatos duermen.", "beam", "mute-cross-1-1_3~hide-src-1~temp-2-encoder"),
        ("rnnsearch/es-en", "Los gatos duermen.", "beam", "mute-cross"),
    ]
    compare([*tasks, *large], {"MODELS_DIR": str(tmp_path)})


def test_what_a_browser_lacks_says_so() -> None:
    code = """import absent, torch
absent.install()
from torch import nn, optim
class Own(nn.Conv2d): pass
for make in (torch.randn, optim.Adam, Own):
    try: make()
    except absent.AbsentError as error: print(error)"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=STAND_INS, capture_output=True, text=True
    )
    said = ["torch.randn", "torch.optim.Adam", "torch.nn.Conv2d"]
    assert done.stdout.split() == said, done.stderr
