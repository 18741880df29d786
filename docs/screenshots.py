"""Take the README's pictures again, from the app with its pretrained models: `make screenshots`."""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import serve  # noqa: E402 - only now can it be found
from tests.chromium import find_chromium  # noqa: E402

SENTENCE = "text=Donde+hay+humo,+hay+fuego"
QUALITY = 88  # of WebP, from 0 to 100
WEIGHT = "word=2&ask=encoder.0.self_attn.weights@0.2.5"
SHOTS = {
    "start": "",
    "translate": "translate?" + SENTENCE,
    "big_picture": f"big_picture?part=map&{SENTENCE}",
    "self_attention": f"self_attention?part=softmax&{SENTENCE}&{WEIGHT}",
    "heads": f"heads?part=all&{SENTENCE}",
    "output": f"output?part=softmax&{SENTENCE}",
    "learning": f"learning?part=whole&{SENTENCE}",
    "atlas": f"atlas?measure=before&against=log_p_lost&card=encoder.2.8&{SENTENCE}",
    "what_if": f"what_if?part=sweep&{SENTENCE}",
    "training": "training?training=recorded/reverse",
    "evolution": "evolution?part=beside",
}


def shoot(page: Page, address: str, name: str, path: str) -> None:
    """Open a page, wait until it is drawn, and keep its picture."""
    page.goto(f"{address}/{path}")
    expect(page.locator("h1")).to_be_visible(timeout=60_000)
    page.wait_for_load_state("networkidle")
    expect(page.locator(".stMain [data-stale=true]")).to_have_count(0)
    page.wait_for_timeout(4000)
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        picture.save(ROOT / "docs" / f"{name}.webp", quality=QUALITY)


def main() -> None:
    """Take them all, or those named; raises SystemExit without a browser."""
    if not (chromium := find_chromium()):
        raise SystemExit("No Chromium was found.")
    with (
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory() as work,
        serve(Path(work)) as address,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(locale="en-US", viewport={"width": 1440, "height": 900})
        for name in sys.argv[1:] or SHOTS:
            shoot(page, address, name, SHOTS[name])
        browser.close()


if __name__ == "__main__":
    main()
