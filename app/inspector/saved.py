"""A translation as one HTML file, to look into or to print, and the command that makes it again."""

import datetime
import shlex
from pathlib import Path
from typing import Final

from app import i18n
from app.charts.weights_svg import map_svg, wall_svg
from app.components.document import (
    Columns,
    DocumentAttention,
    DocumentHead,
    document,
    page,
    safe,
    table,
)
from app.components.grid import Weights
from app.data.attention import open_cells
from app.data.translation import DecodingStep, Kind, Sentence, Translation, model_info
from app.data.walk import ATTENTIONS
from app.format import probability, visible
from app.i18n import _
from app.inspector.attention import KIND_NAMES, kinds
from app.inspector.naming import head_names, layer_names, query_names
from app.ui.chosen import model_line, model_name, way_name

REPORT: Final = "report"  # a view of all that the page Translate has, to be printed
STYLE: Final = Path(__file__).with_name("report.css")
ALSO: Final = 4  # candidates of a step, besides the token that was taken


def saved(shown: Translation, view: str, kind: Kind, layer: int, head: int) -> str:
    """Return the file; what is chosen in it can be changed there. Layer and head count from 0."""
    return document(
        {one: _attention(shown, one) for one in kinds(shown)},
        {"view": view, "kind": kind, "layer": layer, "head": head},
        head_of(shown, view, kind, layer, head),
    )


def head_of(shown: Translation, view: str, kind: Kind, layer: int, head: int) -> DocumentHead:
    """Return what a file says of a translation: its model, its date, and how to make it again."""
    facts = {
        _("Model"): model_name(shown.model),
        _("Decoding"): way_name(shown.decoding),
        _("Date"): datetime.date.today().isoformat(),
    }
    if shown.changes:
        facts[_("Changes")] = shown.changes
    again = command(shown, view, kind, layer, head)
    return DocumentHead(shown.output or "∅", shown.text, facts, again)


def command(shown: Translation, view: str, kind: Kind, layer: int, head: int) -> str:
    """Return the command line that writes the same file, for the shells of Linux and macOS."""
    way = shown.decoding
    options: dict[str, object] = {"model": shown.model, "decoding": way.method}
    if way.method == "beam":
        options["beam"] = way.beam
    if way.method == "sample":
        options |= {"temperature": way.temperature, "top-k": way.top_k, "top-p": way.top_p}
        options["seed"] = way.seed
    if shown.changes:
        options["change"] = shown.changes
    options |= {"view": view, "kind": kind, "layer": layer + 1, "head": head + 1}
    file = "report.html" if view == REPORT else "attention.html"
    options |= {"language": i18n.current(), "out": file}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    return shlex.join(["python", "-m", "app.notebook", *words, "--", shown.text])


def _attention(shown: Translation, kind: Kind) -> DocumentAttention:
    capture = shown.capture
    sides = {"src": shown.source, "tgt": shown.target}
    one = ATTENTIONS[kind]
    queries, keys = ([t.text for t in sides[side].tokens] for side in (one.queries, one.keys))
    weights = Weights(capture.all_weights(kind), query_names(kind, queries), keys)
    masks = [open_cells(capture, kind, layer) for layer in range(capture.n_layers(kind))]
    return DocumentAttention(_(KIND_NAMES[kind]), weights, [None if m.all() else m for m in masks])


def report(shown: Translation, kind: Kind, layer: int, head: int) -> str:
    """Return all of a translation on paper, one head in large; layer and head count from 0."""
    own = head_of(shown, REPORT, kind, layer, head)
    size = {_("Size"): model_line(model_info(shown.model))}
    parts = [_section(_("Tokens"), _tokens(shown.source) + _tokens(shown.target))]
    if kinds(shown):
        parts += [_one(shown, kind, layer, head), _all(shown)]
    if shown.steps:
        parts.append(_section(_("Step by step"), table(_steps(shown.steps))))
    style = STYLE.read_text(encoding="utf-8")
    head_facts = own._replace(facts={**own.facts, **size})
    return page(head_facts, "".join(parts), style=style, printed=True)


def _section(title: str, body: str, look: str = "") -> str:
    return f'<section class="{look}"><h2>{safe(title)}</h2>{body}</section>'


def _tokens(sentence: Sentence) -> str:
    boxes = "".join(
        f"<li>{safe(visible(token.text))}<small>{token.id}</small></li>"
        for token in sentence.tokens
    )
    return f'<ul class="tokens">{boxes}</ul>'


def _one(shown: Translation, kind: Kind, layer: int, head: int) -> str:
    capture = shown.capture
    queries, keys = ([t.text for t in side(kind)] for side in (capture.queries, capture.keys))
    place = _("Layer {layer}, head {head}").format(layer=layer + 1, head=head + 1)
    name = f"{_(KIND_NAMES[kind])} · {place}"
    mask = open_cells(capture, kind, layer)
    rows = query_names(kind, queries)
    drawn = map_svg(capture.weights(kind, layer, head), rows, keys, mask, name)
    axes = f"<p>{safe(_('query (looks) ↓'))} · {safe(_('key (is looked at) →'))}</p>"
    return _section(name, axes + drawn, "one")


def _all(shown: Translation) -> str:
    walls = []
    for kind in kinds(shown):
        heads = shown.capture.all_weights(kind)
        n_layers, n_heads = heads.shape[:2]
        title = _(KIND_NAMES[kind])
        wall = wall_svg(heads, layer_names(n_layers), head_names(n_heads), title)
        walls.append(f'<div class="one"><h3>{safe(title)}</h3>{wall}</div>')
    return _section(_("All layers and heads"), "".join(walls))


def _steps(steps: tuple[DecodingStep, ...]) -> Columns:
    """Return what was written at each step, how likely it was, and what else could have come."""
    return {
        _("step"): [str(i) for i in range(1, len(steps) + 1)],
        _("token"): [visible(step.taken.token.text) for step in steps],
        _("probability"): [probability(step.taken.probability) for step in steps],
        _("What else could have come"): [_others(step) for step in steps],
    }


def _others(step: DecodingStep) -> str:
    others = [one for i, one in enumerate(step.candidates) if i != step.chosen][:ALSO]
    return " · ".join(f"{visible(o.token.text)} {probability(o.probability)}" for o in others)
