"""Translating with CTranslate2 a model that `model.export` wrote for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from model.config import ModelConfig
from model.decoding.beam import LENGTH_PENALTY
from model.decoding.search import WINDOW, in_batches, limit
from model.errors import UserError
from model.export import FILES, ctranslate2
from model.files import read_json
from model.text.marian_tokenizer import read_tokenizer


class Engine:
    """An exported model, opened; raises UserError for a folder that holds none."""

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        """Let `threads` sentences or batches be translated at a time, each by one of them."""
        library = ctranslate2()
        missing = [name for name in FILES if not (folder / name).is_file()]
        if missing:
            what = (
                f"{folder} holds no exported model: {missing[0]} is missing. Write one with "
                "`python -m model export NAME --out FOLDER`."
            )
            raise UserError("plain", "model", what=what)
        try:
            self.config = ModelConfig.from_dict(read_json(folder / "config.json")["model"])
            self.tokenizer = read_tokenizer(folder / "tokenizer.json")
            # A thread more for one sentence costs more than it saves: it is better a worker more.
            self.translator: Any = library.Translator(
                str(folder), inter_threads=threads or torch.get_num_threads(), intra_threads=1
            )
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
            what = f"{folder} holds no model that CTranslate2 can open: {error}"
            raise UserError("plain", "model", what=what) from error

    def translate_ids(
        self, sources: Sequence[Sequence[int]], width: int = 4, batch_size: int = 64
    ) -> list[list[int]]:
        """Translate sentences of ids that end with <eos>; without <eos> come back."""
        pieces = self.tokenizer.pieces
        ids_of = {piece: i for i, piece in enumerate(pieces)}
        limits = [limit(self.config, ids) for ids in sources]
        results = self.translator.translate_batch(
            [[pieces[i] for i in ids[:-1]] for ids in sources],
            max_batch_size=batch_size,
            beam_size=width,
            length_penalty=LENGTH_PENALTY,
            max_decoding_length=max(limits, default=1),
        )
        written = ([ids_of[piece] for piece in result.hypotheses[0]] for result in results)
        return [ids[:most] for ids, most in zip(written, limits, strict=True)]

    def translate_lines(
        self,
        lines: Iterable[str],
        beam: int = 4,
        batch_size: int = 64,
        notices: list[str] | None = None,
    ) -> Iterator[str]:
        """Translate lines as `model.decoding.search.translate_lines` does."""

        def translate(sources: Sequence[Sequence[int]]) -> list[str]:
            return [self.tokenizer.decode(i) for i in self.translate_ids(sources, beam, batch_size)]

        # Many batches at once: its workers take one each.
        many = WINDOW * batch_size
        for text in in_batches(self.config, self.tokenizer, lines, translate, many, notices):
            yield text or ""
