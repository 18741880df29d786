"""The twin of every picture: the same numbers as a table, as CSV, and as a picture to keep."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from app import state
from app.charts.heatmap import attention_heatmap
from app.charts.theme import as_mode
from app.i18n import _
from app.inspect.attention import Look
from app.state import Pin
from app.ui.picture import picture

Columns = Mapping[str, Sequence[str | float]]
FEW = 12  # so many rows are all shown; of more, one scrolls through the first


def weights_table(now: Look) -> None:
    """Offer the matrix as a table, as CSV, and as a Plotly picture with its own buttons."""
    table_fold("weights", lambda: table(_columns(now), now.name))
    fold(_("Picture (PNG or SVG)"), "picture", ":material/image:", lambda: _picture(now))


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
        column_config={title: st.column_config.NumberColumn(format="%.4f") for title in numbers},
    )
    st.download_button(
        _("Save as CSV"), to_csv(columns), f"{name}.csv", "text/csv", key=f"csv-{name}",
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def to_csv(columns: Columns) -> str:
    """Write columns of equal length as CSV, in full precision."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


def fold(label: str, name: str, icon: str, draw: Callable[[], None]) -> None:
    """Draw something that opens on a click; as long as it is shut, it costs nothing."""
    expander = st.expander(label, icon=icon, key=f"open-{name}", on_change="rerun")
    if expander.open:
        with expander:
            draw()


def _columns(now: Look) -> dict[str, Sequence[str | float]]:
    columns: dict[str, Sequence[str | float]] = {_("query ↓ key →"): _numbered(now.queries.labels)}
    for i, name in enumerate(_numbered(now.keys.labels)):
        columns[name] = now.weights[:, i].tolist()
    return columns


def _picture(now: Look) -> None:
    pin = state.PIN.get() or Pin(None, None)
    row, col = now.queries.find(pin.query), now.keys.find(pin.key)
    figure = attention_heatmap(
        now.weights,
        now.queries.labels,
        now.keys.labels,
        query_title=_("query (looks) ↓"),
        key_title=_("key (is looked at) →"),
        mode=as_mode(st.context.theme.type),
        mask=now.mask,
        pinned=None if row is None or col is None else (row, col),
    )
    picture(figure, now.name, _("Attention weights: rows are queries, columns are keys"))


def _numbered(labels: Sequence[str]) -> list[str]:
    """Tell repeated words apart by their place."""
    return [f"{i} {label}" for i, label in enumerate(labels, start=1)]
