"""What the component that draws charts knows of what the app's charts say."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

CHART: Final = Path(__file__).resolve().parents[2] / "app/components/chart"
NAMES: Final = ("chart.js", "traces.js", "shapes.js", "axis.js", "hover.js")
DRAWN: Final = "".join((CHART / name).read_text("utf-8") for name in NAMES)
# Values that a chart draws by: any other would be drawn as something else.
CHOSEN: Final = frozenset({
    "type", "mode", "dash", "shape", "symbol", "fill", "barmode", "orientation", "side",
    "textposition", "fillmode", "layer", "rangemode", "exponentformat", "axref", "ayref",
})  # fmt: skip
PLAIN: Final = frozenset({
    "", "solid", "scatter", "linear", "data", "none", "circle", "below", "normal", "bottom",
    "lines", "outside", "rect", "v", "pixel", "markers", "middle", "center",
})  # fmt: skip


def parts(value: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    """All keys of a figure with what they say; numbers and packed arrays end there."""
    if isinstance(value, list | tuple):
        for each in value[:50]:
            inner = isinstance(each, dict | list | tuple)
            yield from parts(each, above) if inner else [(above, each)]
        return
    for name, each in value.items():
        yield name, None
        if isinstance(each, dict | list | tuple) and "bdata" not in each:
            yield from parts(each, name)
        else:
            yield name, each


def unknown(figure: dict[str, Any]) -> set[str]:
    """What a figure says that the code of a book's charts never reads."""
    found = set()
    for name, value in parts({"data": figure["data"], **figure["layout"]}):
        key = re.sub(r"^([xy]axis)\d*$", r"\1", name)
        if not is_read(key):
            found.add(key)
        if key in CHOSEN and isinstance(value, str):
            found |= {f"{key}={word}" for word in re.split(r"[ +]", value) if not is_named(word)}
    return found


@cache
def is_read(key: str) -> bool:
    if re.fullmatch(r"[xy][01]?|[xy]axis|[xy]ref", key):
        return True  # `trace[side]` and the like
    return bool(re.search(rf"[.{{,\s]{key}\b(?!\()", DRAWN))


@cache
def is_named(word: str) -> bool:
    if word in PLAIN:
        return True
    plain = re.sub("-(open|thin|dot)$", "", word)
    return bool(re.search(rf'"{re.escape(plain)}"|\b{re.escape(plain)}: ', DRAWN))
