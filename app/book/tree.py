"""What a screen drew as HTML, with the names and classes that app/style.css knows from Streamlit.

A text or a figure is a piece, named by what is in it: what two states of a screen have in common
is kept once.
"""

import html
import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

from app.book.links import Links
from app.book.markdown import formula, icon, inline, rich
from app.book.record import Control, PageNode, ScreenState
from app.components.document import safe

GAPS: Final = ("", "1rem", "2rem", "4rem", "0", "0.25rem", "0.5rem", "6rem", "8rem")
JUSTIFY: Final = ("", "flex-start", "flex-end", "center", "space-between")
ALIGN: Final = ("", "flex-start", "flex-end", "center", "stretch")
COLUMN_ALIGN: Final = ("flex-start", "center", "flex-end")
ALERTS: Final = {1: "error", 2: "warning", 3: "info", 4: "success"}
# Buttons that a book answers: of the player, and of a question that is skipped.
PLAYER: Final = {"step-back": "back", "step-play": "play", "step-next": "next"}
SKIP: Final = "-show"
LONG: Final = 400  # characters of a text in a payload that is a piece of its own
# Components that are alike on all screens: what they draw is kept once a language.
SHARED: Final = frozenset({"search", "terms", "diagram", "timeline"})
# What a server answers, and what only moves between screens.
LEFT_OUT: Final = frozenset(
    {"empty", "toast", "download_button", "menu_button", "text_area", "spinner"}
    | {"file_uploader", "data_editor", "skeleton", "balloons"}
)


def piece_name(text: str) -> str:
    """Return the name of a piece."""
    return sha256(text.encode()).hexdigest()[:10]


class WrittenScreen:
    """A screen as HTML in which each piece is a place only, and the pieces by their names.

    `shared` are the pieces that are alike on all screens. `offers` says which option of which
    control was recorded, and `opens` whether the numbers of a board open their calculations.
    """

    def __init__(
        self,
        state: ScreenState,
        links: Links,
        offers: Callable[[str, int], bool],
        opens: Callable[[Any], bool],
    ) -> None:
        self.state, self.links, self.offers, self.opens = state, links, offers, opens
        self.pieces: dict[str, str] = {}
        self.shared: dict[str, str] = {}
        self.html = self._children(state.main)

    def _children(self, node: PageNode) -> str:
        return "".join(self._node(child) for _i, child in sorted(node.children.items()))

    def _node(self, node: PageNode) -> str:
        if node.proto is None:
            return self._children(node)
        if node.proto.DESCRIPTOR.name != "Block":
            return self._element(node)
        body = getattr(self, f"_{node.kind}", self._container)
        inside = self._children(node)
        drawn: str = body(node, inside) if inside.strip() else ""
        return drawn

    def _container(self, node: PageNode, inside: str) -> str:
        flex = node.body if node.kind == "flex_container" else None
        across = flex is not None and flex.direction == 2
        name = "stHorizontalBlock" if across else "stVerticalBlock"
        style = _flex_style(flex) if flex is not None else ""
        look = f"{name} {_key(node)}{' bordered' if flex is not None and flex.border else ''}"
        box = f'<div class="{look.strip()}" data-testid="{name}" style="{style}">{inside}</div>'
        width = _width(node.proto, "")
        return f'<div class="stLayoutWrapper" data-testid="stLayoutWrapper"{width}>{box}</div>'

    def _column(self, node: PageNode, inside: str) -> str:
        weight, align = node.body.weight, COLUMN_ALIGN[node.body.vertical_alignment]
        style = f"flex:{weight:.4g} 1 calc({100 * weight:.4g}% - 1rem);justify-content:{align}"
        return (
            f'<div class="stColumn" data-testid="stColumn" style="{style}">'
            f'<div class="stVerticalBlock" data-testid="stVerticalBlock">{inside}</div></div>'
        )

    def _expandable(self, node: PageNode, inside: str) -> str:
        sign, label = icon(node.body.icon), inline(node.body.label)
        return (
            f'<div class="stElementContainer {_key(node)}" data-testid="stElementContainer">'
            f'<details class="stExpander"><summary>{sign}<p>{label}</p></summary>'
            f'<div class="stVerticalBlock" data-testid="stVerticalBlock">{inside}</div>'
            "</details></div>"
        )

    _popover = _expandable

    def _element(self, node: PageNode) -> str:
        if node.kind in LEFT_OUT:
            return ""
        draw = getattr(self, f"_{node.kind}", None)
        if draw is None:
            raise ValueError(f"A book has no way to write {node.kind}.")
        inside: str = draw(node)
        if not inside:
            return ""
        width = _width(node.proto, node.kind)
        return (
            f'<div class="stElementContainer {_key(node)}" '
            f'data-testid="stElementContainer"{width}>{inside}</div>'
        )

    def _piece(self, text: str) -> str:
        name = piece_name(text)
        self.pieces[name] = text
        return f'<div class="piece" data-piece="{name}"></div>'

    def _markdown(self, node: PageNode) -> str:
        body, kind = node.body.body, node.body.element_type
        if kind == 4:
            return "<hr>"
        text = formula(body.strip().strip("$"), True) if kind == 3 else rich(body)
        if kind == 2:
            text = f'<div data-testid="stCaptionContainer" class="stCaption">{text}</div>'
        inside = f'<div data-testid="stMarkdownContainer">{text}</div>'
        return f'<div class="stMarkdown" data-testid="stMarkdown">{self._piece(inside)}</div>'

    def _heading(self, node: PageNode) -> str:
        tag = node.body.tag
        text = (
            f'<div data-testid="stMarkdownContainer"><{tag}>{inline(node.body.body)}</{tag}></div>'
        )
        return f'<div class="stHeading" data-testid="stHeading">{text}</div>'

    def _alert(self, node: PageNode) -> str:
        look = ALERTS.get(node.body.format, "info")
        return (
            f'<div class="stAlert {look}" role="alert">{icon(node.body.icon)}'
            f"<div>{self._piece(rich(node.body.body))}</div></div>"
        )

    def _code(self, node: PageNode) -> str:
        text = f'<pre tabindex="0"><code>{html.escape(node.body.code_text)}</code></pre>'
        return f'<div class="stCode">{self._piece(text)}</div>'

    def _html(self, node: PageNode) -> str:
        if node.body.body.lstrip().startswith("<style>") and node.body.body.rstrip().endswith(
            "</style>"
        ):
            return ""  # the style sheet of all pages
        return f'<div class="stHtml">{self._piece(node.body.body)}</div>'

    def _metric(self, node: PageNode) -> str:
        label, value = inline(node.body.label), safe(node.body.body)
        return f'<dl class="stMetric"><dt>{label}</dt><dd>{value}</dd></dl>'

    def _progress(self, node: PageNode) -> str:
        text = inline(node.body.text)
        return (
            f'<div class="stProgress">{text}<progress max="100" value="{node.body.value}">'
            f"</progress></div>"
        )

    def _page_link(self, node: PageNode) -> str:
        name = self.links.first.get(node.body.page)
        if name is None:
            return ""
        label = f"{icon(node.body.icon)}{inline(node.body.label)}"
        href = f'href="{safe(name)}.html" data-screen="{safe(name)}"'
        return f'<a class="stPageLink" {href}>{label}</a>'

    def _button(self, node: PageNode) -> str:
        key = node.key
        attributes = ""
        if key in PLAYER:
            attributes = f' data-player="{PLAYER[key]}"'
        elif key and self.offers(key, 0):
            attributes = f' data-control="{safe(key)}" data-option="0"'
        else:
            return ""
        label = f"{icon(node.body.icon)}<span>{inline(node.body.label)}</span>"
        off = " disabled" if node.body.disabled else ""
        look = f"stButton {node.body.type}"
        return f'<button class="{look}" type="button"{attributes}{off}>{label}</button>'

    def _button_group(self, node: PageNode) -> str:
        """Return buttons in a row, of which one is chosen."""
        control = self.state.controls[node.key]

        def button(i: int, text: str) -> str:
            is_chosen = str(i == control.chosen).lower()
            tab = 0 if i == (control.chosen or 0) else -1
            return (
                f'<button type="button" role="radio" tabindex="{tab}" '
                f'data-variant="segmented_control" data-selected="{is_chosen}" '
                f'aria-checked="{is_chosen}"{self._offer(control, i)}>'
                f"<p>{inline(text)}</p></button>"
            )

        buttons = "".join(button(i, option.content) for i, option in enumerate(node.body.options))
        name = safe(_plain(node.body.label))
        return (
            f'<div class="stButtonGroup">{_label(node)}<div role="radiogroup" '
            f'aria-label="{name}">{buttons}</div></div>'
        )

    def _radio(self, node: PageNode) -> str:
        control, name = self.state.controls[node.key], piece_name(node.key)
        rows = "".join(
            f'<label><input type="radio" autocomplete="off" name="{name}"'
            f"{' checked' if i == control.chosen else ''}"
            f"{self._offer(control, i)}><p>{inline(option)}</p></label>"
            for i, option in enumerate(node.body.options)
        )
        look = "across" if node.body.horizontal else "down"
        legend = inline(node.body.label)
        box = f'<fieldset class="stRadio {look}" role="radiogroup">'
        return f"{box}<legend>{legend}</legend>{rows}</fieldset>"

    def _text_input(self, node: PageNode) -> str:
        typed = self.state.texts.get(node.key, "")
        return f'<p class="typed">{safe(typed)}</p>' if typed else ""

    def _selectbox(self, node: PageNode) -> str:
        control = self.state.controls[node.key]
        rows = "".join(
            f'<option value="{i}"{" selected" if i == control.chosen else ""}'
            f"{'' if self._can(control, i) else ' disabled'}>{safe(_plain(option))}</option>"
            for i, option in enumerate(node.body.options)
        )
        return (
            f'<label class="stSelectbox">{_label(node)}'
            f'<select autocomplete="off" data-control="{safe(node.key)}">{rows}</select></label>'
        )

    def _slider(self, node: PageNode) -> str:
        control = self.state.controls.get(node.key)
        if control is None or len(control.options) < 2:
            return ""
        last, at = len(control.options) - 1, control.chosen or 0
        value = safe(control.options[at])
        off = "" if any(self._can(control, i) for i in range(last + 1) if i != at) else " disabled"
        return (
            f'<label class="stSlider">{_label(node)}<output>{value}</output>'
            f'<input type="range" autocomplete="off" min="0" max="{last}" value="{at}" '
            f'aria-valuetext="{value}" data-control="{safe(node.key)}" '
            f'data-values="{safe(" ".join(control.options))}"{off}></label>'
        )

    _number_input = _slider

    def _checkbox(self, node: PageNode) -> str:
        control = self.state.controls[node.key]
        off = "" if self._can(control, 1 - (control.chosen or 0)) else " disabled"
        return (
            f'<label class="stCheckbox"><input type="checkbox" role="switch" autocomplete="off" '
            f'data-control="{safe(node.key)}"{" checked" if control.chosen else ""}{off}>'
            f"<p>{inline(node.body.label)}</p></label>"
        )

    def _bidi_component(self, node: PageNode) -> str:
        kind = node.component
        if kind in ("saver", "progress", "pad"):
            return ""
        data = json.loads(node.body.json)
        fixed = self.links.shape(kind, data["fixed"])
        if kind == "chart":
            _shorten(fixed["figure"]["data"])
        look = " data-opens" if kind == "board" and self.opens(fixed["items"]) else ""
        return self._mounted(kind, node.key, {"fixed": fixed, "chosen": data["chosen"]}, look)

    def _mounted(self, kind: str, key: str, data: Any, look: str = "") -> str:
        """Return the place of a component; long texts in what it draws are pieces of their own."""
        pieces = self.shared if kind in SHARED else self.pieces
        text = json.dumps(_split(data, pieces), ensure_ascii=False, separators=(",", ":"))
        name = piece_name(text)
        pieces[name] = text
        return (
            f'<div class="stBidiComponent" data-kind="{kind}" data-key="{safe(key)}" '
            f'data-piece="{name}"{look}></div>'
        )

    def _can(self, control: Control, option: int) -> bool:
        return option == control.chosen or self.offers(control.key, option)

    def _offer(self, control: Control, option: int) -> str:
        off = "" if self._can(control, option) else " disabled"
        return f' data-control="{safe(control.key)}" data-option="{option}"{off}'


def _shorten(traces: list[dict[str, Any]]) -> None:
    """Keep no more digits of a chart's cells than are said of them."""
    for trace in traces:
        if trace["type"] == "heatmap" and isinstance(trace["z"], list):
            trace["z"] = [
                [None if z is None else float(f"{z:.6g}") for z in row] for row in trace["z"]
            ]


def _split(value: Any, pieces: dict[str, str]) -> Any:
    """Return what a component draws with the names of its long texts in their places."""
    if isinstance(value, dict):
        return {name: _split(each, pieces) for name, each in value.items()}
    if isinstance(value, list):
        return [_split(each, pieces) for each in value]
    if isinstance(value, str) and len(value) > LONG:
        name = piece_name(value)
        pieces[name] = value
        return f"\0{name}"
    return value


def _key(node: PageNode) -> str:
    """Return the class by which a style sheet knows a part, as Streamlit makes it of its key."""
    key = node.key
    return f"st-key-{re.sub(r'[^a-zA-Z0-9_-]', '-', key.strip())}" if key else ""


def _label(node: PageNode) -> str:
    """Return what stands above a choice, unless it is said to those alone who cannot see it."""
    shown = node.body.label_visibility.value
    look = ' class="unseen"' if shown else ""
    return f'<span data-testid="stWidgetLabel"{look}>{inline(node.body.label)}</span>'


def _plain(text: str) -> str:
    """Return the letters of a label alone."""
    return html.unescape(re.sub(r"<[^>]*>", "", inline(text)))


def _width(proto: Any, kind: str) -> str:
    spec = proto.width_config.WhichOneof("width_spec")
    if spec == "pixel_width":
        return f' style="flex:0 1 auto;width:{proto.width_config.pixel_width}px"'
    if spec == "use_content" or kind in ("button", "popover"):
        return ' data-width="content"'
    return ""


def _flex_style(flex: Any) -> str:
    rules = {
        "gap": GAPS[flex.gap_config.gap_size],
        "flex-wrap": "wrap" if flex.wrap else "",
        "justify-content": JUSTIFY[flex.justify],
        "align-items": ALIGN[flex.align],
    }
    if flex.direction != 2 and rules["gap"] == "1rem":
        del rules["gap"]  # app/style.css has its own
    return ";".join(f"{name}:{value}" for name, value in rules.items() if value)
