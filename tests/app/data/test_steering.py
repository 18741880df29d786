"""What is shown of a steered beam is what a real search from there finds."""

from pathlib import Path

import numpy as np
import pytest
import torch

from app.data.changed import changed, fitted, of
from app.data.decoding import Decoding, TreeNode
from app.data.steering import (
    GHOSTS,
    WIDEST,
    begun,
    branch,
    hypothesis_capture,
    is_open,
    tree,
    wanted,
    wanted_ids,
    width_of,
)
from app.data.translation import Translation, load, translate
from model import checkpoint
from model.decoding.prefix import Prefix
from model.decoding.search import beam
from model.decoding.trace import captures
from model.interpret.calculation.target import log_softmax
from model.text.tokenizer import EOS

TEXT = "Qué será, será"


@pytest.fixture
def way(models: Path) -> Translation:
    return translate("es-en", TEXT, Decoding("beam", 3))


@pytest.fixture
def brief(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a model that ends its translations, as tiny ones hardly do."""
    loaded = checkpoint.load(models / "es-en")
    with torch.no_grad():
        loaded.model.generator.bias[EOS] += 10
    checkpoint.save(tmp_path / "brief", loaded.model, loaded.tokenizer, {})
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path)
    return "brief"


def pruned(way: Translation) -> TreeNode:
    return next(node for node in way.tree if node.status == "pruned")


def test_a_branch_is_a_search_from_that_very_word(way: Translation) -> None:
    node = pruned(way)
    for one in branch(way, node.tokens).hypotheses:
        assert one.tokens[: len(node.tokens)] == node.tokens
        logits = hypothesis_capture(way, one.tokens).logits.astype(float)
        log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        taken = [log_probs[i, token] for i, token in enumerate(one.tokens)]
        assert one.log_prob == pytest.approx(sum(taken), abs=1e-4)
        assert one.score == pytest.approx(np.mean(taken), abs=1e-5)


def test_the_attention_shown_is_the_one_of_the_search_itself(way: Translation) -> None:
    """The page reads a hypothesis in one pass; the search wrote it step by step."""
    tokens, loaded = pruned(way).tokens, load("es-en")
    src = way.capture.src_ids
    steps = list(beam(loaded.model, src, 3, max_len=24, capture=True, prefix=Prefix(tokens)))
    for hypothesis in steps[-1].hypotheses:
        streamed = captures(steps, hypothesis)
        shown = hypothesis_capture(way, hypothesis.tokens)
        written = [token for token in hypothesis.tokens if token != EOS]
        for i in range(len(written)):
            for layer in range(loaded.config.n_decoder_layers):
                cross = streamed[f"step.{i}.decoder.{layer}.cross_attn.weights"][:, 0]
                np.testing.assert_allclose(cross, shown.weights("cross", layer)[:, i], atol=1e-5)
                own = streamed[f"step.{i}.decoder.{layer}.self_attn.weights"][:, 0]
                expected = shown.weights("decoder", layer)[:, i, : i + 1]
                np.testing.assert_allclose(own, expected, atol=1e-5)


def test_the_tree_keeps_its_own_and_grows_by_its_branches(way: Translation) -> None:
    first = pruned(way)
    inner = next(n for n in branch(way, first.tokens).tree if n.status == "pruned")
    grown = tree(way, {"A": first.tokens, "B": inner.tokens}, ())
    assert [node.tokens for node in grown[: len(way.tree)]] == [node.tokens for node in way.tree]
    assert [node.id for node in grown] == list(range(len(grown)))
    assert len({node.tokens for node in grown}) == len(grown)
    for node in grown[1:]:
        assert node.parent is not None
        assert grown[node.parent].tokens == node.tokens[:-1]
        assert node.parent < node.id
    began = {node.tokens: node.branch for node in grown}
    assert (began[first.tokens], began[inner.tokens]) == ("A", "B")
    for name, tokens in (("A", first.tokens), ("B", inner.tokens)):
        winner = branch(way, tokens).hypotheses[0].tokens
        assert began[winner] == name or winner[: len(inner.tokens)] == inner.tokens


def test_what_was_never_kept_is_offered_the_likeliest_first(way: Translation) -> None:
    taken = {node.tokens[0] for node in way.tree if len(node.tokens) == 1}
    offered = [node for node in tree(way, {}, ()) if node.status == "candidate"]
    probabilities = np.exp(way.capture.logits[0] - way.capture.logits[0].max())
    expected = [i for i in np.argsort(-probabilities).tolist() if i > 1 and i not in taken]
    assert [node.tokens[-1] for node in offered] == expected[:GHOSTS]
    assert [node.log_prob for node in offered] == sorted(
        (node.log_prob for node in offered), reverse=True
    )


def test_a_candidate_becomes_a_branch_with_the_score_it_had(way: Translation) -> None:
    ghost = next(node for node in tree(way, {}, ()) if node.status == "candidate")
    grown = tree(way, {"A": ghost.tokens}, ())
    (node,) = (node for node in grown if node.tokens == ghost.tokens)
    assert node.branch == "A"
    assert node.score == pytest.approx(ghost.score, abs=1e-5)


@pytest.mark.parametrize("text", ["It", "It's n", "Whatever will ", "zz"])
def test_a_typed_beginning_begins_what_is_written(way: Translation, text: str) -> None:
    found = begun(way, text)
    assert found is not None
    assert "".join(found.letters) == text.rpartition(" ")[2]
    for one in found.decoded.hypotheses:
        assert one.text.startswith(text)


@pytest.mark.parametrize("text", ["", "  ", "\u200b", "word " * 80])
def test_nothing_and_too_much_are_no_beginning(way: Translation, text: str) -> None:
    assert begun(way, text) is None
    assert wanted(way, text) is None


def wishes(brief: str) -> list[str]:
    """Return translations that only wider beams finish, by the tokenizer's own tokens."""
    way, wide = (translate(brief, TEXT, Decoding("beam", width)) for width in (2, 10))
    own = {one.tokens for one in way.hypotheses}
    return [
        one.text
        for one in wide.hypotheses
        if one.finished and one.tokens not in own and wanted_ids(way, one.text) == one.tokens
    ]


def test_the_width_for_a_wanted_translation_is_the_smallest(brief: str) -> None:
    way, text = translate(brief, TEXT, Decoding("beam", 2)), wishes(brief)[0]
    found, width = wanted(way, text), width_of(way, text)
    assert found is not None
    assert not found.fate.kept
    assert width is not None
    assert 2 < width <= WIDEST
    for w in (width - 1, width):
        finished = translate(brief, TEXT, Decoding("beam", w)).hypotheses
        assert (wanted_ids(way, text) in [one.tokens for one in finished]) == (w == width)


def test_the_beams_own_translation_is_kept(brief: str) -> None:
    wide = translate(brief, TEXT, Decoding("beam", 10))
    text = wishes(brief)[0]
    found = wanted(wide, text)
    assert found is not None
    assert found.fate.kept
    (own,) = (one for one in wide.hypotheses if one.tokens == wanted_ids(wide, text))
    assert found.score == pytest.approx(own.score, abs=1e-5)
    assert found.log_prob == pytest.approx(own.log_prob, abs=1e-5)


@pytest.mark.parametrize("tokens", [(), (0,), (1,), (5, 2, 7), (10**9,), (5,) * 200])
def test_what_an_address_may_hold_is_looked_at_first(
    way: Translation, tokens: tuple[int, ...]
) -> None:
    assert not is_open(way, tokens)


def test_a_changed_run_is_steered_under_its_changes(way: Translation) -> None:
    """A branch of a changed run went on with the unchanged model."""
    plan = fitted(way, [of.MuteHeads("cross"), of.WithoutPositions("src")]).plan
    after = changed(way, plan).translation
    tokens = after.tree[1].tokens
    found = branch(after, tokens).hypotheses[0]
    written = tuple(token for token in found.tokens if token != EOS)
    log_probs = log_softmax(hypothesis_capture(after, written).logits)
    replayed = sum(log_probs[i, token] for i, token in enumerate(found.tokens))
    assert found.tokens[: len(tokens)] == tokens
    assert found.log_prob == pytest.approx(replayed, rel=1e-5)
    assert found.log_prob != pytest.approx(branch(way, tokens).hypotheses[0].log_prob, rel=1e-3)
    hoped = wanted(after, "Que")
    assert hoped is not None
    *ids, _eos = (token.id for token in hoped.tokens)
    log_probs = log_softmax(hypothesis_capture(after, tuple(ids)).logits)
    replayed = sum(log_probs[i, token.id] for i, token in enumerate(hoped.tokens))
    assert hoped.log_prob == pytest.approx(replayed, rel=1e-5)
