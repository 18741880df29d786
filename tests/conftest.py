"""What all tests share: one thread, and tests that are never left out in silence."""

import gc
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

# On a busy two-core machine NumPy's two threads took ten times longer; it asks when imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
import torch
from hypothesis import HealthCheck, settings

from tests.chromium import find_chromium

BROWSER_TESTS = Path(__file__).parent / "browser"
# .ci/run sets it: a browser test that cannot run is then a failure.
REQUIRE_BROWSER = os.environ.get("REQUIRE_BROWSER", "") not in ("", "0")
NO_BROWSER = "no Chromium found: install one (on Debian: apt-get install chromium)"

# Some images forbid it: each of the Pythons that tests start would compile all of the app again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Python walked through half a million objects again and again: a tenth of the tests' time.
gc.set_threshold(10_000)
# On a busy two-core machine two threads once took 20 times longer.
torch.set_num_threads(1)
# A busy machine is no reason to fail.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


@pytest.fixture(autouse=True)
def products_stay_exact() -> Iterator[None]:
    """A training in this process lets its products be of 16 bits, where the processor has them.

    What came after it in the same process was then wrong in the third digit: 100 tests failed.
    """
    torch.set_float32_matmul_precision("highest")  # a fixture of the whole session may have trained
    yield
    torch.set_float32_matmul_precision("highest")


@pytest.fixture(scope="session", autouse=True)
def no_plug_is_pulled() -> Iterator[None]:
    """What a killed process wrote is there without waiting for the disk, 5 ms for each file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _descriptor: None)
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer what `make check` asks for."""
    parser.addoption(
        "--quick",
        action="store_true",
        help="without pages, processes and trainings",
    )


@pytest.fixture(scope="session", autouse=True)
def quick(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that is not quick ends where it starts a process, opens a page or begins to train."""

    def leave_out(*_arguments: object, **_options: object) -> None:
        pytest.skip("it starts a process, opens a page or trains: `make test` runs it")

    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("--quick"):
            patch.setattr(subprocess.Popen, "__init__", leave_out)
            patch.setattr(os, "fork", leave_out)
            patch.setattr("streamlit.testing.v1.AppTest.__init__", leave_out)
            patch.setattr("model.training.trainer.Trainer.__init__", leave_out)
        yield


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Path of the browser that the tests drive."""
    path = find_chromium()
    if path is None:
        pytest.fail(NO_BROWSER)
    return path


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one more than there are cores where tests wait for browsers and other processes."""
    return (os.cpu_count() or 1) + (not config.getoption("--quick"))


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests under tests/browser/."""
    if BROWSER_TESTS in item.path.parents:
        item.add_marker(pytest.mark.browser)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let each worker begin with some files of browser tests, all of a file's.

    They are the longest tests of all: at the end, one worker would have them and the others none.
    A file that several workers share has as many servers, and browsers that read the app's code.
    """
    files: dict[Path, list[pytest.Item]] = {}
    others: list[pytest.Item] = []
    for item in items:
        is_browsers = item.get_closest_marker("browser") is not None
        (files.setdefault(item.path, []) if is_browsers else others).append(item)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    begins: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for i, tests in enumerate(sorted(files.values(), key=len, reverse=True)):
        begins[i % workers].extend(tests)
    rest = iter(others)
    ordered: list[pytest.Item] = []
    for i, begin in enumerate(begins):
        share = (len(items) - len(ordered)) // (workers - i)  # as xdist deals them out
        ordered += [*begin, *islice(rest, max(0, share - len(begin)))]
    items[:] = [*ordered, *rest]


def pytest_collection_finish() -> None:
    """Leave what torch and Streamlit keep for good to itself.

    pytest hangs its handlers, six times a test, on each logger that does not hand on to the root's:
    Streamlit has 120.
    """
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.propagate = True
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave a browser test out when there is no browser, unless browsers are required."""
    if item.get_closest_marker("browser") is None or find_chromium():
        return
    if REQUIRE_BROWSER:
        pytest.fail(NO_BROWSER, pytrace=False)
    pytest.skip(NO_BROWSER)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """Let a browser test that was left out fail where browsers are required."""
    report = yield
    if REQUIRE_BROWSER and _left_out(report):
        report.outcome = "failed"
        report.longrepr = f"skipped, but REQUIRE_BROWSER is set: {report.longrepr}"
    return report


def _left_out(report: pytest.TestReport) -> bool:
    return report.skipped and not hasattr(report, "wasxfail") and "browser" in report.keywords


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which browser tests did not run."""
    left_out = [report for report in terminalreporter.getreports("skipped") if _left_out(report)]
    if not left_out:
        return
    terminalreporter.section("browser tests LEFT OUT", yellow=True)
    if find_chromium() is None:
        terminalreporter.line(NO_BROWSER)
    for report in left_out:
        terminalreporter.line(report.nodeid)
