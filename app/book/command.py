"""`python -m app.notebook book`: a lesson, chapters or the whole walk as pages without a server."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app import i18n
from app.book.build import (
    MODEL,
    TRANSLATE,
    BookEntry,
    BookPlan,
    Pack,
    build,
    chapters,
    of_lesson,
    quiet,
    single,
)
from app.data.files import replace_text
from app.data.translation import model_names
from app.lesson import Lesson
from app.page.lesson import LESSONS, named
from app.registry import HISTORY, WALK, of_section
from app.ui.sentence_box import offered

EXAMPLES = 5  # sentences of a model, where none are given


def main(arguments: Sequence[str], pack: Pack) -> None:
    """Write screens of the app as a folder of pages that need no server, or as one file."""
    parser = argparse.ArgumentParser(prog="python -m app.notebook book", description=main.__doc__)
    parser.add_argument("--model", help=f"a name in pretrained/, or runs/NAME; else {MODEL}")
    given = parser.add_mutually_exclusive_group()
    given.add_argument("--sentences", type=Path, help="a file with a sentence in each line")
    given.add_argument("--sentence", action="append", help="a sentence; more of them one by one")
    parser.add_argument("--chapters", help="names of chapters, with commas; else the whole walk")
    parser.add_argument("--lesson", help="in their place, a lesson: its name, its link or its file")
    parser.add_argument("--language", default=i18n.DEFAULT, help="en, es or fr, or several of them")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--live", action="store_true", help="the reader may type a sentence as well")
    form.add_argument("--single", action="store_true", help="one file in place of a folder")
    chosen = "of how many sentences choices are recorded; with --live of one, else of all"
    parser.add_argument("--choices", type=int, help=chosen)
    parser.add_argument("--jobs", type=int, default=1, help="sentences that are drawn at a time")
    parser.add_argument("--app", default="", help="the address of an app for what a book cannot do")
    parser.add_argument("--out", type=Path, required=True, help="the folder, or the file")
    asked = parser.parse_args(arguments)
    quiet()
    signal.signal(signal.SIGTERM, _end)
    if asked.jobs > 1:
        os.environ["OMP_NUM_THREADS"] = "1"  # of each process that draws
    try:
        plan = _plan(asked)
        if asked.single:
            replace_text(asked.out, single(plan, _tell))
        else:
            build(plan, asked.out, _tell, pack if plan.live else None, asked.jobs)
    except (ValueError, OSError) as error:
        parser.error(str(error))


def _plan(asked: argparse.Namespace) -> BookPlan:
    languages = asked.language.split(",")
    if wrong := [code for code in languages if code not in i18n.LANGUAGES]:
        raise ValueError(f"There is no language {wrong[0]!r}, only {', '.join(i18n.LANGUAGES)}.")
    known, model = model_names(), asked.model or MODEL
    if model not in known:
        raise ValueError(f"There is no model {model!r}, only {', '.join(known)}.")
    entries, title = _entries(asked, languages[0])
    if asked.lesson and asked.model and all("model" in entry.settings for entry in entries):
        raise ValueError("Each screen of this lesson names its model: leave --model out.")
    sentences = asked.sentence or ([""] if asked.lesson else list(offered(model)[:EXAMPLES]))
    if asked.sentences:
        lines = asked.sentences.read_text(encoding="utf-8-sig").splitlines()
        sentences = [line.strip() for line in lines if line.strip()]
    if not entries or not sentences:
        raise ValueError("There is no screen, or no sentence, to make a book of.")
    if asked.app and not asked.app.startswith(("http://", "https://")):
        raise ValueError(f"An app's address begins with http:// or https://, not {asked.app!r}.")
    if asked.live:
        entries = [*entries, TRANSLATE]
    chosen = 1 if asked.live and asked.choices is None else asked.choices
    plan = BookPlan(entries, sentences, languages, model, title)
    return replace(plan, chosen=chosen, live=asked.live, app=asked.app)


def _entries(asked: argparse.Namespace, language: str) -> tuple[list[BookEntry], str]:
    if asked.lesson:
        lesson = _lesson(asked.lesson, language)
        return of_lesson(lesson), lesson.title
    every = [view.slug for section in (WALK, HISTORY) for view in of_section(section)]
    return chapters(asked.chapters.split(",") if asked.chapters else every), ""


def _lesson(text: str, language: str) -> Lesson:
    if (file := Path(text)).suffix == ".json":
        return Lesson.from_file(file.read_bytes())
    with i18n.speaking(language):
        lesson = named(text)
    if lesson is None:
        names = ", ".join(LESSONS)
        raise ValueError(
            f"There is no lesson {text[:80]!r}: give a link, a .json file, or one of {names}."
        )
    return lesson


def _end(number: int, _frame: object) -> None:
    """End as after an error, so that nothing of an unfinished book stays."""
    sys.exit(128 + number)


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")
