"""The table of faults is complete: every fault has tests that exist, and the document lists it."""

import ast

from tests.faults.table import DOCUMENT, FAULTS, ROOT, document


def test_they_are_counted_from_one_and_their_tests_exist() -> None:
    assert [fault.number for fault in FAULTS] == list(range(1, len(FAULTS) + 1))
    assert all(fault.tests for fault in FAULTS)
    known: dict[str, set[str]] = {}
    for file, _, name in {tuple(test.partition("::")) for one in FAULTS for test in one.tests}:
        if file not in known:
            tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
            known[file] = {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
        assert name in known[file] | {""}, f"{file}::{name}"
    assert DOCUMENT.read_text(encoding="utf-8") == document()
