"""What every array and every number of the model is called, and which tokens its axes are."""

from collections.abc import Sequence
from typing import Final

from app.charts.theme import Role
from app.data.translation import Kind, Token
from app.data.walk import ATTENTIONS, Cell, Walk, side_of
from app.format import escape, quoted, row_names, visible
from app.i18n import N_, _

PARAM: Final = "param:"
PARTS: Final = {
    "encoder": N_("encoder"),
    "decoder": N_("decoder"),
    "self_attn": N_("self-attention"),
    "cross_attn": N_("encoder-decoder attention"),
    "add_norm_1": N_("first add & norm"),
    "add_norm_2": N_("second add & norm"),
    "add_norm_3": N_("third add & norm"),
    "ffn": N_("feed-forward"),
    "forward": N_("read forwards"),
    "backward": N_("read backwards"),
}
STAGES: Final = {
    "embed": N_("embedding"),
    "pos": N_("position"),
    "sum": N_("embedding + position"),
    "q": N_("query q"),
    "k": N_("key k"),
    "v": N_("value v"),
    "scores": N_("score of q and k"),
    "scaled": N_("score ÷ √d_k"),
    "masked": N_("score after the mask"),
    "powers": N_("e to the power of the score"),
    "weights": N_("weight"),
    "weighted": N_("weight × value"),
    "context": N_("weighted sum z"),
    "concat": N_("heads side by side"),
    "part": N_("what the head adds"),
    "length": N_("length of what the head adds"),
    "out": N_("output"),
    "add": N_("sum x + sub-layer(x)"),
    "norm": N_("normalised"),
    "mean": N_("mean μ"),
    "deviation": N_("standard deviation σ"),
    "pre": N_("before the activation"),
    "hidden": N_("after the activation"),
    "memory": N_("memory, the encoder's output"),
    "logits": N_("logit"),
    "probabilities": N_("probability"),
    "likeness": N_("dot product x·x"),
    "mixing": N_("weight"),
    "mixture": N_("weighted sum y"),
    # Of the recurrent translators.
    "before": N_("previous state"),
    "reset": N_("reset gate r"),
    "update": N_("update gate z"),
    "recall": N_("what the previous state offers"),
    "candidate": N_("candidate n"),
    "state": N_("state"),
    "begin": N_("first state"),
    "match": N_("tanh(q + k)"),
    "readout": N_("readout"),
}
OF_ROLE: Final[dict[Role, str]] = {
    "input": "embed pos sum src_embed tgt_embed",
    "query": "q W_Q b_Q W_a b_a",
    "key": "k W_K b_K U_a",
    "value": "v W_V b_V",
    "output": "weighted context concat out W_O b_O part length mixture",
}
ROLES: Final = {name: role for role, names in OF_ROLE.items() for name in names.split()}
# Of these, the third axis is the words that are looked at.
KEYED: Final = ("scores", "scaled", "masked", "powers", "weights", "weighted", "match")
VOCABULARY: Final = ("logits", "probabilities")  # their last axis is the tokens by their ids
SQUARE: Final = ("likeness", "mixing")  # words by words, without heads
PER_HEAD: Final = (*KEYED, "q", "k", "v", "context", "part", "length")


def role_of(name: str) -> Role:
    """Return the colour of an array: its place in attention, or the residual stream."""
    return ROLES.get(_last(name), "residual")


def tokens_of(walk: Walk, name: str, axis: int) -> tuple[Token, ...] | None:
    """Return the tokens along an axis of an array, or None where it counts something else."""
    last, capture = _last(name), walk.capture
    if name.startswith(PARAM) or last == "begin":
        return None
    if name == "memory" and axis == 0:
        return capture.src[-walk.array(name).shape[0] :]  # that of a plain RNN is its last state
    token_axis = 1 if last in PER_HEAD else 0
    source = capture.tokens("src" if name.startswith("simple.") else side_of(name))
    if "cross_attn" in name and ((last in KEYED and axis == 2) or last in "kv"):
        source = capture.src
    if axis == token_axis or (last in KEYED and axis == 2) or last in SQUARE:
        return source
    return None


def labels_of(walk: Walk, name: str, axis: int) -> Sequence[str]:
    """Return the words along an axis of an array; none where it counts something else."""
    texts = [token.text for token in tokens_of(walk, name, axis) or ()]
    is_row = axis == 1 and name.startswith("decoder") and _last(name) in KEYED
    return row_names(texts) if is_row else texts


def query_names(kind: Kind, texts: Sequence[str]) -> list[str]:
    """Name the rows of an attention: the encoder's by their token, the decoder's by both."""
    return list(texts) if ATTENTIONS[kind].queries == "src" else row_names(texts)


def first_of(name: str) -> int:
    """Return what the first column of an array is called: ids count from 0, all else from 1."""
    return 0 if _last(name) in VOCABULARY else 1


def array_name(name: str, beside: str = "") -> str:
    """Return what an array is called, from the outside in: "encoder layer 1 · self-attention".

    The parts of the model that it shares with the array beside it are left out.
    """
    scope, title = _name_of(name)
    others = _name_of(beside)[0] if beside else []
    own = [part for i, part in enumerate(scope, start=1) if scope[:i] != others[:i]]
    return " · ".join([*own, title])


def _name_of(name: str) -> tuple[list[str], str]:
    """Return what the parts of the model around an array are called, and the array itself."""
    if name.startswith(PARAM):
        *scope, last = name.removeprefix(PARAM).split(".")
        title = {"gamma": "γ", "beta": "β"}.get(last, last) if scope else _("embedding table")
    else:
        *scope, last = name.split(".")
        of_gru = scope[-1:] in (["forward"], ["backward"])
        stage = "state" if of_gru and last == "hidden" else last
        title = _(STAGES[stage])
    return scope_names(scope), title


def layer_names(count: int) -> list[str]:
    """Return "layer 1", "layer 2", …"""
    return [_("layer {n}").format(n=i + 1) for i in range(count)]


def head_names(count: int) -> list[str]:
    """Return "head 1", "head 2", …"""
    return [_("head {n}").format(n=i + 1) for i in range(count)]


def cell_name(walk: Walk, cell: Cell, beside: str = "") -> str:
    """Return what one number is called, with its head, its tokens and its place.

    `beside`: an array that was named already, as in `array_name`.
    """
    if cell.name.startswith(PARAM):
        places = [_place_of_parameter(walk, cell)]
    else:
        places = [_place(walk, cell, axis) for axis in range(len(cell.index))]
    return " · ".join([array_name(cell.name, beside), *places])


def scope_names(scope: Sequence[str]) -> list[str]:
    """Return what a part of the model is called: ["encoder", "0"] is the "encoder layer 1"."""
    if not scope:
        return []
    stack, *rest = scope
    if stack in ("src", "tgt"):
        return [_("source") if stack == "src" else _("target")]
    if stack == "generator":
        return [_("final linear")]
    if stack == "simple":
        return [_("attention without parameters")]
    side = _(PARTS[stack])
    if not rest or rest == ["norm"]:
        return [side]
    layer = _("{side} layer {n}").format(side=side, n=int(rest[0]) + 1)
    return [layer, *(_(PARTS[part]) for part in rest[1:] if part in PARTS)]


def _place(walk: Walk, cell: Cell, axis: int) -> str:
    """Name one axis' place: a head, a word, a piece of the vocabulary, or a component."""
    at, last = cell.index[axis], _last(cell.name)
    tokens = tokens_of(walk, cell.name, axis)
    if tokens is not None:
        looked_at = axis == 2 or (axis == 1 and last in SQUARE)
        return f"{'→ ' if looked_at else ''}{quoted(labels_of(walk, cell.name, axis)[at])}"
    if last in PER_HEAD and axis == 0:
        return _("head {n}").format(n=at + 1)
    if last in VOCABULARY:
        return quoted(walk.token(at).text)
    return _("number {n}").format(n=at + 1)


def _place_of_parameter(walk: Walk, cell: Cell) -> str:
    if _last(cell.name) in ("src_embed", "tgt_embed"):
        number = _("number {n}").format(n=cell.index[1] + 1)
        return f"{quoted(walk.token(cell.index[0]).text)} · {number}"
    if cell.name.startswith(f"{PARAM}generator."):
        *place, token = cell.index
        numbers = (_("number {n}").format(n=i + 1) for i in place)
        return " · ".join([quoted(walk.token(token).text), *numbers])
    names = (_("row {n}"), _("column {n}")) if len(cell.index) == 2 else (_("number {n}"),)
    places = zip(names, cell.index, strict=True)
    return " · ".join(name.format(n=i + 1) for name, i in places)


def _last(name: str) -> str:
    return name.removeprefix(PARAM).rpartition(".")[2]


def token_markdown(token: Token) -> str:
    """Write a token for Markdown."""
    return escape(visible(token.text))


def quoted_token(token: Token) -> str:
    """Write a token in quotation marks, for Markdown."""
    return quoted(escape(token.text))


def text_at(tokens: Sequence[Token], at: int) -> str:
    """Return a token's text, with its place where another token has the same."""
    text = tokens[at].text
    twice = sum(token.text == text for token in tokens) > 1
    return f"{text} ({at + 1})" if twice else text


def texts_of(tokens: Sequence[Token]) -> list[str]:
    """Return the texts of tokens, those that come twice with their places."""
    return [text_at(tokens, at) for at in range(len(tokens))]


def follows(walk: Walk) -> tuple[Token, ...]:
    """Return the word that comes after each one of the decoder's; after the last, the end token."""
    return (*walk.capture.tgt[1:], walk.token(walk.config.eos_id))
