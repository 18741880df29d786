"""The command `translate`: lines in, lines out, with optional results in further columns."""

from __future__ import annotations

import contextlib
import logging
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, BinaryIO, Final

import typer

from model.cli.options import (
    BatchSize,
    Model,
    WithEngine,
    contradiction,
    file_option,
    load_model,
    refusal,
)
from model.errors import UserError
from model.files import replacing

if TYPE_CHECKING:
    from model.checkpoint import Checkpoint
    from model.decoding.beam import Hypothesis
    from model.interpret.alignment import AlignmentHead
    from model.text.reading import Reading

BEAM: Final = 4
# A line holds one translation, and tabs separate its columns.
BLANKS: Final = str.maketrans("\t\r\n", "   ")
Ids = Sequence[int]
Found = tuple[Ids, "Sequence[Hypothesis]"]  # a sentence, and its translations
log = logging.getLogger(__name__)


def translate(
    model: Model,
    source: Annotated[
        Path | None,
        file_option("Lines to translate, in UTF-8 (default: standard input).", "--input"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--output", help="Where to write (default: standard output).")
    ] = None,
    beam: Annotated[
        int | None,
        typer.Option(
            min=1, max=100, help=f"Beam width; 1 is greedy (default: {BEAM}, or --n-best)."
        ),
    ] = None,
    n_best: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100,
            help="Write up to this many different translations of each line, the best first, each "
            "on a line of its own below the line's number, from 1.",
        ),
    ] = None,
    scores: Annotated[
        bool,
        typer.Option(
            "--scores",
            help="Add a column: the mean log-probability of the translation's tokens, <eos> too.",
        ),
    ] = False,
    alignments: Annotated[
        bool,
        typer.Option(
            "--alignments",
            help="Add a column in Pharaoh's format: i-j for each target word j, from 0, where i is "
            "the source word it looks at most, in the head that aligns best by the model's atlas; "
            "without one, in the last decoder layer but one (or the only one), over all heads.",
        ),
    ] = False,
    temperature: Annotated[
        float | None,
        typer.Option(
            help="Draw each token by chance: above 1 more evenly, below 1, but above 0, less."
        ),
    ] = None,
    top_k: Annotated[
        int | None, typer.Option(min=1, help="Draw among this many likeliest tokens alone.")
    ] = None,
    top_p: Annotated[
        float | None,
        typer.Option(
            max=1,
            help="Draw among the fewest likeliest tokens that reach this probability, above 0.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**31 - 1,
            help="The same seed, lines and batch size draw the same translations (default: 0).",
        ),
    ] = None,
    batch_size: BatchSize = 64,
    engine: WithEngine = "torch",
) -> None:
    """Translate lines; one line out for each line in, unless --n-best asks for several.

    Columns are parted by tabs: the line's number (with --n-best), the translation, its score, its
    alignment. --temperature, --top-k and --top-p draw by chance instead of searching with a beam.
    """
    chosen = {"temperature": temperature, "top_k": top_k, "top_p": top_p}
    sampling = {name: float(value) for name, value in chosen.items() if value is not None}
    _refuse_contradictions(sampling, beam, n_best, seed)
    if source is not None and out is not None and out.exists() and out.samefile(source):
        raise contradiction("output", "input", "the file that is read would be written over.")
    if engine == "ctranslate2":
        asked = {"n_best": n_best, "scores": scores or None, "alignments": alignments or None}
        for name, value in (chosen | asked).items():
            if value is not None:
                raise contradiction(name, "engine", "CTranslate2 gives the best translation alone.")
        _run_engine(Path(model), source, out, beam or BEAM, batch_size)
        return
    from model.decoding.search import in_batches

    loaded, notices = load_model(model), list[str]()
    hypotheses = _decoder(loaded, sampling, beam, n_best or 1, seed or 0)
    columns = _columns(loaded, scores, alignments)

    def translated(sources: Sequence[Ids]) -> list[Found]:
        return [*zip(sources, hypotheses(sources), strict=True)]

    with _opened(source) as lines, _writer(out) as write:
        texts = _lines(lines, notices)
        answers = in_batches(
            loaded.config, loaded.tokenizer, texts, translated, batch_size, notices
        )
        for number, of_line in enumerate(answers, start=1):
            for row in columns(of_line):
                write("\t".join([str(number), *row] if n_best else row))
    _warn(notices)


def _run_engine(
    folder: Path, source: Path | None, out: Path | None, beam: int, batch_size: int
) -> None:
    """Translate with a model that was exported for CTranslate2."""
    from model.export import Engine

    exported, notices = Engine(folder), list[str]()
    with _opened(source) as lines, _writer(out) as write:
        texts = _lines(lines, notices)
        for text in exported.translate_lines(texts, beam, batch_size, notices):
            write(text.translate(BLANKS))
    _warn(notices)


def _warn(notices: list[str]) -> None:
    for notice in notices:
        log.warning(notice)


def _refuse_contradictions(
    sampling: dict[str, float], beam: int | None, n_best: int | None, seed: int | None
) -> None:
    for name, value in sampling.items():
        if not value > 0:
            raise UserError("not_above_0", name, value=value)
        if not math.isfinite(value):
            raise UserError("infinite", name, value=value)
        if beam is not None:
            raise contradiction(name, "beam", "one draws by chance, the other takes the best.")
    if seed is not None and not sampling:
        message = "Nothing is drawn by chance without --temperature, --top-k or --top-p."
        raise refusal("seed", message)
    if beam is not None and n_best is not None and n_best > beam:
        why = f"a beam of {beam} does not find {n_best} translations."
        raise contradiction("n_best", "beam", why)


def _decoder(
    loaded: Checkpoint, sampling: dict[str, float], beam: int | None, n: int, seed: int
) -> Callable[[Sequence[Ids]], list[list[Hypothesis]]]:
    """Return a function that translates a batch of encoded sentences, n times each."""
    from model.decoding.sampling import likeliest, sampler
    from model.decoding.search import drawn
    from model.decoding.search import n_best as search_n_best
    from model.nn.packed import packed

    fast, width = packed(loaded.model), beam or max(BEAM, n)
    if width == 1:
        return lambda sources: drawn(fast, sources, likeliest, 1)
    if not sampling:
        text = loaded.tokenizer.decode
        return lambda sources: search_n_best(fast, sources, width, n, text=text)
    temperature, top_p = sampling.get("temperature", 1.0), sampling.get("top_p", 1.0)
    draw = sampler(temperature, int(sampling.get("top_k", 0)), top_p, seed)
    return lambda sources: drawn(fast, sources, draw, n)


def _columns(
    loaded: Checkpoint, scores: bool, alignments: bool
) -> Callable[[Sequence[tuple[Reading, Found]]], list[list[str]]]:
    """Return a function that writes the translations of a line's sentences as rows of columns."""
    from model.interpret.alignment import align

    model, tokenizer = loaded.model, loaded.tokenizer
    aligner = _alignment_head(loaded) if alignments else None

    def row_of(of_line: Sequence[tuple[Reading, Ids, Hypothesis]]) -> list[str]:
        """Join the sentences: the mean of their tokens' log-probabilities, the words of all."""
        texts, links = list[str](), list[str]()
        n_read = n_written = 0
        for reading, src_ids, found in of_line:
            ids = found.tokens[:-1] if found.finished else found.tokens
            texts.append(reading.restored(tokenizer.decode(ids)).translate(BLANKS))
            if aligner is not None:
                pairs = align(model, tokenizer, src_ids, ids, aligner)
                links += [f"{i + n_read}-{j + n_written}" for i, j in pairs]
                n_read += len(tokenizer.decode(src_ids).split())
                n_written += len(texts[-1].split())
        row = [" ".join(texts)]
        if scores:
            n_tokens = sum(len(found.tokens) for *_, found in of_line)
            total = sum(found.log_prob for *_, found in of_line)
            row.append(f"{total / n_tokens:.4f}" if of_line else "")
        return [*row, " ".join(links)] if alignments else row

    def columns(of_line: Sequence[tuple[Reading, Found]]) -> list[list[str]]:
        if not of_line:
            return [row_of([])]
        n = min(len(several) for _, (_ids, several) in of_line)
        return [
            row_of([(one, ids, several[k]) for one, (ids, several) in of_line]) for k in range(n)
        ]

    return columns


def _alignment_head(loaded: Checkpoint) -> AlignmentHead:
    """Return the head that aligns best, or the usual layer where no heads were measured."""
    from model.atlas.atlas import Atlas
    from model.interpret.alignment import AlignmentHead, default_for

    usual, atlas = default_for(loaded.config), Atlas.load_for(loaded.folder)
    if atlas is None or (best := atlas.aligner) is None:
        return usual
    return AlignmentHead(*best.best, late=best.row == "reads")


def _opened(source: Path | None) -> contextlib.AbstractContextManager[BinaryIO]:
    if source is not None:
        return source.open("rb")
    if sys.stdin is None:
        raise refusal("input", "Standard input is closed: name a file.")
    return contextlib.nullcontext(sys.stdin.buffer)


@contextlib.contextmanager
def _writer(out: Path | None) -> Iterator[Callable[[str], object]]:
    """Give a function that writes a line in UTF-8, whatever the terminal's encoding."""
    if out is None and sys.stdout is None:
        raise refusal("output", "Standard output is closed: name a file.")
    if out is None:
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        yield typer.echo
        return
    file: IO[str]
    with replacing(out) as new, new.open("w", encoding="utf-8", newline="\n") as file:
        yield lambda line: file.write(f"{line}\n")


def _lines(file: BinaryIO, notices: list[str]) -> Iterator[str]:
    """Yield lines; one that is not UTF-8 becomes a blank line, with a notice."""
    for number, line in enumerate(file, start=1):
        try:
            yield line.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            notices.append(f"Line {number}: It is not UTF-8 text, and is left blank.")
            yield ""
