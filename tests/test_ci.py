"""What .ci/run says of tests that pass at their second try only."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parents[1] / ".ci" / "run"
SHAKY, WRONG = "tests/test_a.py::test_shaky", "tests/test_a.py::test_wrong"


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def said(folder: Path, first: list[str], again: list[str]) -> tuple[int, list[str]]:
    """Run it where some tests fail, and of them some again; return its status and its lines."""
    script(folder / ".ci/run", "")
    shutil.copy(RUN, folder / ".ci/run")
    cache = folder / ".pytest_cache/v/cache/lastfailed"
    cache.parent.mkdir(parents=True)
    for name in ("chromium", "nginx", "apt-get"):
        script(folder / "bin" / name, "exit 0")

    def fails(tests: list[str], passed: int) -> str:
        count = f"{len(tests)} failed, " if tests else ""
        known = json.dumps(dict.fromkeys(tests, True))
        return (
            f"echo '===== {count}{passed} passed, 3 skipped in 560.00s (0:09:20) ====='\n"
            f"echo '{known}' > {cache}\nexit {int(bool(tests))}"
        )

    script(folder / "bin/make", fails(first, 10))
    pytest_ = fails(again, len(first) - len(again))
    script(folder / ".venv/bin/python", f'[ "$1" = -c ] && exec {sys.executable} "$@"\n{pytest_}')
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [folder / ".ci/run"], env=os.environ | {"PATH": path}, capture_output=True, text=True,
        check=False, timeout=60,
    )  # fmt: skip
    return done.returncode, done.stdout.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="it is a shell script")
def test_a_second_try_is_called_a_defect(tmp_path: Path) -> None:
    """The closing line counted such a test among those that passed, and said nothing more."""
    status, lines = said(tmp_path / "one", [SHAKY], [])
    assert status == 0
    assert f"DEFECT to mend, failed beside others and passed alone: {SHAKY}" in lines
    assert lines[-1] == (
        "===== 1 passed only at a second try (mend them), 10 passed, 3 skipped in 560.00s (0:09:20)"
        " ====="
    )
    status, lines = said(tmp_path / "two", [SHAKY, WRONG], [WRONG])
    assert status == 1
    assert f"failed twice: {WRONG}" in lines
    assert f"DEFECT to mend, failed beside others and passed alone: {SHAKY}" in lines
    assert "2 failed, 10 passed" in lines[-1]
    status, lines = said(tmp_path / "none", [], [])
    assert status == 0
    assert not any("DEFECT" in line for line in lines)
    assert lines[-1].startswith("===== 10 passed")
