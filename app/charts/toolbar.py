"""Plotly's own buttons: the picture as PNG and as SVG."""

from typing import Any, Literal

ImageFormat = Literal["png", "svg"]


def plot_config(filename: str, image_format: ImageFormat = "png") -> dict[str, Any]:
    """Return the options of `st.plotly_chart`: the download button on, in the format asked for."""
    return {
        "displaylogo": False,
        "displayModeBar": True,
        "responsive": True,
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "zoom2d", "pan2d", "autoScale2d"],
        "toImageButtonOptions": {"format": image_format, "filename": filename, "scale": 2},
    }
