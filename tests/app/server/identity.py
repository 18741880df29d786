"""A small identity provider: discovery, a page to choose who one is, tokens, keys, and log-out.

`lie` changes what a token claims before it is signed, and `sign` how: to see what is refused.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, Key

CLIENT = "the-class"
STUDENTS = ("ana", "bo")
ALGORITHM = "ES256"
Claims = dict[str, Any]


def honest(claims: Claims) -> Claims:
    """Claim what is so."""
    return claims


@dataclass
class Provider:
    """An identity provider that listens at an address."""

    issuer: str = ""
    key: Key = field(default_factory=lambda: ECKey.generate_key("P-256", {"kid": "one"}))
    lie: Callable[[Claims], Claims] = honest
    asked: dict[str, dict[str, str]] = field(default_factory=dict)  # by code

    def sign(self, claims: Claims) -> str:
        """Return a token."""
        return jwt.encode({"alg": ALGORITHM, "kid": "one"}, claims, self.key, [ALGORITHM])

    def described(self) -> dict[str, Any]:
        """Return the discovery document."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/end",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [ALGORITHM],
            "code_challenge_methods_supported": ["S256"],
        }

    def ways_back(self, asked: dict[str, str]) -> dict[str, str]:
        """Return the address to which each student goes back."""
        ways = {}
        for student in STUDENTS:
            self.asked[code := f"code-of-{student}-{len(self.asked)}"] = asked | {"sub": student}
            back = urlencode({"code": code, "state": asked["state"]})
            ways[student] = f"{asked['redirect_uri']}?{back}"
        return ways

    def token(self, code: str) -> dict[str, Any]:
        """Return what a code is exchanged for."""
        asked, now = self.asked.pop(code), int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": asked["sub"],
            "aud": CLIENT,
            "exp": now + 60,
            "iat": now,
            "nonce": asked["nonce"],
            "name": asked["sub"].title(),
        }
        answer = {"access_token": "none", "token_type": "Bearer"}
        return answer | {"id_token": self.sign(self.lie(claims))}


@contextmanager
def identity() -> Iterator[Provider]:
    """Serve an identity provider on a free port."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            there = urlsplit(self.path)
            asked = {name: values[0] for name, values in parse_qs(there.query).items()}
            if there.path == "/authorize":
                ways = provider.ways_back(asked).items()
                page = "".join(f'<p><a href="{way}">{name}</a></p>' for name, way in ways)
                self.answer("<!doctype html><title>Who are you?</title>" + page, "text/html")
            elif there.path == "/end":
                self.send_response(302)
                self.send_header("Location", asked["post_logout_redirect_uri"])
                self.end_headers()
            elif there.path == "/keys":
                self.answer(json.dumps({"keys": [provider.key.as_dict(private=False)]}))
            else:
                self.answer(json.dumps(provider.described()))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.answer(json.dumps(provider.token(parse_qs(body)["code"][0])))

        def answer(self, text: str, kind: str = "application/json") -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("localhost", 0), Handler) as server:
        provider.issuer = f"http://localhost:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield provider
        server.shutdown()


def auth_of(provider: Provider, address: str, secret: str) -> dict[str, str]:
    """Return what an app at an address has to know of the provider."""
    return {
        "redirect_uri": f"{address}/oauth2callback",
        "cookie_secret": secret,
        "client_id": CLIENT,
        "client_secret": "known to both",
        "server_metadata_url": f"{provider.issuer}/.well-known/openid-configuration",
    }


def settings(provider: Provider, address: str, secret: str) -> str:
    """Return the secrets.toml of an app at an address."""
    auth = auth_of(provider, address, secret)
    return "\n".join(["[auth]", *(f'{name} = "{value}"' for name, value in auth.items())])
