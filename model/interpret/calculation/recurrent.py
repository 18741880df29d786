"""The maps of the recurrent translators: every array, and the inputs of each."""

from collections.abc import Iterator

from model.config import ModelConfig
from model.interpret.calculation.stage import Kind, Stage, derived, embedding, predictions, stage

SEARCH = "model.nn.rnnsearch:"
GATED, PLAIN = "model.nn.gru:GRU.step", "model.nn.elman:Elman.step"
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
    kind: Kind = "before_backwards" if backwards else "before"
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
    keys = "model.nn.alignment:AdditiveAttention.key_value"
    attend = "model.nn.alignment:AdditiveAttention.attend"
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
