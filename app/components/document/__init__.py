"""Figures and attention saved as one self-contained HTML file, which needs no server or network.

The components of the pages draw it, and its policy lets no other scripts run.
(L layers, H heads, T queries, S keys)
"""

import base64
import hashlib
import html
import json
import math
import tomllib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
from app.components.shared.kept import Part, Text
from app.components.shared.library import COMPONENTS, program
from app.data.files import replace_text
from app.format import grouped, short
from app.i18n import N_, _

HEIGHT: Final = 720  # pixels of a figure in a notebook
Columns = Mapping[str, Sequence[str | float]]
VIEWS: Final = {"matrix": N_("Heatmap"), "wall": N_("All heads"), "lines": N_("Lines")}
MANY: Final = 2**20  # weights of a file: the roots of so many are sent in STEPS, two bytes each
STEPS: Final = 65535  # from 0 to 1
FOLDER: Final = Path(__file__).parent
CONFIG: Final = COMPONENTS.parent / ".streamlit" / "config.toml"


@dataclass(frozen=True)
class Figure:
    """A drawn run, which a notebook displays and `save` writes as one HTML file."""

    html: str = field(repr=False)  # a notebook would store it a second time

    def save(self, path: str | Path) -> None:
        """Write the file, which needs no network; raise OSError if it cannot be written.

        A file that was there stays as it was then.
        """
        replace_text(Path(path), self.html)

    def _repr_html_(self) -> str:
        # A frame keeps its styles and the notebook's apart.
        page = self.html.replace("&", "&amp;").replace("'", "&#x27;")
        style = f"width:100%;height:{HEIGHT}px;border:0"
        return f"<iframe title='Attention' style='{style}' srcdoc='{page}'></iframe>"


class DocumentHead(NamedTuple):
    """The heading of a file; `facts` are listed by name below the title.

    A `command` that makes the file again is shown at its end.
    """

    title: str
    line: str
    facts: Mapping[str, str]
    command: str


class DocumentAttention(NamedTuple):
    """One kind of attention: its weights (L, H, T, S), and the mask of each layer, (T, S)."""

    title: str
    weights: Weights
    masks: Sequence[NDArray[np.bool_] | None]


def document(
    attentions: Mapping[str, DocumentAttention], chosen: Mapping[str, str | int], head: DocumentHead
) -> str:
    """Return a file in which the reader chooses the view, the attention, the layer and the head.

    At first they are those of `chosen`; layers and heads are counted from 0.
    """
    choices = {
        "view": (_("Look inside"), {name: _(title) for name, title in VIEWS.items()}),
        "kind": (_("Attention"), {kind: one.title for kind, one in attentions.items()}),
        "layer": (_("Layer"), {}),
        "head": (_("Head"), {}),
    }
    selects = "".join(_select(name, *choice) for name, choice in choices.items())
    places = "".join(f'<div id="{name}"></div>' for name in VIEWS)
    count = sum(one.weights.values.size for one in attentions.values())
    exact = count < MANY
    if not exact:
        rounded = _("{count}, each rounded to two bytes").format(count=grouped(count))
        head = head._replace(facts={**head.facts, _("Weights"): rounded})
    payloads = {kind: _payload(attention, exact) for kind, attention in attentions.items()}
    return page(
        head,
        f'<form id="choices">{selects}</form>{places}',
        kinds=tuple(VIEWS),
        content={"attentions": payloads, "chosen": chosen},
    )


def figures(parts: Sequence[Part], head: DocumentHead) -> str:
    """Return a file with figures and texts, one below the other."""
    drawn = [part for part in parts if not isinstance(part, Text)]
    place = '<div class="figure"></div>'
    body = (part.html if isinstance(part, Text) else place for part in parts)
    return page(
        head,
        "".join(body),
        kinds=tuple({figure.kind: None for figure in drawn}),
        content={"figures": [figure._asdict() for figure in drawn]},
    )


def heading(title: str) -> Text:
    """Return the heading above the figures of a screen."""
    return Text(f"<h2>{safe(title)}</h2>")


def folded(tables: Mapping[str, Columns]) -> Text:
    """Return tables that unfold below their names."""
    folds = (
        f"<details><summary>{safe(name)}</summary>{table(columns)}</details>"
        for name, columns in tables.items()
    )
    return Text("".join(folds))


def page(
    head: DocumentHead,
    body: str,
    *,
    kinds: tuple[str, ...] = (),
    content: Mapping[str, Any] | None = None,
) -> str:
    """Return the text of a file: a body of safe HTML into which the components `kinds` draw."""
    facts = (f"<div><dt>{safe(k)}</dt><dd>{safe(v)}</dd></div>" for k, v in head.facts.items())
    drawn = _script(kinds) if kinds else ""
    shared = {"palette": palette(), "language": i18n.current()}
    # Escaping "<" keeps a visitor's text from closing the element around it.
    known = json.dumps({**(content or {}), **shared})
    known = known.replace("<", "\\u003c")
    again = _("The command that makes this again")
    return Template((FOLDER / "document.html").read_text(encoding="utf-8")).substitute(
        language=i18n.current(),
        scripts=script_hash(drawn) if drawn else "'none'",
        light=mode_colours("light"),
        dark=mode_colours("dark"),
        title=safe(head.title),
        line=f"<p>{safe(head.line)}</p>" if head.line else "",
        facts="".join(facts),
        body=body,
        again=f"<h2>{safe(again)}</h2>\n<pre>{safe(head.command)}</pre>" if head.command else "",
        program=f'<script type="application/json" id="content">{known}</script>\n'
        f"<script>{drawn}</script>"
        if drawn
        else "",
    )


def table(columns: Columns) -> str:
    """Return columns of equal length as an HTML table in which all texts are escaped."""
    heads = "".join(
        f'<th scope="col">{safe(name)}</th>' if name else "<td></td>" for name in columns
    )
    rows = "".join(
        f"<tr>{''.join(map(_cell, row))}</tr>" for row in zip(*columns.values(), strict=True)
    )
    scroll = f'<div class="scroll" tabindex="0" role="region" aria-label="{safe(_("Table"))}">'
    return f"{scroll}<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"


def safe(text: str) -> str:
    """Escape a text for HTML."""
    return html.escape(text, quote=True)


def _cell(value: str | float) -> str:
    if isinstance(value, str):
        return f"<td>{safe(value)}</td>"
    return f'<td class="number">{"" if math.isnan(value) else short(value, 6)}</td>'


def _payload(attention: DocumentAttention, exact: bool) -> dict[str, Any]:
    """Return what the browser draws of one kind: numbers once, words once per component."""
    weights = attention.weights
    first = weights._replace(values=weights.values[0, 0])
    numbers = weights.values
    if not exact:  # the root, as a small weight has digits of its own to be read
        numbers = np.rint(np.sqrt(np.clip(np.nan_to_num(numbers), 0, 1)) * STEPS)
    return {
        "weights": _deflated(numbers.astype("<f4" if exact else "<u2")),
        "exact": exact,
        "masks": [None if mask is None else pack(mask, np.uint8) for mask in attention.masks],
        "matrix": matrix.payload(first) | {"values": None},
        "lines": lines.payload(first) | {"weights": None},
        "wall": wall.payload(weights, {}) | {"pictures": None},
    }


def _deflated(numbers: NDArray[Any]) -> str:
    """Return the lowest bytes of all numbers, then the next ones, compressed, as base64."""
    apart = numbers.reshape(-1, 1).view(np.uint8).T
    return base64.b64encode(zlib.compress(apart.tobytes())).decode()


def _select(name: str, label: str, options: Mapping[str, str]) -> str:
    listed = "".join(
        f'<option value="{safe(value)}">{safe(text)}</option>' for value, text in options.items()
    )
    hidden = " hidden" if len(options) == 1 else ""
    return f'<label{hidden}>{safe(label)} <select id="{name}">{listed}</select></label>'


@cache
def _script(kinds: tuple[str, ...]) -> str:
    return program(
        [COMPONENTS / kind for kind in kinds], FOLDER / "boot.js", "document_boot.boot();"
    )


def script_hash(text: str) -> str:
    """Return how a Content-Security-Policy names a script that stands in its page."""
    digest = hashlib.sha256(text.encode(errors="replace")).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@cache
def mode_colours(mode: str) -> str:
    """Return the page's colours in the form that the components read."""
    with CONFIG.open("rb") as file:
        colours = tomllib.load(file)["theme"][mode]
    kebab = {name: "".join(f"-{c.lower()}" if c.isupper() else c for c in name) for name in colours}
    return " ".join(f"--st-{kebab[name]}: {colour};" for name, colour in colours.items())
