"""The table of faults is complete: every fault has tests that exist, and the document lists it."""

import ast

import pytest

from tests.faults.table import DOCUMENT, FAULTS, ROOT, Fault, document


def test_they_are_counted_from_one() -> None:
    assert len(FAULTS) >= 55
    assert [fault.number for fault in FAULTS] == list(range(1, len(FAULTS) + 1))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: str(fault.number))
def test_its_tests_exist(fault: Fault) -> None:
    assert fault.tests
    for test in fault.tests:
        file, _, name = test.partition("::")
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert not name or name in functions, test


def test_the_document_is_that_of_the_table() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()
