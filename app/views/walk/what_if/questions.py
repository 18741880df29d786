"""Questions that a change of one part answers: what the end, the past and the places are for."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np

from app.format import grouped, percent, signed
from app.i18n import _
from app.inspector.probe import Probe, marked
from app.state import Param, one_of
from app.ui.pickers import pick_from_list
from app.views.walk.what_if import texts
from app.views.walk.what_if.both import draw_both, draw_longer
from app.views.walk.what_if.data import Changed, differing, of, run


def control(probe: Probe) -> Changed:
    """Run the sentence with a change that changes nothing."""
    return run(probe.walk, of.Temperature(1.0))


def without_end(probe: Probe) -> Changed:
    """Run the sentence while nobody looks at its last token."""
    return run(probe.walk, of.HideWords("src", (len(probe.walk.capture.src) - 1,)))


def without_past(probe: Probe) -> Changed:
    """Run the sentence while each word of the decoder looks at itself alone."""
    return run(probe.walk, of.LookLike("itself", "decoder"))


def backwards(probe: Probe) -> Changed:
    """Run the sentence read backwards, its end token still last."""
    last = len(probe.walk.capture.src) - 1
    return run(probe.walk, of.Reorder((*reversed(range(last)), last)))


def without_positions(probe: Probe) -> Changed:
    """Run the sentence with zeros in place of the source's position vectors."""
    return run(probe.walk, of.WithoutPositions("src"))


def has_order(probe: Probe) -> bool:
    """Say whether the words read otherwise backwards."""
    ids = probe.walk.capture.src_ids[:-1]
    return ids != ids[::-1]


def has_positions(probe: Probe) -> bool:
    """Say whether there are positions to take away, and an order to compare with."""
    return probe.walk.config.positions != "none" and has_order(probe)


def _control(probe: Probe) -> str:
    total, differ = differing(control(probe))
    return _(texts.CONTROL).format(n=grouped(total), differ=grouped(differ))


def _end(probe: Probe) -> str:
    weights = probe.walk.capture.all_weights("cross").mean((0, 1, 2))  # (S,)
    rank = int((weights > weights[-1]).sum()) + 1
    values = {"share": percent(weights[-1]), "rank": rank, "n": len(weights)}
    return _(texts.END).format(end=marked(probe.walk.capture.src[-1].text), **values)


def _order(probe: Probe) -> str:
    words = " ".join(token.text for token in probe.walk.capture.src[-2::-1])
    return _(texts.ORDER).format(words=marked(words))


def _positions(probe: Probe) -> str:
    wrong, none = (_total(run) for run in (backwards(probe), without_positions(probe)))
    text = texts.POSITIONS_LESS if none > wrong else texts.POSITIONS_MORE
    compared = _(text).format(wrong=signed(wrong), none=signed(none))
    return f"{_(texts.POSITIONS)} {compared}"


class Question(NamedTuple):
    """What is asked, in English, what is said of it, the run that answers, and where it is one."""

    title: str
    text: Callable[[Probe], str]
    run: Callable[[Probe], Changed]
    when: Callable[[Probe], bool] = lambda _probe: True


QUESTIONS: Final[Mapping[str, Question]] = {
    "control": Question(texts.CONTROL_TITLE, _control, control),
    "end": Question(texts.END_TITLE, _end, without_end),
    "past": Question(texts.PAST_TITLE, lambda _probe: _(texts.PAST), without_past),
    "order": Question(texts.ORDER_TITLE, _order, backwards, has_order),
    "positions": Question(texts.POSITIONS_TITLE, _positions, without_positions, has_positions),
}
ASKED: Final = Param[str]("asked", "past", one_of(*QUESTIONS))


def asked(probe: Probe) -> str:
    """Return the question that is chosen, or the first where the sentence does not have it."""
    return ASKED.get() if QUESTIONS[ASKED.get()].when(probe) else "control"


def pick_question(probe: Probe) -> None:
    """Draw the choice of a question."""
    titles = {name: _(one.title) for name, one in QUESTIONS.items() if one.when(probe)}
    pick_from_list(ASKED, _(texts.QUESTION), titles, value=asked(probe), width=420)


def question_text(probe: Probe) -> str:
    """Say what is changed."""
    return QUESTIONS[asked(probe)].text(probe)


def draw_question(probe: Probe) -> None:
    """Draw the run that answers beside the original."""
    run = QUESTIONS[asked(probe)].run(probe)
    draw_both(probe, run, "what-question")
    if asked(probe) != "control":
        draw_longer(probe, run, "what-question")


def _total(run: Changed) -> float:
    return float(np.sum(run.after - run.before))
