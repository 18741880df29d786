"""The scripts and styles of all components, a file that the browser keeps.

Streamlit sends a component's script with each of its copies at every move, which would be thirty
kilobytes for each of a dozen boards. Instead, the components load this library.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from app.server.files import publish

COMPONENTS = Path(__file__).parents[1]
# A component's own module has the name of its folder.
_FILES = [*COMPONENTS.glob("*/*.js"), *COMPONENTS.parent.glob("stage/*.js")]
KINDS = sorted(file.parent for file in _FILES if file.stem == file.parent.name)
IMPORT = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:(?:async )?function|const) (\w+))", re.MULTILINE)
COMMENT = re.compile(r"^\s*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)


def script(kinds: Sequence[Path], modules: dict[Path, str]) -> str:
    """Return the scripts and styles of components as one script that defines `mount`."""
    for file in (COMPONENTS / "shared/mount.js", *(kind / f"{kind.name}.js" for kind in kinds)):
        add(file, modules)
    common = json.dumps(_styles(COMPONENTS / "shared") + _styles(COMPONENTS / "grid"))
    define = [f'shared_mount.define("shared", null, {common});'] + [
        f'shared_mount.define("{kind.name}", {_name(kind / kind.name)}.build, '
        f"{json.dumps(_styles(kind))});"
        for kind in kinds
    ]
    return "\n".join([*modules.values(), *define])


def program(kinds: Sequence[Path], entry: Path, *calls: str) -> str:
    """Return one script of components, a module that draws with them, and what begins it."""
    modules: dict[Path, str] = {}
    drawn = script(kinds, modules)
    known = len(modules)
    add(entry, modules)
    return "\n".join([drawn, *[*modules.values()][known:], *calls])


def add(file: Path, modules: dict[Path, str], importers: tuple[Path, ...] = ()) -> None:
    """Add a module after those that it imports, in its own scope and without its comments.

    The supported forms are `import { … } from "./file.js"`, and `export` before a function or a
    constant. Raises ValueError for any other form and for circular imports.
    """
    if file in modules:
        return
    if file in importers:
        raise ValueError(f"{file.name} imports itself by way of {importers[-1].name}.")

    def link(statement: re.Match[str]) -> str:
        names, path = statement[1].replace(" as ", ": "), statement[2]
        other = (file.parent / path).resolve()
        add(other, modules, (*importers, file))
        return f"const {names} = {_name(other)};\n"

    text = IMPORT.sub(link, COMMENT.sub("", file.read_text(encoding="utf-8")))
    names = ", ".join(EXPORT.findall(text))
    text = EXPORT.sub("", text)
    if wrong := re.search(r"^(?:import|export)\b.*", text, re.MULTILINE):
        raise ValueError(f"{file.name}: this form is not understood: {wrong[0]}")
    modules[file] = f"const {_name(file)} = (() => {{\n{text}return {{ {names} }};\n}})();"


def _name(file: Path) -> str:
    return f"{file.parent.name}_{file.stem}"


def _styles(folder: Path) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.css")))


SCRIPT = script(KINDS, {})
ADDRESS = publish("library.js", f"{SCRIPT}\nexport const mount = shared_mount.mount;\n")
# All components share one promise, whose name is that of the version, as a page can stay open while
# the server is updated. A browser never asks again for a module that did not come, unless by
# another address.
LOAD = f"""const at = location.origin + "{ADDRESS}";
const library = (globalThis[at] ??= import(at).catch(() => import(at + "?again")));
"""
