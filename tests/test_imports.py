"""The direction of imports: views -> widgets, charts, state, services -> model, never back."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LONE = ("main", "state", "registry", "format", "i18n")
FILES = sorted(
    path.relative_to(ROOT) for folder in ("app", "model") for path in (ROOT / folder).rglob("*.py")
)

# From what people see down to what is true: a layer imports those below it, never back.
LAYERS = (
    ("app/main.py",),
    ("app/views/",),
    ("app/page/",),
    ("app/inspect/",),
    ("app/ui/",),
    ("app/components/",),
    ("app/charts/", "app/data/", "app/texts/"),
    ("app/state.py", "app/registry.py"),
    ("app/format.py", "app/i18n.py"),
    ("model/",),
)
# Besides its layer, what a file may not import whose path matches.
FORBIDDEN = (
    (r"model/", "app tests streamlit plotly"),
    (r"app/", "tests"),
    (r"app/(?!data/|views/.*/data\b)", "model"),
    (r"app/", "torch"),
    (r"app/charts/|app/views/.*_chart\.py", "streamlit app.data app.state"),
    (r"app/texts/|app/views/.*texts\.py", "streamlit app.data app.state app.charts"),
    (r"app/i18n\.py", "streamlit app"),
)


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


def layer(path: str) -> int:
    """How far down a file lies; 0 is what people see first."""
    return next((i for i, starts in enumerate(LAYERS) if path.startswith(starts)), len(LAYERS) - 1)


def page(path: str) -> str:
    """The folder of the page that a file belongs to, or nothing."""
    found = re.match(r"app/views/(?:(?:walk|history)/)?\w+/", path)
    return found.group() if found else ""


def breaches(path: str, source: str) -> list[str]:
    """Imports of a file that go against the direction."""
    return sorted(name for name in imported(source) if _is_breach(path, name))


def _is_breach(path: str, name: str) -> bool:
    forbidden = " ".join(names for start, names in FORBIDDEN if re.match(start, path)).split()
    if name == "." or any(f"{name}.".startswith(f"{package}.") for package in forbidden):
        return True
    if not name.startswith("app."):
        return False
    to = name.replace(".", "/") + "/"
    to = (
        to
        if not to.startswith(tuple(f"app/{one}/" for one in LONE))
        else "/".join(to.split("/")[:2]) + ".py"
    )
    upwards = layer(to) < layer(path)
    return upwards or (page(to) not in ("", page(path)) and bool(page(path)))


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
        ("app/views/translate.py", "from model.interpret.capture import Capture"),
        ("app/services.py", "from app.widgets import matrix"),
        ("app/widgets/matrix.py", "from app.views import translate"),
    ],
)
def test_a_breach_is_seen(path: str, source: str) -> None:
    assert breaches(path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("app/services.py", "import torch\nfrom model.interpret.capture import Capture"),
        ("app/views/translate.py", "from app.data.translation import translate\nimport streamlit"),
        ("app/charts/heatmap.py", "import plotly.graph_objects as go\nfrom app.i18n import _"),
        ("model/train.py", "from model.nn.layers import FeedForward\nimport torch"),
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
