"""Why a block narrows its channels: the weights of its convolutions."""

from typing import Final

import numpy as np

from app.charts.parts import bars
from app.charts.theme import layout, names_axis, value_axis
from app.format import grouped
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.history.residual import texts
from app.views.history.residual.choice import Choice
from app.views.history.residual.data import sizes

NARROW: Final = 64  # the inner width of ResNet-50's first stage


def weights_text(_choice: Choice) -> str:
    """Say how many weights the narrow middle saves."""
    counts = sizes(NARROW)
    three = sum(counts.values()) - counts["wide"]
    numbers = {"three": grouped(three), "two": grouped(counts["wide"])}
    times = f"{counts['wide'] / three:.0f}"
    return _(texts.CHEAP).format(wide=4 * NARROW, times=times, **numbers)


def draw_weights(_choice: Choice) -> None:
    """Draw the weights of the three convolutions, and of two in their place."""
    counts, channels = sizes(NARROW), {"wide": 4 * NARROW, "narrow": NARROW}
    names = [_(texts.WEIGHTS[name]).format(**channels) for name in counts]
    values = np.array(list(counts.values()))
    figure = layout("", height=28 * len(names) + 62)
    most = 1.18 * float(values.max())  # room for the number beside the longest bar
    figure["xaxis"] = value_axis(_("weights"), range=[0, most], nticks=5)
    figure["yaxis"] = names_axis(names, down=True)
    figure["bargap"] = 0.25
    drawn = bars(values, names, "value", text=[grouped(count) for count in values.tolist()])

    def columns() -> Columns:
        return {_("convolution"): names, _("weights"): values.tolist()}

    alt = _("Weights of the convolutions of a block")
    show_chart({"data": [drawn], "layout": figure}, "residual-weights", alt, columns)
