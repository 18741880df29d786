"""A lesson: screens of any pages in any order, written as a file and as a link."""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Self

from app.registry import path_of

FORM: Final = "illuminated-lesson-1"
MOST_STOPS: Final = 100
LONGEST_TITLE: Final = 120
LONGEST_WORDS: Final = 600
LONGEST_NOTE: Final = 3000
LONGEST_SETTING: Final = 4001  # a sentence
MOST_SETTINGS: Final = 40
LARGEST: Final = 1_000_000  # bytes of a file
SLUG: Final = re.compile(r"[\w-]{0,60}")
NAME: Final = re.compile(r"[\w.-]{1,60}")
# Names that a lesson's own address uses, so that none of its screens may set them.
RESERVED: Final = frozenset({"part", "all", "lang", "lesson", "at", "mine"})


@dataclass(frozen=True)
class Stop:
    """A screen of a lesson, with the page's choices as the address writes them.

    `words` are shown above its picture; `note` is for the speaker only.
    """

    page: str
    screen: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        for name in ("page", "screen", "words", "note"):
            if not isinstance(getattr(self, name), str):
                raise ValueError(f"{name} is no text: {getattr(self, name)!r}")
        if path_of(self.page) is None:
            raise ValueError(f"There is no page {self.page!r}.")
        if not SLUG.fullmatch(self.screen):
            raise ValueError(f"{self.screen!r} is no screen.")
        _check_length("words", self.words, LONGEST_WORDS)
        _check_length("note", self.note, LONGEST_NOTE)
        if not isinstance(self.settings, Mapping) or len(self.settings) > MOST_SETTINGS:
            raise ValueError(f"These are no settings: {self.settings!r:.100}")
        for name, value in self.settings.items():
            if not NAME.fullmatch(name) or name in RESERVED or not isinstance(value, str):
                raise ValueError(f"This is no setting: {name!r:.100}")
            _check_length(name, value, LONGEST_SETTING)


@dataclass(frozen=True)
class Lesson:
    """Screens in their order, with a common title."""

    title: str = ""
    stops: tuple[Stop, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.title, str):
            raise ValueError(f"The title is no text: {self.title!r:.100}")
        _check_length("title", self.title, LONGEST_TITLE)
        if len(self.stops) > MOST_STOPS:
            raise ValueError(f"{len(self.stops)} screens are more than {MOST_STOPS}.")

    @classmethod
    def from_file(cls, data: bytes) -> Self:
        """Return the lesson that `to_file` wrote; raise ValueError for anything else."""
        if len(data) > LARGEST:
            raise ValueError(f"{len(data)} bytes are more than {LARGEST}.")
        return cls._read(_loaded(data))

    @classmethod
    def from_link(cls, code: str) -> Self:
        """Return the lesson that `to_link` wrote; raise ValueError for anything else."""
        return cls._read(unpacked(code))

    @classmethod
    def _read(cls, read: Any) -> Self:
        match read:
            case {"form": form, "title": title, "stops": list(stops)} if form == FORM:
                return cls(title, tuple(_stop(stop) for stop in stops))
        raise ValueError(f"The form is not {FORM}.")

    def to_file(self) -> bytes:
        """Write the lesson as JSON."""
        return json.dumps({"form": FORM, **asdict(self)}, ensure_ascii=False, indent=1).encode()

    def to_link(self) -> str:
        """Write the lesson in characters that are allowed in an address."""
        return packed({"form": FORM, **asdict(self)})


def packed(value: Any) -> str:
    """Write a JSON value in characters that are allowed in an address."""
    short = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(short.encode(errors="replace"), 9)).decode()


def unpacked(code: str) -> Any:
    """Return the value that `packed` wrote; raise ValueError for anything else."""
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.urlsafe_b64decode(code.encode()), LARGEST)
    except (binascii.Error, zlib.error) as error:
        raise ValueError("This code cannot be read.") from error
    return _loaded(data)


def _loaded(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"))
    except RecursionError as error:
        raise ValueError("It is nested too deeply.") from error


def _stop(read: Any) -> Stop:
    try:
        return Stop(**read)
    except TypeError as error:  # unknown or missing fields, or no object at all
        raise ValueError(f"This is no screen of a lesson: {read!r:.100}") from error


def _check_length(name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise ValueError(f"{name} has {len(text)} characters, more than {most}.")
