"""The walk's door to the model: one sentence's numbers, each with its calculation and its check."""

import importlib
import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from app.data.cache import cached
from app.data.decoding import Decoding
from app.data.translation import Run, Stamp, Translation, translate
from model.config import ATTENTIONS, STACKS, ModelConfig, Side, Stack
from model.interpret.calculation.cell import Calculation, Cell, CellBlock, heaviest
from model.interpret.calculation.derived import length, powers
from model.interpret.calculation.explain import explain
from model.interpret.calculation.neighbours import along, angle, cosine
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parameters import Parameters, parameters
from model.interpret.calculation.recompute import Check
from model.interpret.calculation.recompute import check as check_stages
from model.interpret.calculation.stream import stream_names
from model.interpret.capture import Capture
from model.interpret.experiments.change import side_of
from model.interpret.experiments.changed import capture_changed, changed_model
from model.interpret.experiments.plan import ChangePlan
from model.interpret.recording import capture
from model.nn.translator import Translator
from model.text.byte_level import Token
from model.text.tokenizer import Tokenizer

__all__ = ["ATTENTIONS", "Calculation", "Cell", "CellBlock", "Stack", "side_of"]
__all__ += ["along", "angle", "cosine", "heaviest", "length", "powers"]

# Which stack reads a side.
STACK_OF: Final[dict[Side, Stack]] = {
    one.side: stack for stack, one in STACKS["transformer"].items()
}


@dataclass(frozen=True, eq=False)
class Walk:
    """One translated sentence with every number of it, and of the model that made it."""

    translation: Translation
    parameters: Parameters
    tokenizer: Tokenizer
    plan: ChangePlan | None = None  # the changes of this run
    _explained: dict[Cell, Calculation] = field(default_factory=dict, init=False, repr=False)

    @property
    def key(self) -> Run:
        """The run, which caches know it by."""
        return self.translation.run

    @property
    def stamp(self) -> Stamp:
        return self.key.stamp

    @property
    def capture(self) -> Capture:
        return self.translation.capture

    @cached_property
    def numbers(self) -> Numbers:
        return Numbers(self.capture, self.parameters)

    @property
    def model(self) -> Translator:
        """The model, with the changes of this run in it."""
        model = self.key.loaded.model
        return model if self.plan is None else changed_model(model, self.plan)

    @property
    def config(self) -> ModelConfig:
        return self.capture.config

    def token(self, token_id: int) -> Token:
        """Return a piece of the vocabulary as people read it."""
        return self.tokenizer.token(token_id)

    def array(self, name: str, index: Sequence[int | None] | None = None) -> np.ndarray:
        """Return an array, or its part at an index in which None is a whole axis."""
        array = self.numbers.array(name)
        if index is None:
            return array
        return array[tuple(slice(None) if i is None else i for i in index)]

    def length(self, name: str, index: Sequence[int | None]) -> float:
        """Return the norm of one vector of an array."""
        return float(length(self.array(name, index).astype(np.float64)))

    def inputs(self, name: str) -> tuple[str, ...]:
        """Return the arrays that an array is computed from, first of all the x of x × W."""
        return self.numbers.stages[name].inputs

    def stream(self, stack: Stack) -> tuple[str, ...]:
        """Return the arrays of a residual stream: its input, then what each sub-layer leaves."""
        return stream_names(self.config, stack)

    def has(self, cell: Cell) -> bool:
        """Return whether there is such a number in the model, for this sentence."""
        try:
            self.numbers.valid(cell)
        except ValueError:
            return False
        return True

    def explain(self, cell: Cell) -> Calculation:
        """Return how a number came to be; raises ValueError for one that is not there.

        It is explained once, however many boards of a page light what it came from, and kept until
        another one is asked for.
        """
        if (kept := self._explained.get(cell)) is not None:
            return kept
        calculation = explain(self.capture, self.parameters, cell)
        self._explained.clear()
        self._explained[cell] = calculation
        return calculation

    def read(self, tgt_ids: Sequence[int]) -> Capture:
        """Record the same run of another translation, which starts with <bos>."""
        model = self.key.loaded.model
        if self.plan is None:
            return capture(model, self.tokenizer, self.capture.src_ids, tgt_ids)
        return capture_changed(model, self.tokenizer, self.plan, tgt_ids)

    def check(self, scopes: Sequence[str]) -> Check:
        """Recompute the stages of some parts of the model, once for all visitors."""
        return _check(self, tuple(scopes))


def walk(name: str, text: str, decoding: Decoding) -> Walk:
    """Translate a sentence and open all its numbers; raises what `translate` raises."""
    translation = translate(name, text, decoding)
    return Walk(translation, _parameters(translation.run), translation.run.loaded.tokenizer)


@cached()
def code(source: str) -> str:
    """Return the text of one of our own functions, "module:qualname", as it runs here."""
    module, _, qualname = source.partition(":")
    found: object = importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    assert inspect.isfunction(found) or inspect.isclass(found)
    return inspect.cleandoc("\n" + inspect.getsource(found))


@cached(by="stamp")
def _parameters(run: Run) -> Parameters:
    return parameters(run.loaded.model)


@cached()
def _check(walk: Walk, scopes: tuple[str, ...]) -> Check:
    return check_stages(walk.capture, walk.parameters, scopes)
