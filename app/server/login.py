"""Login with OpenID: an identity provider tells who a visitor is, on all of their machines.

Streamlit implements the protocol (`/auth/login`, `/oauth2callback`, `/auth/logout`), verifies the
provider's signature, and keeps its claims in its own cookie. This module reads that cookie, so that
everything that tells visitors apart by a cookie also works for those who have logged in.
"""

import hashlib
import json
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import urlsplit

import streamlit as st
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from app.server.visitors import DIGITS, Signer

CALLBACK: Final = "/oauth2callback"
SHORTEST_SECRET: Final = 32  # characters: whoever guesses the secret can pose as anybody
KEYS: Final = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
OWN_MACHINE: Final = ("localhost", "127.0.0.1", "::1")


class LoginSigner(Signer):
    """Identifies visitors by their identity at an identity provider."""

    def __init__(self, secret: bytes, teacher_key: str, auth: Mapping[str, Any]) -> None:
        super().__init__(secret, teacher_key)
        self.cookie_secret: str = auth["cookie_secret"]
        there = urlsplit(auth["redirect_uri"])
        self.origin = f"{there.scheme}://{there.netloc}"

    def visitor(self, cookies: Mapping[str, str]) -> str:
        """Return the visitor who has logged in, as 32 hexadecimal digits; "" for nobody."""

        def signed(name: str) -> bytes | None:
            return decode_signed_value(self.cookie_secret, name, cookies.get(name, ""))

        claims = json.loads(get_cookie_with_chunks(signed, USER_COOKIE_NAME) or "{}")
        if not claims.get("is_logged_in") or claims.get("origin") != self.origin:
            return ""
        return name_of(claims.get("iss"), claims.get("sub"))

    def holder(self, cookies: Mapping[str, str]) -> str:
        """Return who has logged in, so that the next user of this browser is not a teacher too."""
        return self.visitor(cookies)


def name_of(issuer: object, subject: object) -> str:
    """Return the visitor with an issuer's subject; "" unless both are nonempty texts.

    Nothing else identifies a visitor: an e-mail address or a name can be reassigned to somebody
    else, or chosen by them. The visitor's folder has this name, which must outlast the server's
    secrets, so no secret is mixed in.
    """
    if not (isinstance(issuer, str) and isinstance(subject, str) and issuer and subject):
        return ""
    return hashlib.sha256(json.dumps([issuer, subject]).encode()).hexdigest()[:DIGITS]


def login_signer(secret: bytes, teacher_key: str) -> LoginSigner:
    """Return the signer that identifies the visitors of a class with a login.

    Raises ValueError if `[auth]` in secrets.toml is incomplete or Authlib is not installed.
    """
    if find_spec("authlib") is None:
        raise ValueError("ILLUMINATED_LOGIN: pip install --requirement requirements-login.lock")
    try:
        auth: Mapping[str, Any] = st.secrets.get("auth", {})
    except StreamlitSecretNotFoundError:
        auth = {}
    check(auth)
    return LoginSigner(secret, teacher_key, auth)


def check(auth: Mapping[str, Any]) -> None:
    """Raise ValueError if a login's settings are missing or unsafe."""
    for key in KEYS:
        if not isinstance(auth.get(key), str):
            raise ValueError(f"ILLUMINATED_LOGIN: [auth] in secrets.toml has no {key}.")
    if len(auth["cookie_secret"]) < SHORTEST_SECRET:
        raise ValueError(
            f"cookie_secret in secrets.toml: use {SHORTEST_SECRET} characters or more."
        )
    if not auth["redirect_uri"].endswith(CALLBACK):
        raise ValueError(f"redirect_uri in secrets.toml: it ends with {CALLBACK}.")
    for key in ("redirect_uri", "server_metadata_url"):
        there = urlsplit(auth[key])
        if there.scheme != "https" and there.hostname not in OWN_MACHINE:
            raise ValueError(f"{key} in secrets.toml: use https.")
