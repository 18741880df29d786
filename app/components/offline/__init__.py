"""What an open page says, in its language, while its server does not answer."""

from app.components.shared import mount
from app.i18n import _


def offline(key: str) -> None:
    """Draw nothing, and wait for the server to be away."""
    says = _(
        "This page asks again by itself, and goes on as soon as the server is back. What you chose "
        "stays in its address."
    )
    words = {"title": _("The server does not answer"), "text": says}
    mount("offline", lambda sent: sent, key=key, fixed=words, chosen=None)
