"""Make the moving picture that the README begins with: `python docs/stage_film.py [OUT]`.

It draws the film of a sentence's whole way, frame by frame, as the page's own *Save* does.
"""

import argparse
import base64
import io
import sys
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import serve  # noqa: E402 - only now can it be found
from tests.chromium import find_chromium  # noqa: E402

SENTENCE, MODEL = "The old house is beautiful.", "en-es"
PORT: Final = "8501"  # of `make run`: the last frame names the address
SIZE: Final = (960, 540)
EVERY: Final = 2  # of the film's frames, thirty a second
SECONDS_AT_THE_END: Final = 2
MAX_BYTES: Final = 3_000_000
QUALITIES: Final = (80, 70, 60, 50, 40, 30, 20)  # the first one whose file is small enough
PICTURE: Final = "i => { film.frame(i); return film.canvas.toDataURL('image/png'); }"


def frames_of(page: Page, address: str) -> list[Image.Image]:
    """Return the film's frames at a server's address."""
    page.goto(f"{address}/tour?{urlencode({'model': MODEL, 'text': SENTENCE})}")
    stage = page.locator('[data-testid="stage"][data-hero]')
    stage.wait_for(timeout=120_000)
    count = stage.evaluate("stage => { film = stage.studio().frames(null); return film.count; }")
    frames = []
    for i in [*range(0, count - 1, EVERY), count - 1]:
        data = base64.b64decode(page.evaluate(PICTURE, i).partition(",")[2])
        frames.append(Image.open(io.BytesIO(data)).convert("RGB").resize(SIZE))
    return frames


def animated(frames: list[Image.Image], quality: int) -> bytes:
    """Return an animated WebP that plays for ever, and rests at its last frame."""
    durations = [EVERY * 1000 // 30] * (len(frames) - 1) + [SECONDS_AT_THE_END * 1000]
    file = io.BytesIO()
    frames[0].save(
        file, "WEBP", save_all=True, append_images=frames[1:], duration=durations, loop=0,
        quality=quality, method=4,
    )  # fmt: skip
    return file.getvalue()


def main() -> None:
    """Write the file; raises SystemExit without a browser, or if no quality is small enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, nargs="?", default=ROOT / "docs/stage.webp")
    out = parser.parse_args().out
    if not (chromium := find_chromium()):
        raise SystemExit("No Chromium was found.")
    with (
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory() as work,
        serve(Path(work), port=PORT) as address,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        frames = frames_of(browser.new_page(locale="en-US", color_scheme="light"), address)
        browser.close()
    for quality in QUALITIES:
        if len(made := animated(frames, quality)) <= MAX_BYTES:
            out.write_bytes(made)
            return
    raise SystemExit(f"The film is larger than {MAX_BYTES} bytes at any quality.")


if __name__ == "__main__":
    main()
