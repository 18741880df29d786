"""The vectors and matrices of the six attentions: from the sentence, or as typed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import streamlit as st

from app import state
from app.data.translation import Token, Translation
from app.format import escape
from app.i18n import _
from app.ui.table import fold
from app.views.history.evolution import texts
from app.views.history.evolution.data import Given

SIZE: Final = 4  # numbers of a vector
FEW: Final = 3  # vectors to begin with, so that an attention fits into a line
MOST: Final = 5
LIMIT: Final = 10.0

IDENTITY: Final = "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1"
# Each field with what it holds to begin with; the vectors are the sentence's.
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
TITLES: Final = {
    "h": texts.FIELD_H,
    "s": texts.FIELD_S,
    "v_a": "v",
    **{name: name[0].upper() + name[1:] for name in ("w_a", "u_a")},
    **{name: name.upper() for name in ("w_q", "w_k", "w_v", "w_o")},
}
VECTORS: Final = ("h", "s")
MATRICES: Final = tuple(name for name in FIRST if name not in VECTORS)
FIELDS: Final = {
    name: state.Param[str](f"e{name.replace('_', '')}", first, str) for name, first in FIRST.items()
}


@dataclass(frozen=True, eq=False)
class Chosen:
    """What the six are computed of, what its rows are called, and what is wrong in a field."""

    given: Given
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    wrong: tuple[str, ...]


def chosen(translations: Mapping[str, Translation]) -> Chosen:
    """Read the fields; one that cannot be read counts as what it held to begin with."""
    first = _of_sentence(translations)
    fields = {name: param.get() or first[name] for name, param in FIELDS.items()}
    arrays, wrong = {}, []
    for name in FIELDS:
        try:
            arrays[name] = _parse(name, fields[name])
        except ValueError as error:
            wrong.append(str(error))
            fields[name] = first[name]
            arrays[name] = _parse(name, first[name])
    arrays["v_a"] = arrays["v_a"][0]
    one = _best(translations)
    queries = _labels("s", arrays["s"], fields["s"] == first["s"], _few(one.target.tokens[1:]))
    keys = _labels("h", arrays["h"], fields["h"] == first["h"], _few(one.source.tokens))
    return Chosen(Given(**arrays), queries, keys, tuple(wrong))


def draw_given(translations: Mapping[str, Translation]) -> None:
    """Draw the fields, and say what is wrong in them."""
    first = _of_sentence(translations)
    with st.container(horizontal=True, gap="medium"):
        for name in VECTORS:
            _draw_field(name, first)
    fold(_(texts.MATRICES), "matrices", ":material/grid_on:", lambda: _draw_matrices(first))
    unchanged = all(param.get() in (FIRST[name], first[name]) for name, param in FIELDS.items())
    st.button(
        _(texts.BACK),
        icon=":material/replay:",
        on_click=_back,
        key="evolution-back",
        disabled=unchanged,
        help=_(texts.BACK_HELP),
    )
    for error in chosen(translations).wrong:
        st.error(f"{escape(error)} {_(texts.INSTEAD)}")


def _draw_matrices(first: Mapping[str, str]) -> None:
    with st.container(horizontal=True, gap="small"):
        for name in MATRICES:
            _draw_field(name, first)


def _draw_field(name: str, first: Mapping[str, str]) -> None:
    key, tip = FIELDS[name].widget(FIELDS[name].get() or first[name]), _(texts.FIELD_HELP)
    look: dict[str, Any] = {"height": 130, "width": 150}
    if name in VECTORS:
        look = {"height": 150, "width": "stretch"}
    st.text_area(_(TITLES[name]), key=key, help=tip.format(size=SIZE), **look)


def _back() -> None:
    for name, param in FIELDS.items():
        param.set(FIRST[name])


def _of_sentence(translations: Mapping[str, Translation]) -> dict[str, str]:
    """Return what the fields hold to begin with: the first numbers of some words' embeddings."""
    one = _best(translations)
    arrays = one.capture.arrays
    rows = {
        "h": arrays["src.embed"][: len(_few(one.source.tokens))],
        "s": arrays["tgt.embed"][1:][: len(_few(one.target.tokens[1:]))],
    }
    vectors = {
        name: "\n".join(
            " ".join(f"{x:.1f}" for x in row) for row in of[:, :SIZE].clip(-LIMIT, LIMIT)
        )
        for name, of in rows.items()
    }
    return FIRST | {name: text or IDENTITY for name, text in vectors.items()}


def _best(translations: Mapping[str, Translation]) -> Translation:
    """Return the translation of the newest model."""
    return list(translations.values())[-1]


def _few(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    return tokens[:FEW]


def _parse(name: str, text: str) -> np.ndarray:
    """Read numbers, a vector a line: (n, SIZE); ValueError with the line that is wrong."""
    lines = text.replace("−", "-").replace(",", " ").strip().splitlines()
    title = _(TITLES[name])
    wanted = {"v_a": 1}.get(name, SIZE)
    if name in VECTORS and not 1 <= len(lines) <= MOST:
        raise ValueError(_(texts.BAD_MOST).format(field=title, most=MOST))
    if name not in VECTORS and len(lines) != wanted:
        said = _(texts.BAD_LINES)
        raise ValueError(said.format(field=title, wanted=wanted, given=len(lines)))
    return np.array([_numbers(title, i, line) for i, line in enumerate(lines, start=1)])


def _numbers(title: str, i: int, line: str) -> list[float]:
    said = _(texts.BAD_COUNT).format(field=title, line=i, size=SIZE, given=line.strip()[:40])
    try:
        numbers = [float(word) for word in line.split()]
    except ValueError:
        raise ValueError(said) from None
    # NaN is not between any two numbers.
    if len(numbers) != SIZE or not all(-LIMIT <= x <= LIMIT for x in numbers):
        raise ValueError(said)
    return numbers


def _labels(
    letter: str, rows: np.ndarray, of_sentence: bool, tokens: tuple[Token, ...]
) -> tuple[str, ...]:
    """Name the rows by their words, or by their number where the numbers are the visitor's."""
    if of_sentence and len(tokens) == len(rows):
        return tuple(token.text for token in tokens)
    return tuple(f"{letter}{i}" for i in range(1, len(rows) + 1))
