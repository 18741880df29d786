"""From Enter to the new heatmap, with a pretrained model: `python -m benchmarks.page`."""

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.conftest import serve
from tests.chromium import find_chromium

GOAL = 500  # milliseconds, the median
SENTENCES = (
    "hola amigo", "el gato come pescado", "me gusta la música", "mañana voy a la playa",
    "no sé qué hacer", "tengo dos hermanos", "el libro es rojo", "vamos a comer ahora",
    "quiero un café por favor", "la casa es grande", "ella canta bien", "hoy hace mucho frío",
    "¿dónde está mi coche?", "mi padre trabaja aquí", "nos vemos el lunes",
)  # fmt: skip
# Milliseconds from now until the heatmap's columns are the words of the sentence.
UNTIL_DRAWN = """words => new Promise((resolve, reject) => {
  const look = () => {
    const host = [...document.querySelectorAll('.st-key-matrix *')].find(e => e.shadowRoot)
    const time = performance.now() - window.pressed
    if (host && host.shadowRoot.textContent.replaceAll(/\\s|␣/g, '').includes(words)) resolve(time)
    else if (time > 20000) reject(new Error('no heatmap of ' + words))
    else requestAnimationFrame(look)
  }
  look()
})"""


def measure(browser: Browser, work: Path) -> list[float]:
    """Return the milliseconds from Enter to the heatmap for each sentence."""
    times = []
    with serve(work) as address:
        page = browser.new_page(locale="en-US", viewport={"width": 1440, "height": 900})
        page.goto(f"{address}/translate")
        expect(page.locator(".st-key-matrix")).to_be_visible(timeout=60_000)
        page.wait_for_timeout(1000)
        for sentence in SENTENCES:
            page.locator(".stTextInput input").click()
            page.keyboard.press("Control+a")
            page.evaluate("window.pressed = performance.now()")
            page.keyboard.insert_text(sentence)
            page.keyboard.press("Enter")
            words = "".join(sentence.split()) + "<eos>"
            times.append(page.evaluate(UNTIL_DRAWN, words))
            page.wait_for_timeout(600)
        page.close()
    return times


def main() -> None:
    """Print the median and the range; raises SystemExit without a browser."""
    if not (chromium := find_chromium()):
        raise SystemExit("No Chromium was found.")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as work:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        times = measure(browser, Path(work))
        browser.close()
    print(
        f"Enter to heatmap: median {statistics.median(times):.0f} ms of {len(times)} sentences, "
        f"{min(times):.0f} to {max(times):.0f} ms (goal: under {GOAL} ms)"
    )


if __name__ == "__main__":
    main()
