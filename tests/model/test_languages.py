"""Which languages a model translates between."""

from typing import Any

from model.languages import direction, languages_of

MARIAN = {"source": "marian"}


def test_they_are_named_or_the_name_tells() -> None:
    """Of a fetched model they were known on its page, and not to its atlas, which refused it."""
    cases: list[tuple[dict[str, Any], str, tuple[str, str]]] = [
        ({}, "es-en-early", ("es", "en")),
        ({}, "reverse", ("reverse", "")),
        (MARIAN | {"languages": ["spa", "eng"]}, "mine", ("es", "en")),
        (MARIAN | {"languages": ["de"]}, "opus-mt-es-en", ("es", "en")),
        (MARIAN | {"repository": "Helsinki-NLP/opus-mt-fr-en"}, "mine", ("fr", "en")),
        (MARIAN, "tatoeba", ("", "")),
    ]
    for metrics, name, told in cases:
        assert languages_of(metrics, name) == told


def test_a_name_ends_in_them() -> None:
    assert direction("Helsinki-NLP/opus-mt-de-en") == ("de", "en")
    assert direction("owner/model") == direction("owner/my-model") == ("", "")
