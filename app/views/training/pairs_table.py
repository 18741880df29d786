"""The visitor's pairs as a table to type into; what is typed there is copied to the field."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import streamlit as st

from app.i18n import _
from app.state import Param
from app.views.training.data.plan import rows_of

TABLE: Final = "pairs table"  # in the session: its initial rows, their text, its number
Row = tuple[str, str]


def draw_table(text: Param[str]) -> None:
    """Draw a text's pairs as an editable table, which is not rebuilt while the visitor types."""
    rows, made, number = st.session_state.get(TABLE, ((), "", 0))
    if made != text.get() or _key(number) not in st.session_state:
        rows = rows_of(text.get()) or [("", "")]  # an empty table's columns would have no type
        made, number = text.get(), number + 1
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
        args=(text,),
    )


def _key(number: int) -> str:
    return f"{TABLE}-{number}"


def _typed(text: Param[str]) -> None:
    """Write the table as it is now into the text."""
    rows, _made, number = st.session_state[TABLE]
    made = text_of(changed(rows, st.session_state[_key(number)]))
    st.session_state[TABLE] = (rows, made, number)
    text.set(made)


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
