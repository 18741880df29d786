"""The visitor's own pairs: pasted, typed or uploaded, with a report on what can be used."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from app.data.errors import worded
from app.data.translation import is_english
from app.format import grouped
from app.i18n import _
from app.state import LONGEST_PAIRS, Param, one_of, up_to
from app.ui.chosen import capital, language_name
from app.ui.pickers import pick_from_list, uploader
from app.ui.table import fold
from app.views.training import texts
from app.views.training.data import SHOWN, OwnPairs, TooFewPairsError, rows_of, split_pairs

MEGABYTES: Final = 25
MOST_ROWS: Final = 1000  # of the table to type into
OTHER: Final = ""
LANGUAGES: Final = ("es", "en", "fr")
SOURCE: Final = Param[str]("t-from", "es", one_of(*LANGUAGES, OTHER))
TARGET: Final = Param[str]("t-to", "en", one_of(*LANGUAGES, OTHER))
FILMED: Final = Param[str]("t-filmed", "", str)
TEXT: Final = Param[str]("t-pairs", "", up_to(LONGEST_PAIRS))
FILE: Final = "own file"  # in the session: a file does not fit into the URL
UPLOAD: Final = "own-upload"
READ: Final = "own pairs"
TABLE: Final = "pairs table"  # in the session: its initial rows, their text, its number
Row = tuple[str, str]


def languages() -> tuple[str, str]:
    """Return the languages of both columns."""
    return SOURCE.get(), TARGET.get()


def own_pairs() -> OwnPairs | None:
    """Return the visitor's pairs, ready to train on; None if there are too few."""
    pairs = _read()
    return pairs if isinstance(pairs, OwnPairs) else None


def draw_pairs() -> None:
    """Draw the ways to give pairs, and the report on them."""
    help_ = _("The language of this column; the model is named after it.")
    titles = {code: capital(language_name(code)) for code in LANGUAGES}
    titles[OTHER] = _("another one")
    labels = {_("From"): SOURCE, _("To"): TARGET}
    for column, (label, param) in zip(st.columns(2), labels.items(), strict=True):
        with column:
            pick_from_list(param, label, titles, help=help_)
    st.text_area(
        _("Sentence pairs"),
        key=TEXT.widget(),
        height=120,
        max_chars=LONGEST_PAIRS,
        help=_(texts.OWN_FORMAT),
        placeholder="Hola.\tHello.\nGracias.\tThank you.",
    )
    if FILE not in st.session_state and TEXT.get().count("\n") < MOST_ROWS:
        fold(_("Type them into a table"), "pairs-table", "table_edit", _draw_table)
    tip = _(texts.OWN_FORMAT)
    file = uploader(
        _("or a file"), ["tsv", "txt"], key=UPLOAD, most=MEGABYTES, help=tip, on_change=_uploaded
    )
    if file is None and FILE in st.session_state:  # kept from before another page was opened
        label = _("Forget the file {name}").format(name=st.session_state[FILE][0])
        forget = partial(st.session_state.pop, FILE)
        st.button(label, wrap=True, key="forget-file", on_click=forget)
    _draw_report(_read())


def _uploaded() -> None:
    file = st.session_state[UPLOAD]
    # The page has to refuse larger ones: the server accepts them, for models.
    if file is None or file.size > MEGABYTES * 2**20:
        st.session_state.pop(FILE, None)
    else:
        st.session_state[FILE] = (file.name, file.getvalue())
        _turn()


def _turn() -> None:
    """Let the languages change places where the file's columns stand the other way round."""
    pairs = _read()
    if not isinstance(pairs, OwnPairs) or "en" not in (SOURCE.get(), TARGET.get()):
        return
    n_source = sum(is_english(pair.src) for pair in pairs.train)
    n_target = sum(is_english(pair.tgt) for pair in pairs.train)
    first, second = SOURCE.get(), TARGET.get()
    if (first == "en" and n_source < n_target) or (second == "en" and n_target < n_source):
        SOURCE.set(second)
        TARGET.set(first)


def _read() -> OwnPairs | TooFewPairsError | None:
    """Read the pairs, only once, since a large file takes a second."""
    data = st.session_state.get(FILE, ("", TEXT.get().encode()))[1]
    if not data.strip():
        st.session_state.pop(READ, None)
        return None
    known: tuple[bytes, OwnPairs | TooFewPairsError] | None = st.session_state.get(READ)
    if known is not None and known[0] == data:
        return known[1]
    pairs: OwnPairs | TooFewPairsError
    try:
        pairs = split_pairs(data)
    except TooFewPairsError as error:
        pairs = error
    st.session_state[READ] = (data, pairs)
    return pairs


def _draw_report(pairs: OwnPairs | TooFewPairsError | None) -> None:
    if pairs is None:
        return
    if isinstance(pairs, TooFewPairsError):
        st.warning(worded(pairs))
    if pairs.bad:
        with st.expander(_(texts.BAD_LINES).format(count=grouped(len(pairs.bad)))):
            shown = pairs.bad[: 10 * SHOWN]
            numbers, reasons = [line.number for line in shown], [worded(line.why) for line in shown]
            st.dataframe({_("line"): numbers, _("problem"): reasons}, hide_index=True)
    if isinstance(pairs, OwnPairs):
        if pairs.separator != "\t":  # what was read as the tab
            text = _(texts.PARTED_BY if pairs.separator.strip() else texts.PARTED_BY_BLANKS)
            st.caption(text.format(separator=pairs.separator))
        if pairs.doubles:
            says = _("Pairs that appear twice are used once; left out: {count}.")
            st.caption(says.format(count=grouped(pairs.doubles)))
        train, valid = grouped(len(pairs.train)), grouped(len(pairs.valid))
        text = _(
            "**{train}** pairs to train on, **{valid}** held out. The model never trains "
            "on those, so they show whether it has learned or only remembers."
        )
        st.caption(text.format(train=train, valid=valid))
        sources, targets = zip(*((pair.src, pair.tgt) for pair in pairs.train[:SHOWN]), strict=True)
        st.dataframe({_("source"): sources, _("target"): targets}, hide_index=True)
        titles = {pair.src: pair.src for pair in pairs.valid}
        chosen = FILMED.get() if FILMED.get() in titles else pairs.probe.src
        help_ = _("Held out from the training; its attention is shown at every filmed moment.")
        pick_from_list(FILMED, _("The filmed sentence"), titles, value=chosen, help=help_)


def _draw_table() -> None:
    """Draw the pairs as an editable table, which is not rebuilt while the visitor types."""
    rows, made, number = st.session_state.get(TABLE, ((), "", 0))
    if made != TEXT.get() or _key(number) not in st.session_state:
        rows = rows_of(TEXT.get()) or [("", "")]  # an empty table's columns would have no type
        made, number = TEXT.get(), number + 1
        st.session_state[TABLE] = (rows, made, number)
    titles = {"src": _("source"), "tgt": _("target")}
    st.data_editor(
        {side: [row[i] for row in rows] for i, side in enumerate(titles)},
        column_config={
            side: st.column_config.TextColumn(title, default="") for side, title in titles.items()
        },
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        key=_key(number),
        on_change=_typed,
    )


def _key(number: int) -> str:
    return f"{TABLE}-{number}"


def _typed() -> None:
    """Copy the table as it is now to the field."""
    rows, _made, number = st.session_state[TABLE]
    made = text_of(changed(rows, st.session_state[_key(number)]))
    st.session_state[TABLE] = (rows, made, number)
    TEXT.set(made)


def changed(rows: Sequence[Row], changes: Mapping[str, Any]) -> list[Row]:
    """Return rows after a table's changes."""
    cells = [{"src": src, "tgt": tgt} for src, tgt in rows]
    cells = [row | changes["edited_rows"].get(i, {}) for i, row in enumerate(cells)]
    kept = [row for i, row in enumerate(cells) if i not in changes["deleted_rows"]]
    return [(row.get("src") or "", row.get("tgt") or "") for row in (*kept, *changes["added_rows"])]


def text_of(rows: Sequence[Row]) -> str:
    """Return a line for each row that is not empty, its two cells separated by a tab."""
    words = ((" ".join(src.split()), " ".join(tgt.split())) for src, tgt in rows)
    return "\n".join("\t".join(pair) for pair in words if any(pair))
