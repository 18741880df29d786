"""What positions are good for: a model reads the words in two orders, with and without them.

S source tokens, D = d_model.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from model.decoding.limits import limit
from model.decoding.search import greedy_ids
from model.nn.hooks import Intervention
from model.nn.masks import padding_mask
from model.nn.translator import Translator
from model.text.tokenizer import Tokenizer

Order = tuple[int, ...]  # for each place of the new order, the token's place in the given one


@dataclass(frozen=True, eq=False)
class Reordered:
    """Four runs of one model: the given and the other order, with positions and without.

    `memory[with_positions][other]` is the encoder's output (S, D), `outputs` the greedy
    translation in the same places; `ids` are the source tokens in both orders.
    """

    order: Order
    ids: tuple[tuple[int, ...], tuple[int, ...]]
    memory: tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
    outputs: tuple[tuple[str, str], tuple[str, str]]

    @property
    def same_text(self) -> bool:
        """Whether both orders read the same, as with a word that is only repeated."""
        return self.ids[0] == self.ids[1]

    def moved(self, with_positions: bool) -> np.ndarray:
        """Return how far each token's output is from its own in the other order, (S,)."""
        own, other = self.memory[with_positions]
        back = other[np.argsort(self.order)]  # each at its token's place, (S, D)
        return np.asarray(np.abs(own - back).max(-1), dtype=float)


@torch.inference_mode()
def reorder(
    model: Translator, tokenizer: Tokenizer, src_ids: Sequence[int], order: Order
) -> Reordered:
    """Read the source tokens in both orders with positions, and with zeros in their place."""
    config = model.config
    ids = (tuple(src_ids), tuple(src_ids[i] for i in order))
    src = torch.tensor([*ids, *ids])  # (4, S)
    mask = padding_mask(src, config.pad_id)
    keep = torch.tensor([0.0, 0.0, 1.0, 1.0])[:, None, None]  # (4, 1, 1)
    memory = model.encode(src, mask, Intervention({"src.pos": lambda p: p * keep}))  # (4, S, D)
    written = greedy_ids(model, model.start_cache(memory, mask), [limit(config, src_ids)] * 4)
    without, without_other, having, having_other = memory.numpy()
    memories = ((without, without_other), (having, having_other))
    texts = [tokenizer.decode(tokens) for tokens in written]
    return Reordered(order, ids, memories, ((texts[0], texts[1]), (texts[2], texts[3])))
