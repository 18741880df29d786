"""The progress bar of a training at the command line."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from model.runs.session import Progress as Trained


class ProgressBar:
    """A line that moves with each step, and one that stays for each validation.

    It is drawn from the first step on, and wiped away by an error.
    """

    def __init__(self) -> None:
        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self.task = self.bar.add_task("training", total=None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.bar.live.transient = error is not None
        if self.bar.live.is_started:
            self.bar.stop()

    def show(self, progress: Trained, steps: int) -> None:
        """Show a step of so many, and the scores when it was validated."""
        self.bar.start()
        report, scores = progress.report, progress.validation
        rate = report.tokens / report.seconds
        self.bar.update(
            self.task,
            total=steps,
            completed=report.step,
            description=f"loss {report.loss:.3f}  {rate:,.0f} tokens/s",
        )
        if scores:
            self.bar.console.print(
                f"step {report.step}: validation loss {scores.loss:.3f}, BLEU {scores.bleu:.1f}, "
                f"chrF {scores.chrf:.1f}, exact {scores.exact:.1f} %"
            )
