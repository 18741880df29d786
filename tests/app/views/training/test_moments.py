"""What is read back of a run is what the trainer wrote, number for number."""

import itertools
import json
import math
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from app.data.moments import (  # fmt: skip
    alignment,
    command,
    curves_of,
    examples_of,
    film_of,
    languages_of,
    vocabulary,
)
from app.data.runs import threads
from model.runs.film import Frame
from model.runs.folder import RunFolder
from tests.app.views.training.conftest import run_film

NAME = "recorded/reverse"
Arrays = dict[str, np.ndarray]


def test_the_film_is_the_frames_on_the_disk_each_found_by_its_step(shown: RunFolder) -> None:
    made = run_film()
    assert made.steps == shown.frames()
    for i, step in enumerate(made.steps):
        frame = Frame.load(shown.frame_file(step))
        for kind in ("cross", "encoder", "decoder"):
            head = made.head(kind, 0, 1)
            np.testing.assert_array_equal(head[i], frame.capture.weights(kind, 0, 1))
    last = len(made.steps) - 1
    assert made.at(None) == last
    assert [made.at(step) for step in made.steps] == list(range(last + 1))
    assert (made.at(0), made.at(10**9)) == (0, last)


def test_reversing_wants_the_anti_diagonal(shown: RunFolder) -> None:
    made = run_film()
    assert sorted(alignment(made.plan)) == [(0, 3), (1, 2), (2, 1), (3, 0)]
    said = [token.text for token in made.capture.tgt[1:]]
    read = [token.text for token in made.capture.src]
    assert made.wanted
    assert all(read[key] == said[query] for query, key in made.wanted)
    assert made.shares is not None
    for shares, frame in zip(made.shares, made.frames, strict=True):
        for layer, head in np.ndindex(*shares.shape):
            weights = frame.capture.weights("cross", layer, head)
            mean = np.mean([weights[query, key] for query, key in made.wanted])
            assert shares[layer, head] == pytest.approx(mean, abs=1e-6)
    late = [np.unravel_index(one.argmax(), one.shape) for one in made.shares[-5:]]
    assert made.best in late


def test_a_model_trained_here_has_its_languages_and_sentences(own: RunFolder) -> None:
    assert languages_of("runs/reverse") == ("", "")
    first, *held_out = examples_of("runs/reverse")
    assert first == own.plan().probe[0]
    assert set(held_out) <= {sample["src"] for sample in own.samples()[-1]["samples"]}
    assert examples_of("es-en") == examples_of("runs/none") == examples_of("runs/../x") == ()
    tokenizer = vocabulary("reverse")
    assert tokenizer is not None
    assert tokenizer.decode(tokenizer.encode("a b")) == "a b"


def test_nothing_to_read_is_no_error(own: RunFolder) -> None:
    for file in (*own.path.glob("frames/*"), own.path / "log.jsonl", own.path / "samples.jsonl"):
        file.unlink()
    assert film_of("reverse") is None
    assert curves_of("reverse").of("loss")[0].size == 0
    assert own.samples() == []
    assert examples_of("runs/reverse") == (own.plan().probe[0],)


def forged(file: Path, arrays: Arrays | None = None, **texts: object) -> None:
    """Change arrays and texts of a frame."""
    with safe_open(file, framework="numpy") as frame:
        metadata = frame.metadata() | {name: json.dumps(text) for name, text in texts.items()}
        kept = {name: frame.get_tensor(name) for name in frame.keys()}  # noqa: SIM118
    save_file(kept | (arrays or {}), file, metadata=metadata)


TOKENS = [{"id": 5, "text": "a", "starts_word": True, "special": False}] * 9
ODD_TEXT = [TOKENS[0] | {"text": 5}]
BREAK: Mapping[str, Callable[[Path], object]] = {
    "nonsense": lambda file: file.write_bytes(b"\x08nonsense"),
    "empty": lambda file: file.write_bytes(b""),
    "gone": lambda file: file.unlink(),
    "a folder": lambda file: file.rename(file.with_suffix("")).with_suffix(".safetensors").mkdir(),
    "the step of another": lambda file: forged(file, step=1),
    **{f"step {odd}": lambda file, odd=odd: forged(file, step=odd)  # type: ignore[misc]
       for odd in ("x", None, math.inf, math.nan, 1e18, -1)},
    "another sentence": lambda file: forged(file, src=TOKENS),
    "odd tokens": lambda file: forged(file, src=ODD_TEXT * 9),
    "NaN": lambda file: forged(file, {"target_p": np.full(9, np.nan, np.float32)[:5]}),
    "strange ids": lambda file: forged(file, {"target_ids": np.full(5, 10**9)}),
    "ids that are none": lambda file: forged(file, {"target_ids": np.full(5, 0.5)}),
}  # fmt: skip


def test_a_broken_frame_costs_one_frame(own: RunFolder) -> None:
    """One frame that was cut short took the whole film, with the curves beside it."""
    for step in own.frames()[3:-2]:
        own.frame_file(step).unlink()
    steps = own.frames()
    for (name, damage), at in zip(BREAK.items(), itertools.cycle((0, -1))):
        file = own.frame_file(steps[at])
        whole = file.read_bytes()
        damage(file)
        film = run_film("reverse")
        assert film.steps == [step for step in steps if step != steps[at]], name
        assert film.head("cross", 0, 0).shape[0] == len(steps) - 1
        assert np.isfinite(film.head("cross", 0, 0)).all()
        if file.is_dir():
            file.rmdir()
        file.write_bytes(whole)


def test_the_command_names_the_plan(own: RunFolder) -> None:
    """Of a folder of runs elsewhere, it showed the server's whole path to every visitor."""
    train = "-m model train --plan runs/reverse/plan.json --out 'runs/reverse 2'"
    recorded = "python -m model train --plan recorded/reverse/plan.json --out 'runs/reverse 2'"
    assert command(NAME).startswith(recorded)
    assert command("reverse") == f"python {train} --threads {threads()}"
    many = command("reverse", machines=2)
    assert many.startswith("torchrun --nnodes 2 ")
    assert many.endswith(train)


def test_torchrun_takes_the_command_for_many(own: RunFolder) -> None:
    """What several processes then train: tests/model/training/test_workers.py."""
    from torch.distributed.run import get_args_parser

    program, *words = shlex.split(command("reverse", machines=2))
    taken = get_args_parser().parse_args(words)
    assert (taken.nnodes, taken.nproc_per_node, taken.node_rank) == ("2", "2", 0)
    assert (program, taken.module, taken.training_script) == ("torchrun", True, "model")
    assert taken.training_script_args[0] == "train"
