"""A frame of a training's film: a model's attention and predictions for one pair at one step.

H heads, T target tokens with <eos>, S source tokens with <eos>; query t writes target token t.
"""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from model.config import KINDS, ModelConfig
from model.decoding.batch import banned_ids
from model.decoding.limits import truncate
from model.decoding.search import translate_ids
from model.errors import UserError, reason
from model.files import fits
from model.interpret.calculation.numbers import softmax
from model.interpret.capture import Capture
from model.interpret.recording import capture
from model.nn.translator import Translator
from model.settings import check_types
from model.text.batches import Example, collate
from model.text.byte_level import BOS, EOS, PAD, Token
from model.text.pairs import Pair
from model.text.tokenizer import Tokenizer

SHOWN: Final = 10
PAIRS_AT_ONCE: Final = 16
LARGEST_FILE: Final = 32 * 2**20
# The errors that reading a file of another kind raises.
NO_FRAME: Final = (
    SafetensorError,
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    RecursionError,
)
_NUMBERS: Final = ("target_ids", "target_p", "top_ids", "top_p")


@dataclass(frozen=True, eq=False)
class Frame:
    """What the model makes of a pair at a step: attention, translation and likeliest next tokens.

    `capture` holds only the attention weights of the teacher-forced pair. Row t belongs to the t-th
    target token: `target_ids` and their probabilities `target_p` are (T,); `top_ids` and `top_p`,
    the likeliest tokens at that position, are (T, 10). `output` is the greedy translation.
    """

    step: int
    capture: Capture
    output: str
    target_ids: np.ndarray
    target_p: np.ndarray
    top_ids: np.ndarray
    top_p: np.ndarray

    @property
    def attends(self) -> bool:
        """Return whether the decoder attends to the source; that of a plain RNN does not."""
        return self.capture.n_layers("cross") > 0

    def cells(self, alignment: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Return (row, source token) for each aligned (target word, source word).

        Words are separated by blanks, hyphens and commas; each row that writes a piece of a word
        should attend to all pieces of the source word.
        """
        tgt, src = _words(self.capture.tgt[1:]), _words(self.capture.src)
        known = ((i, j) for i, j in alignment if i < len(tgt) and j < len(src))
        return tuple((row, piece) for i, j in known for row in tgt[i] for piece in src[j])

    def shares(self, alignment: Iterable[tuple[int, int]]) -> np.ndarray:
        """Return the weight that each head gives to a row's aligned cells, on average, (L, H).

        Raises ValueError for an alignment that points outside the pair.
        """
        cells = self.cells(alignment)
        if not cells:
            raise ValueError("The alignment has no place in the pair that was filmed.")
        rows, keys = zip(*cells, strict=True)
        weights = self.capture.all_weights("cross")  # (L, H, T, S)
        shares: np.ndarray = weights[:, :, rows, keys].sum(-1) / len(set(rows))
        return shares

    def save(self, path: Path) -> None:
        """Write one safetensors file, completely or not at all."""
        weights = {name: np.ascontiguousarray(array) for name, array in self.capture.arrays.items()}
        metadata = {
            "step": self.step,
            "output": self.output,
            "config": self.capture.config.to_dict(),
            "src": [asdict(token) for token in self.capture.src],
            "tgt": [asdict(token) for token in self.capture.tgt],
        }
        numbers = {name: np.ascontiguousarray(getattr(self, name)) for name in _NUMBERS}
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_name(f".{path.name}.new")
        text = {name: json.dumps(value) for name, value in metadata.items()}
        try:
            save_file(weights | numbers, aside, metadata=text)
            aside.replace(path)
        except SafetensorError as error:  # raised by the library when the disk is full
            raise UserError("run_not_written", why=reason(error)) from error
        finally:
            aside.unlink(missing_ok=True)

    @classmethod
    def load(cls, path: Path) -> "Frame":
        """Read a frame; raises ValueError if the file is not one or is larger than 32 MB."""
        try:
            if path.stat().st_size > LARGEST_FILE:
                raise ValueError(f"{path} is too large.")
            with safe_open(path, framework="numpy") as file:
                values = {name: json.loads(text) for name, text in file.metadata().items()}
                arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            numbers = {name: arrays.pop(name) for name in _NUMBERS}
            src, tgt = (tuple(Token(**token) for token in values[side]) for side in ("src", "tgt"))
            for token in (*src, *tgt):
                check_types(token)
            captured = Capture(ModelConfig.from_dict(values["config"]), src, tgt, arrays)
            _check(captured, numbers)
            if not fits(values["step"], int):
                raise ValueError(f"{values['step']} is no step.")
            return _frozen(cls(values["step"], captured, str(values["output"]), **numbers))
        except NO_FRAME as error:
            raise ValueError(f"{path} is no frame of a film.") from error


def film(model: Translator, tokenizer: Tokenizer, probe: Pair, step: int) -> Frame:
    """Return a pair's frame for a model at a step, in evaluation mode: nothing is random."""
    longest = model.config.max_len
    src, _ = truncate([*tokenizer.encode(probe.src), EOS], longest)
    targets, _ = truncate([*tokenizer.encode(probe.tgt), EOS], longest)
    captured = capture(model, tokenizer, src, [BOS, *targets[:-1]])
    p = softmax(captured.logits)  # (T, V)
    top = np.argsort(-p, axis=-1)[:, :SHOWN]  # (T, 10)
    weights = {name: a for name, a in captured.arrays.items() if name.endswith(".weights")}
    (output,) = translate_ids(model, [src], width=1)
    rows = np.arange(len(targets))
    return _frozen(
        Frame(
            step,
            Capture(captured.config, captured.src, captured.tgt, weights),
            tokenizer.decode(output),
            target_ids=np.array(targets),
            target_p=p[rows, targets],
            top_ids=top,
            top_p=np.take_along_axis(p, top, axis=-1),
        )
    )


@torch.inference_mode()
def exact_share(model: Translator, examples: Sequence[Example]) -> float:
    """Return the share of pairs whose target greedy decoding would write exactly.

    One teacher-forced pass is enough: greedy decoding writes the target if and only if each of its
    tokens is the likeliest after those before it.
    """
    n_right = 0
    never = banned_ids(model.config)
    for start in range(0, len(examples), PAIRS_AT_ONCE):
        batch = collate(examples[start : start + PAIRS_AT_ONCE])
        logits = model(batch.src, batch.tgt_in).index_fill(-1, never, -math.inf)  # (B, T, V)
        right = (logits.argmax(-1) == batch.tgt_out) | (batch.tgt_out == PAD)
        n_right += int(right.all(1).sum())
    return n_right / len(examples)


def moments(steps: int, validate_every: int) -> set[int]:
    """Return the steps of a training to film: dense at the start, then at regular intervals.

    These are 1, 2, 5, 10, 20, … until the 25 regular ones begin, and every validated step.
    """
    early = {lead * 10**power for power in range(len(str(steps))) for lead in (1, 2, 5)}
    regular = {round(steps * i / 25) for i in range(26)}
    validated = {*range(validate_every, steps + 1, validate_every), steps}
    return {step for step in early if step < steps / 25} | regular | validated


def thinned(steps: Sequence[int], most: int) -> Sequence[int]:
    """Return at most `most` of the steps, evenly spaced, including the last."""
    if most < 1:
        return []
    every = -(-len(steps) // most) or 1
    return steps[::-1][::every][::-1]


def _words(tokens: Sequence[Token]) -> list[list[int]]:
    """Return the positions of each word's pieces, without special tokens and punctuation."""
    words, begins = list[list[int]](), True
    for i, token in enumerate(tokens):
        if token.special or not (token.starts_word or any(map(str.isalnum, token.text))):
            begins = True
            continue
        if token.starts_word or begins:
            words.append([])
        words[-1].append(i)
        begins = False
    return words


def _check(captured: Capture, numbers: dict[str, np.ndarray]) -> None:
    """Raise ValueError if shapes do not match, or numbers or token ids are invalid."""
    n_tgt, H = len(captured.tgt), captured.n_heads
    for kind in KINDS:
        shape = (H, len(captured.queries(kind)), len(captured.keys(kind)))
        for layer in range(captured.n_layers(kind)):
            if captured.weights(kind, layer).shape != shape:
                raise ValueError(f"The {kind} weights of layer {layer} are no {shape}.")
    width = numbers["top_ids"].shape[1]
    shapes = ((n_tgt,), (n_tgt,), (n_tgt, width), (n_tgt, width))
    if any(numbers[name].shape != shape for name, shape in zip(_NUMBERS, shapes, strict=True)):
        raise ValueError("The probabilities do not fit the target.")
    if not all(np.isfinite(a).all() for a in (*captured.arrays.values(), *numbers.values())):
        raise ValueError("A number is not finite.")
    for ids in (numbers["target_ids"], numbers["top_ids"]):
        if ids.dtype.kind != "i" or not ((ids >= 0) & (ids < captured.config.n_tgt_vocab)).all():
            raise ValueError("A token is not in the vocabulary.")


def _frozen(frame: Frame) -> Frame:
    numbers = (getattr(frame, name) for name in _NUMBERS)
    for array in (*frame.capture.arrays.values(), *numbers):
        array.flags.writeable = False
    return frame
