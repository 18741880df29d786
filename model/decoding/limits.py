"""How many tokens of a sentence are read, and how many are written."""

from collections.abc import Sequence

from model.config import ModelConfig


def limit(config: ModelConfig, src_ids: Sequence[int], max_len: int | None = None) -> int:
    """Return how many tokens a translation may have, including <eos>."""
    return min(config.max_len, max_len or 2 * len(src_ids) + 10)


def truncate(src_ids: Sequence[int], max_tokens: int) -> tuple[list[int], str | None]:
    """Return at most `max_tokens` ids, including the last one (<eos>), and a notice if cut."""
    if len(src_ids) <= max_tokens:
        return list(src_ids), None
    notice = f"The sentence has {len(src_ids)} tokens; only the first {max_tokens} were used."
    return [*src_ids[: max_tokens - 1], src_ids[-1]], notice
