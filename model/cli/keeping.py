"""The commands `backup` and `restore`: save and restore all runs and imported models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

File = Annotated[Path, typer.Argument(help="The file, a .tar.gz.")]


def backup(file: File) -> None:
    """Write all runs and imported models to one file, also while something is trained."""
    from model.backup import save

    typer.echo(f"{save(file)} files are in {file}.")


def restore(file: File) -> None:
    """Bring back what a backup holds, to where no run and no imported model lies yet."""
    from model.backup import restore as bring_back

    typer.echo(f"{bring_back(file)} files were restored.")
