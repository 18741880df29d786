"""The commands `atlas` and `evidence`: what each head does, and whether attention explains."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from model.cli.options import Model, load_model
from model.errors import UserError


def atlas(
    model: Model,
    out: Annotated[
        Path | None, typer.Option(help="The JSON file to write; else beside the model.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="TSV of pairs to measure on; else what the model's task held out."),
    ] = None,
    source: Annotated[
        str, typer.Option(help="Language of the phrase book to measure on instead: es or fr.")
    ] = "",
    sentences: Annotated[int, typer.Option(min=1, help="Sentences to measure on.")] = 1000,
    gold: Annotated[
        list[Path] | None,
        typer.Option(help="TSV of pairs with sure and possible links, to score alignment on."),
    ] = None,
    snapshot: Annotated[
        list[str] | None,
        typer.Option(help="A model of an earlier step of the same training; may be repeated."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Draws the sentences of the phrase book.")] = 0,
) -> None:
    """Measure every head of a model; what was done is kept, so that a killed run goes on.

    A run's model is followed over its training by its film, any model by its --snapshot.
    """
    from model.atlas.atlas import NAME
    from model.atlas.build import build
    from model.atlas.sample import Sample, phrase_sample, sample_for
    from model.tasks.phrases import LANGUAGES
    from model.text.pairs import read_alignments, read_pairs

    loaded = load_model(model)
    out = out or loaded.folder / NAME
    if data:
        sample = Sample(data.name, tuple(read_pairs([data], "data")[:sentences]))
    elif source in LANGUAGES:
        sample = phrase_sample(source, sentences, seed)
    elif source:
        what = f"The phrase book is written in {' and '.join(LANGUAGES)}: name one, or a file."
        raise UserError("plain", "source", what=what)
    else:
        sample = sample_for(loaded, sentences, seed)
    known = [
        Sample(path.name, tuple(one.pair for one in found), tuple(found))
        for path in gold or []
        for found in [read_alignments(path, "gold")]
    ]
    with _kept(out, "heads") as (parts, track):
        snapshots = [load_model(name, "snapshot") for name in snapshot or []]
        build(loaded, sample, known, parts, seed, track, snapshots=snapshots).save(out)


def evidence(
    model: Model,
    out: Annotated[Path, typer.Option(help="The JSON file to write.")],
    source: Annotated[
        str, typer.Option(help="Language of the phrase book, es or fr; else the model's languages.")
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
    from model.languages import languages_of
    from model.tasks.phrases import DIRECTIONS, LANGUAGES

    loaded = load_model(model)
    if loaded.config.recurrent:
        raise UserError("plain", "model", what="Only a Transformer has layers of attention.")
    pair = (source, "en") if source else languages_of(loaded.metrics, loaded.folder.name)
    if pair not in DIRECTIONS:
        what = f"The phrase book is written in {' and '.join(LANGUAGES)}: name one."
        raise UserError("plain", "source", what=what)
    sample = phrase_sample(pair[0], sentences, seed, target=pair[1])
    with _kept(out, "sentences") as (parts, track):
        measure(loaded, sample, searched, seed, parts, track).save(out)


@contextmanager
def _kept(out: Path, what: str) -> Iterator[tuple[Path, Callable[[int, int], None]]]:
    """Give a folder for what is measured, gone once the file is written, and a bar's function."""
    parts = out.with_name(f".{out.name}.parts")
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task(what)
        yield parts, lambda done, total: bar.update(task, completed=done, total=total)
    shutil.rmtree(parts)
