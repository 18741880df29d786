"""Questions that a change of one part answers: what the end, the past and the places are for."""

import numpy as np
import streamlit as st

from app.format import grouped, percent, signed
from app.i18n import _
from app.inspect.probe import Probe, marked
from app.page.quiz import Task
from app.views.walk.what_if import texts
from app.views.walk.what_if.both import draw_both, draw_longer, outcome
from app.views.walk.what_if.data import Changed, differing, of, run


def control(probe: Probe) -> Changed:
    """Run the sentence with a change that changes nothing."""
    return run(probe.walk, of.Temperature(1.0))


def control_text(probe: Probe) -> str:
    """Count the numbers that are other ones although nothing changed."""
    total, differ = differing(control(probe))
    return _(texts.CONTROL).format(n=grouped(total), differ=grouped(differ))


def draw_control(probe: Probe) -> None:
    """Draw the control beside the original."""
    draw_both(probe, control(probe), "what-control")


def without_end(probe: Probe) -> Changed:
    """Run the sentence while nobody looks at its last token."""
    return run(probe.walk, of.HideWords("src", (len(probe.walk.capture.src) - 1,)))


def end_text(probe: Probe) -> str:
    """Say how much of the decoder's attention goes to the end token."""
    weights = probe.walk.capture.all_weights("cross").mean((0, 1, 2))  # (S,)
    rank = int((weights > weights[-1]).sum()) + 1
    values = {"share": percent(weights[-1]), "rank": rank, "n": len(weights)}
    return _(texts.END).format(end=marked(probe.walk.capture.src[-1].text), **values)


def guess_end(probe: Probe) -> Task:
    return outcome(_(texts.END_ASK), without_end(probe))


def draw_end(probe: Probe) -> None:
    """Draw what happens when nobody looks at the end token."""
    _draw(probe, without_end(probe), "what-end")


def without_past(probe: Probe) -> Changed:
    """Run the sentence while each word of the decoder looks at itself alone."""
    return run(probe.walk, of.LookLike("itself", "decoder"))


def guess_past(probe: Probe) -> Task:
    return outcome(_(texts.PAST_ASK), without_past(probe))


def draw_past(probe: Probe) -> None:
    """Draw what the decoder writes when it does not see what it wrote before."""
    _draw(probe, without_past(probe), "what-past")


def backwards(probe: Probe) -> Changed:
    """Run the sentence read backwards, its end token still last."""
    last = len(probe.walk.capture.src) - 1
    return run(probe.walk, of.Reorder((*reversed(range(last)), last)))


def order_text(probe: Probe) -> str:
    """Say which words are read."""
    words = " ".join(token.text for token in probe.walk.capture.src[-2::-1])
    return _(texts.ORDER).format(words=marked(words))


def has_order(probe: Probe) -> bool:
    """Say whether the words read otherwise backwards."""
    ids = probe.walk.capture.src_ids[:-1]
    return ids != ids[::-1]


def guess_order(probe: Probe) -> Task:
    return outcome(_(texts.ORDER_ASK), backwards(probe))


def draw_order(probe: Probe) -> None:
    """Draw what the model writes when it reads backwards."""
    _draw(probe, backwards(probe), "what-order")


def without_positions(probe: Probe) -> Changed:
    """Run the sentence with zeros in place of the source's position vectors."""
    return run(probe.walk, of.WithoutPositions("src"))


def has_positions(probe: Probe) -> bool:
    """Say whether there are positions to take away, and an order to compare with."""
    return probe.walk.config.positions != "none" and has_order(probe)


def guess_positions(probe: Probe) -> Task:
    return outcome(_(texts.POSITIONS_ASK), without_positions(probe))


def draw_positions(probe: Probe) -> None:
    """Draw what the model writes when it does not know the order; compare with a wrong one."""
    wrong, none = (_total(run) for run in (backwards(probe), without_positions(probe)))
    text = texts.POSITIONS_LESS if none > wrong else texts.POSITIONS_MORE
    st.markdown(_(text).format(wrong=signed(wrong), none=signed(none)))
    _draw(probe, without_positions(probe), "what-positions")


def _draw(probe: Probe, run: Changed, key: str) -> None:
    draw_both(probe, run, key)
    draw_longer(probe, run, key)


def _total(run: Changed) -> float:
    return float(np.sum(run.after - run.before))
