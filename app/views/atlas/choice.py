"""The visitor's choices on the page: measures, heads, and the head whose card is open."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import streamlit as st

from app import state
from app.format import escape
from app.i18n import N_, _
from app.texts.tasks import TASKS
from app.ui.pickers import pick, pick_from_list
from app.views.atlas.data import MEASURES, NORMS, ROLE_SHARE, ROLES, Atlas, HeadId, HeadRecord

By = Literal["weights", "norms"]
KINDS: Final[Mapping[str, str]] = {
    "encoder": N_("Encoder self-attention"),
    "decoder": N_("Decoder self-attention"),
    "cross": N_("Encoder-decoder attention"),
}
KIND_NAMES: Final[Mapping[str, str]] = {
    "all": N_("All three"),
    "encoder": N_("Encoder"),
    "decoder": N_("Decoder"),
    "cross": N_("Encoder-decoder"),
}
BY_NAMES: Final[Mapping[By, str]] = {"weights": N_("Weights"), "norms": N_("Lengths of α·v·W_O")}
GOLD: Final[Mapping[str, str]] = {
    "parliament.tsv": N_("Speeches of a parliament"),
    "phrases-en-es": TASKS["phrases-es"],
    "phrases-en-fr": TASKS["phrases-fr"],
}
MEASURE: Final = state.Param[str]("measure", "", state.one_of(*MEASURES))
AGAINST: Final = state.Param[str]("against", "gradient", state.one_of(*MEASURES))
BY: Final = state.Param[By]("by", "weights", state.one_of("weights", "norms"))
ONLY: Final = state.Param[str]("only", "all", state.one_of(*KIND_NAMES))
ROLE: Final = state.Param[str]("role", "any", state.one_of("any", "some", "none", *ROLES))
CARD: Final = state.Param[str]("card", "", str)  # "at" is a lesson's


@dataclass(frozen=True, eq=False)
class AtlasChoice:
    """The atlas and the choice; `heads` are those shown, `open` is the one whose card is open."""

    atlas: Atlas
    heads: tuple[HeadRecord, ...]
    open: HeadRecord
    measure: str
    against: str

    @property
    def shown(self) -> frozenset[HeadId]:
        return frozenset(one.id for one in self.heads)


def sample_name(name: str) -> str:
    """Return a sample's name: a task's, that of known true links, or that of a file."""
    known = {**TASKS, **GOLD}
    return _(known[name]) if name in known else escape(name)


def key_of(head: HeadId) -> str:
    """Write a head for the address, counted from 1: cross.1.3."""
    return f"{head.kind}.{head.layer + 1}.{head.head + 1}"


def name_of(head: HeadId) -> str:
    """Return a head's name."""
    place = _("layer {n}").format(n=head.layer + 1), _("head {n}").format(n=head.head + 1)
    return " · ".join([_(KINDS[head.kind]), *place])


def place_of(head: HeadId) -> str:
    """Return a head's short name, with layer and head counted from 1: Encoder 2.8."""
    return f"{_(KIND_NAMES[head.kind])} {head.layer + 1}.{head.head + 1}"


def title_of(measure: str) -> str:
    """Return a measure's name, by weights or by norms."""
    title = _(MEASURES[measure.removeprefix(NORMS)].title)
    return f"{title} · {_(BY_NAMES['norms'])}" if measure.startswith(NORMS) else title


def choose(atlas: Atlas) -> AtlasChoice:
    """Draw the choices, and return the atlas with what was chosen."""
    first = ROLE_SHARE if any(one.role for one in atlas.heads) else "log_p_lost"
    measure = MEASURE.get() or first
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick_from_list(MEASURE, _("Colour by"), measure_names(), value=measure, width=300)
        roles = {"any": _("all heads"), "some": _("heads with a role"), "none": _("heads without")}
        roles |= {name: _(role) for name, role in ROLES.items()}
        pick_from_list(ROLE, _("Role"), roles, width=240)
        only = {name: _(title) for name, title in KIND_NAMES.items()}
        pick_from_list(ONLY, _("Attention"), only, width=170)
        text = _(
            "A large weight on a short vector carries little: the length of α·v·W_O counts "
            "both (Kobayashi et al. 2020)."
        )
        pick(BY, _("Measured by"), BY_NAMES, help=text)
    heads = tuple(one for one in atlas.heads if _is_shown(one))
    by_key = {key_of(one.id): one for one in atlas.heads}
    opened = by_key.get(CARD.get()) or max(
        heads or atlas.heads, key=lambda one: one.measures["log_p_lost"].mean
    )
    return AtlasChoice(atlas, heads, opened, _with_norms(measure), _with_norms(AGAINST.get()))


def measure_names() -> dict[str, str]:
    """Return what each measure is called."""
    return {name: _(named.title) for name, named in MEASURES.items()}


def _with_norms(measure: str) -> str:
    norms = BY.get() == "norms" and MEASURES[measure].weights
    return f"{NORMS}{measure}" if norms else measure


def _is_shown(head: HeadRecord) -> bool:
    if ONLY.get() not in ("all", head.id.kind):
        return False
    wanted, role = ROLE.get(), head.role.role if head.role else "none"
    return wanted in ("any", role) or (wanted == "some" and head.role is not None)
