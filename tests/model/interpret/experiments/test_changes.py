"""The text of changes is read back as the same changes, and any other text is refused."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors import UserError
from model.interpret.experiments import changes as change_types
from model.interpret.experiments.change import LARGEST, Change
from model.interpret.experiments.changes import CLASSES, in_turn, parse, write
from tests.model.interpret.experiments.samples import EVERY, FINAL_NORMS, RECURRENT


def test_what_is_written_is_read_back() -> None:
    """Whatever the numbers, and whatever the other run's sentence is written with."""
    rng, made = np.random.default_rng(0), list[Change]()
    for other in ("é ~-_%/ü", "a&b=?#+\"'<>", "日本 🙂\u202e\0"):
        made.append(change_types.Patch("memory", LARGEST, other, 0))
        weights = (rng.dirichlet(np.ones(3)) * 0.99).astype(np.float32).tolist()
        made.append(
            change_types.EditRow("decoder", 0, 3, 99, tuple(zip((0, 7, 99), weights, strict=True)))
        )
        made.append(
            change_types.Temperature(float(np.float32(rng.uniform(0.02, 100))), "cross", None, (1,))
        )
    text = write(made)
    assert parse(text) == tuple(made)
    assert write(parse(text)) == text
    assert text.isascii()
    assert not set(text) & set(" &=?#+/\"'<>")


def test_the_texts_that_the_tests_run_are_as_they_are_written_and_are_of_every_class() -> None:
    texts = ("", *EVERY, *FINAL_NORMS, *RECURRENT)
    assert [write(parse(text)) for text in texts] == [*texts]
    assert {type(change) for text in texts for change in parse(text)} == set(CLASSES)
    assert len({one.word for one in CLASSES}) == len(CLASSES)


def test_a_weight_is_the_one_that_the_model_has() -> None:
    """Floats of the model have long decimals as Python writes them; the text is short and exact."""
    weight = np.float32(0.1) / np.float32(3)
    change = change_types.EditRow("cross", 0, 0, 1, ((0, float(weight)),))
    assert change.text == "edit-cross-0-0-1-0_0.033333335"
    assert np.float32(change.cells[0][1]) == weight
    assert change_types.MuteHeads("cross", 0, (3, 1, 3)).heads == (1, 3), "not put in order"
    tiny = change_types.EditRow("cross", 0, 0, 1, ((0, float(np.float32(1.5e-12))),))
    assert tiny.text == "edit-cross-0-0-1-0_1.5em12"
    assert parse(tiny.text) == (tiny,)


HOSTILE = [
    "mute", "mute-", "mute-all", "mute-cross-x", "mute-cross-1-2-3-4",
    "mute-cross-1-1__2", "mute-cross-01", "mute-cross-+1", "mute-cross-١", "mute-cross-1.0",
    "mute-cross-9999999", "MUTE-cross", "mute-cross-1 ", " mute-cross-1", "mute-cross~", "~",
    "~mute-cross", "explode-cross", "__class__", "look-itself-cross", "lookat-cross", "lookat-1",
    "edit-cross-0-0-0", "edit-cross-0-0-0-1", "edit-cross-0-0-0-1_2", "edit-cross-0-0-0-1_nan",
    "edit-cross-0-0-0-1_inf", "edit-cross-0-0-0-1_0.6_2_0.6", "edit-cross-0-0-0-1_0.5_1_0.5",
    "edit-decoder-0-0-0-1_0.5", "edit-cross-0-0-0-1_1e-3", "edit-cross-0-0-0-1_1em999",
    "hide-src", "hide-mars-1", "hide-src-1-decoder", "hide-tgt-1-cross", "swap-src-1",
    "swap-tgt-1-2_3", "leaveout", "order", "order-1_2", "order-0_0", "nopos-mars",
    "noadd-cross-0-1",
    "noadd-encoder-0-0", "noadd-encoder", "nonorm-encoder-1", "nonorm-encoder--1", "temp", "temp-0",
    "temp-0.001", "temp-1em9", "temp-101", "temp--1", "patch-memory-0", "patch-memory-0-%FF-0",
    "patch-me mory-0-x-0", "patch-../x/-0-x-0", "patch-memory-0--0", "\x00", "<script>", "é",
    "mute-cross~" * 64 + "mute-cross", "a" * 100_000, "patch-memory-0-" + "a" * 5000 + "-0",
]  # fmt: skip


def test_any_other_text_is_refused_with_one_error() -> None:
    for text in HOSTILE:
        with pytest.raises(UserError) as raised:
            parse(text)
        assert raised.value.code == "bad_change", text[:60]
        assert len(str(raised.value)) < 200


@settings(max_examples=80)
@given(st.text(max_size=60) | st.from_regex(r"(mute|edit|patch|temp|order)-[a-z0-9_.~%-]{0,40}"))
def test_whatever_comes_in_is_read_or_refused(text: str) -> None:
    with suppress(UserError):
        made = parse(text)
        assert parse(write(made)) == made


NONSENSE: list[tuple[Callable[[], Any], str, Any]] = [
    (lambda: change_types.MuteHeads("sideways"), "kind", "sideways"),  # type: ignore[arg-type]
    (lambda: change_types.MuteHeads("cross", -1), "layer", -1),
    (lambda: change_types.MuteHeads("cross", True), "layer", True),
    (lambda: change_types.MuteHeads("cross", 0, (0, -2)), "heads", -2),
    (lambda: change_types.LookLike("before", "cross"), "how", "before"),
    (lambda: change_types.EditRow("cross", 0, 0, 0, ((0, 1.5),)), "cells", 1.5),
    (lambda: change_types.EditRow("cross", 0, 0, 0, ((0, float("nan")),)), "cells", None),
    (lambda: change_types.EditRow("decoder", 0, 0, 1, ((2, 0.5),)), "cells", 2),
    (lambda: change_types.EditRow("cross", 0, 0, 0, ()), "cells", 0),
    (lambda: change_types.EditRow("cross", 0, 0, 0, (1, 2)), "cells", None),  # type: ignore[arg-type]
    (lambda: change_types.HideWords("src", ()), "positions", ()),
    (lambda: change_types.Reorder((0, 2)), "order", (0, 2)),
    (lambda: change_types.Temperature(float("inf")), "temperature", float("inf")),
    (lambda: change_types.WithoutResidual("encoder", 0, 0), "sublayer", 0),
    (lambda: change_types.WithoutNorm("encoder", 0), "sublayer", None),
]


def test_a_change_that_makes_no_sense_is_refused() -> None:
    for make, field, value in NONSENSE:
        with pytest.raises(UserError) as raised:
            make()
        assert raised.value.field == field
        assert raised.value.text
        assert value is None or raised.value.values["value"] == value


def test_of_two_changes_of_one_array_each_has_its_turn() -> None:
    """The last word is a patch's, and no mask that goes may open what another change hides."""
    made = parse(
        "patch-memory-0-x-0~hide-src-1~temp-2~nomask~edit-cross-0-0-0-1_1~look-uniform-cross"
    )
    words = [change.word for change in in_turn(made)]
    assert words == ["nomask", "look", "edit", "hide", "temp", "patch"]
