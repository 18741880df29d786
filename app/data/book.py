"""A lesson as one web page, made by a process of its own: it runs the app's screens itself."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from app.lesson import Lesson

ROOT: Final = Path(__file__).parents[2]
SECONDS: Final = 900


def lesson_page(lesson: Lesson, language: str) -> bytes:
    """Return a lesson as one HTML file that needs no server.

    Raises RuntimeError where its process fails, and subprocess.TimeoutExpired.
    """
    with tempfile.TemporaryDirectory() as folder:
        written, page = Path(folder, "lesson.json"), Path(folder, "lesson.html")
        written.write_bytes(lesson.to_file())
        command = [sys.executable, "-m", "app.notebook", "book", "--single", "--lesson"]
        options = [str(written), "--language", language, "--out", str(page)]
        done = subprocess.run(
            [*command, *options],
            check=False,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        return page.read_bytes()
