"""Which languages a model translates between."""

from typing import Any

import pytest

from model.languages import direction, languages_of

MARIAN = {"source": "marian"}


@pytest.mark.parametrize(
    ("metrics", "name", "told"),
    [
        ({}, "es-en", ("es", "en")),
        ({}, "es-en-early", ("es", "en")),
        ({}, "reverse", ("reverse", "")),
        (MARIAN | {"languages": ["spa", "eng"]}, "mine", ("es", "en")),
        (MARIAN | {"languages": ["de"]}, "opus-mt-es-en", ("es", "en")),
        (MARIAN | {"repository": "Helsinki-NLP/opus-mt-fr-en"}, "mine", ("fr", "en")),
        (MARIAN, "tatoeba", ("", "")),
    ],
)
def test_they_are_named_or_the_name_tells(
    metrics: dict[str, Any], name: str, told: tuple[str, str]
) -> None:
    """Of a fetched model they were known on its page, and not to its atlas, which refused it."""
    assert languages_of(metrics, name) == told


def test_a_name_ends_in_them() -> None:
    assert direction("Helsinki-NLP/opus-mt-de-en") == ("de", "en")
    assert direction("owner/model") == direction("owner/my-model") == ("", "")
