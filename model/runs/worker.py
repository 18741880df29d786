"""The driver of a run: it waits in the queue, trains, follows wishes, and reports its status.

Both the page and the command line run trainings with it. Under `torchrun` all processes run this
code, but only the writing one reads wishes and writes files. This file imports torch only once the
run may train, so that a run waiting in the queue takes little memory.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from filelock import FileLock, Timeout

from model.errors import UserError, failure_of, is_full, reason
from model.runs.folder import RunFolder
from model.runs.plan import Plan, State, Status
from model.runs.queue import Slot, place

if TYPE_CHECKING:
    from model.runs.pace import Pace
    from model.runs.session import Progress, Session

log = logging.getLogger(__name__)
SECONDS_A_STATUS: Final = 0.25
SECONDS_A_LOOK: Final = 0.1
SECONDS_A_SAVE: Final = 60.0  # the most that a killed run loses
SECONDS_A_TRY: Final = 5.0  # between two checks for free disk space
SECONDS_FOR_THE_LOCK: Final = 10.0  # a reader may hold it for an instant
SECONDS_OF_PAUSE: Final = 300.0  # then the process ends, to free its memory; the run stays paused


class Worker:
    """Drives a run from the queue to its end.

    `signals` grows when the process is asked to stop; `on_step` is called after each step, with
    its progress and the total number of steps. A `plan` replaces the folder's; with `queued=False`
    the run waits for no other.
    """

    def __init__(
        self,
        folder: RunFolder,
        signals: Sequence[int] = (),
        on_step: Callable[[Progress, int], None] = lambda progress, steps: None,
        threads: int | None = None,
        plan: Plan | None = None,
        queued: bool = True,
        device: str | None = None,
    ) -> None:
        self.folder, self.signals, self.on_step, self.threads = folder, signals, on_step, threads
        self.writes = os.environ.get("RANK", "0") == "0"
        self.slot = Slot(folder) if queued else None
        self.plan, self.device = plan, device
        self.status = Status("queued")
        self.session: Session | None = None
        self.ends = False  # it was asked to stop, and will do so by itself
        self._reported = 0.0
        self._pace: Pace | None = None

    def train(self, resume: bool) -> int:
        """Train until the run ends or is stopped; return the exit status of the process.

        Raises UserError for anything that goes wrong. If the run had begun, its status holds the
        error; if users cannot fix the error, the log has the traceback.
        """
        if not self.writes:
            return self._train(resume)
        lock = self._lock()
        try:
            return self._train(resume)
        except Exception as error:
            failure = failure_of(error, "run_not_written", "broke_off")
            if isinstance(error, ValueError) and failure is not error:  # worded for users already
                failure = UserError("plain", what=str(error))
            if is_full(failure) and self.asked_to_stop:
                return self._stopped(failure)
            with contextlib.suppress(ValueError):
                self._report("failed", seconds_left=None, error=failure)
            if failure is error:
                raise
            log.exception("The training broke off.")
            raise failure from error
        finally:
            self.session = self._pace = None
            self._release()
            self.folder.release_space()
            lock.release()

    def _lock(self) -> FileLock:
        """Acquire the lock that marks the run as alive."""
        lock = self.folder.alive_lock()
        try:
            self.folder.path.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=SECONDS_FOR_THE_LOCK)
        except Timeout:
            raise UserError("under_way", name=repr(self.folder.name)) from None
        except OSError as error:
            raise UserError("run_not_written", why=reason(error)) from error
        self.folder.sweep()
        return lock

    def _train(self, resume: bool) -> int:
        if self.plan is not None:
            self._write_plan(self.plan)
        plan = self.plan or self.folder.plan()
        steps_done = self.folder.status().step if resume else 0
        self.status = Status("queued", step=steps_done, steps=plan.train.steps)
        self._report("queued")
        if not self._wait_in_queue():
            return self._stopped()
        self._report("running")
        session = self.session = self._open(plan, resume)
        if self.writes:
            session.patiently = self._patiently
            session.patiently(partial(self.folder.write_settings, session.plan))
        steps = session.train()
        finished = session.is_finished
        if finished:
            self._say(
                "Nothing is left to train: the run ended at step %d. More --steps, or "
                "another --patience, let it go on.",
                session.trainer.step,
            )
        while not finished and self._goes_on(session):
            self._show(next(steps))
            finished = session.is_finished
        steps.close()
        session.workers.leave()
        if not finished:
            return self._stopped()
        self._report("finished", seconds_left=0.0)
        if session.stops_early:
            self._say(
                "Stopped early at step %d: %d validations in a row brought no better one.",
                *(session.trainer.step, session.n_worse),
            )
        return 0

    def _say(self, text: str, *numbers: int) -> None:
        if self.writes:
            log.info(text, *numbers)

    def _wait_in_queue(self) -> bool:
        """Wait until the run may train; return False if it is asked to stop first."""
        if not self.writes or self._may_train():
            return True
        before = place(self.folder.name, self.folder.path.parent)
        log.info("Waiting in the queue: %d before it.", before)
        while not self._may_train():
            if self.asked_to_stop:
                return False
            time.sleep(SECONDS_A_LOOK)
        return True

    def _may_train(self) -> bool:
        return self.slot is None or self.slot.acquire()

    def _release(self) -> None:
        if self.slot is not None:
            self.slot.release()

    def _open(self, plan: Plan, resume: bool) -> Session:
        """Build the session, replacing the plan's minutes, if it has any, by steps first."""
        from model.runs.pace import Pace, fit_steps
        from model.runs.session import Session
        from model.training.processor import prepare_processor

        prepare_processor(self.threads)
        resume = resume and self.folder.is_saved()
        session = Session(self.folder, plan, resume, self.device)
        if plan.minutes is not None:
            plan = fit_steps(plan, session)
            self._write_plan(plan)
            session = Session(self.folder, plan, resume, self.device)
        self.plan, self._pace = plan, Pace(session)
        self._update(self._pace)
        self._report("running")
        return session

    def _goes_on(self, session: Session) -> bool:
        """Follow the wishes between two steps; return False when the run has to end.

        Save every minute. Wait here while the run is paused, or while another run trains.
        """
        waits = False
        while True:
            save, stop, wait, rate = session.workers.sum_values(self._verdict(session))
            if rate:
                self._change_learning_rate(session, rate)
            self.ends = bool(stop)
            if (save or stop or wait) and not waits:
                session.save_last()
            if stop:
                return False
            if not wait:
                break
            if not waits:
                session.film()
                waits = True
            time.sleep(SECONDS_A_LOOK)
        if waits:
            self._report("running")
        return True

    def _verdict(self, session: Session) -> tuple[bool, bool, bool, float]:
        """Return whether to save, stop and wait, and a new learning rate, or 0 to keep it.

        Any process may have been asked to stop; the writing one alone decides the rest.
        """
        if not self.writes:
            return False, bool(self.signals), False, 0.0
        save = time.monotonic() - session.saved >= SECONDS_A_SAVE
        assert self.plan is not None
        wishes = self.folder.wishes()
        rate = wishes.learning_rate or 0.0
        changed = rate if rate != self.plan.learning_rate else 0.0
        if self.asked_to_stop:
            return save, True, False, changed
        if wishes.pause_at is not None and session.trainer.step >= wishes.pause_at:
            self._release()
            if self.status.state != "paused":
                self._report("paused", seconds_left=None)
            rests = time.monotonic() - self._reported > SECONDS_OF_PAUSE
            return save, rests, True, changed
        if self.slot is not None and not self.slot.held and self.status.state != "queued":
            self._report("queued")
        return save, False, not self._may_train(), changed

    @property
    def asked_to_stop(self) -> bool:
        return bool(self.signals) or self.folder.wishes().stop

    def _patiently(self, write: Callable[[], None]) -> None:
        """Call `write`; while the disk is full, report that, wait and try again."""
        while True:
            try:
                self.folder.reserve_space()
                write()
                break
            except (OSError, UserError) as error:
                if not is_full(error) or self.asked_to_stop:
                    raise
                self._wait_for_space(error)
        if self.status.error:
            self._report("running", error=None)

    def _wait_for_space(self, error: OSError | UserError) -> None:
        why = reason(error) if isinstance(error, OSError) else error.values["why"]
        waits = UserError("waits_for_space", why=why)
        if not self.status.error:
            log.warning(waits.text)
        self._report("paused", seconds_left=None, error=waits)
        until = time.monotonic() + SECONDS_A_TRY
        while time.monotonic() < until and not self.asked_to_stop:
            time.sleep(SECONDS_A_LOOK)

    def abandon(self) -> int | None:
        """Save the state after the last complete step, while a step or validation takes too long.

        Return the exit status with which the process must end at once, as nothing can be saved any
        more; None if the run is about to stop by itself.
        """
        if self.session is not None:
            self.session.trainer.lock.acquire()
            if self.ends:
                self.session.trainer.lock.release()
                return None
        try:
            if self.session is not None:
                self.session.save_last()
            return self._stopped()
        except Exception:  # such as a full disk: the previous save is still there
            log.exception("The training could not be saved before its end.")
            return 1

    def _stopped(self, error: UserError | None = None) -> int:
        self.ends = True
        if self.status.state == "paused" and not self.asked_to_stop:
            log.info("Paused for long: --resume, or the page, goes on from here.")
            return 0
        if self.writes:
            self.folder.release_space()
            self.folder.wish(stop=False)  # or the run would stop at once when resumed
        self._report("stopped", seconds_left=None, error=error)
        return 128 + self.signals[0] if self.signals else 0

    def _change_learning_rate(self, session: Session, rate: float) -> None:
        """Write the change to the plan before the step that uses it, so that resuming is exact."""
        session.trainer.change_learning_rate(rate)
        session.plan = replace(session.plan, train=session.config)
        session.patiently(partial(self._write_plan, session.plan))

    def _write_plan(self, plan: Plan) -> None:
        self.plan = plan
        if self.writes:
            self.folder.write_plan(plan)

    def _show(self, progress: Progress) -> None:
        assert self._pace is not None
        self._pace.note(progress)
        self.on_step(progress, self.status.steps)
        self._update(self._pace)
        if time.monotonic() - self._reported > SECONDS_A_STATUS:
            self._report("running")

    def _update(self, pace: Pace) -> None:
        """Update the status, without writing it yet."""
        session = pace.session
        self.status = replace(
            self.status,
            step=session.trainer.step,
            steps=session.config.steps,
            seconds=session.seconds,
            tokens_per_second=pace.tokens_per_second,
            seconds_left=pace.seconds_left,
            step_seconds=pace.step_seconds,
        )

    def _report(self, state: State, **changes: Any) -> None:
        """Write the status for those who watch."""
        self.status = replace(self.status, state=state, **changes)
        self._reported = time.monotonic()
        if not self.writes:
            return
        try:
            self.folder.write_status(self.status)
        except UserError as error:
            if not is_full(error):
                raise
            if state != "running":
                self.folder.release_space()
                with contextlib.suppress(UserError):  # it is written again later
                    self.folder.write_status(self.status)


SECONDS_TO_STOP: Final = 3.0


@contextmanager
def watchdog(worker: Worker, end: Callable[[int], None]) -> Iterator[None]:
    """Watch a worker that trains alone; `end` ends its process, as a thread cannot be interrupted.

    Processes that train together are not watched: they stop together, between two steps.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_watch, args=(worker, end, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _watch(worker: Worker, end: Callable[[int], None], ended: threading.Event) -> None:
    asked = math.inf
    while not ended.wait(SECONDS_A_LOOK):
        stuck = worker.asked_to_stop and not worker.ends
        asked = min(asked, time.monotonic()) if stuck else math.inf
        if time.monotonic() - asked > SECONDS_TO_STOP:
            status = worker.abandon()
            if status is not None:
                end(status)
