"""What a book is made of, without a browser: its texts, its states, its files."""

import json
import os
import re
import signal
import sys
from functools import cache
from pathlib import Path
from signal import SIGTERM
from types import ModuleType
from typing import Any

import pytest

from app.book import command, front, markdown
from app.book.build import BookPlan, build, chapters, filled, of_lesson, packed, single
from app.book.cells import Cells, run_of
from app.book.record import ScreenState
from app.book.states import Recording, record
from app.components.grid import cells, numbers
from app.lesson import Lesson, Stop
from app.page.lesson import LESSONS
from app.registry import Address
from app.views.walk.output import screens as output
from tests.app.chart_words import unknown

SENTENCE = "Nunca es"
RUN = {"model": "es-en", "text": SENTENCE, "lang": "en"}
SOFTMAX = Address("self_attention", "softmax")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (r":small[**a** b\]]", '<span class="of-small"><strong>a</strong> b]</span>'),
        (":gray[:red[x] y]", '<span class="of-gray"><span class="of-red">x</span> y</span>'),
        (r"a \$5 \:red[x] <b>", "a $5 :red[x] &lt;b&gt;"),
        (":material/check: ok", '<span class="icon" aria-hidden="true">✓</span> ok'),
        (":material/unheard_of: ok", " ok"),
        ("5 $ and no more", "5 $ and no more"),
        (":red[not closed", ":red[not closed"),
    ],
)  # fmt: skip
def test_markdown_has_streamlits_directives_and_no_html(text: str, html: str) -> None:
    assert markdown.inline(text) == html


def test_formulas_are_mathml_in_which_texts_are_escaped() -> None:
    """The library puts a text into its MathML as it is: a token could have been a script."""
    drawn = markdown.inline(r"$x < 0{,}25 + \text{<img src=x onerror=alert(1)>} \cdot (-2)$")
    assert "<img" not in drawn
    assert "<mo>&lt;</mo><mtext>0,25</mtext>" in drawn
    assert '<mo form="prefix">−</mo>' in drawn
    lines = markdown.formula(r"\begin{aligned} \lVert a \rVert &= \arg\max_w b \end{aligned}", True)
    assert '<mtd columnalign="right">' in lines
    assert "\\" not in lines.partition(">")[2].partition("<mrow>")[2]


def test_texts_stand_in_the_page_itself_but_for_long_ones() -> None:
    """A table of 16,000 numbers stood in the page's HTML and in its data: 684 kB for one screen."""
    html = '<p><div class="piece" data-piece="ab"></div>!<div class="piece" data-piece="c"></div>'
    found = filled(html, {"ab": "<i>short</i>", "c": "x" * 20_000})
    assert found == html.replace('"ab"></div>', '"ab"><i>short</i></div>')


@cache
def softmax() -> Recording:
    """The states of a screen of the tiny model; nothing may change them."""
    return record(SOFTMAX, RUN, 40, lambda _state: 1)


def test_choices_alone_and_in_pairs_lead_to_states(models: Path) -> None:
    """The layers, the heads and the words of a chapter; back to the first by what it has."""
    found = softmax()
    settings = [state.settings for state in found.states]
    assert settings[0] == {}
    assert {"head": "2"} in settings
    assert {"word": "0"} in settings
    assert any(len(each) == 2 for each in settings)
    assert found.choices["head-en"][0] == {"head": None}
    assert found.events["pick-word"]["0"] == {"word": "0"}
    drawn = [board(state) for state in found.states]
    assert len(set(drawn)) == len(drawn), "two states show the same numbers"


def test_a_click_on_a_wall_chooses_that_head_from_another_one(models: Path) -> None:
    """From any open head but the first, a click set the head to the number of the layer."""
    opened = {**RUN, "layer": "2", "head": "3"}
    found = record(Address("heads", "all"), opened, 20, lambda _state: 1)
    events = found.events["heads-wall"]
    assert events['{"layer":0,"head":3}'] == {"layer": "1", "head": "4"}
    assert events['{"layer":1,"head":2}'] == {"layer": "2", "head": "3"}
    settings = [state.settings for state in found.states]
    recorded = [{"layer": s.get("layer"), "head": s.get("head")} for s in settings]
    assert all(made in recorded for made in events.values())


def test_other_offers_after_another_choice_are_drawn_before_they_are_made(
    models: Path,
) -> None:
    """Where another token changes, others are offered for it: the walk as a book ended there."""
    run = {**RUN, "text": "la casa azul", "replaced": "2"}
    found = record(Address("masked_attention", "peek"), run, 20, lambda _state: 1)
    made = [change and change["instead"] for change in found.choices["instead-en"]]
    assert made == [None, "1", "2", "3", "4"]


def board(state: ScreenState) -> str:
    """What the board of a screen draws."""
    (found,) = (node.body.json for node in state.main.walk() if node.component == "board")
    return str(found)


def test_heavy_states_are_left_out_and_their_choices_with_them(models: Path) -> None:
    found = record(SOFTMAX, RUN, 10, lambda _state: 15)
    assert len(found.states) < 8
    made = found.choices["head-en"]
    assert None in made
    assert not found.offers("head-en", made.index(None))


def test_a_guess_comes_before_the_picture(models: Path) -> None:
    found = record(Address("vectors", "tokens"), RUN, 1, lambda _state: 1)
    asked, *others = found.states
    assert not asked.settings
    assert {state.settings["@guess"] for state in others} >= {"show", "0", "1"}


def test_a_folder_has_a_page_a_screen_in_each_language(models: Path, tmp_path: Path) -> None:
    folder = tmp_path / "book"
    lesson = Lesson("One", (Stop("vectors", "tokens"), Stop("lessons")))
    app = "https://school.example/app/"
    plan = BookPlan(of_lesson(lesson)[:1], [SENTENCE], ("en", "es"), room=0, app=app)
    build(plan, folder)
    page = (folder / "es/1/1.html").read_text(encoding="utf-8")
    assert 'lang="es"' in page
    assert "Content-Security-Policy" in page
    assert "unsafe-eval" not in page
    for source in re.findall(r'(?:src|href)="([^"#]+\.(?:js|css))"', page):
        assert (folder / "es/1" / source).is_file(), source
    assert "en/1/1.html" in (folder / "index.html").read_text(encoding="utf-8")
    beyond = (folder / "es/1/app.html").read_text(encoding="utf-8")
    assert 'href="https://school.example/app/training"' in beyond
    assert 'href="1.html"' in beyond
    with pytest.raises(ValueError, match="not empty"):
        build(plan, folder)


@pytest.fixture
def broken(models: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command's arguments for a book of a chapter of which two cannot be drawn."""

    def fail(*_args: object) -> None:
        raise TypeError("one argument is missing")

    for name in ("softmax", "lens"):
        part = next(one for one in output.screens if one.slug == name)
        monkeypatch.setitem(vars(part), "draw", fail)
    return ["--chapters", "output", "--sentence", SENTENCE]


@pytest.mark.parametrize("form", [[], ["--single"]])
def test_a_book_in_which_screens_fail_is_not_written(
    broken: list[str], form: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each book told on one screen that it could not be shown, and the command said nothing."""
    with pytest.raises(SystemExit) as ended:
        command.main([*broken, *form, "--out", str(tmp_path / "book")])
    assert ended.value.code
    told = capsys.readouterr().err.partition("screens failed")[2]
    assert [line.split(":")[0].strip() for line in told.splitlines()[1:]] == [
        "en 1 output.softmax", "en 1 output.lens",
    ]  # fmt: skip
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", [[], ["--single"]])
def test_a_book_that_is_ended_leaves_nothing_behind(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: list[str]
) -> None:
    """Half a folder stayed, and the next attempt was refused because it had files."""
    asked = ["--chapters", "output", "--sentence", SENTENCE, *form]
    asked += ["--out", str(tmp_path / "book")]
    if not form:
        (tmp_path / ".book.unfinished").mkdir()  # of a folder that was killed at once
        (tmp_path / ".book.unfinished" / "index.html").touch()
    monkeypatch.setattr("app.book.build.filled", lambda *_asked: os.kill(os.getpid(), SIGTERM))
    before = signal.getsignal(SIGTERM)
    try:
        with pytest.raises(SystemExit) as ended:
            command.main(asked)
    finally:
        signal.signal(SIGTERM, before)
    assert ended.value.code == 128 + SIGTERM
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_several_at_a_time_write_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of questions were another in each process, and a page's header was in English."""
    lesson = Lesson("One", (Stop("vectors", "tokens"),))
    plan = BookPlan(of_lesson(lesson), ["Hola"], ("en", "fr"), room=0)
    written = []
    # Streamlit puts a page's script in the place of the program, which a new process begins with.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    for jobs in (2, 1):
        out = tmp_path / str(jobs)
        build(plan, out, jobs=jobs)
        files = [file for file in out.rglob("*") if file.is_file()]
        written.append({file.relative_to(out): file.read_bytes() for file in files})
    assert written[0] == written[1]


def test_one_file_allows_its_own_script_alone(models: Path) -> None:
    page = single(BookPlan(chapters(["output"])[:1], [SENTENCE, "Hola"], ("en", "es"), room=0))
    header = re.search(r"<header.*?</header>", page, re.DOTALL)
    assert header
    assert "<select" not in header[0], "the files of other sentences are not there"
    assert re.search(r"script-src 'sha256-[\w+/=]+'\">", page)
    assert page.count("<script") == 1
    assert 'href="app.html"' not in page


def test_no_text_ends_the_script_that_it_stands_in() -> None:
    assert "</script" not in packed("one", {"text": "</script>"})


def test_what_is_not_there_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for asked in ("--chapters", "--lesson", "--language", "--sentences", "--app"):
        with pytest.raises(SystemExit):
            command.main(["--out", str(tmp_path / "book"), asked, "none"])
        assert "error: " in capsys.readouterr().err
        assert not (tmp_path / "book").exists()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("--lesson", "nope"), f"one of {', '.join(LESSONS)}."),
        (("--lesson", "evolution", "--model", "nope"), "There is no model 'nope', only es-en, "),
        (("--lesson", "own", "--model", "fr-en"), "names its model: leave --model out."),
    ],
)
def test_a_lesson_that_is_not_there_or_has_models_is_told(
    models: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    asked: tuple[str, ...],
    says: str,
) -> None:
    """The lessons were not named, and a model beside one was passed over in silence."""
    own = Lesson("Own", (Stop("vectors", "tokens", {"model": "es-en"}),))
    monkeypatch.setitem(LESSONS, "own", own)
    with pytest.raises(SystemExit) as ended:
        command.main(["--out", str(tmp_path / "book"), *asked])
    assert ended.value.code == 2
    assert says.replace(", own.", ".") in capsys.readouterr().err.replace(", own.", ".")
    assert not (tmp_path / "book").exists()


CHANGED = {**RUN, "change": "hide-src-2"}


def grids(state: ScreenState) -> list[dict[str, Any]]:
    """The grids of a screen's board."""
    return [item for item in json.loads(board(state))["fixed"]["items"] if item.get("name")]


@pytest.mark.parametrize("settings", [RUN, CHANGED, {**CHANGED, "run": "before"}], ids=str)
def test_a_number_opens_the_calculation_of_its_own_run(settings: dict[str, str]) -> None:
    """A stop with changes once opened the calculations of the run without them."""
    (state,) = record(SOFTMAX, settings, 0, lambda _state: 1).states
    cells = Cells(run_of(settings))
    drawn = grids(state)
    assert cells.opens(drawn)
    cells.take([state.main])
    weights = drawn[-1]  # of one word, those that it gives to all
    assert weights["name"] == "encoder.0.self_attn.weights"
    shown = numbers(weights).ravel().tolist()
    opened = [it["number"] for key, it in cells.panels.items() if key.startswith(weights["name"])]
    assert sorted(map(float, opened)) == pytest.approx(sorted(shown), rel=1e-3)


def test_a_board_of_another_run_opens_nothing(models: Path) -> None:
    """It was told by its three largest numbers, whatever their signs."""
    (state,) = record(SOFTMAX, CHANGED, 0, lambda _state: 1).states
    original, own = Cells(run_of(RUN)), Cells(run_of(CHANGED))
    drawn = grids(state)
    assert own.opens(drawn)
    assert not original.opens(drawn)
    original.take([state.main])
    assert not original.panels
    item = drawn[0]
    other = {**item, **cells(-numbers(item), None)}
    assert not own.opens([other])


def test_all_states_share_the_room_for_calculations(models: Path) -> None:
    """The first state took what it liked, and those after it what was left: the last had none."""
    found = softmax()
    cells = Cells(run_of(RUN))
    cells.take(state.main for state in found.states)
    for state in found.states:
        for item in grids(state):
            begin = f"{item['name']}@{item['index'][0]}."
            assert any(key.startswith(begin) for key in cells.panels), begin


def test_the_front_page_leads_to_all_books(tmp_path: Path) -> None:
    """Only the first model's half of the site was linked."""
    for model, languages in (("es-en", ("en", "es")), ("fr-en", ("en",))):
        for language in languages:
            (tmp_path / model / language).mkdir(parents=True)
        (tmp_path / model / "index.html").touch()
    front.main(tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    books = ["es-en/en", "fr-en/en", "es-en/es"]
    assert re.findall('href="(.*?)"', page) == [f"{book}/index.html" for book in books]
    assert "default-src 'none'" in page
    front.main(tmp_path)  # once more, beside its own page


def test_screens_that_are_too_large_are_told(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.book.build.FIRST", 1000)
    told: list[str] = []
    plan = BookPlan(of_lesson(Lesson("One", (Stop("vectors", "tokens"),))), [SENTENCE], room=0)
    build(plan, tmp_path / "book", told.append)
    assert any("kB before it is drawn" in text for text in told)


@pytest.mark.parametrize(
    ("trace", "layout", "missing"),
    [
        ({"type": "violin"}, {}, {"type=violin"}),
        ({"type": "bar", "error_q": 1}, {}, {"error_q"}),
        ({"line": {"shape": "vhv"}}, {"barmode": "relative"}, {"shape=vhv", "barmode=relative"}),
        ({"type": "bar", "error_x": {"array": [1]}}, {"barmode": "stack"}, set()),
    ],
)
def test_what_no_chart_draws_is_found(
    trace: dict[str, Any], layout: dict[str, Any], missing: set[str]
) -> None:
    assert unknown({"data": [trace], "layout": layout}) == missing
