"""What a page says in place of an error: one clear sentence, also where only a part runs again."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from app.i18n import _
from app.services import ModelUnavailableError, NothingToTranslateError
from app.widgets import sidebar

log = logging.getLogger(__name__)


@contextmanager
def told(nothing: str, failed: str) -> Iterator[None]:
    """Say why nothing is drawn: `nothing` for an empty text, `failed` for the unforeseen."""
    try:
        yield
    except NothingToTranslateError:
        st.info(nothing)
    except ModelUnavailableError:
        st.error(
            _(
                "This model cannot be used: its files are damaged, incomplete or not its own. "
                "Choose another one, or restore its folder."
            )
        )
    except Exception:
        log.exception("a page failed with %s", sidebar.model())
        st.error(failed)


def model() -> str | None:
    """Return the chosen model, or say that there is none."""
    chosen = sidebar.model()
    if chosen is None:
        st.error(_("There is no trained model yet: put one into the folder “pretrained”."))
    return chosen
