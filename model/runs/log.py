"""What a run writes down as it goes: log.jsonl, samples.jsonl, frames/ and tensorboard/."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from model.runs.film import Frame
from model.runs.folder import RunFolder
from model.training.trainer import Report


class RunLog:
    """Writes lines that are whole at once, so that a reader sees each step as it is made."""

    def __init__(self, folder: RunFolder, step: int) -> None:
        """Begin, or go on after a step: what a lost part of the run noted later is cut away."""
        from torch.utils.tensorboard import SummaryWriter  # slow to import

        self.folder = folder
        folder.path.mkdir(parents=True, exist_ok=True)
        folder.cut_after(step)
        self.board = SummaryWriter(folder.path / "tensorboard", purge_step=step + 1)

    def step(
        self, report: Report, blocks: Mapping[str, float], validation: Mapping[str, float]
    ) -> None:
        """Note a step, the gradient norm of each block, and the scores if it was validated."""
        row: dict[str, Any] = asdict(report) | {"blocks": blocks}
        scalars = {
            f"train/{name}": row[name]
            for name in ("loss", "cross_entropy", "learning_rate", "gradient_norm")
        }
        if validation:
            row["validation"] = validation
            scalars |= {f"valid/{name}": value for name, value in validation.items()}
        self._append("log.jsonl", row)
        for name, value in scalars.items():
            self.board.add_scalar(name, value, report.step)

    def frame(
        self, frame: Frame, exact: float, judged: int, samples: Sequence[Mapping[str, str]]
    ) -> None:
        """Keep a frame of the film, some translations of that moment, and how many are exact.

        `exact` is a share of the `judged` pairs.
        """
        frame.save(self.folder.frame_file(frame.step))
        row = {"step": frame.step, "exact": exact, "judged": judged, "samples": samples}
        self._append("samples.jsonl", row)

    def close(self) -> None:
        self.board.close()

    def _append(self, name: str, row: Mapping[str, Any]) -> None:
        with (self.folder.path / name).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
