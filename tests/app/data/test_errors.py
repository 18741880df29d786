"""What the model's side says to people is said in their language."""

from string import Formatter

import pytest

from app import i18n
from app.data.errors import worded
from app.views.training.doctor_texts import ADVICE
from model.config import ModelConfig
from model.errors import MESSAGES, UserError
from model.runs import doctor

ONLY_IN_ENGLISH = {"plain"}


@pytest.fixture(params=["es", "fr"])
def _language(request: pytest.FixtureRequest):
    token = i18n._chosen.set(request.param)
    yield
    i18n._chosen.reset(token)


def places(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name}


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize("code", sorted(MESSAGES.keys() - ONLY_IN_ENGLISH))
def test_every_code_has_its_text_in_every_language(code: str) -> None:
    text = i18n.gettext(MESSAGES[code])
    assert text != MESSAGES[code]
    assert places(text) <= places(MESSAGES[code])
    values = dict.fromkeys(places(MESSAGES[code]), 7)
    assert worded(UserError(code, "steps", **values)) == text.format(**values)


@pytest.mark.usefixtures("_language")
def test_a_reason_is_worded_too() -> None:
    text = worded(UserError("run_not_written", why=UserError("disk_full")))
    assert "disk" not in text.replace("disque", "").replace("disco", "")
    assert "{" not in text


@pytest.mark.usefixtures("_language")
def test_settings_are_explained() -> None:
    with pytest.raises(UserError) as raised:
        ModelConfig(300, d_model=30, n_heads=4)
    assert "30" in worded(raised.value)
    assert worded(raised.value) != raised.value.text


def test_what_has_no_code_stays_as_it_is() -> None:
    assert worded(ValueError("Nobody ever said this.")) == "Nobody ever said this."
    assert worded(UserError("plain", what="Nobody did.")) == "Nobody did."


PATHS = {
    "/srv/app/runs/my run/best/weights.safetensors": "weights.safetensors",
    "/weights": "/weights",
    "C:\\Users\\me\\runs\\x": "x",
    "[Errno 2] No such file: '/home/me/.venv/lib/x.py'": "[Errno 2] No such file: 'x.py'",
    "/srv/runs/x cannot be read: /tmp/y is gone": "x cannot be read: y is gone",
    "and/or 1/2, ../x": "and/or 1/2, ../x",
}


@pytest.mark.parametrize(("text", "seen"), PATHS.items(), ids=PATHS)
def test_a_visitor_never_sees_where_the_servers_files_lie(text: str, seen: str) -> None:
    """A damaged model was “/srv/…/runs/x/best/weights.safetensors is damaged” to every visitor."""
    for error in (
        ValueError(text),
        UserError("broke_off", what=text),
        UserError("plain", what=text),
    ):
        assert worded(error).endswith(seen)
        assert len(worded(error)) == len(str(error)) - len(text) + len(seen)
    damaged = UserError("damaged", file=text)
    why = UserError("run_not_written", why=UserError("unreadable", path=text, why=damaged))
    for error in (damaged, UserError("no_state", folder=text), why):
        assert seen in worded(error)
        assert text == seen or text not in worded(error)


def test_every_finding_of_the_doctor_has_its_advice() -> None:
    with open(doctor.__file__, encoding="utf-8") as file:
        source = file.read()
    assert all(f'Finding("{code}"' in source or f'"{code}"' in source for code in ADVICE)
    assert source.count("Finding(") >= len(ADVICE)
