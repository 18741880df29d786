"""One row of inputs through the neuron: times its weights, added up, against the threshold."""

from app.charts.theme import Role
from app.components.graph import Shown, Vertex, graph
from app.format import short
from app.i18n import _
from app.views.history.neuron import texts
from app.views.history.neuron.gate import Gate
from app.views.history.neuron.picks import SUBSCRIPTS


def sum_text(gate: Gate) -> str:
    """Say what these inputs add up to, and what the neuron makes of it."""
    row, neuron = gate.inputs[gate.row], gate.neuron
    text = _(texts.SUM_FIRES if neuron.fires(row) else texts.SUM_SILENT)
    sums = {"potential": short(neuron.potential(row)), "threshold": short(neuron.threshold)}
    return f"{text.format(**sums)} {_(texts.SUM_THEN)}"


def draw_sum(gate: Gate) -> None:
    """Draw the neuron with one row of inputs."""
    row, neuron = gate.inputs[gate.row], gate.neuron
    fires = neuron.fires(row)
    inputs = [Vertex(f"x{SUBSCRIPTS[i]}", str(x), role="input") for i, x in enumerate(row)]
    products = tuple(f"× {short(w)}" for w in neuron.weights)
    potential, all_inputs = short(neuron.potential(row)), tuple(range(len(row)))
    total = Vertex("w·x", potential, inputs=all_inputs, slopes=products)
    title, slopes = _("fires") if fires else _("is silent"), (f"≥ {short(neuron.threshold)}?",)
    role: Role = "output" if fires else "residual"
    answer = Vertex(title, str(fires), inputs=(len(row),), slopes=slopes, role=role)
    vertices = [*inputs, total, answer]
    every = [True] * len(vertices)
    label = _("The neuron, with these inputs")
    graph(vertices, Shown(every, every, every), key="neuron-drawing", label=label)
