"""The weights of one attention as a table, as CSV, and as a picture to keep."""

from app import state
from app.charts.heatmap import attention_heatmap
from app.components.grid import difference_words, table_words
from app.i18n import _
from app.inspect.attention import Look
from app.state import Pin
from app.ui.chart import picture
from app.ui.table import Columns, figure_menu, matrix_columns, table


def draw_weights_table(look: Look) -> None:
    """Offer the matrix as a table, as CSV, and as a picture."""
    figure_menu("weights", lambda: _draw_menu(look))


def _columns(look: Look) -> Columns:
    return matrix_columns(_("query ↓ key →"), look.queries.labels, look.keys.labels, look.weights)


def _draw_menu(look: Look) -> None:
    table(_columns(look), "attention")
    pin = state.PIN.get() or Pin(None, None)
    row, col = look.queries.find(pin.query), look.keys.find(pin.key)
    figure = attention_heatmap(
        *look.labelled[:3],
        reach=look.labelled.reach,
        query_title=_("query (looks) ↓"),
        key_title=_("key (is looked at) →"),
        mask=look.mask,
        pinned=None if row is None or col is None else (row, col),
    )
    alt = difference_words()["name"] if look.signed else table_words()["name"]
    picture(figure, "attention", alt)
