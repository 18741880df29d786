"""Without positions the order of the words is lost, and with them it is not."""

import numpy as np

from model.decoding.search import translate_ids
from model.interpret.experiments.order import reorder
from model.text.tokenizer import EOS
from tests.model.samples import letters_tokenizer, tiny_model


def test_only_positions_tell_two_orders_apart() -> None:
    model, tokenizer = tiny_model(), letters_tokenizer()
    ids, order = [*tokenizer.encode("a b c d"), EOS], (3, 0, 4, 2, 1)
    found = reorder(model, tokenizer, ids, order)
    assert found.ids == (tuple(ids), tuple(ids[i] for i in order))
    assert found.moved(False).max() < 1e-5
    assert found.moved(True).max() > 1e-2
    assert found.outputs[False][0] == found.outputs[False][1]
    for text, src in zip(found.outputs[True], found.ids, strict=True):
        assert text == tokenizer.decode(translate_ids(model, [list(src)], width=1)[0])


def test_a_word_that_is_only_repeated_reads_the_same() -> None:
    tokenizer = letters_tokenizer()
    found = reorder(tiny_model(), tokenizer, tokenizer.encode("a a"), (1, 0))
    assert found.same_text
    np.testing.assert_array_equal(*found.memory[True])
