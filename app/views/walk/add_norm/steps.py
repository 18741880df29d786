"""Adding and normalising, with the numbers of one word."""

import numpy as np
import streamlit as st

from app.components.board import Op
from app.format import escape, number, quoted, tex
from app.i18n import _
from app.inspector.arrays import arrays, grid
from app.inspector.naming import array_name
from app.page.declare import Myth
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.views.walk.add_norm import texts
from app.views.walk.add_norm.normalise_chart import normalising
from app.views.walk.add_norm.sublayer import Sub

FOLD = 32  # numbers a line of a small picture
ANGLES = (10, 30, 60)  # degrees: the bounds of the guess


def add_text(sub: Sub) -> str:
    """Say how long x, the sub-layer's output and their sum are."""
    x, out, added = (
        length(sub.walk.array(name, (sub.word,))) for name in (sub.x, sub.out, sub.add)
    )
    part = _(texts.PARTS[sub.part]).lower()
    return _(texts.ADD).format(word=escape(sub.text), part=part, x=x, out=out, sum=added)


def guess_angle(sub: Sub) -> Task:
    """Ask how far the sub-layer turns the token."""
    degrees = angle(sub)
    right = int(np.searchsorted(ANGLES, degrees, side="right"))
    options = [_(option) for option in texts.ADD_OPTIONS]
    values = {"word": sub.text, "angle": f"{degrees:.0f}"}
    return Task.of(texts.ADD_GUESS, options, [right], texts.ADD_RIGHT, texts.ADD_WRONG, **values)


def angle(sub: Sub) -> float:
    """Return the angle between x and the sum, in degrees."""
    cos = cosine(*(sub.walk.array(name, (sub.word,)) for name in (sub.x, sub.add)))
    return float(np.degrees(np.arccos(np.clip(cos, -1, 1))))


def draw_add(sub: Sub) -> None:
    """Draw x + sub-layer(x) for the chosen word."""
    names, out = (sub.x, sub.out, sub.add), _(texts.OUT[sub.order])
    reach = max(float(np.abs(sub.walk.array(name, (sub.word,))).max()) for name in names)
    arrays(
        sub.walk,
        [
            sub.strip(sub.x, f"x · {quoted(sub.text)}", reach=reach, note=array_name(sub.x)),
            Op("+"),
            sub.strip(sub.out, out, role="output", reach=reach, note=array_name(sub.out)),
            Op("="),
            sub.strip(sub.add, _(texts.SUMMED[sub.order]), reach=reach),
        ],
        key="add",
    )
    cos = number(np.cos(np.radians(angle(sub))), 3)
    seen = _(texts.ADD_SEEN)
    st.markdown(seen.format(word=escape(sub.text), cosine=cos, angle=f"{angle(sub):.0f}"))


def norm_text(sub: Sub) -> str:
    """Say what mean and deviation are, and between which numbers γ lies."""
    x, mu, sigma, gamma, _beta = _numbers(sub)
    last = f"{_(texts.LAST_NORM)} " if sub.is_last_norm else ""
    return last + _(texts.NORM).format(
        d=x.size,
        word=escape(sub.text),
        mean=number(mu, 4),
        deviation=number(sigma, 4),
        low=number(gamma.min()),
        high=number(gamma.max()),
    )


def draw_norm(sub: Sub) -> None:
    """Draw the way of the chosen word through mean, deviation, γ and β."""
    walk, (mean, deviation, gamma, beta) = sub.walk, _names(sub)
    one, name = (sub.word,), "x" if sub.order == "pre" else _(texts.SUMMED["post"])
    arrays(
        walk,
        [
            sub.strip(sub.normed, f"{name} · {quoted(sub.text)}", fold=FOLD),
            Op("−"),
            grid(walk, mean, (None,), "μ", cols=one),
            Op("÷"),
            grid(walk, deviation, (None,), "σ", cols=one),
            Op("×"),
            grid(walk, gamma, (None,), "γ", fold=FOLD),
            Op("+"),
            grid(walk, beta, (None,), "β", fold=FOLD),
            Op("="),
            sub.strip(sub.norm, f"norm({name})", fold=FOLD),
        ],
        key="norm",
    )


def draw_each(sub: Sub) -> None:
    """Draw the mean and the deviation of every token."""
    mean, deviation, _gamma, _beta = _names(sub)
    every = [grid(sub.walk, name, (None,), sign) for name, sign in ((mean, "μ"), (deviation, "σ"))]
    arrays(sub.walk, every, key="norm-each")


def myth(sub: Sub) -> Myth:
    """Refute that normalised numbers lie between −1 and 1."""
    x, mu, sigma, _gamma, _beta = _numbers(sub)
    divided = np.abs((x - mu) / sigma)
    norm = np.abs(np.asarray(sub.walk.array(sub.norm, (sub.word,)), dtype=float))
    truth = _(texts.TRUTH).format(
        d=x.size,
        word=escape(sub.text),
        n=int((divided > 1).sum()),
        largest=number(float(divided.max())),
        last=number(float(norm.max())),
    )
    return Myth(_(texts.MYTH), truth)


def largest_place(sub: Sub) -> int:
    """Return the place of the number that stands out most in what is normalised."""
    return int(np.abs(sub.walk.array(sub.normed, (sub.word,))).argmax())


def length(vector: np.ndarray) -> str:
    """Return the length of a vector, as text."""
    return number(float(np.linalg.norm(vector)))


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Return the cosine between two vectors; 0 where one of them is 0."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    both = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / both if both else 0.0


def _names(sub: Sub) -> tuple[str, str, str, str]:
    """Return the arrays of mean, deviation, γ and β."""
    scope, norm = sub.norm.removesuffix(".norm"), sub.norm
    return f"{scope}.mean", f"{scope}.deviation", f"param:{norm}.gamma", f"param:{norm}.beta"


def _numbers(sub: Sub) -> tuple[np.ndarray, float, float, np.ndarray, np.ndarray]:
    """Return x (D,), its mean and deviation, γ (D,) and β (D,)."""
    mean, deviation, gamma, beta = (np.asarray(sub.walk.array(n), float) for n in _names(sub))
    x = np.asarray(sub.walk.array(sub.normed, (sub.word,)), dtype=float)
    return x, float(mean[sub.word]), float(deviation[sub.word]), gamma, beta


def one_text(sub: Sub) -> str:
    """Say which number is followed."""
    d, word = sub.walk.config.d_model, escape(sub.text)
    return _(texts.NORM_ONE).format(d=d, word=word, place=largest_place(sub) + 1)


def draw_one(sub: Sub) -> None:
    """Write out how the number that stands out most is normalised."""
    i, (x, mu, sigma, gamma, beta) = largest_place(sub), _numbers(sub)
    normalised = (x[i] - mu) / sigma * gamma[i] + beta[i]
    fraction = rf"\frac{{{number(x[i], 3)} - ({number(mu, 3)})}}{{{number(sigma, 3)}}}"
    scaled = rf"{number(gamma[i], 3)} \cdot {fraction}"
    formula = (
        r"\begin{aligned}&\gamma_i \, \frac{x_i - \mu}{\sigma} + \beta_i \\"
        rf"&= {scaled} + ({number(beta[i], 3)}) \\"
        rf"&= {number(normalised, 3)}\end{{aligned}}"
    )
    st.latex(tex(formula))


def rows_text(sub: Sub) -> str:
    """Say how to read the ticks."""
    return _(texts.NORM_ROWS).format(d=sub.walk.config.d_model, word=escape(sub.text))


def draw_rows(sub: Sub) -> None:
    """Draw the numbers after each step of normalising."""
    x, mu, sigma, _gamma, _beta = _numbers(sub)
    norm = np.asarray(sub.walk.array(sub.norm, (sub.word,)), dtype=float)
    steps = {"x": x, "x − μ": x - mu, "÷ σ": (x - mu) / sigma, "× γ + β": norm}
    hover, title = _("mean and deviation"), _("value")
    figure = normalising(steps, hover=hover, x_title=title)
    alt = _("The numbers of the vector after each step of normalising")
    columns = {_("place"): [str(i) for i in range(1, x.size + 1)]}
    columns |= {name: values.tolist() for name, values in steps.items()}
    show_chart(figure, "normalising", alt, lambda: columns)
