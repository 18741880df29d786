"""What stands in place of a part that cannot be drawn: one clear sentence."""

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
QUEUE_FULL: Final = N_("This server is busy: please try again in half a minute.")
PAGE_FAILED: Final = N_("This page could not be shown; the server's log says why.")


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
    except Exception as error:  # a page shows one sentence, whatever happened
        tell(error, failed)


def tell(error: Exception, sentence: str) -> None:
    """Show what failed in one sentence, with the number under which the log says why.

    A full queue is no failure: nothing is logged.
    """
    if isinstance(error, QueueFullError):
        st.warning(_(QUEUE_FULL))
        return
    number = secrets.token_hex(4)
    log.error("a page failed with %s", chosen.model(), exc_info=error, extra={"number": number})
    st.error(f"{sentence} ({number})")


def unforeseen(error: Exception) -> bool:
    """Show in a sentence what no error box caught; Streamlit then shows nothing of its own."""
    tell(error, _(PAGE_FAILED))
    return True
