"""Open one number: the formula, the numbers in it, where they come from, and the result.

The way up ends at embeddings, positions, and what training has learned.
"""

from model.config import HALVES, Arch
from model.interpret.calculation.cell import Calculation, Cell, CellBlock
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parameters import Parameters
from model.interpret.calculation.parts import Parts, aligned, copy, number, operand, signed
from model.interpret.calculation.positions import encodings, wave
from model.interpret.calculation.recompute import recompute
from model.interpret.calculation.recurrent_explain import RECURRENT
from model.interpret.calculation.recurrent_explain import symbol as written
from model.interpret.calculation.stages import PARAM, Stage
from model.interpret.calculation.transformer_explain import TRANSFORMER
from model.interpret.capture import Capture

_SYMBOLS = {
    **{f"{letter}_{of}": f"{letter}^{of}" for letter in "Wb" for of in "QKVO12"},
    "gamma": r"\gamma",
    "beta": r"\beta",
    "src_embed": r"E^{\mathrm{src}}",
    "tgt_embed": r"E^{\mathrm{tgt}}",
    "W": r"W^{\mathrm{vocab}}",
    "b": r"b^{\mathrm{vocab}}",
}


def _embed(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    t, j = cell.index
    side = stage.name.partition(".")[0]
    tokens = numbers.capture.src if side == "src" else numbers.capture.tgt
    config = numbers.capture.config
    symbol = rf"E^{{\mathrm{{{side}}}}}_{{w_t,j}}"
    x = operand(numbers, symbol, stage.params[0], tokens[t].id, j)
    if not config.scale_embedding:
        return copy(numbers, r"\mathrm{embed}_{t,j}", symbol, x.cell.name, *x.cell.index)
    formula = rf"\mathrm{{embed}}_{{t,j}} = \sqrt{{d_{{model}}}}\;{symbol}"
    plugged = rf"\sqrt{{{config.d_model}}} \cdot {signed(x.value)}"
    return Parts(formula, (plugged,), config.embedding_scale * x.value, (x,))


def _pos(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    t, j = cell.index
    config = numbers.capture.config
    if config.positions == "none":
        return Parts(r"\mathrm{pos}_{t,j} = 0", (), 0.0)
    pair, is_sine = wave(j, config.d_model, config.positions)
    turn = r"\sin" if is_sine else r"\cos"
    place = "2i" if is_sine else "2i+1"
    if config.positions in HALVES:
        place = "i" if is_sine else r"d_{model}/2 + i"
    name, plugged = r"2i/d_{model}", f"{2 * pair}/{config.d_model}"
    if config.positions == "half":
        last = max(config.d_model // 2 - 1, 1)
        name, plugged = r"i\,/\,(d_{model}/2 - 1)", f"{pair}/{last}"
    return Parts(
        rf"\mathrm{{pos}}_{{t,\,{place}}} = {turn}\!\left(\frac{{t}}{{10000^{{{name}}}}}\right)",
        (rf"{turn}\!\left(\frac{{{t}}}{{10000^{{{plugged}}}}}\right)",),
        float(encodings(t + 1, config.d_model, config.positions)[t, j]),
    )


def parameter(numbers: Numbers, cell: Cell) -> tuple[Parts, str]:
    """Explain one learned number; one of a tied matrix leads on to the matrix it is tied to."""
    name = cell.name.removeprefix(PARAM)
    letters = "j" if len(cell.index) == 1 else "w,j" if name.endswith("_embed") else "i,j"
    symbol = f"{_SYMBOLS.get(name.rpartition('.')[2]) or written(name)}_{{{letters}}}"
    source = _initialised_by(name, numbers.capture.config.arch)
    of = numbers.parameters.tied.get(name)
    if of is None:
        return Parts(symbol, (), numbers.at(cell)), source
    turned = name == "generator.W"  # (D, V), where the table is (V, D)
    index = cell.index[::-1] if turned else cell.index
    table = f"{_SYMBOLS[of]}_{{{'j,i' if turned else 'w,j'}}}"
    return copy(numbers, symbol, table, PARAM + of, *index), source


def _initialised_by(name: str, arch: Arch) -> str:
    scope, _, last = name.rpartition(".")
    if scope in ("", "generator"):
        return "model.nn.translator:Translator.__init__"
    if arch != "transformer":
        if scope.endswith("_attn"):
            return "model.nn.rnnsearch:AdditiveAttention.__init__"
        if last[0] in "WUbu" and last[-1] in "rznh":
            return "model.nn.cell:RecurrentCell.__init__"
        if arch == "rnn":
            return "model.nn.rnn:RnnDecoder.__init__"
        return "model.nn.rnnsearch:SearchDecoder.__init__"
    if scope.endswith("_attn"):
        return "model.nn.attention:MultiHeadAttention.__init__"
    if scope.endswith("ffn"):
        return "model.nn.layers:FeedForward.__init__"
    if "add_norm" in scope:
        return "model.nn.layers:AddNorm.__init__"
    return "model.nn.transformer:Transformer.__init__"


_EXPLAINERS = {**TRANSFORMER, **RECURRENT, "embed": _embed, "pos": _pos}


def explain(capture: Capture, parameters: Parameters, cell: Cell) -> Calculation:
    """Return how one number is computed, recomputed in float64 from the captured numbers before it.

    Raises ValueError for a cell that the model does not have.
    """
    numbers = Numbers(capture, parameters)
    cell = numbers.valid(cell)
    captured: float | None = numbers.at(cell)
    if cell.name.startswith(PARAM):
        parts, source = parameter(numbers, cell)
    else:
        stage = numbers.stages[cell.name]
        parts, source = _EXPLAINERS[stage.kind](numbers, stage, cell), stage.source
        if not stage.captured:
            captured = None
    changes, value = _changed(numbers, cell, parts.value)
    single = (CellBlock(operand.cell.name, operand.cell.index) for operand in parts.operands)
    return Calculation(
        cell=cell,
        formula=parts.formula,
        numbers=_written(parts, value if changes else None),
        recomputed=value,
        captured=captured,
        terms=parts.terms,
        operands=parts.operands,
        sources=tuple(dict.fromkeys((*parts.blocks, *single))),
        source=source,
        changes=changes,
        rule=parts.value if changes else None,
    )


def _changed(numbers: Numbers, cell: Cell, value: float) -> tuple[tuple[str, ...], float]:
    """Return the changes of the run that put another number here, and that number."""
    overrides = numbers.capture.overrides.get(cell.name, ())
    if not overrides:
        return (), value
    array, _ = recompute(numbers, numbers.stages[cell.name])
    changes = []
    for override in overrides:
        before = array[cell.index]
        array = override.apply(array, numbers.capture.arrays)
        if array[cell.index] != before:
            changes.append(override.change)
    return tuple(changes), float(array[cell.index]) if changes else value


def _written(parts: Parts, changed: float | None) -> str:
    """Put the value after the numbers, or below them if they take several lines.

    An arrow leads to the number that a change put in its place.
    """
    result = number(parts.value)
    arrow = [] if changed is None else [rf"\rightsquigarrow {number(changed)}"]
    if len(parts.numbers) > 1 or arrow:
        return aligned([*parts.numbers, f"= {result}", *arrow])
    return " = ".join((*parts.numbers, result))
