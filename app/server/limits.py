"""How much of a server one visitor may use: each limit with its default, set by the environment.

`ILLUMINATED_LIMIT_STEPS=5000` sets `steps`; docs/serving.md lists all limits in a table. Limits
that make no sense on one's own machine apply only in a class. Limits of formats (how long a lesson
may be, how many arrays a trace may have) are defined with their formats.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, Self

from app.server.settings import PREFIX, or_one_sentence


@dataclass(frozen=True)
class Limits:
    """The limits that the server enforces on every request; raises ValueError for one below 1."""

    # Everywhere.
    characters: int = 4000  # of a sentence
    tokens: int = 128  # of a sentence, as its model cuts it
    upload_megabytes: int = 400  # of files on one visitor's pages
    all_upload_megabytes: int = 500  # of files of all visitors together
    at_once: int = 2  # pages drawn at a time; the others queue
    waiting: int = 10  # moves of one visitor in the queue
    address_waiting: int = 40  # and of one address, which a class often shares
    all_waiting: int = 100  # and of all visitors
    address_requests: int = 1500  # moves a minute from one address
    address_pages: int = 100  # open at once from one address
    all_pages: int = 300  # open at once
    # In a class, for one visitor.
    requests: int = 300  # moves a minute; ten of a page's own timers count as one
    pages: int = 20  # open at once
    runs: int = 4  # queued together, to train one after the other
    steps: int = 20_000  # of a training
    minutes: int = 60  # of a training, as estimated before it starts
    parameters: int = 10_000_000  # of a model that is trained
    megabytes: int = 500  # of runs and models on the disk
    days: int = 60  # since the last visit, after which runs and models are deleted
    # In a class, for all visitors together.
    visitors: int = 1000  # with runs or models of their own
    address_visitors: int = 250  # of them, who came from one address
    address_megabytes: int = 10_000  # of their runs and models
    all_megabytes: int = 50_000  # of the runs and models of all

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) < 1:
                raise ValueError(f"{variable(field.name)}: at least 1.")

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Return the limits that the environment sets; raise ValueError for a non-number."""
        given = {}
        for field in fields(cls):
            if raw := environment.get(variable(field.name)):
                if not raw.isdecimal():
                    raise ValueError(f"{variable(field.name)}: {raw!r} is no whole number.")
                given[field.name] = int(raw)
        return cls(**given)


def variable(name: str) -> str:
    """Return the name of a limit's environment variable."""
    return f"{PREFIX}LIMIT_{name.upper()}"


with or_one_sentence():
    LIMITS: Final = Limits.of()
