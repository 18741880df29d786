"""The attention of one run as one HTML file: it asks nobody for anything, and works for ever.

The same components draw it as on the pages. Its policy lets no other script run than their own.
(L layers, H heads, T queries, S keys)
"""

import base64
import hashlib
import html
import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app import i18n
from app.charts.theme import palette
from app.components import lines, matrix, wall
from app.components.grid import Weights
from app.components.shared import pack
from app.components.shared.library import COMPONENTS, add, script
from app.i18n import N_, _

VIEWS: Final = {"matrix": N_("Heatmap"), "wall": N_("All heads"), "lines": N_("Lines")}
FOLDER: Final = Path(__file__).parent
CONFIG: Final = COMPONENTS.parent / ".streamlit" / "config.toml"


class Attention(NamedTuple):
    """One kind of attention: its weights (L, H, T, S), and where one may look, (T, S) a layer."""

    title: str
    weights: Weights
    masks: Sequence[NDArray[np.bool_] | None]


class Chosen(NamedTuple):
    """What is shown at first; layer and head count from 0."""

    view: str
    kind: str
    layer: int
    head: int


def document(
    attentions: Mapping[str, Attention],
    chosen: Chosen,
    *,
    title: str,
    sentence: str,
    facts: Mapping[str, str],
    command: str,
) -> str:
    """Return the text of the file; `facts` are said below the title, by their names."""
    content = {
        "attentions": {kind: _payload(attention) for kind, attention in attentions.items()},
        "chosen": chosen._asdict(),
        "palette": palette(),
        "language": i18n.current(),
    }
    choices = {
        "view": (_("Look inside"), {name: _(title) for name, title in VIEWS.items()}),
        "kind": (_("Attention"), {kind: one.title for kind, one in attentions.items()}),
        "layer": (_("Layer"), {}),
        "head": (_("Head"), {}),
    }
    said = (f"<div><dt>{_safe(name)}</dt><dd>{_safe(v)}</dd></div>" for name, v in facts.items())
    return Template((FOLDER / "document.html").read_text(encoding="utf-8")).substitute(
        language=i18n.current(),
        hash=f"sha256-{_hash(_script())}",
        light=_theme("light"),
        dark=_theme("dark"),
        title=_safe(title),
        sentence=_safe(sentence),
        facts="".join(said),
        choices="".join(_select(name, *choice) for name, choice in choices.items()),
        again=_safe(_("The command that makes this again")),
        command=_safe(command),
        # No text of a visitor can end the element that it stands in.
        content=json.dumps(content).replace("<", "\\u003c"),
        script=_script(),
    )


def _payload(attention: Attention) -> dict[str, Any]:
    """Return what the browser draws of one kind: numbers once, words once a component."""
    weights = attention.weights
    first = weights._replace(values=weights.values[0, 0])
    return {
        "heads": [[pack(head, np.float32) for head in layer] for layer in weights.values],
        "masks": [None if mask is None else pack(mask, np.uint8) for mask in attention.masks],
        "matrix": matrix.payload(first),
        "lines": lines.payload(first),
        "wall": wall.payload(weights, {}),
    }


def _select(name: str, label: str, options: Mapping[str, str]) -> str:
    listed = "".join(
        f'<option value="{_safe(value)}">{_safe(text)}</option>' for value, text in options.items()
    )
    return f'<label>{_safe(label)} <select id="{name}">{listed}</select></label>'


def _safe(text: str) -> str:
    return html.escape(text, quote=True)


@cache
def _script() -> str:
    modules: dict[Path, str] = {}
    drawn = script([COMPONENTS / name for name in VIEWS], modules)
    add(FOLDER / "boot.js", modules)
    return f"{drawn}\n{modules[FOLDER / 'boot.js']}\ndocument_boot.boot();"


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _theme(mode: str) -> str:
    """Return the page's colours as the components read them."""
    with CONFIG.open("rb") as file:
        colours = tomllib.load(file)["theme"][mode]
    kebab = {name: "".join(f"-{c.lower()}" if c.isupper() else c for c in name) for name in colours}
    return " ".join(f"--st-{kebab[name]}: {colour};" for name, colour in colours.items())
