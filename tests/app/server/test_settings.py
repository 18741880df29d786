"""What whoever serves the app may set, and what is refused of it."""

import pytest

from app.server.headers import content_policy, inline_scripts
from app.server.settings import Settings


def test_settings_come_from_the_environment() -> None:
    assert Settings.of({}) == Settings()
    given = {"ILLUMINATED_EMBED_IN": "https://a.example http://b.example:8080"}
    settings = Settings.of(given | {"ILLUMINATED_METRICS_KEY": "k"})
    assert settings.embed_in == ("https://a.example", "http://b.example:8080")
    assert settings.metrics_key == "k"


@pytest.mark.parametrize(
    ("name", "value"), [("SERVE", "all"), ("TEACHER_KEY", "short"), ("SECRET", "short")]
)
def test_what_would_serve_otherwise_than_meant_is_refused(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"ILLUMINATED_{name}"):
        Settings.of({f"ILLUMINATED_{name}": value})


@pytest.mark.parametrize(
    "origin",
    ["a.example", "https://a.example/", "https://*", "https://a.example;script-src", "data:x", "*"],
)
def test_what_is_no_origin_is_refused(origin: str) -> None:
    """It would end up in a header, and could say anything there."""
    with pytest.raises(ValueError, match="ILLUMINATED_EMBED_IN"):
        Settings(embed_in=(origin,))


def test_no_text_is_a_script_and_nobody_frames_the_page() -> None:
    rules = dict(rule.split(" ", 1) for rule in content_policy().split("; "))
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe-inline" not in rules["script-src"]
    assert "'unsafe-eval'" not in rules["script-src"]
    assert not any("http" in sources or "*" in sources for sources in rules.values())
    assert len(inline_scripts()) == 1, "the one script of Streamlit's own page"
    assert content_policy(["https://a.example"]).endswith("frame-ancestors https://a.example")
