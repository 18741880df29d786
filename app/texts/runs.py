"""What is said of where a training stands; translated where it is shown."""

from collections.abc import Mapping
from typing import Final

from app.i18n import N_

STATES: Final[Mapping[str, str]] = {
    "queued": N_("waiting"),
    "running": N_("training"),
    "paused": N_("paused"),
    "stopped": N_("stopped"),
    "finished": N_("completed"),
    "early": N_("completed early, as nothing got better"),
    "loaded": N_("loaded from a file"),
    "failed": N_("failed"),
    "interrupted": N_("interrupted"),
}
STARTS: Final = N_("starting a process of its own")
BEGINS: Final = N_("reading the pairs and building the model")
