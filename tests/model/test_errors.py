"""Errors are codes: each has its text, and every place that raises one fills it."""

import ast
import copy
import errno
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

from safetensors import SafetensorError

from model.errors import MESSAGES, UserError, reason

ROOT = Path(__file__).parents[2]
# Without a code of their own, or with one that is handed through.
CODED = {"UserError", "CheckpointError", "ArchiveError"}


def places(code: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(MESSAGES[code]) if name}


@cache
def sources() -> tuple[str, ...]:
    paths = [path for folder in ("app", "model") for path in (ROOT / folder).rglob("*.py")]
    return tuple(path.read_text(encoding="utf-8") for path in paths)


def raised() -> Iterator[tuple[str, set[str]]]:
    """Each code that is raised somewhere, with the names of its values."""
    for text in sources():
        if not any(name in text for name in CODED):
            continue
        nodes = list(ast.walk(ast.parse(text)))
        calls = [node for node in nodes if isinstance(node, ast.Call) and node.args]
        given_why = [call.args[0] for call in calls if _name(call) == "os_errors_as"]
        for call in calls:
            code = call.args[0]
            if not isinstance(code, ast.Constant) or _name(call) not in (*CODED, "__init__"):
                continue
            why = {"why"} if call in given_why else set[str]()
            yield str(code.value), why | {one.arg for one in call.keywords if one.arg}


def _name(call: ast.Call) -> str:
    func = call.func
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def test_who_raises_a_code_fills_its_text_and_no_code_is_unknown_or_without_use() -> None:
    found = list(raised())
    assert len(found) > 50
    assert [code for code, _values in found if code not in MESSAGES] == []
    assert [(code, values) for code, values in found if places(code) - values] == []
    text = "".join(sources())
    assert [code for code in MESSAGES if text.count(f'"{code}"') < 2] == []


def test_it_survives_json_and_a_copy() -> None:
    error = UserError("unreadable", "data", path="x.tsv", why=UserError("disk_full"))
    for other in (UserError.from_dict(json.loads(json.dumps(error.to_dict()))), copy.copy(error)):
        assert other is not None
        assert str(other) == "data: x.tsv cannot be read: no space is left on the disk."
        assert (other.code, other.field) == ("unreadable", "data")


def test_the_sentence_that_older_runs_kept_is_read() -> None:
    assert UserError.from_dict("") is None
    assert UserError.from_dict(None) is None
    assert str(UserError.from_dict("It broke.")) == "It broke."
    assert UserError.from_dict({"code": "from the future"}) is not None


def test_what_the_system_says_has_a_code() -> None:
    for error, code in (
        (OSError(errno.ENOSPC, "No space left on device"), "disk_full"),
        (OSError(errno.EROFS, "Read-only file system"), "read_only"),
        (OSError(errno.ENOENT, "No such file or directory"), "plain"),
        (SafetensorError("I/O error: No space left on device (os error 28)"), "disk_full"),
        (SafetensorError("Header too large"), "plain"),
    ):
        assert reason(error).code == code
