"""The direction of imports, views -> page -> … -> model: never back, and never in a circle."""

import ast
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def module_of(path: Path) -> str:
    """Return the dotted name of a file of the repository."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = [path for folder in ("app", "model") for path in sorted((ROOT / folder).rglob("*.py"))]
SOURCES = {module_of(path): path.read_text(encoding="utf-8") for path in FILES}
PACKAGES = [module_of(path) for path in FILES if path.name == "__init__.py"]

# From what people see down to what is true: a layer imports those below it, never back.
LAYERS = (
    ("app.main", "app.script", "app.__main__"),
    ("app.views", "app.notebook", "app.anywhere"),
    ("app.book",),
    ("app.page",),
    ("app.inspector",),
    ("app.stage",),
    ("app.ui",),
    ("app.components",),
    ("app.charts", "app.data", "app.texts"),
    ("app.state", "app.registry", "app.lesson"),
    ("app.server",),
    ("app.format", "app.i18n", "app.content"),
    ("model.__main__",),
    ("model.cli",),
    ("model.hub",),
    ("model.imported",),
    ("model.atlas",),
    ("model.history", "model.runs"),
    ("model.interpret", "model.export", "model.marian"),
    ("model.checkpoint",),
    ("model.training",),
    ("model.decoding", "model.tasks"),
    ("model.nn", "model.text"),
    ("model.config",),
    ("model.settings", "model.pickled"),
    ("model.files", "model.marian_files", "model.background"),
    ("model.errors", "model.languages", "model"),
)
# Besides the layers above, what a module may not import whose name matches.
FORBIDDEN = (
    (r"model\b", "app tests benchmarks streamlit plotly"),
    (r"app\b", "tests benchmarks torch"),
    (r"app\.(?!data\b|anywhere$|views\..*\.data\b)", "model"),
    (r"app\.charts\b|app\.views\..*(_chart|\.charts)$", "streamlit app.data app.state"),
    (r"app\.texts\b|app\.views\..*texts$", "streamlit app.data app.state app.charts"),
    (r"app\.i18n$", "streamlit app"),
)
PAGE = re.compile(r"app\.views\.(?:(?:walk|history)\.)?\w+")
# What draws, and never computes: it calls none of these, and multiplies no matrices. What is left
# to it is to choose, arrange, count and average what it shows, to take differences and shares, and
# to scale a picture.
DRAWS = ("app.views",)
COMPUTES = re.compile(r"(np|math)\.(exp|log|log2|einsum|cumprod|linalg\.\w+)|softmax|log_softmax")


@cache
def imported(source: str) -> frozenset[str]:
    """Dotted names that a file imports anywhere, by a string too; "." for a relative one."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and "import_module" in vars(node.func).values():
            told = (arg for arg in node.args if isinstance(arg, ast.Constant))
            names.update(str(arg.value) for arg in told)
        elif isinstance(node, ast.ImportFrom) and node.level:
            names.add(".")
        elif isinstance(node, ast.ImportFrom):
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(names)


def within(name: str, packages: Collection[str]) -> bool:
    """Whether a dotted name is one of some packages, or lies in one."""
    return any(f"{name}.".startswith(f"{package}.") for package in packages)


def layer(name: str) -> int:
    """How far down a module lies; 0 is what people see first."""
    found = [i for i, packages in enumerate(LAYERS) if within(name, packages)]
    assert found, f"{name} lies in no layer"
    return found[0]


def package(name: str) -> str:
    """The package of `model` that a module belongs to."""
    return ".".join(name.split(".")[:2])


def page(name: str) -> str:
    """The page that a module belongs to, or nothing."""
    found = PAGE.match(name)
    return found.group() if found else ""


def breaches(module: str, source: str) -> list[str]:
    """Imports of a module that go against the direction."""
    return sorted(name for name in imported(source) if _is_breach(module, name))


def _is_breach(module: str, name: str) -> bool:
    forbidden = " ".join(names for start, names in FORBIDDEN if re.match(start, module)).split()
    if name == "." or within(name, forbidden):
        return True
    if not within(name, ["app", "model"]):
        return False
    if layer(name) == layer(module) and within(module, ["model"]):
        return package(name) != package(module)
    return layer(name) < layer(module) or "" != page(module) != page(name) != ""


def computations(source: str) -> list[str]:
    """Return what a file computes that only `model` may: calls, and products of matrices."""
    nodes = list(ast.walk(ast.parse(source)))
    called = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    products = ["@" for node in nodes if isinstance(node, ast.MatMult)]
    return [name for name in called if COMPUTES.fullmatch(name)] + products


def circle(sources: Mapping[str, str]) -> list[str]:
    """Return modules that import each other in a circle, the first one last again; none is []."""
    graph = {module: set(_modules(source, sources)) for module, source in sources.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _modules(source: str, among: Collection[str]) -> Iterator[str]:
    """Yield which modules a file imports, whole or a name of theirs."""
    for name in imported(source):
        module = name if name in among else name.rpartition(".")[0]
        if module in among:
            yield module


def shadowing(packages: Collection[str]) -> list[str]:
    """Return the packages that are called like a module of the standard library."""
    return [name for name in packages if name.rpartition(".")[2] in sys.stdlib_module_names]


def test_imports_go_one_way() -> None:
    found = {module: breaches(module, source) for module, source in SOURCES.items()}
    assert {module: wrong for module, wrong in found.items() if wrong} == {}


def test_views_draw_and_never_compute() -> None:
    doors = re.compile(r"\.data\b")  # a page's door to the model calls the model's own
    views = {name: text for name, text in SOURCES.items() if within(name, DRAWS)}
    found = {
        name: [one for one in computations(text) if "softmax" not in one or not doors.search(name)]
        for name, text in views.items()
    }
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    assert computations("p = softmax(x @ y) + np.linalg.norm(x)") == [
        "softmax",
        "np.linalg.norm",
        "@",
    ]


def test_the_model_runs_where_there_is_numpy_alone() -> None:
    """`model.interpret.calculation` named no torch, and yet every import of it brought torch in."""
    code = "import sys, model.interpret.calculation.explain, model.text.merges\n"
    code += "from importlib.metadata import packages_distributions as installed\n"
    code += "names = {name.partition('.')[0] for name in sys.modules} & {*installed()}\n"
    code += "print(*(name for name in names if not name.startswith('_')))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["numpy"]


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(SOURCES) == []


def test_no_package_is_called_like_a_module_of_the_standard_library() -> None:
    """`import inspect` was taken for app/inspect, by tools and by readers."""
    assert shadowing(PACKAGES) == []
    assert shadowing(["app.inspect", "app.inspector"]) == ["app.inspect"]


# A module, and what it may not import.
WRONG = r"""
model.cli.train: import streamlit as st
model.cli.train: def late():\n    from plotly import graph_objects
model.cli.train: from . import main
app.data.walk: import torch
app.views.walk.learning.data: from torch import Tensor
app.charts.heatmap: import streamlit
app.views.walk.output.lens_chart: from app import state
app.views.translate.page: from model.interpret.capture import Capture
app.views.walk.heads.page: from app.views.walk.learning.data import taught
app.data.walk: from app.components import matrix
app.state: from app.data import walk
app.ui.table: from app.inspector.attention import Look
app.inspector.stepper: from app.page import live_part
app.page.chapter: from app.views.translate import page
app.ui.table: import_module("app.inspector.attention")
model.checkpoint: from model.runs.folder import RunFolder
model.decoding.search: from model.export import Engine
model.nn.layers: from model.text.batches import Batch
model.text.batches: from model.nn.masks import padding_mask
model.training.trainer: from model.interpret.capture import capture
model.interpret.capture: def late():\n    from model.runs.film import Frame
model.files: from model import checkpoint
"""
RIGHT = r"""
app.data.walk: from model.interpret.capture import Capture
app.views.walk.learning.data: from model.interpret.experiments.interventions import Gradients
app.views.training.data: from model.config import Arch
app.views.walk.learning.page: from app.views.walk.learning.data import taught
app.charts.heatmap: import plotly.graph_objects as go\nfrom app.i18n import _
model.cli.train: from model.nn.layers import FeedForward\nimport torch
app.views.translate.page: from app.data.translation import translate\nimport streamlit
"""


def cases(text: str) -> list[tuple[str, str]]:
    """Modules, and a source of each."""
    rows = (line.split(": ", 1) for line in text.strip().splitlines())
    return [(module, source.replace("\\n", "\n")) for module, source in rows]


def test_a_breach_is_seen_and_the_right_direction_passes() -> None:
    assert [case for case in cases(WRONG) if not breaches(*case)] == []
    assert [case for case in cases(RIGHT) if breaches(*case)] == []


def test_a_circle_is_seen_also_where_an_import_waits_in_a_function() -> None:
    sources = {
        "app.a": "from app import b",
        "app.b": "from app.c import name",
        "app.c": "def late():\n    import app.a",
    }
    assert set(circle(sources)) == set(sources)
    assert circle(sources | {"app.c": "import app.d"}) == []


@pytest.mark.parametrize(
    ("folder", "without"),
    [
        ("model", ("streamlit", "plotly", "app", "networkx")),
        ("app.charts", ("streamlit", "torch", "model")),
    ],
)
def test_imports_without(folder: str, without: tuple[str, ...]) -> None:
    """networkx takes a fifth of a second of a start, and only one page asks for it."""
    modules = [name for name in SOURCES if within(name, [folder]) and "__main__" not in name]
    # None in sys.modules makes an import fail, however deep it lies.
    code = f"import sys, importlib\nfor name in {without}: sys.modules[name] = None\n"
    code += f"for name in {modules}: importlib.import_module(name)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
