"""What a run logs as it trains: log.jsonl, samples.jsonl, frames/.

If TensorBoard is installed, tensorboard/ as well.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from typing import Any, Final

from model.files import append
from model.runs.film import Frame
from model.runs.folder import RunFolder
from model.training.trainer import Report

SCALARS: Final = ("loss", "cross_entropy", "learning_rate", "gradient_norm")
TENSORBOARD: Final = find_spec("tensorboard") is not None


class RunLog:
    """Appends whole lines, so that a reader sees each step as soon as it is logged.

    A write that failed because the disk was full may be retried.
    """

    def __init__(self, folder: RunFolder, step: int) -> None:
        """Start a log, or continue one after a step: later entries of a lost part are deleted."""
        self.folder = folder
        self.events = folder.path / "tensorboard" / f"events.out.tfevents.{time.time():.6f}"
        folder.cut_after(step)
        if TENSORBOARD:
            self.events.parent.mkdir(parents=True, exist_ok=True)
            version, start = {"file_version": "brain.Event:2"}, {"status": "START"}
            append(self.events, _event(**version) + _event(step=step + 1, session_log=start))

    def step(
        self, report: Report, blocks: Mapping[str, float], validation: Mapping[str, float]
    ) -> None:
        """Log a step, the gradient norm of each block, and the scores if it was validated."""
        row: dict[str, Any] = asdict(report) | {"blocks": blocks}
        scalars = {f"train/{name}": row[name] for name in SCALARS}
        if validation:
            row["validation"] = validation
            scalars |= {f"valid/{name}": value for name, value in validation.items()}
        if TENSORBOARD:
            values = [{"tag": name, "simple_value": value} for name, value in scalars.items()]
            append(self.events, _event(step=report.step, summary={"value": values}))
        self._append("log.jsonl", row)

    def frame(
        self, frame: Frame, exact: float, judged: int, samples: Sequence[Mapping[str, str]]
    ) -> None:
        """Save a frame of the film, and log some translations of the same step.

        `exact` is the share of the `judged` pairs that were translated exactly.
        """
        frame.save(self.folder.frame_file(frame.step))
        row = {"step": frame.step, "exact": exact, "judged": judged, "samples": samples}
        self._append("samples.jsonl", row)

    def _append(self, name: str, row: Mapping[str, Any]) -> None:
        append(self.folder.path / name, (json.dumps(row) + "\n").encode())


def _event(**fields: Any) -> bytes:
    """Return an event in the format of TensorBoard's files.

    TensorBoard's own writer loses events, and ends with a traceback, while the disk is full.
    """
    from tensorboard.compat.proto.event_pb2 import Event  # slow to import
    from tensorboard.summary.writer.record_writer import RecordWriter

    record = io.BytesIO()
    RecordWriter(record).write(Event(wall_time=time.time(), **fields).SerializeToString())
    return record.getvalue()
