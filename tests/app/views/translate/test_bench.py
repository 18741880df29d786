"""The menu of changes: whatever is chosen there makes sense, and is made by one click."""

import pytest
from streamlit.testing.v1 import AppTest

from app.data.changed import change_types, fitted, read
from app.data.translation import Decoding, translate
from app.views.translate.bench import GROUPS
from tests.app.pages import opened, sound

CHOICES = {
    name: (label, sum(offer.group == name for one in change_types.CLASSES for offer in one.offers))
    for name, (_title, label) in GROUPS.items()
    if label
}
TEXT = "Donde hay humo, hay fuego"


def form(model: str = "es-en") -> None:
    from app.data.translation import Decoding
    from app.data.walk import walk
    from app.views.translate.bench import draw_form

    draw_form(walk(model, "Donde hay humo, hay fuego", Decoding("greedy")))


def menu(model: str = "es-en") -> AppTest:
    return AppTest.from_function(form, kwargs={"model": model}, default_timeout=120).run()


def group(app: AppTest, name: str) -> AppTest:
    return app.segmented_control(key="what-group").set_value(name).run()


def made(app: AppTest) -> str:
    """What is in the address after a click on the button."""
    app.button(key="what-add").click().run()
    assert not app.exception
    return str(app.query_params["change"])


@pytest.mark.parametrize("name", CHOICES)
def test_every_choice_is_a_change_that_fits(models, name: str) -> None:
    label, count = CHOICES[name]
    original = translate("es-en", TEXT, Decoding("greedy"))
    for what in range(count):
        app = group(menu(), name)
        next(one for one in app.selectbox if one.label == label).set_value(what).run()
        assert not app.exception
        (entry,) = read(made(app))
        assert not fitted(original, [entry.change]).misfits


def test_a_vector_comes_from_another_sentence(models) -> None:
    assert made(group(menu(), "vectors")).startswith("patch-memory-")


def test_a_typed_word_is_read_in_the_place_of_one(models) -> None:
    app = group(menu(), "words")
    app.selectbox[0].set_value(1).run()
    app.text_input(key="what-typed").set_value("estudiant").run()
    (entry,) = read(made(app))
    tokenizer = translate("es-en", TEXT, Decoding("greedy"))
    assert entry.change.text.startswith("swap-src-0")
    assert not fitted(tokenizer, [entry.change]).misfits


@pytest.mark.parametrize(
    ("model", "groups"), [("rnn/es-en", ["words"]), ("rnnsearch/es-en", ["heads", "words"])]
)
def test_a_recurrent_model_offers_what_it_has(models, model: str, groups: list[str]) -> None:
    app = menu(model)
    assert list(app.segmented_control(key="what-group").options) == [
        GROUPS[name][0] for name in groups
    ]
    for name in groups:
        group(app, name)
        assert not app.exception
        assert made(app)


@pytest.mark.parametrize("model", ["rnn/es-en", "rnnsearch/es-en"])
def test_a_recurrent_model_is_changed_too(models, model: str) -> None:
    sound(opened(model=model, change="leaveout-1~mute-cross-0", run="difference"))
