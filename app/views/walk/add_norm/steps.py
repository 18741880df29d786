"""Adding and normalising, with the numbers of one word."""

import math

import numpy as np
import streamlit as st

from app.charts.toolbar import plot_config
from app.components.board import Op
from app.format import escape
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.naming import array_name
from app.ui.chart import theme_mode
from app.ui.section import section
from app.ui.table import table, table_fold
from app.views.walk.add_norm import texts
from app.views.walk.add_norm.normalise_chart import normalising
from app.views.walk.add_norm.sublayer import Sub


def draw_add(sub: Sub) -> None:
    """Draw x + sub-layer(x) for the chosen word."""
    walk, at, norm = sub.walk, (sub.word, None), sub.walk.config.norm
    x, out, added = (np.asarray(walk.array(name, at)) for name in (sub.x, sub.out, sub.add))
    cos = cosine(x, added)
    section(
        _("Add"),
        _(texts.ADD).format(
            word=escape(sub.text),
            part=_(texts.PARTS[sub.part]).lower(),
            x=length(x),
            out=length(out),
            sum=length(added),
            cosine=f"{cos:.3f}",
            angle=f"{math.degrees(math.acos(min(1.0, max(-1.0, cos)))):.0f}",
        ),
    )
    reach = max(float(np.abs(one).max()) for one in (x, out, added))
    arrays(
        walk,
        [
            grid(walk, sub.x, at, f"x · “{sub.text}”", reach=reach, note=array_name(sub.x)),
            Op("+"),
            grid(
                walk,
                sub.out,
                at,
                _(texts.OUT[norm]),
                role="output",
                reach=reach,
                note=array_name(sub.out),
            ),
            Op("="),
            grid(walk, sub.add, at, _(texts.SUMMED[norm]), reach=reach),
        ],
        key="add",
    )


def draw_norm(sub: Sub) -> None:
    """Draw the way of the chosen word through mean, deviation, γ and β."""
    walk, at = sub.walk, (sub.word, None)
    mean, deviation = (sub.norm.replace(".norm", f".{name}") for name in ("mean", "deviation"))
    gamma, beta = (f"param:{sub.norm}.{name}" for name in ("gamma", "beta"))
    mu, sigma = (float(walk.array(name, (sub.word,))) for name in (mean, deviation))
    g, b = (np.asarray(walk.array(name), dtype=float) for name in (gamma, beta))
    x = np.asarray(walk.array(sub.normed, at), dtype=float)
    section(
        _("Normalise"),
        _(texts.NORM).format(
            d=x.size,
            word=escape(sub.text),
            mean=f"{mu:.4f}",
            deviation=f"{sigma:.4f}",
            low=f"{g.min():.2f}",
            high=f"{g.max():.2f}",
        ),
    )
    one, name = (sub.word,), "x" if walk.config.norm == "pre" else _(texts.SUMMED["post"])
    arrays(
        walk,
        [
            grid(walk, sub.normed, at, f"{name} · “{sub.text}”", note=array_name(sub.normed)),
            Op("−"),
            grid(walk, mean, (None,), "μ", cols=one),
            Op("÷"),
            grid(walk, deviation, (None,), "σ", cols=one),
            Op("×"),
            grid(walk, gamma, (None,), "γ"),
            Op("+"),
            grid(walk, beta, (None,), "β"),
            Op("="),
            grid(walk, sub.norm, at, f"norm({name})"),
        ],
        key="norm",
    )
    _one_number(x, mu, sigma, g, b)
    _rows(x, mu, sigma, np.asarray(walk.array(sub.norm, at), dtype=float))
    st.markdown(_(texts.EACH))
    arrays(
        walk, [grid(walk, mean, (None,), "μ"), grid(walk, deviation, (None,), "σ")], key="norm-each"
    )


def largest(sub: Sub) -> int:
    """Return the place of the number that stands out most in what is normalised."""
    return int(np.abs(sub.walk.array(sub.normed, (sub.word, None))).argmax())


def length(vector: np.ndarray) -> str:
    """Return the length of a vector, as text."""
    return f"{np.linalg.norm(vector):.2f}"


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Return the cosine between two vectors; 0 where one of them is 0."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    both = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / both if both else 0.0


def _one_number(x: np.ndarray, mu: float, sigma: float, g: np.ndarray, b: np.ndarray) -> None:
    i = int(np.abs(x).argmax())
    st.markdown(_(texts.NORM_ONE).format(place=i + 1))
    got = (x[i] - mu) / sigma * g[i] + b[i]
    st.latex(
        r"\begin{aligned}&\gamma_i \, \frac{x_i - \mu}{\sigma} + \beta_i \\"
        rf"&= {g[i]:.3f} \cdot \frac{{{x[i]:.3f} - ({mu:.3f})}}{{{sigma:.3f}}} + ({b[i]:.3f}) \\"
        rf"&= {got:.3f}\end{{aligned}}"
    )


def _rows(x: np.ndarray, mu: float, sigma: float, norm: np.ndarray) -> None:
    steps = {"x": x, "x − μ": x - mu, "÷ σ": (x - mu) / sigma, "× γ + β": norm}
    figure = normalising(
        steps,
        hover=_("mean and deviation"),
        x_title=_("value"),
        mode=theme_mode(),
    )
    st.plotly_chart(
        figure, theme=None, config=plot_config("normalising"), key="normalising",
        alt=_("The numbers of the vector after each step of normalising"),
    )  # fmt: skip
    st.caption(_(texts.NORM_ROWS).format(d=x.size))
    columns: dict[str, list[str | float]] = {_("place"): [str(i) for i in range(x.size)]}
    columns |= {name: values.tolist() for name, values in steps.items()}
    table_fold("normalising", lambda: table(columns, "normalising"))
