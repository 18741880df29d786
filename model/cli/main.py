"""The command line: `python -m model COMMAND`, with one file for each larger command.

Each command imports what it needs, because a training in the queue must not load torch yet.
"""

import io
import json
import logging
import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from model.cli import importing
from model.cli.atlas import atlas, evidence
from model.cli.evaluate import analogies, evaluate
from model.cli.hyperparameters import in_preset, text_of
from model.cli.options import Beam, Format, Model, Weights, check_text, load_model, option_of
from model.cli.train import train
from model.cli.translate import translate
from model.config import RECURRENT_ONLY, ModelConfig, TrainConfig
from model.errors import UserError, reason
from model.settings import settings_of
from model.tasks import TASKS
from model.training.presets import PRESETS, suited

app = typer.Typer(
    help="Train, run and look into a Transformer, or one of the recurrent translators before it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(train)
app.command()(translate)
app.command()(evaluate)
app.command()(analogies)
app.command()(atlas)
app.command()(evidence)
log = logging.getLogger(__name__)
File = Annotated[Path, typer.Argument(help="The file, a .tar.gz.")]


@app.command()
def presets() -> None:
    """Show the settings of each preset of `train`; any can be changed by its option."""
    table = Table("option", *PRESETS)
    for name, declared in (settings_of(ModelConfig) | settings_of(TrainConfig)).items():
        if declared.setting.help and name not in (*RECURRENT_ONLY, "bf16"):
            table.add_row(option_of(name), *(in_preset(name, one) for one in PRESETS))
    console = Console()
    console.print(table)
    console.print("A task changes some of them: `python -m model tasks`.")


@app.command()
def tasks() -> None:
    """Show the tasks of `train`: an example, the preset, the pairs, and the settings of its own."""
    table = Table("task", "example", "preset", "pairs", "its own settings", show_lines=True)
    for task in TASKS.values():
        own = (f"{name} {text_of(value)}" for name, value in task.settings.items())
        example = f"{task.probe.src} → {task.probe.tgt}"
        table.add_row(task.name, example, task.preset, f"{task.pairs:,}", ", ".join(own))
    Console().print(table)


@app.command()
def backup(file: File) -> None:
    """Write all runs and imported models to one file, also while something is trained."""
    from model.backup import save

    typer.echo(f"{save(file)} files are in {file}.")


@app.command()
def restore(file: File) -> None:
    """Bring back what a backup holds, to where no run and no imported model lies yet."""
    from model.backup import restore as bring_back

    typer.echo(f"{bring_back(file)} files were restored.")


app.add_typer(importing.app, name="import")


@app.command()
def capture(
    model: Model,
    sentence: Annotated[str, typer.Argument(help="The sentence to translate.")],
    out: Annotated[Path, typer.Option(help="The safetensors file to write.")],
    beam: Beam = 4,
) -> None:
    """Translate one sentence, and write every number inside the model to a file.

    Of several sentences, the first is taken.
    """
    from model.decoding.limits import truncate
    from model.decoding.search import translate_ids
    from model.interpret.recording import capture as make_capture

    loaded = load_model(model)
    readings = loaded.tokenizer.readings(sentence)
    if not readings:
        raise ValueError("There is nothing to translate: the sentence is blank.")
    config = loaded.config
    ids = [*loaded.tokenizer.encode(readings[0].text), config.eos_id]
    src_ids, notice = truncate(ids, config.max_len)
    if notice:
        log.warning(notice)
    (tgt_ids,) = translate_ids(loaded.model, [src_ids], beam)
    tgt_in = [config.bos_id, *tgt_ids][: config.max_len]
    captured = make_capture(loaded.model, loaded.tokenizer, src_ids, tgt_in)
    typer.echo(readings[0].restored(loaded.tokenizer.decode(tgt_ids)))
    captured.save(out)


@app.command()
def export(
    name: Annotated[str, typer.Argument(help="A model folder, or a name in pretrained/.")],
    out: Annotated[Path, typer.Option(help="The new folder to write.")],
    to: Format = "ctranslate2",
    weights: Weights = "float32",
) -> None:
    """Write a model for CTranslate2, which translates the same in less time."""
    from model.export import export as write

    write(load_model(name, ""), out, weights)
    megabytes = sum(file.stat().st_size for file in out.iterdir()) / 1e6
    typer.echo(f"{out}: {megabytes:.0f} MB, weights in {weights}.")


@app.command()
def info(folder: Annotated[str, typer.Argument(help="A model folder, or a name.")]) -> None:
    """Show a model's configuration, parameters, scores and where it comes from."""
    from model.nn.translator import n_parameters

    loaded = load_model(folder, "")
    table = Table(show_header=False)
    rows = {"folder": loaded.folder, "parameters": f"{n_parameters(loaded.model):,}"}
    settings = suited(loaded.config.to_dict(), loaded.config.arch)
    for name, value in (rows | settings | loaded.metrics).items():
        if name != "plan":
            table.add_row(name, json.dumps(value) if isinstance(value, dict) else str(value))
    Console().print(table)


def main() -> None:
    """Run the command line; print an error that users can fix as one sentence with its option."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a letter that it does not know becomes "?"
            stream.reconfigure(errors="replace")
    try:
        for argument in sys.argv[1:]:
            check_text(argument)
        app()
    except (ValueError, OSError) as error:
        log.debug("details", exc_info=True)
        sentence = str(error)
        if isinstance(error, UserError) and error.field:
            sentence = f"{option_of(error.field)}: {error.text}"
        if isinstance(error, OSError):
            sentence = f"{error.filename or 'The system'}: {reason(error).text}."
        _refuse(f"Error: {sentence}")
        raise SystemExit(2) from None


def _refuse(sentence: str) -> None:
    """Print why nothing is done; under torchrun only once, at the end of torchrun's own report."""
    if os.environ.get("RANK", "0") == "0":
        typer.echo(sentence, err=True)
    if report := os.environ.get("TORCHELASTIC_ERROR_FILE"):
        error = {"message": sentence, "timestamp": int(time.time())}
        Path(report).write_text(json.dumps(error), encoding="utf-8")
