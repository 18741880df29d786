"""A login by OpenID: who the provider vouches for gets in, and no other token does.

Streamlit's own routes talk to a small provider here, without a browser and without a page.
"""

import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.testclient import TestClient
from streamlit import user_info
from streamlit.runtime.secrets import AttrDict
from streamlit.web.server.starlette.starlette_auth_routes import create_auth_routes

from app.server import login
from app.server.login import LoginSigner, check, name_of
from app.server.settings import Settings
from app.server.visitors import NAME, Signer
from tests.app.server.identity import ALGORITHM, Claims, Provider, auth_of, honest, identity

HERE = "http://localhost:8501"
SECRET = "what Streamlit signs its cookie with"
AUTH = {"cookie_secret": SECRET, "redirect_uri": f"{HERE}/oauth2callback"}
Sign = Callable[[Claims], str]


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """An identity provider, which each test leaves honest."""
    with identity() as provider:
        yield provider


@pytest.fixture
def auth(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What secrets.toml says of the provider."""
    monkeypatch.setattr(provider, "lie", honest)
    auth = auth_of(provider, HERE, SECRET)
    secrets = AttrDict({"auth": auth})
    known = SimpleNamespace(load_if_toml_exists=lambda: True, get=secrets.get)
    monkeypatch.setattr("streamlit.auth_util.secrets_singleton", known)
    monkeypatch.setattr("streamlit.web.server.server_util.secrets_singleton", known)
    return auth


@pytest.fixture
def browser(auth: dict[str, str]) -> Iterator[TestClient]:
    """A browser that follows no redirect by itself."""
    routes = create_auth_routes("")
    session = Middleware(SessionMiddleware, secret_key=SECRET)
    app = Starlette(routes=routes, middleware=[session])
    with TestClient(app, base_url=HERE, follow_redirects=False) as client:
        yield client


def begin(browser: TestClient) -> dict[str, str]:
    """Ask to log in; return what the provider is asked for."""
    there = browser.get(user_info.generate_login_redirect_url("default")).headers["location"]
    return {name: values[0] for name, values in parse_qs(urlsplit(there).query).items()}


def come_back(browser: TestClient, provider: Provider, asked: dict[str, str]) -> str:
    """Come back from the provider as Ana; return who that is for the server, "" for nobody."""
    answer = browser.get(provider.ways_back(asked)["ana"].removeprefix(HERE))
    assert answer.headers["location"] == "/"
    return visitor(browser)


def visitor(browser: TestClient) -> str:
    return LoginSigner(b"secret", "", AUTH).visitor(kept(browser))


def kept(browser: TestClient) -> dict[str, str]:
    """The cookies of a browser."""
    return {cookie.name: (cookie.value or "").strip('"') for cookie in browser.cookies.jar}


def test_who_logs_in_is_known_until_they_log_out(browser: TestClient, provider: Provider) -> None:
    asked = begin(browser)
    assert asked["code_challenge_method"] == "S256"
    assert come_back(browser, provider, asked) == name_of(provider.issuer, "ana")
    there = browser.get("/auth/logout").headers["location"]
    assert there.startswith(f"{provider.issuer}/end?")
    assert visitor(browser) == ""


def without(name: str) -> Callable[[Claims], Claims]:
    return lambda claims: {key: value for key, value in claims.items() if key != name}


LIES: dict[str, Callable[[Claims], Claims]] = {
    "it has expired": lambda claims: claims | {"exp": int(time.time()) - 600},
    "it never expires": without("exp"),
    "it was made for another app": lambda claims: claims | {"aud": "another"},
    "it was made for nobody": without("aud"),
    "another login asked for it": lambda claims: claims | {"nonce": "another"},
    "no login asked for it": without("nonce"),
    "another issuer is named": lambda claims: claims | {"iss": "https://evil.example"},
    "nobody is named": lambda claims: claims | {"sub": ""},
}


def test_a_token_that_claims_what_is_not_so_lets_nobody_in(
    browser: TestClient, provider: Provider
) -> None:
    for what, lie in LIES.items():
        provider.lie = lie
        assert come_back(browser, provider, begin(browser)) == "", what


SHARED = OctKey.import_key("a secret that is long enough")


def unsigned(claims: Claims) -> str:
    _head, body, _signature = jwt.encode({"alg": "HS256"}, claims, SHARED).split(".")
    return f"eyJhbGciOiJub25lIn0.{body}."  # {"alg":"none"}


STRANGERS = ECKey.generate_key("P-256", {"kid": "one"})
FORGED: dict[str, Sign] = {
    "by a stranger": lambda claims: jwt.encode(
        {"alg": ALGORITHM, "kid": "one"}, claims, STRANGERS, [ALGORITHM]
    ),
    "by nobody": unsigned,
    "by a secret": lambda claims: jwt.encode({"alg": "HS256", "kid": "one"}, claims, SHARED),
}


def test_a_token_that_the_provider_did_not_sign_lets_nobody_in(
    browser: TestClient, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    for signed, sign in FORGED.items():
        monkeypatch.setattr(provider, "sign", sign)
        assert come_back(browser, provider, begin(browser)) == "", signed


def test_nobody_comes_back_who_did_not_go(browser: TestClient, provider: Provider) -> None:
    """Who is sent another's address to come back to would go on in that other's name."""
    asked = begin(browser)
    assert come_back(browser, provider, asked | {"state": "another"}) == ""
    browser.cookies.clear()  # another browser
    assert come_back(browser, provider, asked) == ""


def test_a_login_leads_nowhere_else(browser: TestClient, provider: Provider) -> None:
    """Neither the way there nor the way back takes an address from whoever made the link."""
    evil = "https://evil.example"
    more = "&".join(f"{name}={evil}" for name in ("next", "redirect_uri", "url", "return_to"))
    good = user_info.generate_login_redirect_url("default")
    there = browser.get(f"{good}&{more}").headers["location"]
    assert there.startswith(f"{provider.issuer}/authorize?")
    assert "evil" not in there
    for path in ("/auth/login?provider=x&", "/oauth2callback?", "/auth/logout?"):
        assert browser.get(path + more).headers["location"] == "/", path


def test_a_visitor_is_an_issuer_and_a_subject_and_nothing_else() -> None:
    names = {
        name_of(*pair)
        for pair in (
            ("https://a", "b"), ("https://ab", ""), ("https://", "ab"), ("https://a", "B"),
            ("https://a", "b "), ('https://a", "', "b"), ("https://a", '", "b'), ("b", "https://a"),
        )
    }  # fmt: skip
    assert len(names - {""}) == 7, "no two of them are one visitor"
    assert all(NAME.fullmatch(name) for name in names - {""})
    for issuer, subject in (("", "b"), (None, "b"), ("https://a", None), ("https://a", 7)):
        assert name_of(issuer, subject) == ""


def test_a_teacher_who_logs_out_leaves_no_key_behind(
    browser: TestClient, provider: Provider
) -> None:
    """The key's cookie lasts a day: whoever logged in next, on that machine, was a teacher."""

    def cookies_after(student: str) -> dict[str, str]:
        browser.get(provider.ways_back(begin(browser))[student].removeprefix(HERE))
        return kept(browser)

    signer = LoginSigner(b"secret", "the teacher's own key", AUTH)
    ana = cookies_after("ana")
    name, _, value = signer.teacher_cookie(ana).partition(";")[0].partition("=")
    assert signer.is_teacher(ana | {name: value})
    assert not signer.is_teacher(cookies_after("bo") | {name: value})


def test_what_somebody_else_signed_is_nobody(browser: TestClient, provider: Provider) -> None:
    come_back(browser, provider, begin(browser))
    cookies = kept(browser)
    for change in ({"cookie_secret": "another"}, {"redirect_uri": "https://a.example/x"}):
        assert LoginSigner(b"", "", AUTH | change).visitor(cookies) == "", change
    known = LoginSigner(b"secret", "", AUTH)
    of_class = Signer(b"secret").visitor_cookie("a" * 32).partition(";")[0].partition("=")
    streamlits = [{"_streamlit_user": value} for value in ("x", "é.é")]
    for odd in ({}, *streamlits, {of_class[0]: of_class[2]}):
        assert known.visitor(odd) == ""


def test_a_login_that_would_not_be_safe_is_refused(auth: dict[str, Any]) -> None:
    check(auth)
    for key, value in (
        ("client_id", None), ("cookie_secret", "short"), ("redirect_uri", f"{HERE}/"),
        ("redirect_uri", "http://class.example/oauth2callback"),
        ("server_metadata_url", "http://identity.example/.well-known/openid-configuration"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=key):
            check(auth | {key: value})


def test_only_a_class_has_a_login(monkeypatch: pytest.MonkeyPatch) -> None:
    for serve, kind in (("own", "openid"), ("exhibit", "openid"), ("class", "password")):
        with pytest.raises(ValueError, match="ILLUMINATED_LOGIN"):
            Settings.of({"ILLUMINATED_SERVE": serve, "ILLUMINATED_LOGIN": kind})
    monkeypatch.setattr(login, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="requirements-login"):
        login.login_signer(b"", "")
