"""The stage: one moving picture of the whole model, on one sentence, with its own numbers."""

import json
from collections.abc import Callable
from functools import lru_cache

from app.components.shared import mount, read_address
from app.data.stage import ROLES, StageData, stage_data
from app.data.translation import Translation
from app.format import visible
from app.i18n import _, current
from app.registry import Address
from app.stage.notes import NOTES
from app.stage.words import STOPS, texts
from app.ui.chosen import language_name, model_name, pair


def draw_stage(
    translation: Translation,
    *,
    key: str,
    on_open: Callable[[Address], None] | None = None,
    full: bool = False,
    film: bool = False,
    stop: str = "",
) -> None:
    """Show the stage of a translation; `full` fills the window and writes its stop to the address.

    As a `film` it plays the whole way by itself, and its stops open the tour. It begins at a
    `stop`. `on_open` is called with the screen that a door of it leads to.
    """
    link = (translation.model, translation.text)
    fixed = payload(stage_data(translation), link, full, film, current())
    mount("stage", read_address, key=key, fixed=fixed, chosen=stop or None, on_event=on_open)


@lru_cache(maxsize=4)
def payload(data: StageData, link: tuple[str, str], full: bool, film: bool, _language: str) -> str:
    """Return what the browser draws, as JSON; kept, as each run of a page asks for it.

    A `link` to it names the model and the sentence.
    """
    model, sentence = link
    facts = json.loads(data.facts)
    for token in (*facts["src"], *facts["tgt"]):
        token["t"] = visible(token["t"])
    facts["top"] = [[visible(text) for text in row] for row in facts["top"]]
    source, target = (language_name(code) for code in pair(model))
    activation = {"relu": "ReLU", "gelu": "GELU", "swish": "Swish"}[facts["config"]["activation"]]
    roles = {role: _(name) for role, name in ROLES.items()}
    words = [
        {
            "slug": stop.slug,
            "title": _(stop.title),
            "text": _(stop.text_for(facts["config"])),
            "note": _(NOTES[stop.slug]),
            "doors": [{"label": _(label), **at._asdict()} for label, at in stop.doors],
        }
        for stop in STOPS
    ]
    return json.dumps(
        {
            "packed": data.packed,
            "shapes": data.shapes,
            "facts": facts,
            "words": words,
            "text": texts() | {"roles": roles},
            "values": {
                "source": source,
                "target": target,
                "activation": activation,
                "model": model_name(model),
            },
            "link": {"model": model, "text": sentence},
            "full": full,
            "film": film,
        },
        ensure_ascii=False,
    )
