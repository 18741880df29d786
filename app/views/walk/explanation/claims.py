"""The three papers, each with what the model says on a sample; and what one may conclude."""

from typing import Final

import streamlit as st

from app.data.importance import METHODS
from app.format import number, percent, signed
from app.i18n import _
from app.inspector.probe import Probe
from app.views.walk.explanation import texts
from app.views.walk.explanation.data import Agreement, Evidence, evidence_of

TITLES: Final = {name: one.title for name, one in METHODS.items()} | {"best_head": texts.BEST_HEAD}


def closest(evidence: Evidence) -> Agreement:
    """Return the method that agrees most with leave-one-out."""
    return max(evidence.agreements, key=lambda one: one.mean)


def draw_claims(probe: Probe) -> None:
    """Draw claim and counter-claim, each with the sample's answer."""
    _draw(probe, slice(2))


def draw_conclude(probe: Probe) -> None:
    """Draw what to ask instead, with the sample's answer."""
    _draw(probe, slice(2, 3))


def _draw(probe: Probe, chosen: slice) -> None:
    evidence = evidence_of(probe.walk)
    claims = texts.JAIN, texts.WIEGREFFE, texts.BASTINGS
    here = ["", "", ""] if evidence is None else _answers(evidence)
    pairs = list(zip(map(_, claims), here, strict=True))[chosen]
    parts = ["\n\n".join(filter(None, pair)) for pair in pairs]
    st.markdown("\n\n".join([*parts, _sample(probe, evidence)]))


def _answers(evidence: Evidence) -> list[str]:
    by = {one.method: one for one in evidence.agreements}
    weights, best = by["attention_mean"], closest(evidence)
    uniform = [layer.uniform for layer in evidence.layers]
    layers = evidence.layers
    return [
        _(texts.JAIN_HERE).format(
            rho=signed(weights.mean),
            found=percent(sum(layer.found for layer in layers) / len(layers)),
            distance=number(sum(layer.distance for layer in layers) / len(layers)),
        ),
        _(texts.WIEGREFFE_HERE).format(
            lost=number(evidence.uniform), least=number(min(uniform)), most=number(max(uniform))
        ),
        _(texts.BASTINGS_HERE).format(
            best=_(TITLES[best.method]),
            rho=signed(best.mean),
            mean=percent(weights.same),
            same=percent(best.same),
        ),
    ]


def _sample(probe: Probe, evidence: Evidence | None) -> str:
    if evidence is None:
        model = probe.walk.translation.model
        command = f"python -m model evidence --model {model} --out …/{model}/evidence.json"
        return f":small[{_(texts.NO_SAMPLE).format(command=command)}]"
    sample = _(texts.SAMPLES[evidence.sample])
    return f":small[{_(texts.SAMPLE).format(n=evidence.tokens, sample=sample)}]"
