"""The options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Model = Annotated[str, typer.Option("--model", help="A model folder, or a name in pretrained/.")]
Beam = Annotated[int, typer.Option(min=1, max=100, help="Beam width; 1 is greedy.")]
BatchSize = Annotated[int, typer.Option(min=1, help="Sentences translated at once.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
