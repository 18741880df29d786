"""Chapter 9: what the page shows of each step is what the model did at that step."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.data.translation import Decoding, translate
from app.data.walk import Walk, walk
from app.inspect.decoding_ways import log_probs, parting, sums, written
from app.views.walk.decoding.moment import Moment
from app.views.walk.decoding.step import strongest
from tests.app.pages import opened

TEXT = "Qué será, será"


@pytest.fixture
def sentence(models: Path) -> Walk:
    return walk("es-en", TEXT, Decoding())


@pytest.mark.parametrize("step", ["0", "1", "4", "999"])
@pytest.mark.parametrize("head", ["1", "mean"])
def test_every_moment_opens(models: Path, step: str, head: str) -> None:
    app = opened("decoding", text=TEXT, step=step, head=head)
    assert not app.exception
    assert not app.error


def test_playing_goes_on_and_stops_at_the_end(sentence: Walk) -> None:
    count = len(sentence.translation.steps)
    app = opened("decoding", text=TEXT, step=str(count - 1))
    app.session_state["playing"], app.session_state["ticked"] = True, 0.0
    app.run()
    assert app.slider(key="step-en").value == count
    app.session_state["ticked"] = 0.0
    app.run()
    assert not app.session_state["playing"]
    assert app.button(key="step-play").label == "Play"


def played(app: AppTest) -> object:
    """Let a playing page's second pass; return the step that it is at."""
    app.session_state["ticked"] = 0.0
    return app.run().slider(key="step-en").value


def test_a_slow_browser_does_not_hold_the_playing_back(sentence: Walk) -> None:
    """The page stood still under load: the browser sent the scrubber of the step before."""
    app = opened("decoding", text=TEXT, step="1")
    app.session_state["playing"] = True
    assert played(app) == 2
    app.slider(key="step-en").set_value(1)
    assert played(app) == 3


def test_going_back_while_it_plays_plays_on_from_there(sentence: Walk) -> None:
    app = opened("decoding", text=TEXT, step="2")
    app.session_state["playing"] = True
    assert played(app) == 3
    app.button(key="step-back").click()
    assert played(app) == 2
    assert played(app) == 3


def test_the_scrubber_follows_keys_faster_than_the_page(sentence: Walk) -> None:
    """It stayed at 3 beside step 2: the second key's message still had it where it was to go."""
    app = opened("decoding", text=TEXT, step="2")
    app.button(key="step-next").click().run()
    app.slider(key="step-en").set_value(2)
    app.button(key="step-back").click().run()
    scrubber = app.slider(key="step-en")
    assert (scrubber.value, scrubber.proto.set_value) == (2, True)


def test_a_step_looks_with_the_captured_weights(sentence: Walk) -> None:
    for layer in range(sentence.config.n_decoder_layers):
        captured = sentence.capture.weights("decoder", layer)
        assert np.array_equal(
            Moment(sentence, 3, 1, mean=False).weights("self_attn", layer), captured[1, 2, :3]
        )
        mean = Moment(sentence, 3, 1, mean=True).weights("cross_attn", layer)
        assert np.allclose(mean, sentence.capture.weights("cross", layer)[:, 2].mean(0))
        assert mean.sum() == pytest.approx(1, abs=1e-5)


def test_the_panel_begins_with_the_strongest_look(sentence: Walk) -> None:
    cell = strongest(Moment(sentence, 2, 0, mean=False))
    row = sentence.capture.weights("cross", sentence.config.n_decoder_layers - 1, 0)[1]
    assert sentence.numbers.at(cell) == row.max()


@pytest.mark.parametrize("way", [Decoding("greedy"), Decoding("beam", 4)])
def test_log_probabilities_add_up_to_what_decoding_ranks_by(models: Path, way: Decoding) -> None:
    made = translate("es-en", TEXT, way)
    assert log_probs(made).sum() == pytest.approx(made.hypotheses[0].log_prob, abs=1e-4)
    assert log_probs(made).mean() == pytest.approx(made.hypotheses[0].score, abs=1e-4)


def test_log_p_is_drawn_beside_what_it_is_the_log_of(sentence: Walk) -> None:
    made = sentence.translation
    p, logs, totals = sums(made)
    assert p.tolist() == [step.candidates[step.chosen].probability for step in made.steps]
    np.testing.assert_allclose(np.exp(logs), p)
    np.testing.assert_allclose(np.diff(totals), logs[1:])
    assert totals[0] == logs[0]


def test_where_two_ways_part(models: Path) -> None:
    greedy, beam = (translate("es-en", TEXT, way) for way in (Decoding("greedy"), Decoding()))
    assert parting(greedy, greedy) is None
    apart = parting(greedy, beam)
    same = [token.id for token in written(greedy)] == [token.id for token in written(beam)]
    assert (apart is None) == same
    if apart is not None:
        assert written(greedy)[:apart] == written(beam)[:apart]
        assert written(greedy)[apart : apart + 1] != written(beam)[apart : apart + 1]


def test_the_task_knows_the_least_sure_step(sentence: Walk) -> None:
    app = opened("decoding", text=TEXT)
    radio = next(radio for radio in app.radio if radio.key and "task-" in radio.key)
    sure = [step.candidates[step.chosen].probability for step in sentence.translation.steps]
    least = f"step {int(np.argmin(sure)) + 1}:"
    option = next(option for option in radio.options if option.replace("\\", "").startswith(least))
    radio.set_value(radio.options.index(option)).run()
    assert any("Yes" in box.value for box in app.success)


def test_another_page_stops_playing(sentence: Walk) -> None:
    app = opened("decoding", text=TEXT, step="1")
    app.session_state["playing"] = True
    app.switch_page("views/walk/output/page.py").run()
    assert not app.session_state["playing"]
    app.switch_page("views/walk/decoding/page.py").run()
    assert app.button(key="step-play").label == "Play"
