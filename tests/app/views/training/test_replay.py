"""A typed sentence at every kept moment, and the held-out ones in order."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from app.views.training import film
from app.views.training.data import replay
from app.views.training.samples import n_wrong
from model import checkpoint
from model.decoding.search import translate_ids
from model.runs.folder import RunFolder
from model.text.byte_level import EOS
from tests.app.views.training.conftest import living, run_film, unfolded
from tests.model.runs.run_samples import new_run, train


def test_every_filmed_moment_is_the_model_as_it_was(own: RunFolder) -> None:
    made, filmed = replay("reverse", own.plan().probe[0]), run_film("reverse")
    assert made.steps == filmed.steps == own.moments()
    for again, frame in zip(made.frames, filmed.frames, strict=True):
        assert again.output == frame.output  # 16 bits make no difference to what it writes
    weights = made.head("cross", 0, 0)
    assert weights.shape[0] == len(made.steps)
    assert np.allclose(weights.sum(-1), 1, atol=1e-4)
    assert not np.allclose(weights[0], weights[-1], atol=1e-3)


@pytest.fixture
def few(own: RunFolder) -> RunFolder:
    """The run with a few of its kept moments."""
    for step in own.moments()[2:-2]:
        shutil.rmtree(own.moment_folder(step))
    return own


def test_a_typed_sentence_is_translated_by_the_weights_of_each_moment(few: RunFolder) -> None:
    made = replay("reverse", " a  b ")
    assert made.plan.probe[0] == "a b"
    assert made.wanted == ()  # nobody told where it should look
    for frame in made.frames:
        loaded = checkpoint.load(few.moment_folder(frame.step))
        source = [*loaded.tokenizer.encode("a b"), EOS]
        (output,) = translate_ids(loaded.model, [source], width=1)
        assert frame.output == loaded.tokenizer.decode(output)
    assert made.plan.probe[1] == made.frames[-1].output
    odd = replay("reverse", "<b>$x$</b>" + "🙂" * 40 + "a " * 50)
    assert odd.frames[-1].capture.src[-1].text == "<eos>"


def test_the_page_replays_what_is_typed_and_follows_the_one_slider(
    few: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    strips: dict[str, int] = {}
    monkeypatch.setattr(
        film, "film_strip", lambda *_, key, chosen, **__: strips.update({key: chosen})
    )
    app = unfolded("replay", training="reverse", typed="c b a", frame="24")
    assert strips == {"film": len(few.frames()) - 1, "replay": len(few.moments()) - 1}
    assert app.text_input(key="typed-en").value == "c b a"


def test_a_damaged_moment_is_one_sentence(few: RunFolder) -> None:
    weights = few.moment_folder(few.moments()[-1]) / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    errors = unfolded("replay", training="reverse", typed="d a").error
    assert any("damaged" in error.value for error in errors)


def test_where_nothing_can_be_replayed_it_is_said(own: RunFolder, recorded: RunFolder) -> None:
    shutil.rmtree(recorded.path / "moments")
    assert (
        "Rewind to train it here" in unfolded("replay", training="recorded/reverse").info[-1].value
    )
    with living(own):
        assert "Pause the run" in unfolded("replay", training="reverse").info[-1].value


def test_a_large_model_keeps_few_moments_the_last_among_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_run(tmp_path, "few", steps=9)
    monkeypatch.setattr("model.runs.session.KEPT_BYTES", 200_000)
    assert train(run) == 0
    assert 1 <= len(run.moments()) < len(run.frames())
    assert run.moments()[-1] == 9
    run.cut_after(8)
    assert 9 not in run.moments()


def test_the_held_out_sentences_are_sorted_and_filtered(own: RunFolder) -> None:
    samples = own.samples()[-1]["samples"]
    assert len(samples) > 5 or len(samples) == len(own.samples()[0]["samples"])
    table = unfolded("held-out", training="reverse").dataframe[-1].value
    wrong = [int(count) for count in table["wrong words"]]
    assert wrong == sorted(map(n_wrong, samples), reverse=True)
    assert set(table["sentence"]) == {sample["src"] for sample in samples}
    app = unfolded("held-out", training="reverse", wrong="1", sort="shortest")
    lengths = [len(text.split()) for text in app.dataframe[-1].value["sentence"]]
    assert lengths == sorted(lengths)
    assert len(lengths) == sum(count > 0 for count in wrong)


def test_wrong_words_are_counted() -> None:
    counts = {("a b", "a b"): 0, ("a c", "a b"): 1, ("a", "a b"): 1, ("a b c", "a b"): 1}
    for (output, wanted), count in {**counts, ("", "a b"): 2}.items():
        assert n_wrong({"output": output, "tgt": wanted}) == count
