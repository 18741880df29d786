"""Parameters stand under the paper's names, in float64, and do not change."""

import numpy as np
import pytest
import torch

from model.interpret.calculation.parameters import parameters
from model.nn.transformer import Transformer
from model.nn.translator import n_parameters
from tests.model.interpret.calculation.cases import case
from tests.model.samples import tiny_model


def test_every_parameter_has_one_name() -> None:
    for shared, tied in ((True, True), (True, False), (False, True), (False, False)):
        made = case(share_embeddings=shared, tie_generator=tied, norm="pre")
        arrays = made.parameters.arrays
        tied_names = made.parameters.tied
        numbers = sum(array.size for name, array in arrays.items() if name not in tied_names)
        assert numbers == n_parameters(made.model)
        expected = ["tgt_embed"] * shared + ["generator.W"] * tied
        assert list(made.parameters.tied) == expected
        for name, of in made.parameters.tied.items():
            assert np.shares_memory(arrays[name], arrays[of])


def test_a_matrix_multiplies_from_the_right_and_is_cut_into_heads() -> None:
    made, x = case(n_heads=8), torch.randn(1, 3, 16)
    assert isinstance(made.model, Transformer)
    attention = made.model.decoder[1].cross_attn
    y = x[0].double().numpy() @ made.parameters["decoder.1.cross_attn.W_O"]
    y += made.parameters["decoder.1.cross_attn.b_O"]
    assert y == pytest.approx(attention.w_o(x)[0].detach().numpy(), abs=1e-5)
    q = attention.query(x)[0].detach().numpy()  # (H, T, d_k)
    scope = "decoder.1.cross_attn"
    mine = x[0].double().numpy() @ made.parameters.heads(f"{scope}.W_Q")  # (H, T, d_k)
    mine += made.parameters[f"{scope}.b_Q"].reshape(8, 1, 2)
    assert mine == pytest.approx(q, abs=1e-5)
    assert made.parameters.heads(f"{scope}.W_O").shape == (8, 2, 16)


def test_nothing_can_be_changed_nothing_is_copied_and_an_unknown_name_is_refused() -> None:
    """A large model has no room for its weights twice."""
    model = tiny_model()
    made = parameters(model)
    assert all(not array.flags.writeable for array in made.arrays.values())
    assert np.shares_memory(made["src_embed"], model.src_embed.weight.detach().numpy())
    with pytest.raises(ValueError, match="no parameter 'W_Z'"):
        made["W_Z"]
