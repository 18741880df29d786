"""What went wrong on the model's side, in the visitor's language."""

from app.i18n import _
from model.errors import MESSAGES, UserError


def worded(error: ValueError) -> str:
    """Return an error in the visitor's language; one without a code as it is."""
    if not isinstance(error, UserError):
        return str(error)
    values = {
        name: worded(value) if isinstance(value, UserError) else value
        for name, value in error.values.items()
    }
    return _(MESSAGES[error.code]).format(**values)
