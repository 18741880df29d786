"""Own pairs: pasted or uploaded, with what is wrong with them and what they become."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from app.format import grouped
from app.i18n import _
from app.state import Param, one_of
from app.ui.chosen import LANGUAGE_NAMES, capital, language_name
from app.views.training import texts
from app.views.training.data.errors import worded
from app.views.training.data.plan import (
    SHOWN,
    BadLine,
    OwnPairs,
    Pair,
    TooFewPairsError,
    split_pairs,
)

MEGABYTES: Final = 25
OTHER: Final = ""
SOURCE: Final = Param[str]("from", "es", one_of(*LANGUAGE_NAMES, OTHER))
TARGET: Final = Param[str]("to", "en", one_of(*LANGUAGE_NAMES, OTHER))
TEXT: Final = Param[str]("t-pairs", "", str)
FILE: Final = "own file"  # in the session: a file is no text for the URL
UPLOAD: Final = "own upload"
READ: Final = "own pairs"


def languages() -> tuple[str, str]:
    """Return the languages of both columns."""
    return SOURCE.get(), TARGET.get()


def own_pairs() -> OwnPairs | None:
    """Return the visitor's pairs, ready to train on; None where there are too few."""
    found = _read()
    return found if isinstance(found, OwnPairs) else None


def draw() -> None:
    """Draw the ways to give pairs, and the report of what was given."""
    left, right = st.columns(2)
    for column, label, param in ((left, _("From"), SOURCE), (right, _("To"), TARGET)):
        column.selectbox(
            label, [*LANGUAGE_NAMES, OTHER], key=param.widget(), format_func=_language,
            help=_("The language of this column; it names the model."),
        )  # fmt: skip
    st.text_area(
        _("Sentence pairs"), key=TEXT.widget(), height=120, help=_(texts.OWN_FORMAT),
        placeholder="Hola.\tHello.\nGracias.\tThank you.",
    )  # fmt: skip
    file = st.file_uploader(
        _("or a file"), ["tsv", "txt"], max_upload_size=MEGABYTES, help=_(texts.OWN_FORMAT),
        key=UPLOAD, on_change=_uploaded,
    )  # fmt: skip
    if file is None and FILE in st.session_state:  # from before another page was opened
        st.button(
            _("Forget the file {name}").format(name=st.session_state[FILE][0]), wrap=True,
            key="forget-file", on_click=st.session_state.pop, args=(FILE,),
        )  # fmt: skip
    _report(_read())


def _language(code: str) -> str:
    return capital(language_name(code)) if code else _("another one")


def _uploaded() -> None:
    file = st.session_state[UPLOAD]
    # The page itself refuses larger ones; the server takes them, for models.
    if file is None or file.size > MEGABYTES * 2**20:
        st.session_state.pop(FILE, None)
    else:
        st.session_state[FILE] = (file.name, file.getvalue())


def _read() -> OwnPairs | TooFewPairsError | None:
    """Read what was given, once: a large file takes a second."""
    data = st.session_state.get(FILE, ("", TEXT.get().encode()))[1]
    if not data.strip():
        st.session_state.pop(READ, None)
        return None
    known: tuple[bytes, OwnPairs | TooFewPairsError] | None = st.session_state.get(READ)
    if known is not None and known[0] == data:
        return known[1]
    found: OwnPairs | TooFewPairsError
    try:
        found = split_pairs(data)
    except TooFewPairsError as error:
        found = error
    st.session_state[READ] = (data, found)
    return found


def _report(found: OwnPairs | TooFewPairsError | None) -> None:
    if isinstance(found, TooFewPairsError):
        st.warning(worded(found))
    if found is None:
        return
    if found.bad:
        with st.expander(_(texts.BAD_LINES).format(count=grouped(len(found.bad)))):
            _bad_lines(found.bad)
    if isinstance(found, OwnPairs):
        st.caption(
            _(texts.READ_PAIRS).format(
                train=grouped(len(found.train)), valid=grouped(len(found.valid))
            )
        )
        _preview(found.train)


def _preview(pairs: Sequence[Pair]) -> None:
    shown = pairs[:SHOWN]
    st.dataframe(
        {_("source"): [pair.src for pair in shown], _("target"): [pair.tgt for pair in shown]},
        hide_index=True,
    )


def _bad_lines(bad: Sequence[BadLine]) -> None:
    shown = bad[: 10 * SHOWN]
    st.dataframe(
        {
            _("line"): [line.number for line in shown],
            _("why"): [worded(line.why) for line in shown],
        },
        hide_index=True,
    )
