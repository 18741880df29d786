"""The map of a model: every array in the order of computing, and the inputs of each."""

from collections.abc import Callable, Generator, Iterator, Mapping
from functools import lru_cache, partial

from model.config import SIDES, SUB_LAYERS, Activation, Arch, ModelConfig, Stack
from model.interpret.calculation.recurrent import rnn, rnnsearch
from model.interpret.calculation.stage import Kind, Stage, derived, embedding, predictions, stage

Build = Callable[[str, str], Iterator[Stage]]  # of a layer's name and of its sub-layer's input


@lru_cache(maxsize=32)
def stages(config: ModelConfig) -> Mapping[str, Stage]:
    """Return every captured and derived array of a model by name, in the order of computing."""
    return {stage.name: stage for stage in _MAPS[config.arch](config)}


def _transformer(config: ModelConfig) -> Iterator[Stage]:
    encode, finish = (f"model.nn.transformer:Transformer.{name}" for name in ("encode", "finish"))
    yield from _embedding("src")
    yield from _without_parameters("src.sum")
    x = yield from _stack(config, "encoder", encode)
    yield stage("memory", "same", encode, (x,))
    yield from _embedding("tgt")
    x = yield from _stack(config, "decoder", finish)
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
    pre, x = config.norm == "pre", f"{SIDES[stack]}.sum"
    for i in range(config.n_layers(stack)):
        for n, sublayer in enumerate(SUB_LAYERS[stack], start=1):
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
    steps: tuple[tuple[Kind, tuple[str, ...]], ...] = (
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


_MAPS: Mapping[Arch, Callable[[ModelConfig], Iterator[Stage]]] = {
    "transformer": _transformer,
    "rnn": rnn,
    "rnnsearch": rnnsearch,
}
