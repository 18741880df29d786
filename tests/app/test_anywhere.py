"""A heatmap of any attention: what it takes, how it is named, and that it needs no Streamlit."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch import nn, randn

from app.anywhere import heatmap, watch
from model.interpret.trace import Trace
from tests.app.pages import ROOT, content

EVEN = np.full((4, 3, 5), 0.2, np.float32)  # (H, T, S)
KEYS = [*"abcde"]


def only(figure: Any) -> dict[str, Any]:
    """What the browser draws of the only attention in a figure."""
    (drawn,) = content(figure.html)["attentions"].values()
    found: dict[str, Any] = drawn
    return found


def test_rows_and_columns_are_named() -> None:
    """One token more than rows: each row is named by what was read and what was written then."""
    wall = only(heatmap(EVEN, ["x", "y", "z"], KEYS))["wall"]
    assert (wall["queries"], wall["keys"]) == (["x", "y", "z"], KEYS)
    wall = only(heatmap([EVEN, EVEN], ["<s>", "y", "z", "."], KEYS))["wall"]
    assert wall["queries"] == ["after <s> → y", "after y → z", "after z → ."]
    assert (wall["layers"], wall["heads"]) == (2, [0, 1, 2, 3])
    wall = only(heatmap(EVEN[..., :3], ["x", "y", "z", "!"]))["wall"]
    assert (wall["keys"], wall["queries"][2]) == (["x", "y", "z"], "after z → !")
    wall = only(heatmap(EVEN, language="es", cols=KEYS))["wall"]
    assert wall["queries"] == ["1", "2", "3"]
    assert wall["text"]["query_axis"] == "consulta (mira) ↓"


@pytest.mark.parametrize(
    ("rows", "cols"), [(["x"], KEYS), ([*"vwxyz"], KEYS), ([*"xyz"], KEYS[1:]), ([*"xyz"], None)]
)
def test_names_that_do_not_fit_are_refused(rows: list[str], cols: list[str] | None) -> None:
    found = rf"3 rows and 5 columns want 3 row names \(or 4, .*\) and 5 .*, not {len(rows)} and"
    with pytest.raises(ValueError, match=found):
        heatmap(EVEN, rows, cols)


def test_a_token_is_text_and_no_code(tmp_path: Path) -> None:
    hostile = "</script><script>alert(1)</script>"
    figure = heatmap(EVEN[0], [hostile] * 3, KEYS, title=hostile)
    assert figure.html.count("<script") == 2
    figure.save(tmp_path / "attention.html")
    assert (tmp_path / "attention.html").read_text(encoding="utf-8") == figure.html
    assert figure._repr_html_().count("'") == 6


def test_many_weights_take_two_bytes_each_and_the_file_says_so() -> None:
    weights = np.random.default_rng(0).dirichlet(np.ones(128), (12, 12, 128)).astype(np.float32)
    figure = heatmap(weights, [f"token {i}" for i in range(128)])
    assert len(figure.html.encode()) < 6_000_000
    assert "2\u202f359\u202f296, each rounded to two bytes" in figure.html
    assert content(figure.html)["chosen"]["view"] == "wall"
    assert "rounded to two" not in heatmap(weights[:1]).html


def test_a_watched_module_is_drawn_with_the_tokens_of_both_sides() -> None:
    module = nn.Transformer(16, 4, 2, 3, 32, batch_first=True).eval()
    with watch(module) as run:
        module(randn(1, 5, 16), randn(1, 3, 16))
    drawn = content(run.heatmap(KEYS, ["<s>", "y", "z", "."]).html)["attentions"]
    walls = {name: one["wall"] for name, one in drawn.items()}
    assert {name: (one["queries"][-1], one["keys"][-1]) for name, one in walls.items()} == {
        "encoder.layers.N.self_attn": ("e", "e"),
        "decoder.layers.N.self_attn": ("after z → .", "z"),
        "decoder.layers.N.multihead_attn": ("after z → .", "e"),
    }
    with pytest.raises(ValueError, match="tokens of both sides"):
        run.heatmap(KEYS)


def test_it_needs_no_streamlit_and_warns_of_nothing(tmp_path: Path) -> None:
    code = "import sys\nsys.modules['streamlit'] = None\nfrom app.anywhere import heatmap\n"
    code += "figure = heatmap([[1.0, 0.0], [0.5, 0.5]], ['a', 'b'])\nprint(figure)"
    run = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("Figure()\n", "")


def test_the_code_of_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = (ROOT / "docs/notebook.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n([^`]*from app\.anywhere .*?)```", docs, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert (tmp_path / "attention.html").stat().st_size > 50_000
    assert Trace.load(tmp_path / "trace.safetensors").kinds == ("encoder", "decoder", "cross")
