"""What visitors type is read as the training wrote it, and what cannot be read is named."""

import pytest

from model.text.reading import Reading, clean, read
from model.text.sentences import sentences
from tests.model.text.odd_inputs import SENTENCES, odd_inputs


@pytest.mark.parametrize("language", SENTENCES)
def test_odd_inputs_are_read_as_plain_ones(language: str) -> None:
    """In capitals, "El perro duerme" became "The PERO DURMEEEO"; a heart became a price."""
    odd = list(odd_inputs(language))
    assert len(odd) >= 150
    for shape, (typed, text, left_out) in odd:
        assert read(typed, language) == Reading(text, left_out), shape


@pytest.mark.parametrize("language", SENTENCES)
def test_plain_sentences_stay_as_they_are(language: str) -> None:
    for text in SENTENCES[language]:
        assert read(text, language) == Reading(text)
        assert read(read(text, language).text, language).text == text


@pytest.mark.parametrize(
    ("typed", "language", "text"),
    [
        ("Perro", "es", "perro"),
        ("Perro.", "es", "Perro."),
        ("iPhone", "en", "iPhone"),
        ("¡¡¡Vale!!!", "es", "¡Vale!"),
        ("¿ Vienes ?", "es", "¿Vienes?"),
        ("Il est 14:30, non?", "fr", "Il est 14:30, non ?"),
        ('"Oui" dit-elle', "fr", "« Oui » dit-elle"),
        ("Hola :)", "es", "Hola :)"),
        ("Hace −5 °C", "es", "Hace -5 °C"),
        ("Mi sœur", "es", "Mi soeur"),
        ("Ma sœur", "fr", "Ma sœur"),
        ("https://a.es/b?c=1 es útil", "es", "www.example.org es útil"),
        ("<b>Hola</b> a todos", "es", "Hola a todos"),
        ("Si 3 < 5 y 5 > 2", "es", "Si 3 < 5 y 5 > 2"),
        ("Zażółć gęślą", "en", "Zażółć gęślą"),
        ("«hola»", "", "«hola»"),
        ("5'10\" tall", "en", "5'10\" tall"),
        ("", "es", ""),
    ],
)
def test_single_rules(typed: str, language: str, text: str) -> None:
    assert read(typed, language).text == text


def test_addresses_are_put_back_into_the_translation() -> None:
    """An address became "Visitz:// www.python.org/loados/3id?"."""
    found = read("Escribe a ana.p@casa.es o mira www.casa.es/x_y?z=1, y http://b.fr.", "es")
    assert found.text == "Escribe a www.example.org o mira www.example.net, y www.example.com."
    back = found.restored("Write to www.example.org or see www.example.net, and www.example.com.")
    assert back == "Write to ana.p@casa.es or see www.casa.es/x_y?z=1, and http://b.fr."


def test_a_sign_that_the_model_learned_is_read() -> None:
    assert read("私は ねこ", is_known="私はねこ".__contains__) == Reading("私は ねこ")
    assert read("🙂 私", is_known="私".__contains__) == Reading("私", ("🙂",))


def test_clean_keeps_what_can_be_seen() -> None:
    assert clean(" ho\u200bla\x07 \n  a\u0301\u202e ") == "hola á"


@pytest.mark.parametrize(
    "parts",
    [
        ["Tengo hambre.", "¿Qué hay de comer?"],
        ["El Sr. Pérez vive en EE. UU. desde 1990.", "Trabaja mucho."],
        ["Bonjour !", "Ça va ?", "Oui."],
        ["hola.", "me llamo ana.", "vivo en madrid"],
        ["«¿Vienes?», preguntó ella.", "No."],
        ['"Stop!" he said.', "He ran."],
        ["It costs 3.50 dollars.", "Really?"],
        ["J. R. R. Tolkien wrote it.", "I read it."],
        ["At 5 p.m. we left.", "It rained."],
        ["Espera... no sé.", "Vale."],
        ["Wait...", "What?"],
        ["hola!", "que tal?", "bien"],
        ["M. Martin est là.", "Mme. Dupont aussi."],
        ["- Sí.", "- No."],
        ["Una sola frase"],
        [],
    ],
)
def test_a_text_is_parted_into_its_sentences(parts: list[str]) -> None:
    assert sentences(" ".join(parts)) == parts
    assert sentences("\n".join(parts)) == parts


@pytest.mark.parametrize("language", SENTENCES)
def test_no_sentence_is_lost(language: str) -> None:
    """Three short French sentences became two."""
    own = SENTENCES[language]
    for n in range(2, 6):
        for first in range(len(own)):
            parts = [own[(first + k) % len(own)] for k in range(n)]
            assert sentences(" ".join(parts)) == parts
