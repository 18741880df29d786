"""The form: it makes the plan that was asked for, once, and says at the field what does not fit."""

import itertools
import shutil
from dataclasses import replace
from types import SimpleNamespace
from typing import get_args

import pytest
from streamlit.testing.v1 import AppTest

from app.data.errors import worded
from app.data.runs import letters_plan, needs
from app.format import escape, localized
from app.state import Param
from app.views.training import pairs as training_pairs
from app.views.training.data import (
    SETTINGS,
    Arch,
    defaults,
    make_plan,
    rows_of,
    split_pairs,
)
from app.views.training.fields import FIELDS, FormField
from app.views.training.texts import GOALS
from model import checkpoint
from model.errors import UserError
from model.runs.folder import RunFolder, run_names
from model.tasks import TASKS
from model.training.estimate import SECONDS_TO_BEGIN, n_parameters, step_seconds
from model.training.presets import PRESETS
from tests.app.pages import opened
from tests.app.views.training.conftest import failures, healthy, living, unfolded


@pytest.fixture
def recorded(shown: RunFolder) -> RunFolder:
    """The recorded run, one for all: the form changes nothing of it, and so the page knows it."""
    return shown


def train(app: AppTest) -> AppTest:
    return app.button(key="train").click().run()


def own_pairs(count: int) -> str:
    return "".join(f"uno {i}\tone {i}\n" for i in range(count))


def test_every_task_is_explained(recorded: RunFolder) -> None:
    assert GOALS.keys() == {*TASKS, "own"}
    app = healthy()
    for task in ("phrases-fr", "own"):
        app.selectbox(key="task-en").set_value(task).run()
        assert not app.exception
        assert not failures(app)
        assert app.button(key="train").disabled == (task == "own")


def test_every_setting_has_a_label_and_a_help(recorded: RunFolder) -> None:
    assert all(field.setting.label and field.setting.help for field in FIELDS)
    offered = {name for name, setting in SETTINGS.items() if setting.label}
    assert offered == {field.name for field in FIELDS} <= defaults("reverse", "tiny").keys()


def test_train_starts_the_plan_that_was_asked_for(spawned: list[str]) -> None:
    app = opened(
        "training", task="sort", **{"t-d_model": "32", "t-n_encoder_layers": "3", "t-steps": "77"}
    )
    train(app)
    assert spawned == ["sort"]
    plan = RunFolder.named("sort").plan()
    assert (plan.task, plan.probe) == ("sort", (TASKS["sort"].probe.src, TASKS["sort"].probe.tgt))
    assert (plan.model.d_model, plan.train.steps) == (32, 77)
    assert (plan.model.n_encoder_layers, plan.model.n_decoder_layers) == (3, 2)
    assert app.query_params["training"] == "sort"
    assert app.button(key="train").disabled


def test_a_second_click_starts_nothing(spawned: list[str]) -> None:
    """The second click of two brought along the run that was shown before: it was shown for good,
    beside a button that said "Training …".
    """
    app = opened("training", task="reverse")
    before = app.selectbox(key="training-en").value
    train(app)
    app.button(key="train").proto.disabled = False  # as it was for the second click of two
    app.selectbox(key="training-en").set_value(before)
    train(app)
    assert spawned == ["reverse"]
    assert run_names() == ["reverse"]
    assert app.query_params["training"] == "reverse"


def test_what_does_not_fit_together_is_said(recorded: RunFolder) -> None:
    for query, said in (
        ({"t-n_heads": "3", "t-d_model": "64"}, "64 cannot be shared out among 3 heads"),
        ({"t-steps": "100", "t-warmup": "200"}, "do not fit into a run of 100 steps"),
    ):
        app = opened("training", **query)
        assert app.button(key="train").disabled
        assert len(failures(app)) == 2  # at the field, and where the folded settings are not seen
        assert all(said in error for error in failures(app))
    healthy(**{"t-steps": "100", "t-warmup": "200", "t-until": "minutes"})


# tests/model/test_config.py tries the ends of every range.
NUMBERS = [field for field in FIELDS if field.setting.form is not None]


def written(number: float) -> str:
    return localized(str(number)) if isinstance(number, float) else str(number)


def refusal(field: FormField, value: float) -> str:
    """Return why a plan with this number is refused, if it is."""
    arch: Arch = "rnn" if field.name == "d_hidden" else "transformer"
    try:
        make_plan("x", "reverse", {**defaults("reverse", "tiny", arch), field.name: value})
    except UserError as error:
        return worded(error) if error.field == field.name else ""
    return ""


def test_a_number_out_of_range_is_refused_in_a_sentence(recorded: RunFolder) -> None:
    """The browser kept such a number to itself, red, and Train went on with the one before."""
    app = opened("training")
    for field in NUMBERS:
        low, high, step = field.setting.form or (0, 0, 0)
        for end, beyond in ((low, low - step), (high, high + step)):
            value, least, most = map(written, (beyond, low, high))
            said = f"{value} does not work: choose {least} to {most}."
            assert said in refusal(field, beyond)
            assert "does not work" not in refusal(field, end)
        if field.name != "d_hidden":
            label = app.number_input(key=f"t-{field.name}-en").label
            assert "–" in label
            assert "e-" not in label  # 0.00001, not 1e-05
    app.number_input(key="t-seed-en").set_value(-1).run()
    assert app.button(key="train").disabled
    assert any(escape("-1 does not work: choose 0 to ") in error for error in failures(app))
    app.number_input(key="t-seed-en").set_value(0).run()
    assert not failures(app)


def test_what_is_typed_right_before_the_click_counts(spawned: list[str]) -> None:
    """A click on Train takes the number along that was typed before it, without a run between."""
    for steps in (0, 77):
        app = opened("training", task="copy")
        app.number_input(key="t-steps-en").set_value(steps)
        train(app)
    assert [RunFolder.named(name).plan().train.steps for name in spawned] == [77]


def test_every_starting_point_is_within_the_ranges() -> None:
    for task, preset, arch in itertools.product(TASKS, PRESETS, get_args(Arch)):
        make_plan("x", task, defaults(task, preset, arch))


def test_a_model_larger_than_the_machine_is_refused(
    spawned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("model.training.estimate.machine_bytes", lambda: 2**28)
    app = opened("training")
    assert app.button(key="train").disabled
    assert "This machine has 0.2 GB" in failures(app)[0]


def test_a_form_has_one_figure(own: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """2 min, 46 s, 13 min were said of one form within a minute: how much of a processor was free
    was tried out again each half minute, and a run under way was taken for what such a run takes.
    """
    plan = own.plan()
    said = needs(plan).seconds
    clock, computed = itertools.count(0.0, 0.03), itertools.count(0.0, 0.003)  # a busy machine
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    monkeypatch.setattr("time.thread_time", lambda: next(computed))
    other = RunFolder(shutil.copytree(own.path, own.path.with_name("under way")))
    with living(other):
        other.write_status(replace(other.status(), step_seconds=1.0))
        assert needs(plan).seconds == said
    assert (
        needs(letters_plan()).seconds
        == needs(make_plan("reverse", "reverse", defaults("reverse", "tiny"))).seconds
    )


def test_the_form_expects_of_a_run_what_others_took_here(own: RunFolder) -> None:
    """The recorded run's speed, measured elsewhere, was taken for this machine's, and a letter
    task's model of the small size was said to have 2 million parameters more than it gets.
    """
    plan = own.plan()
    recorded = RunFolder(checkpoint.PRETRAINED / "recorded" / own.name)
    status = replace(own.status(), step_seconds=0.0)
    own.write_status(status)
    recorded.write_status(replace(status, step_seconds=10**6))
    guess, begins = needs(plan).seconds, SECONDS_TO_BEGIN
    assert guess < 60
    slow = 3 * (guess - begins) / plan.train.steps
    own.write_status(replace(status, step_seconds=slow))
    assert needs(plan).seconds == pytest.approx(begins + plan.train.steps * slow)
    longer = replace(plan, train=replace(plan.train, steps=1000, batch_tokens=10**4))
    assert needs(longer).seconds == pytest.approx(
        begins + 3000 * step_seconds(replace(plan.model, vocab_size=285), longer.train)
    )
    small = make_plan("x", "reverse", defaults("reverse", "small"))
    sized = replace(small.model, vocab_size=285)
    assert needs(small).parameters == n_parameters(sized) < n_parameters(small.model)
    timed = needs(replace(plan, minutes=2.0))
    assert timed.seconds == pytest.approx(begins + 120)


def test_another_preset_brings_its_own_settings(recorded: RunFolder) -> None:
    app = opened("training", task="reverse", **{"t-d_model": "32", "t-dropout": "0.5"})
    app.button_group(key="t-preset-en").set_value("small").run()
    assert "t-d_model" not in app.query_params
    assert app.number_input(key="t-d_model-en").value == PRESETS["small"][0].d_model
    app = opened("training", **{"t-preset": "small", "t-d_model": "32"})
    assert app.number_input(key="t-d_model-en").value == 32
    assert app.number_input(key="t-n_heads-en").value == PRESETS["small"][0].n_heads


def test_own_pairs_are_read_reported_and_trained_on(spawned: list[str]) -> None:
    app = opened("training", task="own")
    app.text_area[0].set_value(own_pairs(30) + "no tab\n\n").run()
    assert any(fold.label == "Lines that cannot be used: 2" for fold in app.expander)
    assert "**27** pairs to train on, **3** held out" in " ".join(c.value for c in app.caption)
    assert not app.button(key="train").disabled
    train(app)
    folder = RunFolder.named("own")
    plan = folder.plan()
    assert (plan.source, plan.target, plan.data) == ("es", "en", ("train.tsv",))
    held_out = (folder.path / plan.valid).read_text().splitlines()
    trained_on = (folder.path / plan.data[0]).read_text().splitlines()
    assert (len(trained_on), len(held_out)) == (27, 3)
    assert "\t".join(plan.probe) in held_out


def test_own_pairs_need_no_tab(recorded: RunFolder) -> None:
    """No tab can be typed into the field: what parts most lines into two was meant."""
    for separator in (" = ", " → ", ", ", "    ", "; "):
        lines = [f"frase {i}{separator}sentence {i}" for i in range(30)]
        odd = separator.join("abc")  # in three: which is the translation?
        typed = "\n".join([*lines, *lines[:4], odd, "nothing"])
        found = split_pairs(typed.encode())
        assert (len(found.train), len(found.valid)) == (27, 3)
        assert (found.doubles, len(found.bad)) == (4, 2)
        assert found.train[0].tgt == found.train[0].src.replace("frase", "sentence")
    app = opened("training", task="own")
    app.text_area[0].set_value(typed).run()
    captions = " ".join(caption.value for caption in app.caption)
    assert "read as a sentence, “;”, its translation" in captions
    assert "left out: 4." in captions


def test_own_pairs_are_typed_into_a_table(
    spawned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tab cannot be typed into a field: the key leads on to the next control."""
    app = unfolded("pairs-table", task="own")
    assert not failures(app)
    assert list(app.dataframe[0].value.columns) == ["src", "tgt"]
    drawn: list[dict[str, list[str]]] = []
    monkeypatch.setattr("streamlit.data_editor", lambda data, **_: drawn.append(data))
    unfolded("pairs-table", task="own", **{"t-pairs": "uno\tone\ndos\ttwo\ntres"})
    assert drawn[-1] == {"src": ["uno", "dos", "tres"], "tgt": ["one", "two", ""]}
    changes = {
        "edited_rows": {2: {"tgt": "three"}, 1: {"src": None}},
        "deleted_rows": [0],
        "added_rows": [{"src": " a\tb ", "tgt": "c"}, {}],
    }
    rows = training_pairs.changed([("uno", "one"), ("dos", "two"), ("tres", "")], changes)
    assert rows == [("", "two"), ("tres", "three"), (" a\tb ", "c"), ("", "")]
    assert training_pairs.text_of(rows) == "\ttwo\ntres\tthree\na b\tc"
    assert rows_of("tres\tthree\na b\tc") == [("tres", "three"), ("a b", "c")]


def test_a_list_is_read_as_it_comes() -> None:
    """A comma within sentences parts nothing; attributions are left; sources are held out whole."""
    lines = [f"Sí, {i}.\tYes, {i}.\tCC-BY 2.0 (France) Attribution: x" for i in range(25)]
    data = b"\xef\xbb\xbf" + "\r\n".join([*lines, *(f"Sí, {i}.\tYeah." for i in range(9))]).encode()
    found = split_pairs(data)
    assert found == split_pairs(data)
    assert (found.separator, found.doubles, found.bad) == ("\t", 0, ())
    assert (len(found.train) + len(found.valid)) >= 25
    assert all(pair.tgt.startswith("Ye") and "CC" not in pair.tgt for pair in found.train)
    assert all(pair.src.startswith("Sí, ") for pair in (*found.train, *found.valid))
    assert not {pair.src for pair in found.train} & {pair.src for pair in found.valid}


def test_the_filmed_pair_and_the_name_are_chosen_before_it_starts(spawned: list[str]) -> None:
    app = opened("training", task="own", **{"t-name": "my letters"})
    app.text_area[0].set_value(own_pairs(40)).run()
    chosen = split_pairs(own_pairs(40).encode()).valid[-1]
    app.selectbox(key="t-filmed-en").set_value(chosen.src).run()
    train(app)
    assert spawned == ["my letters"]
    assert RunFolder.named("my letters").plan().probe == (chosen.src, chosen.tgt)


def test_a_name_that_no_run_can_have_is_refused_at_the_form(recorded: RunFolder) -> None:
    app = opened("training", **{"t-name": "../etc"})
    assert "cannot be a name" in failures(app)[0]
    assert app.button(key="train").disabled


def test_too_few_own_pairs_are_refused(spawned: list[str]) -> None:
    app = opened("training", task="own")
    app.text_area[0].set_value(own_pairs(19)).run()
    assert app.button(key="train").disabled
    assert "Usable pairs: 19." in app.warning[0].value


def test_the_form_survives_another_page(recorded: RunFolder) -> None:
    app = opened("training", task="sort", **{"t-d_ff": "128"})
    app.switch_page("views/translate/page.py").run()
    app.switch_page("views/training/page.py").run()
    assert app.number_input(key="t-d_ff-en").value == 128
    assert app.query_params["task"] == "sort"


def test_every_setting_reads_what_it_writes() -> None:
    for field in FIELDS:
        assert isinstance(field.param, Param)
        value = defaults("reverse", "tiny").get(field.name, 2)
        text = str(int(value)) if isinstance(value, bool) else str(value)
        assert field.parse(text) == value


def test_a_file_with_english_first_turns_the_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page said “From Spanish” over a file of English sentences and their translations."""
    lines = "".join(f"where is my house {i}\tdónde está mi casa {i}\n" for i in range(60))
    file = SimpleNamespace(name="list.tsv", size=9, getvalue=lines.encode)
    chosen: dict[str, str] = {}
    monkeypatch.setattr("streamlit.session_state", {training_pairs.UPLOAD: file, "chosen": chosen})
    monkeypatch.setattr("app.state._write_url", lambda: None)
    training_pairs._uploaded()
    assert (training_pairs.SOURCE.get(), training_pairs.TARGET.get()) == ("en", "es")
    training_pairs._uploaded()
    assert (training_pairs.SOURCE.get(), training_pairs.TARGET.get()) == ("en", "es")


def test_a_list_larger_than_its_limit_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server itself takes larger files: the zips of models."""
    for size, kept in ((training_pairs.MEGABYTES * 2**20, True), (2**25, False)):
        file = SimpleNamespace(name="list.tsv", size=size, getvalue=lambda: b"a\tb\n")
        session = {training_pairs.UPLOAD: file}
        monkeypatch.setattr("streamlit.session_state", session)
        training_pairs._uploaded()
        assert (training_pairs.FILE in session) == kept
