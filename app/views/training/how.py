"""How a run was trained: its plan in words, and the command that does it again."""

import streamlit as st

from app.data.moments import command
from app.data.runs import RunSummary, can_repeat
from app.format import escape, grouped
from app.i18n import _
from app.views.training import texts
from app.views.training.data.kept import LOADED
from app.views.training.form import task_name


def how(one: RunSummary) -> None:
    """Draw the plan and the commands, for one machine and for several."""
    if one.plan.task == LOADED:
        st.markdown(_(texts.NO_PLAN))
        return
    model, train = one.plan.model, one.plan.train
    st.markdown(
        _(texts.PLAN_RECURRENT if model.recurrent else texts.PLAN).format(
            arch=_(texts.ARCHITECTURES[model.arch]), d_hidden=model.d_hidden,
            task=escape(task_name(one.plan.task)), pairs=grouped(one.plan.pairs),
            layers=model.n_encoder_layers, decoder=model.n_decoder_layers, heads=model.n_heads,
            d_model=model.d_model, d_ff=model.d_ff, norm=model.norm, dropout=model.dropout,
            optimizer=train.optimizer.capitalize(), schedule=train.schedule,
            rate=f"{train.learning_rate:g}", warmup=grouped(train.warmup),
            batch=grouped(train.batch_tokens), smoothing=train.label_smoothing, seed=train.seed,
        )
    )  # fmt: skip
    if one.plan.from_model:
        st.markdown(_(texts.FROM_MODEL))
    if not can_repeat(one.plan):
        return
    st.caption(_(texts.COMMAND))
    st.code(command(one.name), None, wrap_lines=True)
    st.caption(_(texts.TORCHRUN))
    st.code(command(one.name, machines=2), None, wrap_lines=True)
    st.caption(_(texts.SEEDED))
