"""One array of a model: its inputs, its rule, and where our code computes it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast, get_args

Sum = Literal["embed", "pos", "sum", "linear", "relu", "gelu", "swish", "add", "norm", "same"]
Attention = Literal["project", "scores", "scaled", "masked", "weights", "context", "concat"]
Recurrent = Literal["gate", "candidate", "state", "last", "joined", "tanh"]
Alignment = Literal["query", "key", "value", "alignment"]
# What is computed from a capture without being in it.
OfAnyModel = Literal["mean", "deviation", "probabilities"]
OfSimpleAttention = Literal["likeness", "mixing", "mixture"]
OfAttention = Literal["powers", "weighted", "part", "length"]
OfRecurrent = Literal["before", "before_backwards", "recall", "match"]
Derived = Literal[OfAnyModel, OfSimpleAttention, OfAttention, OfRecurrent]
DERIVED = get_args(Derived)

Kind = Literal[Sum, Attention, Recurrent, Alignment, Derived]
PARAM = "param:"


@dataclass(frozen=True)
class Stage:
    """One array and what it is made of: `inputs` are arrays, `params` are `param:…` names."""

    name: str
    kind: Kind
    inputs: tuple[str, ...]
    params: tuple[str, ...]
    source: str

    @property
    def captured(self) -> bool:
        return self.kind not in DERIVED

    @property
    def scope(self) -> str:
        """The part of the model: `encoder.0.self_attn` of `encoder.0.self_attn.q`."""
        return self.name.rpartition(".")[0]


def stage(
    name: str, kind: Kind, source: str, inputs: tuple[str, ...] = (), params: tuple[str, ...] = ()
) -> Stage:
    """Return a stage; `source` is "module:qualname", and `params` come without their prefix."""
    return Stage(name, kind, inputs, tuple(PARAM + p for p in params), source)


def derived(name: str, inputs: tuple[str, ...], params: tuple[str, ...] = ()) -> Stage:
    """Return a stage whose kind, and the function that computes it, is its name's last word."""
    kind = name.rpartition(".")[2]
    source = f"model.interpret.calculation.derived:{kind}"
    return stage(name, cast(Kind, kind), source, inputs, params)


def embedding(side: str) -> Stage:
    """Return the embeddings of a side, `src` or `tgt`."""
    source = "model.nn.translator:Translator.lookup"
    return stage(f"{side}.embed", "embed", source, params=(f"{side}_embed",))


def predictions(x: str) -> Iterator[Stage]:
    """Yield the logits and the probabilities that the generator makes of the decoder's output."""
    generator = ("generator.W", "generator.b")
    yield stage("logits", "linear", "model.nn.translator:Translator.logits", (x,), generator)
    softmax = "model.decoding.sampling:sampling_probs"
    yield stage("probabilities", "probabilities", softmax, ("logits",))
