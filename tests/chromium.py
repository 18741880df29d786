"""Where this machine keeps a Chromium for the browser tests and the screenshots."""

import os
import shutil
from functools import lru_cache
from pathlib import Path

from playwright.sync_api import sync_playwright

# Headless alone, the shell draws the same without a window around it: a tenth less to compute.
COMMANDS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
MAC_APP = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


@lru_cache
def find_chromium() -> str | None:
    """Path of a browser: $CHROMIUM, then the system's, then Playwright's own; None without one."""
    if named := os.environ.get("CHROMIUM"):
        return shutil.which(named)
    for command in COMMANDS:
        if path := shutil.which(command):
            return path
    if MAC_APP.exists():
        return str(MAC_APP)
    return _playwrights_own()


def _playwrights_own() -> str | None:
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None
