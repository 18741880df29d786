"""The models for notebooks, scripts and the command line; docs/notebook.ipynb shows how.

    from app.notebook import load
    model = load("es-en")
    capture = model.translate("El gato negro duerme en la vieja silla de mi abuela.")
    muted = capture.change("mute-cross-1")
    muted.show("wall").save("muted.html")

This module is in app, not in model, because it draws with the components of the pages, which model
does not know. It computes through the same functions as the pages do. Layers and heads count from
0, as in the arrays.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final, get_args

import numpy as np

from app import i18n
from app.components.document import VIEWS, Figure
from app.data.atlas import first_head
from app.data.changed import run_walk
from app.data.decoding import Decoding, Method
from app.data.translation import (
    Kind,
    ModelUnavailableError,
    Translation,
    model_names,
    sentences_of,
)
from app.data.translation import load as load_model
from app.inspector.attention import kinds
from app.inspector.saved import REPORT, report, saved
from app.ui.chosen import way_name

MAX_BEAM: Final = 100


@dataclass(frozen=True, eq=False, repr=False)
class Capture:
    """One translated sentence with every number of its run, and the language of its figures."""

    translation: Translation
    language: str = i18n.DEFAULT

    @property
    def output(self) -> str:
        """Return the translation."""
        return self.translation.output

    @property
    def arrays(self) -> Mapping[str, np.ndarray]:
        """Return every array of the run by its name; they are read-only."""
        return self.translation.capture.arrays

    def weights(self, kind: Kind, layer: int, head: int | None = None) -> np.ndarray:
        """Return attention weights, (T, S) for one head or (H, T, S) for all heads.

        Raises ValueError for a layer or head that the model does not have.
        """
        return self.translation.capture.weights(kind, layer, head)

    def change(self, changes: str) -> Capture:
        """Translate again with changes of the run, written as in the address of a page.

        "mute-cross-2-3_4" ablates two heads; "~" separates two changes. Layers and heads count
        from 0, as in the arrays. Raises ValueError for a text that describes no change, and for a
        layer, head or word that is not there.
        """
        shown = self.translation
        joined = "~".join(filter(None, (shown.changes, changes)))
        return _run(Model(shown.model, self.language), shown.text, shown.decoding, joined)

    def show(
        self,
        view: str = "matrix",
        kind: Kind = "cross",
        layer: int | None = None,
        head: int | None = None,
    ) -> Figure:
        """Draw the attention as a matrix, a wall of all heads, or lines.

        The figure holds all three views and opens with `view`. A "report" is laid out for paper,
        with the tokens and every step. Without a layer and head, the figure first shows the most
        informative head. Raises ValueError for a layer or head that the model does not have.
        """
        shown, there = self.translation, kinds(self.translation)
        layers = shown.capture.n_layers(kind)
        first = first_head(shown.model, kind)
        layer = max(first.layer, 0) if layer is None else layer
        head = first.head if head is None else head
        has_none = view == REPORT and not there
        if view not in (*VIEWS, REPORT) or not (kind in there or has_none):
            raise ValueError(f"There is no view {view!r} of {kind!r} attention.")
        for name, at, count in (("layer", layer, layers), ("head", head, shown.capture.n_heads)):
            if not (has_none or 0 <= at < count):
                raise ValueError(f"There is no {name} {at}, only 0 to {count - 1}.")
        with i18n.speaking(self.language):
            if view == REPORT:
                return Figure(report(shown, kind, layer, head))
            return Figure(saved(shown, view, kind, layer, head))

    def __repr__(self) -> str:
        shown, capture = self.translation, self.translation.capture
        with i18n.speaking(self.language):
            way = way_name(shown.decoding)
        layers = (f"{kind} {capture.n_layers(kind)}" for kind in kinds(shown))
        told = {
            "source": shown.text,
            "output": shown.output,
            "model": f"{shown.model}, {way}",
            "changes": shown.changes or "none",
            "tokens": f"{len(capture.src)} read, {len(capture.tgt)} written",
            "layers": f"{', '.join(layers) or 'none with attention'}; {capture.n_heads} heads each",
            "arrays": f"{len(capture.arrays)}, by name in `arrays`",
        }
        return "\n".join(f"{name}: {' '.join(text.split())}" for name, text in told.items())

    def _repr_html_(self) -> str:
        return self.show(kind=kinds(self.translation)[0])._repr_html_()


@dataclass(frozen=True)
class Model:
    """A model, given by its name, and the language of its figures."""

    name: str
    language: str = i18n.DEFAULT

    def translate(self, text: str, beam: int = 4, sentence: int = 0) -> Capture:
        """Translate a sentence, greedily with a `beam` of 1; raises ValueError for a blank one.

        Of several sentences, each is translated by itself: `sentence` counts from 0.
        """
        _check_beam(beam)
        way = Decoding("greedy") if beam == 1 else Decoding("beam", beam=beam)
        return _run(self, (sentences_of(text) or [text])[sentence], way)


def load(name: str, language: str = i18n.DEFAULT) -> Model:
    """Return a model of `pretrained/`, or one trained here as "runs/NAME".

    The texts in its figures are in English, Spanish or French: "en", "es" or "fr". Raises
    ValueError for a model that cannot be used.
    """
    try:
        load_model(name)
    except ModelUnavailableError as error:
        known = ", ".join(model_names())
        raise ValueError(f"There is no model {name!r} that can be used, only {known}.") from error
    return Model(name, language)


def _check_beam(beam: int) -> None:
    if not 1 <= beam <= MAX_BEAM:
        raise ValueError(f"A beam is 1 to {MAX_BEAM} wide, not {beam}.")


def _run(model: Model, text: str, way: Decoding, changes: str = "") -> Capture:
    walk = run_walk(model.name, text, way, changes, all_of_them=True)
    return Capture(walk.translation, model.language)


def main() -> None:
    """Write a translation's attention as one HTML file; `book`: screens of the app as a book."""
    if sys.argv[1:2] == ["book"]:
        pack = import_module("app.live.pack").write
        import_module("app.book.command").main(sys.argv[2:], pack)
        return
    parser = argparse.ArgumentParser(prog="python -m app.notebook", description=main.__doc__)
    parser.add_argument("text", help="the sentence to translate")
    parser.add_argument("--model", default="es-en", help="a name in pretrained/, or runs/NAME")
    parser.add_argument("--decoding", choices=get_args(Method), default="beam")
    parser.add_argument("--beam", type=int, default=4, help="width of the beam")
    parser.add_argument("--temperature", type=float, default=1.0, help="of sampling")
    parser.add_argument("--top-k", type=int, default=0, help="of sampling")
    parser.add_argument("--top-p", type=float, default=1.0, help="of sampling")
    parser.add_argument("--seed", type=int, default=0, help="of sampling")
    parser.add_argument(
        "--change", default="", help="of the run, as in an address: layers and heads count from 0"
    )
    parser.add_argument("--view", choices=[*VIEWS, REPORT], default="matrix")
    parser.add_argument("--kind", choices=get_args(Kind), default="cross")
    for place in ("--layer", "--head"):
        parser.add_argument(place, type=int, help="counted from 1; else one worth looking at")
    parser.add_argument("--language", choices=list(i18n.LANGUAGES), default=i18n.DEFAULT)
    parser.add_argument("--out", type=Path, default=Path("attention.html"), help="the file")
    asked = parser.parse_args()
    try:
        asked.text.encode()
    except UnicodeEncodeError:
        parser.error(f"The sentence is not UTF-8 text: {asked.text!a}")
    shaped = {"temperature": asked.temperature, "top_k": asked.top_k, "top_p": asked.top_p}
    way = {
        "greedy": Decoding("greedy"),
        "beam": Decoding("beam", beam=asked.beam),
        "sample": Decoding("sample", seed=asked.seed, **shaped),
    }[asked.decoding]
    try:
        _check_beam(asked.beam)
        text = (sentences_of(asked.text) or [asked.text])[0]
        capture = _run(load(asked.model, asked.language), text, way, asked.change)
        config = capture.translation.capture.config
        counts = {"layer": config.n_attentions(asked.kind), "head": config.n_heads}
        for name, count in counts.items():
            at = getattr(asked, name)
            if at is not None and not 1 <= at <= count:
                parser.error(f"--{name}: {at} does not work: choose 1 to {count}.")
        layer, head = (None if at is None else at - 1 for at in (asked.layer, asked.head))
        capture.show(asked.view, asked.kind, layer, head).save(asked.out)
    except (ValueError, OSError) as error:
        parser.error(str(error) or "there is nothing to translate")


if __name__ == "__main__":
    main()
