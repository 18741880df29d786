"""`python -m model import marian FOLDER --name NAME`: take in a model of another maker."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Take in a model of another maker.", no_args_is_help=True)


@app.callback()
def choose() -> None:
    """Let `import` have a command a maker."""


@app.command()
def marian(
    folder: Annotated[Path, typer.Argument(help="A model's folder as Hugging Face saves it.")],
    name: Annotated[str, typer.Option(help="What to call it here.")],
) -> None:
    """Take in a Marian model, such as those of OPUS-MT; every page can use it then."""
    from model import imported
    from model.nn.translator import n_parameters

    loaded = imported.take_in(folder, name)
    size = sum(file.stat().st_size for file in loaded.folder.iterdir()) / 1e6
    millions = n_parameters(loaded.model) / 1e6
    typer.echo(
        f"{imported.OF_IMPORT}{loaded.folder.name}: {millions:.1f} M parameters, {size:.0f} MB"
    )
