"""Steering a beam: forced beginnings, branches, and what becomes of a wanted translation."""

import numpy as np
import pytest

from model.checkpoint import Checkpoint, load
from model.decoding.beam import FREE, Prefix, Step, best
from model.decoding.search import beam, greedy
from model.decoding.wanted import follow, forced, widths_tried
from model.nn.transformer import Transformer
from tests.app.tiny import make_models
from tests.model.decoding.test_search import (
    BOS,
    EOS,
    SENTENCES,
    assert_captures_equal_forced,
    forced_log_probs,
    tiny,
)


@pytest.fixture(scope="module")
def model() -> Transformer:
    return tiny()


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    return load(make_models(tmp_path_factory.mktemp("models"), ("es-en",)) / "es-en")


def branches(model: Transformer, src: list[int]) -> list[tuple[int, ...]]:
    """Return beginnings that a beam gave up, and some that it never kept."""
    steps = list(beam(model, src, 3))
    given_up = [h.tokens for step in steps[:3] for h in step.hypotheses if not h.finished]
    return [*given_up[::3], (31,), (5, 7, 9), (8, EOS)]


def test_a_branch_replays_by_teacher_forcing_to_the_same_scores(model: Transformer) -> None:
    for src in SENTENCES[::2]:
        wanted = (31, 8, 5, EOS)
        written = forced(model, src, wanted)
        sums = forced_log_probs(model, src, wanted)[np.arange(4), wanted].cumsum()
        np.testing.assert_allclose([h.log_prob for h in written], sums, atol=1e-5)
        assert (written[-1].tokens, written[-1].finished) == (wanted, True)
        for tokens in branches(model, src):
            steps = list(beam(model, src, 3, prefix=Prefix(tokens)))
            for hypothesis in [best(steps), *steps[-1].hypotheses]:
                assert hypothesis.tokens[: len(tokens)] == tokens
                log_probs = forced_log_probs(model, src, hypothesis.tokens)
                every = np.arange(len(hypothesis.tokens))
                taken = log_probs[every, hypothesis.tokens].astype(float)
                assert hypothesis.log_prob == pytest.approx(taken.sum(), rel=1e-6, abs=1e-5)
                assert hypothesis.score == pytest.approx(taken.mean(), abs=1e-5)


def test_captures_follow_the_hypotheses_of_a_branch(model: Transformer) -> None:
    src = SENTENCES[0]
    steps = list(beam(model, src, 3, prefix=Prefix((8, EOS))))  # it may end at once
    assert (best(steps).tokens, best(steps).finished, len(steps)) == ((8, EOS), True, 2)
    for tokens in branches(model, src)[-3:]:
        steps = list(beam(model, src, 3, prefix=Prefix(tokens), capture=True))
        for hypothesis in (best(steps), steps[-1].hypotheses[-1]):
            assert_captures_equal_forced(model, src, steps, hypothesis)


def assert_identical(one: list[Step], other: list[Step]) -> None:
    assert one == other
    for step, twin in zip(one, other, strict=True):
        for hypothesis, same in zip(step.hypotheses, twin.hypotheses, strict=True):
            assert np.array_equal(hypothesis.log_probs, same.log_probs)


def test_no_prefix_changes_no_bit_nor_does_the_beams_own(model: Transformer) -> None:
    """What one hypothesis at a time has written is read again in the very same steps."""
    for src in SENTENCES[:2]:
        free = list(beam(model, src, 3))
        for prefix in (FREE, Prefix()):
            assert_identical(free, list(beam(model, src, 3, prefix=prefix)))
        own = list(beam(model, src, 1))
        written = [token for token in best(own).tokens if token != EOS]
        for n in {1, len(written)}:
            prefix = Prefix(tuple(written[:n]))
            assert_identical(own, list(beam(model, src, 1, prefix=prefix)))


@pytest.mark.parametrize(
    ("text", "width"), [("It's n", 1), ("never ", 4), ("zx", 4), ("  I am a s", 1), ("be,", 4)]
)
def test_a_translation_begins_with_the_very_letters_typed(
    loaded: Checkpoint, text: str, width: int
) -> None:
    src = [*loaded.tokenizer.encode("Nunca es tarde"), EOS]
    steps = list(beam(loaded.model, src, width, prefix=Prefix.typed(text, loaded.tokenizer)))
    for hypothesis in steps[-1].hypotheses:
        written = loaded.tokenizer.decode(hypothesis.tokens)
        assert written.startswith(text.lstrip())


def test_half_a_word_may_become_a_longer_piece_and_whole_ones_stay(loaded: Checkpoint) -> None:
    """“nev” would have been forced as its own pieces, out of which “never” can hardly come."""
    tokenizer = loaded.tokenizer
    (never,) = tokenizer.encode("never")
    assert never not in tokenizer.encode("nev")
    allowed = Prefix.typed("It's nev", tokenizer).allowed(tokenizer.encode("It's"))
    assert allowed is not None
    assert never in allowed
    assert tokenizer.encode("nev")[0] in allowed
    # Whole words are the tokenizer's own.
    prefix = Prefix.typed("It's never too ", tokenizer)
    assert list(prefix.tokens) == tokenizer.encode("It's never too")
    for i, token in enumerate(prefix.tokens):
        assert prefix.allowed(prefix.tokens[:i]) == [token]
    # A typed control token is text, and no text forces nothing.
    allowed = Prefix.typed("x<eos>", tokenizer).allowed(tokenizer.encode("x"))
    assert allowed is not None
    assert EOS not in allowed
    assert Prefix.typed("  ", tokenizer).allowed(()) is None


def wanted_ones(model: Transformer, src: list[int]) -> list[tuple[int, ...]]:
    """Return translations that a narrow beam did not find: those of wider ones, and of greed."""
    wide = list(beam(model, src, 12))
    finished = [h.tokens for step in wide for h in step.hypotheses if h.finished]
    return [*finished, best(wide).tokens, best(list(greedy(model, src))).tokens]


@pytest.mark.long
def test_the_width_found_keeps_it_and_no_narrower_beam_does() -> None:
    model, widths = tiny(), []
    for src in SENTENCES[:2]:
        for wanted in wanted_ones(model, src)[::2]:
            width, is_kept = list(widths_tried(model, src, wanted, 12))[-1]
            if not is_kept:
                continue
            widths.append(width)
            for w in {1, width - 1, width} - {0}:
                steps = beam(model, src, w)
                kept = wanted in [h.tokens for step in steps for h in step.hypotheses]
                assert kept == (w == width)
    assert max(widths) > 3
    tried = widths_tried(model, SENTENCES[0], (31, 8, 5, EOS), 2)
    assert not any(is_kept for _width, is_kept in tried)


def test_the_step_and_the_rank_are_where_the_beam_lost_it(model: Transformer) -> None:
    lost = 0
    for src in SENTENCES[::2]:
        own = best(list(beam(model, src, 2)))
        if own.finished:
            fate = follow(model, src, own.tokens, 2)
            assert (fate.lost, fate.kept, fate.won) == (None, True, True)
        for wanted in wanted_ones(model, src)[::2]:
            steps = list(beam(model, src, 2))
            fate = follow(model, src, wanted, 2)
            in_beam = [
                wanted[: i + 1] in [h.tokens for h in s.hypotheses] for i, s in enumerate(steps)
            ]
            for i, place in enumerate(fate.places):
                assert (place.rank <= 2) == in_beam[i]
                assert (place.log_prob >= place.last) == in_beam[i]
            if fate.lost is None:
                continue
            lost += 1
            assert in_beam.index(False) == fate.lost
            assert fate.places[-1].rank == rank_by_hand(model, src, steps, wanted, fate.lost)
    assert lost


def rank_by_hand(
    model: Transformer, src: list[int], steps: list[Step], wanted: tuple[int, ...], at: int
) -> int:
    """Score every way to go on from every hypothesis by teacher forcing, and sort them."""
    before = [h.tokens for h in steps[at - 1].hypotheses if not h.finished] if at else [()]
    ways = {}
    for tokens in before:
        log_probs = forced_log_probs(model, src, (*tokens, 0))  # (t + 1, V)
        so_far = log_probs[np.arange(len(tokens)), tokens].sum()
        for token in range(log_probs.shape[1]):
            ways[(*tokens, token)] = so_far + log_probs[-1, token]
    rivals = [
        tokens
        for tokens in sorted(ways, key=lambda tokens: -ways[tokens])
        if tokens[-1] not in (0, BOS) and (wanted[at] == EOS or tokens[-1] != EOS)
    ]
    return rivals.index(wanted[: at + 1]) + 1
