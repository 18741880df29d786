"""The direction of imports: views -> widgets, charts, state, services -> model, never back."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted(
    path.relative_to(ROOT) for folder in ("app", "model") for path in (ROOT / folder).rglob("*.py")
)

# What the files whose path starts so may not import.
FORBIDDEN = {
    "model/": "app tests streamlit plotly",
    "app/": "tests torch model",
    "app/charts/": "streamlit app.views app.widgets app.state app.services app.main",
    "app/widgets/": "app.views app.main",
    "app/lessons/": "streamlit app.views app.widgets app.charts app.state app.services app.main",
    "app/state": "app.views app.widgets app.charts app.main",
    "app/services": "app.views app.widgets app.charts app.main",
    "app/i18n.py": "streamlit app",
}
# The one door between what is shown and what computes.
DOOR = "app/services"


def imported(source: str) -> set[str]:
    """Dotted names that a file imports, wherever in the file it does; "." for a relative one."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            names.add(".")
        elif isinstance(node, ast.ImportFrom):
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def breaches(path: str, source: str) -> list[str]:
    """Imports of a file that go against the direction."""
    forbidden = {
        package
        for start, packages in FORBIDDEN.items()
        if path.startswith(start)
        for package in packages.split()
    }
    if path.startswith(DOOR):
        forbidden -= {"torch", "model"}
    # "app.services" stands for app.services_training too.
    pattern = "|".join(rf"{re.escape(package)}(_\w+)?(\.|$)" for package in forbidden)
    return sorted(name for name in imported(source) if re.match(rf"\.$|{pattern}", name))


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_go_one_way(path: Path) -> None:
    assert breaches(path.as_posix(), (ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("model/train.py", "import streamlit as st"),
        ("model/train.py", "def late():\n    from plotly import graph_objects"),
        ("model/train.py", "from app import i18n"),
        ("model/train.py", "from . import layers"),
        ("app/charts/heatmap.py", "import torch.nn"),
        ("app/charts/heatmap.py", "from app.services_training import watch"),
        ("app/views/translate.py", "from model.capture import Capture"),
        ("app/services.py", "from app.widgets import matrix"),
        ("app/widgets/matrix.py", "from app.views import translate"),
    ],
)
def test_a_breach_is_seen(path: str, source: str) -> None:
    assert breaches(path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("app/services.py", "import torch\nfrom model.capture import Capture"),
        ("app/views/translate.py", "from app.services import translate\nimport streamlit"),
        ("app/charts/heatmap.py", "import plotly.graph_objects as go\nfrom app.i18n import _"),
        ("model/train.py", "from model.layers import FeedForward\nimport torch"),
    ],
)
def test_the_right_direction_passes(path: str, source: str) -> None:
    assert breaches(path, source) == []


@pytest.mark.parametrize(
    ("folder", "without"),
    [("model", ("streamlit", "plotly", "app")), ("app/charts", ("streamlit", "torch", "model"))],
)
def test_imports_without(folder: str, without: tuple[str, ...]) -> None:
    modules = [
        ".".join(path.with_suffix("").parts)
        for path in FILES
        if path.is_relative_to(folder) and path.stem not in ("__main__", "__init__")
    ]
    # None in sys.modules makes an import fail, however deep it lies.
    code = f"import sys, importlib\nfor name in {without}: sys.modules[name] = None\n"
    code += f"for name in {modules}: importlib.import_module(name)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
