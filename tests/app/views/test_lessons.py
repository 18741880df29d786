"""The page Lessons, and giving one: every screen opens as it was put together."""

from itertools import pairwise
from pathlib import Path
from zlib import crc32

from streamlit.testing.v1 import AppTest

from app.data.changed import changed, fitted, read
from app.data.translation import Decoding, translate
from app.lesson import MOST_STOPS, Lesson, Stop
from app.page.contents import every_drawer, every_screen, now
from app.page.lesson import LESSONS
from app.registry import Address
from model import checkpoint
from model.atlas.atlas import Atlas
from tests.app.pages import opened, row_of_steps, said, sound

MINE = Lesson(
    "Mine",
    (
        Stop("heads", "all", {"text": "Je suis."}, "Look <b>here</b>", "Ask them."),
        Stop("neuron", "", {"gate": "or"}),
        Stop("translate", "", {"text": "Que sera, sera."}),
    ),
)


def own(app: AppTest) -> Lesson:
    return Lesson.from_link(app.query_params["mine"])


def test_the_lessons_that_come_along_lead_to_screens_that_exist() -> None:
    """Screens were merged, and → led from one to itself."""
    there = {*every_screen(), *every_drawer()}
    for lesson in LESSONS.values():
        assert {Address(stop.page, stop.screen) for stop in lesson.stops} <= there
        assert all(stop.words and stop.note for stop in lesson.stops)
        shown = [
            (now(Address(stop.page, stop.screen)), dict(stop.settings), stop.words)
            for stop in lesson.stops
        ]
        assert [before for before, after in pairwise(shown) if before == after] == []


def test_the_page_offers_them_all(models: Path) -> None:
    app = opened("lessons")
    assert all(lesson.title in said(app) for lesson in LESSONS.values())
    assert [button.label for button in app.button].count("Start") == len(LESSONS)


def test_the_lessons_on_heads_show_what_their_words_say() -> None:
    """A stop's card was the head of another model, and its mute button's run another sentence."""
    stops = LESSONS["head_atlas"].stops
    model = stops[0].settings["model"]
    atlas = Atlas.load_for(checkpoint.resolve(model))
    assert atlas is not None
    heads = {f"{one.id.kind}.{one.id.layer + 1}.{one.id.head + 1}": one for one in atlas.heads}
    before, dearest = (heads[card] for card in ("encoder.2.8", "cross.1.1"))
    assert {stop.settings.get("card", "encoder.2.8") for stop in stops} == {
        "encoder.2.8",
        "cross.1.1",
    }
    assert before.role is not None
    assert before.role.role == "before"
    assert dearest.role is not None
    assert dearest.role.role == "reads"
    encoder = [one for one in heads.values() if one.id.kind == "encoder"]
    assert max(encoder, key=lambda one: one.measures["before"].mean) == before
    assert max(heads.values(), key=lambda one: one.measures["log_p_lost"].mean) == dearest
    (mute,) = (stop for stop in stops if "change" in stop.settings)
    original = translate(model, mute.settings["text"], Decoding("beam", beam=4))
    (entry,) = read(mute.settings["change"])
    run = changed(original, fitted(original, [entry.change]).plan)
    assert run.translation.output == original.output
    late = Atlas.load_for(checkpoint.resolve(stops[6].settings["model"]))
    assert late is not None
    assert late.over_training is not None
    assert not any(one.role for one in late.heads)


def test_a_link_opens_each_screen_with_its_settings(models: Path) -> None:
    for at, stop in enumerate(MINE.stops):
        query = {**stop.settings, "part": stop.screen, "lesson": MINE.to_link(), "at": str(at)}
        query = {name: value for name, value in query.items() if value}
        app = sound(opened(stop.page, all="0", **query))
        shown = row_of_steps(app)
        assert shown["chosen"] == str(at)
        assert shown["fixed"]["lesson"] == {"title": "Mine", "notes": [s.note for s in MINE.stops]}
        words = [text.value for text in app.markdown if text.value.startswith("#### ")]
        assert words == (["#### Look \\<b\\>here\\</b\\>"] if stop.words else [])


def test_a_broken_link_says_so_and_the_page_is_there(models: Path) -> None:
    for code in ("nonsense", Lesson().to_link()):
        app = opened("heads", all="0", lesson=code)
        assert not app.exception
        (error,) = app.error
        assert error.value.startswith("This link holds no lesson that can be opened.")
        assert app.title[0].value == "Many heads"


def test_a_lesson_is_put_together_ordered_and_shared(models: Path) -> None:
    app = opened("lessons", mine=MINE.to_link())
    app.text_input(key="lesson-title").set_value("Ours").run()
    app.button(key="arrow_downward-0").click().run()
    app.button(key="delete-2").click().run()
    note = next(field for field in app.text_input if field.label == "Your note")
    note.set_value("Slowly.").run()
    first, second = MINE.stops[:2]
    assert own(app) == Lesson(
        "Ours", (Stop(second.page, "", second.settings, note="Slowly."), first)
    )
    app.selectbox(key="lesson-add").set_value(Address("vectors", "row")).run()
    assert own(app).stops[2:] == (Stop("vectors", "row"),)
    assert not app.exception
    (link,) = app.code
    assert own(app).to_link() in link.value.replace("%3D", "=")


def test_a_copy_of_a_ready_lesson_can_be_changed(models: Path) -> None:
    app = opened("lessons", mine=MINE.to_link())
    app.button(key=f"edit-{crc32(b'paper')}").click().run()
    assert own(app).stops == (*MINE.stops, *LESSONS["paper"].stops)
    assert own(app).title == "Mine"


def test_a_full_lesson_says_so_and_stays(models: Path) -> None:
    full = Lesson("Full", tuple([Stop("heads")] * MOST_STOPS))
    app = opened("lessons", mine=full.to_link())
    app.button(key=f"edit-{crc32(b'paper')}").click().run()
    assert own(app) == full
    assert [toast.value.split(":")[0] for toast in app.toast] == [
        f"Together these would be more than {MOST_STOPS} screens"
    ]


def test_a_file_that_is_no_lesson_gets_one_sentence(models: Path) -> None:
    """tests/app/test_lesson.py refuses all kinds of them."""
    for data in (b"\x00\xff", b"[" * 50_000):
        app = opened("lessons", mine=MINE.to_link())
        app.file_uploader(key="lesson-file").upload("*mine*.json", data, "application/json").run()
        assert not app.exception
        (error,) = app.error
        assert error.value.startswith("“\\*mine\\*\\.json” is not a lesson: choose a file")
        assert own(app) == MINE
