"""The door to what a model's atlas measured of its heads, and the head to look at first."""

from pathlib import Path
from typing import Final, NamedTuple

from app.data.cache import cached
from app.data.moments import film_of
from app.data.translation import Kind, load
from model.atlas.aligning import Row
from model.atlas.atlas import NAME, Atlas, HeadRecord
from model.checkpoint import OF_RUN
from model.config import ATTENTIONS

# Roles that show how a sentence is read; those that rest on a mark or an end do not.
WORTH: Final = ("before", "after", "same")
# The alignment error, in percent, under which a head is said to align words.
ALIGNS: Final = 50.0


class HeadPlace(NamedTuple):
    """A head by its layer, both from 0."""

    layer: int
    head: int


def atlas_of(model: str) -> Atlas | None:
    """Return the atlas that a model carries; None without one, or if it is of other weights."""
    folder = load(model).folder
    try:
        stats = [(folder / name).stat() for name in (NAME, "weights.safetensors")]
    except OSError:
        return None
    return _atlas(folder, tuple(stat.st_mtime_ns for stat in stats))


@cached()
def _atlas(folder: Path, stamps: tuple[int, ...]) -> Atlas | None:
    return Atlas.load_for(folder)


def first_head(model: str, kind: Kind) -> HeadPlace:
    """Return the head of a model that is worth looking at first.

    Over at the source it is the one that aligns words best: as the atlas found it, or the film of a
    run whose links are known. In self-attention it is the one with the clearest role, or else the
    one that costs most when it is muted. What nobody measured begins with the last layer.
    """
    atlas = atlas_of(model)
    if atlas is not None and kind == "cross" and atlas.aligner is not None:
        return HeadPlace(*atlas.aligner.best)
    if heads := [one for one in atlas.heads if one.id.kind == kind] if atlas else []:
        best = max(heads, key=_worth)
        return HeadPlace(best.id.layer, best.id.head)
    if kind == "cross" and model.startswith(OF_RUN):
        film = film_of(model.removeprefix(OF_RUN))
        if film is not None and film.attends:
            return HeadPlace(*film.best)
    return HeadPlace(load(model).config.n_layers(ATTENTIONS[kind].stack) - 1, 0)


def row_of(model: str, kind: Kind, place: HeadPlace) -> Row | None:
    """Return which of a row's two tokens a head of encoder-decoder attention looks for.

    None where the atlas found neither.
    """
    atlas = atlas_of(model)
    if atlas is None or kind != "cross":
        return None
    if atlas.aligner is not None and atlas.aligner.best == tuple(place):
        return atlas.aligner.row
    for one in atlas.heads:
        if (one.id.kind, one.id.layer, one.id.head) == (kind, *place) and one.role is not None:
            return next((row for row in ("writes", "reads") if row == one.role.role), None)
    return None


def aligns_best(model: str, place: HeadPlace) -> bool:
    """Tell whether of all heads this one aligns words best, and aligns more of them than not."""
    atlas = atlas_of(model)
    if atlas is None or atlas.aligner is None:
        return False
    return atlas.aligner.best == tuple(place) and atlas.aligner.best_aer < ALIGNS


def _worth(one: HeadRecord) -> tuple[float, float]:
    role = one.role
    share = role.share if role is not None and role.role in WORTH else 0.0
    return share, one.measures["log_p_lost"].mean
