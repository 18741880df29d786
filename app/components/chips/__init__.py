"""The tokens of a sentence as chips: the pieces of one word joined, special tokens set apart."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app.charts.theme import Role
from app.components.shared import mount
from app.format import visible


@dataclass(frozen=True)
class Chip:
    """One token; `note`, such as its id, appears on hover."""

    text: str
    starts_word: bool = True
    special: bool = False
    note: str = ""


def chips(
    tokens: Sequence[Chip],
    *,
    key: str,
    label: str,
    role: Role = "input",
    language: str = "",
    selected: int | None = None,
    on_select: Callable[[int], None] | None = None,
) -> None:
    """Show tokens as chips; call back with the index of a clicked token.

    `language` is the code of theirs, where it is known.
    """
    fixed = payload(tokens, label, role, language)
    mount("chips", int, key=key, fixed=fixed, chosen=selected, on_event=on_select)


def payload(tokens: Sequence[Chip], label: str, role: Role, language: str = "") -> dict[str, Any]:
    """Return what the browser draws: words, each a list of its pieces with their indexes."""
    words: list[list[dict[str, Any]]] = []
    joinable = False
    for index, token in enumerate(tokens):
        piece = {**asdict(token), "text": visible(token.text), "index": index}
        if joinable and not token.starts_word and not token.special:
            words[-1].append(piece)
        else:
            words.append([piece])
        joinable = not token.special
    return {"words": words, "label": label, "role": role, "language": language}
