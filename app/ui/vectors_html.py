"""Bytes, pieces, ids and masks as small boxes of text; every token is escaped here."""

import html
from collections.abc import Sequence

from app.charts.boxes import Box, Row, boxes_svg
from app.charts.theme import both_modes, coloured
from app.components.document import folded
from app.components.shared.kept import Text, keep
from app.format import visible
from app.i18n import _
from app.ui.about import caption as caption_of
from app.ui.chart import theme_mode
from app.ui.kept import page_button, show_html
from app.ui.table import Columns, figure_menu, save_button, table

STYLE = """<style>
.tok { --role: ROLE; display: flex; flex-wrap: wrap; gap: 0.35rem 0.3rem; align-items: stretch; }
.tok .box { border: 1px solid color-mix(in srgb, var(--role) 55%, transparent);
  border-radius: 0.4rem; padding: 0.1rem 0.45rem; text-align: center; line-height: 1.35;
  background: color-mix(in srgb, var(--role) 8%, transparent); white-space: pre; }
.tok .new { border: 2px solid var(--role); font-weight: 700;
  background: color-mix(in srgb, var(--role) 22%, transparent); }
.tok .top { display: block; font-size: 1.05rem; }
.tok .low { display: block; font-family: monospace; font-size: 0.8rem; }
.tok .join { margin-left: -0.3rem; border-left-style: dashed;
  border-top-left-radius: 0; border-bottom-left-radius: 0; }
.tok .more { border-top-right-radius: 0; border-bottom-right-radius: 0; }
.tok-scroll { overflow: auto; padding: 0.15rem; container-type: inline-size;
  /* A shadow at an edge beyond which there is more. */
  background: linear-gradient(to left, transparent, var(--ground) 2rem) left / 3rem no-repeat local,
    linear-gradient(to right, transparent, var(--ground) 2rem) right / 3rem no-repeat local,
    linear-gradient(to right, rgb(128 128 128 / 0.45), transparent) left / 0.9rem no-repeat,
    linear-gradient(to left, rgb(128 128 128 / 0.45), transparent) right / 0.9rem no-repeat; }
@container (max-width: 42rem) { .tok-batch { font-size: 0.85rem; }
  .tok-batch td { padding-inline: 0.15rem; min-width: 1.6rem; } }
.tok-step { display: grid; grid-template-columns: 10.5rem 1fr; gap: 0.2rem 0.8rem;
  align-items: center; margin-bottom: 0.4rem; }
.tok-step small { font-variant-numeric: tabular-nums; }
@media (max-width: 640px) { .tok-step { grid-template-columns: 1fr; margin-bottom: 0.8rem; } }
.tok-batch { border-collapse: collapse; font-variant-numeric: tabular-nums; --role: ROLE; }
.tok-batch td { border: 1px solid color-mix(in srgb, var(--role) 45%, transparent);
  padding: 0.1rem 0.4rem; text-align: center; min-width: 2.2rem; white-space: pre; }
.tok-batch th { padding: 0.1rem 0.6rem 0.1rem 0; text-align: left; font-weight: 600;
  white-space: nowrap; border: 0; }
.tok-batch td small { display: block; font-family: monospace; }
.tok-batch td.shut { border-color: color-mix(in srgb, currentColor 30%, transparent);
  background: repeating-linear-gradient(135deg, transparent 0 5px,
  color-mix(in srgb, currentColor 12%, transparent) 5px 7px); }
</style>""".replace("ROLE", both_modes("input"))


def show(body: str) -> None:
    """Draw boxes in the colour of the model's input."""
    show_html(STYLE + body)


def boxes_menu(name: str, columns: Columns, rows: Sequence[Row], *, aligned: bool = False) -> None:
    """Offer rows of boxes to save as a table and as a picture."""
    numbers = folded({_("Table"): columns})

    def draw_menu() -> None:
        table(columns, name)
        svg = coloured(boxes_svg(rows, caption_of(""), aligned=aligned), theme_mode())
        save_button(_("Save as SVG"), svg, name, "svg", "image/svg+xml", "image")
        lines = (step(caption, row) if caption else stacked(row) for caption, row in rows)
        body = _batch(rows, name) if aligned else "".join(lines)
        page_button(name, "", [Text(STYLE + body), numbers])

    keep(lambda: [numbers])
    figure_menu(name, draw_menu)


def stacked(row: Sequence[Box], joined: Sequence[bool] = ()) -> str:
    """Return boxes with a text above a smaller one; `joined` boxes touch the box before."""
    sticks = [*(joined or [False] * len(row)), False]
    boxes = [
        f'<span class="box{" join" if sticks[i] else ""}{" more" if sticks[i + 1] else ""}">'
        f'<span class="top">{_safe(box.top)}</span>'
        f'<span class="low">{_safe(box.low)}</span></span>'
        for i, box in enumerate(row)
    ]
    return f'<div class="tok">{"".join(boxes)}</div>'


def step(caption: str, row: Sequence[Box]) -> str:
    """Return one line: a step's caption and the resulting pieces, with the new one marked."""
    boxes = "".join(
        f'<span class="box{" new" if box.look == "new" else ""}">{_safe(box.top)}</span>'
        for box in row
    )
    name = html.escape(caption)
    return f'<div class="tok-step"><small>{name}</small><div class="tok">{boxes}</div></div>'


def scroll(body: str, name: str, rem: float = 32) -> str:
    """Return a frame of at most `rem` height, in which long contents scroll, also by keyboard."""
    return (
        f'<div class="tok-scroll" style="max-height:{rem}rem" tabindex="0" role="group" '
        f'aria-label="{html.escape(name)}">{body}</div>'
    )


def show_batch(rows: Sequence[Row], name: str) -> None:
    """Draw a table with a text above a smaller one in each cell; "shut" cells are hatched."""
    show(_batch(rows, name))


def _batch(rows: Sequence[Row], name: str) -> str:
    lines = []
    for caption, row in rows:
        cells = "".join(
            f'<td class="{box.look}">{_safe(box.top)}'
            f"{f'<small>{_safe(box.low)}</small>' if box.low else ''}</td>"
            for box in row
        )
        lines.append(f'<tr><th scope="row">{_safe(caption)}</th>{cells}</tr>')
    return scroll(f'<table class="tok-batch">{"".join(lines)}</table>', name)


def byte_boxes(word: str) -> str:
    """Return the letters of a word as boxes, with their bytes below."""
    return stacked(letter_boxes(word))


def letter_boxes(word: str) -> list[Box]:
    """Return a box for each letter of a word, with its bytes below."""
    return [Box(letter, hexadecimal(letter)) for letter in word]


def hexadecimal(letter: str) -> str:
    """Write the UTF-8 bytes of a letter."""
    return " ".join(f"{byte:02X}" for byte in letter.encode())


def _safe(text: str) -> str:
    return html.escape(visible(text))
