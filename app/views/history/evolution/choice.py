"""What one chooses on the page: the sentence, and the six attentions' numbers: its, or as typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import streamlit as st

from app import state
from app.data.translation import Token, Translation
from app.format import escape
from app.i18n import N_, _
from app.ui.chosen import decoding
from app.ui.sentence_box import first_sentence
from app.ui.table import fold
from app.views.history.evolution.data import TRANSFORMER, Inputs, translations


@dataclass(frozen=True, eq=False)
class Vectors:
    """What the six are computed from, the names of its rows, and what is wrong in a field."""

    inputs: Inputs
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    errors: tuple[str, ...]


SIZE: Final = 4  # numbers per vector
FEW: Final = 3  # vectors at first, so that an attention fits on a line
MOST: Final = 5
LIMIT: Final = 10.0
IDENTITY: Final = "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1"
# Each field with its initial content; the vectors come from the sentence.
FIRST: Final = {
    "h": "",
    "s": "",
    "w_a": IDENTITY,
    "u_a": IDENTITY,
    "v_a": "1 1 1 1",
    "w_q": "1 0 1 0\n0 1 0 1\n1 0 -1 0\n0 1 0 -1",
    "w_k": IDENTITY,
    "w_v": "0 1 0 0\n1 0 0 0\n0 0 0 1\n0 0 1 0",
    "w_o": "1 0 0 1\n0 1 1 0\n0 1 -1 0\n1 0 0 -1",
}
# The others are W_Q, W_K, W_V and W_O.
TITLES: Final = {
    "h": N_("H, the encoder's vectors, one per line"),
    "s": N_("S, the decoder's vectors, one per line"),
    "w_a": "W_a",
    "u_a": "U_a",
    "v_a": "v",
}
VECTORS: Final = ("h", "s")
NUMBERS: Final = state.up_to(state.LONGEST_SENTENCE)
FIELDS: Final = {
    name: state.Param[str](f"e{name.replace('_', '')}", first, NUMBERS)
    for name, first in FIRST.items()
}


def read_fields(translations: Mapping[str, Translation]) -> Vectors:
    """Read the fields; one that cannot be read counts as its initial content."""
    first = _first_texts(translations)
    fields = {name: param.get() or first[name] for name, param in FIELDS.items()}
    arrays, errors = {}, []
    for name in FIELDS:
        try:
            arrays[name] = _parse(name, fields[name])
        except ValueError as error:
            errors.append(str(error))
            fields[name] = first[name]
            arrays[name] = _parse(name, first[name])
    arrays["v_a"] = arrays["v_a"][0]

    def labels(name: str, tokens: Sequence[Token]) -> tuple[str, ...]:
        """Name the rows by their words, or number them where the vectors were typed."""
        if fields[name] == first[name] and len(tokens) == len(arrays[name]):
            return tuple(token.text for token in tokens)
        return tuple(f"{name}{i}" for i in range(1, len(arrays[name]) + 1))

    *_older, newest = translations.values()
    queries = labels("s", newest.target.tokens[1:][:FEW])
    keys = labels("h", newest.source.tokens[:FEW])
    return Vectors(Inputs(**arrays), queries, keys, tuple(errors))


def draw_fields(translations: Mapping[str, Translation], errors: Sequence[str]) -> None:
    """Draw the fields, and what is wrong in them."""
    first = _first_texts(translations)
    with st.container(horizontal=True, gap="medium"):
        for name in VECTORS:
            _draw_field(name, first[name], height=150, width="stretch")

    def draw_matrices() -> None:
        with st.container(horizontal=True, gap="small"):
            for name in FIRST:
                if name not in VECTORS:
                    _draw_field(name, first[name], height=130, width=150)

    fold(_("The matrices that would be learned"), "matrices", "grid_on", draw_matrices)
    st.button(
        _("Back to my sentence"),
        "evolution-back",
        _("Goes back to the vectors of your sentence and the first matrices."),
        _reset,
        icon=":material/replay:",
        disabled=all(param.get() in (FIRST[name], first[name]) for name, param in FIELDS.items()),
    )
    for error in errors:
        instead = _("Until then, what was there at first is used.")
        st.error(f"{escape(error)} {instead}")


def _draw_field(name: str, first: str, **look: Any) -> None:
    key = FIELDS[name].widget(FIELDS[name].get() or first)
    tip = _("{size} numbers per line, with spaces between them, each from −10 to 10.")
    st.text_area(_title(name), key=key, help=tip.format(size=SIZE), **look)


def _title(name: str) -> str:
    return _(TITLES.get(name, name.upper()))


def _reset() -> None:
    for name, param in FIELDS.items():
        param.set(FIRST[name])


def _first_texts(translations: Mapping[str, Translation]) -> dict[str, str]:
    """Return the fields' initial content: the first numbers of some words' embeddings."""
    *_older, newest = translations.values()
    arrays = newest.capture.arrays
    rows = {"h": arrays["src.embed"][:FEW], "s": arrays["tgt.embed"][1:][:FEW]}
    vectors = {}
    for name, of in rows.items():
        lines = (" ".join(f"{x:.1f}" for x in row) for row in of[:, :SIZE].clip(-LIMIT, LIMIT))
        vectors[name] = "\n".join(lines) or IDENTITY
    return FIRST | vectors


def _parse(name: str, text: str) -> np.ndarray:
    """Read numbers, one vector per line: (n, SIZE); raises ValueError with the wrong line."""
    lines = text.replace("−", "-").replace(",", " ").strip().splitlines()
    title, wanted = _title(name), 1 if name == "v_a" else SIZE
    if name in VECTORS and not 1 <= len(lines) <= MOST:
        raise ValueError(
            _("{field}: at most {most} lines fit here, and at least one is needed.").format(
                field=title, most=MOST
            )
        )
    if name not in VECTORS and len(lines) != wanted:
        message = _("{field}: {wanted} lines are needed, not {given}.")
        raise ValueError(message.format(field=title, wanted=wanted, given=len(lines)))
    return np.array([_numbers(title, i, line) for i, line in enumerate(lines, start=1)])


def _numbers(title: str, i: int, line: str) -> list[float]:
    message = _(
        "{field}, line {line}: {size} numbers from −10 to 10 are needed, not “{given}”."
    ).format(field=title, line=i, size=SIZE, given=line.strip()[:40])
    try:
        numbers = [float(word) for word in line.split()]
    except ValueError:
        raise ValueError(message) from None
    # NaN is not between any two numbers.
    if len(numbers) != SIZE or not all(-LIMIT <= x <= LIMIT for x in numbers):
        raise ValueError(message)
    return numbers


class EvolutionChoice:
    """A choice computed on first use: a sentence that fails must not hide its own field."""

    @cached_property
    def translations(self) -> dict[str, Translation]:
        """The translations of the sentence on the page, by model."""
        text = state.TEXT.get()
        return translations(first_sentence(TRANSFORMER) if text is None else text, decoding())

    @cached_property
    def vectors(self) -> Vectors:
        """What the six attentions are computed from."""
        return read_fields(self.translations)
