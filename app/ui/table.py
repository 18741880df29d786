"""The twin of every picture: the same numbers as a table and as CSV."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import streamlit as st

from app.i18n import _

Columns = Mapping[str, Sequence[str | float]]
# How a formula begins in a spreadsheet; full-width signs count in some of them.
FORMULA = tuple("=+-@＝＋－＠")
FEW = 12  # so many rows are all shown; of more, one scrolls through the first


def table_fold(name: str, draw: Callable[[], None], *, picture: bool = False) -> None:
    """Draw the fold that a table waits in, and the picture of what is no figure of Plotly's."""
    fold(twins_name(picture), name, ":material/table:", draw)


def twins_name(picture: bool) -> str:
    """Return what the fold of a picture's twins is called."""
    return _("Table, CSV and picture") if picture else _("Table and CSV")


def table(columns: Columns, name: str) -> None:
    """Show columns of equal length with a button that saves them as CSV."""
    numbers = [title for title, values in columns.items() if isinstance(values[0], float)]
    few = len(next(iter(columns.values()))) <= FEW
    st.dataframe(
        dict(columns),
        hide_index=True,
        height="content" if few else "auto",
        column_config={title: st.column_config.NumberColumn(format="%.6g") for title in numbers},
    )
    save_button(_("Save as CSV"), to_csv(columns), f"{name}.csv", "text/csv", "download")


def save_button(label: str, text: str, file: str, mime: str, icon: str) -> None:
    """Draw a button that saves a text as a file; the page is not run for it."""
    name, _dot, kind = file.rpartition(".")
    key, icon = f"{kind}-{name}", f":material/{icon}:"
    st.download_button(label, text, file, mime, key=key, icon=icon, on_click="ignore")


def to_csv(columns: Columns) -> str:
    """Write columns of equal length as CSV, in full precision."""
    text = io.StringIO()
    writer = csv.writer(text)
    for row in (columns, *zip(*columns.values(), strict=True)):
        writer.writerow(map(_disarmed, row))
    return text.getvalue()


def _disarmed(cell: str | float) -> str | float:
    """Put an apostrophe before what a spreadsheet would compute: words come from visitors."""
    if not isinstance(cell, str) or not cell.lstrip().startswith(FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def fold(label: str, name: str, icon: str, draw: Callable[[], object]) -> None:
    """Draw something that opens on a click; as long as it is shut, it costs nothing."""
    expander = st.expander(label, icon=icon, key=f"open-{name}", on_change="rerun")
    if expander.open:
        with expander:
            draw()


def numbered(labels: Sequence[str], gap: str = " ") -> list[str]:
    """Tell repeated words apart by their place, counted from 1."""
    return [f"{i}{gap}{label}" for i, label in enumerate(labels, start=1)]


def matrix_columns(
    corner: str, rows: Sequence[str], cols: Sequence[str], values: np.ndarray
) -> Columns:
    """Return a matrix (rows, cols) as columns of a table: its rows' names first, all numbered."""
    numbers = np.asarray(values, dtype=float)
    columns: dict[str, Sequence[str | float]] = {corner: numbered(rows)}
    return columns | {name: numbers[:, j].tolist() for j, name in enumerate(numbered(cols))}
