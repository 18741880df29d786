"""Chapter 14: is attention an explanation? The claim, the counter-claim, the model's numbers."""

import numpy as np
import streamlit as st

from app.data.importance import hidden
from app.i18n import _
from app.inspector.picks import pick_layer
from app.inspector.probe import Probe, marked, pick_written, probe_of
from app.page.declare import Code, Drawer, Myth, Section, WalkPage
from app.page.frame import draw_page
from app.views.walk.explanation import agree, claims, search, texts, uniform
from app.views.walk.explanation.data import first_alike


def scopes(probe: Probe) -> tuple[str, ...]:
    """Return what is searched and asked: every encoder-decoder attention, the logits."""
    layers = range(probe.walk.config.n_decoder_layers)
    return *(f"decoder.{layer}.cross_attn" for layer in layers), "logits"


def pick(probe: Probe) -> None:
    """Draw the written tokens, and the decoder's layers."""
    with st.container(horizontal=True, gap="medium"):
        pick_written(probe)
        pick_layer(probe.walk.config.n_decoder_layers)


def myth(probe: Probe) -> Myth:
    """Compare, token by token, the most attention with what is missed most."""
    alike = first_alike(probe.walk)
    if alike.all():
        return Myth(_(texts.MYTH), _(texts.MYTH_ALL).format(n=len(alike)))
    drops = np.where(alike, -np.inf, hidden(probe.walk).max(-1))
    at = int(drops.argmax())
    looked = probe.walk.capture.all_weights("cross").mean((0, 1))[at]  # (S,)
    truth = _(texts.MYTH_TRUTH).format(
        same=int(alike.sum()),
        n=len(alike),
        word=marked(Probe(probe.walk, at, 0).word),
        looked=marked(probe.source(int(looked.argmax()))),
        missed=marked(probe.source(int(hidden(probe.walk)[at].argmax()))),
    )
    return Myth(_(texts.MYTH), truth)


SECTIONS = (
    Section("claims", texts.CLAIMS_TITLE, claims.draw_claims, pick=False),
    Section(
        "agree",
        texts.AGREE_TITLE,
        agree.draw_agree,
        pick=pick_written,
        guess=agree.guess_agree,
        code=(
            Code(
                texts.CODE_RANKS,
                r"\rho = \operatorname{corr}(\operatorname{rank} a, \operatorname{rank} b)",
                "model.interpret.experiments.importance:spearman",
            ),
        ),
    ),
    Section(
        "search",
        texts.SEARCH_TITLE,
        search.draw_search,
        search.search_text,
        pick=pick,
        drawers=(Drawer("same", texts.SAME_TITLE, search.draw_same),),
        code=(
            Code(
                texts.CODE_SEARCH,
                r"\max_{A'} \operatorname{JS}(A, A') \quad\text{where}\quad "
                r"\tfrac12 \sum_w |p_w - p'_w| \le 0.01",
                "model.interpret.experiments.other_attention:search",
            ),
            Code(
                texts.CODE_DISTANCE,
                r"\operatorname{JS}(p, q) = H\!\left(\tfrac{p + q}{2}\right) - \tfrac12 (H(p) +"
                r" H(q))",
                "model.interpret.experiments.other_attention:divergence",
            ),
        ),
    ),
    Section(
        "uniform",
        texts.UNIFORM_TITLE,
        uniform.draw_uniform,
        pick=pick,
        guess=uniform.guess_uniform,
        code=(
            Code(
                texts.CODE_UNIFORM,
                r"A_{t,s} = \tfrac1S,\qquad \Delta_t = \log p'_t - \log p_t",
                "model.interpret.experiments.variants:each_alone",
            ),
        ),
    ),
    Section(
        "conclude",
        texts.CONCLUDE_TITLE,
        claims.draw_conclude,
        texts.CONCLUDE,
        pick=False,
        was=("ask",),
    ),
)

PAGE = WalkPage(
    slug="explanation",
    intro=texts.INTRO,
    select=probe_of,
    pick=pick,
    task_pick=pick_written,
    myth=myth,
    sections=SECTIONS,
    scopes=scopes,
    task=agree.task,
    changed=False,
)

if __name__ == "__main__":
    draw_page(PAGE)
