"""The feed-forward network, and the stream of residuals through all layers."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import columns
from app.charts.heatmap import attention_heatmap
from app.data.walk import cosine
from app.format import escape, number, percent, quoted
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, arrays, grid
from app.inspector.naming import layer_names
from app.page.kit import Code, QuizTask, Screens, beside, guess, pick, say, show_chart
from app.state import Param, whole
from app.ui.table import numbered
from app.views.walk.add_norm import norm
from app.views.walk.add_norm.charts import stream_lines

FFN_TITLE: Final = N_("Feed-forward: two linear maps and a ReLU")
OTHER_TITLE: Final = N_("Feed-forward: two linear maps and an activation")
FIRES_OPTIONS: Final = (
    N_("less than 10 %"), N_("10 % to 30 %"), N_("30 % to 60 %"), N_("more than 60 %")
)  # fmt: skip
UNIT: Final = Param[int]("unit", -1, whole(-1, 1_000_000))
SHOWN: Final = 8  # units offered, the strongest
FOLD, WIDE = 32, 64  # numbers a line of a small picture
ACTIVATION_NAMES: Final = {"relu": "ReLU", "gelu": "GELU", "swish": "Swish"}
SHARES: Final = (0.1, 0.3, 0.6)  # the bounds of the guess
MOST = 9  # strips that fit into a window


@dataclass(frozen=True, eq=False)
class Stream:
    """One word's stream: N steps by array and by what they are called, (N,) or (N - 1,)."""

    names: tuple[str, ...]
    steps: tuple[str, ...]
    lengths: np.ndarray
    added: np.ndarray
    cosines: np.ndarray


def pick_unit(sub: norm.Sub) -> None:
    """Draw the choice of a hidden unit among the strongest ones."""
    mine, unit = _hidden(sub)[sub.word], _unit(sub)
    strongest = np.argsort(-mine, kind="stable")[:SHOWN].tolist()
    offered = strongest if unit in strongest else [*strongest, unit]
    names = {i: f"{i + 1}: {number(mine[i])}" for i in offered}
    pick(UNIT, _("Hidden unit"), names, value=unit, wrap=True)


screens = Screens[norm.Sub]()


@screens(
    "ffn",
    lambda sub: _(FFN_TITLE if _relu(sub) else OTHER_TITLE),
    Code(
        N_("Feed-forward"),
        r"\text{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2",
        "model.nn.layers:FeedForward.forward",
    ),
    pick=norm.pick_in_layer,
    name=FFN_TITLE,
)
def draw_maps(sub: norm.Sub) -> None:
    """Draw the way of the chosen token through W₁, the activation and W₂."""
    config = sub.walk.config
    text = (
        _(
            "W₁ turns the {d} numbers of “{word}” into {d_ff}, one for each **hidden unit**. The "
            "ReLU keeps what is above 0 and makes the rest 0. W₂ turns them back into {d} "
            "numbers. Every token goes through the same W₁ and W₂, each on its own."
        )
        if _relu(sub)
        else _(
            "W₁ turns the {d} numbers of “{word}” into {d_ff}, one for each **hidden unit**. This "
            "model's activation is {activation}, a smooth relative of the ReLU: it keeps what is "
            "well above 0, and leaves little of the rest. W₂ turns them back into {d} numbers. "
            "Every token goes through the same W₁ and W₂, each on its own."
        )
    )
    values = {"d": config.d_model, "d_ff": config.d_ff, "word": escape(sub.text)}
    say(text, activation=_activation(sub), **values)
    ffn = f"{sub.scope}.ffn"
    drawn: list[Grid | Op] = [
        _x(sub),
        Op("× W_1 + b_1"),
        sub.strip(f"{ffn}.pre", "x W₁ + b₁", fold=WIDE),
        Op(_activation(sub)),
        sub.strip(f"{ffn}.hidden", _activated(sub, "x W₁ + b₁"), role="value", fold=WIDE),
        Op("× W_2 + b_2"),
        sub.strip(f"{ffn}.out", "FFN(x)", role="output", fold=FOLD),
    ]
    arrays(sub.walk, drawn, key="ffn")


@screens.drawer("fires", N_("Which units fire"))
def draw_shares(sub: norm.Sub) -> None:
    """Draw the share of units that fire, for each token in all layers."""
    why = _(
        "Without the activation, the two linear maps would be no more than one. Little is left of "
        "a unit that is not above 0; the others **fire**."
    )
    seen = _(
        "{fires} of {d_ff} units fire for “{word}” ({share}), {silent} lie between −0.28 and 0. "
        "Most fire for “{most}”, fewest for “{least}”."
    )
    if _relu(sub):
        why = _(
            "Without the ReLU, the two linear maps would be no more than one. A unit that is not "
            "above 0 becomes 0; the others **fire**."
        )
        seen = _(
            "{fires} of {d_ff} units fire for “{word}” ({share}), {silent} are 0. Most fire for "
            "“{most}”, fewest for “{least}”."
        )
    say(why)
    guess(guess_share(sub))
    hidden = [sub.walk.array(f"{sub.stack}.{i}.ffn.hidden") for i in range(sub.n_layers)]
    shares = (np.stack(hidden) > 0).mean(-1)  # (L, T)
    here = shares[sub.layer]
    most, least = (escape(sub.words[int(i)]) for i in (here.argmax(), here.argmin()))
    counts = _firing(sub) | {"word": escape(sub.text), "most": most, "least": least}
    st.markdown(seen.format(**counts))
    layers = layer_names(sub.n_layers)
    title = _("Share of hidden units that fire")
    figure = attention_heatmap(
        shares,
        layers,
        sub.words,
        query_title=_("layer"),
        key_title=_("token"),
        title=title,
        hover="{query} · {key}: {weight}",
        pinned=(sub.layer, sub.word),
    )
    by_layer = dict(zip(layers, shares.tolist(), strict=True))
    show_chart(figure, "firing", title, lambda: {_("token"): numbered(sub.words), **by_layer})


def guess_share(sub: norm.Sub) -> QuizTask:
    """Ask how many units fire."""
    share = (_hidden(sub)[sub.word] > 0).mean()
    options, right = map(_, FIRES_OPTIONS), int(np.searchsorted(SHARES, share, side="right"))
    asks = N_("How many of the {d_ff} units fire for “{word}”?")
    says = N_("Yes: {fires}, which is {share}."), N_("It is {fires}, which is {share}.")
    return QuizTask.of(asks, list(options), [right], *says, word=sub.text, **_firing(sub))


def _firing(sub: norm.Sub) -> dict[str, object]:
    """Count the hidden units that fire for the chosen token, and those that do not."""
    fires, d_ff = int((_hidden(sub)[sub.word] > 0).sum()), sub.walk.config.d_ff
    return {"fires": fires, "d_ff": d_ff, "silent": d_ff - fires, "share": percent(fires / d_ff)}


def _activation(sub: norm.Sub) -> str:
    """Return the name of the model's activation."""
    return ACTIVATION_NAMES[sub.walk.config.activation]


def _activated(sub: norm.Sub, x: str) -> str:
    """Write what the activation makes of x."""
    return f"max(0, {x})" if _relu(sub) else f"{_activation(sub)}({x})"


def _relu(sub: norm.Sub) -> bool:
    return sub.walk.config.activation == "relu"


def _x(sub: norm.Sub) -> Grid:
    """Return what the feed-forward network of this layer reads."""
    name = sub.walk.inputs(f"{sub.scope}.ffn.pre")[0]
    return sub.strip(name, f"x · {quoted(sub.text)}", fold=FOLD)


@screens("unit", N_("One hidden unit"), pick=beside([0.6, 0.4], pick_unit, norm.pick_token))
def draw_unit(sub: norm.Sub) -> None:
    """Draw what the chosen unit reads, and what it adds."""
    unit, mine = _unit(sub), _hidden(sub)[sub.word]
    pre = float(sub.walk.array(f"{sub.scope}.ffn.pre", (sub.word, unit)))
    values = {"unit": unit + 1, "d": sub.walk.config.d_model, "word": escape(sub.text)}
    asks = _(
        "Unit {unit} multiplies the {d} numbers of “{word}” with its own column of W₁, adds its "
        "bias, and gets {pre}."
    )
    answers = _(
        "That is not above 0: the activation leaves {hidden} of it, and that much of its row of W₂ "
        "is used."
    )
    if _relu(sub):
        answers = _("That is not above 0: the unit stays silent, and its row of W₂ is not used.")
    if mine[unit] > 0:
        answers = _(
            "That is above 0: the unit fires, and {hidden} times its row of W₂ goes into the "
            "token's vector."
        )
    say(f"{asks} {answers}", pre=number(pre, 3), hidden=number(mine[unit], 3), **values)
    walk, ffn, one = sub.walk, f"{sub.scope}.ffn", (unit,)
    drawn: list[Grid | Op] = [
        _x(sub),
        Op("·"),
        grid(walk, f"param:{ffn}.W_1", (None, unit), f"W₁ · {unit + 1}", fold=FOLD),
        Op("+"),
        grid(walk, f"param:{ffn}.b_1", (None,), "b₁", cols=one),
        Op("="),
        sub.strip(f"{ffn}.pre", "x W₁ + b₁", cols=one),
        Op(_activation(sub)),
        sub.strip(f"{ffn}.hidden", _activated(sub, "…"), cols=one, role="value"),
        Op("×"),
        grid(walk, f"param:{ffn}.W_2", (unit, None), f"W₂ · {unit + 1}", fold=FOLD),
    ]
    arrays(walk, drawn, key="unit")


@screens.drawer("words", N_("The same unit and the other tokens"))
def draw_words(sub: norm.Sub) -> None:
    """Draw the chosen unit's value for each token, (T,)."""
    text = _("Does unit {unit} fire for other tokens? This is its value for each of them.")
    asks = text.format(unit=_unit(sub) + 1)
    say(asks)
    values, token, value = _hidden(sub)[:, _unit(sub)], _("token"), _("value after the activation")
    figure = columns(values, sub.words, y_title=value, x_title=token, role="value", marked=sub.word)
    twin = {token: numbered(sub.words), value: values.tolist()}
    show_chart(figure, "unit-words", asks, lambda: twin)


def _hidden(sub: norm.Sub) -> np.ndarray:
    """Return the hidden units after the activation, (T, d_ff)."""
    return np.asarray(sub.walk.array(f"{sub.scope}.ffn.hidden"), dtype=float)


def _unit(sub: norm.Sub) -> int:
    """Return the chosen unit, or the strongest one where there is none such."""
    mine = _hidden(sub)[sub.word]
    return UNIT.get() if 0 <= UNIT.get() < mine.size else int(mine.argmax())


@screens("stream", N_("The residual stream"), pick=norm.pick_in_stack, was=("strips",))
def draw_stream(sub: norm.Sub) -> None:
    """Draw how long the chosen word's vector is, what is added, and how far it turns."""
    of, is_long = stream(sub), len(sub.walk.stream(sub.stack)) > MOST
    word = escape(sub.text)
    text = _(
        "Put the layers on top of each other, and one long path appears: the **residual stream**. "
        "“{word}” goes in with a norm of {first} and comes out with {last}. Most is added by "
        "{longest}; what turns the vector most is {turned}, with a cosine of {cosine} to the step "
        "before."
    )
    say(
        text,
        word=word,
        first=number(of.lengths[0], 1),
        last=number(of.lengths[-1], 1),
        longest=of.steps[int(of.added.argmax()) + 1],
        turned=of.steps[int(of.cosines.argmin()) + 1],
        cosine=number(of.cosines.min()),
    )
    left, right = st.columns(2, gap="medium")
    with left:
        lengths, added = _("length of the stream"), _("length of what was added")
        names = (lengths, added, _("cosine to the step before"))
        figure = stream_lines(of.lengths, of.added, of.cosines, of.steps, names=names)
        values = of.lengths.tolist(), [0.0, *of.added.tolist()], [1.0, *of.cosines.tolist()]
        columns = {_("step"): of.steps, **dict(zip(names, values, strict=True))}
        alt = _("The residual stream of one token, layer by layer")
        show_chart(figure, "stream", alt, lambda: columns)
    with right:
        text = _(
            "The vector of “{word}” after each step, each strip in its own colour scale. What "
            "looks alike from strip to strip was carried along; what changes was added."
        )
        steps = [*zip(of.names, of.steps, strict=True)]
        if is_long:
            text = _(
                "The vector of “{word}” after each layer, each strip in its own colour scale. "
                "What looks alike from strip to strip was carried along; what changes was "
                "added."
            )
            ends = enumerate(of.names[len(sub.parts) :: len(sub.parts)], start=1)
            steps = [steps[0], *((name, _("Layer {n}").format(n=layer)) for layer, name in ends)]
        say(text, word=word)
        arrays(sub.walk, [sub.strip(*step, fold=FOLD) for step in steps], "stream-strips")


def stream(sub: norm.Sub) -> Stream:
    """Return the stream of the word, with what each sub-layer added and how far it turned it."""
    walk, word = sub.walk, (sub.word,)
    _first, *later = names = walk.stream(sub.stack)
    added = [walk.inputs(f"{name.rpartition('.')[0]}.add")[1] for name in later]
    return Stream(
        names=names,
        steps=(_("x + p"), *(_step(sub, name) for name in later)),
        lengths=np.array([walk.length(name, word) for name in names]),
        added=np.array([walk.length(name, word) for name in added]),
        cosines=np.array([cosine(*pair) for pair in pairwise(walk.array(n, word) for n in names)]),
    )


def _step(sub: norm.Sub, name: str) -> str:
    """Name a step by its layer and sub-layer."""
    _stack, layer, add_norm, _last = name.split(".")
    part = sub.parts[int(add_norm[-1]) - 1]
    return _("Layer {n} · {part}").format(n=int(layer) + 1, part=_(norm.PARTS[part]))
