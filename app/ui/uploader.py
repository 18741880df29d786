"""An upload field that says in the visitor's language why the server refused a file."""

import json
from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from app.i18n import _
from app.server.uploads import FIELDS, MEGABYTE

# The browser marks a refused file, but shows only the server's status, in English.
STYLE: Final = """<style>
.st-key-{key} [data-testid="stFileChip"] [role="alert"] {{visibility: hidden}}
.st-key-{key}:has([data-testid="stFileChip"] [role="alert"])::after {{
    content: {text}; font-size: 0.875rem;
}}
</style>"""


def uploader(
    label: str,
    types: Sequence[str],
    *,
    key: str,
    most: int,
    help: str,  # noqa: A002 - Streamlit's own name
    on_change: Callable[[], None] | None = None,
) -> UploadedFile | None:
    """Draw a field for a file of at most `most` megabytes; return the file once it has arrived."""
    most = min(most, st.get_option("server.maxUploadSize"))
    if (context := get_script_run_ctx()) is not None:
        FIELDS.note(context.session_id, most * MEGABYTE)
    refused = _(
        "This file was not taken: choose one of at most {most} MB, or remove those that you loaded "
        "before, and try again in a minute."
    ).format(most=most)
    st.html(STYLE.format(key=key, text=json.dumps(refused, ensure_ascii=False)))
    return st.file_uploader(
        label, types, key=key, max_upload_size=most, help=help, on_change=on_change
    )
