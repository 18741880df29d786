"""Our own code never unpickles: what people load is safetensors, JSON and text."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
# A process that we started ourselves may send pickles: they come from no file and nobody else.
OF_OUR_CHILD = ROOT / "app/data/child.py"
# Older Marian models are pickles: PyTorch reads only tensors from them, and runs no code.
OF_MARIAN = ROOT / "model/pickled.py"
UNSAFE_MODULES = {"pickle", "marshal", "shelve", "dill", "joblib", "cloudpickle"}
SOURCES = sorted((*ROOT.glob("app/**/*.py"), *ROOT.glob("model/**/*.py")))


def unsafe(source: str) -> list[str]:
    """Return the parts of a source that could run code from a file that it reads."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found += [alias.name for alias in names if alias.name in UNSAFE_MODULES]
            case ast.ImportFrom(module=module) if module in UNSAFE_MODULES:
                found.append(module)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="load")):
                found.append("torch.load")
            case ast.keyword(arg="allow_pickle", value=ast.Constant(value=True)):
                found.append("allow_pickle")
            case ast.Call(func=ast.Name(id="eval" | "exec" as name)):
                found.append(name)
    return found


def test_what_is_unsafe_is_seen() -> None:
    for source, name in (
        ("import pickle", "pickle"), ("from pickle import loads", "pickle"),
        ("torch.load(path, weights_only=True)", "torch.load"), ("eval(text)", "eval"),
        ("np.load(path, allow_pickle=True)", "allow_pickle"),
    ):  # fmt: skip
        assert unsafe(source) == [name]


def test_nothing_of_ours_is_unsafe() -> None:
    found = {path: unsafe(path.read_text("utf-8")) for path in SOURCES}
    assert found.pop(OF_OUR_CHILD) == ["pickle"]
    assert found.pop(OF_MARIAN) == ["torch.load"]
    assert re.findall(r"torch\.load\(.*\)", OF_MARIAN.read_text("utf-8")) == [
        'torch.load(path, map_location="cpu", weights_only=True, mmap=is_mapped)'
    ]
    assert not {str(path): names for path, names in found.items() if names}
