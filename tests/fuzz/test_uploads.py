"""Some rounds for each kind of file; `python -m tests.fuzz` runs any number."""

import pytest

from tests.fuzz.uploads import KINDS, survive

ROUNDS, OF_MARIAN = 15, 3  # an import writes a checkpoint


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_file_is_taken_or_refused_in_a_sentence(kind: str) -> None:
    survive(kind, OF_MARIAN if kind.startswith("marian") else ROUNDS)
