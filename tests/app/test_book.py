"""What a book is made of, without a browser: its texts, its states, its files."""

import re
from pathlib import Path

import pytest

from app.book import command, markdown
from app.book.build import Plan, build, chapters, filled, of_lesson, packed, single
from app.book.record import State
from app.book.states import record
from app.lesson import Lesson, Stop
from app.registry import Address

SENTENCE = "Nunca es"
RUN = {"model": "es-en", "text": SENTENCE, "lang": "en"}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (r":small[**a** b\]]", '<span class="of-small"><strong>a</strong> b]</span>'),
        (":gray[:red[x] y]", '<span class="of-gray"><span class="of-red">x</span> y</span>'),
        (r"a \$5 \:red[x] <b>", "a $5 :red[x] &lt;b&gt;"),
        ("$x<y$", '<span class="formula">x&lt;y</span>'),
        (":material/check: ok", '<span class="icon" aria-hidden="true">✓</span> ok'),
        (":material/unheard_of: ok", " ok"),
        ("5 $ and no more", "5 $ and no more"),
        (":red[not closed", ":red[not closed"),
    ],
)  # fmt: skip
def test_markdown_has_streamlits_directives_and_no_html(text: str, html: str) -> None:
    assert markdown.inline(text) == html


def test_texts_stand_in_the_page_itself() -> None:
    html = '<p><div class="piece" data-piece="ab"></div>!<div class="piece" data-piece="c"></div>'
    whole = filled(html, {"ab": "one", "c": "<i>two</i>"})
    assert re.sub(" data-piece=..*?>", ">", whole) == (
        '<p><div class="piece">one</div>!<div class="piece"><i>two</i></div>'
    )


def test_choices_alone_and_in_pairs_lead_to_states() -> None:
    """The layers, the heads and the words of a chapter; back to the first by what it has."""
    found = record(Address("self_attention", "softmax"), RUN, 40, lambda _state: 1)
    settings = [state.settings for state in found.states]
    assert settings[0] == {}
    assert {"head": "2"} in settings
    assert {"word": "0"} in settings
    assert any(len(each) == 2 for each in settings)
    assert found.choices["head-en"][0] == {"head": None}
    assert found.events["pick-word"]["0"] == {"word": "0"}
    drawn = [board(state) for state in found.states]
    assert len(set(drawn)) == len(drawn), "two states show the same numbers"


def board(state: State) -> str:
    """What the board of a screen draws."""
    drawn = [node for node in state.main.walk() if node.kind == "bidi_component"]
    (found,) = (node.body.json for node in drawn if node.body.component_name.endswith(".board"))
    return str(found)


def test_heavy_states_are_left_out_and_their_choices_with_them() -> None:
    found = record(Address("self_attention", "softmax"), RUN, 10, lambda _state: 15)
    assert len(found.states) < 8
    made = found.choices["head-en"]
    assert None in made
    assert not found.offers("head-en", made.index(None))


def test_a_guess_comes_before_the_picture() -> None:
    found = record(Address("vectors", "tokens"), RUN, 10**6, lambda _state: 1)
    asked, *others = found.states
    assert not asked.settings
    assert {state.settings["@guess"] for state in others} >= {"show", "0", "1"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    out = tmp_path / "book"
    lesson = Lesson("One", (Stop("vectors", "tokens"), Stop("lessons")))
    build(Plan(of_lesson(lesson)[:1], [SENTENCE], ("en", "es"), room=0), out)
    return out


def test_a_folder_has_a_page_a_screen_in_each_language(folder: Path) -> None:
    page = (folder / "es/1/1.html").read_text(encoding="utf-8")
    assert 'lang="es"' in page
    assert "Content-Security-Policy" in page
    assert "unsafe-eval" not in page
    for source in re.findall(r'(?:src|href)="([^"#]+\.(?:js|css))"', page):
        assert (folder / "es/1" / source).is_file(), source
    assert "en/1/1.html" in (folder / "index.html").read_text(encoding="utf-8")


def test_a_folder_with_files_is_left_alone(folder: Path) -> None:
    with pytest.raises(ValueError, match="not empty"):
        build(Plan(chapters(["vectors"])[:1], [SENTENCE]), folder)


def test_one_file_allows_its_own_script_alone() -> None:
    page = single(Plan(chapters(["output"])[:1], [SENTENCE], room=0))
    assert re.search(r"script-src 'sha256-[\w+/=]+'\">", page)
    assert page.count("<script") == 1


def test_no_text_ends_the_script_that_it_stands_in() -> None:
    assert "</script" not in packed("one", {"text": "</script>"})


@pytest.mark.parametrize(
    "asked",
    [["--chapters", "none"], ["--lesson", "none"], ["--language", "xx"], ["--sentences", "none"]],
)
def test_what_is_not_there_is_one_sentence(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command.main(["--out", str(tmp_path / "book"), *asked])
    assert "error: " in capsys.readouterr().err
    assert not (tmp_path / "book").exists()
