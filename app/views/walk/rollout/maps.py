"""What the vectors after a layer are made of: in the encoder, in the decoder, and of one word."""

from typing import Final

import numpy as np

from app.format import percent
from app.i18n import _
from app.inspector.arrays import draw_board, weights_grid
from app.inspector.naming import text_at
from app.inspector.probe import marked
from app.page.quiz import Task
from app.ui.section import section
from app.views.walk.rollout import texts
from app.views.walk.rollout.choice import Look
from app.views.walk.rollout.data import Stack, answer, flow_spread

HIGH: Final = 120  # pixels of a map's cells, so that both fit a laptop's screen


def rows_of(look: Look, stack: Stack) -> np.ndarray:
    """Return the answer to what is chosen."""
    return answer(look.walk, look.way, stack, look.layer(stack))


def sources(look: Look) -> list[str]:
    """Return the source tokens, as people read them."""
    return [look.probe.source(i) for i in range(len(look.walk.capture.src))]


def written(look: Look) -> list[str]:
    """Return the written tokens, as people read them."""
    return [text_at(look.probe.tokens, at) for at in range(len(look.probe.tokens))]


def encoder_text(look: Look) -> str:
    """Say what a row is, and how much of its own word a vector has."""
    own = np.diagonal(rows_of(look, "encoder"))
    least = int(own.argmin())
    return _(texts.ENCODER).format(
        layer=look.layer("encoder") + 1,
        says=_(texts.SAYS[look.way]),
        own=percent(own.mean()),
        word=marked(look.probe.source(least)),
        least=percent(own[least]),
    )


def guess_encoder(look: Look) -> Task:
    """Ask how much of its word an average vector of the memory still is."""
    share = float(np.diagonal(answer(look.walk, "norms", "encoder", -1)).mean())
    says = _(texts.ENCODER_SAYS).format(share=percent(share))
    options = [_(option) for option in texts.ENCODER_OPTIONS]
    right = frozenset([int(share >= 1 / 3) + int(share > 2 / 3)])
    return Task(_(texts.ENCODER_ASK), options, right, says, says)


def draw_encoder(look: Look) -> None:
    """Draw what each of the encoder's vectors is made of, and say it."""
    section("", encoder_text(look))
    title = _(texts.ENCODER_MAP).format(n=look.layer("encoder") + 1)
    tokens = sources(look)
    draw_board([weights_grid(rows_of(look, "encoder"), title, tokens, tokens)], "rollout-encoder")


def written_text(look: Look) -> str:
    """Say what the two maps are, and where the chosen token came from."""
    row, S = rows_of(look, "decoder")[look.probe.at], len(look.walk.capture.src)
    most = int(row[:S].argmax())
    text = texts.WRITTEN_WEIGHTS if look.way == "weights" else texts.WRITTEN
    return _(text).format(
        layer=look.layer("decoder") + 1,
        says=_(texts.SAYS[look.way]),
        word=marked(look.probe.word),
        source=percent(row[:S].sum()),
        target=percent(row[S:].sum()),
        key=marked(look.probe.source(most)),
        most=percent(row[most]),
    )


def draw_written(look: Look) -> None:
    """Draw what reaches each written token from the source, and from the translation so far."""
    rows, S = rows_of(look, "decoder"), len(look.walk.capture.src)
    read = [text_at(look.walk.capture.tgt, at) for at in range(len(rows))]
    words, past = written(look), np.tri(len(rows), dtype=bool)
    draw_board(
        [
            weights_grid(rows[:, :S], _(texts.FROM_SOURCE), words, sources(look), height=HIGH),
            weights_grid(rows[:, S:], _(texts.FROM_TARGET), words, read, mask=past, height=HIGH),
        ],
        "rollout-written",
    )


def compare_text(look: Look) -> str:
    """Say which source token each way names first, and what the flow cannot tell."""
    titles = [_(title) for title in texts.WAYS.values()]
    named = [marked(look.probe.source(int(row.argmax()))) for row in _compared(look)]
    firsts = ", ".join(f"{way}: “{key}”" for way, key in zip(titles, named, strict=True))
    spread = flow_spread(look.walk, look.walk.config.n_decoder_layers - 1)
    flow = _(texts.FLOW_DIFFERS).format(spread=percent(spread))
    text = _(texts.COMPARE).format(word=marked(look.probe.word), firsts=firsts)
    return f"{text}\n\n{flow if spread > 1e-4 else _(texts.FLOW_SAME)}"


def draw_compare(look: Look) -> None:
    """Draw a row for each way of asking."""
    titles = [_(title) for title in texts.WAYS.values()]
    grid = weights_grid(_compared(look), _(texts.COMPARE_MAP), titles, sources(look))
    draw_board([grid], "rollout-compare")


def _compared(look: Look) -> np.ndarray:
    """Return the chosen token's answers after the last layer, over the source, (ways, S)."""
    S, last = len(look.walk.capture.src), look.walk.config.n_decoder_layers - 1
    rows = [answer(look.walk, way, "decoder", last)[look.probe.at, :S] for way in texts.WAYS]
    found = np.stack(rows)
    scaled: np.ndarray = found / found.sum(-1, keepdims=True)
    return scaled
