"""The map of a model: every array in the order of computing, and the inputs of each."""

from collections.abc import Callable, Generator, Iterator, Mapping
from functools import lru_cache

from model.config import Arch, ModelConfig
from model.interpret.calculation.recurrent import rnn, rnnsearch
from model.interpret.calculation.stage import Kind, Stage, derived, embedding, stage

Build = Callable[[str], Iterator[Stage]]


@lru_cache(maxsize=32)
def stages(config: ModelConfig) -> Mapping[str, Stage]:
    """Return every captured and derived array of a model by name, in the order of computing."""
    return {stage.name: stage for stage in _MAPS[config.arch](config)}


def _transformer(config: ModelConfig) -> Iterator[Stage]:
    pre = config.norm == "pre"
    yield from _embedding("src")
    x = "src.sum"
    yield from _without_parameters(x)
    for i in range(config.n_encoder_layers):
        scope = f"encoder.{i}"
        x = yield from _sublayer(pre, f"{scope}.add_norm_1", x, _self_attention(scope))
        x = yield from _sublayer(pre, f"{scope}.add_norm_2", x, _feed_forward(scope))
    if pre:
        yield from _norm("encoder.norm", x, "model.nn.transformer:Transformer.encode")
        x = "encoder.norm"
    yield stage("memory", "same", "model.nn.transformer:Transformer.encode", (x,))
    yield from _embedding("tgt")
    x = "tgt.sum"
    for i in range(config.n_decoder_layers):
        scope = f"decoder.{i}"
        x = yield from _sublayer(pre, f"{scope}.add_norm_1", x, _self_attention(scope))
        x = yield from _sublayer(pre, f"{scope}.add_norm_2", x, _cross_attention(scope))
        x = yield from _sublayer(pre, f"{scope}.add_norm_3", x, _feed_forward(scope))
    if pre:
        yield from _norm("decoder.norm", x, "model.nn.transformer:Transformer.finish")
        x = "decoder.norm"
    generator = ("generator.W", "generator.b")
    yield stage("logits", "linear", "model.nn.translator:Translator.logits", (x,), generator)
    softmax = "model.decoding.sampling:sampling_probs"
    yield stage("probabilities", "probabilities", softmax, ("logits",))


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


def _sublayer(pre: bool, scope: str, x: str, build: Build) -> Generator[Stage, None, str]:
    """Post: norm(x + sublayer(x)); pre: x + sublayer(norm(x)). Returns the name of the output."""
    add, norm, source = f"{scope}.add", f"{scope}.norm", "model.nn.layers:AddNorm.forward"
    if pre:
        yield from _norm(norm, x, source)
        body = list(build(norm))
        yield from body
        yield stage(add, "add", source, (x, body[-1].name))
        return add
    body = list(build(x))
    yield from body
    yield stage(add, "add", source, (x, body[-1].name))
    yield from _norm(norm, add, source)
    return norm


def _norm(name: str, x: str, source: str) -> Iterator[Stage]:
    scope = name.rpartition(".")[0]
    mean, deviation = f"{scope}.mean", f"{scope}.deviation"
    yield stage(mean, "mean", source, (x,))
    yield stage(deviation, "deviation", source, (x, mean))
    params = (f"{name}.gamma", f"{name}.beta")
    yield stage(name, "norm", source, (x, mean, deviation), params)


def _self_attention(scope: str) -> Build:
    qkv = "model.nn.attention:MultiHeadAttention.self_qkv"
    return lambda x: _attention(f"{scope}.self_attn", x, x, qkv, qkv)


def _cross_attention(scope: str) -> Build:
    query = "model.nn.attention:MultiHeadAttention.query"
    key_value = "model.nn.attention:MultiHeadAttention.key_value"
    return lambda x: _attention(f"{scope}.cross_attn", x, "memory", query, key_value)


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


def _feed_forward(scope: str) -> Build:
    ffn, source = f"{scope}.ffn", "model.nn.layers:FeedForward.forward"

    def build(x: str) -> Iterator[Stage]:
        yield stage(f"{ffn}.pre", "linear", source, (x,), (f"{ffn}.W_1", f"{ffn}.b_1"))
        yield stage(f"{ffn}.hidden", "relu", source, (f"{ffn}.pre",))
        params = (f"{ffn}.W_2", f"{ffn}.b_2")
        yield stage(f"{ffn}.out", "linear", source, (f"{ffn}.hidden",), params)

    return build


_MAPS: Mapping[Arch, Callable[[ModelConfig], Iterator[Stage]]] = {
    "transformer": _transformer,
    "rnn": rnn,
    "rnnsearch": rnnsearch,
}
