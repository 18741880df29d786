"""Every registered page, with good and bad input: one clear sentence, and never a traceback."""

import math
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.data.lengths import by_length
from app.data.translation import model_info
from app.i18n import LANGUAGES
from app.registry import VIEWS
from app.state import LONGEST_SENTENCE
from app.texts.examples import EXAMPLES
from app.views.history.words_as_vectors.data import quiz_translator
from app.views.walk.learning.data import smoothing_of
from model import checkpoint
from tests.app.pages import ROOT, opened
from tests.app.tiny import NAMES

WAYS = ("matrix", "wall", "lines", "steps", "beam")
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
    "long": "muy " * 2500,
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
    return next(
        (html.proto.body for html in app.get("html") if "translation" in html.proto.body), ""
    )


@pytest.mark.parametrize("page", [view.slug for view in VIEWS])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_opens_in_every_language(models: Path, page: str, language: str) -> None:
    app = opened(page, lang=language)
    assert not app.exception
    assert not app.error
    assert app.title[0].value


def test_every_file_is_registered() -> None:
    pages = {path.relative_to(ROOT / "app") for path in (ROOT / "app/views").rglob("page.py")}
    assert pages == {Path(view.path) for view in VIEWS}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("decoding", ["greedy", "beam", "sample"])
def test_every_way_to_look_inside(models: Path, way: str, decoding: str) -> None:
    app = opened(view=way, decoding=decoding, text="Qué será, será")
    assert not app.exception
    assert translation(app)


@pytest.mark.parametrize("kind", ["cross", "encoder", "decoder"])
@pytest.mark.parametrize("way", ["matrix", "wall", "lines"])
@pytest.mark.parametrize("head", ["2", "mean", "max"])
def test_every_attention_merged_and_without_specials(
    models: Path, kind: str, way: str, head: str
) -> None:
    app = opened(view=way, kind=kind, head=head, words="1", plain="1", pin="2.1")
    assert not app.exception
    said = " ".join(caption.value for caption in app.caption)
    assert "a word's tokens are added up" in said
    assert "Special tokens are hidden" in said


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize("way", WAYS)
def test_strange_text(models: Path, text: str, way: str) -> None:
    app = opened(view=way)
    box = next(iter(app.text_input))
    box.set_value(text).run()
    assert not app.exception
    assert not app.error
    assert next(iter(app.text_input)).value == text[:LONGEST_SENTENCE]
    assert translation(app)
    assert "<script" not in translation(app)


@pytest.mark.parametrize("page", ["translate", "vectors", "learning", "backprop", "evolution"])
def test_long_texts_are_truncated_by_the_server(models: Path, page: str) -> None:
    """`max_chars` holds in a browser only: what others sent was kept, and worked on, as it was."""
    app = opened(page)
    for box in (*app.text_input, *app.text_area):
        box.set_value("palabra " * 100_000)
    app.run()
    assert not app.exception
    boxes = [*app.text_input, *app.text_area]
    assert boxes
    assert all(len(box.value or "") <= LONGEST_SENTENCE for box in boxes)


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u200c\ufeff", "\t\n", "\x00\x07"])
def test_nothing_to_translate(models: Path, text: str) -> None:
    app = opened()
    next(iter(app.text_input)).set_value(text).run()
    assert not app.exception
    assert [said for said in sentences(app) if NOTHING in said] == sentences(app)
    assert len(sentences(app)) == 1
    assert next(iter(app.text_input)).value == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("muy " * 2500, "too long for this model"),
        ("🙂", "new to this model"),
        ("ho\u200bla", "Invisible characters were left out"),
    ],
)
def test_what_was_done_to_the_text_is_said(models: Path, text: str, said: str) -> None:
    app = opened(text=text)
    assert any(said in sentence for sentence in sentences(app))


def test_an_address_full_of_nonsense(models: Path) -> None:
    app = opened(
        model="../../etc", text="hola", decoding="magic", beam="-7", temperature="nan", k="x",
        p="inf", seed="1e9", view="?", kind="9", layer="99", head="-1", pin="a.b", step="1e3",
        words="maybe", lang="tlh",
    )  # fmt: skip
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize("pin", ["0.0", "3.", ".2", "999.999", "-1.2", "1.2.3", "²."])
def test_any_pin(models: Path, pin: str) -> None:
    assert not opened(pin=pin).exception


def test_each_example_says_what_it_means_before_it_is_chosen(models: Path) -> None:
    """Who reads English alone could not tell which of six Spanish sentences to take."""
    (menu,) = opened().get("menu_button")
    offered = list(menu.proto.options)
    assert len(offered) == len(EXAMPLES["es"])
    assert "Nunca es tarde para aprender · It is never too late to learn" in offered


@pytest.mark.parametrize("page", ["start", "translate", "self_attention"])
def test_english_is_noticed(models: Path, page: str) -> None:
    """“My name is Anna” became “Phone is Anna”, and nothing said that the model reads Spanish."""
    app = opened(page, text="My name is Anna and I live in London")
    assert not app.exception
    (said,) = [text.value for text in app.markdown if "looks like English" in text.value]
    assert "reads Spanish" in said
    label = app.button(key="foreign-example").label
    assert "Nunca es tarde para aprender · It is never too late to learn" in label
    app.button(key="foreign-example").click().run()
    assert next(iter(app.text_input)).value == "Nunca es tarde para aprender"
    assert not [text for text in app.markdown if "looks like English" in text.value]


def test_what_is_mostly_unknown_is_noticed(models: Path) -> None:
    app = opened(text="Καλημέρα κόσμε")
    assert any("knows little of this" in text.value for text in app.markdown)
    assert not any("knows little" in text.value for text in opened().markdown)


@pytest.mark.parametrize(("language", "model"), [("en", "es-en"), ("es", "es-en"), ("fr", "fr-en")])
def test_the_language_of_the_interface_chooses_the_first_model(
    models: Path, language: str, model: str
) -> None:
    app = opened(lang=language)
    assert app.sidebar.selectbox[0].value == model
    assert "model" not in app.query_params
    assert next(iter(app.text_input)).value in EXAMPLES[model[:2]]


def test_an_address_with_a_sentence_names_the_model_that_read_it(models: Path) -> None:
    """Else who opens it in another language would see another model read the sentence."""
    app = opened(lang="fr")
    next(iter(app.text_input)).set_value("Je suis là").run()
    assert app.query_params["model"] == "fr-en"
    assert opened(lang="fr", text="Nunca es tarde").sidebar.selectbox[0].value == "es-en"


def test_another_model_keeps_what_was_typed(models: Path) -> None:
    app = opened(text="mis palabras")
    app.sidebar.selectbox[0].select("fr-en").run()
    assert next(iter(app.text_input)).value == "mis palabras"
    assert app.query_params["model"] == "fr-en"


def test_another_model_brings_its_own_example(models: Path) -> None:
    app = opened()
    app.sidebar.selectbox[0].select("fr-en").run()
    assert next(iter(app.text_input)).value in EXAMPLES["fr"]


def test_another_language_keeps_every_choice(models: Path) -> None:
    app = opened(text="hola", view="lines", kind="encoder", head="max", decoding="greedy")
    app.sidebar.selectbox[-1].select("fr").run()
    assert not app.exception
    assert app.query_params["lang"] == "fr"
    for name, value in {"view": "lines", "kind": "encoder", "head": "max"}.items():
        assert app.query_params[name] == value
    assert app.title[0].value != opened().title[0].value


def _flip(folder: Path) -> None:
    weights = folder / "weights.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)


def _cut(folder: Path) -> None:
    (folder / "weights.safetensors").write_bytes(b"\x08")


def _foreign(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()
    (folder / "manifest.json").write_text('{"model.bin": "0"}')


def _no_json(folder: Path) -> None:
    (folder / "manifest.json").write_text("\x00 not JSON")


def _other_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{}")


def _missing(folder: Path) -> None:
    (folder / "config.json").unlink()


@pytest.mark.parametrize("harm", [_flip, _cut, _foreign, _no_json, _other_tokenizer, _missing])
def test_a_damaged_model_is_one_sentence(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm
) -> None:
    shutil.copytree(models / "es-en", tmp_path / "es-en")
    shutil.copytree(models / "fr-en", tmp_path / "fr-en")
    harm(tmp_path / "es-en")
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path)
    app = opened(text="mis palabras")
    assert not app.exception
    assert len(sentences(app)) == 1
    assert "This model cannot be used" in sentences(app)[0]
    app.sidebar.selectbox[0].select("fr-en").run()
    assert not sentences(app) or "cannot be used" not in sentences(app)[0]
    assert next(iter(app.text_input)).value == "mis palabras"


ODD = [None, "many", [1], {"bleu": "x"}, 1e18, -1, math.nan, math.inf, True]


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_metrics_of_odd_types_cost_no_page(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: object
) -> None:
    """A model from a zip, whose `step` was a text or whose `train` a list, took twelve pages."""
    shutil.copytree(models, tmp_path / "odd")
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path / "odd")
    scores = {"bleu": odd, "batch_tokens": odd, "label_smoothing": odd, "right": 1, "asked": odd}
    rows = [{"words": odd, "n": odd, "bleu": odd}, {"words": [1, 6], "n": 12, "bleu": odd}]
    for test_by_length in (odd, rows):
        values = {"step": odd, "train": scores, "test": odd, "validation": scores}
        values |= {"analogies": scores, "test_by_length": test_by_length}
        for name in NAMES:
            checkpoint.record(checkpoint.load(name), values)
            assert by_length(name) == ()
            info = model_info(name)
            assert (info.bleu, info.training_tokens) == (None, None)
            assert smoothing_of(name) is None
        assert quiz_translator("es-en").published is None
    app = opened("evolution")
    assert not app.exception
    assert not app.error


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
