"""Run the tests of every fault, or of some: `python -m tests.faults [NUMBER …]`."""

import argparse
import contextlib
import io
import sys

import pytest

from tests.faults.table import DOCUMENT, FAULTS, document


def survives(tests: tuple[str, ...]) -> tuple[bool, str]:
    """Run tests, the slow ones too; say whether all passed, and what pytest printed."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        status = pytest.main(["-q", "-p", "no:cacheprovider", "-m", "", *tests])
    return status == pytest.ExitCode.OK, output.getvalue()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", nargs="*", type=int, help="only these faults")
    parser.add_argument("--document", action="store_true", help="write docs/faults.md instead")
    arguments = parser.parse_args()
    if arguments.document:
        DOCUMENT.write_text(document(), encoding="utf-8")
        return 0
    failed = 0
    for fault in FAULTS:
        if arguments.numbers and fault.number not in arguments.numbers:
            continue
        passed, output = survives(fault.tests)
        print(f"{'pass' if passed else 'FAIL'} {fault.number:2} {fault.name}", flush=True)
        if not passed:
            failed += 1
            print(output)
    print(f"{failed} failed" if failed else "all survived")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
