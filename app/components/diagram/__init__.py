"""Drawings of the Transformer, a flat strip and the full model; each part opens its chapter."""

from collections.abc import Mapping
from typing import Any, Literal

from app.components.shared import mount_map
from app.data.walk import Walk
from app.i18n import _
from app.registry import WALK, View, of_section
from app.texts.stacks import STACKS

# The model with all layers closed, or only one open layer of each stack.
Extent = Literal["outline", "layers"]


def diagram(here: str, *, key: str) -> None:
    """Draw the strip that shows where in the Transformer a page is; each part opens its chapter."""
    if here != "big_picture":  # that page has the large one
        mount_map("diagram", key=key, fixed=payload(None), here=here)


def model_diagram(walk: Walk, extent: Extent, *, key: str) -> None:
    """Draw the model with its own layers, its sizes and the sentence; parts open their chapters."""
    config = walk.config
    d, d_ff, heads = config.d_model, config.d_ff, config.n_heads
    drawn = {
        "pre": config.norm == "pre",
        "layers": {stack: config.n_layers(stack) for stack in config.stacks},
        "stacks": {
            stack: f"{_(STACKS[stack])} × {config.n_layers(stack)}" for stack in config.stacks
        },
        "heads": heads,
        "source": walk.translation.text,
        "read": f"<bos> {walk.translation.output}".strip(),
        "written": walk.translation.output or "<eos>",
        "tokens": {
            "source": _("tokens: {n}").format(n=len(walk.capture.src)),
            "target": _("tokens: {n}").format(n=len(walk.capture.tgt)),
        },
        "sizes": {
            "source": f"{config.vocab_size} × {d}",
            "target": f"{config.n_tgt_vocab} × {d}",
            "heads": _("heads: {n} × {d_k}").format(n=heads, d_k=config.d_k),
            "ffn": f"{d} → {d_ff} → {d}",
            "memory": f"{len(walk.capture.src)} × {d}",
            "linear": f"{d} → {config.n_tgt_vocab}",
            "softmax": _("{n} probabilities").format(n=config.n_tgt_vocab),
        },
        "view": extent,
    }
    mount_map("diagram", key=key, fixed=payload(drawn), here=None)


def payload(model: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what the browser draws: the chapters in order, and the model if it is given."""
    return {
        "parts": [_part(i, view) for i, view in enumerate(of_section(WALK), start=1)],
        "model": model,
        "text": {
            "name": _("Map of the Transformer: each part opens its chapter"),
            "here": _("you are here"),
            **{stack: _(name) for stack, name in STACKS.items()},
            "layer": _("layer {n}"),
            "norm": _("Norm"),
            "ffn": _("Feed-forward"),
            "memory": _("Memory"),
            "linear": _("Linear"),
            "softmax": _("Softmax"),
            "learning": _("the target, the loss"),
            "save": _("Save as SVG"),
        },
    }


def _part(number: int, view: View) -> dict[str, Any]:
    assert view.place is not None
    place = {"stack": view.place.stack, "role": view.place.role, "name": _(view.place.name)}
    return {"slug": view.slug, "number": number, "title": _(view.title), **place}
