"""Whether attention explains, screen by screen."""

from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Final

import numpy as np
import streamlit as st

from app.data.importance import METHODS, Importance
from app.data.walk import powers
from app.format import number, percent, share, signed
from app.i18n import N_, _
from app.inspector.arrays import array_grid, draw_board, weights_grid
from app.inspector.both import draw_translations
from app.inspector.naming import head_names, layer_names
from app.inspector.picks import pick_layer
from app.inspector.probe import Probe, answers_about, correlation_grid, marked, pick_written
from app.page.changed_run import draw_open
from app.page.kit import Code, QuizTask, Screens, guess, say
from app.views.walk.explanation import data

SAMPLES: Final = {
    "phrases-es": N_("Spanish sentences of our phrase book"),
    "phrases-fr": N_("French sentences of our phrase book"),
    "phrases-en-es": N_("English sentences of our phrase book"),
    "phrases-en-fr": N_("English sentences of our phrase book"),
}
MEAN: Final = N_("sample's mean")
TITLES: Final = {name: one.title for name, one in METHODS.items()} | {
    "best_head": N_("sharpest head")
}
KEPT: Final = "explanation-search"
SHOWN: Final = 6  # tokens of the output
HIGH: Final = 150  # pixels of a map's cells, so that both fit a laptop's screen


@dataclass
class BestRow:
    """The best so far of the search of one row; it is over at its last step, or when stopped."""

    key: tuple[object, ...]
    found: data.Found | None = None
    over: bool = False


def pick(probe: Probe) -> None:
    """Draw the written tokens, and the decoder's layers."""
    with st.container(horizontal=True, gap="medium"):
        pick_written(probe)
        pick_layer(probe.walk.config.n_decoder_layers)


screens = Screens[Probe]()


@screens("claims", N_("Claim and counter-claim"), pick=False)
def draw_claims(probe: Probe) -> None:
    """Draw claim and counter-claim, each with the sample's answer, and say what was measured."""
    evidence = data.evidence_of(probe.walk)
    model = probe.walk.translation.model
    command = f"python -m model evidence --model {model} --out …/{model}/evidence.json"
    measured = _(
        "This model carries no numbers about a sample; the screens that follow ask it about "
        "your sentence. For a sample: `{command}`"
    ).format(command=command)
    if evidence is not None:
        measured = _(
            "Measured once, on one token of each of {n} {sample}; `python -m model evidence` makes "
            "the numbers again."
        ).format(n=evidence.tokens, sample=_(SAMPLES[evidence.sample]))
    say(*_claims(evidence)[:2], f":small[{measured}]")


def closest(evidence: data.Evidence) -> data.Agreement:
    """Return the method that agrees most with leave-one-out."""
    return max(evidence.agreements, key=lambda one: one.mean)


def _claims(evidence: data.Evidence | None) -> list[str]:
    """Return the claims of three papers, each with the sample's answer, where there is one."""
    claims = (
        N_(
            "**Attention is not explanation** (Jain & Wallace 2019). Weights hardly agree with "
            "gradients and with leave-one-out, and quite different weights can give the same "
            "answer. If two maps lead to one output, neither is *the* reason."
        ),
        N_(
            "**Attention is not not explanation** (Wiegreffe & Pinter 2019). An explanation need "
            "not be the only one. Weights made up for one sentence are no model that anybody "
            "trained; the test is whether attention matters at all: make it uniform, and see what "
            "is lost."
        ),
        N_(
            "**The elephant in the interpretability room** (Bastings & Filippova 2020). Say what "
            "you want to know. If it is which input words mattered for the output, ask that: "
            "gradients and leave-one-out do, and a weight of one layer does not."
        ),
    )
    if evidence is None:
        return [_(claim) for claim in claims]
    answers = _answers(evidence)
    return [f"{_(claim)}\n\n{here}" for claim, here in zip(claims, answers, strict=True)]


def _answers(evidence: data.Evidence) -> list[str]:
    by = {one.method: one for one in evidence.agreements}
    weights, best = by["attention_mean"], closest(evidence)
    layers = evidence.layers
    uniform = [layer.uniform for layer in layers]
    return [
        _(
            "*Here:* weights, the mean of all heads, agree with leave-one-out on the order of "
            "the source tokens with a rank correlation of {rho}; in {found} of the searches, "
            "other weights with the same output were found, at a distance of {distance} (1 is "
            "the farthest)."
        ).format(
            rho=signed(weights.mean),
            found=percent(fmean(layer.found for layer in layers)),
            distance=number(fmean(layer.distance for layer in layers)),
        ),
        _(
            "*Here:* with uniform attention over the source in all layers, a token loses {lost} "
            "nats of log p; in one layer alone, from {least} to {most}."
        ).format(
            lost=number(evidence.uniform), least=number(min(uniform)), most=number(max(uniform))
        ),
        _(
            "*Here:* “{best}” comes closest to leave-one-out, with {rho}; weights, the mean of "
            "all heads, put the same token first for {mean} of the tokens, “{best}” for {same}."
        ).format(
            best=_(TITLES[best.method]),
            rho=signed(best.mean),
            mean=percent(weights.same),
            same=percent(best.same),
        ),
    ]


@screens(
    "agree",
    N_("Do weights agree with experiments?"),
    Code(
        N_("Rank correlation"),
        r"\rho = \operatorname{corr}(\operatorname{rank} a, \operatorname{rank} b)",
        "model.interpret.experiments.importance:spearman",
    ),
    pick=pick_written,
)
def draw_agree(probe: Probe) -> None:
    """Draw each method's correlation for the chosen token, and those of the sample."""
    say()
    found, evidence = answers_about(probe), data.evidence_of(probe.walk)
    if evidence is not None:
        guess(guess_agree(evidence))
    say(agree_text(probe))
    columns, values = [_("your token")], found.correlations[0, 1:, None]  # (R - 1, 1)
    if evidence is not None:
        sample = [[one.mean, *one.quartiles] for one in evidence.agreements]
        columns += [_(MEAN), "25 %", "50 %", "75 %"]
        values = np.hstack([values, sample])
    title, labels = _("rank correlation with leave-one-out"), {"col_labels": columns}
    grids = [correlation_grid(values, title, row_labels=titles(found), **labels)]
    if evidence is not None:
        same = np.array([[one.same] for one in evidence.agreements])
        grids.append(weights_grid(same, _("same token first"), titles(found), [_(MEAN)]))
    hatched = _("one of the two gives all tokens the same")
    draw_board(grids, "explanation-agree", text={"hatched": hatched})


def agree_text(probe: Probe) -> str:
    """Say what is compared, and which method comes closest."""
    text = _(
        "Hide one source token after the other: what “{word}” loses is an experiment, "
        "leave-one-out. Each row ranks the source tokens in another way and is compared with "
        "that: +1 is the same order, 0 no relation. First column: your token."
    ).format(word=marked(probe.word))
    evidence, found = data.evidence_of(probe.walk), answers_about(probe)
    correlations = found.correlations[0, 1:]
    if evidence is None or not np.isfinite(correlations).any():
        return text
    best = titles(found)[int(np.nanargmax(correlations))]
    sampled = _(TITLES[closest(evidence).method])
    sample = _(
        "The others: {n} tokens of the sample. For your token “{best}” comes closest, on the "
        "sample “{sampled}”."
    ).format(n=evidence.tokens, best=best, sampled=sampled)
    return f"{text} {sample}"


def guess_agree(evidence: data.Evidence) -> QuizTask:
    """Ask which method agrees most, on the sample."""
    best = closest(evidence)
    says = N_("It is “{best}”, with a mean rank correlation of {rho}.")
    return QuizTask.of(
        N_(
            "On {n} tokens of a sample: which of these ranks the source tokens most like "
            "leave-one-out?"
        ),
        [_(TITLES[one.method]) for one in evidence.agreements],
        [evidence.agreements.index(best)],
        says,
        n=evidence.tokens,
        best=_(TITLES[best.method]),
        rho=signed(best.mean),
    )


def titles(found: Importance) -> list[str]:
    """Return what the methods are called that are compared with leave-one-out."""
    return [_(TITLES[method]) for method in found.methods[1:]]


@screens(
    "search",
    N_("Other attention, same output"),
    Code(
        N_("The search"),
        r"\max_{A'} \operatorname{JS}(A, A') \quad\text{where}\quad "
        r"\tfrac12 \sum_w |p_w - p'_w| \le 0.01",
        "model.interpret.experiments.other_attention:search",
    ),
    Code(
        N_("How far apart two maps are"),
        r"\operatorname{JS}(p, q) = H\!\left(\tfrac{p + q}{2}\right) - \tfrac12 (H(p) + H(q))",
        "model.interpret.experiments.other_attention:divergence",
    ),
    pick=pick,
)
def draw_search(probe: Probe) -> None:
    """Search, as far as it was not done; then draw both maps."""
    text = _(
        "All heads of layer {layer} may look anywhere while “{word}” is written; the rest of "
        "the model stays as it is. Gradients push their weights away from the model's own, and "
        "back whenever the distribution of the next token moves by more than {most} (total "
        "variation)."
    )
    say(text, layer=probe.layer + 1, word=marked(probe.word), most=number(data.MOST))
    made = _made(probe)
    if made is None:
        st.button(_("Search again"), "search-again", on_click=partial(st.session_state.pop, KEPT))
        return
    st.markdown(_found(probe, made))
    heads, source = head_names(made.rows.shape[1]), probe.sources
    maps = zip(made.rows, (_("the model's own weights"), _("found weights")), strict=True)
    grids = [weights_grid(*each, heads, source, height=HIGH) for each in maps]
    draw_board(grids, "explanation-search")


@screens.drawer("same", N_("The same output"))
def draw_same(probe: Probe) -> None:
    """Draw the probabilities and the translation of both runs; search, if it was not done."""
    made = _made(probe)
    if made is None:
        return
    top = np.argsort(-made.outputs[0])[:SHOWN]
    tokens = [probe.walk.token(int(i)).text for i in top]
    rows, title = [_("the model"), _("found")], _("probability of the next token")
    draw_board([weights_grid(made.outputs[:, top], title, rows, tokens)], "explanation-same")
    draw_translations(made.run)
    draw_open(*made.changes, key="open-other")


def _made(probe: Probe) -> data.Other | None:
    """Return the run with what the search found, or say that nothing was found."""
    found = _searched(probe)
    if found is not None and found.distance >= data.LEAST:
        return data.other(probe.walk, probe.layer, probe.at, found)
    st.info(_("Nothing has been found so far: all other maps that were tried change the output."))
    return None


def _searched(probe: Probe) -> data.Found | None:
    """Search with a bar of progress; a click on Stop leaves the best so far."""
    key = probe.walk.key, probe.layer, probe.at
    kept: BestRow | None = st.session_state.get(KEPT)
    if kept is not None and kept.key == key and kept.over:
        return kept.found
    kept = st.session_state[KEPT] = BestRow(key)
    place = st.empty()
    label, icon = _("Stop the search"), ":material/stop:"
    with place.container(horizontal=True, vertical_alignment="center"):
        st.button(label, "search-stop", icon=icon, on_click=setattr, args=(kept, "over", True))
        bar = st.progress(0.0)
    for step, found in enumerate(data.search(probe.walk, probe.layer, probe.at), start=1):
        kept.found = found
        text = _("Step {step} of {all}: distance {distance}").format(
            step=step, all=data.STEPS, distance=number(found.distance)
        )
        bar.progress(step / data.STEPS, text=text)
    kept.over = True
    place.empty()
    return kept.found


def _found(probe: Probe, made: data.Other) -> str:
    before, after = made.rows.mean(1)  # (S,) each
    key = int(before.argmax())
    return _(
        "Found, and run once more with these weights: their distance from the model's own is "
        "**{distance}** (Jensen-Shannon, 0 is the same, 1 the farthest), and the output has moved "
        "by **{moved}**. The model's heads gave most to “{key}”, {before} on average; now it is "
        "{after}."
    ).format(
        distance=number(made.distance),
        moved=number(made.moved, 4),
        key=marked(probe.source(key)),
        before=percent(before[key]),
        after=percent(after[key]),
    )


@screens(
    "uniform",
    N_("Does it matter at all?"),
    Code(
        N_("Many changes of one run at once"),
        r"A_{t,s} = \tfrac1S,\qquad \Delta_t = \log p'_t - \log p_t",
        "model.interpret.experiments.plan:each_alone",
    ),
    pick=pick,
)
def draw_uniform(probe: Probe) -> None:
    """Draw the change of each token's log p, and say it of the chosen one."""
    say()
    guess(guess_uniform(probe))
    changes = data.uniform(probe.walk)
    text = _(
        "Now no made-up weights: every head looks at all source tokens equally, for the whole "
        "sentence. “{word}” changes its log p by {one} if only layer {layer} does so, and by "
        "{all} if all layers do. That there *are* other weights with the same output does not "
        "mean that *any* will do."
    )
    one, all_ = signed(changes[probe.layer, probe.at]), signed(changes[-1, probe.at])
    say(text, word=marked(probe.word), layer=probe.layer + 1, one=one, all=all_)
    rows = [*layer_names(len(changes) - 1), _("all layers")]
    title = _("Δ log p with uniform attention")
    grid = array_grid(changes, title, "output", row_labels=rows, col_labels=probe.written)
    draw_board([grid], "explanation-uniform")


def guess_uniform(probe: Probe) -> QuizTask:
    """Ask what is left of the token's probability."""
    log_p = probe.log_p[probe.at]
    logs = log_p, log_p + data.uniform(probe.walk)[-1, probe.at]
    before, after = (float(powers(log)) for log in logs)
    asks = N_(
        "The model gives “{word}” a probability of {before}. All heads of all layers look at "
        "all source tokens equally: what is left of it?"
    )
    says, options = N_("{after} is left."), [_("More than half"), _("Less than half")]
    values = {"word": probe.word, "before": share(before), "after": share(after)}
    return QuizTask.of(asks, options, [int(2 * after < before)], says, **values)


@screens("conclude", N_("What one may conclude"), pick=False, was=("ask",))
def draw_conclude(probe: Probe) -> None:
    """Draw what to ask instead, with the sample's answer."""
    text = _(
        "- **A weight is a fact about the computation**, and an exact one: this much of this "
        "vector goes into that sum. It is not a measure of what the word was worth.\n- **One "
        "map is not the reason.** There are other maps with the same output, and vectors are "
        "mixtures when a layer looks at them. Say “head 3 of layer 2 looks at”, not “the model "
        "chose this because of”.\n- **Attention matters all the same.** Make it uniform and "
        "the translation suffers; mute a head and see which word does.\n- **Ask the question "
        "that you have.** Which input mattered: leave-one-out or gradients. What a head does: "
        "mute it. What a layer moves: norms. Then compare: where several agree, you may "
        "believe it; where they differ, say so."
    )
    say(text, _claims(data.evidence_of(probe.walk))[2])
