"""Our three languages are told apart, and others are none of them."""

import pytest

from model import checkpoint
from model.text.language import guess, is_foreign, words
from tests.model.text.odd_inputs import SENTENCES

SHORT = {
    "es": ("Buenas noches", "tengo sueño", "¿Qué pasa?", "el libro azul", "Muchas gracias"),
    "fr": ("Bonne nuit", "j'ai sommeil", "Ça va ?", "le livre bleu", "Merci beaucoup"),
    "en": ("Good night", "i'm sleepy", "What's up?", "the blue book", "Thank you"),
}
OTHERS = (
    "Ich habe heute keine Zeit für dich",
    "Wo ist der nächste Bahnhof, bitte?",
    "Das Buch liegt auf dem Tisch und ist sehr alt",
    "Vorrei un caffè e anche un bicchiere d'acqua",
    "Você não sabe onde fica a minha casa",
    "Ik weet niet waar mijn sleutels zijn",
)


@pytest.mark.parametrize("language", SENTENCES)
def test_languages_are_told_apart(language: str) -> None:
    for text in (*SENTENCES[language], *SHORT[language]):
        for typed in (text, text.lower(), text.rstrip(".?")):
            found = guess(typed)
            assert found is not None
            assert found.language == language, typed
            assert not found.is_plainly_not(language)


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_plainly_not_in_another_language(language: str) -> None:
    for text in SENTENCES[language]:
        found = guess(text)
        assert found is not None
        assert all(found.is_plainly_not(other) for other in SENTENCES if other != language)


def test_a_text_without_words_has_no_language() -> None:
    assert guess("12 + 30 = ?") is None


@pytest.mark.parametrize("text", OTHERS)
def test_other_languages_are_none_of_ours(text: str) -> None:
    assert is_read_as_foreign(text)


@pytest.mark.parametrize("language", SENTENCES)
def test_our_languages_are_not_foreign(language: str) -> None:
    assert not any(map(is_read_as_foreign, (*SENTENCES[language], *SHORT[language])))


def is_read_as_foreign(text: str) -> bool:
    found = guess(text)
    assert found is not None
    model = {"es": "es-en", "fr": "fr-en", "en": "en-es"}[found.language]
    tokenizer = checkpoint.load(model).tokenizer
    return is_foreign(text, found, len(tokenizer.encode(" ".join(words(text)))))
