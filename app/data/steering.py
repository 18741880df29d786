"""Greedy decoding as a loop, and a steered beam: branches, a typed beginning, a wanted one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from app.data.cache import cached
from app.data.changed import fitted
from app.data.decoding import Decoded, TreeNode, decode, longest
from app.data.queue import giving_way
from app.data.translation import Token, Translation, readable, unchanged
from app.data.walk import Walk
from model.decoding import search
from model.decoding.beam import Prefix
from model.decoding.limits import limit
from model.decoding.wanted import Fate, follow, forced, widths_tried
from model.interpret.calculation.target import log_softmax
from model.interpret.capture import Capture
from model.interpret.experiments.changed import capture_changed, changed_model
from model.interpret.experiments.plan import ChangePlan
from model.interpret.recording import capture
from model.nn.translator import Translator

GHOSTS: Final = 3  # candidates that the beam never kept, shown of one hypothesis
WIDEST: Final = 32  # the widest beam that is tried for a wanted translation
Ids = tuple[int, ...]


@dataclass(frozen=True)
class Beginning:
    """What a typed text forces: whole tokens, and the letters of a word that may go on."""

    tokens: tuple[Token, ...]
    letters: str
    decoded: Decoded


@dataclass(frozen=True)
class Wanted:
    """A wanted translation by its tokens, <eos> last, with its sum of log p and its score."""

    tokens: tuple[Token, ...]
    log_prob: float
    score: float
    fate: Fate


@dataclass(frozen=True, eq=False)
class Steered(Walk):
    """A sentence with one hypothesis of its beam; all numbers are of that one's own history."""

    tokens: Ids = ()


@cached()
def looped(walk: Walk) -> tuple[Token, ...]:
    """Return the tokens that the loop writes; <eos> is the last one, unless it never came."""
    src = list(walk.capture.src_ids)
    return walk.tokenizer.tokens(search.greedy_loop(walk.model, src, limit(walk.config, src)))


def is_open(way: Translation, tokens: Ids) -> bool:
    """Return whether a search can go on from these tokens: an address may hold any."""
    config, never = way.capture.config, (way.capture.config.pad_id, way.capture.config.bos_id)
    known = all(0 <= token < config.n_tgt_vocab and token not in never for token in tokens)
    fits = 0 < len(tokens) <= longest(config, way.capture.src_ids)
    return known and fits and config.eos_id not in tokens[:-1]


@cached(by="own")
def branch(way: Translation, tokens: Ids, text: str = "") -> Decoded:
    """Search on from a hypothesis, or a typed text if there is one, with the beam's own width."""
    loaded, (_model, source, plan) = way.run.loaded, _search(way)
    prefix = Prefix.typed(text, loaded.tokenizer) if text else Prefix(tokens)
    return decode(loaded, list(source), way.decoding, prefix, plan)


def begun(way: Translation, text: str) -> Beginning | None:
    """Search for what begins with a typed text; None where it is nothing, or too long."""
    clean = readable(text) + (" " if text[-1:].isspace() else "")
    tokenizer = way.run.loaded.tokenizer
    prefix = Prefix.typed(clean, tokenizer)
    if not prefix.letters or not is_open(way, tuple(tokenizer.encode_target(clean))):
        return None
    letters = clean.rpartition(" ")[2]
    return Beginning(tokenizer.tokens(prefix.tokens), letters, branch(way, (), clean))


@cached(by="own")
def wanted(way: Translation, text: str) -> Wanted | None:
    """Look for a translation in the beam; None where it is nothing, or too long."""
    ids = wanted_ids(way, text)
    if not ids:
        return None
    model, source, _plan = _search(way)
    last = forced(model, source, ids)[-1]
    most = longest(model.config, source)
    fate = follow(model, source, ids, way.decoding.beam, max_len=most)
    return Wanted(way.run.loaded.tokenizer.tokens(ids), last.log_prob, last.score, fate)


@cached(by="own")
def width_of(way: Translation, text: str) -> int | None:
    """Return the smallest width that finishes a translation; None where `WIDEST` does not."""
    model, source, _plan = _search(way)
    most = longest(model.config, source)
    tried = widths_tried(model, source, wanted_ids(way, text), WIDEST, max_len=most)
    return next((width for width, is_kept in giving_way(tried) if is_kept), None)


def wanted_ids(way: Translation, text: str) -> Ids:
    """Return the tokens of a typed translation, <eos> last; none where it cannot be searched."""
    tokenizer, clean = way.run.loaded.tokenizer, readable(text)
    ids = (*tokenizer.encode_target(clean), tokenizer.eos_id) if clean else ()
    return ids if ids and is_open(way, ids) else ()


@cached(by="own")
def hypothesis_capture(way: Translation, tokens: Ids) -> Capture:
    """Return every number of one hypothesis, along its own history."""
    loaded, (_model, source, plan) = way.run.loaded, _search(way)
    read = [loaded.config.bos_id, *(token for token in tokens if token != loaded.config.eos_id)]
    if plan is not None:
        return capture_changed(loaded.model, loaded.tokenizer, plan, read)
    return capture(loaded.model, loaded.tokenizer, source, read)


def of_hypothesis(walk: Walk, tokens: Ids) -> Steered:
    """Return the sentence with a hypothesis in place of its translation."""
    way = walk.translation
    read = way.read_as(hypothesis_capture(way, tokens), way.run)
    return Steered(read, walk.parameters, walk.tokenizer, walk.plan, tokens=tokens)


def tree(way: Translation, branches: Mapping[str, Ids], at: Ids) -> tuple[TreeNode, ...]:
    """Return the beam's tree with its branches, and the likeliest words not taken after `at`.

    A hypothesis that two searches weighed stands there once.
    """
    nodes = {node.tokens: node for node in way.tree}
    for name, tokens in branches.items():
        for node in branch(way, tokens).tree:
            if node.tokens in nodes and node.tokens != tokens:
                continue
            seen = nodes.get(node.tokens, node)
            nodes[node.tokens] = replace(seen, branch=name, best=seen.best or node.best)
    ended = (*at, way.capture.config.eos_id)
    if at in nodes and nodes[at].status != "finished" and is_open(way, ended):
        taken = [tokens[-1] for tokens in nodes if tokens and tokens[:-1] == at]
        nodes |= {ghost.tokens: ghost for ghost in _ghosts(way, nodes[at], taken)}
    ids = {tokens: i for i, tokens in enumerate(nodes)}
    return tuple(
        replace(node, id=ids[tokens], parent=ids[tokens[:-1]] if tokens else None)
        for tokens, node in nodes.items()
    )


def _ghosts(way: Translation, node: TreeNode, taken: Sequence[int]) -> Sequence[TreeNode]:
    """Return what else could have followed a hypothesis, the likeliest first."""
    n = len(node.tokens)
    log_probs = log_softmax(hypothesis_capture(way, node.tokens).logits[n])  # (V,)
    tokenizer = way.run.loaded.tokenizer
    log_probs[[tokenizer.pad_id, tokenizer.bos_id, *taken]] = -np.inf
    best = np.argsort(-log_probs, kind="stable")[:GHOSTS].tolist()
    return [
        TreeNode(
            id=0,
            parent=0,
            token=tokenizer.token(i).text,
            log_prob=float(log_probs[i]),
            score=(node.score * n + float(log_probs[i])) / (n + 1),
            status="candidate",
            tokens=(*node.tokens, i),
        )
        for i in best
    ]


def _search(way: Translation) -> tuple[Translator, Sequence[int], ChangePlan | None]:
    """Return the model that a search goes on with, what it reads, and the changes of its run."""
    run, original = way.run, unchanged(way.run)
    if not run.changes:
        return run.loaded.model, original.capture.src_ids, None
    plan = fitted(original, run.changes).plan
    return changed_model(run.loaded.model, plan), plan.src_ids, plan
