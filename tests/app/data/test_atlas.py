"""Which head of a model is worth looking at first, as its atlas has it."""

from pathlib import Path

import numpy as np
import pytest

from app.data.atlas import HeadPlace, aligns_best, atlas_of, first_head, row_of
from app.data.decoding import Decoding
from app.data.translation import Kind, translate


@pytest.mark.parametrize(
    ("model", "best"), [("es-en", HeadPlace(0, 0)), ("fr-en", HeadPlace(0, 1))]
)
def test_the_first_head_over_at_the_source_aligns_best(
    model: str, best: HeadPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last layer's first head stood there: most people took attention for random."""
    atlas = atlas_of(model)
    assert atlas is not None
    errors = [v.best_aer for gold in atlas.alignments for v in gold.variants if v.by == "weights"]
    found = [v for gold in atlas.alignments for v in gold.variants if v.best_aer == min(errors)]
    assert first_head(model, "cross") == found[0].best == best
    assert row_of(model, "cross", best) == found[0].row == "reads"
    assert aligns_best(model, best)
    assert not aligns_best(model, HeadPlace(2, 7))
    kinds: tuple[Kind, ...] = ("encoder", "decoder")
    for kind in kinds:
        place = first_head(model, kind)
        (one,) = [r for r in atlas.heads if (r.id.kind, r.id.layer, r.id.head) == (kind, *place)]
        most = max(r.measures["log_p_lost"].mean for r in atlas.heads if r.id.kind == kind)
        assert one.role is not None or np.isclose(one.measures["log_p_lost"].mean, most)
    monkeypatch.setattr("app.data.atlas.ALIGNS", 1.0)
    assert not aligns_best(model, best), "the least bad of heads that align nothing"


def test_its_rows_point_at_what_was_just_read() -> None:
    shown = translate("es-en", "Mi hermana vive en una casa vieja", Decoding("beam"))
    layer, head = first_head("es-en", "cross")
    looks = shown.capture.weights("cross", layer, head).argmax(-1)
    words = [token.text for token in shown.target.tokens]
    at = looks[words.index("sister")]
    assert shown.source.tokens[int(at)].text == "hermana"


def test_what_nobody_measured_begins_with_its_last_layer(models: Path) -> None:
    assert first_head("es-en", "cross") == HeadPlace(1, 0)
    assert row_of("es-en", "cross", HeadPlace(1, 0)) is None
    assert not aligns_best("es-en", HeadPlace(1, 0))
