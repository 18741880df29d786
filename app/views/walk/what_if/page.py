"""Chapter 12: what if? Each part of the model is asked what it is for, by a run without it."""

from app.i18n import N_
from app.inspector.probe import Probe, probe_of
from app.page.declare import WalkPage
from app.page.frame import draw_page
from app.views.walk.what_if import heads, words
from app.views.walk.what_if.heads import myth, pick_all
from app.views.walk.what_if.words import task


def scopes(probe: Probe) -> tuple[str, ...]:
    """Return what the changes are compared with: every encoder-decoder attention, the logits."""
    layers = range(probe.walk.config.n_decoder_layers)
    return *(f"decoder.{layer}.cross_attn" for layer in layers), "logits"


PAGE = WalkPage(
    slug="what_if",
    intro=N_(
        "You have watched the model work. To learn what a part is for, change that part and run "
        "the model again. Every answer on this page is such a second run of your sentence, an "
        "intervention."
    ),
    select=probe_of,
    pick=pick_all,
    task_pick=False,
    myth=myth,
    sections=(*heads.screens, *words.screens),
    scopes=scopes,
    task=task,
    changed=False,
)

if __name__ == "__main__":
    draw_page(PAGE)
