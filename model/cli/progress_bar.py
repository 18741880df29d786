"""The progress bar of a training on the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from model.runs.session import Progress as Trained


@contextmanager
def progress_bar() -> Iterator[Callable[[Trained, int], None]]:
    """Show the current and total steps on one line; print a line for each validation.

    The bar appears with the first step, and is removed after an error.
    """
    bar = Progress(
        *(TextColumn("{task.description}"), BarColumn()),
        *(TextColumn("{task.completed}/{task.total}"), TimeElapsedColumn(), TimeRemainingColumn()),
        console=Console(stderr=True),
    )
    task = bar.add_task("training", total=None)

    def show(progress: Trained, steps: int) -> None:
        bar.start()
        report, scores = progress.report, progress.validation
        rate = report.tokens / report.seconds
        text = f"loss {report.cross_entropy:.3f}  {rate:,.0f} tokens/s"
        bar.update(task, total=steps, completed=report.step, description=text)
        if scores:
            bar.console.print(
                f"step {report.step}: validation loss {scores.loss:.3f}, BLEU {scores.bleu:.1f}, "
                f"chrF {scores.chrf:.1f}, exact {scores.exact:.1f} %"
            )

    try:
        yield show
    except BaseException:
        bar.live.transient = True
        raise
    finally:
        if bar.live.is_started:
            bar.stop()
