"""The models in a notebook: the example runs as it stands, and what is drawn needs nobody."""

from __future__ import annotations

import ast
import html
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.components.document import Figure
from app.format import probability
from app.notebook import Capture, load, main
from tests.app.pages import ROOT, content, opened

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"
TEN_WORDS = "El perro de mi vecino duerme todo el día aquí."


def run_cell(source: str, names: dict[str, object]) -> Any:
    """Run a cell and return the value of its last line, as a notebook does; `%pip` does nothing."""
    *body, last = ast.parse(re.sub(r"(?m)^%pip .*", "None", source)).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def stored(value: Any) -> dict[str, list[str]]:
    """What a notebook keeps of a cell's value."""
    kept = {"text/plain": repr(value)}
    if hasattr(value, "_repr_html_"):
        kept["text/html"] = value._repr_html_()
    return {kind: text.splitlines(keepends=True) for kind, text in kept.items()}


@pytest.mark.long
def test_the_example_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first three cells are all that a visitor of Colab needs; it stays small when executed."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    kinds = [cell["cell_type"] for cell in notebook["cells"]]
    assert kinds[:5] == ["markdown", "code", "code", "code", "markdown"]
    codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    values = [run_cell("".join(cell["source"]), names) for cell in codes]
    for cell, value in zip(codes, values, strict=True):
        cell["outputs"] = [] if value is None else [stored(value)]
    assert len(json.dumps(notebook, indent=1)) <= 300_000
    _, output, capture, _, (shape, sums), (_, count), muted, other = values
    assert output == "The black cat sleeps on my grandmother's old chair."
    assert output != muted
    assert isinstance(capture, Capture)
    assert np.allclose(sums, 1, atol=1e-5)
    assert len(shape) == 2
    assert count > 100
    assert isinstance(other, Figure)
    assert (tmp_path / "attention.html").stat().st_size > 50_000


def test_a_figure_holds_every_head_in_less_than_a_megabyte() -> None:
    capture = load("es-en").translate(TEN_WORDS)
    figure = capture.show("wall", "decoder", layer=1, head=5)
    assert len(figure.html.encode()) < 1_000_000
    sent = content(figure.html)
    assert sent["chosen"] == {"view": "wall", "kind": "decoder", "layer": 1, "head": 5}
    walls = {kind: one["wall"] for kind, one in sent["attentions"].items()}
    heads = {kind: (wall["layers"], len(wall["heads"])) for kind, wall in walls.items()}
    assert heads == {"cross": (3, 8), "encoder": (5, 8), "decoder": (3, 8)}


def test_what_is_printed_is_ten_lines(capfd: pytest.CaptureFixture[str]) -> None:
    """It was 17,700 lines, and a notebook stored each figure twice, as HTML and as its text."""
    capture = load("es-en").translate(TEN_WORDS).change("mute-cross-1")
    lines = str(capture).splitlines()
    assert len(lines) <= 10
    assert f"source: {TEN_WORDS}" in lines
    assert "model: es-en, Beam 4" in lines
    assert "changes: mute-cross-1" in lines
    assert len(repr(capture.show())) < 100
    assert capfd.readouterr().err == ""


def test_the_command_line_says_nothing_of_streamlit(tmp_path: Path) -> None:
    """Ten lines said “missing ScriptRunContext!”: the queue looked for the page that asked."""
    out = tmp_path / "attention.html"
    run = [sys.executable, "-m", "app.notebook", "Hola.", "--out", str(out)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
    assert out.stat().st_size > 50_000


def test_no_text_of_a_visitor_becomes_code(models: Path) -> None:
    hostile = "</script><script>alert(1)</script> <img src=x>'; rm -rf ~"
    figure = load("es-en").translate(hostile).show()
    assert figure.html.count("<script") == 2
    assert "<img" not in figure.html
    assert "http://" not in figure.html.replace("http://www.w3.org/2000/svg", "")
    (command,) = re.findall("<pre>(.*)</pre>", figure.html)
    assert shlex.split(html.unescape(command))[-1] == hostile


def test_the_command_in_it_makes_the_same_file(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load("es-en").translate("Hola.", beam=2).change("mute-cross-1-1_3").show("lines")
    (command,) = re.findall("<pre>(.*)</pre>", first.html)
    words = shlex.split(html.unescape(command))
    assert words[1:3] == ["-m", "app.notebook"]
    words[words.index("attention.html")] = str(tmp_path / "again.html")
    monkeypatch.setattr(sys, "argv", words[2:])
    main()
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == first.html


def test_what_is_not_there_is_said(models: Path) -> None:
    with pytest.raises(ValueError, match="There is no model 'nope' that can be used"):
        load("nope")
    capture = load("es-en").translate("Hola.")
    with pytest.raises(ValueError, match="no layer 9"):
        capture.show(layer=9)
    with pytest.raises(ValueError, match="no view 'other'"):
        capture.show("other")
    with pytest.raises(ValueError, match="not a change"):
        capture.change("sing-cross")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ("mute-cross-9", "There is no layer 9: counted from 0, .* has 0 to 1 there"),
        ("mute-cross-0-4", "There is no head 4: .* has 0 to 3 there"),
        ("mute-encoder-2", "There is no layer 2: .* has 0 to 1 there"),
        ("mute-cross-0~look-uniform-cross-0-1_7", "There is no head 7: .* has 0 to 3 there"),
        ("hide-src-99", "99 does not work: choose 0 to "),
    ],
)
def test_a_layer_head_or_word_that_is_not_there_is_no_change(
    models: Path, changes: str, says: str
) -> None:
    """Such a change did nothing, and nothing was said: the numbers were those without it."""
    capture = load("es-en").translate("Hola.")
    with pytest.raises(ValueError, match=says):
        capture.change(changes)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--change", "mute-cross-9"), "There is no layer 9"),
        (("--layer", "3"), "--layer: 3 does not work: choose 1 to 2."),
        (("--head", "0"), "--head: 0 does not work: choose 1 to 4."),
    ],
)
def test_the_command_names_the_range(
    models: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    says: str,
) -> None:
    """`--layer 9` was answered with "no layer 8": the command counts from 1, the sentence did not.

    And a change of a layer that is not there wrote a file without it.
    """
    monkeypatch.setattr(sys, "argv", ["app.notebook", "Hola.", *options])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert says in capsys.readouterr().err


def test_the_page_translate_saves_both_files(models: Path) -> None:
    app = opened(text="Hola", view="wall", head="2")
    app.session_state["save"] = True
    app.run()
    labels = [one.proto.label for one in app.get("download_button")]
    assert labels == ["Save as a web page", "Save as a report to print", "Save as a trace"]


def test_the_code_of_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = (ROOT / "docs/notebook.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(from app\.notebook .*?)```", docs, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert (tmp_path / "muted.html").stat().st_size > 50_000


def test_a_report_has_the_tokens_every_head_and_every_step() -> None:
    capture = load("es-en").translate(TEN_WORDS)
    page = capture.show("report", "encoder", layer=4, head=2).html
    assert len(page.encode()) < 300_000
    assert "<script" not in page
    shown = capture.translation
    for token in (*shown.source.tokens, *shown.target.tokens):
        assert f"{html.escape(token.text)}<small>{token.id}</small>" in page
    assert "Layer 5, head 3" in page
    assert page.count("<g transform") == 1 + 8 * (3 + 5 + 3)
    assert page.count("<tr><td>") == len(shown.steps)
    for step in shown.steps:
        assert f"<td>{probability(step.taken.probability)}</td>" in page
    assert "BLEU" in page
    assert "--view report --kind encoder --layer 5 --head 3" in page


def test_a_recurrent_network_without_attention_has_a_report(models: Path) -> None:
    page = load("rnn/es-en").translate("Hola.").show("report").html
    assert "<svg" not in page
    assert "<tr><td>" in page
