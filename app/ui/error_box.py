"""What stands in place of a part that cannot be drawn: one clear sentence."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from app.data.translation import ModelUnavailableError, NothingToTranslateError
from app.i18n import _
from app.ui import chosen

log = logging.getLogger(__name__)


@contextmanager
def error_box(nothing: str, failed: str) -> Iterator[None]:
    """Say why nothing is drawn: `nothing` for an empty text, `failed` for the unforeseen."""
    try:
        yield
    except NothingToTranslateError:
        st.info(nothing)
    except ModelUnavailableError:
        st.error(
            _(
                "This model cannot be used: its files are damaged, incomplete or belong to another "
                "model. Choose another one, or restore its folder."
            )
        )
    except Exception:
        log.exception("a page failed with %s", chosen.model())
        st.error(failed)
