"""The scripts and styles of all components, sent to the browser once a page.

Streamlit sends a component's script with each of its copies at every move, thirty kilobytes for
each of a dozen boards: so the components call for their part of this library instead.
"""

import hashlib
import json
from pathlib import Path

import streamlit as st

FOLDER = Path(__file__).parent


def script() -> str:
    """Return the scripts of all components, each in a scope of its own, behind what they share."""
    folders = sorted({file.parent for file in FOLDER.parent.glob("*/*.js")} - {FOLDER})
    parts = [_read(FOLDER, "js"), f'define("shared", null, {json.dumps(_read(FOLDER, "css"))});']
    for folder in folders:
        own = f"(() => {{\n{_read(folder, 'js')}\nreturn build;\n}})()"
        parts.append(f'define("{folder.name}", {own}, {json.dumps(_read(folder, "css"))});')
    return "\n".join(parts)


def _read(folder: Path, suffix: str) -> str:
    files = sorted(folder.glob(f"*.{suffix}"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


SCRIPT = script()
# Whoever comes first, the library or a component, puts up the promise. Its name tells one version
# from the next: a page can stay open while the server is renewed.
_NAME = f"illuminated-{hashlib.sha256(SCRIPT.encode()).hexdigest()[:12]}"
PROMISE = f'const library = (globalThis["{_NAME}"] ??= Promise.withResolvers());\n'

_library = st.components.v2.component(
    "illuminated_transformer.library",
    js=f"{SCRIPT}\n{PROMISE}export default () => library.resolve(mount);",
)


def send() -> None:
    """Send the library; outside of what is drawn again at a move."""
    with st.container(key="library"):
        _library(key="library-script")
