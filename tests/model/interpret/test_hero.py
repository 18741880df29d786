"""The word that is followed: a whole one, which the heads show clearly."""

import numpy as np
import pytest

from model.config import ModelConfig
from model.interpret.capture import Capture, frozen
from model.interpret.hero import hero_of, heroes, is_whole
from model.text.byte_level import Token

CONFIG = ModelConfig(
    1000, d_model=8, n_heads=2, d_ff=8, n_encoder_layers=1, n_decoder_layers=2, max_len=16
)


def token(text: str, ident: int, *, starts: bool = True, special: bool = False) -> Token:
    return Token(ident, text, starts, special)


SRC = (
    token("the", 90),
    token("old", 700),
    token("mil", 800),
    token("ls", 900, starts=False),
    token(".", 20, starts=False),
    token("<eos>", 2, special=True),
)
TGT = (
    token("<bos>", 1, special=True),
    token("los", 91),
    token("viejos", 701),
    token("molinos", 801),
)
OLD, WRITES_OLD, CLEAR = 1, 1, (1, 1)


def drawn() -> Capture:
    """A capture in which one head shows that “old” looks at “mil”, and one that it is written."""
    s, t = len(SRC), len(TGT)
    weights = np.full((2, s, s), 1 / s)
    weights[1, OLD] = [0.1, 0.1, 0.5, 0.1, 0.1, 0.1]
    over = np.full((2, 2, t, s), 1 / s)
    over[1, 1, WRITES_OLD] = [0.02, 0.9, 0.02, 0.02, 0.02, 0.02]
    arrays = {"encoder.0.self_attn.weights": weights}
    arrays |= {f"decoder.{i}.cross_attn.weights": over[i] for i in range(2)}
    return frozen(CONFIG, SRC, TGT, {name: one.astype(np.float32) for name, one in arrays.items()})


@pytest.mark.parametrize("writers", [[], [CLEAR]])
def test_the_hero_is_a_whole_rare_word_that_both_heads_show(writers: list[tuple[int, int]]) -> None:
    found = heroes(drawn(), writers)
    hero = hero_of(drawn(), found)
    assert len(found) == len(SRC)
    assert (hero.source, hero.head, hero.key) == (OLD, 1, 2)
    assert (hero.row, hero.cross) == (WRITES_OLD, CLEAR)
    assert hero.holds == (True, True)
    assert (hero.looks, hero.writes) == pytest.approx((0.5, 0.9))


def test_a_piece_a_mark_and_a_sign_of_the_model_are_no_whole_words() -> None:
    assert [is_whole(SRC, i) for i in range(len(SRC))] == [True, True, False, False, False, False]


def test_where_no_word_is_whole_there_is_a_hero_all_the_same() -> None:
    whole = drawn()
    pieces = tuple(token(one.text, one.id, starts=False, special=one.special) for one in SRC)
    cut = Capture(CONFIG, pieces, TGT, whole.arrays)
    assert not pieces[hero_of(cut, heroes(cut)).source].special
