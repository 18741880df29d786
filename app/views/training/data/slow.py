"""Slow motion: the step that a run would take next, dissected in a separate process."""

import json
import subprocess
import sys
from functools import partial
from typing import Final

from app.data.runs import folder_of
from model.files import ROOT
from model.runs.training_step import BlockNorms, Dissection

__all__ = ["BlockNorms", "Dissection"]

SECONDS: Final = 180


def can_dissect(name: str) -> bool:
    """Return whether a run has saved the state that a step starts from."""
    return (folder_of(name).path / "last" / "manifest.json").is_file()


def dissected(name: str) -> Dissection:
    """Dissect the step after the last saved one without changing the run; raises ValueError.

    The separate process computes as the trainer does; this one, shared by all visitors, does not.
    """
    command = [sys.executable, "-m", "model.runs.training_step", str(folder_of(name).path)]
    run = partial(subprocess.run, cwd=ROOT, timeout=SECONDS, stdin=subprocess.DEVNULL)
    try:
        done = run(command, capture_output=True, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise ValueError(f"The run {name!r} has no step that could be taken apart.") from error
    return Dissection.from_dict(json.loads(done.stdout))
