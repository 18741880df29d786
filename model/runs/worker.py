"""A run by its plan: it waits for its turn, trains, obeys wishes, and tells where it stands.

Under `torchrun` all processes run these lines; the writing one alone reads wishes and writes.
Imports no torch until it is the run's turn: a run that waits shall be small.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from filelock import Timeout

from model.cli.progress_bar import ProgressBar
from model.runs.folder import Plan, RunFolder, State, Status, Wishes
from model.runs.queue import Turn

if TYPE_CHECKING:
    from model.runs.session import Progress, Run

log = logging.getLogger(__name__)
SECONDS_A_STATUS: Final = 0.25
SECONDS_A_LOOK: Final = 0.1
SECONDS_FOR_THE_LOCK: Final = 10.0  # a reader may hold it for an instant
STEPS_OF_SPEED: Final = 50


class PlannedRun:
    """A run from its queue to its end; `signals` grows when the process is asked to stop."""

    def __init__(
        self,
        folder: RunFolder,
        signals: list[int],
        bar: ProgressBar | None = None,
        threads: int | None = None,
    ) -> None:
        self.folder, self.signals, self.bar, self.threads = folder, signals, bar, threads
        self.writes = os.environ.get("RANK", "0") == "0"
        self.turn = Turn(folder)
        self.told = 0.0
        self.recent: deque[tuple[int, float]] = deque(maxlen=STEPS_OF_SPEED)
        self.status = Status("queued")
        self._wishes, self._wishes_stamp = Wishes(), (0, 0)

    def train(self, resume: bool) -> int:
        """Train until the end, or until it is stopped; return the exit status of the process.

        Raises ValueError when the run is already under way elsewhere. Whatever else goes wrong is
        told in the run's status, with its trace in the log.
        """
        if not self.writes:
            return self._train(resume)
        lock = self.folder.alive_lock()
        try:
            lock.acquire(timeout=SECONDS_FOR_THE_LOCK)
        except Timeout:
            raise ValueError(f"The run {self.folder.name!r} is already under way.") from None
        except OSError as error:
            raise ValueError(f"The run cannot be written: {error.strerror}.") from error
        try:
            return self._train(resume)
        except Exception as error:
            log.exception("The training broke off.")
            # A disk that is full takes no status either: the run then shows as interrupted.
            with contextlib.suppress(ValueError):
                self._tell("failed", seconds_left=None, error=_sentence(error))
            return 1
        finally:
            self.turn.give_back()
            lock.release()

    def _train(self, resume: bool) -> int:
        plan = self.folder.plan()
        steps_done = self.folder.status().step if resume else 0
        self.status = Status("queued", step=steps_done, steps=plan.train.steps)
        self._tell("queued")
        while self.writes and not self.turn.take():
            if self._asked_to_stop():
                return self._stopped()
            time.sleep(SECONDS_A_LOOK)
        self._tell("running")
        run = self._run(plan, resume)
        steps = run.train()
        finished = run.is_finished
        while not finished and self._go_on(run):
            self._show(run, next(steps))
            finished = run.is_finished
        steps.close()
        run.workers.leave()
        if not finished:
            return self._stopped()
        self._tell("finished", seconds_left=0.0)
        return 0

    def _run(self, plan: Plan, resume: bool) -> Run:
        """Build the run, once its plan says how many steps it takes."""
        from model.runs.build import build_run

        resume = resume and self.folder.is_saved()
        run = build_run(plan, self.folder, resume, self.threads)
        if plan.minutes is not None:
            from model.runs.budget import timed

            plan = timed(plan, run)
            self._write_plan(plan)
            run = build_run(plan, self.folder, resume, self.threads)
        self.plan = plan
        self._note(run)
        self._tell("running")
        return run

    def _go_on(self, run: Run) -> bool:
        """Obey what is wished between two steps; return False when the run shall end.

        Wait here while it is paused, or while others have the turn.
        """
        waits = False
        while True:
            stop, wait, rate = run.workers.sum_values(self._verdict(run.trainer.step))
            if rate:
                self._change_learning_rate(run, rate)
            if (stop or wait) and not waits:
                run.save_last()
            if stop:
                return False
            if not wait:
                break
            if not waits:
                run.film()
                waits = True
            time.sleep(SECONDS_A_LOOK)
        if waits:
            self._tell("running")
        return True

    def _verdict(self, step: int) -> tuple[bool, bool, float]:
        """Return whether to stop, whether to wait, and another learning rate or 0.

        Each process may have been asked to stop; the rest is for the writing one to say.
        """
        if not self.writes:
            return bool(self.signals), False, 0.0
        wishes = self.wishes()
        rate = wishes.learning_rate or 0.0
        changed = rate if rate != self.plan.learning_rate else 0.0
        if self._asked_to_stop():
            return True, False, changed
        if wishes.pause_at is not None and step >= wishes.pause_at:
            self.turn.give_back()
            if self.status.state != "paused":
                self._tell("paused", seconds_left=None)
            return False, True, changed
        if not self.turn.held and self.status.state != "queued":
            self._tell("queued")
        return False, not self.turn.take(), changed

    def _asked_to_stop(self) -> bool:
        return bool(self.signals) or self.wishes().stop

    def _stopped(self) -> int:
        if self.writes:
            self.folder.wish(stop=False)  # or who resumes the run would be stopped at once
        self._tell("stopped", seconds_left=None)
        return 128 + self.signals[0] if self.signals else 0

    def _change_learning_rate(self, run: Run, rate: float) -> None:
        """Write the change into the plan before the step that it begins with: resume is exact."""
        run.trainer.change_learning_rate(rate)
        self._write_plan(replace(self.plan, train=run.config))
        run.about = {"plan": self.plan.to_dict()}

    def _write_plan(self, plan: Plan) -> None:
        self.plan = plan
        if self.writes:
            self.folder.write_plan(plan)

    def wishes(self) -> Wishes:
        """Return the wishes, read anew when their file has changed."""
        try:
            found = (self.folder.path / "wishes.json").stat()
        except OSError:
            return Wishes()
        stamp = found.st_mtime_ns, found.st_ino
        if stamp != self._wishes_stamp:
            self._wishes, self._wishes_stamp = self.folder.wishes(), stamp
        return self._wishes

    def _show(self, run: Run, progress: Progress) -> None:
        report = progress.report
        self.recent.append((report.tokens, report.seconds))
        if self.bar:
            self.bar.show(progress, self.status.steps)
        self._note(run)
        if time.monotonic() - self.told > SECONDS_A_STATUS:
            self._tell("running")

    def _note(self, run: Run) -> None:
        """Bring the status up to date, without telling it yet."""
        tokens = sum(tokens for tokens, _ in self.recent)
        seconds = sum(seconds for _, seconds in self.recent)
        step, steps = run.trainer.step, run.config.steps
        self.status = replace(
            self.status,
            step=step,
            steps=steps,
            seconds=run.seconds,
            tokens_per_second=tokens / seconds if seconds else 0.0,
            seconds_left=(steps - step) * run.seconds / step if step else None,
        )

    def _tell(self, state: State, **changes: Any) -> None:
        """Write the status for those who watch."""
        self.status, self.told = replace(self.status, state=state, **changes), time.monotonic()
        if self.writes:
            self.folder.write_status(self.status)


def _sentence(error: Exception) -> str:
    """Return what went wrong, in one sentence for people."""
    if isinstance(error, ValueError):
        return str(error)
    if isinstance(error, OSError):
        return f"The run cannot be written: {error.strerror or error}."
    what = str(error).strip().split("\n")[0]
    return f"The trainer broke off by an error of its own: {type(error).__name__}: {what}"
