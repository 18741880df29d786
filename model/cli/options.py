"""The options that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

Model = Annotated[str, typer.Option("--model", help="A model folder, or a name in pretrained/.")]
Beam = Annotated[int, typer.Option(min=1, max=100, help="Beam width; 1 is greedy.")]
BatchSize = Annotated[int, typer.Option(min=1, help="Sentences translated at once.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
EngineName = Literal["torch", "ctranslate2"]
WithEngine = Annotated[
    EngineName,
    typer.Option(help="What runs the model: PyTorch, or CTranslate2 a folder that `export` wrote."),
]
Format = Annotated[Literal["ctranslate2"], typer.Option("--format", help="The engine's name.")]
Weights = Annotated[
    Literal["float32", "bfloat16", "int8"], typer.Option(help="How the weights are stored.")
]
