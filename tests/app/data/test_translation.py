"""What the page is given is what the model computed, for this visitor's sentence alone."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from app.charts.arrange import word_groups
from app.data import translation as services
from app.data.cache import CACHE
from app.data.changed import translation_of
from app.data.translation import (
    Decoding,
    ModelUnavailableError,
    NothingToTranslateError,
    repeats,
    sentences_of,
    translate,
    word_starts,
)
from app.notebook import load
from model import checkpoint
from model.cli.main import app
from model.interpret.capture import Capture
from model.interpret.recording import capture
from model.text.byte_level import Token

WAYS = (
    Decoding("greedy"),
    Decoding("beam", beam=3),
    Decoding("sample", temperature=0.8, top_k=20, top_p=0.9, seed=7),
)
SENTENCES = [f"{word} es tarde para {other}" for word in "ab" for other in "uvw"]


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


@pytest.mark.parametrize("decoding", WAYS)
def test_capture_and_steps_are_of_the_translation(models: Path, decoding: Decoding) -> None:
    found = translate("es-en", "donde hay humo", decoding)
    loaded = checkpoint.load(models / "es-en")
    src, tgt = ([t.id for t in side.tokens] for side in (found.source, found.target))
    fresh = capture(loaded.model, loaded.tokenizer, src, tgt)
    np.testing.assert_allclose(found.capture.logits, fresh.logits, atol=1e-5)
    assert found.output == loaded.tokenizer.decode(tgt)
    assert (tgt[0], src[-1]) == (1, 2)
    probabilities = softmax(found.capture.logits)  # (T, V)
    taken = [step.candidates[step.chosen].token.id for step in found.steps]
    assert taken[: len(tgt) - 1] == tgt[1:]
    for row, step in zip(probabilities[: len(found.steps)], found.steps, strict=True):
        for candidate in step.candidates:
            assert candidate.probability == pytest.approx(row[candidate.token.id], abs=1e-4)
        best = step.candidates[0].probability
        assert best == pytest.approx(row.max(), abs=1e-4)
    for kind in ("encoder", "decoder", "cross"):
        np.testing.assert_allclose(found.capture.weights(kind, 0).sum(-1), 1, atol=1e-5)
    with pytest.raises(ValueError, match="read-only"):
        found.capture.weights("cross", 0)[:] = 0


def test_what_was_drawn_with_is_given_for_sampling_alone(models: Path) -> None:
    greedy, _beam, sample = (translate("es-en", "hay fuego", way) for way in WAYS)
    assert all(c.drawn_with is None for step in greedy.steps for c in step.candidates)
    for step in sample.steps:
        assert (step.candidates[step.chosen].drawn_with or 0) > 0


def test_the_beams_tree(models: Path) -> None:
    found = translate("es-en", "qué será", WAYS[1])
    nodes = {node.id: node for node in found.tree}
    assert found.tree[0].parent is None
    best = [node for node in found.tree if node.best]
    assert len(best) == len(found.steps) + 1
    total = sum(node.log_prob for node in best)
    assert total == pytest.approx(found.hypotheses[0].log_prob, abs=1e-4)
    for node in found.tree[1:]:
        assert node.parent is not None
        assert node.parent in nodes
        assert node.log_prob <= 1e-6
    scores = [h.score for h in found.hypotheses if h.finished]
    assert scores == sorted(scores, reverse=True)


def test_words_are_the_tokens_joined(models: Path) -> None:
    found = translate("es-en", "über être fuego", WAYS[0])
    assert found.source.words == ("über", "être", "fuego", "<eos>")


def test_visitors_at_the_same_time_get_their_own_numbers(models: Path) -> None:
    CACHE.clear()
    alone = {text: translate("es-en", text, WAYS[1]) for text in SENTENCES}
    CACHE.clear()
    with ThreadPoolExecutor(8) as visitors:
        together = list(visitors.map(lambda text: translate("es-en", text, WAYS[1]), SENTENCES))
    for text, found in zip(SENTENCES, together, strict=True):
        assert found.text == text
        assert found.output == alone[text].output
        for name, array in alone[text].capture.arrays.items():
            np.testing.assert_array_equal(found.capture.arrays[name], array)


def test_nothing_to_translate_and_no_model_to_do_so(models: Path) -> None:
    for text in ("", " \t\n", "\u200b", "\x00"):
        with pytest.raises(NothingToTranslateError):
            translate("es-en", text, WAYS[0])
    for name in ("nothing", "../es-en", "/etc", ""):
        with pytest.raises(ModelUnavailableError):
            translate(name, "hola", WAYS[0])


@pytest.mark.parametrize(
    "text", ["EL PERRO DUERME", "Te quiero ❤️", "“Hola”…", "ca\u0301sa\u00a0roja", "Hola. Adiós."]
)
def test_page_notebook_and_command_read_the_same(models: Path, tmp_path: Path, text: str) -> None:
    """A soft hyphen changed the translation on the command line, and on the page it did not."""
    page = translate("es-en", sentences_of(text)[0], WAYS[0]).capture
    notebook = load("es-en").translate(text).translation.capture
    out = tmp_path / "capture.safetensors"
    CliRunner().invoke(app, ["capture", "--model", str(models / "es-en"), "--out", str(out), text])
    command = Capture.load(out)
    assert page.src_ids == notebook.src_ids == command.src_ids


def test_readable() -> None:
    assert services.readable(" ho\u200bla\x07 \n  a\u0301\u202e ") == "hola á"
    assert len(services.readable("a" * 100_000)) == services.MAX_CHARACTERS


def test_a_model_written_anew_is_read_anew(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path)
    first = checkpoint.load(models / "es-en")
    checkpoint.save(tmp_path / "one", first.model, first.tokenizer, {"validation": {"bleu": 1.0}})
    assert services.model_info("one").bleu == 1.0
    checkpoint.save(tmp_path / "one", first.model, first.tokenizer, {"test": {"bleu": 2.0}})
    assert services.model_info("one").bleu == 2.0


def test_a_full_stop_is_no_part_of_the_last_word() -> None:
    """ "Whole words" once made one word of "learn" and the full stop after it."""
    for pieces, words in (
        ("_Nunca _es _tar de .", "Nunca|es|tarde|."),
        ("_¿ Cómo _est ás ?", "¿|Cómo|estás|?"),
        ("_l ' eau -là", "l'eau-là"),
        ("_3 . 5 _€ .", "3.5|€|."),
    ):
        tokens = [
            Token(i, piece.removeprefix("_"), piece.startswith("_"), special=False)
            for i, piece in enumerate(pieces.split())
        ]
        groups = word_groups(word_starts(tokens))
        assert "|".join("".join(tokens[i].text for i in group) for group in groups) == words


def test_who_repeats_himself_has_lost_his_place() -> None:
    """A sentence of 40 words once ended in a loop, and nothing was said about it."""
    for text, lost in (
        ("a b c d e f", False), ("ha ha ha ha", False), ("ha ha ha ha ha", True),
        ("it is , it is , it is", False), ("it is , it is , it is ,", True),
        ("x of the man of the man of the man", True),
    ):  # fmt: skip
        words = text.split()
        assert repeats([words.index(word) for word in words]) is lost, text


def test_a_run_of_a_model_that_was_replaced_is_not_made_of_other_weights(models: Path) -> None:
    """An open page keeps its run: the new weights were put beside captures of the old ones."""
    run = translate("es-en", "nunca es tarde", WAYS[0]).run
    config = models / "es-en" / "config.json"
    os.utime(config, (0, config.stat().st_mtime + 10))
    CACHE.clear()
    with pytest.raises(ModelUnavailableError):
        _ = run.loaded
    assert translation_of(run).run.stamp != run.stamp
