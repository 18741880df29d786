"""`python -m model import marian NAME`: imports a third-party model by its name or files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TransferSpeedColumn,
)

if TYPE_CHECKING:
    from model.hub.offer import HubOffer
    from model.runs.plan import Status

app = typer.Typer(help="Take in a model of another maker.", no_args_is_help=True)


@app.callback()
def choose() -> None:
    """Let `import` have a command a maker."""


@app.command()
def marian(
    source: Annotated[
        str,
        typer.Argument(
            help="A model's name on the hub, such as Helsinki-NLP/opus-mt-de-en, or its folder "
            "as Hugging Face saves it."
        ),
    ],
    name: Annotated[str, typer.Option(help="What to call it here, if not as there.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be fetched.")
    ] = False,
) -> None:
    """Take in a Marian model, such as those of OPUS-MT; every page can use it then."""
    from model import checkpoint, imported

    folder = Path(source)
    if folder.is_dir() or folder.is_absolute():
        loaded = imported.take_in(folder, name or folder.resolve().name)
    else:
        fetched = _fetch(source, name, dry_run)
        if fetched is None:
            return
        loaded = checkpoint.load(imported.OF_IMPORT + fetched)
    from model.nn.translator import n_parameters

    size = sum(file.stat().st_size for file in loaded.folder.iterdir()) / 1e6
    millions = n_parameters(loaded.model) / 1e6
    typer.echo(
        f"{imported.OF_IMPORT}{loaded.folder.name}: {millions:.1f} M parameters, {size:.0f} MB"
    )


def _fetch(source: str, name: str, dry_run: bool) -> str | None:
    """Print what a hub offers under a name, download and import it; return its name here."""
    from model.hub import job, worker
    from model.hub.fetch import ask

    offer = ask(source)
    languages = " → ".join(offer.direction or ()) or ", ".join(offer.languages) or "not stated"
    typer.echo(f"{offer.repository} at commit {offer.commit}")
    typer.echo(f"languages: {languages}; licence: {offer.licence or 'not stated'}")
    typer.echo(f"{len(offer.files)} files, {offer.size / 1e6:.1f} MB")
    if dry_run:
        return None
    folder = job.prepare(offer, name)
    fetching = job.current()
    assert fetching is not None
    with closing(worker.steps(folder)) as states:
        _show(states, offer)
    job.discard()
    return fetching.name


def _show(states: Iterator[Status], offer: HubOffer) -> None:
    """Show the bytes, rate and time of the download as it runs."""
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeElapsedColumn())
    bar = Progress(TextColumn("{task.description}"), *columns, console=Console(stderr=True))
    with bar:
        task = bar.add_task("fetching", total=offer.size)
        for status in states:
            waits = status.state == "queued"
            text = "waiting for another one" if waits else "fetching"
            bar.update(task, completed=status.step, description=text)
