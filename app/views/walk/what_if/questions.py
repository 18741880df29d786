"""Whole ideas of the model, asked what they are for by a run without them."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np
import streamlit as st

from app import state
from app.data.changed import Change, Changed, change_types, run_with
from app.data.walk import powers
from app.format import escape, grouped, number, percent, share, signed
from app.i18n import N_, _
from app.inspector.arrays import array_grid, draw_board
from app.inspector.both import draw_translations
from app.inspector.changes import RUNS
from app.inspector.probe import Probe, marked
from app.page.kit import Screens, pick_from_list, say
from app.page.moves import OPEN
from app.state import Param, one_of
from app.ui.sentence_box import offered
from app.views.walk.what_if.data import differing

EARLIER: Final = ("end", "past", "order", "positions")  # screens that are questions now


class WhatIfQuestion(NamedTuple):
    """What is asked, in English, what is said of it, the change of the run, and where it is one."""

    title: str
    text: Callable[[Probe], str]
    change: Callable[[Probe], Change]
    when: Callable[[Probe], bool] = lambda _probe: True

    def run(self, probe: Probe) -> Changed:
        """Return the run that answers."""
        return run_with(probe.walk, self.change(probe))


def pick_question(probe: Probe) -> None:
    """Draw the choice of a question."""
    titles = {name: _(one.title) for name, one in QUESTIONS.items() if one.when(probe)}
    pick_from_list(ASKED, _("The question"), titles, value=asked(probe), width=420)


screens = Screens[Probe]()


@screens("control", N_("Change one part: what was it for?"), pick=pick_question, was=EARLIER)
def draw_question(probe: Probe) -> None:
    """Draw both translations, and what each run gives to the tokens of the original one."""
    question = QUESTIONS[asked(probe)]
    made = question.run(probe)
    say(question.text(probe))
    draw_translations(made)
    st.markdown(says(probe, made))
    values = np.stack([made.before, made.after, made.after - made.before])  # (3, T)
    rows = [_(RUNS[name]) for name in ("before", "after", "difference")]
    title = _("log p of each token of the original translation")
    labels = {"row_labels": rows, "col_labels": probe.written}
    draw_board([array_grid(values, title, "output", **labels)], "what-question")
    if asked(probe) == "control" or made.translation.output != made.original.output:
        return
    translation = probe.walk.translation
    longest = max(offered(translation.model), key=len, default="")
    if longest in ("", translation.text):
        return
    label = _(
        "The words stay the same here. A longer sentence has more to lose: “{sentence}”"
    ).format(sentence=escape(longest))
    name = "what-question-longer"
    st.button(label, name, type="tertiary", on_click=state.TEXT.set, args=(longest,))


def says(probe: Probe, run: Changed) -> str:
    """Say how probable the original translation still is, and which token of it suffers most."""
    changes = run.after - run.before
    if not changes.any():
        return _("Every token of the translation is exactly as probable as before.")
    at = int(np.abs(changes).argmax())
    return _(
        "log p of the original translation: {before} before, {after} after. The token that "
        "changes most is “{word}”: p = {p} becomes {then}, a change in log p of {change}."
    ).format(
        before=number(run.before.sum()),
        after=number(run.after.sum()),
        word=marked(probe.written[at]),
        p=share(float(powers(run.before[at])), 4),
        then=share(float(powers(run.after[at])), 4),
        change=signed(changes[at]),
    )


def has_order(probe: Probe) -> bool:
    """Say whether the words read otherwise backwards."""
    ids = probe.walk.capture.src_ids[:-1]
    return ids != ids[::-1]


def _control(probe: Probe) -> str:
    total, differ = differing(QUESTIONS["control"].run(probe))
    return _(
        "First a control: the scores before every softmax are divided by a temperature of 1, "
        "which changes nothing. Of the {n} numbers of the run, {differ} differ. So any "
        "difference elsewhere comes from the change, not from chance."
    ).format(n=grouped(total), differ=grouped(differ))


def _end(probe: Probe) -> str:
    weights = probe.walk.capture.all_weights("cross").mean((0, 1, 2))  # (S,)
    rank = int((weights > weights[-1]).sum()) + 1
    values = {"share": percent(weights[-1]), "rank": rank, "n": len(weights)}
    return _(
        "Of all the looks the decoder takes at your sentence, {share} go to “{end}”: rank "
        "{rank} among the {n} tokens, although it stands for no word. Close it: no head, in "
        "the encoder or in the decoder, may look at it."
    ).format(end=marked(probe.walk.capture.src[-1].text), **values)


def _backwards(probe: Probe) -> Change:
    last = len(probe.walk.capture.src) - 1  # the end token stays where it is
    return change_types.Reorder((*reversed(range(last)), last))


def _order(probe: Probe) -> str:
    words = " ".join(token.text for token in probe.walk.capture.src[-2::-1])
    return _(
        "Read the sentence backwards: “{words}”. No token is lost; each one only gets the "
        "position vector of another place."
    ).format(words=marked(words))


def _positions(probe: Probe) -> str:
    runs = (QUESTIONS[name].run(probe) for name in ("order", "positions"))
    wrong, none = (float(np.sum(one.after - one.before)) for one in runs)
    positions = _(
        "Now put zeros in place of the position vectors of your sentence. The encoder reads the "
        "same tokens, but as a heap: it cannot know which came first."
    )
    compared = _(
        "Backwards, log p changed by {wrong}; this changes it by {none}. No order is no better "
        "than a wrong one here."
    )
    if none > wrong:
        compared = _(
            "Backwards, log p changed by {wrong}; this changes it by {none}. A wrong order "
            "misleads more than none."
        )
    return f"{positions} {compared.format(wrong=signed(wrong), none=signed(none))}"


QUESTIONS: Final[Mapping[str, WhatIfQuestion]] = {
    "control": WhatIfQuestion(
        N_("First, the control"), _control, lambda _probe: change_types.Temperature(1.0)
    ),
    "end": WhatIfQuestion(
        N_("What if nobody looks at the end token?"),
        _end,
        lambda probe: change_types.HideWords("src", (len(probe.walk.capture.src) - 1,)),
    ),
    "past": WhatIfQuestion(
        N_("Does the decoder need its own past?"),
        lambda _probe: _(
            "In masked self-attention each token looks back at what was written before it. Let "
            "every token look only at itself. The decoder still reads your sentence, and still "
            "knows the place where it writes."
        ),
        lambda _probe: change_types.LookLike("itself", "decoder"),
    ),
    "order": WhatIfQuestion(
        N_("Does the order of the words matter?"), _order, _backwards, has_order
    ),
    "positions": WhatIfQuestion(
        N_("And with no order at all?"),
        _positions,
        lambda _probe: change_types.WithoutPositions("src"),
        lambda probe: probe.walk.config.positions != "none" and has_order(probe),
    ),
}
ASKED: Final = Param[str]("asked", "past", one_of(*QUESTIONS))


def ask_by_address() -> None:
    """Choose the question that was a screen of its own, where an old address names it."""
    if OPEN.get() in EARLIER:
        ASKED.set(OPEN.get())


def asked(probe: Probe) -> str:
    """Return the question that is chosen, or the first where the sentence does not have it."""
    return ASKED.get() if QUESTIONS[ASKED.get()].when(probe) else "control"
