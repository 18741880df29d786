"""The command line: `python -m model train | translate | evaluate | capture | info | …`.

Each command imports what it needs: a training that waits in the queue must not hold PyTorch.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from model.cli.analogies import analogies
from model.cli.atlas import atlas
from model.cli.options import AsJson, BatchSize, Beam, Model
from model.cli.train import file_option, option_of, train
from model.errors import UserError, reason
from model.text.pairs import read_pairs
from model.training.presets import suited

if TYPE_CHECKING:
    from model.checkpoint import Checkpoint

app = typer.Typer(
    help="Train, run and look into a Transformer, or one of the recurrent translators before it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(train)
app.command()(analogies)
app.command()(atlas)
log = logging.getLogger(__name__)


@app.command()
def translate(model: Model, beam: Beam = 4, batch_size: BatchSize = 64) -> None:
    """Translate lines from standard input, in UTF-8; one line out for each line in."""
    from model.decoding.search import translate_lines

    loaded = _load(model)
    notices: list[str] = []
    lines = _lines(notices)
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    for translation in translate_lines(
        loaded.model, loaded.tokenizer, lines, beam, batch_size, notices=notices
    ):
        typer.echo(translation)
    for notice in notices:
        log.warning(notice)


def _lines(notices: list[str]) -> Iterator[str]:
    """Read standard input; a line that is not UTF-8 becomes a blank one, with a notice."""
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            yield line.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            notices.append(f"Line {number}: It is not UTF-8 text, and is left blank.")
            yield ""


@app.command()
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
) -> None:
    """Score a model with BLEU and chrF, with sacrebleu's signatures."""
    from model import checkpoint
    from model.training.evaluate import score, score_by_length, translate_pairs

    loaded = _load(model)
    pairs = read_pairs([data], "data")
    start = time.perf_counter()
    translations = translate_pairs(loaded.model, loaded.tokenizer, pairs, beam, batch_size)
    scores = asdict(score(translations, [pair.tgt for pair in pairs]))
    scores["seconds"] = round(time.perf_counter() - start, 1)
    lengths: dict[str, Any] = {}
    if by_length:
        groups = score_by_length(translations, pairs)
        lengths["by_length"] = [asdict(group) for group in groups]
    result = scores | lengths
    rows = (f"{name}: {value}" for name, value in result.items())
    typer.echo(json.dumps(result, indent=1) if as_json else "\n".join(rows))
    if record:
        named = {f"{record}_{name}": groups for name, groups in lengths.items()}
        checkpoint.record(loaded, {record: scores} | named)


@app.command()
def capture(
    model: Model,
    sentence: Annotated[str, typer.Argument(help="The sentence to translate.")],
    out: Annotated[Path, typer.Option(help="The safetensors file to write.")],
    beam: Beam = 4,
) -> None:
    """Translate one sentence, and write every number inside the model to a file."""
    from model.decoding.search import translate_ids, truncate
    from model.interpret.capture import capture as make_capture

    loaded = _load(model)
    if not sentence.strip():
        raise ValueError("There is nothing to translate: the sentence is blank.")
    config = loaded.config
    ids = [*loaded.tokenizer.encode(sentence.strip()), config.eos_id]
    src_ids, notice = truncate(ids, config.max_len)
    if notice:
        log.warning(notice)
    (tgt_ids,) = translate_ids(loaded.model, [src_ids], beam)
    tgt_in = [config.bos_id, *tgt_ids][: config.max_len]
    captured = make_capture(loaded.model, loaded.tokenizer, src_ids, tgt_in)
    typer.echo(loaded.tokenizer.decode(tgt_ids))
    captured.save(out)


@app.command()
def info(folder: Annotated[str, typer.Argument(help="A model folder, or a name.")]) -> None:
    """Show a model's configuration, parameters, scores and where it comes from."""
    from model.nn.translator import n_parameters

    loaded = _load(folder, "folder")
    table = Table(show_header=False)
    rows = {"folder": loaded.folder, "parameters": f"{n_parameters(loaded.model):,}"}
    settings = suited(loaded.config.to_dict(), loaded.config.arch)
    for name, value in (rows | settings | loaded.metrics).items():
        if name != "plan":
            table.add_row(name, json.dumps(value) if isinstance(value, dict) else str(value))
    Console().print(table)


def _load(name: str, option: str = "model") -> Checkpoint:
    """Load a model; the CheckpointError names the option."""
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


def main() -> None:
    """Run the command line; what people can put right is one sentence, about an option or not."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        app()
    except (ValueError, OSError) as error:
        log.debug("details", exc_info=True)
        sentence = str(error)
        if isinstance(error, UserError) and error.field:
            sentence = f"{option_of(error.field)}: {error.text}"
        if isinstance(error, OSError):
            sentence = f"{error.filename or 'The system'}: {reason(error).text}."
        typer.echo(f"Error: {sentence}", err=True)
        raise SystemExit(2) from None
