"""A picture, and beside it the same through the weights of some words. (H × W patches)"""

from collections.abc import Sequence

import numpy as np

from app.charts.parts import note
from app.charts.theme import Figure, Floats, layout
from app.format import label, share

FAINT = 0.08  # how much is left of what gets no weight
HEIGHT = 300
LEFT = 0.36  # the share of the picture itself
GAP = 0.04


def seen_figure(image: Floats, weights: Floats, names: Sequence[str], hover: str) -> Figure:
    """Draw a picture (H, W, 3) and one copy a word, bright where its weights (N, H, W) are large.

    `names` are those of the picture and of the words; `hover` says what a number is.
    """
    figure = layout("", height=HEIGHT)
    figure["margin"] |= {"t": 40}
    H, W = image.shape[:2]
    panels = [np.ones((H, W))]
    numbers = [np.full((H, W), "", dtype=object)]
    for weight in weights:
        panels.append(FAINT + (1 - FAINT) * weight / weight.max())
        numbers.append(np.vectorize(lambda x: f"{label(hover)}: {share(x, 4)}")(weight))
    data, notes = [], []
    for i, (alpha, text, name) in enumerate(zip(panels, numbers, names, strict=True)):
        across, up = _place(i, len(weights))
        n = str(i + 1) if i else ""
        rgba = np.concatenate([image * 255, alpha[..., None] * 255], -1).round().astype(int)
        data.append(
            {
                "type": "image",
                "z": rgba.tolist(),
                "xaxis": f"x{n}",
                "yaxis": f"y{n}",
                "hovertext": text.tolist(),
                "hoverinfo": "text" if i else "skip",
            }
        )
        hidden = {"visible": False}
        figure[f"xaxis{n}"] = hidden | {"domain": across, "anchor": f"y{n}"}
        figure[f"yaxis{n}"] = hidden | {
            "domain": up, "anchor": f"x{n}", "range": [H - 0.5, -0.5], "scaleanchor": f"x{n}",
        }  # fmt: skip
        place = {"xref": "paper", "yref": "paper", "yanchor": "bottom"}
        notes.append(note(label(name), sum(across) / 2, up[1], size=14, **place))
    figure["annotations"] = notes
    return {"data": data, "layout": figure}


def _place(i: int, words: int) -> tuple[list[float], list[float]]:
    """Return where a panel lies: the picture left, the words in two lines beside it."""
    if i == 0:
        return [0, LEFT], [0, 0.9]
    cols = -(-words // 2)
    row, col = divmod(i - 1, cols)
    wide = (1 - LEFT - GAP * cols) / cols
    left = LEFT + GAP + col * (wide + GAP)
    return [left, left + wide], [0.52 * (1 - row), 0.52 * (1 - row) + 0.38]
