"""A translation as one HTML file, and the command that makes it again."""

import datetime
import shlex

from app import i18n
from app.components.document import DocumentAttention, DocumentHead, document
from app.components.grid import Weights
from app.data.attention import open_cells
from app.data.translation import Kind, Translation
from app.data.walk import ATTENTIONS
from app.i18n import _
from app.inspector.attention import KIND_NAMES, kinds
from app.inspector.naming import query_names
from app.ui.chosen import model_name, way_name


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
    options |= {"language": i18n.current(), "out": "attention.html"}
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
