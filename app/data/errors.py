"""What went wrong on the model's side, in the visitor's language."""

import re
from typing import Any, Final

from app.i18n import _
from model.errors import MESSAGES, UserError

# The folders before a file's name: "/srv/my runs/", "C:\runs\".
FOLDERS: Final = re.compile(r"(?<![\w.])(?:[A-Za-z]:)?[/\\](?:[^/\\'\":;,\n]+[/\\])+(?=\S)")
WITH_PATHS: Final = frozenset(["path", "folder", "file", "what"])


def worded(error: ValueError) -> str:
    """Return an error in the visitor's language, one without a code as it is.

    Where the files of the server lie is in its log alone.
    """
    if not isinstance(error, UserError):
        return _without_folders(str(error))
    values = {name: _worded_value(name, value) for name, value in error.values.items()}
    return _(MESSAGES[error.code]).format(**values)


def _worded_value(name: str, value: Any) -> Any:
    if isinstance(value, UserError):
        return worded(value)
    return _without_folders(str(value)) if name in WITH_PATHS else value


def _without_folders(text: str) -> str:
    return FOLDERS.sub("", text)
