"""The whole of a translation as a report to print: no script, and everything on paper."""

from pathlib import Path
from typing import Final

from app.charts.weights_svg import map_svg, wall_svg
from app.components.document import Columns, page, safe, table
from app.data.attention import open_cells
from app.data.translation import DecodingStep, Kind, Sentence, Translation, model_info
from app.format import probability, visible
from app.i18n import N_, _
from app.inspector.attention import KIND_NAMES, kinds
from app.inspector.naming import head_names, layer_names, query_names
from app.inspector.saved import REPORT, head_of
from app.ui.chosen import model_line

STYLE: Final = Path(__file__).with_suffix(".css")
ALSO: Final = 4  # candidates of a step, besides the token that was taken
NEXT: Final = N_("What else could have come")


def report(shown: Translation, kind: Kind, layer: int, head: int) -> str:
    """Return the report with one head in large; layer and head count from 0."""
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
        _(NEXT): [_others(step) for step in steps],
    }


def _others(step: DecodingStep) -> str:
    others = [one for i, one in enumerate(step.candidates) if i != step.chosen][:ALSO]
    return " · ".join(f"{visible(o.token.text)} {probability(o.probability)}" for o in others)
