"""`python -m model import marian`: what it says, and what can be done with the model then."""

from pathlib import Path

import pytest

from model import checkpoint
from model.errors import UserError
from tests.model.cli.commands import output
from tests.model.marian_samples import save_marian, theirs


def test_a_model_is_imported_and_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "MODELS", tmp_path / "models")
    folder, run = str(save_marian(tmp_path / "theirs", theirs())), str(tmp_path / "r")
    assert "models/opus-es-en" in output("import", "marian", folder, "--name", "opus-es-en")
    assert checkpoint.imported_names() == ["models/opus-es-en"]
    for name in ("opus-es-en", "models/opus-es-en"):
        assert checkpoint.resolve(name) == tmp_path / "models" / "opus-es-en"
    written = output("translate", "--model", "opus-es-en", lines="La casa.\n\nUn libro.\n")
    assert written.count("\n") == 3
    assert "marian" in output("info", "opus-es-en")
    for command, sentence in (
        (("import", "marian", folder, "--name", "opus-es-en"), "already a model"),
        (("import", "marian", folder, "--name", "../x"), "cannot be a name"),
        (("import", "marian", str(tmp_path / "none"), "--name", "new"), "There is no folder"),
        (
            ("train", "--start-from", "opus-es-en", "--task", "copy", "--out", run),
            "not trained further",
        ),
    ):
        with pytest.raises(UserError, match=sentence):
            output(*command)
    assert sorted(path.name for path in (tmp_path / "models").iterdir()) == ["opus-es-en"]
