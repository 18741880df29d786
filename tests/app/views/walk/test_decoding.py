"""Chapter 9: what the page shows of each step is what the model did at that step."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.data.steering import looped
from app.data.translation import Decoding, Kind, translate
from app.data.walk import Walk
from app.format import number, power, share
from app.views.walk.decoding import greedy_and_beam
from app.views.walk.decoding.greedy_and_beam import both, harder, log_probs, written
from app.views.walk.decoding.steps import DecoderStep
from tests.app.pages import grids, judged, numbers, opened, said, sent_to_browser, step

TEXT = "Qué será, será"  # of the fixture `sentence`


def test_playing_goes_on_and_stops_at_the_end(sentence: Walk) -> None:
    count = len(sentence.translation.steps)
    app = opened("decoding", all="0", text=TEXT, step=str(count - 1))
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
    app = opened("decoding", all="0", text=TEXT, step="1")
    app.session_state["playing"] = True
    assert played(app) == 2
    app.slider(key="step-en").set_value(1)
    assert played(app) == 3
    app.button(key="step-back").click()  # one goes back, and it plays on from there
    assert played(app) == 2
    assert played(app) == 3


def test_the_scrubber_follows_keys_faster_than_the_page(sentence: Walk) -> None:
    """It stayed at 3 beside step 2: the second key's message still had it where it was to go."""
    app = opened("decoding", all="0", text=TEXT, step="2")
    app.button(key="step-next").click().run()
    app.slider(key="step-en").set_value(2)
    app.button(key="step-back").click().run()
    scrubber = app.slider(key="step-en")
    assert (scrubber.value, scrubber.proto.set_value) == (2, True)


@pytest.mark.parametrize("way", [Decoding("greedy"), Decoding("beam", 4)])
def test_log_probabilities_add_up_to_what_decoding_ranks_by(models: Path, way: Decoding) -> None:
    made = translate("es-en", TEXT, way)
    assert log_probs(made).sum() == pytest.approx(made.hypotheses[0].log_prob, abs=1e-4)
    assert log_probs(made).mean() == pytest.approx(made.hypotheses[0].score, abs=1e-4)


def test_the_task_knows_the_least_sure_step(sentence: Walk) -> None:
    app = step("decoding", "task", text=TEXT)
    sure = [one.taken.probability for one in sentence.translation.steps]
    least = f"step {int(np.argmin(sure)) + 1}:"
    options = [option.replace("\\", "") for option in app.radio[-1].options]
    judged(app, [option.startswith(least) for option in options].index(True))


def test_another_page_stops_playing(sentence: Walk) -> None:
    app = opened("decoding", all="0", text=TEXT, step="1")
    app.session_state["playing"] = True
    app.switch_page("views/walk/output/page.py").run()
    assert not app.session_state["playing"]


def test_keys_and_values_are_those_of_the_memory(sentence: Walk) -> None:
    drawn = grids(step("decoding", "encode", text=TEXT, head="2"))
    memory = sentence.array("memory")
    np.testing.assert_allclose(numbers(drawn["memory"]), memory, rtol=1e-6)
    for name in "kv":
        made = sentence.array(f"decoder.0.cross_attn.{name}")[1]
        np.testing.assert_allclose(numbers(drawn[name.upper()]), made, rtol=1e-6)
        assert len(made) == len(memory)


def test_what_goes_in_is_an_embedding_and_a_position(sentence: Walk) -> None:
    drawn = grids(step("decoding", "step", text=TEXT, step="3"))
    word = sentence.capture.tgt[2].text
    embed, position, x = (drawn[name] for name in (f"embedding · “{word}”", "position", "x"))
    np.testing.assert_allclose(numbers(embed) + numbers(position), numbers(x), atol=1e-5)
    np.testing.assert_allclose(numbers(x)[0], sentence.array("tgt.sum")[2], rtol=1e-6)


@pytest.mark.parametrize("head", ["2", "mean"])
def test_each_layers_look_is_a_strip(sentence: Walk, head: str) -> None:
    sent = sent_to_browser(step("decoding", "back", text=TEXT, step="3", head=head))
    boards = [data["fixed"]["items"] for data in sent if "items" in data.get("fixed", {})]
    kinds: tuple[Kind, ...] = ("decoder", "cross")
    for kind, board in zip(kinds, boards, strict=False):
        drawn = {item["title"]: item for item in board}
        for layer in range(sentence.config.n_decoder_layers):
            rows = sentence.capture.weights(kind, layer)[:, 2]  # (H, S)
            row = rows.mean(0) if head == "mean" else rows[1]
            strip = numbers(drawn[f"layer {layer + 1}"])[0]
            np.testing.assert_allclose(strip, row[: len(strip)], rtol=1e-6)
            assert strip.sum() == pytest.approx(1, abs=1e-5)


def test_what_comes_out_can_be_asked(sentence: Walk) -> None:
    p = grids(step("decoding", "step", text=TEXT, step="2"))["p"]
    candidates = sentence.translation.steps[1].candidates[:6]
    expected = [candidate.probability for candidate in candidates]
    np.testing.assert_allclose(numbers(p)[0], expected, rtol=1e-5)
    assert p["rows"] == [1]
    assert p["cols"] == [candidate.token.id for candidate in candidates]


def test_the_loop_writes_what_greedy_decoding_writes(sentence: Walk) -> None:
    greedy = translate("es-en", TEXT, Decoding("greedy"))
    assert list(looped(sentence)) == written(greedy)
    app = step("decoding", "greedy", text=TEXT)
    assert "def greedy_loop" in app.code[0].value
    assert f"**{len(greedy.steps)}**" in said(app)


def test_the_sentence_is_as_likely_as_the_product_of_its_tokens(sentence: Walk) -> None:
    p = [one.taken.probability for one in sentence.translation.steps]
    text = said(step("decoding", "sums", text=TEXT))
    assert number(float(np.log(p).sum()), 3) in text
    product = float(np.prod(p))
    assert f"= {share(product, 3) if product >= 0.001 else power(product)}." in text


def test_the_mistake_is_refuted_by_a_likelier_sentence(
    sentence: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is shown is a sentence that both really translated, or nothing is claimed."""
    moment = DecoderStep(sentence, 1, 0, mean=False)
    truth = greedy_and_beam.myth(moment).truth
    pairs = [both(sentence, text) for text in (TEXT, *harder(sentence))]
    better = [log_probs(beam).sum() - log_probs(greedy).sum() for greedy, beam in pairs]
    first = next((i for i, gain in enumerate(better) if gain > 1e-4), None)
    total = number(float(log_probs(pairs[first or 0][0]).sum()), 3)
    assert total in truth
    assert ("times as likely" in truth) == (first is not None)
    monkeypatch.setattr(greedy_and_beam, "harder", lambda _walk: [])
    monkeypatch.setattr(greedy_and_beam, "parting", lambda *_both: None)
    assert "gives no example" in greedy_and_beam.myth(moment).truth


def test_arrow_keys_are_the_screens_own(models: Path) -> None:
    """In a board, →→→ moved the step of decoding; and → led to the next screen as well."""
    app = step("decoding", "back", text=TEXT)
    assert not any(button.proto.shortcut for button in app.button)
    translated = opened("translate", text=TEXT, view="steps")
    assert translated.button(key="step-next").proto.shortcut
