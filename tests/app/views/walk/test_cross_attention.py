"""Chapter 8: keys and values are the source's, and nothing else brings it over."""

from app.data.attention import of_next, without_bridge
from app.data.walk import Walk
from app.format import escape, percent
from app.inspector.head import Head, surest
from tests.app.pages import SENTENCE, judged, opened, said, sound, step

LOOK = {"text": SENTENCE, "word": "2", "layer": "2", "head": "3"}


def test_the_surest_word_looks_at_a_word(now: Walk) -> None:
    weights = now.array("decoder.0.cross_attn.weights")[0]
    words = weights[:, :-1]  # all but the end token
    assert words[surest(Head(now, "cross", 0, 0, 0))].max() == words.max()


def test_the_task_and_the_mistake_are_of_the_row_that_wrote_the_token(now: Walk) -> None:
    app = sound(step("cross_attention", "task", **LOOK))
    weights = now.array("decoder.1.cross_attn.weights")[2]
    assert percent(weights[2].max()) in said(app)
    assert percent(weights[1].max()) in said(app)
    best, options = int(weights.sum(0).argmax()), app.radio[-1].options
    at = next(i for i, option in enumerate(options) if option.startswith(f"{best + 1} "))
    judged(app, at)


def test_the_guess_is_answered_by_the_means(now: Walk) -> None:
    app = opened("cross_attention", all="0", part="bridge", text=SENTENCE)
    before, after = of_next(now, now.capture.logits).mean(), without_bridge(now).mean()
    app.radio[0].set_value(int(2 * after < before)).run()
    assert ":material/check:" in said(app)
    assert escape(f"{after:.3f}") in said(app)
