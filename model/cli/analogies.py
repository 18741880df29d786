"""The command `analogies`: which analogies the word vectors of a trained model solve."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from model.cli.options import AsJson, Model


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
