"""Every registered page, with good and bad input: one clear sentence, and never a traceback."""

import math
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.data.translation import model_info
from app.registry import VIEWS
from app.state import LONGEST_SENTENCE
from app.texts.examples import EXAMPLES
from app.views.history.evolution.data import by_length
from app.views.walk.learning.data import smoothing_of
from model import checkpoint
from tests.app.pages import ROOT, opened, said, sent_to_browser, sound, unescaped
from tests.app.tiny import NAMES, make_models

NOTHING = "There is nothing to translate yet"
STRANGE = {
    "emoji": "🙂👩‍👩‍👧 hola",
    "right to left": "مرحبا بالعالم",
    "controls": "hola\x00\x07\x1b[31m amigo",
    "script": "<script>alert(1)</script>",
    "mathematics": "$x$ cuesta $5",
    "special token": "<pad> <bos> <eos>",
    "markdown": "**hola** [x](http://x) :smile: `a`",
    "zero-width inside": "ho\u200bla",
    "html": "<b>hola</b> &amp; &lt;",
    "one long word": "a" * 10_000,
    "quotes": "'\"{}{0}%s\\",
}


def test_the_ground_of_what_stays_in_sight_is_the_themes() -> None:
    with (ROOT / "app/.streamlit/config.toml").open("rb") as file:
        theme = tomllib.load(file)["theme"]
    both = ", ".join(theme[mode]["backgroundColor"] for mode in ("light", "dark"))
    assert f"--ground: light-dark({both});" in (ROOT / "app/style.css").read_text()


def sentences(app: AppTest) -> list[str]:
    """What the page says in boxes."""
    return [element.value for element in (*app.error, *app.warning, *app.info)]


def translation(app: AppTest) -> str:
    """The text of the translation, as HTML."""
    bodies = (html.proto.body for html in app.get("html"))
    return next((body for body in bodies if "translation" in body), "")


def test_every_file_is_registered() -> None:
    pages = {path.relative_to(ROOT / "app") for path in (ROOT / "app/views").rglob("page.py")}
    assert pages == {Path(view.path) for view in VIEWS}


@pytest.mark.parametrize("decoding", ["greedy", "beam", "sample"])
def test_every_way_to_look_inside(models: Path, decoding: str) -> None:
    views = ("steps", "beam") if decoding == "beam" else ("matrix", "wall", "lines", "steps")
    for view in views:
        assert translation(sound(opened(view=view, decoding=decoding, text="Qué será, será")))


@pytest.mark.parametrize("kind", ["cross", "encoder", "decoder"])
def test_every_attention_merged_and_without_specials(models: Path, kind: str) -> None:
    for view, head in (("matrix", "mean"), ("wall", "2"), ("lines", "max")):
        app = sound(opened(view=view, kind=kind, head=head, words="1", plain="1", pin="2.1"))
        assert "a word's tokens are added up" in said(app)
        assert "Special tokens are hidden" in said(app)


@pytest.mark.parametrize("view", ["matrix", "wall", "lines", "steps", "beam"])
def test_strange_text(models: Path, view: str) -> None:
    """Each kind on the heatmap, and all of them at once in every view."""
    app = opened(view=view)
    every = " ".join(text for text in STRANGE.values() if len(text) < 100)
    for text in STRANGE.values() if view == "matrix" else [every]:
        app.text_input[0].set_value(text).run()
        sound(app)
        assert app.text_input[0].value == text[:LONGEST_SENTENCE]
        assert translation(app)
        assert "<script" not in translation(app)


def test_long_texts_are_truncated_by_the_server(models: Path) -> None:
    """`max_chars` holds in a browser only: what others sent was kept, and worked on, as it was."""
    for page in ("translate", "learning", "evolution"):
        app = opened(page)
        for box in (*app.text_input, *app.text_area):
            box.set_value("palabra " * 100_000)
        assert not app.run().exception
        boxes = [*app.text_input, *app.text_area]
        assert boxes
        assert all(len(box.value or "") <= LONGEST_SENTENCE for box in boxes)


def test_nothing_to_translate(models: Path) -> None:
    app = opened()
    for text in ("", "   ", "\u200b\u200c\ufeff", "\t\n", "\x00\x07"):
        app.text_input[0].set_value(text).run()
        assert not app.exception
        (sentence,) = sentences(app)
        assert NOTHING in sentence
        assert app.text_input[0].value == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("muy " * 2500, "too long for this model"),
        ("🙂", "Left out, as this model has no such signs: “🙂”"),
        ("ho\u200bla", "Read as: hola"),
        (
            "TENGO HAMBRE ❤️",
            "Read as: Tengo hambre · Left out, as this model has no such signs: “❤️”",
        ),
    ],
)
def test_what_was_done_to_the_text_is_said(models: Path, text: str, says: str) -> None:
    app = opened(text=text)
    assert any(says in sentence for sentence in (*sentences(app), unescaped(said(app))))
    assert "Read as" not in said(opened(text="tengo hambre"))


def test_an_address_full_of_nonsense(models: Path) -> None:
    for pin in ("a.b", "0.0", "3.", "999.999", "-1.2", "1.2.3", "²."):
        app = opened(
            model="../../etc", text="hola", decoding="magic", beam="-7", temperature="nan", k="x",
            p="inf", seed="1e9", view="?", kind="9", layer="99", head="-1", pin=pin, step="1e3",
            words="maybe", lang="tlh",
        )  # fmt: skip
        sound(app)


def test_each_example_says_what_it_means_before_it_is_chosen(models: Path) -> None:
    """Who reads English alone could not tell which of six Spanish sentences to take."""
    (menu,) = opened().get("menu_button")
    offered = list(menu.proto.options)
    assert len(offered) == len(EXAMPLES["es"])
    assert "Nunca es tarde para aprender · It is never too late to learn" in offered


@pytest.mark.parametrize("page", ["start", "translate", "self_attention"])
def test_english_is_noticed(models: Path, page: str) -> None:
    """“My name is Anna” became “Phone is Anna”, and nothing said that the model reads Spanish."""
    app = sound(opened(page, text="My name is Anna and I live in London"))
    (noticed,) = [text.value for text in app.markdown if "looks like English" in text.value]
    assert "reads Spanish" in noticed
    example = app.button(key="foreign-way")
    assert "Nunca es tarde para aprender · It is never too late to learn" in example.label
    example.click().run()
    assert app.text_input[0].value == "Nunca es tarde para aprender"
    assert "looks like English" not in said(app)


def test_a_sentence_chooses_the_model_that_reads_it_and_the_visitor_may_go_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """English typed on Start was read as Spanish, with nonsense as its headline."""
    monkeypatch.setattr(checkpoint, "PRETRAINED", make_models(tmp_path, ("es-en", "en-es")))
    english = "My name is Anna and I live in London"
    app = sound(opened(text=english))
    assert app.query_params["model"] == "en-es"
    assert "Read as English: English → Spanish." in unescaped(said(app))
    app = sound(app.text_input[0].set_value("Mi hermana vive en una casa pequeña").run())
    assert app.query_params["model"] == "es-en"
    app = sound(app.text_input[0].set_value(english).run())
    back = app.button(key="switch-back")
    assert "Keep Spanish → English" in back.label
    app = sound(back.click().run())
    assert (app.query_params["model"], app.text_input[0].value) == ("es-en", english)
    app = sound(app.text_input[0].set_value(f"{english} with my sister").run())
    assert app.query_params["model"] == "es-en", "the visitor went back for this language"


def test_the_model_that_a_link_names_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", make_models(tmp_path, ("es-en", "en-es")))
    app = sound(opened(text="My name is Anna and I live in London", model="es-en"))
    assert app.query_params["model"] == "es-en"
    other = app.button(key="foreign-way")
    assert "English → Spanish" in other.label
    app = sound(other.click().run())
    assert app.query_params["model"] == "en-es"


def test_each_of_several_sentences_is_translated_and_one_is_looked_into(models: Path) -> None:
    """The second of two short sentences used to be lost."""
    app = sound(opened("translate", text="Tengo hambre. ¿Qué hay de comer?"))
    (chips,) = [one for one in app.segmented_control if one.label == "Sentence to look into"]
    assert [unescaped(one) for one in chips.options] == ["Tengo hambre.", "¿Qué hay de comer?"]
    first = tokens_of(app)
    app = sound(opened("translate", text="Tengo hambre. ¿Qué hay de comer?", sentence="1"))
    assert tokens_of(app) != first


def tokens_of(app: AppTest) -> list[object]:
    """The tokens of both sides."""
    return [data["fixed"]["words"] for data in sent_to_browser(app) if "words" in data["fixed"]]


def test_what_is_mostly_unknown_is_noticed(models: Path) -> None:
    assert "No model here reads this" in said(opened(text="Καλημέρα κόσμε"))
    assert "No model here" not in said(opened())


@pytest.mark.parametrize(("language", "model"), [("en", "es-en"), ("es", "es-en"), ("fr", "fr-en")])
def test_the_language_of_the_interface_chooses_the_first_model(
    models: Path, language: str, model: str
) -> None:
    app = opened(lang=language)
    assert app.sidebar.selectbox[0].value == model
    assert "model" not in app.query_params
    assert app.text_input[0].value in EXAMPLES[model[:2]]


def test_an_address_with_a_sentence_names_the_model_that_read_it(models: Path) -> None:
    """Else who opens it in another language would see another model read the sentence."""
    app = opened(lang="fr")
    app.text_input[0].set_value("Je suis là").run()
    assert app.query_params["model"] == "fr-en"
    assert opened(lang="fr", text="Nunca es tarde").sidebar.selectbox[0].value == "es-en"


def test_another_model_keeps_what_was_typed_and_brings_its_own_example(models: Path) -> None:
    for query, examples in (({"text": "mis palabras"}, ("mis palabras",)), ({}, EXAMPLES["fr"])):
        app = opened(**query)
        app.sidebar.selectbox[0].select("fr-en").run()
        assert app.query_params["model"] == "fr-en"
        assert app.text_input[0].value in examples


def test_another_language_keeps_every_choice(models: Path) -> None:
    chosen = {"view": "lines", "kind": "encoder", "head": "max"}
    app = opened(text="hola", decoding="greedy", **chosen)
    before = app.title[0].value
    sound(app.sidebar.selectbox[-1].select("fr").run())
    assert chosen | {"lang": "fr"} == {name: app.query_params[name] for name in (*chosen, "lang")}
    assert app.title[0].value != before


def _flip(folder: Path) -> None:
    weights = folder / "weights.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)


def _foreign(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()
    (folder / "manifest.json").write_text('{"model.bin": "0"}')


def _missing(folder: Path) -> None:
    (folder / "config.json").unlink()


@pytest.mark.parametrize("harm", [_flip, _foreign, _missing])
def test_a_damaged_model_is_one_sentence(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm
) -> None:
    shutil.copytree(models / "es-en", tmp_path / "es-en")
    shutil.copytree(models / "fr-en", tmp_path / "fr-en")
    harm(tmp_path / "es-en")
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path)
    app = opened(text="mis palabras")
    assert not app.exception
    (sentence,) = sentences(app)
    assert "This model cannot be used" in sentence
    app.sidebar.selectbox[0].select("fr-en").run()
    assert not sentences(app) or "cannot be used" not in sentences(app)[0]
    assert app.text_input[0].value == "mis palabras"


def test_metrics_of_odd_types_cost_no_page(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model from a zip, whose `step` was a text or whose `train` a list, took twelve pages."""
    shutil.copytree(models, tmp_path / "odd")
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path / "odd")
    loaded = {name: checkpoint.load(name) for name in NAMES}
    for odd in (None, "many", [1], {"bleu": "x"}, 1e18, -1, math.nan, True):
        scores = {"bleu": odd, "batch_tokens": odd, "label_smoothing": odd, "right": 1}
        rows = [{"words": odd, "n": odd, "bleu": odd}, {"words": [1, 6], "n": 12, "bleu": odd}]
        for test_by_length in (odd, rows):
            values: dict[str, object] = {"step": odd, "train": scores, "test": odd}
            values |= {"validation": scores, "analogies": scores | {"asked": odd}}
            values |= {"test_by_length": test_by_length}
            for name in NAMES if odd == "many" else NAMES[:1]:
                checkpoint.record(loaded[name], values)
                assert by_length(name) == ()
                info = model_info(name)
                assert (info.bleu, info.training_tokens) == (None, None)
                assert smoothing_of(name) is None
        if odd == "many":
            sound(opened("evolution"))


def test_no_model_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path)
    app = opened()
    assert not app.exception
    assert sentences(app) == [
        "There is no trained model yet: put one into the folder “pretrained”."
    ]


def test_an_error_nobody_foresaw_is_one_sentence(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("app.data.translation.decode", fail)
    app = opened(text="nunca visto")
    assert not app.exception
    (sentence,) = sentences(app)
    why = "This sentence could not be translated; the server's log says why."
    assert re.fullmatch(rf"{why} \([0-9a-f]{{8}}\)", sentence)
