"""The trainings on the pages of the history: each can be stopped, and ends as its page claims."""

import time
from pathlib import Path
from typing import Any, Final

import pytest
from streamlit.testing.v1 import AppTest

from app.format import share
from app.page.live_training import Live
from model.history.cnn import read
from model.history.digits import HELD_OUT, digits
from tests.app.pages import healthy, said, step

# The pages with a training of their own, its name, and its screen.
TRAININGS: Final = {
    "neuron": ("perceptron", "points"),
    "backprop": ("xor", "xor"),
    "filters": ("filters", "read"),
    "words_as_vectors": ("words", "train"),
}
LONGEST: Final = 30  # seconds


def training_of(app: AppTest, page: str) -> Live[Any]:
    made: Live[Any] = app.session_state[f"live-{TRAININGS[page][0]}"]
    return made


def key(page: str, button: str) -> str:
    return f"live-{TRAININGS[page][0]}-{button}"


def press(app: AppTest, page: str, button: str) -> None:
    app.button(key(page, button)).click().run()
    healthy(app)


def trained(page: str, **query: str) -> AppTest:
    """Open a page and train to the end, as its button does, but without a picture in between."""
    app = step(page, TRAININGS[page][1], **query)
    made, begun = training_of(app, page), time.process_time()
    made.advance()
    assert time.process_time() - begun < LONGEST
    app.run()
    healthy(app)
    (progress,) = app.get("progress")
    assert progress.proto.text.startswith("Done after")
    assert app.button(key(page, "train")).disabled
    return app


@pytest.mark.parametrize("page", TRAININGS)
def test_it_goes_on_until_it_is_stopped(
    models: Path, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance = Live.advance

    def one_step_a_picture(made: Live[Any], count: int | None = None, *_: float, **__: float):
        advance(made, 1 if count is None else count)

    app = step(page, TRAININGS[page][1])
    start = len(training_of(app, page).reports)
    monkeypatch.setattr(Live, "advance", one_step_a_picture)
    press(app, page, "train")
    app.run()  # what a timer does in a browser
    assert key(page, "train") not in {each.key for each in app.button}
    made = len(training_of(app, page).reports)
    assert made == start + 2
    press(app, page, "stop")
    app.run()
    assert app.button(key(page, "train"))
    assert len(training_of(app, page).reports) == made
    press(app, page, "step")
    assert len(training_of(app, page).reports) == made + 1
    monkeypatch.undo()
    press(app, page, "again")
    assert len(training_of(app, page).reports) == start


def test_the_perceptron_parts_all_points(models: Path) -> None:
    assert "Every point is on its correct side: it has learned." in said(trained("neuron"))


def test_the_network_reads_more_than_95_of_100_digits(models: Path) -> None:
    app = trained("filters")
    last = training_of(app, "filters").reports[-1]
    assert last.accuracy > 0.95
    assert f"it reads {100 * last.accuracy:.1f} % of the {HELD_OUT} held-out digits" in said(app)
    found = read(last.weights, digits()[1].pictures[0, 0].numpy())
    assert f"with probability {share(found.probabilities.max(), 3)}" in said(app)


@pytest.mark.slow
def test_king_less_man_plus_woman_is_queen_on_the_page(models: Path) -> None:
    assert "Nearest to king − man + woman: **queen**" in said(trained("words_as_vectors"))
