"""Known answers: heads made by hand get exactly their roles, a random model gets none."""

import random

import numpy as np
import torch

from model.atlas.measures import LEAST, THRESHOLD, FoundRole, measure, role_of, roles_for
from model.atlas.sample import Encoded, HeadId, Sample, heads_of
from model.nn.attention import MultiHeadAttention
from model.nn.transformer import Transformer
from model.text.byte_level import BOS, EOS
from model.text.pairs import AlignedPair, Pair
from tests.model.samples import letters_tokenizer, tiny_model

TOKENS, PLACES = 16, 32  # numbers of a vector that say which token it is, and where it stands
WIDTH = TOKENS + PLACES
SHARP = 40.0
TOKENIZER = letters_tokenizer()
IDS = [BOS, EOS, *(TOKENIZER.encode(letter)[0] for letter in "abcdefghijkl")]


def translated(seed: int, count: int) -> tuple[AlignedPair, ...]:
    """Letters a to f, which become g to l one by one."""
    rng, found = random.Random(seed), dict[str, AlignedPair]()
    while len(found) < count:
        src = rng.sample("abcdef", rng.randint(3, 6))
        tgt = [chr(ord(letter) + 6) for letter in src]
        pair = Pair(" ".join(src), " ".join(tgt))
        links = frozenset((i, i) for i in range(len(src)))
        found[pair.src] = AlignedPair(pair, links, links)
    return tuple(found.values())


def roles(model: Transformer, golds: tuple[AlignedPair, ...]) -> dict[HeadId, FoundRole | None]:
    sample = Sample("letters", tuple(one.pair for one in golds), golds)
    encoded = Encoded(model, TOKENIZER, sample)
    found = measure(model, encoded, range(len(golds)))
    return {
        head: role_of({role: found[role][:, k] for role in roles_for(head.kind)})
        for k, head in enumerate(heads_of(model.config))
    }


def hand_made() -> Transformer:
    """A model without any output whose vectors say token and place, and whose heads do nothing."""
    settings = {"vocab_size": TOKENIZER.vocab_size, "d_model": 2 * WIDTH, "max_len": PLACES}
    model = tiny_model(norm="pre", n_decoder_layers=3, **settings)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        for token, number in enumerate(IDS):
            model.src_embed.weight[number, token] = 1 / np.sqrt(2 * WIDTH)
        model.pos.zero_()
        for place in range(PLACES):
            model.pos[place, TOKENS + place] = 1
        for name, parameter in model.named_parameters():
            if "norm" in name and name.endswith("weight"):
                parameter.fill_(1)
    return model


def look(attention: MultiHeadAttention, head: int, match: torch.Tensor) -> None:
    """Let a head look from each token or place to the one that `match` (WIDTH, WIDTH) names."""
    rows = slice(head * WIDTH, (head + 1) * WIDTH)
    d_model = attention.d_model
    with torch.no_grad():
        attention.w_qkv.weight[:d_model][rows, :WIDTH] = SHARP * match.T
        attention.w_qkv.weight[d_model : 2 * d_model][rows, :WIDTH] = torch.eye(WIDTH)


def places(shift: int) -> torch.Tensor:
    """Match each place with the one so far behind it."""
    match = torch.zeros(WIDTH, WIDTH)
    match[TOKENS:, TOKENS:] = torch.diag(torch.ones(PLACES - abs(shift)), shift)
    return match


def tokens(shift: int) -> torch.Tensor:
    """Match each token with the one a number of letters before it."""
    match = torch.zeros(WIDTH, WIDTH)
    for token in range(2 + shift, len(IDS)):
        match[token, token - shift] = 1
    return match


def test_heads_made_by_hand_get_exactly_their_roles() -> None:
    model = hand_made()
    look(model.encoder[0].self_attn, 0, places(-1))
    look(model.encoder[0].self_attn, 1, places(0))
    look(model.encoder[1].self_attn, 0, places(1))
    look(model.decoder[0].self_attn, 0, places(-1))
    look(model.decoder[0].cross_attn, 0, places(0))  # the word at its place: the one it writes
    look(model.decoder[1].cross_attn, 0, tokens(6))  # its translation: the one it has just read
    look(model.decoder[1].cross_attn, 1, places(0) + 3 * tokens(6))
    to_eos = torch.zeros(WIDTH, WIDTH)
    to_eos[:, 1] = 1
    look(model.decoder[2].cross_attn, 0, to_eos)
    expected = {
        HeadId("encoder", 0, 0): "before",
        HeadId("encoder", 0, 1): "itself",
        HeadId("encoder", 1, 0): "after",
        HeadId("decoder", 0, 0): "before",
        HeadId("cross", 0, 0): "writes",
        HeadId("cross", 1, 0): "reads",
        HeadId("cross", 1, 1): "reads",
        HeadId("cross", 2, 0): "eos",
    }
    found = roles(model, translated(0, 44))
    assert {head: role.role for head, role in found.items() if role} == expected
    assert all(role.share > 0.8 for role in found.values() if role)


def test_a_copying_head_looks_at_the_same_word() -> None:
    model = hand_made()
    look(model.decoder[0].cross_attn, 0, places(0))
    look(model.encoder[0].self_attn, 0, tokens(0) - 2 * places(0))
    texts = [f"{one.pair.src} {one.pair.src}" for one in translated(1, 44)]
    golds = tuple(AlignedPair(Pair(text, text), frozenset(), frozenset()) for text in texts)
    found = roles(model, golds)
    named = {head: role.role for head, role in found.items() if role}
    assert named == {HeadId("cross", 0, 0): "same", HeadId("encoder", 0, 0): "same"}


def test_a_random_model_gets_no_role() -> None:
    torch.manual_seed(0)
    settings = {"d_model": 32, "n_heads": 4, "vocab_size": TOKENIZER.vocab_size}
    model = Transformer(tiny_model(**settings).config).eval()  # as training begins
    assert set(roles(model, translated(0, 44)).values()) == {None}


def test_a_role_must_hold_on_the_other_half() -> None:
    def role(even: float, odd: float, count: int = 2 * LEAST) -> FoundRole | None:
        return role_of({"before": np.tile([even, odd], count // 2)})

    found = role(0.75, 0.625)
    assert found == FoundRole("before", 0.625, THRESHOLD)
    assert role(0.9, THRESHOLD - 0.01) is None
    assert role(THRESHOLD - 0.01, 0.9) is None
    assert role(0.9, 0.9, 2 * LEAST - 2) is None
    assert role_of({"same": np.full(100, np.nan)}) is None
