"""Draw contact sheets of the stage: all its stops, and the moments between them, in three windows.

    python docs/stage_sheets.py OUT [--model en-es] [--text "…"] [--dark] [--only phone]

It starts the app, opens the tour, and puts the picture at each T. Look at the sheets.
"""

import argparse
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.browser.conftest import serve
from tests.chromium import find_chromium

WINDOWS: Final = {"wide": (1440, 900), "low": (1280, 720), "phone": (390, 844)}
BETWEEN: Final = (0.25, 0.5, 0.75)
ACROSS: Final = {"wide": 3, "low": 3, "phone": 6}
SENTENCE: Final = "The old house is beautiful."


def shots(page: Page, moments: Sequence[float]) -> Iterator[Image.Image]:
    """Yield the window at each moment."""
    stage = page.get_by_test_id("stage")
    for at in moments:
        stage.evaluate("(stage, at) => stage.showAt(at)", at)
        yield Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def sheet(pictures: Sequence[Image.Image], across: int, width: int) -> Image.Image:
    """Return pictures side by side and below each other."""
    w, h = pictures[0].size
    high = round(h * width / w)
    rows = -(-len(pictures) // across)
    whole = Image.new("RGB", (across * (width + 8) + 8, rows * (high + 8) + 8), "#707888")
    for i, picture in enumerate(pictures):
        at = 8 + i % across * (width + 8), 8 + i // across * (high + 8)
        whole.paste(picture.resize((width, high), Image.Resampling.LANCZOS), at)
    return whole


def main() -> None:
    """Write the sheets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--model", default="en-es")
    parser.add_argument("--text", default=SENTENCE)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--only", choices=WINDOWS)
    parser.add_argument("--address", help="of a server that runs already")
    parser.add_argument(
        "--at", type=float, nargs="*", help="single moments, each a file of its own"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.address:
        draw(options, options.address)
        return
    with serve(options.out) as address:
        draw(options, address)


def draw(options: argparse.Namespace, address: str) -> None:
    """Take the pictures at a server's address."""
    query = urlencode({"model": options.model, "text": options.text})
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for name, (width, height) in WINDOWS.items():
            if options.only not in (None, name):
                continue
            page = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme="dark" if options.dark else "light",
            )
            page.goto(f"{address}/tour?{query}")
            page.locator('[data-testid="stage"][data-hero]').wait_for(timeout=120_000)
            count = int(page.get_by_test_id("stage").get_attribute("data-stops") or 0)
            small = 470 if name != "phone" else 260
            if options.at:
                for at, picture in zip(options.at, shots(page, options.at), strict=True):
                    picture.save(options.out / f"{name}-{at:g}.png")
                continue
            stills = list(shots(page, range(count)))
            sheet(stills, ACROSS[name], small).save(options.out / f"{name}.png")
            moving = [at + part for at in range(count - 1) for part in BETWEEN]
            pictures = list(shots(page, moving))
            sheet(pictures, ACROSS[name], small * 2 // 3).save(options.out / f"{name}-between.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
