"""The doctor's findings on a run: what is wrong, what shows it, what to do; and what goes well."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import streamlit as st

from app.data.runs import RunSummary
from app.format import escape, grouped, short
from app.i18n import N_, _
from app.views.training.data import OWN, Finding, findings_of, is_early

ICONS: Final = {"bad": ":material/error:", "warn": ":material/warning:", "good": ":material/check:"}


def draw_findings(run: RunSummary, step: int) -> None:
    """Draw the findings up to a step, the worst first."""
    findings = findings_of(run, step)
    if not findings and is_early(run, step):
        st.caption(_(EARLY))
        return
    problems = [finding for finding in findings if finding.level != "good"]
    for finding in problems:
        box = st.error if finding.level == "bad" else st.warning
        box(_text(finding, run), icon=ICONS[finding.level])
    if not problems:
        st.success(_(HEALTHY), icon=ICONS["good"])
    for finding in findings[len(problems) :]:
        st.markdown(f"{ICONS['good']} {_text(finding, run)}")


def _text(finding: Finding, run: RunSummary) -> str:
    advice = ADVICE[finding.code]
    values = {name: _value(value) for name, value in finding.values.items()}
    text = f"**{_(advice.title)}.** {_(advice.seen).format(**values)}"
    todo = (advice.todo_with_own if run.plan.task == OWN else "") or advice.todo
    return f"{text} *{_(todo)}*" if todo else text


def _value(value: float | int | str) -> str:
    """Write a number for people, and escape a visitor's text."""
    if isinstance(value, str):
        return escape(value or "∅")
    if isinstance(value, int):
        return grouped(value)
    return short(value, 3) if abs(value) < 1000 else grouped(round(value))


class Advice(NamedTuple):
    """A finding in words: its name, what shows it, and what to do, also with own pairs."""

    title: str
    seen: str
    todo: str = ""
    todo_with_own: str = ""


HEALTHY: Final = N_("The doctor finds nothing wrong with this run.")


EARLY: Final = N_("The doctor needs a few more steps before it can say anything.")


ADVICE: Final[Mapping[str, Advice]] = {
    "not_finite": Advice(
        N_("The loss was not a number"),
        N_(
            "{count} steps gave an infinite loss or gradient, the first at step {step}, with a "
            "learning rate of {rate}. They were skipped: one such step would turn every weight "
            "into “not a number”."
        ),
        N_("Lower the learning rate, or give it a longer warm-up."),
    ),
    "rate_high": Advice(
        N_("The learning rate is too high"),
        N_(
            "The loss rose from {from} to {to} around step {step}, while the learning rate rose to "
            "{rate}. The gradient norm reached {norm}; half of the steps stay below {usual_norm}. "
            "Steps that large overshoot the minimum."
        ),
        N_("Divide the learning rate by 3 to 10, or give it a longer warm-up."),
    ),
    "rate_low": Advice(
        N_("The learning rate is too low"),
        N_(
            "After {step} steps the loss has only fallen from {from} to {to}, with a learning rate "
            "of at most {rate}. It never rose, so there is room for larger steps."
        ),
        N_("Multiply the learning rate by 10, and see whether the loss falls faster."),
    ),
    "same_word": Advice(
        N_("It always writes the same word"),
        N_(
            "All {count} sample sentences come out as nothing but “{word}”. The model has learned "
            "one frequent word, and nothing about the sentence it reads."
        ),
        N_(
            "Keep training while the loss falls. If it has stopped falling, try another learning "
            "rate."
        ),
    ),
    "ignores_source": Advice(
        N_("It ignores the source"),
        N_(
            "Of {count} different sentences, {same} come out as “{output}”. The model has learned "
            "what translations look like, but not that they depend on the sentence."
        ),
        N_("Train longer: looking at the source is learned last."),
        N_(
            "Check that each line of the data holds a sentence and its own translation. If so, "
            "train longer: looking at the source is learned last."
        ),
    ),
    "peeks": Advice(
        N_("It learned by peeking"),
        N_(
            "Given the right tokens it hardly makes a mistake (a loss of {loss}), yet on its own "
            "it gets only {exact} % of the sentences right. The causal mask was off: each position "
            "could see the token it had to predict, so the model learned to copy it."
        ),
        N_("Switch the causal mask on, and train again."),
    ),
    "overfits": Advice(
        N_("It is overfitting"),
        N_(
            "Since step {step} the validation loss has risen from {best} to {last}, while the "
            "training loss kept falling, from {then} to {now}. The model learns its sentences by "
            "heart: it gets better on those it has seen, and worse on others. The weights that "
            "translated best are the ones that are kept."
        ),
        N_("Use more dropout or a smaller model, or stop earlier."),
        N_("Use more pairs, more dropout or a smaller model, or stop earlier."),
    ),
    "few_data": Advice(
        N_("There is too little data"),
        N_(
            "{parameters} parameters learn from {pairs} pairs, about {tokens} tokens, and have "
            "seen each of them {epochs} times. That is enough to memorise every sentence instead "
            "of finding the rule."
        ),
        N_("Use a smaller model."),
        N_("Use more pairs, or a smaller model."),
    ),
    "one_batch": Advice(
        N_("It can learn one batch by heart"),
        N_(
            "Trained on the same batch over and over, it reached a loss of {loss} at step {step}; "
            "a model that matches its target exactly has {floor}. So model, loss and update work "
            "together."
        ),
        N_("Now switch “Always the same batch” off, and train on all the data."),
    ),
    "one_batch_not": Advice(
        N_("It has not learned its one batch by heart"),
        N_(
            "After {step} steps on the same batch the loss is {loss}; it should come close to "
            "{floor}. A model that cannot do this will not learn from all the data either."
        ),
        N_("Give it more steps or another learning rate, and no dropout."),
    ),
    "unfinished": Advice(
        N_("It stopped too early"),
        N_(
            "At the last step, step {step}, the loss was still falling: from {from} to {to} in the "
            "last fifth of the run."
        ),
        N_("Continue the training with more steps."),
    ),
    "learns": Advice(
        N_("It learns"),
        N_(
            "The training loss fell from {from} to {to}; a model that matches its target exactly "
            "has {floor}."
        ),
    ),
    "generalises": Advice(
        N_("It learned the rule, not just the examples"),
        N_(
            "It gets {exact} % of the held-out sentences exactly right, and it never trained on "
            "those."
        ),
    ),
    "aligned": Advice(
        N_("Attention looks in the right place"),
        N_(
            "Head {head} of layer {layer} gives {weight} of its attention to the tokens that the "
            "answer really comes from."
        ),
    ),
}
