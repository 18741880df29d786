"""What the model's side says to people is said in their language."""

import re
from pathlib import Path
from string import Formatter

import pytest

from app import i18n
from app.data.errors import worded
from app.views.training.doctor import ADVICE
from model.config import ModelConfig
from model.errors import MESSAGES, UserError
from model.runs import doctor

ONLY_IN_ENGLISH = {"plain"}
PATHS = {
    "/srv/app/runs/my run/best/weights.safetensors": "weights.safetensors",
    "/weights": "/weights",
    "C:\\Users\\me\\runs\\x": "x",
    "[Errno 2] No such file: '/home/me/.venv/lib/x.py'": "[Errno 2] No such file: 'x.py'",
    "/srv/runs/x cannot be read: /tmp/y is gone": "x cannot be read: y is gone",
    "and/or 1/2, ../x": "and/or 1/2, ../x",
}


def places(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", ["es", "fr"])
def test_every_code_has_its_text_in_every_language(language: str) -> None:
    with i18n.speaking(language):
        for code in MESSAGES.keys() - ONLY_IN_ENGLISH:
            text = i18n.gettext(MESSAGES[code])
            assert text != MESSAGES[code], code
            assert places(text) <= places(MESSAGES[code]), code
            values = dict.fromkeys(places(MESSAGES[code]), 7)
            assert worded(UserError(code, "steps", **values)) == text.format(**values)
        memory = worded(UserError("out_of_memory", "n_layers", needed=12.34, machine=8.0))
        assert "12,3" in memory
        assert "12.3" not in memory
        reason = worded(UserError("run_not_written", why=UserError("disk_full")))
        assert "disk" not in reason.replace("disque", "").replace("disco", "")
        assert "{" not in reason
        with pytest.raises(UserError) as raised:
            ModelConfig(300, d_model=30, n_heads=4)
        assert "30" in worded(raised.value) != raised.value.text


def test_what_has_no_code_stays_as_it_is() -> None:
    assert worded(ValueError("Nobody ever said this.")) == "Nobody ever said this."
    assert worded(UserError("plain", what="Nobody did.")) == "Nobody did."


@pytest.mark.parametrize(("text", "seen"), PATHS.items(), ids=PATHS)
def test_a_visitor_never_sees_where_the_servers_files_lie(text: str, seen: str) -> None:
    """A damaged model was “/srv/…/runs/x/best/weights.safetensors is damaged” to every visitor."""
    broken = UserError("broke_off", what=text)
    for error in (ValueError(text), broken, UserError("plain", what=text)):
        assert worded(error).endswith(seen)
        assert len(worded(error)) == len(str(error)) - len(text) + len(seen)
    damaged = UserError("damaged", file=text)
    why = UserError("run_not_written", why=UserError("unreadable", path=text, why=damaged))
    for error in (damaged, UserError("no_state", folder=text), why):
        assert seen in worded(error)
        assert text == seen or text not in worded(error)


def test_every_finding_of_the_doctor_has_its_advice() -> None:
    source = Path(doctor.__file__).read_text(encoding="utf-8")
    assert {*re.findall(r'Finding\("(\w+)"', source)} == ADVICE.keys()
