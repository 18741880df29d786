"""How a run was trained: its plan in words, and the command that repeats it."""

import numpy as np
import streamlit as st

from app.data.moments import command, curves_of, schedule
from app.data.runs import LOADED, RunSummary, can_repeat
from app.format import escape, grouped, short
from app.i18n import _
from app.views.training import texts
from app.views.training.form import task_name


def draw_plan(run: RunSummary) -> None:
    """Draw the plan and the commands, for one machine and for several."""
    if run.plan.task == LOADED:
        st.markdown(_("This model came without its plan: its zip does not say how it was trained."))
        return
    model, train = run.plan.model, run.plan.train
    values = (
        vars(model)
        | vars(train)
        | {
            "arch": _(texts.ARCHITECTURES[model.arch]),
            "task": escape(task_name(run.plan.task)),
            "pairs": grouped(run.plan.pairs),
            "layers": model.n_encoder_layers,
            "decoder": model.n_decoder_layers,
            "heads": model.n_heads,
            "optimizer": train.optimizer.capitalize(),
            "rate": short(train.learning_rate),
            "dropout": short(model.dropout),
            "warmup": grouped(train.warmup),
            "batch": grouped(train.batch_tokens),
            "smoothing": short(train.label_smoothing),
        }
    )
    st.markdown(_(texts.PLAN_RECURRENT if model.recurrent else texts.PLAN).format(**values))
    for step, rate in train.rates:
        says = _("From step {step} on, the highest learning rate is {rate}.")
        st.markdown(says.format(step=grouped(step), rate=short(rate)))
    if run.plan.from_model:
        st.markdown(_("It started from the weights of a trained model, with a fresh optimiser."))
    if not can_repeat(run.plan):
        return
    for machines, text in enumerate((texts.COMMAND, texts.TORCHRUN), start=1):
        st.caption(_(text))
        st.code(command(run.name, machines), None, wrap_lines=True)
    st.caption(_(texts.SEEDED if _is_planned(run) else texts.CHANGED))


def _is_planned(run: RunSummary) -> bool:
    """Return whether the learning rates used were those of the plan as it is now."""
    steps, rates = curves_of(run.name).of("learning_rate")
    return np.allclose(rates, schedule(run.plan, steps.tolist()), rtol=1e-3, atol=0)
