"""How the app is served, from the environment; docs/serving.md lists every setting."""

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, Self, get_args
from urllib.parse import urlsplit

from app.server.log import Form

PREFIX: Final = "ILLUMINATED_"
Serve = Literal["own", "class", "exhibit"]
Login = Literal["", "openid"]
SHORTEST_KEY: Final = 12  # characters


@dataclass(frozen=True)
class Settings:
    """The settings of whoever serves the app; raises ValueError for settings that make no sense.

    `serve`: one's own machine; a class, where each visitor has their own runs and models; or an
    exhibit, where nothing is written. `login`: how the visitors of a class log in, if they do;
    otherwise a cookie tells them apart. `teacher_key` lets the teacher of a class see and stop all
    runs. `secret` signs cookies; without it, a secret from a file in the folder of runs does.
    `embed_in` are the origins whose pages may show the app in a frame, and `embed_views` the pages
    that they may show, if not all. `metrics_key` gives access to the server's metrics; without it,
    nobody can read them. `log` is the form in which events are written.
    `train_with` is a command, such as torchrun, that starts a training in place of this machine's
    Python. `fetch` are patterns, such as Helsinki-NLP/*, of the models that visitors may fetch from
    a hub; if it is not set, they may fetch none in a class and all on one's own machine.
    """

    serve: Serve = "own"
    login: Login = ""
    teacher_key: str = ""
    secret: str = ""
    embed_in: tuple[str, ...] = ()
    embed_views: tuple[str, ...] = ()
    metrics_key: str = ""
    log: Form = "text"
    train_with: tuple[str, ...] = ()
    fetch: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.log not in get_args(Form):
            raise ValueError(f"{PREFIX}LOG: {self.log!r} is neither text nor json.")
        if self.serve not in get_args(Serve):
            names = ", ".join(get_args(Serve))
            raise ValueError(f"{PREFIX}SERVE: {self.serve!r} is none of {names}.")
        if self.login not in get_args(Login):
            raise ValueError(f"{PREFIX}LOGIN: {self.login!r} is not openid.")
        if self.login and self.serve != "class":
            raise ValueError(f"{PREFIX}LOGIN: only a class has a login.")
        for name in ("teacher_key", "secret"):
            if 0 < len(getattr(self, name)) < SHORTEST_KEY:
                raise ValueError(f"{PREFIX}{name.upper()}: use {SHORTEST_KEY} characters or more.")
        for origin in self.embed_in:
            parts = urlsplit(origin)
            plain = f"{parts.scheme}://{parts.netloc}"
            if parts.scheme not in ("http", "https") or origin != plain or set(origin) & {*" ;,*'"}:
                raise ValueError(
                    f"{PREFIX}EMBED_IN: {origin!r} is not an origin such as https://course.example."
                )

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Return the settings from the environment."""
        given: dict[str, Any] = {}
        for field in fields(cls):
            if (raw := environment.get(f"{PREFIX}{field.name.upper()}")) is not None:
                split = shlex.split if field.name == "train_with" else str.split
                given[field.name] = tuple(split(raw)) if field.default == () else raw
        return cls(**given)


@contextmanager
def or_one_sentence() -> Iterator[None]:
    """Raise SystemExit with one sentence, in place of a ValueError about the environment."""
    try:
        yield
    except ValueError as error:
        sys.exit(f"Error: {error}")


with or_one_sentence():
    SETTINGS: Final = Settings.of()
