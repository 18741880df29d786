"""Training a recurrent translator from the page: form, film, doctor, slow motion."""

import shutil
from dataclasses import replace

import pytest

from model import files as runs
from model.config import Arch
from model.runs.doctor import diagnose
from model.runs.film import Frame
from model.runs.folder import RunFolder
from model.runs.training_step import dissect
from model.tasks import TASKS
from model.training.estimate import n_parameters
from model.training.presets import preset
from tests.app.pages import charts, opened
from tests.app.tiny import RECURRENT
from tests.app.views.training.conftest import healthy, trained_on_letters
from tests.model.samples import tiny_config


@pytest.fixture(scope="module", params=RECURRENT)
def arch(request: pytest.FixtureRequest) -> Arch:
    chosen: Arch = request.param
    return chosen


@pytest.fixture(scope="module")
def trained(arch: Arch, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Reversing letters, learned for 24 steps; nothing may change it."""
    model = tiny_config(arch, dropout=0.1)
    return trained_on_letters(tmp_path_factory, "recurrent", model=model)


@pytest.fixture
def run(trained: RunFolder, recorded: RunFolder) -> RunFolder:
    """The same run among the visitors' own."""
    shutil.copytree(trained.path, runs.RUNS / "recurrent")
    return RunFolder.named("recurrent")


def test_the_form_asks_for_what_it_has(arch: Arch, spawned: list[str]) -> None:
    app = healthy(task="sort", **{"t-arch": arch, "t-d_hidden": "40", "t-n_decoder_layers": "3"})
    keys = {str(element.key) for element in app.number_input}
    assert {"t-d_hidden-en", "t-d_model-en"} <= keys
    assert not {"t-n_decoder_layers-en", "t-n_heads-en", "t-d_ff-en"} & keys
    assert not [toggle for toggle in app.toggle if "causal" in str(toggle.key)]
    # Of letters, a tokenizer finds fewer pieces than it may have.
    sizes = replace(preset("tiny", arch)[0], d_hidden=40, vocab_size=TASKS["sort"].pieces or 0)
    expected = n_parameters(sizes) / 1e6
    assert any(f"{expected:.2f} M parameters" in caption.value for caption in app.caption)
    app.button(key="train").click().run()
    assert spawned == ["sort"]
    model = RunFolder.named("sort").plan().model
    assert (model.arch, model.d_hidden, model.n_decoder_layers) == (arch, 40, 1)


def test_the_cell_stands_beside_the_architecture(spawned: list[str]) -> None:
    app = opened("training", task="sort", **{"t-arch": "rnn"})
    sizes = [caption.value for caption in app.caption if "parameters" in caption.value]
    app.selectbox(key="t-cell-en").set_value("tanh").run()
    assert not app.exception
    assert sizes != [caption.value for caption in app.caption if "parameters" in caption.value]
    app.button(key="train").click().run()
    assert RunFolder.named("sort").plan().model.cell == "tanh"
    app.selectbox(key="t-arch-en").set_value("transformer").run()
    assert not [box for box in app.selectbox if "cell" in str(box.key)]


def test_its_page_shows_what_there_is(run: RunFolder, arch: Arch) -> None:
    app = healthy(training="recurrent", kind="encoder", layer="3")
    told = [info.value for info in app.info if "no attention" in info.value]
    assert bool(told) == (arch == "rnn")
    assert charts(app)


def test_film_doctor_and_slow_motion_know_it(trained: RunFolder, arch: Arch) -> None:
    frames = [Frame.load(trained.frame_file(step)) for step in trained.frames()]
    assert len(frames) > 5
    for frame in frames:
        weights = [name for name in frame.capture.arrays if name.endswith("weights")]
        assert weights == (["decoder.0.cross_attn.weights"] if arch == "rnnsearch" else [])
        assert frame.attends == (arch == "rnnsearch")
    assert diagnose(trained.plan(), trained.log(), trained.samples(), frames[-1])
    step = dissect(trained)
    assert {block.name for block in step.blocks} == {
        "src_embed", "generator", "encoder.0", "decoder.0",
    }  # fmt: skip
    assert step.loss > 0
