"""Changed runs equal a NumPy model with the change, decode as they are forced, and are checked."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

from model.checkpoint import load
from model.config import Arch, Norm
from model.decoding.beam import best
from model.decoding.search import beam
from model.decoding.trace import captures
from model.errors import UserError
from model.interpret.calculation.cell import Cell
from model.interpret.calculation.explain import explain
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parameters import parameters
from model.interpret.calculation.recompute import check, recompute
from model.interpret.calculation.target import log_softmax
from model.interpret.capture import Capture
from model.interpret.experiments.change import Change
from model.interpret.experiments.changed import (
    capture_changed,
    changed_model,
    difference,
    divergence,
)
from model.interpret.experiments.changes import EditRow, LeaveOut, Patch, Reorder, SwapWord, parse
from model.interpret.experiments.plan import ChangePlan, plan
from model.interpret.recording import capture
from model.nn.hooks import Recorder
from model.nn.translator import Translator
from model.text.byte_level import BOS, EOS
from tests.model.interpret.experiments.reference import Reference
from tests.model.interpret.experiments.samples import (
    EVERY,
    FINAL_NORMS,
    NORMS,
    OTHER,
    PAIRS,
    RECURRENT,
    WITHOUT_ATTENTION,
    captured,
    decode_changed,
    model_of,
)
from tests.model.samples import letters_tokenizer

TOKENIZER = letters_tokenizer()
# Each change, with one kind of norm and the other by turns.
TURNS = [(text, NORMS[i % 2]) for i, text in enumerate(EVERY)] + [(x, "pre") for x in FINAL_NORMS]


def changed(model: Translator, original: Capture, text: str) -> Capture:
    """The capture of a run with changes, patched from the one called `other`."""
    fitted = plan(model, original, parse(text), {"other": captured(model, OTHER)})
    return capture_changed(model, TOKENIZER, fitted)


@cache
def recomputed(norm: Norm, pair: tuple[str, str]) -> Reference:
    """The unchanged run of a pair in NumPy."""
    src, tgt = map(TOKENIZER.encode, pair)
    return Reference(model_of(norm), model_of(norm).config, [*src, EOS], [BOS, *tgt])


@pytest.mark.parametrize(("text", "norm"), TURNS)
def test_each_change_equals_numpy(text: str, norm: Norm) -> None:
    model, pair = model_of(norm), PAIRS[len(text) % 3]
    original, before = captured(model, pair), recomputed(norm, pair).arrays
    theirs = recomputed(norm, OTHER).arrays
    np.testing.assert_allclose(original.logits, before["logits"], atol=1e-5)
    ids = original.src_ids, original.tgt_ids
    expected = Reference(model, model.config, *ids, parse(text), before, theirs)
    after = changed(model, original, text)
    assert after.src_ids == expected.src
    assert np.abs(expected.logits - before["logits"]).max() > 1e-4, "the change does something"
    for name, array in after.arrays.items():
        np.testing.assert_allclose(array, expected.arrays[name], atol=1e-5, err_msg=name)


def test_another_order_and_patched_maps_equal_numpy() -> None:
    """Maps can be patched where their words are as many."""
    changes: list[Change] = [Reorder((1, 2, 3, 4, 0))]
    for name, at in (
        ("encoder.1.self_attn.weights", 0),
        ("decoder.0.self_attn.masked", 2),
        ("decoder.1.self_attn.scores", 2),
        ("decoder.1.self_attn.weights", 2),
        ("decoder.0.cross_attn.scaled", 1),
        ("decoder.0.cross_attn.weights", 1),
    ):
        changes.append(Patch(name, 2, "other", at))
    for i, change in enumerate(changes):
        norm = NORMS[i % 2]
        model, original = model_of(norm), captured(model_of(norm), PAIRS[0])
        ids, theirs = (original.src_ids, original.tgt_ids), recomputed(norm, OTHER).arrays
        expected = Reference(model, model.config, *ids, [change], other=theirs)
        fitted = plan(model, original, [change], {"other": captured(model, OTHER)})
        after = capture_changed(model, TOKENIZER, fitted)
        np.testing.assert_allclose(after.logits, expected.logits, atol=1e-5, err_msg=change.text)
        follows_its_capture(model, fitted)


def planned(text: str, norm: Norm) -> ChangePlan:
    model = model_of(norm)
    runs = {"other": captured(model, OTHER)}
    return plan(model, captured(model, PAIRS[0]), parse(text), runs)


def unchanging(original: Capture) -> list[list[Change]]:
    """Changes that put back what was there."""
    row = original.weights("cross", 1, 1)[2]
    own = original.weights("decoder", 0, 0)[1]
    ids = original.src_ids
    return [
        [],
        [*parse("temp-1")],
        [EditRow("cross", 1, 1, 2, ((0, float(row[0])), (2, float(row[2]))))],
        [EditRow("decoder", 0, 0, 1, tuple(enumerate(map(float, own[:2]))))],
        [SwapWord("src", (1,), (ids[1],)), SwapWord("tgt", (1,), (original.tgt_ids[1],))],
        [Reorder(tuple(range(len(ids))))],
        [Patch(name, 1, "self", 1) for name in original.arrays],
    ]


@pytest.mark.parametrize("norm", NORMS)
def test_what_changes_nothing_gives_the_same_bits(norm: Norm) -> None:
    model, original = model_of(norm), captured(model_of(norm), PAIRS[0])
    for changes in unchanging(original):
        after = capture_changed(
            model, TOKENIZER, plan(model, original, changes, {"self": original})
        )
        assert divergence(original, after) is None, changes
        for name, array in original.arrays.items():
            assert array.tobytes() == after.arrays[name].tobytes(), (changes, name)
            assert not difference(original, after, name).any()
    free = [one.tokens for step in beam(model, original.src_ids, 3) for one in step.hypotheses]
    # A patch of the sentence's own vectors says something else of other translations.
    for changes in unchanging(original)[:3]:
        steps = decode_changed(model, plan(model, original, changes), 3)
        assert [one.tokens for step in steps for one in step.hypotheses] == free


def follows_its_capture(model: Translator, fitted: ChangePlan, width: int = 3) -> None:
    """With keys and values kept or not, the same is written, and as likely as when it is read."""
    one, other = (best(decode_changed(model, fitted, width, 6, again=a)) for a in (False, True))
    assert one.tokens == other.tokens
    assert one.log_prob == pytest.approx(other.log_prob, abs=1e-4)
    if fitted.cached:
        ids = one.tokens[:-1] if one.finished else one.tokens
        forced = capture_changed(model, TOKENIZER, fitted, [BOS, *ids])
        own = log_softmax(forced.logits)[range(len(one.tokens)), list(one.tokens)]
        assert own.sum() == pytest.approx(one.log_prob, abs=1e-4)


@pytest.mark.parametrize(("text", "norm"), TURNS)
def test_every_step_of_decoding_sees_the_change(text: str, norm: Norm) -> None:
    follows_its_capture(model_of(norm), planned(text, norm))


@pytest.mark.parametrize(
    ("arch", "text"),
    [(arch, text) for arch, texts in (("rnnsearch", RECURRENT), ("rnn", WITHOUT_ATTENTION))
     for text in texts],
)  # fmt: skip
def test_changes_of_recurrent_networks(arch: Arch, text: str) -> None:
    model = model_of(arch)
    original, other = captured(model, ("a b", "d c b a")), captured(model, OTHER)
    fitted = plan(model, original, parse(text), {"other": other})
    after = capture_changed(model, TOKENIZER, fitted)
    assert np.abs(after.logits - original.logits).max() > 1e-5
    assert check(after, parameters(model)).passed
    follows_its_capture(model, fitted, 1 + 2 * (arch == "rnnsearch"))


def test_the_steps_of_a_beam_are_captured_with_the_change() -> None:
    model = model_of("post")
    original = captured(model, PAIRS[0])
    text = "edit-decoder-1-0-2-1_0.9~look-before-decoder-0~mute-cross-1-1"
    fitted = plan(model, original, parse(text))
    steps = decode_changed(model, fitted, 3, capture=True)
    hypothesis = best(steps)
    ids = hypothesis.tokens[:-1] if hypothesis.finished else hypothesis.tokens
    forced = capture_changed(model, TOKENIZER, fitted, [BOS, *ids])
    found = captures(steps, hypothesis)
    for i in range(len(hypothesis.tokens)):
        for name in ("cross_attn.weights", "cross_attn.context", "add_norm_3.norm"):
            row = forced.arrays[f"decoder.1.{name}"][..., i : i + 1, :]
            np.testing.assert_allclose(found[f"step.{i}.decoder.1.{name}"], row, atol=1e-5)
        for layer in range(2):
            name = f"decoder.{layer}.self_attn.weights"
            row = forced.arrays[name][:, i : i + 1, : i + 1]
            np.testing.assert_allclose(found[f"step.{i}.{name}"], row, atol=1e-5)
    assert found["step.2.decoder.1.self_attn.weights"][0, 0, 1] == pytest.approx(0.9)


@pytest.mark.parametrize(("text", "norm"), TURNS)
def test_a_changed_run_is_checked_and_says_what_was_changed(text: str, norm: Norm) -> None:
    model = model_of(norm)
    after, learned = changed(model, captured(model, PAIRS[2]), text), parameters(model)
    done = check(after, learned)
    assert done.passed, done.worst
    named = {change for stage in done.changed for change in stage.changes}
    inputs = ("swap-src", "leaveout", "order")
    assert named == {one.text for one in parse(text) if not one.text.startswith(inputs)}
    # Without saying so, the same numbers are found to be wrong.
    silent = replace(after, overrides={})
    assert check(silent, learned, [*after.overrides]).passed == (not named)
    numbers = Numbers(after, learned)
    for name, overrides in after.overrides.items():
        rule, _ = recompute(numbers, numbers.stages[name])
        own = after.arrays[name]
        moved = np.abs(np.subtract(rule, own, where=rule != own, out=np.zeros(own.shape))) > 1e-5
        assert moved.any()
        for index in [*np.argwhere(moved)[:1], *np.argwhere(~moved)[:1]]:
            calculation = explain(after, learned, Cell(name, tuple(map(int, index))))
            assert (calculation.difference or 0.0) <= 1e-5, calculation
            assert (calculation.rule is not None) == bool(calculation.changes)
            assert set(calculation.changes) <= {override.change for override in overrides}
            assert (r"\rightsquigarrow" in calculation.numbers) == bool(calculation.changes)
            assert calculation.changes or not moved[tuple(index)]


def test_the_real_numbers_of_a_changed_run_pass() -> None:
    loaded = load("es-en")
    model, tokenizer = loaded.model, loaded.tokenizer
    src, tgt = map(tokenizer.encode, ("La casa blanca.", "The white house."))
    original = capture(model, tokenizer, [*src, EOS], [BOS, *tgt])
    text = "mute-cross-1-3-mean~edit-cross-1-3-2-1_0.5~noadd-decoder-1-1~nonorm-encoder-0-1"
    after = capture_changed(model, tokenizer, plan(model, original, parse(text)))
    done = check(after, parameters(model), ["encoder.0", "decoder.1"])
    assert done.passed, done.worst
    assert len(done.changed) >= 4


def test_many_runs_at_once_on_one_model_keep_to_themselves() -> None:
    """Each visitor's changes are in the hook of the visitor's own call, and nowhere else."""
    model = model_of("pre")
    originals = [captured(model, pair) for pair in PAIRS]
    jobs = [(originals[i % 3], EVERY[i * 7 % len(EVERY)]) for i in range(12)]
    other = {"other": captured(model, OTHER)}

    def run(job: tuple[Capture, str]) -> tuple[bytes, tuple[int, ...]]:
        torch.set_num_threads(1)
        fitted = plan(model, job[0], parse(job[1]), other)
        after = capture_changed(model, TOKENIZER, fitted)
        short = best(decode_changed(model, fitted, 2, max_len=2)).tokens
        return after.logits.tobytes(), short

    alone = [run(job) for job in jobs]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(run, jobs * 5))
    assert together == alone * 5
    for original, pair in zip(originals, PAIRS, strict=True):
        assert divergence(original, captured.__wrapped__(model, pair)) is None


def test_what_comes_before_a_muted_head_stays_and_the_head_says_that_it_is_muted() -> None:
    model = model_of("pre")
    original, learned = captured(model, PAIRS[0]), parameters(model)
    after = changed(model, original, "mute-cross-1-1")
    name = "decoder.1.cross_attn.context"
    assert divergence(original, after) == Cell(name, (1, 0, 0))
    assert after.arrays["memory"] is original.arrays["memory"]
    assert not difference(original, after, "decoder.1.cross_attn.weights").any()
    assert difference(original, after, "logits").any()
    muted, free = (explain(after, learned, Cell(name, (h, 2, 3))) for h in (1, 0))
    assert muted.changes == ("mute-cross-1-1",)
    assert muted.recomputed == muted.captured == 0
    assert muted.rule == pytest.approx(sum(term.product for term in muted.terms))
    assert (free.changes, free.rule) == ((), None)


def test_differences_keep_to_the_words_of_the_unchanged_run() -> None:
    model, original = model_of("post"), captured(model_of("post"), PAIRS[2])
    fitted = plan(model, original, [LeaveOut((1,)), Reorder((0, 1, 3, 2, 4, 5, 6))])
    changed = capture_changed(model, TOKENIZER, fitted)

    def more(name: str) -> np.ndarray:
        return difference(original, changed, name, fitted.origin)

    assert fitted.origin == (0, 3, 2, 4, 5, 6)
    rows = more("encoder.0.ffn.out")
    assert rows.shape == original.arrays["encoder.0.ffn.out"].shape
    assert np.isnan(rows[1]).all()
    assert np.isfinite(np.delete(rows, 1, axis=0)).all()
    new, old = changed.arrays, original.arrays
    np.testing.assert_allclose(rows[3], new["encoder.0.ffn.out"][1] - old["encoder.0.ffn.out"][3])
    looks = more("decoder.1.cross_attn.weights")
    assert np.isnan(looks[..., 1]).all()
    step = new["decoder.1.cross_attn.weights"][..., 1] - old["decoder.1.cross_attn.weights"][..., 3]
    np.testing.assert_allclose(looks[..., 3], step, atol=1e-7)
    assert np.isnan(more("encoder.1.self_attn.weights")[:, 1]).all()
    assert not more("decoder.0.self_attn.masked").any()
    with pytest.raises(ValueError, match="shapes"):
        difference(original, changed, "memory")


# A layer or head that is not there is named without a field: the sentence says it.
REFUSED = {
    "mute-cross-2": "",
    "mute-encoder-0-2": "",
    "edit-cross-0-0-9-0_1": "position",
    "edit-cross-0-0-0-9_1": "position",
    "lookat-9-cross": "position",
    "hide-src-0_1_2_3_4": "positions",
    "hide-src-0_1_2~hide-src-3_4-cross": "positions",
    "swap-src-9-5": "positions",
    "swap-src-1-300": "ids",
    "swap-src-1-0": "ids",
    "swap-tgt-1-300": "ids",
    "swap-tgt-9-5": "position",
    "leaveout-0_1_2_3_4": "positions",
    "leaveout-1~lookat-1-cross": "position",
    "order-1_0": "order",
    "nomask-2": "",
    "noadd-encoder-0-3": "sublayer",
    "nonorm-encoder": "stack",
    "patch-nothing-0-other-0": "name",
    "patch-simple.mixture-0-other-0": "name",
    "patch-memory-0-nobody-0": "of",
    "patch-memory-0-other-9": "at",
    "patch-memory-9-other-0": "position",
    "patch-decoder.0.self_attn.weights-1-other-2": "of",
    "patch-encoder.0.self_attn.weights-1-short-0": "of",
}


def test_what_a_sentence_or_model_does_not_have_is_refused() -> None:
    model = model_of("post")
    runs = {"other": captured(model, OTHER), "short": captured(model, ("a", "b"))}
    for text, field in REFUSED.items():
        with pytest.raises(UserError) as raised:
            plan(model, captured(model, PAIRS[0]), parse(text), runs)
        assert (raised.value.field, bool(raised.value.text)) == (field, True), text


@pytest.mark.parametrize("arch", ["rnn", "rnnsearch"])
def test_what_a_recurrent_network_has_no_use_for_is_refused(arch: Arch) -> None:
    model = model_of(arch)
    original = captured(model, PAIRS[0])
    texts = ["nopos", "nomask", "noscale", "noadd-encoder-0-1", "noffn-decoder", "nonorm-decoder"]
    texts += ["mute-encoder", "look-itself-decoder", "hide-tgt-1"]
    texts += ["hide-src-1", "temp-2"] if arch == "rnn" else []
    for text in texts:
        with pytest.raises(UserError) as raised:
            plan(model, original, parse(text))
        assert raised.value.code == "not_for_arch", text
    for name in ("encoder.0.forward.hidden", "encoder.0.forward.update", "decoder.0.reset"):
        with pytest.raises(UserError, match="none that can be changed"):
            plan(model, original, [Patch(name, 1, "self", 1)], {"self": original})


@pytest.mark.parametrize(("text", "norm"), TURNS)
def test_each_pass_is_the_changed_run(text: str, norm: Norm) -> None:
    fitted = planned(text, norm)
    model, recorder = changed_model(model_of(norm), fitted), Recorder()
    src, tgt = torch.tensor([fitted.src_ids]), torch.tensor([fitted.original.tgt_ids])
    expected = capture_changed(model_of(norm), TOKENIZER, fitted)
    with torch.inference_mode():
        logits = model(src, tgt, recorder)
        again = model(src, tgt)
        own = model_of(norm)(torch.tensor([fitted.original.src_ids]), tgt)
    assert torch.equal(logits, again), "nothing of a run is left for the next one"
    assert torch.equal(own[0], torch.tensor(fitted.original.logits)), "the model was changed"
    assert recorder.arrays.keys() >= {"memory", "logits"}
    for name, array in recorder.arrays.items():
        same = torch.tensor(array[0]), torch.tensor(expected.arrays[name])
        torch.testing.assert_close(*same, atol=1e-5, rtol=0, msg=name)
