"""Some rounds for each kind of file; `python -m tests.fuzz` runs as many as one likes."""

import pytest

from tests.fuzz.uploads import KINDS, survive

ROUNDS = 50


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_file_is_taken_or_refused_in_a_sentence(kind: str) -> None:
    survive(kind, ROUNDS)
