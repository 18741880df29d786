"""What a run writes down as it goes: log.jsonl, samples.jsonl, frames/.

Where TensorBoard is installed, tensorboard/ as well.
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
    """Writes lines that are whole at once, so that a reader sees each step as it is made.

    What failed, as the disk was full, may be tried again.
    """

    def __init__(self, folder: RunFolder, step: int) -> None:
        """Begin, or go on after a step: what a lost part of the run noted later is cut away."""
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
        """Note a step, the gradient norm of each block, and the scores if it was validated."""
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
        """Keep a frame of the film, some translations of that moment, and how many are exact.

        `exact` is a share of the `judged` pairs.
        """
        frame.save(self.folder.frame_file(frame.step))
        row = {"step": frame.step, "exact": exact, "judged": judged, "samples": samples}
        self._append("samples.jsonl", row)

    def _append(self, name: str, row: Mapping[str, Any]) -> None:
        append(self.folder.path / name, (json.dumps(row) + "\n").encode())


def _event(**fields: Any) -> bytes:
    """Return an event as TensorBoard's files hold it.

    Its own writer loses some, and ends with a trace, when the disk is full for a while.
    """
    from tensorboard.compat.proto.event_pb2 import Event  # slow to import
    from tensorboard.summary.writer.record_writer import RecordWriter

    record = io.BytesIO()
    RecordWriter(record).write(Event(wall_time=time.time(), **fields).SerializeToString())
    return record.getvalue()
