"""What the locks pin is all that comes, as it is installed, and without known faults.

No network is asked: `advisories.txt` lists the faults that were known on its date.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution, distributions
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT: Final = Path(__file__).parents[1]
ADVISORIES: Final = Path(__file__).with_name("advisories.txt")
FILES: Final = sorted(path.name for path in ROOT.glob("requirements*.*"))
# Each machine's build of torch brings what that machine's graphics cards need.
OF_TORCH: Final = re.compile(r"nvidia-.*|cuda-.*|triton")
Pins = Mapping[str, str]


@dataclass(frozen=True)
class Advisory:
    """A known fault of some versions of a package."""

    package: str
    ranges: tuple[SpecifierSet, ...]
    name: str
    what: str

    def hits(self, version: str) -> bool:
        """Tell whether a version has the fault."""
        return any(found.contains(Version(version), prereleases=True) for found in self.ranges)


def lines(path: Path) -> Iterator[str]:
    """The lines of a file that say something."""
    text = path.read_text(encoding="utf-8").splitlines()
    return (line for line in text if line and not line.startswith("#"))


def advisories() -> list[Advisory]:
    """Return what is known, as the list has it."""
    found = []
    for line in lines(ADVISORIES):
        package, ranges, name, what = re.split(r" (?<!\|)\|(?!\|) ", line)
        sets = tuple(SpecifierSet(one) for one in ranges.split(" || "))
        found.append(Advisory(package, sets, name, what))
    return found


def pinned(file: str) -> dict[str, str]:
    """Return the versions that a lock or a file of requirements pins."""
    pins: dict[str, str] = {}
    for line in lines(ROOT / file):
        if line.startswith("    --hash="):
            continue
        asked = Requirement(line.removesuffix(" \\"))
        (one,) = asked.specifier
        assert one.operator == "==", line
        pins[canonicalize_name(asked.name)] = one.version
    return pins


def faults(pins: Pins) -> list[str]:
    """Return a sentence for each version that is known to be faulty."""
    return [
        f"{one.package} {pins[one.package]} has {one.name} ({one.what}): pin a newer one."
        for one in advisories()
        if one.package in pins and one.hits(pins[one.package])
    ]


def test_nothing_that_is_pinned_or_installed_is_known_to_be_faulty() -> None:
    assert not [fault for file in FILES for fault in faults(pinned(file))]
    found = {canonicalize_name(one.name): one.version for one in distributions()}
    assert not faults({name: version.partition("+")[0] for name, version in found.items()})


@pytest.mark.parametrize("file", FILES)
def test_what_is_pinned_is_what_is_installed_and_brings_nothing_else(file: str) -> None:
    pins, wrong = pinned(file), []
    for name, version in pins.items():
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # for another system
        if found.version.partition("+")[0] != version:
            wrong.append(f"{name} {found.version} is installed, and {version} is pinned.")
        for line in found.requires or ():
            asked = Requirement(line)
            brought = canonicalize_name(asked.name)
            comes = asked.marker is None or asked.marker.evaluate({"extra": ""})
            if comes and brought not in pins and not OF_TORCH.fullmatch(brought):
                wrong.append(f"{name} brings {brought} along, which {file} does not pin.")
    assert not wrong


def test_a_faulty_version_is_named_in_one_sentence() -> None:
    """The list itself is read: a range that is never met would let all through."""
    assert faults({"requests": "2.32.3", "h11": "0.16.0"}) == [
        "requests 2.32.3 has CVE-2024-47081 (credentials of .netrc): pin a newer one.",
        "requests 2.32.3 has CVE-2026-25645 (see the advisory): pin a newer one.",
    ]
    assert not faults({"protobuf": "5.29.6"})
    assert faults({"protobuf": "6.32.0"})
    known = {name for file in FILES for name in pinned(file)}
    assert {one.package for one in advisories()} <= known, "a package that is no longer used"
    assert re.search(r"Seen through on \d{4}-\d\d-\d\d\.", ADVISORIES.read_text(encoding="utf-8"))


def test_every_version_of_a_lock_has_its_hashes() -> None:
    """A package without one would let pip take whatever an index serves."""
    for file in FILES:
        text = (ROOT / file).read_text(encoding="utf-8").replace("\\\n", "")
        bare = [entry for entry in text.splitlines() if "--hash=sha256:" not in entry]
        assert pinned(file)
        assert not bare or not file.endswith(".lock"), file


def test_the_locks_are_of_todays_ranges() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    run = project["project"]["dependencies"]
    every = [*run, *(one for extra in extras.values() for one in extra), *groups["dev"]]
    asked = {
        "requirements.txt": run,
        "requirements.lock": run,
        "requirements-login.lock": [*run, *extras["login"]],
        "requirements-dev.lock": every,
    }
    assert sorted(asked) == FILES
    for file, ranges in asked.items():
        pins = pinned(file) | {"torch": pinned("requirements.txt")["torch"]}
        for one in map(Requirement, ranges):
            assert pins[canonicalize_name(one.name)] in one.specifier, (file, one)
