"""Adding a change is one class: nothing else names it."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
CHANGES = "model/interpret/experiments/changes.py"
CLASS = '''
@dataclass(frozen=True)
class Double(Change):
    """What some heads hand over is doubled."""

    word = "double"
    template = N_("{place}: twice as much")
    offers = (Offer("heads", N_("Hand over twice as much"), ("place",)),)
    kind: Kind
    layer: int | None = None
    heads: tuple[int, ...] = ()

    def actions(self, fit: Fit) -> Iterator[Action]:
        heads = fit.heads(self.heads)
        for scope, _ in fit.scopes(self.kind, self.layer):
            yield Action(f"{scope}.context", partial(_double, heads))


def _double(heads: Tensor, context: Tensor, scene: Scene) -> Tensor:
    return torch.where(heads, 2 * context, context)


CLASSES: Final'''
# Run in the copy: offered, made, said, run, and recomputed.
TEST = """
import pytest

from app.data.changed import changed, fitted, read
from app.data.changed import changed_walk
from app.data.walk import walk
from app.data.translation import Decoding
from app.inspector.changes import sentence
from tests.app.views.translate.test_change_form import made, menu


def test_it_is_offered_made_said_and_checked(models) -> None:
    app = menu()
    list_ = next(one for one in app.selectbox if one.label == "What they do")
    assert "Hand over twice as much" in list_.options
    list_.set_value(list_.options.index("Hand over twice as much")).run()
    (entry,) = read(made(app))
    original = walk("es-en", "Donde hay humo, hay fuego", Decoding("greedy"))
    assert sentence(entry.change, original).endswith(": twice as much")
    plan = fitted(original.translation, [entry.change]).plan
    shown = changed_walk(original, changed(original.translation, plan))
    assert plan.changes == (entry.change,)
    assert shown.check(()).passed
"""


def test_one_class_makes_a_change(tmp_path: Path) -> None:
    for folder in ("model", "tests"):
        skip = shutil.ignore_patterns("browser", "benchmarks", "__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=skip)
    for name in ("app", "pretrained", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    changes = (tmp_path / CHANGES).read_text(encoding="utf-8")
    (tmp_path / CHANGES).write_text(changes.replace("\nCLASSES: Final", CLASS, 1), encoding="utf-8")
    (tmp_path / "tests/app/test_double.py").write_text(TEST, encoding="utf-8")
    tests = ["tests/app/test_double.py", "tests/model/interpret/experiments/test_changes.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
