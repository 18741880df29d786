"""Decoding: what is fast equals what is plain, and every search finds what it should."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

from model.decoding.batch import top
from model.decoding.beam import Beam, Hypothesis, Step, best, margin, path
from model.decoding.limits import limit, truncate
from model.decoding.sampling import sampler, sampling_probs
from model.decoding.search import (
    beam,
    greedy,
    greedy_ids,
    greedy_loop,
    sample,
    translate_ids,
    translate_lines,
)
from model.decoding.trace import captures
from model.nn.attention import MAPS
from model.nn.hooks import Recorder
from model.nn.transformer import Transformer
from model.nn.translator import Translator
from model.text.tokenizer import Tokenizer
from tests.model.samples import tiny_model, tiny_translator

BOS, EOS = 1, 2
SENTENCES = [[5, 9, 30, EOS], [7, EOS], [12, 13, 14, 15, 16, 17, 18, EOS], [33, 4, 4, EOS]]


def tiny(vocab_size: int = 40, seed: int = 0, **changes: Any) -> Transformer:
    """Make a small model whose next token depends on the source and on the past."""
    return tiny_model(seed, vocab_size=vocab_size, tie_generator=False, **changes)


MODELS: dict[str, Callable[[], Translator]] = {
    "post": partial(tiny, norm="post"),
    "pre": partial(tiny, norm="pre"),
    "rnn": partial(tiny_translator, "rnn", vocab_size=40, tie_generator=False, cell="tanh"),
    "rnnsearch": partial(tiny_translator, "rnnsearch", vocab_size=40, tie_generator=False),
}


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> Translator:
    return MODELS[request.param]()


@torch.inference_mode()
def forced_log_probs(model: Translator, src: Sequence[int], tokens: Sequence[int]) -> np.ndarray:
    """Score tokens without any cache: (T, V)."""
    logits = model(torch.tensor([src]), torch.tensor([[BOS, *tokens[:-1]]]))[0]
    return torch.log_softmax(logits, -1).numpy()


def streams(model: Translator, src: list[int], capture: bool = False) -> dict[str, list[Step]]:
    return {
        "greedy": list(greedy(model, src, capture=capture)),
        "beam": list(beam(model, src, width=4, capture=capture)),
        "sample": list(sample(model, src, sampler(seed=3), capture=capture)),
    }


@torch.inference_mode()
def test_greedy_decoding_goes_on_from_any_memory(model: Translator) -> None:
    """The page on positions had a greedy decoder of its own, for memories that it had changed.

    Of two decoders one may write what the other would not; there is one, which takes a memory.
    """
    for src in SENTENCES[:2]:
        memory = model.encode(torch.tensor([src, src]), None)
        memory[1] = 0
        own, other = greedy_ids(
            model, model.start_cache(memory, None), [limit(model.config, src)] * 2
        )
        assert own == translate_ids(model, [src], width=1)[0]
        tokens = [*other, EOS][: limit(model.config, src)]
        read = torch.tensor([[BOS, *tokens[:-1]]])
        mask = torch.ones(len(tokens), len(tokens), dtype=torch.bool).tril()
        logits = model.logits(model.decode(read, memory[1:], mask, None))[0]
        logits[:, [model.config.pad_id, BOS]] = -torch.inf
        assert logits.argmax(-1).tolist() == tokens


def test_cached_equals_uncached(model: Translator) -> None:
    for src in SENTENCES:
        for steps in streams(model, src).values():
            for hypothesis in [best(steps), *steps[-1].hypotheses]:
                expected = forced_log_probs(model, src, hypothesis.tokens)
                found = [one.log_probs for one in path(steps, hypothesis)]
                np.testing.assert_allclose(np.stack(found), expected, atol=1e-5)
                total = sum(expected[i, t] for i, t in enumerate(hypothesis.tokens))
                assert hypothesis.log_prob == pytest.approx(total, abs=1e-4)


def test_every_greedy_decoding_writes_the_likeliest_of_a_full_pass(model: Translator) -> None:
    for src in SENTENCES:
        last = best(list(greedy(model, src)))
        expected = forced_log_probs(model, src, last.tokens)
        expected[:, :2] = -np.inf
        assert list(last.tokens) == expected.argmax(-1).tolist()
        assert greedy_loop(model, src, 3) == list(last.tokens[:3])
        by_beam = best(list(beam(model, src, width=1)))
        assert by_beam.tokens == last.tokens
        assert by_beam.log_prob == pytest.approx(last.log_prob, abs=1e-4)


def test_a_batch_of_many_equals_batches_of_one(model: Translator) -> None:
    """Each is also what the stream writes that a page shows step by step."""
    for width in (1, 4):
        together = translate_ids(model, SENTENCES, width)
        assert together == [translate_ids(model, [src], width)[0] for src in SENTENCES]
        assert len(set(map(tuple, together))) > 1
        for src, written in zip(SENTENCES, together, strict=True):
            steps = list(greedy(model, src) if width == 1 else beam(model, src, width))
            assert [t for t in best(steps).tokens if t != EOS] == written
    # Wide beams may finish at different steps.
    alone = [translate_ids(model, [src], 12, max_len=5)[0] for src in SENTENCES]
    assert translate_ids(model, SENTENCES, 12, max_len=5) == alone


def every_translation(vocab_size: int, longest: int) -> Iterator[tuple[int, ...]]:
    for length in range(longest):
        for tokens in itertools.product(range(3, vocab_size), repeat=length):
            yield (*tokens, EOS)


@pytest.mark.parametrize(("seed", "penalty"), [(0, 0.0), (1, 0.6), (2, 2.0)])
def test_a_wide_beam_finds_the_best_of_all_translations(
    seed: int, penalty: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("model.decoding.beam.LENGTH_PENALTY", penalty)
    model = tiny(vocab_size=7, seed=seed)
    src = [3, 5, EOS]

    def score(tokens: tuple[int, ...]) -> float:
        log_probs = forced_log_probs(model, src, tokens)
        return sum(log_probs[i, t] for i, t in enumerate(tokens)) / len(tokens) ** penalty

    expected = max(every_translation(7, longest=4), key=score)
    found = best(list(beam(model, src, 400, max_len=4)))
    assert found.tokens == expected
    assert found.score == pytest.approx(score(expected), abs=1e-4)


def test_a_beam_never_ends_while_a_better_translation_is_possible() -> None:
    """It ended when as many as its width had finished, an empty one among them.

    “Quiero salir de aquí lo antes posible.” became “I want to leave here before possible.”, one
    step before “… as soon as possible.” was complete, which the beam had followed to its full stop.
    """
    src, early = [3, 5, EOS], 0
    for seed in range(8):
        model = tiny(vocab_size=12, seed=seed)
        with torch.no_grad():
            model.generator.weight.mul_(3)  # as sure of itself as a trained one
            model.generator.bias[EOS] += 2
        steps = list(beam(model, src, width=3))
        most = limit(model.config, src)
        live = [h for h in steps[-1].hypotheses if not h.finished]
        hopeless = all(h.log_prob / most <= best(steps).score for h in live)
        assert len(steps) == most or hopeless
        early += len(steps) < most
    assert early


def test_a_finished_hypothesis_is_kept_and_never_goes_on(model: Translator) -> None:
    for src in SENTENCES:
        steps = list(beam(model, src, width=4))
        assert [step.index for step in steps] == list(range(len(steps)))
        for before, step in itertools.pairwise(steps):
            for hypothesis in step.hypotheses:
                assert hypothesis.parent is not None
                parent = before.hypotheses[hypothesis.parent]
                assert not parent.finished
                assert hypothesis.tokens[:-1] == parent.tokens
                assert hypothesis.log_prob <= parent.log_prob
            scores = [h.score for h in step.hypotheses]
            assert scores == sorted(scores, reverse=True)


def test_top_equals_topk() -> None:
    for vocab_size, W, n in itertools.product((6, 64, 50), (1, 3), (2, 7)):
        log_probs, totals = torch.randn(4, W, vocab_size), torch.randn(4, W)
        sums, tokens, rows = top(log_probs, totals, n)
        flat = (log_probs + totals[..., None]).flatten(1)
        expected = flat.topk(min(n, flat.shape[1]))
        assert torch.equal(sums, expected.values)
        assert torch.equal(rows * vocab_size + tokens, expected.indices)


def assert_captures_equal_forced(
    model: Translator, src: list[int], steps: list[Step], hypothesis: Hypothesis
) -> None:
    recorder, found = Recorder(), captures(steps, hypothesis)
    with torch.inference_mode():
        model(torch.tensor([src]), torch.tensor([[BOS, *hypothesis.tokens[:-1]]]), recorder)
    forced = {k: v[0] for k, v in recorder.arrays.items() if k.startswith(("decoder.", "logits"))}
    forced.pop("decoder.0.begin", None)  # a state before the first step
    for i, name in itertools.product(range(len(hypothesis.tokens)), forced):
        expected, is_key = forced[name], name.endswith((".k", ".v"))
        if not is_key:
            expected = expected[..., i : i + 1, :]
        if ".self_attn." in name and is_key:
            expected = expected[:, : i + 1]
        if ".self_attn." in name and name.endswith(MAPS):
            expected = expected[..., : i + 1]
        one = found[f"step.{i}.{name}"]
        np.testing.assert_allclose(one, expected, atol=1e-5, err_msg=f"{i} {name}")


def test_captures_equal_those_of_a_full_pass_and_change_nothing(model: Translator) -> None:
    """Those of a beam follow its hypotheses where it was reordered, as one here is."""
    parents = set[int | None]()
    for src in SENTENCES[:2]:
        watched, alone = streams(model, src, capture=True), streams(model, src)
        for method, steps in watched.items():
            for hypothesis in {best(steps), steps[-1].hypotheses[-1]}:
                assert_captures_equal_forced(model, src, steps, hypothesis)
            parents |= {h.parent for step in steps for h in step.hypotheses}
            assert steps == alone[method]
            for one, other in zip(steps, alone[method], strict=True):
                first, second = one.hypotheses[0], other.hypotheses[0]
                assert np.array_equal(first.log_probs, second.log_probs)
                assert not second.captures
    assert {1, 2} & parents


def test_a_margin_is_the_closest_call() -> None:
    """The first candidate that is dropped counts, one that cannot be chosen does not."""
    one = Beam(limit=10, width=2)
    one.choose([(-1.0, 5, 0), (-2.0, 6, 0), (-2.25, 7, 0), (-math.inf, 8, 0)], EOS)
    assert one.margin == 0.25
    one.choose([(-2.0, EOS, 0), (-6.0, 5, 0), (-9.0, 7, 1), (-math.inf, 8, 0)], EOS)
    assert one.margin == pytest.approx(0.4)  # -2 / 2 against -6 / 10: nearly done
    finished = [Hypothesis((5, EOS), n, n / 2, finished=True) for n in (-2.0, -4.0, -2.5)]
    assert margin([Step(0, tuple(finished), 7.0)]) == 0.25
    assert margin([Step(0, tuple(finished[:1]), 7.0)]) == 7.0


def test_a_greedy_margin_is_the_lead_of_the_likeliest_token(model: Translator) -> None:
    for step in greedy(model, SENTENCES[0]):
        allowed = np.delete(step.hypotheses[0].log_probs, [0, BOS])
        second, first = np.sort(allowed)[-2:]
        assert step.margin == pytest.approx(first - second, abs=1e-5)


def test_sampling_respects_top_k_and_top_p() -> None:
    logits = torch.tensor([0.5, 0.3, 0.15, 0.05]).log()[[2, 0, 3, 1]]  # shuffled

    def probs(**settings: float) -> list[float]:
        return sampling_probs(logits, **settings).tolist()  # type: ignore[arg-type]

    assert probs() == pytest.approx([0.15, 0.5, 0.05, 0.3])
    assert probs(top_k=2) == pytest.approx([0, 0.625, 0, 0.375])
    assert probs(top_p=0.7) == pytest.approx([0, 0.625, 0, 0.375])
    assert probs(top_p=1e-6) == pytest.approx([0, 1, 0, 0])
    assert probs(top_k=3, top_p=0.8) == pytest.approx([0, 0.625, 0, 0.375])
    assert probs(temperature=0.01) == pytest.approx([0, 1, 0, 0], abs=1e-6)
    squared = np.array([0.15, 0.5, 0.05, 0.3]) ** 2
    assert probs(temperature=0.5) == pytest.approx(squared / squared.sum())


def test_sampling_settings_that_mean_nothing() -> None:
    for settings in ({"temperature": 0}, {"top_k": -1}, {"top_p": 0}):
        with pytest.raises(ValueError, match="Temperature"):
            list(sample(tiny(), [5, EOS], sampler(**settings)))


def test_samples_follow_their_seed() -> None:
    model = tiny()

    def draw(seed: int) -> tuple[int, ...]:
        return best(list(sample(model, SENTENCES[0], sampler(seed=seed)))).tokens

    torch.manual_seed(1)
    once = draw(5)
    torch.manual_seed(2)
    assert draw(5) == once
    assert len({draw(seed) for seed in range(8)}) > 1


def test_samples_are_drawn_from_the_top() -> None:
    model, src = tiny(), SENTENCES[0]
    drawn = best(list(sample(model, src, sampler(top_k=1, temperature=3.0))))
    assert drawn.tokens == best(list(greedy(model, src))).tokens
    for seed in range(4):
        for step in sample(model, src, sampler(top_k=3, seed=seed)):
            (made,) = step.hypotheses
            allowed = [i for i, _ in made.candidates(5) if i > 1][:3]
            assert made.tokens[-1] in allowed


def test_a_step_knows_the_whole_vocabulary() -> None:
    step = next(greedy(tiny(), SENTENCES[0]))
    (made,) = step.hypotheses
    assert made.probs.shape == (40,)
    assert made.probs.sum() == pytest.approx(1, abs=1e-5)
    candidates = made.candidates(3)
    assert [p for _, p in candidates] == sorted(made.probs.tolist())[:-4:-1]


def test_lengths_are_bounded() -> None:
    model = tiny()
    with torch.no_grad():
        model.generator.bias[EOS] = -1e9
    assert len(translate_ids(model, [[5, EOS]], 1)[0]) == 14
    assert [len(ids) for ids in translate_ids(model, SENTENCES, 3)] == [18, 14, 26, 18]
    assert len(list(beam(model, [5] * 63 + [EOS], width=2))) == 64
    assert len(list(greedy(model, [5, EOS], max_len=3))) == 3
    assert not best(list(beam(model, [5, EOS], width=2, max_len=3))).finished
    assert truncate([5, 6, EOS], 3) == ([5, 6, EOS], None)
    ids, notice = truncate([5, 6, 7, EOS], 3)
    assert (ids, "4 tokens" in (notice or "")) == ([5, 6, EOS], True)


def test_lines_keep_their_order_and_blanks_stay_blank() -> None:
    """One that is too long is cut, with a notice."""
    tokenizer = Tokenizer.train(["el gato come pescado", "la casa es azul"] * 5, 300)
    model, width = tiny(tokenizer.vocab_size), 3
    lines = ["el gato come", "", "la casa es azul y grande", "   ", "el", "\t", "gato azul"]
    found = list(translate_lines(model, tokenizer, iter(lines), width, batch_size=2))
    assert len(found) == len(lines)
    assert [text for text, line in zip(found, lines, strict=True) if not line.strip()] == [""] * 3
    for line, text in zip(lines, found, strict=True):
        if line.strip():
            alone = list(translate_lines(model, tokenizer, [line], width))
            assert [text] == alone
    assert list(translate_lines(model, tokenizer, [])) == []
    assert list(translate_lines(model, tokenizer, ["", " "])) == ["", ""]
    notices: list[str] = []
    long = ["el", "gato " * 100, "la"]
    assert len(list(translate_lines(model, tokenizer, long, 2, notices=notices))) == 3
    (notice,) = notices
    assert notice.startswith("Line 2: ")
    assert "64" in notice
