"""The folder that a live book brings along."""

import sys
import zipfile
from pathlib import Path

import pytest

from app.book.build import BookEntry, BookPlan
from app.live import pack
from app.registry import Address


def test_what_was_downloaded_is_not_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a network, what is missing, or is another file, is told in one sentence."""
    cache = tmp_path / "illuminated-transformer" / f"pyodide-{pack.VERSION}"
    known = {"pyodide.mjs": "another"}
    monkeypatch.setattr(pack, "CACHE", tmp_path)
    monkeypatch.setattr(pack, "HASHES", known)
    monkeypatch.setattr(sys, "executable", "false")
    for _time in range(2):
        with pytest.raises(ValueError, match=f"pip cannot download .* not in {cache}"):
            pack.runtime()
        (cache / "pyodide.mjs").write_text("as it was")
    known["pyodide.mjs"] = pack.sha256(b"as it was")
    assert pack.runtime() == cache


def test_a_model_that_is_not_the_projects_own_is_one_sentence(tmp_path: Path) -> None:
    plan = BookPlan([BookEntry("one", Address("heads"))], ["a"], model="runs/mine", live=True)
    with pytest.raises(ValueError, match="runs/mine is none"):
        pack.write(tmp_path, plan, lambda _text: None)
    assert not list(tmp_path.iterdir())


def test_the_same_files_make_the_same_archive(tmp_path: Path) -> None:
    """Its name says what is in it, and a browser that knows the name does not load it again."""
    file = tmp_path / "file.txt"
    file.write_text("text")
    for name in ("one.zip", "two.zip"):
        pack.archive(tmp_path / name, [("live/file.txt", file)])
        file.touch()
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as packed:
        assert packed.read("live/file.txt") == b"text"
