"""The map of a model: every array in the order of computing, and the inputs of each."""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from model.config import Activation, Arch, ModelConfig, Stack

# Kinds of stages that are computed from a capture without being in it.
OF_ANY_MODEL = ("mean", "deviation", "probabilities")
OF_SIMPLE_ATTENTION = ("likeness", "mixing", "mixture")
OF_ATTENTION = ("powers", "weighted", "part", "length")
OF_RECURRENT = ("before", "before_backwards", "recall", "match")
DERIVED = (*OF_ANY_MODEL, *OF_SIMPLE_ATTENTION, *OF_ATTENTION, *OF_RECURRENT)
PARAM = "param:"


@dataclass(frozen=True)
class Stage:
    """One array and what it is made of: `inputs` are arrays, `params` are `param:…` names.

    `kind` says by which rule: `recompute` and the explanations have one for each.
    """

    name: str
    kind: str
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
    name: str, kind: str, source: str, inputs: tuple[str, ...] = (), params: tuple[str, ...] = ()
) -> Stage:
    """Return a stage; `source` is "module:qualname", and `params` come without their prefix."""
    return Stage(name, kind, inputs, tuple(PARAM + p for p in params), source)


def derived(name: str, inputs: tuple[str, ...], params: tuple[str, ...] = ()) -> Stage:
    """Return a stage whose kind, and the function that computes it, is its name's last word."""
    kind = name.rpartition(".")[2]
    source = f"model.interpret.calculation.derived:{kind}"
    return stage(name, kind, source, inputs, params)


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


Build = Callable[[str, str], Iterator[Stage]]  # of a layer's name and of its sub-layer's input


@lru_cache(maxsize=32)
def stages(config: ModelConfig) -> Mapping[str, Stage]:
    """Return every captured and derived array of a model by name, in the order of computing."""
    return {stage.name: stage for stage in _MAPS[config.arch](config)}


def _transformer(config: ModelConfig) -> Iterator[Stage]:
    encode, finish = (f"model.nn.transformer:Transformer.{name}" for name in ("encode", "finish"))
    *readers, writer = config.stacks
    for stack in readers:
        yield from _embedding(config.stacks[stack].side)
        yield from _without_parameters(f"{config.stacks[stack].side}.sum")
        x = yield from _stack(config, stack, encode)
        yield stage("memory", "same", encode, (x,))
    yield from _embedding(config.stacks[writer].side)
    x = yield from _stack(config, writer, finish)
    yield from predictions(x)


def _embedding(side: str) -> Iterator[Stage]:
    source = "model.nn.transformer:Transformer.embed"
    yield embedding(side)
    yield stage(f"{side}.pos", "pos", "model.nn.positional:positional_encoding")
    yield stage(f"{side}.sum", "sum", source, (f"{side}.embed", f"{side}.pos"))


def _without_parameters(x: str) -> Iterator[Stage]:
    """Attention that learned nothing: yᵢ = Σⱼ wᵢⱼ xⱼ, where w is the softmax of xᵢ · xⱼ."""
    softmax = "model.interpret.calculation.numbers:softmax"
    yield derived("simple.likeness", (x,))
    yield stage("simple.mixing", "mixing", softmax, ("simple.likeness",))
    yield derived("simple.mixture", ("simple.mixing", x))


def _stack(config: ModelConfig, stack: Stack, finish: str) -> Generator[Stage, None, str]:
    """Yield the stages of all layers; return the name of the output."""
    builders: Mapping[str, Build] = {
        "self_attn": _self_attention,
        "cross_attn": _cross_attention,
        "ffn": partial(_feed_forward, config.activation),
    }
    side, sublayers, _ = config.stacks[stack]
    pre, x = config.norm == "pre", f"{side}.sum"
    for i in range(config.n_layers(stack)):
        for n, sublayer in enumerate(sublayers, start=1):
            x = yield from _sublayer(pre, f"{stack}.{i}", n, x, builders[sublayer])
    if not pre:
        return x
    yield from _norm(f"{stack}.norm", x, finish)
    return f"{stack}.norm"


def _sublayer(pre: bool, layer: str, n: int, x: str, build: Build) -> Generator[Stage, None, str]:
    """Post: norm(x + sublayer(x)); pre: x + sublayer(norm(x)). Returns the name of the output."""
    scope, source = f"{layer}.add_norm_{n}", "model.nn.layers:AddNorm.forward"
    add, norm = f"{scope}.add", f"{scope}.norm"
    sublayer = list(build(layer, norm if pre else x))
    added = stage(add, "add", source, (x, sublayer[-1].name))
    if pre:
        yield from (*_norm(norm, x, source), *sublayer, added)
        return add
    yield from (*sublayer, added, *_norm(norm, add, source))
    return norm


def _norm(name: str, x: str, source: str) -> Iterator[Stage]:
    scope = name.rpartition(".")[0]
    mean, deviation = f"{scope}.mean", f"{scope}.deviation"
    yield stage(mean, "mean", source, (x,))
    yield stage(deviation, "deviation", source, (x, mean))
    params = (f"{name}.gamma", f"{name}.beta")
    yield stage(name, "norm", source, (x, mean, deviation), params)


def _self_attention(layer: str, x: str) -> Iterator[Stage]:
    qkv = "model.nn.attention:MultiHeadAttention.self_qkv"
    return _attention(f"{layer}.self_attn", x, x, qkv, qkv)


def _cross_attention(layer: str, x: str) -> Iterator[Stage]:
    query = "model.nn.attention:MultiHeadAttention.query"
    key_value = "model.nn.attention:MultiHeadAttention.key_value"
    return _attention(f"{layer}.cross_attn", x, "memory", query, key_value)


def _attention(scope: str, x: str, kv: str, query: str, key_value: str) -> Iterator[Stage]:
    for name, of, source in (("q", x, query), ("k", kv, key_value), ("v", kv, key_value)):
        params = (f"{scope}.W_{name.upper()}", f"{scope}.b_{name.upper()}")
        yield stage(f"{scope}.{name}", "project", source, (of,), params)
    steps: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("scores", ("q", "k")),
        ("scaled", ("scores",)),
        ("masked", ("scaled",)),
        ("weights", ("masked",)),
        ("context", ("weights", "v")),
        ("concat", ("context",)),
    )
    attend = "model.nn.attention:MultiHeadAttention.attend"
    for kind, inputs in steps:
        yield stage(f"{scope}.{kind}", kind, attend, tuple(f"{scope}.{i}" for i in inputs))
    w_o, b_o = f"{scope}.W_O", f"{scope}.b_O"
    yield derived(f"{scope}.powers", (f"{scope}.masked",))
    yield derived(f"{scope}.weighted", (f"{scope}.weights", f"{scope}.v"))
    yield derived(f"{scope}.part", (f"{scope}.context",), (w_o,))
    yield derived(f"{scope}.length", (f"{scope}.part",))
    yield stage(f"{scope}.out", "linear", attend, (f"{scope}.concat",), (w_o, b_o))


def _feed_forward(activation: Activation, layer: str, x: str) -> Iterator[Stage]:
    ffn, source = f"{layer}.ffn", "model.nn.layers:FeedForward.forward"
    yield stage(f"{ffn}.pre", "linear", source, (x,), (f"{ffn}.W_1", f"{ffn}.b_1"))
    yield stage(f"{ffn}.hidden", activation, source, (f"{ffn}.pre",))
    params = (f"{ffn}.W_2", f"{ffn}.b_2")
    yield stage(f"{ffn}.out", "linear", source, (f"{ffn}.hidden",), params)


SEARCH = "model.nn.rnnsearch:"
GATED, PLAIN = "model.nn.cell:GRU.step", "model.nn.cell:Elman.step"
FORWARD, BACKWARD = "encoder.0.forward", "encoder.0.backward"
ATTENTION = "decoder.0.cross_attn"


def rnn(config: ModelConfig) -> Iterator[Stage]:
    """Return the map of a plain RNN; its memory is the encoder's last state."""
    yield embedding("src")
    yield from _cell(config, FORWARD, "hidden", ("src.embed",))
    yield stage("memory", "last", "model.nn.rnn:RnnEncoder.forward", (f"{FORWARD}.hidden",))
    yield embedding("tgt")
    yield from _cell(config, "decoder.0", "state", ("tgt.embed",), start="memory")
    read = ("decoder.0.O_s", "decoder.0.b_o")
    readout = "model.nn.rnn:RnnDecoder.read"
    yield stage("decoder.0.readout", "tanh", readout, ("decoder.0.state",), read)
    yield from predictions("decoder.0.readout")


def rnnsearch(config: ModelConfig) -> Iterator[Stage]:
    """Return the map of RNNsearch; its memory is an annotation of each token."""
    yield embedding("src")
    yield from _cell(config, FORWARD, "hidden", ("src.embed",))
    yield from _cell(config, BACKWARD, "hidden", ("src.embed",), backwards=True)
    ends = (f"{FORWARD}.hidden", f"{BACKWARD}.hidden")
    yield stage("memory", "joined", SEARCH + "SearchEncoder.forward", ends)
    begin = ("decoder.0.W_s", "decoder.0.b_s")
    yield stage("decoder.0.begin", "tanh", SEARCH + "SearchDecoder.start", ends[1:], begin)
    yield embedding("tgt")
    context = f"{ATTENTION}.context"
    # The query is computed from the state before, so that comes first.
    read, begun = ("tgt.embed", context), "decoder.0.begin"
    first, *steps = _cell(config, "decoder.0", "state", read, start=begun)
    yield first
    yield from _additive()
    yield from steps
    inputs = ("decoder.0.state", context, "tgt.embed")
    params = tuple(f"decoder.0.{name}" for name in ("O_s", "O_c", "O_y", "b_o"))
    yield stage("decoder.0.readout", "tanh", SEARCH + "SearchDecoder.read", inputs, params)
    yield from predictions("decoder.0.readout")


def _cell(
    config: ModelConfig,
    scope: str,
    state: str,
    read: tuple[str, ...],
    start: str = "",
    backwards: bool = False,
) -> Iterator[Stage]:
    """A cell that reads some vectors, from a `start` or from 0: first the state before each step.

    W belongs to the first vector, C to the second, U to the state.
    """
    kind = "before_backwards" if backwards else "before"
    inputs = (f"{scope}.{state}", *((start,) if start else ()))
    yield stage(f"{scope}.before", kind, f"model.interpret.calculation.derived:{kind}", inputs)
    yield from (_gru if config.cell == "gru" else _plain)(scope, state, read, "WC"[: len(read)])


def _gru(scope: str, state: str, read: tuple[str, ...], matrices: str) -> Iterator[Stage]:
    before, recall, reset, update, candidate = (
        f"{scope}.{name}" for name in ("before", "recall", "reset", "update", "candidate")
    )
    for name, letter in ((reset, "r"), (update, "z")):
        params = _params(scope, matrices + "Ubu", letter)
        yield stage(name, "gate", GATED, (*read, before), params)
    yield derived(recall, (before,), _params(scope, "Uu", "n"))
    params = _params(scope, matrices + "b", "n")
    yield stage(candidate, "candidate", GATED, (*read, reset, recall), params)
    yield stage(f"{scope}.{state}", "state", GATED, (candidate, update, before))


def _plain(scope: str, state: str, read: tuple[str, ...], matrices: str) -> Iterator[Stage]:
    params = _params(scope, matrices + "Ubu", "h")
    yield stage(f"{scope}.{state}", "tanh", PLAIN, (*read, f"{scope}.before"), params)


def _params(scope: str, letters: str, of: str) -> tuple[str, ...]:
    return tuple(f"{scope}.{letter}_{of}" for letter in letters)


def _additive() -> Iterator[Stage]:
    keys = "model.nn.rnnsearch:AdditiveAttention.key_value"
    attend = "model.nn.rnnsearch:AdditiveAttention.attend"
    q, k, v, match, scores, masked, weights, context = (
        f"{ATTENTION}.{name}"
        for name in ("q", "k", "v", "match", "scores", "masked", "weights", "context")
    )
    yield stage(k, "key", keys, ("memory",), (f"{ATTENTION}.U_a",))
    yield stage(v, "value", keys, ("memory",))
    params = (f"{ATTENTION}.W_a", f"{ATTENTION}.b_a")
    yield stage(q, "query", attend, ("decoder.0.before",), params)
    yield derived(match, (q, k))
    yield stage(scores, "alignment", attend, (match,), (f"{ATTENTION}.v_a",))
    yield stage(masked, "masked", attend, (scores,))
    yield stage(weights, "weights", attend, (masked,))
    yield stage(context, "context", attend, (weights, v))
    yield derived(f"{ATTENTION}.powers", (masked,))
    yield derived(f"{ATTENTION}.weighted", (weights, v))


_MAPS: Mapping[Arch, Callable[[ModelConfig], Iterator[Stage]]] = {
    "transformer": _transformer,
    "rnn": rnn,
    "rnnsearch": rnnsearch,
}
