"""The whole model, screen by screen."""

import html
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Final

import streamlit as st

from app.charts.bars import Part, block_bars
from app.charts.theme import Role
from app.components.diagram import model_diagram
from app.data.translation import model_info
from app.data.walk import Cell, Stack, Walk
from app.format import escape, grouped, probability, quoted
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, arrays, grid
from app.inspector.head import InStack
from app.inspector.naming import PARTS, scope_names
from app.inspector.picks import pick_layer, pick_word
from app.page.kit import (
    Code,
    QuizTask,
    Screens,
    everything,
    guess,
    pick,
    say,
    show_chart,
    side_by_side,
)
from app.state import Param, one_of, whole
from app.texts.stacks import STACKS
from app.ui.chosen import model_name
from app.ui.kept import show_html
from app.ui.table import Columns, fold

FFN: Final = N_(
    "The **feed-forward** network looks at no other token. It works on “{word}” alone, with "
    "{d_ff} hidden units, and its result is added as well. The sum goes on to the next layer."
)
SUB_LAYERS: Final = {
    ("encoder", "self_attn"): N_(
        "**Self-attention** lets “{word}” take something from the other tokens of the sentence. "
        "What it finds is *added* to the vector x, never put in its place."
    ),
    ("encoder", "ffn"): FFN,
    ("decoder", "self_attn"): N_(
        "**Masked self-attention** lets “{word}” take something from the tokens written before "
        "it. What it finds is *added* to the vector x, never put in its place."
    ),
    ("decoder", "cross_attn"): N_(
        "**Encoder-decoder attention** lets “{word}” take something from the memory, and so from "
        "your sentence. That is added, too."
    ),
    ("decoder", "ffn"): FFN,
}
TIED_NAMES: Final = {
    "tgt_embed": N_("the target's embedding table"),
    "generator.W": N_("the final linear's matrix (transposed)"),
}
BOX: Final = """<div data-testid="black-box" style="display:flex;flex-wrap:wrap;gap:0.6rem 0.9rem;
align-items:center;justify-content:center;text-align:center;overflow-wrap:anywhere;
font-size:1.3rem;padding:3rem 0">
<span style="flex:1 1 12rem;min-width:0">{source}</span>
<span style="display:flex;gap:0.9rem;align-items:center"><span aria-hidden="true">→</span>
<span style="background:#14161c;color:#fff;border:1px solid #8a8f9c;border-radius:0.6rem;
padding:2.4rem 1.6rem"><b>Transformer</b><br>
<span style="font-size:0.95rem">{name}<br>{count}</span>
</span><span aria-hidden="true">→</span></span>
<span style="flex:1 1 12rem;min-width:0">{output}</span></div>"""
# The kinds of parts: name, colour and pattern.
COUNTED: Final[dict[str, tuple[str, Role, str]]] = {
    "embed": (N_("embeddings"), "input", ""),
    "self_attn": (N_("self-attention"), "output", ""),
    "cross_attn": (N_("encoder-decoder attention"), "output", "/"),
    "ffn": (N_("feed-forward"), "residual", ""),
    "norm": (N_("norms"), "residual", "x"),
    "generator": (N_("final linear"), "output", "."),
}
ORDER: Final = ("src_embed", "tgt_embed", "encoder", "decoder", "generator")


@dataclass
class Count:
    """The arrays of one part of one block, by their shapes."""

    block: str
    part: str
    shapes: Counter[tuple[int, ...]] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return sum(times * math.prod(shape) for shape, times in self.shapes.items())

    @property
    def sum(self) -> str:
        """The count as it is added up: "4 × (256 × 256) + 4 × (256)"."""
        sizes = ((times, " × ".join(map(str, shape))) for shape, times in self.shapes.items())
        return " + ".join(f"{times} × ({size})" if times > 1 else size for times, size in sizes)


STACK: Final = Param[Stack]("half", "encoder", one_of(*STACKS))
SUB_LAYER: Final = Param[int]("sublayer", 1, whole(1, 3))


@dataclass(frozen=True, eq=False)
class Followed(InStack):
    """One token on its way through a stack, and the layer of it that is open."""

    @property
    def pre_norm(self) -> bool:
        return self.walk.config.norm == "pre"

    @property
    def place(self) -> int:
        """The sub-layer that is open, counted from 1."""
        return min(SUB_LAYER.get(), len(self.parts))

    @property
    def n_parameters(self) -> int:
        return sum(count.total for count in self.counts)

    @cached_property
    def counts(self) -> list[Count]:
        """The parameters of the whole model, by block and part."""
        return counts(self.walk)


HEIGHT = 130  # of the cells of a half's input or output, in pixels


def pick_token(token: Followed) -> None:
    """Draw the choice of a half and of a token in it."""
    side_by_side([0.3, 0.7], _pick_half, lambda: pick_word(token.tokens, _("Token to follow")))


def pick_all(token: Followed) -> None:
    """Draw the choice of a half, a layer, a sub-layer and a token."""
    places = {n: str(n) for n in range(1, len(token.parts) + 1)}
    side_by_side(
        [0.2, 0.2, 0.15, 0.45],
        _pick_half,
        lambda: pick_layer(token.n_layers),
        lambda: pick(SUB_LAYER, _("Sub-layer"), places, value=token.place),
        lambda: pick_word(token.tokens, _("Token to follow")),
    )


def _pick_half() -> None:
    pick(STACK, _("Which half"), STACKS)


screens = Screens[Followed]()


@screens("box", N_("The black box"), pick=False)
def draw_box(token: Followed) -> None:
    """Draw the model from outside: the sentence, the box, the translation."""
    text = _(
        "Seen from outside, the model is a function: text in, text out. Inside are {count} "
        "**parameters**, numbers that training has set. They are the same for every sentence; "
        "only what you type changes."
    )
    count, translation = grouped(token.n_parameters), token.walk.translation
    say(text, count=count)
    box = {
        "source": translation.text,
        "output": translation.output or "∅",
        "name": model_name(translation.model),
        "count": _("{count} numbers").format(count=count),
    }
    show_html(BOX.format(**{name: html.escape(text) for name, text in box.items()}))


def counts(walk: Walk) -> list[Count]:
    """Count every array of the model once, by block and part, in the order of computing."""
    counted: dict[tuple[str, str], Count] = {}
    for name, array in walk.parameters.arrays.items():
        if name not in walk.parameters.tied:
            block, part = _place(name)
            counted.setdefault((block, part), Count(block, part)).shapes[array.shape] += 1
    return sorted(counted.values(), key=lambda count: _rank(count.block))


def _place(name: str) -> tuple[str, str]:
    """Return block and part: "encoder.0.ffn.W_1" lies in "encoder.0", "ffn"."""
    stack, *rest = name.split(".")
    if stack.endswith("_embed"):
        return stack, "embed"
    if stack == "generator":
        return stack, stack
    if rest[0] == "norm":
        return f"{stack}.norm", "norm"
    return f"{stack}.{rest[0]}", "norm" if "norm" in rest[1] else rest[1]


def _rank(block: str) -> tuple[int, float]:
    stack, _dot, layer = block.partition(".")
    return ORDER.index(stack), float(layer) if layer.isdecimal() else float("inf")


@screens("encoder", N_("The encoder reads, the decoder writes"), pick=False, was=("decoder",))
def draw_encoder(token: Followed) -> None:
    """Draw what goes into the encoder, and the memory that it leaves."""
    walk = token.walk
    text = _(
        "Open the box, and there are two machines inside. The first one, the **encoder**, reads "
        "your whole sentence at once: {n} tokens, each of them a vector of {d} numbers."
    )
    n, d = len(walk.capture.src), walk.config.d_model
    say(text, n=n, d=d)
    options = sorted({1, n, 2 * n, d})
    asks = N_("How many vectors come out of the encoder?")
    yes = N_("Yes: {n} vectors go in, and {n} come out, one for each token.")
    no = N_("Count the rows: {n} go in, and {n} come out, one for each token.")
    guess(QuizTask.of(asks, list(map(str, options)), [options.index(n)], yes, no, n=n))
    left, right = st.columns(2, gap="medium")
    with left:
        text = _(
            "Each row still belongs to its token, but now it also says something about the "
            "others. Together the {n} rows are the **memory**: all that the decoder will know "
            "of your sentence."
        )
        st.markdown(text.format(n=n))
        _draw_half(walk, "encoder", "src.sum", _("source, as it goes in"), "memory", _("memory"))
    with right:
        # The first token that was written, or the end if none was.
        tgt = walk.capture.tgt
        first = Cell("probabilities", (0, tgt[1].id if len(tgt) > 1 else walk.config.eos_id))
        text = _(
            "The **decoder** reads what it has written so far and looks into the memory. It ends "
            "with one vector for each token it has read, and the last of them predicts the next "
            "token: after {last} it gave {chosen} a probability of {p}."
        )
        say(
            text,
            last=escape(quoted(tgt[0].text)),
            chosen=escape(quoted(walk.token(first.index[1]).text)),
            p=probability(walk.numbers.at(first)),
        )
        last = "decoder.norm" if token.pre_norm else walk.stream("decoder")[-1]
        went_in, came_out = _("target so far, as it goes in"), _("the decoder's output")
        _draw_half(walk, "decoder", "tgt.sum", went_in, last, came_out)


def _draw_half(walk: Walk, key: str, x: str, went_in: str, y: str, came_out: str) -> None:
    before = grid(walk, x, (None, None), went_in, height=HEIGHT)
    after = grid(walk, y, (None, None), came_out, height=HEIGHT)
    arrays(walk, [before, Op("→"), after], key=key)


@screens(
    "map",
    N_("The whole model"),
    Code(
        N_("The whole model: from source and target tokens to logits"),
        r"\text{logits} = \text{decode}\bigl(\text{tgt},\ \text{encode}(\text{src})\bigr)\,W + b",
        "model.nn.transformer:Transformer.forward",
    ),
    pick=False,
)
def draw_map(token: Followed) -> None:
    """Draw the whole model, each part of which opens its chapter."""
    text = _(
        "Read it upwards, as the vectors travel: the encoder on the left, the decoder on the "
        "right, the memory between them. Each token that is written goes back in at the bottom. "
        "Every part opens its chapter."
    )
    say(text)
    model_diagram(token.walk, "outline", key="map")
    whole = _("The whole model, with its first layers open")
    draw_whole = partial(model_diagram, token.walk, "layers", key="map-whole")
    fold(whole, "map-whole", "schema", draw_whole)


@screens("stacks", N_("A stack of layers"), pick=pick_token)
def draw_stack(token: Followed) -> None:
    """Draw the token as it goes in, after each layer, and after the last norm."""
    config = token.walk.config
    sizes = {stack: config.n_layers(stack) for stack in config.stacks}
    text = _(
        "Encoder × {encoder}, decoder × {decoder}: the layers of a stack are built alike, but "
        "each has its own parameters. Follow “{word}” up its stack: what one layer returns, the "
        "next one reads."
    )
    say(text, word=escape(token.text), **sizes)
    d = config.d_model
    asks = N_("“{word}” goes in as {d} numbers. How many is it when it leaves the last layer?")
    yes = N_("Yes: {d} after every layer. That is why layers can be stacked.")
    no = N_("It is {d} after every layer. That is why layers can be stacked.")
    options = [str(n) for n in (d // 2, d, 2 * d, 4 * d)]
    guess(QuizTask.of(asks, options, [1], yes, no, word=token.text, d=d))
    start, *after = token.walk.stream(token.stack)[:: len(token.parts)]
    drawn: list[Grid | Op] = [token.strip(start, _("embedding + position"))]
    for i, name in enumerate(after, start=1):
        drawn += [Op("→"), token.strip(name, _("after layer {n}").format(n=i))]
    if token.pre_norm:
        drawn += [Op("→"), token.strip(f"{token.stack}.norm", _("after the last norm"))]
    arrays(token.walk, drawn, key="stack")


@screens(
    "layer",
    N_("Inside one layer"),
    Code(
        N_("One encoder layer"),
        r"x \to x + \text{self-attention}(x) \to x + \text{ffn}(x)\quad\text{(+ norm)}",
        "model.nn.layers:EncoderLayer.forward",
    ),
    Code(
        N_("One decoder layer"),
        r"x \to x + \text{self-attention}(x) \to x + \text{attention}(x, \text{memory})"
        r" \to x + \text{ffn}(x)",
        "model.nn.layers:DecoderLayer.forward",
    ),
    Code(
        N_("Add & norm, in either order"),
        r"\text{post: } \text{norm}(x + f(x)) \qquad \text{pre: } x + f(\text{norm}(x))",
        "model.nn.layers:AddNorm.forward",
    ),
    pick=False,
)
def draw_layers(token: Followed) -> None:
    """Draw one layer of the encoder and one of the decoder with their sub-layers."""
    layer = _(
        "An encoder layer has two **sub-layers**, a decoder layer three. Each adds its result to "
        "the **residual stream**, the grey line."
    )
    order = _(
        "This model normalises after each sub-layer (post-norm, as in the paper): norm(x + f(x))."
    )
    if token.pre_norm:
        order = _("This model normalises before each sub-layer (pre-norm): x + f(norm(x)).")
    say(f"{layer} {order}")
    model_diagram(token.walk, "layers", key="map-layers")


@screens.drawer("sub-layer-1", N_("One sub-layer"), was=("sub-layer-2", "sub-layer-3"))
def draw_sub_layer(token: Followed) -> None:
    """Draw what the chosen sub-layer makes of the token, in the model's order."""
    name = token.parts[token.place - 1]
    title = _("Sub-layer {n}: {part}").format(n=token.place, part=_(PARTS[name]))
    told = _(SUB_LAYERS[token.stack, name])
    say(f"**{title}** · {told}", word=escape(token.text), d_ff=token.walk.config.d_ff)
    if not everything():
        pick_all(token)
    add_norm, read = f"{token.scope}.add_norm_{token.place}", "norm(x)" if token.pre_norm else "x"
    add, norm = f"{add_norm}.add", f"{add_norm}.norm"
    x = token.strip(token.walk.inputs(add)[0], "x")
    added: list[Grid | Op] = [
        Op("f →"),
        token.strip(f"{token.scope}.{name}.out", f"f({read})"),
        Op("+ x ="),
        token.strip(add, f"x + f({read})"),
    ]
    title = read if token.pre_norm else "norm(x + f(x))"
    normed: list[Grid | Op] = [Op("norm →"), token.strip(norm, title)]
    drawn = [*normed, *added] if token.pre_norm else [*added, *normed]
    arrays(token.walk, [x, *drawn], key="sub-layer")


@screens(
    "count",
    N_("Where the parameters are"),
    Code(
        N_("The model's own count of its parameters"),
        r"\sum_{\text{arrays}} \text{rows} \times \text{columns}",
        "model.nn.translator:n_parameters",
    ),
    pick=False,
)
def draw_counts(token: Followed) -> None:
    """Draw what is tied, the bars and the table."""
    walk = token.walk
    sizes = {(count.block, count.part): count.total for count in token.counts}
    text = _(
        "All that training can change, block by block. One attention has four matrices of {d} × "
        "{d} and four biases, {attention} parameters; one feed-forward network goes from {d} to "
        "{d_ff} and back, {ffn} parameters."
    )
    say(
        text,
        _("Together: **{total}**. The model's own count: **{own}**."),
        d=walk.config.d_model,
        d_ff=walk.config.d_ff,
        attention=grouped(sizes["encoder.0", "self_attn"]),
        ffn=grouped(sizes["encoder.0", "ffn"]),
        total=grouped(token.n_parameters),
        own=grouped(model_info(walk.translation.model).parameters),
    )
    _draw_tied(token.walk)
    blocks = list(dict.fromkeys(count.block for count in token.counts))
    parts = []
    for kind, (name, role, pattern) in COUNTED.items():
        if any(part == kind for _block, part in sizes):
            in_blocks = [sizes.get((block, kind), 0) for block in blocks]
            parts.append(Part(_(name), role, pattern, in_blocks))
    figure = block_bars([*map(_block_name, blocks)], parts, value_title=_("parameters"))
    alt = _("Parameters by block; the table below has the same numbers")
    show_chart(figure, "parameters", alt, lambda: columns(token.counts))


def columns(counted: Sequence[Count]) -> Columns:
    """Return the count as columns of a table, its sum in the last row."""
    total = sum(count.total for count in counted)
    shares = [100 * count.total / total for count in counted]
    return {
        _("block"): [*(_block_name(count.block) for count in counted), _("all")],
        _("part"): [*(_(COUNTED[count.part][0]) for count in counted), ""],
        _("shapes"): [*(count.sum for count in counted), ""],
        _("parameters"): [*(count.total for count in counted), total],
        "%": [*shares, 100.0],
    }


def _draw_tied(walk: Walk) -> None:
    tied = walk.parameters.tied
    if not tied:
        return
    text = _(
        "Tied: {names} and the target's embedding table are the same {n} numbers, used in more "
        "than one place. They are counted once, with the embedding."
    )
    if "tgt_embed" in tied:
        text = _(
            "Tied: {names} and the source's embedding table are the same {n} numbers, used in "
            "more than one place. They are counted once, with the embedding."
        )
    names = escape(", ".join(_(TIED_NAMES[name]) for name in tied))
    st.caption(text.format(names=names, n=grouped(walk.parameters["tgt_embed"].size)))


def _block_name(block: str) -> str:
    if block == "src_embed":
        return _("embedding table")
    if block == "tgt_embed":
        return _("embedding table, target")
    name = scope_names(block.split("."))[0]
    return _("{side}, last norm").format(side=name) if block.endswith(".norm") else name


def totals(counted: Sequence[Count]) -> dict[str, int]:
    """Return how many parameters each kind of part has in the whole model."""
    return {part: sum(count.total for count in counted if count.part == part) for part in COUNTED}
