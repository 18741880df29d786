"""The commands `evaluate` and `analogies`: how well a model translates, and knows its words."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from model.cli.options import (
    AsJson,
    BatchSize,
    Beam,
    EngineName,
    Model,
    WithEngine,
    contradiction,
    file_option,
    load_model,
)
from model.text.pairs import read_pairs


def evaluate(
    model: Model,
    data: Annotated[Path, file_option("TSV of sentence pairs to score on.")],
    beam: Beam = 4,
    batch_size: BatchSize = 64,
    by_length: Annotated[
        bool, typer.Option("--by-length", help="Score by the words of the source, too.")
    ] = False,
    as_json: AsJson = False,
    record: Annotated[
        str | None, typer.Option(help="Keep the scores in the model's metrics under this name.")
    ] = None,
    engine: WithEngine = "torch",
) -> None:
    """Score a model with BLEU and chrF, with sacrebleu's signatures."""
    from model import checkpoint
    from model.training.evaluate import score, score_by_length

    if record and engine != "torch":
        why = "a model keeps only the scores that PyTorch gives it."
        raise contradiction("record", "engine", why)
    translate_lines = _translator(model, engine)
    pairs = read_pairs([data], "data")
    start = time.perf_counter()
    translations = list(translate_lines((pair.src for pair in pairs), beam, batch_size))
    scores = asdict(score(translations, [pair.tgt for pair in pairs]))
    scores["seconds"] = round(time.perf_counter() - start, 1)
    lengths: dict[str, Any] = {}
    if by_length:
        groups = score_by_length(translations, pairs)
        lengths["by_length"] = [asdict(group) for group in groups]
    if as_json:
        typer.echo(json.dumps(scores | lengths, indent=1))
    else:
        _print(scores, lengths.get("by_length", []))
    if record:
        named = {f"{record}_{name}": groups for name, groups in lengths.items()}
        checkpoint.record(load_model(model), {record: scores} | named)


def _translator(name: str, engine: EngineName) -> Callable[..., Iterator[str]]:
    """Return a function that translates lines, with a model by name or an exported one."""
    if engine == "ctranslate2":
        from model.export import Engine

        return Engine(Path(name)).translate_lines
    from model.decoding.search import translate_lines

    loaded = load_model(name)
    return partial(translate_lines, loaded.model, loaded.tokenizer)


def _print(scores: Mapping[str, Any], groups: list[Mapping[str, Any]]) -> None:
    """Print a row for all pairs and for each group, and the signatures to compare scores by."""
    table = Table("words", "pairs", "BLEU", "chrF", "exact")
    for group in groups:
        first, last = group["words"]
        table.add_row(f"{first}–{last}", *_numbers(group), "")
    table.add_row("all", *_numbers(scores), f"{scores['exact']:.1f} %")
    console = Console()
    console.print(table)
    for signature in scores["signatures"].values():
        console.print(signature, soft_wrap=True)
    console.print(f"translated in {scores['seconds']} s")


def _numbers(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return f"{row['n']:,}", f"{row['bleu']:.1f}", f"{row['chrf']:.1f}"


def analogies(
    model: Model,
    data: Annotated[
        Path | None,
        typer.Option(help="Questions of four words a line, below lines ': category'; else ours."),
    ] = None,
    as_json: AsJson = False,
    record: Annotated[
        str | None, typer.Option(help="Keep the counts in the model's metrics under this name.")
    ] = None,
) -> None:
    """Ask a model's target embeddings: a is to b as c is to which word?

    Asked are the questions whose four words the model knows as one piece each.
    """
    from model import checkpoint
    from model.history import analogies as test

    loaded = checkpoint.load(model)
    vectors = loaded.model.tgt_embed.weight.detach().double().numpy()
    words = test.whole_words(loaded.tokenizer)
    asked = test.read_questions(data) if data else test.OURS
    known = words if data else test.without_capitals(words)
    scores = {
        category: test.score(test.answers(vectors, known, questions), questions)
        for category, questions in asked.items()
    }
    total = test.total(scores.values())
    categories = {name: asdict(score) for name, score in scores.items() if score.asked}
    result = asdict(total) | {"categories": categories}
    if as_json:
        typer.echo(json.dumps(result, indent=1))
    else:
        table = Table("category", "right", "asked", "questions")
        for name, score in (*scores.items(), ("all", total)):
            table.add_row(name, str(score.right), str(score.asked), str(score.questions))
        Console().print(table)
    if record:
        checkpoint.record(loaded, {record: result})
