"""A run that several tests look at, copy, or go on with."""

from pathlib import Path

import pytest

from tests.model.cli.commands import COPY, in_this_process


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of four steps on a task, which nobody changes."""
    run = tmp_path_factory.mktemp("runs") / "run"
    assert in_this_process(*COPY, "--out", str(run)) == 0
    return run
