"""The numbers of every picture, as a table and as CSV."""

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from app import state
from app.components.document import table as table_text
from app.components.shared.kept import Text, keep, keeping
from app.format import plain, short
from app.i18n import _
from app.ui.about import file_name

Columns = Mapping[str, Sequence[str | float]]
# Characters that start a formula in a spreadsheet; some programs accept full-width ones too.
FORMULA = tuple("=+-@＝＋－＠")
FEW = 12  # rows that are shown at once; a longer table scrolls
# Tables with more cells than this are formatted by the browser, with a decimal point: pandas takes
# too long.
MANY = 10_000
MOST_IN_BOOK = 500  # rows


def figure_menu(
    name: str, draw: Callable[[], None], *, table: bool = True, picture: bool = True
) -> None:
    """Draw the menu below a figure, which shows and saves its numbers and its picture.

    A closed menu costs nothing.
    """
    if state.in_book() and not table:
        return
    both = table and picture and not state.in_book()
    label = _("Table and picture") if both else _("Table") if table else _("Picture")
    menu = st.popover(
        label,
        type="tertiary",
        help=_(
            "To see and to keep: numbers as CSV, a picture as PNG or SVG, or both as a web page"
        ),
        icon=":material/table:" if table else ":material/image:",
        key=f"menu-{name}",
        on_change="rerun",
    )
    if menu.open or state.in_book():
        with menu, st.container(key=f"numbers-{name}"), keeping():  # the figure was kept already
            draw()


def table(columns: Columns, name: str) -> None:
    """Show columns of equal length, below a button that saves them as CSV.

    A button below the table would move away from the pointer when the table appears.
    """
    keep(lambda: [Text(table_text(columns))])
    if state.in_book():
        _draw_in_book(columns)
        return
    import pandas as pd  # a book is written, and lives in a browser, without it

    save_button(_("Save as CSV"), to_csv(columns), name, "csv", "text/csv", "download")
    frame = pd.DataFrame(dict(columns))
    height = "content" if len(frame) <= FEW else "auto"
    look: dict[str, Any] = {"hide_index": True, "height": height}
    numbers = [
        title for title, values in columns.items() if values and isinstance(values[0], float)
    ]
    if frame.size < MANY:
        written = frame.style.format(partial(short, digits=6), subset=numbers, na_rep="")
        st.dataframe(written, placeholder="", **look)
    else:
        form = st.column_config.NumberColumn(format="%.6g")
        st.dataframe(frame, column_config=dict.fromkeys(numbers, form), **look)


def _draw_in_book(columns: Columns) -> None:
    """Draw a table of which a book holds the beginning: a vocabulary has thousands of rows."""
    st.html(table_text({name: values[:MOST_IN_BOOK] for name, values in columns.items()}))
    if (n := max(map(len, columns.values()), default=0)) > MOST_IN_BOOK:
        says = _("The first {shown} of {n} rows; the app has them all.")
        st.caption(says.format(shown=MOST_IN_BOOK, n=n))


def few_rows(columns: Columns, key: str | None = None) -> None:
    """Show short columns without the menu of a figure."""
    if state.in_book():
        st.html(table_text(columns))
    else:
        st.dataframe(columns, hide_index=True, key=key)


def written_table(columns: Mapping[str, Sequence[str]]) -> None:
    """Show columns of a few texts, each rendered as Markdown."""
    shown = {name: [plain(cell) for cell in cells] for name, cells in columns.items()}
    if state.in_book():
        st.html(table_text(shown))
    else:
        st.table(columns)
    keep(lambda: [Text(table_text(shown))])


def save_button(label: str, text: str, name: str, kind: str, mime: str, icon: str) -> None:
    """Draw a button that saves a text as a file without rerunning the page."""
    if state.in_book():
        return
    file, key, icon = f"{file_name(name)}.{kind}", f"{kind}-{name}", f":material/{icon}:"
    st.download_button(label, text, file, mime, key=key, icon=icon, on_click="ignore")


def to_csv(columns: Columns) -> str:
    """Write columns of equal length as CSV, in full precision."""
    text = io.StringIO()
    writer = csv.writer(text)
    for row in (columns, *zip(*columns.values(), strict=True)):
        writer.writerow(map(_disarmed, row))
    return text.getvalue()


def _disarmed(cell: str | float) -> str | float:
    """Put an apostrophe before a text that a spreadsheet would run as a formula.

    Visitors write these texts. A missing number leaves its cell empty.
    """
    if isinstance(cell, float) and math.isnan(cell):
        return ""
    if not isinstance(cell, str) or not cell.lstrip().startswith(FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def fold(label: str, name: str, icon: str, draw: Callable[[], object]) -> None:
    """Draw something that opens on a click; while it is closed, it costs nothing.

    `icon` is a name of Material Symbols.
    """
    icon = f":material/{icon}:"
    expander = st.expander(label, icon=icon, key=f"open-{name}", on_change="rerun")
    if expander.open or state.in_book():
        with expander:
            draw()


def numbered(labels: Sequence[str], gap: str = " ") -> list[str]:
    """Number repeated words by their position, counted from 1, to tell them apart."""
    return [f"{i}{gap}{label}" for i, label in enumerate(labels, start=1)]


def matrix_columns(
    corner: str, rows: Sequence[str], cols: Sequence[str], values: np.ndarray
) -> Columns:
    """Return a matrix (rows, cols) as table columns: row names first, repeated names numbered."""
    numbers = np.asarray(values, dtype=float)
    columns: dict[str, Sequence[str | float]] = {corner: numbered(rows)}
    return columns | {name: numbers[:, j].tolist() for j, name in enumerate(numbered(cols))}
