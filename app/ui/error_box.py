"""One clear sentence in place of a part that cannot be drawn."""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import streamlit as st

from app.data.queue import QueueFullError
from app.data.translation import ModelUnavailableError, NothingToTranslateError
from app.i18n import N_, _
from app.ui import chosen

log = logging.getLogger(__name__)
NOTHING: Final = N_("There is nothing to show yet: type a sentence or choose an example.")
FAILED: Final = N_("This sentence could not be shown; the server's log says why.")
PAGE_FAILED: Final = N_("This page could not be shown; the server's log says why.")


@contextmanager
def error_box(nothing: str = "", failed: str = "") -> Iterator[None]:
    """Say why nothing is drawn: `nothing` for an empty text, `failed` for an unexpected error."""
    try:
        yield
    except NothingToTranslateError:
        st.info(nothing or _(NOTHING))
    except ModelUnavailableError:
        st.error(
            _(
                "This model cannot be used: its files are damaged, incomplete or belong to another "
                "model. Choose another one, or restore its folder."
            )
        )
    except Exception as error:  # a page shows one sentence, whatever happened
        tell(error, failed or _(FAILED))


def tell(error: Exception, sentence: str) -> None:
    """Show one sentence about a failure, with the number of its entry in the log.

    A full queue is not a failure and is not logged.
    """
    if isinstance(error, QueueFullError):
        st.warning(_("This server is busy: please try again in half a minute."))
        return
    number = secrets.token_hex(4)
    log.error("a page failed with %s", chosen.model(), exc_info=error, extra={"number": number})
    st.error(f"{sentence} ({number})")
