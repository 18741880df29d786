"""A whole run, made once: what others are compared with."""

import pytest

from model.runs.folder import RunFolder
from tests.model.runs.run_samples import new_run, train


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run from its start to its end; nothing may change it."""
    folder = new_run(tmp_path_factory.mktemp("runs"), "whole")
    assert train(folder) == 0
    return folder
