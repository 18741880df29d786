"""The loop of greedy decoding, really run on the visitor's sentence."""

from app.data.cache import cached
from app.data.translation import Token
from app.data.walk import Walk
from model.decoding.search import greedy_loop, limit


@cached()
def looped(walk: Walk) -> tuple[Token, ...]:
    """Return the tokens that the loop writes; <eos> is the last one, unless it never came."""
    src = list(walk.capture.src_ids)
    return walk.tokenizer.tokens(greedy_loop(walk.model, src, limit(walk.config, src)))
