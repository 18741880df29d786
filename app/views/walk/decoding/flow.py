"""The slides' animation: encoder, memory, decoder, what goes in and what comes out."""

import html
from collections.abc import Sequence

from app.charts.theme import both_modes
from app.data.translation import Token
from app.format import visible
from app.i18n import _
from app.ui.kept import show_html
from app.views.walk.decoding import texts
from app.views.walk.decoding.moment import Moment

STYLE = """<style>
.flow { display: grid; grid-template-columns: 1fr auto 1fr; gap: 0.5rem 0.75rem;
  align-items: center; }
.flow .box { border: 2px solid var(--role); border-radius: 0.6rem; padding: 0.6rem 0.5rem;
  text-align: center; font-weight: 600; }
.flow .box small { display: block; font-weight: 400; }
.flow .on { background: color-mix(in srgb, var(--role) 18%, transparent); border-width: 3px; }
.flow .off { border-style: dashed; }
.flow .tokens { display: flex; flex-wrap: wrap; gap: 0.25rem; justify-content: center;
  align-items: center; min-height: 2rem; }
.flow .token { border: 1px solid var(--role); border-radius: 0.4rem; padding: 0 0.35rem;
  overflow-wrap: anywhere; }
.flow .new { border-width: 3px; font-weight: 700; animation: flow-in 0.45s ease-out;
  background: color-mix(in srgb, var(--role) 18%, transparent); }
.flow .arrow { text-align: center; line-height: 1.1; font-size: 0.85rem; }
.flow .arrow b { display: block; font-size: 1.6rem; color: var(--role); }
.flow .up { grid-column: 3; text-align: center; line-height: 1; }
.flow .first { grid-column: 1; }
@keyframes flow-in { from { opacity: 0; transform: translateY(0.8rem); } }
@media (prefers-reduced-motion: reduce) { .flow .new { animation: none; } }
</style>"""


def draw_flow(moment: Moment) -> None:
    """Draw who is at work, what it has read and what it has written."""
    walk, step = moment.walk, moment.step
    green, pink, grey = both_modes("input"), both_modes("output"), both_modes("residual")
    written = [done.taken.token for done in walk.translation.steps[:step]]
    read, gap = walk.capture.tgt[:step], "<span></span>"
    up, up_first = (f'<span class="{at}" aria-hidden="true">↑</span>' for at in ("up", "up first"))
    decoding = _(texts.WORKS).format(n=step) if step else _(texts.WAITS)
    encoding = _(texts.WORKED) if step else _(texts.WORKS_ONCE)
    encoder = _(texts.ENCODER).format(n=walk.config.n_encoder_layers)
    decoder = _(texts.DECODER).format(n=walk.config.n_decoder_layers)
    memory = (
        f'<span class="arrow" style="--role:{green}">{html.escape(_(texts.MEMORY))}'
        f'<b aria-hidden="true">→</b>{html.escape(_(texts.KEYS_VALUES))}</span>'
    )
    encoder_box = _box(encoder, green, not step, encoding)
    decoder_box = _box(decoder, grey, bool(step), decoding)
    show_html(
        f'{STYLE}<div class="flow" data-testid="flow">'
        f"{gap}{gap}{_tokens(written, pink)}"
        f"{gap}{gap}{up}"
        f"{encoder_box}{memory}{decoder_box}"
        f"{up_first}{gap}{up}"
        f"{_tokens(walk.capture.src, green, last_is_new=False)}{gap}{_tokens(read, pink)}</div>"
    )


def _box(name: str, colour: str, on: bool, state: str) -> str:
    return (
        f'<div class="box {"on" if on else "off"}" style="--role:{colour}">{html.escape(name)}'
        f"<small>{html.escape(state)}</small></div>"
    )


def _tokens(tokens: Sequence[Token], colour: str, *, last_is_new: bool = True) -> str:
    spans = [
        f'<span class="token{" new" if last_is_new and i + 1 == len(tokens) else ""}">'
        f"{html.escape(visible(token.text))}</span>"
        for i, token in enumerate(tokens)
    ]
    inside = "".join(spans) or f"<i>{html.escape(_(texts.NOT_YET))}</i>"
    return f'<div class="tokens" style="--role:{colour}">{inside}</div>'
