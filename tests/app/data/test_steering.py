"""What is shown of a steered beam is what a real search from there finds."""

from pathlib import Path

import numpy as np
import pytest
import torch

from app.data.changed import change_types, changed, fitted
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
from model.decoding.beam import Prefix
from model.decoding.search import beam
from model.decoding.trace import captures
from model.text.byte_level import EOS

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


def replayed(way: Translation, tokens: tuple[int, ...]) -> list[float]:
    """What a run of its own gives each token of a hypothesis, in log-probabilities."""
    written = tuple(token for token in tokens if token != EOS)
    logits = hypothesis_capture(way, written).logits.astype(float)
    log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return [float(log_probs[i, token]) for i, token in enumerate(tokens)]


def test_a_branch_is_a_search_from_that_very_word(way: Translation) -> None:
    node = pruned(way)
    for one in branch(way, node.tokens).hypotheses:
        assert one.tokens[: len(node.tokens)] == node.tokens
        taken = replayed(way, one.tokens)
        assert one.log_prob == pytest.approx(sum(taken), abs=1e-4)
        assert one.score == pytest.approx(np.mean(taken), abs=1e-5)


def test_the_attention_shown_is_the_one_of_the_search_itself(way: Translation) -> None:
    """The page reads a hypothesis in one pass; the search wrote it step by step."""
    tokens, loaded = pruned(way).tokens, load("es-en")
    src = way.capture.src_ids
    steps = list(beam(loaded.model, src, 3, max_len=24, prefix=Prefix(tokens), capture=True))
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
    log_probs = [node.log_prob for node in offered]
    assert log_probs == sorted(log_probs, reverse=True)
    grown = tree(way, {"A": offered[0].tokens}, ())
    (node,) = (node for node in grown if node.tokens == offered[0].tokens)
    assert node.branch == "A"
    assert node.score == pytest.approx(offered[0].score, abs=1e-5)


def test_a_typed_beginning_begins_what_is_written(way: Translation) -> None:
    for text in ("It", "It's n", "Whatever will ", "zz"):
        found = begun(way, text)
        assert found is not None
        assert "".join(found.letters) == text.rpartition(" ")[2]
        assert all(one.text.startswith(text) for one in found.decoded.hypotheses)
    for text in ("", "  ", "\u200b", "word " * 80):
        assert begun(way, text) is None, "nothing and too much are no beginning"
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
    wide = translate(brief, TEXT, Decoding("beam", 10))
    found = wanted(wide, text)
    assert found is not None
    assert found.fate.kept, "the beam's own translation"
    (own,) = (one for one in wide.hypotheses if one.tokens == wanted_ids(wide, text))
    expected = pytest.approx((own.score, own.log_prob), abs=1e-5)
    assert (found.score, found.log_prob) == expected


def test_what_an_address_may_hold_is_looked_at_first(way: Translation) -> None:
    odd: tuple[tuple[int, ...], ...] = ((), (0,), (1,), (5, 2, 7), (10**9,), (5,) * 200)
    assert not any(is_open(way, tokens) for tokens in odd)


def test_a_changed_run_is_steered_under_its_changes(way: Translation) -> None:
    """A branch of a changed run went on with the unchanged model."""
    plan = fitted(way, [change_types.MuteHeads("cross"), change_types.WithoutPositions("src")]).plan
    after = changed(way, plan).translation
    tokens = after.tree[1].tokens
    found = branch(after, tokens).hypotheses[0]
    assert found.tokens[: len(tokens)] == tokens
    assert found.log_prob == pytest.approx(sum(replayed(after, found.tokens)), rel=1e-5)
    assert found.log_prob != pytest.approx(branch(way, tokens).hypotheses[0].log_prob, rel=1e-3)
    hoped = wanted(after, "Que")
    assert hoped is not None
    ids = tuple(token.id for token in hoped.tokens)
    assert hoped.log_prob == pytest.approx(sum(replayed(after, ids)), rel=1e-5)
