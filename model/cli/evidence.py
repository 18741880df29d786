"""The command `evidence`: measures whether a model's attention explains its output."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from model.cli.options import Model, load_model
from model.errors import UserError


def evidence(
    model: Model,
    out: Annotated[Path, typer.Option(help="The JSON file to write.")],
    source: Annotated[
        str, typer.Option(help="Language of the phrase book, es or fr; else as the model's name.")
    ] = "",
    sentences: Annotated[int, typer.Option(min=1, help="Sentences, of each one token.")] = 200,
    searched: Annotated[
        int, typer.Option(min=1, help="Of these, how many other attention is looked for in.")
    ] = 40,
    seed: Annotated[int, typer.Option(help="Draws the sentences and the tokens.")] = 0,
) -> None:
    """Compare attention with experiments and gradients; what was done is kept."""
    from model.atlas.evidence import measure
    from model.atlas.sample import phrase_sample
    from model.tasks.phrases.phrase_book import WRITERS

    loaded = load_model(model)
    if loaded.config.recurrent:
        raise UserError("plain", "model", what="Only a Transformer has layers of attention.")
    language = source or loaded.folder.name.partition("-")[0]
    if language not in WRITERS:
        what = f"The phrase book is written in {' and '.join(WRITERS)}: name one."
        raise UserError("plain", "source", what=what)
    parts = out.with_name(f".{out.name}.parts")
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("sentences")
        found = measure(
            *(loaded, phrase_sample(language, sentences, seed), searched, seed, parts),
            track=lambda done, total: bar.update(task, completed=done, total=total),
        )
    found.save(out)
    shutil.rmtree(parts)
