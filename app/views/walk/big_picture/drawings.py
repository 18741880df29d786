"""The model as a drawing: all of it with its layers shut, and one layer of each half open."""

from app.components.diagram import model_diagram
from app.i18n import _
from app.ui.table import fold
from app.views.walk.big_picture import texts
from app.views.walk.big_picture.followed import Followed


def draw_map(token: Followed) -> None:
    """Draw the whole model, each part of which opens its chapter."""
    model_diagram(token.walk, "outline", key="map")
    whole = _(texts.MAP_WHOLE)
    fold(whole, "map-whole", ":material/schema:", lambda: _draw_whole(token))


def layers_text(token: Followed) -> str:
    """Say which sub-layers a layer has, and where it normalises."""
    return f"{_(texts.LAYER)} {_(texts.PRE if token.pre_norm else texts.POST)}"


def draw_layers(token: Followed) -> None:
    """Draw one layer of the encoder and one of the decoder with their sub-layers."""
    model_diagram(token.walk, "layers", key="map-layers")


def _draw_whole(token: Followed) -> None:
    model_diagram(token.walk, key="map-whole")
