"""What every screen sends to the browser, kept as JSON, to see what a change of the code changes.

`python -m tests.app.recording OUT [page …] [--language en es fr]` records, in the trained models;
`python -m tests.app.recording --compare BEFORE AFTER` prints what differs.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from difflib import unified_diff
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import torch
from google.protobuf.json_format import MessageToDict

from app.i18n import LANGUAGES
from app.page.contents import declared, every_screen
from app.registry import VIEWS, Address, view_of
from tests.app.pages import opened, revealed

LONG = 400  # characters of a text without a blank, an array's numbers; and all of 5,000
MANY = 200  # rows of a list
SECONDS = re.compile(r"\d[\d.,]*[\u00a0\u202f ]s\b")  # that this machine took, or will take
# What is another one in each run, or is not what a screen says: ids, addresses of files, code.
VOLATILE = {"id", "elementId", "formId", "userKey", "url", "jsContent", "cssContent", "htmlContent"}
Entry = dict[str, Any]


def recorded(address: Address, language: str) -> list[Entry]:
    """Return all elements of a screen with its drawers open: a question first, if it has one."""
    query = {"all": "0", "part": address.screen} if address.screen else {}
    app = opened(address.page, lang=language, **query)
    page = declared(view_of(address.page))
    for part in page.sections if page else ():
        if part.slug == address.screen:
            names = [f"drawer-{drawer.slug}" for drawer in part.drawers]
            for name in (*names, f"drawer-code-{part.slug}"):
                app.session_state[f"open-{name}"] = True
    asked = list(_entries(app.run()._tree))
    shown = list(_entries(revealed(app)._tree))
    return shown if asked == shown else [*asked, {"type": "once it was answered"}, *shown]


def _entries(node: Any) -> Iterator[Entry]:
    """Yield a page's elements in their order, and the labels of what opens."""
    for child in node.children.values():
        if hasattr(child, "children"):
            if label := _label(MessageToDict(child.proto) if child.proto else {}):
                yield {"type": child.type, "label": label}
            yield from _entries(child)
        else:
            yield {"type": child.type, **_plain(_content(child))}


def _content(element: Any) -> Entry:
    if element.type in ("arrow_data_frame", "arrow_table"):
        return {"table": element.value.to_csv()}
    content = MessageToDict(element.proto)
    read = {name: json.loads(content[name]) for name in ("json", "spec") if content.get(name)}
    return {**content, **read}


def _label(block: Any) -> str:
    if not isinstance(block, dict):
        return ""
    return block.get("label") or next(filter(None, map(_label, block.values())), "")


def _plain(value: Any) -> Any:
    """Return a value with large arrays as their content's hash, without what is volatile."""
    if isinstance(value, dict):
        kept = {str(name): part for name, part in value.items() if name not in VOLATILE}
        return {name: _plain(kept[name]) for name in sorted(kept)}
    if isinstance(value, list):
        return [_plain(part) for part in value] if len(value) < MANY else _hash(str(value))
    if isinstance(value, str) and value[:1] in "{[" and len(value) > 2:
        try:
            return _plain(json.loads(value))
        except ValueError:
            return value
    if not isinstance(value, str):
        return value
    is_array = len(value) > LONG and " " not in value
    return _hash(value) if is_array or len(value) > 5_000 else value


def _hash(content: str) -> str:
    return f"sha256 {sha256(content.encode()).hexdigest()}"


def _joined(entries: list[Entry]) -> list[str]:
    """Return a line an element; texts that follow each other are one, however they were cut."""
    lines: list[str] = []
    for is_text, group in groupby(entries, lambda entry: entry["type"] == "markdown"):
        if is_text:
            texts = "\n\n".join(filter(None, (entry.get("body", "") for entry in group)))
            lines += ["markdown", *texts.split("\n\n")] if texts else []
        else:
            lines += [json.dumps(entry, ensure_ascii=False) for entry in group]
    return [SECONDS.sub("… s", line) for line in lines]


def compare(before: Path, after: Path) -> int:
    """Print what differs between two folders of records, and return in how many screens."""
    names = sorted({path.name for folder in (before, after) for path in folder.glob("*.json")})
    different = 0
    for name in names:
        old, new = (
            _joined(json.loads((folder / name).read_text())) if (folder / name).exists() else []
            for folder in (before, after)
        )
        if old != new:
            different += 1
            print(f"=== {name}", *(line[:600] for line in unified_diff(old, new, n=1)), sep="\n")
    print(f"{different} of {len(names)} screens differ")
    return different


def main() -> None:
    """Record pages, or compare two records; exits with 1 where a screen differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("pages", nargs="*", default=[])
    parser.add_argument("--language", nargs="+", default=list(LANGUAGES))
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"))
    asked = parser.parse_args()
    if asked.compare:
        sys.exit(bool(compare(*asked.compare)))
    torch.set_num_threads(1)
    pages = asked.pages or [view.slug for view in VIEWS]
    for address in every_screen():
        if address.page not in pages or (not address.screen and declared(view_of(address.page))):
            continue  # a page's own address is that of its first screen
        for language in asked.language:
            name = f"{address.page}.{address.screen or 'page'}.{language}.json"
            asked.out.mkdir(parents=True, exist_ok=True)
            text = json.dumps(recorded(address, language), ensure_ascii=False, indent=0)
            (asked.out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
