"""The pages, one row each: the navigation and the tests both read this table."""

from dataclasses import dataclass
from typing import Final

from app.i18n import N_


@dataclass(frozen=True)
class View:
    """One page: its file in app/views, and what the navigation shows of it."""

    file: str
    title: str
    icon: str
    section: str

    @property
    def path(self) -> str:
        """The file, as Streamlit wants it: beside app/main.py."""
        return f"views/{self.file}.py"


VIEWS: Final = (View("translate", N_("Translate"), ":material/translate:", N_("Use the model")),)
