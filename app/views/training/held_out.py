"""All held-out sentences at one step, sorted and filtered by what is wrong with them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import streamlit as st

from app.data.moments import samples_of
from app.format import grouped
from app.i18n import N_, _
from app.state import Param, one_of
from app.ui.pickers import pick_from_list
from app.ui.table import table
from app.views.training import texts
from app.views.training.film import marked

Sample = Mapping[str, Any]
ORDERS: Final[Mapping[str, str]] = {
    "errors": N_("most wrong words first"),
    "longest": N_("longest sentence first"),
    "shortest": N_("shortest sentence first"),
    "sentence": N_("by sentence, a to z"),
}
KEYS: Final[Mapping[str, Callable[[Sample], Any]]] = {
    "errors": lambda sample: -n_wrong(sample),
    "longest": lambda sample: -len(sample["src"].split()),
    "shortest": lambda sample: len(sample["src"].split()),
    "sentence": lambda sample: sample["src"].casefold(),
}
ORDER: Final = Param[str]("order", "errors", one_of(*ORDERS))
WRONG: Final = Param[bool]("wrong", False, lambda raw: raw == "1")


def n_wrong(sample: Sample) -> int:
    """Count the missing, extra and different words, as marked in the samples."""
    words = marked(sample["output"], sample["tgt"])
    n_right = sum(right for _word, right in words)
    return max(len(words), len(sample["tgt"].split())) - n_right


def draw_held_out(name: str, step: int) -> None:
    """Draw the held-out sentences as they were translated at a step."""
    rows = [row for row in samples_of(name) if row["step"] <= step]
    if not rows:
        st.info(_(texts.NO_SAMPLES))
        return
    samples: list[Sample] = rows[-1]["samples"]
    wrong = [sample for sample in samples if n_wrong(sample)]
    counts = {"count": len(samples), "wrong": len(wrong), "step": grouped(rows[-1]["step"])}
    st.caption(_(texts.HELD_OUT).format(**counts))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        titles = {order: _(title) for order, title in ORDERS.items()}
        pick_from_list(ORDER, _("Order"), titles, width=290)
        st.toggle(_("Only those with an error"), key=WRONG.widget())
    shown = sorted(wrong if WRONG.get() else samples, key=KEYS[ORDER.get()])
    if not shown:
        st.success(_("Every one of them is exactly right."))
        return
    columns = {
        _("sentence"): [sample["src"] for sample in shown],
        _("right answer"): [sample["tgt"] for sample in shown],
        _("the model"): [sample["output"] or "∅" for sample in shown],
        _("wrong words"): [str(n_wrong(sample)) for sample in shown],
    }
    table(columns, "held-out")
