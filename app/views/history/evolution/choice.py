"""What one chooses on the page: the sentence, and the vectors of the six attentions."""

from functools import cached_property

from app import state
from app.data.translation import Translation
from app.ui.chosen import decoding
from app.ui.sentence_box import first_sentence
from app.views.history.evolution import data
from app.views.history.evolution.vectors import Vectors, read_fields


class EvolutionChoice:
    """A choice computed on first use: a sentence that fails must not hide its own field."""

    @cached_property
    def translations(self) -> dict[str, Translation]:
        """The translations of the sentence on the page, by model."""
        text = state.TEXT.get()
        return data.translations(
            first_sentence(data.TRANSFORMER) if text is None else text, decoding()
        )

    @cached_property
    def vectors(self) -> Vectors:
        """What the six attentions are computed from."""
        return read_fields(self.translations)
