"""A new change of a run is one class, and a new measure of the atlas a row and its formula."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHANGES = "model/interpret/experiments/changes.py"
SAMPLES = "tests/model/interpret/experiments/samples.py"
TESTS_OF_CHANGES = "tests/model/interpret/experiments/test_changes.py"
MEASURES = "model/atlas/measures.py"
NEW = "tests/app/test_new.py"
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
ROW = """    "second": Measure(N_("Share: the second token"), N_("The weight on it."), True),
}
ROLES: Final"""
KEYS = """        "second": (s == 1).expand(len(keys), -1),
        "first": word"""
# Of each file, what is replaced by what.
EDITS = (
    (CHANGES, "\nCLASSES: Final", CLASS),
    (SAMPLES, "EVERY = (", 'EVERY = (\n    "double-cross-1-0",'),
    (MEASURES, "}\nROLES: Final", ROW),
    (MEASURES, '        "first": word', KEYS),
)
# Run in the copy: offered, made, said, run, and recomputed; measured, and offered.
TEST = """
from app.data.changed import changed, changed_walk, fitted, read
from app.data.translation import Decoding
from app.data.walk import walk
from app.inspector.changes import sentence
from app.views.atlas.choice import title_of
from model.atlas.measures import NORMS, measure
from tests.app.views.translate.test_bench import made, menu
from tests.model.atlas.test_measures import encoded, pairs_of_letters
from tests.model.samples import letters_tokenizer, tiny_model


def test_a_double_change_is_offered_made_said_and_checked(models) -> None:
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


def test_a_measure_beside_the_double_is_measured_and_offered() -> None:
    model, golds = tiny_model(), pairs_of_letters(0)
    found = measure(model, encoded(model, golds), [0, 1])
    assert ((0 < found["second"]) & (found["second"] < 1)).any()
    assert found[NORMS + "second"].shape == found["second"].shape
    assert title_of("second") == "Share: the second token"
"""


def test_one_class_makes_a_change_and_a_row_a_measure(tmp_path: Path) -> None:
    for folder in ("model", "tests"):
        skip = shutil.ignore_patterns("browser", "__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=skip)
    for name in ("app", "pretrained", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    for file, old, new in EDITS:
        source = (tmp_path / file).read_text(encoding="utf-8")
        assert old in source
        (tmp_path / file).write_text(source.replace(old, new, 1), encoding="utf-8")
    (tmp_path / NEW).write_text(TEST, encoding="utf-8")
    options = ("-q", "-p", "no:cacheprovider", "-k", "double or of_every_class")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, NEW, TESTS_OF_CHANGES],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
