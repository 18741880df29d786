"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from model.errors import UserError

if TYPE_CHECKING:
    from model.checkpoint import Checkpoint

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


def file_option(help_: str, *names: str, **more: Any) -> Any:
    """Return an option for an existing file."""
    return typer.Option(*names, help=help_, exists=True, dir_okay=False, **more)


def one_of(names: Iterable[str]) -> Callable[[typer.CallbackParam, str | None], str | None]:
    """Return a callback that checks that an option is one of the names."""

    def check(option: typer.CallbackParam, value: str | None) -> str | None:
        if value is not None and value not in names:
            raise UserError("not_one_of", option.name or "", value=value, names=", ".join(names))
        return value

    return check


def check_text(argument: str) -> None:
    """Raise UserError for an argument that is not UTF-8, which no page or file could hold."""
    try:
        argument.encode()
    except UnicodeEncodeError as error:
        what = f"{argument!a} is not UTF-8 text."
        raise UserError("plain", what=what) from error


def option_of(name: str) -> str:
    """Return the option of a setting."""
    return f"--{name.replace('_', '-')}"


def refusal(option: str, message: str) -> UserError:
    """Return an error to raise about an option."""
    return UserError("plain", option, what=message)


def contradiction(one: str, other: str, why: str) -> UserError:
    """Return an error to raise because two options contradict each other, with the reason."""
    return refusal(one, f"It contradicts {option_of(other)}: {why}")


def load_model(name: str, option: str = "model") -> Checkpoint:
    """Load a model; raises CheckpointError naming the option."""
    from model import checkpoint

    try:
        return checkpoint.load(name)
    except checkpoint.CheckpointError as error:
        error.field = option
        if error.code != "no_model":
            raise
        known = ", ".join(checkpoint.pretrained_names()) or "none yet"
        what = f"{error.text} Pretrained models: {known}."
        raise UserError("plain", option, what=what) from error
