"""The model from outside: a black box between two sentences."""

import html
from typing import Final

from app.format import grouped
from app.i18n import _
from app.ui.chosen import model_name
from app.ui.kept import show_html
from app.views.walk.big_picture import texts
from app.views.walk.big_picture.followed import Followed

BOX: Final = """<div data-testid="black-box" style="display:flex;flex-wrap:wrap;gap:0.6rem 0.9rem;
align-items:center;justify-content:center;text-align:center;overflow-wrap:anywhere;
font-size:1.3rem;padding:3rem 0">
<span style="flex:1 1 12rem;min-width:0">{source}</span>
<span style="display:flex;gap:0.9rem;align-items:center"><span aria-hidden="true">→</span>
<span style="background:#14161c;color:#fff;border:1px solid #8a8f9c;border-radius:0.6rem;
padding:2.4rem 1.6rem"><b>Transformer</b><br>
<span style="font-size:0.95rem">{name}<br>{count}</span>
</span><span aria-hidden="true">→</span></span>
<span style="flex:1 1 12rem;min-width:0">{output}</span></div>"""


def box_text(token: Followed) -> str:
    """Say how many parameters are inside."""
    return _(texts.BOX).format(count=grouped(token.n_parameters))


def draw_box(token: Followed) -> None:
    """Draw the model from outside: the sentence, the box, the translation."""
    translation = token.walk.translation
    box = {
        "source": translation.text,
        "output": translation.output or "∅",
        "name": model_name(translation.model),
        "count": _(texts.BOX_NOW).format(count=grouped(token.n_parameters)),
    }
    show_html(BOX.format(**{name: html.escape(text) for name, text in box.items()}))
