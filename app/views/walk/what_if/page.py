"""Chapter 12: what if? Each part of the model is asked what it is for, by a run without it."""

from app.inspector.probe import Probe, pick_written, probe_of
from app.page.declare import Code, Drawer, Section, WalkPage
from app.page.frame import draw_page
from app.views.walk.what_if import heads, mattered, picks, questions, sweep, texts, words


def scopes(probe: Probe) -> tuple[str, ...]:
    """Return what the changes are compared with: every encoder-decoder attention, the logits."""
    layers = range(probe.walk.config.n_decoder_layers)
    return *(f"decoder.{layer}.cross_attn" for layer in layers), "logits"


WORD = pick_written
SECTIONS = (
    Section(
        "control",
        texts.QUESTIONS_TITLE,
        questions.draw_question,
        questions.question_text,
        pick=questions.pick_question,
        was=("end", "past", "order", "positions"),
    ),
    Section(
        "head",
        texts.HEAD_TITLE,
        heads.draw_head,
        heads.head_text,
        pick=WORD,
        guess=heads.guess_head,
        drawers=(Drawer("one", texts.ONE_TITLE, heads.draw_one, heads.one_text),),
        code=(
            Code(
                texts.CODE_MUTE,
                r"z_h \leftarrow 0",
                "model.nn.hooks:Intervention",
            ),
            Code(
                texts.CODE_EACH,
                r"\Delta_t = \log p'_t - \log p_t",
                "model.interpret.experiments.variants:each_alone",
            ),
        ),
    ),
    Section("sweep", texts.SWEEP_TITLE, sweep.draw_sweep, sweep.sweep_text, pick=picks.pick_about),
    Section("words", texts.WORDS_TITLE, words.draw_words, words.words_text, pick=False),
    Section(
        "mattered",
        texts.MATTERED_TITLE,
        mattered.draw_mattered,
        mattered.mattered_text,
        pick=WORD,
        guess=mattered.guess_mattered,
        drawers=(
            Drawer("agree", texts.AGREE_TITLE, mattered.draw_agree, mattered.agree_text),
            Drawer(
                "complete", texts.COMPLETE_TITLE, mattered.draw_complete, mattered.complete_text
            ),
        ),
        code=(
            Code(
                texts.CODE_LEFT,
                r"\text{drop}_{t,s} = \log p_t - \log p_t^{(\text{without } s)}",
                "model.interpret.experiments.variants:leave_one_out",
            ),
            Code(
                texts.CODE_ROLLOUT,
                r"R \leftarrow M R,\qquad M = \tfrac12 (I + A)",
                "model.interpret.rollout:reach",
            ),
            Code(
                texts.CODE_RANKS,
                r"\rho = \operatorname{corr}(\operatorname{rank} a, \operatorname{rank} b)",
                "model.interpret.experiments.importance:spearman",
            ),
            Code(
                texts.CODE_INTEGRATED,
                r"a_s = x_s \cdot \int_0^1 \nabla_{x_s} \log p(\alpha x)\, d\alpha,\qquad "
                r"\sum_s a_s = \log p(x) - \log p(0)",
                "model.interpret.experiments.importance:integrated_gradients",
            ),
        ),
    ),
)

PAGE = WalkPage(
    slug="what_if",
    intro=texts.INTRO,
    select=probe_of,
    pick=picks.pick_all,
    task_pick=False,
    myth=heads.myth,
    sections=SECTIONS,
    scopes=scopes,
    task=mattered.task,
    changed=False,
)

if __name__ == "__main__":
    draw_page(PAGE)
