"""How a run was trained: its plan in words, and the command that does it again."""

import streamlit as st

from app.i18n import _
from app.lessons import training as lesson
from app.services_kept import LOADED
from app.services_moments import command
from app.services_runs import RunSummary, can_repeat
from app.widgets.plain import plain
from app.widgets.said import grouped
from app.widgets.training_form import task_name


def how(one: RunSummary) -> None:
    """Draw the plan and the commands, for one machine and for several."""
    if one.plan.task == LOADED:
        st.markdown(_(lesson.NO_PLAN))
        return
    model, train = one.plan.model, one.plan.train
    st.markdown(
        _(lesson.PLAN_RECURRENT if model.recurrent else lesson.PLAN).format(
            arch=_(lesson.ARCHITECTURES[model.arch]), d_hidden=model.d_hidden,
            task=plain(task_name(one.plan.task)), pairs=grouped(one.plan.pairs),
            layers=model.n_encoder_layers, decoder=model.n_decoder_layers, heads=model.n_heads,
            d_model=model.d_model, d_ff=model.d_ff, norm=model.norm, dropout=model.dropout,
            optimizer=train.optimizer.capitalize(), schedule=train.schedule,
            rate=f"{train.learning_rate:g}", warmup=grouped(train.warmup),
            batch=grouped(train.batch_tokens), smoothing=train.label_smoothing, seed=train.seed,
        )
    )  # fmt: skip
    if one.plan.from_model:
        st.markdown(_(lesson.FROM_MODEL))
    if not can_repeat(one.plan):
        return
    st.caption(_(lesson.COMMAND))
    st.code(command(one.name), None, wrap_lines=True)
    st.caption(_(lesson.TORCHRUN))
    st.code(command(one.name, machines=2), None, wrap_lines=True)
    st.caption(_(lesson.SEEDED))
