"""`python -m model import marian`: what it says, and what can be done with the model then."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from model import checkpoint
from model.cli.main import app
from model.errors import UserError
from tests.model.marian_samples import save_marian, theirs


def run(*arguments: str, lines: str = "") -> str:
    result = CliRunner().invoke(app, list(arguments), input=lines)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    return result.output


def test_a_model_is_imported_and_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "MODELS", tmp_path / "models")
    folder = str(save_marian(tmp_path / "theirs", theirs()))
    assert "models/opus-es-en" in run("import", "marian", folder, "--name", "opus-es-en")
    assert checkpoint.imported_names() == ["models/opus-es-en"]
    for name in ("opus-es-en", "models/opus-es-en"):
        assert checkpoint.resolve(name) == tmp_path / "models" / "opus-es-en"
    written = run("translate", "--model", "opus-es-en", lines="La casa.\n\nUn libro.\n")
    assert written.count("\n") == 3
    assert "marian" in run("info", "opus-es-en")
    with pytest.raises(UserError, match="already a model"):
        run("import", "marian", folder, "--name", "opus-es-en")
    with pytest.raises(UserError, match="cannot be a name"):
        run("import", "marian", folder, "--name", "../x")
    with pytest.raises(UserError, match="There is no folder"):
        run("import", "marian", str(tmp_path / "none"), "--name", "new")
    with pytest.raises(UserError, match="not trained on"):
        run(
            "train", "--start-from", "opus-es-en", "--task", "reverse", "--out", str(tmp_path / "r")
        )
    assert sorted(path.name for path in (tmp_path / "models").iterdir()) == ["opus-es-en"]
