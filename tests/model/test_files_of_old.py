"""Files that earlier versions wrote open for ever: models in format 1, captures without a format.

tests/model/files was written at commit dfa7413; nothing in it may be written again.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model import checkpoint
from model.decoding.search import translate_ids
from model.errors import UserError
from model.interpret.capture import FORMAT, Capture
from model.interpret.recording import capture
from model.interpret.trace import READ, Trace
from model.text.byte_level import BOS

FILES = Path(__file__).parent / "files"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FILES / "expected.json").read_text())


@pytest.mark.parametrize("name", EXPECTED)
def test_a_model_of_format_1_translates_and_looks_as_it_did(name: str) -> None:
    loaded, then = checkpoint.load(FILES / name), EXPECTED[name]
    written = translate_ids(loaded.model, [then["src"]], 1)[0][: len(then["ids"])]
    assert written == then["ids"]
    now = capture(loaded.model, loaded.tokenizer, then["src"], [BOS, *written])
    np.testing.assert_allclose(now.logits[-1][:8], then["logits"], atol=1e-3)
    old = Capture.load(FILES / f"{name}.safetensors")  # it says no format
    now = capture(loaded.model, loaded.tokenizer, old.src_ids, old.tgt_ids)
    assert old.arrays.keys() <= now.arrays.keys()
    for array in old.arrays:
        np.testing.assert_allclose(now.arrays[array], old.arrays[array], atol=1e-5, err_msg=array)
    trace = Trace.load(FILES / f"{name}.safetensors")
    assert np.array_equal(trace.weights("cross"), old.all_weights("cross"))


def test_a_file_of_a_later_version_is_refused_by_its_version(tmp_path: Path) -> None:
    assert FORMAT in READ
    data = Capture.load(FILES / "transformer.safetensors").to_bytes()
    path = tmp_path / "later.safetensors"
    path.write_bytes(data.replace(b'"format":"1"', b'"format":"9"'))
    for read in (Capture.load, Trace.load):
        with pytest.raises(UserError, match="format 9"):
            read(path)
