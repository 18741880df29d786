"""Add, and normalise: around every sub-layer."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import streamlit as st

from app.data.walk import STACK_OF, Walk, angle, cosine
from app.format import escape, number, quoted, tex
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, arrays, grid
from app.inspector.head import InStack
from app.inspector.naming import array_name
from app.inspector.picks import SIDE, STACK_NAMES, pick_layer, pick_word
from app.page.kit import Code, Myth, QuizTask, Screens, beside, guess, pick, say, show_chart
from app.state import Param, whole
from app.views.walk.add_norm.charts import norm_order, normalising

STEPS: Final = {
    "post": N_("This model does it as the paper does: first add, then normalise (post-norm)."),
    "pre": N_(
        "This model normalises first and adds last (pre-norm), as most do today; the paper adds "
        "first and normalises the sum (post-norm)."
    ),
}
ORDER_NAMES: Final = {
    "post": N_("Post-norm: norm(x + sub-layer(x))"),
    "pre": N_("Pre-norm: x + sub-layer(norm(x))"),
}
PARTS: Final = {
    "self_attn": N_("Self-attention"),
    "cross_attn": N_("Encoder-decoder attention"),
    "ffn": N_("Feed-forward"),
    "last": N_("Last norm"),
}
OUT: Final = {"post": N_("sub-layer(x)"), "pre": N_("sub-layer(norm(x))")}
SUMMED: Final = {"post": N_("x + sub-layer(x)"), "pre": N_("x + sub-layer(norm(x))")}
ADD_OPTIONS: Final = (
    N_("less than 10°"), N_("10° to 30°"), N_("30° to 60°"), N_("more than 60°")
)  # fmt: skip
FOLD = 32  # numbers a line of a small picture
ANGLES = (10, 30, 60)  # degrees: the bounds of the guess
SUB: Final = Param[int]("norm", 1, whole(1, 4))
FIRST: Final = {"encoder": 0, "decoder": 1}  # the first real word: <bos> begins what is decoded


@dataclass(frozen=True, eq=False)
class Sub(InStack):
    """One sub-layer of one layer, and one word in it; the sub-layer counts from 0.

    After the last sub-layer's place comes that of the norm which ends a pre-norm stack.
    """

    place: int = 0

    @property
    def order(self) -> str:
        """Whether the model normalises after adding, "post", or before, "pre"."""
        return self.walk.config.norm

    @property
    def choices(self) -> tuple[str, ...]:
        """The sub-layers, and the last norm where there is one."""
        return (*self.parts, "last") if self.order == "pre" else self.parts

    @property
    def is_last_norm(self) -> bool:
        return self.place == len(self.parts)

    @property
    def part(self) -> str:
        return self.parts[self.place]

    @property
    def add(self) -> str:
        return f"{self.scope}.add_norm_{self.place + 1}.add"

    @property
    def norm(self) -> str:
        if self.is_last_norm:
            return f"{self.stack}.norm"
        return f"{self.scope}.add_norm_{self.place + 1}.norm"

    @property
    def x(self) -> str:
        """What the sub-layer's output is added to."""
        return self.walk.inputs(self.add)[0]

    @property
    def out(self) -> str:
        return self.walk.inputs(self.add)[1]

    @property
    def normed(self) -> str:
        """What is normalised: with post-norm the sum, with pre-norm x."""
        return self.walk.inputs(self.norm)[0]

    def length(self, name: str) -> str:
        """Write the length of the word's vector in an array."""
        return number(self.walk.length(name, (self.word,)))

    @property
    def angle(self) -> float:
        """How far the word is turned by what is added, in degrees."""
        return angle(*(self.walk.array(name, (self.word,)) for name in (self.x, self.add)))


def myth(sub: Sub) -> Myth:
    """Refute that normalised numbers lie between −1 and 1."""
    x, mu, sigma, _gamma, _beta = _numbers(sub)
    divided = np.abs((x - mu) / sigma)
    norm = np.abs(np.asarray(sub.walk.array(sub.norm, (sub.word,)), dtype=float))
    truth = _(
        "All it does is make the mean 0 and the standard deviation 1. Of the {d} numbers of "
        "“{word}”, {n} lie outside −1 … 1 after the division by σ: the largest is {largest}. "
        "After γ and β, the largest is {last}."
    ).format(
        d=x.size,
        word=escape(sub.text),
        n=int((divided > 1).sum()),
        largest=number(float(divided.max())),
        last=number(float(norm.max())),
    )
    return Myth(_("“Normalising squeezes every number into −1 … 1.”"), truth)


def sub_of(walk: Walk) -> Sub:
    """Return the sub-layer and the word that are chosen; what there is not is the first."""
    stack = STACK_OF[SIDE.get()]
    sub = Sub.chosen(walk, stack, FIRST[stack])
    return replace(sub, place=min(SUB.get(), len(sub.choices)) - 1)


def pick_token(sub: Sub) -> None:
    """Draw the choice of a token."""
    pick_word(sub.tokens, _("Token"), FIRST[sub.stack])


def _pick(shares: list[float], *others: Callable[[Sub], None]) -> Callable[[Sub], None]:
    """Return what draws the stacks with other choices, and in a second column the tokens."""

    def draw_row(sub: Sub) -> None:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            pick(SIDE, _("Stack"), STACK_NAMES)
            for other in others:
                other(sub)

    return beside(shares, draw_row, pick_token)


def _pick_layer(sub: Sub) -> None:
    pick_layer(sub.n_layers)


def _pick_part(sub: Sub) -> None:
    names = {place: PARTS[part] for place, part in enumerate(sub.choices, start=1)}
    about = _("Around each of them the layer adds and normalises once.")
    pick(SUB, _("Sub-layer"), names, value=sub.place + 1, wrap=True, help=about)


pick_in_stack = _pick([0.25, 0.75])
pick_in_layer = _pick([0.45, 0.55], _pick_layer)
pick_sub = _pick([0.6, 0.4], _pick_layer, _pick_part)
screens = Screens[Sub]()


@screens(
    "around",
    N_("Around every sub-layer"),
    Code(
        N_("Add and normalise, in either order"),
        r"\text{post: } \text{norm}(x + \text{sub}(x)) \qquad"
        r" \text{pre: } x + \text{sub}(\text{norm}(x))",
        "model.nn.layers:AddNorm.forward",
    ),
    pick=pick_in_layer,
    was=("order",),
)
def draw_order(sub: Sub) -> None:
    """Draw one layer with post- and with pre-norm; the model's own has its numbers."""
    around = _(
        "The grey line is the **skip connection**, the numbers are the lengths of the vector of "
        "“{word}”."
    ).format(word=escape(sub.text))
    order_text = _(
        "With post-norm, the grey line runs through every normalisation, and so does the gradient "
        "on its way back: training needs a slow start (warm-up). With pre-norm, nothing lies on "
        "it but additions: training is steadier, the stream may grow, and one last normalisation "
        "follows."
    )
    say(f"{_(STEPS[sub.order])} {around} {order_text}")
    parts = [_(PARTS[part]) for part in sub.parts]
    for column, order in zip(st.columns(2), ("post", "pre"), strict=True):
        title = _(ORDER_NAMES[order])
        if order == sub.order:
            title = _("{order} · this model").format(order=title)
        lengths = _lengths(sub) if order == sub.order else ()
        figure = norm_order(parts, post=order == "post", lengths=lengths)
        with column:
            st.markdown(f"**{title}**")
            show_chart(figure, f"{order}-norm", _(ORDER_NAMES[order]))


def _lengths(sub: Sub) -> list[str]:
    """Return the length of the chosen word's vector after each step of its layer, in order."""
    inputs = sub.walk.inputs
    names = [inputs(f"{sub.scope}.add_norm_1.add")[0]]
    for i in range(len(sub.parts)):
        add, norm = (f"{sub.scope}.add_norm_{i + 1}.{step}" for step in ("add", "norm"))
        out = inputs(add)[1]
        names += [out, add, norm] if sub.order == "post" else [norm, out, add]
    return [sub.length(name) for name in names]


def draw_add(sub: Sub) -> None:
    """Draw x + sub-layer(x) for the chosen word."""
    text = _(
        "x is what “{word}” has brought along; the sub-layer, here {part}, computes a vector "
        "of its own. The two are added number by number. The norm of x is {x}, that of what is "
        "added is {out}, and that of the sum is {sum}."
    )
    norms = {"x": sub.length(sub.x), "out": sub.length(sub.out), "sum": sub.length(sub.add)}
    say(text, word=escape(sub.text), part=_(PARTS[sub.part]).lower(), **norms)
    guess(guess_angle(sub))
    x, out, both = (sub.walk.array(name, (sub.word,)) for name in (sub.x, sub.out, sub.add))
    reach = float(np.abs([x, out, both]).max())
    own, added = f"x · {quoted(sub.text)}", _(OUT[sub.order])
    drawn: list[Grid | Op] = [
        sub.strip(sub.x, own, reach=reach, note=array_name(sub.x)),
        Op("+"),
        sub.strip(sub.out, added, role="output", reach=reach, note=array_name(sub.out)),
        Op("="),
        sub.strip(sub.add, _(SUMMED[sub.order]), reach=reach),
    ]
    arrays(sub.walk, drawn, key="add")
    seen = _(
        "The cosine between x and the sum is {cosine}: “{word}” is turned by {angle}°. Whatever "
        "the sub-layer does not touch stays as it was."
    )
    turned = {"cosine": number(cosine(x, both), 3), "angle": f"{sub.angle:.0f}"}
    st.markdown(seen.format(word=escape(sub.text), **turned))


def guess_angle(sub: Sub) -> QuizTask:
    """Ask how far the sub-layer turns the token."""
    options, right = map(_, ADD_OPTIONS), int(np.searchsorted(ANGLES, sub.angle, side="right"))
    asks = N_("By how much is the vector of “{word}” turned?")
    says = N_("Yes: by {angle}°."), N_("By {angle}°.")
    values = {"word": sub.text, "angle": f"{sub.angle:.0f}"}
    return QuizTask.of(asks, list(options), [right], *says, **values)


# The screens stand in the order of the model's steps: post-norm adds first, pre-norm last.
screens("add", N_("Add"), when=lambda sub: sub.order == "post", pick=pick_sub)(draw_add)


@screens(
    "norm",
    N_("Normalise"),
    Code(
        N_("Normalise, as this page checks it"),
        r"\text{norm}(x) = \gamma \odot \frac{x - \mu}{\sigma} + \beta, \quad"
        r" \mu = \tfrac{1}{d}\textstyle\sum_i x_i, \quad"
        r" \sigma = \sqrt{\tfrac{1}{d}\textstyle\sum_i (x_i - \mu)^2 + \varepsilon}",
        "model.interpret.calculation.numbers:deviation",
    ),
    pick=pick_sub,
)
def draw_norm(sub: Sub) -> None:
    """Draw the way of the chosen word through mean, deviation, γ and β."""
    x, mu, sigma, gamma, _beta = _numbers(sub)
    last_norm = _(
        "After its last layer, the stack normalises once more, whatever layer you chose: nothing "
        "is added here, and what comes out leaves the stack."
    )
    text = _(
        "**Layer normalisation** of “{word}”: its {d} numbers have the mean μ = {mean} and the "
        "standard deviation σ = {deviation}. Subtract μ, divide by σ; then each place gets its own "
        "factor γ and offset β, which training has set. Here γ lies between {low} and {high}."
    )
    say(
        f"{last_norm} {text}" if sub.is_last_norm else text,
        d=x.size,
        word=escape(sub.text),
        mean=number(mu, 4),
        deviation=number(sigma, 4),
        low=number(gamma.min()),
        high=number(gamma.max()),
    )
    walk, (mean, deviation, factors, offsets) = sub.walk, _names(sub)
    one, name = (sub.word,), "x" if sub.order == "pre" else _(SUMMED["post"])
    drawn: list[Grid | Op] = [
        sub.strip(sub.normed, f"{name} · {quoted(sub.text)}", fold=FOLD),
        Op("−"),
        grid(walk, mean, (None,), "μ", cols=one),
        Op("÷"),
        grid(walk, deviation, (None,), "σ", cols=one),
        Op("×"),
        grid(walk, factors, (None,), "γ", fold=FOLD),
        Op("+"),
        grid(walk, offsets, (None,), "β", fold=FOLD),
        Op("="),
        sub.strip(sub.norm, f"norm({name})", fold=FOLD),
    ]
    arrays(walk, drawn, key="norm")


@screens.drawer("rows", N_("What each step does to the numbers"), was=("one",))
def draw_rows(sub: Sub) -> None:
    """Draw the numbers after each step of normalising."""
    text = _(
        "Each tick is one of the {d} numbers of “{word}”, the diamond their mean, the bar their "
        "standard deviation. After x − μ the mean is 0, after ÷ σ the deviation is 1, whatever "
        "came in."
    )
    d, word = sub.walk.config.d_model, escape(sub.text)
    x, mu, sigma, gamma, beta = _numbers(sub)
    say(text, d=d, word=word)
    left, right = st.columns(2, gap="medium")
    with left:
        norm = np.asarray(sub.walk.array(sub.norm, (sub.word,)), dtype=float)
        steps = {"x": x, "x − μ": x - mu, "÷ σ": (x - mu) / sigma, "× γ + β": norm}
        alt = _("The numbers of the vector after each step of normalising")
        columns = {_("place"): [str(i) for i in range(1, x.size + 1)]}
        columns |= {name: values.tolist() for name, values in steps.items()}
        show_chart(normalising(steps), "normalising", alt, lambda: columns)
    with right:
        i = int(np.abs(x).argmax())
        text = _(
            "Of the {d} numbers of “{word}”, x[{place}] stands out most. Here is its way through "
            "all steps."
        )
        say(text, d=d, word=word, place=i + 1)
        normalised = (x[i] - mu) / sigma * gamma[i] + beta[i]
        fraction = rf"\frac{{{number(x[i], 3)} - ({number(mu, 3)})}}{{{number(sigma, 3)}}}"
        scaled = rf"{number(gamma[i], 3)} \cdot {fraction}"
        formula = (
            r"\begin{aligned}&\gamma_i \, \frac{x_i - \mu}{\sigma} + \beta_i \\"
            rf"&= {scaled} + ({number(beta[i], 3)}) \\"
            rf"&= {number(normalised, 3)}\end{{aligned}}"
        )
        st.latex(tex(formula))


@screens.drawer("each", N_("Every token by itself"))
def draw_each(sub: Sub) -> None:
    """Draw the mean and the deviation of every token."""
    text = _(
        "Each token is normalised with its own μ and σ, whatever stands beside it. Batch "
        "normalisation, which residual networks use, takes them over a whole batch instead."
    )
    say(text)
    mean, deviation, _gamma, _beta = _names(sub)
    every = [grid(sub.walk, name, (None,), sign) for name, sign in ((mean, "μ"), (deviation, "σ"))]
    arrays(sub.walk, every, key="norm-each")


def _names(sub: Sub) -> tuple[str, str, str, str]:
    """Return the arrays of mean, deviation, γ and β."""
    scope, norm = sub.norm.removesuffix(".norm"), sub.norm
    return f"{scope}.mean", f"{scope}.deviation", f"param:{norm}.gamma", f"param:{norm}.beta"


def _numbers(sub: Sub) -> tuple[np.ndarray, float, float, np.ndarray, np.ndarray]:
    """Return x (D,), its mean and deviation, γ (D,) and β (D,)."""
    mean, deviation, gamma, beta = (np.asarray(sub.walk.array(n), float) for n in _names(sub))
    x = np.asarray(sub.walk.array(sub.normed, (sub.word,)), dtype=float)
    return x, float(mean[sub.word]), float(deviation[sub.word]), gamma, beta


# Pre-norm's, after "norm"; the last norm adds nothing.
adds_last = screens(
    "add", N_("Add"), when=lambda sub: sub.order == "pre" and not sub.is_last_norm, pick=pick_sub
)
adds_last(draw_add)
