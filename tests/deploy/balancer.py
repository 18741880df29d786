"""The balancer of deploy/nginx.conf, by the real nginx, before two servers of this machine."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from tests.browser.conftest import ROOT, free_port


@contextmanager
def balanced(work: Path, one: str, two: str, port: int = 0) -> Iterator[str]:
    """Serve both by one address; raises FileNotFoundError without nginx.

    At the end all of it is killed.
    """
    nginx = shutil.which("nginx")
    if nginx is None:
        raise FileNotFoundError("no nginx found: install one (on Debian: apt-get install nginx)")
    text = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    port = port or free_port()
    for name, place in (
        ("app-one:8501", one.removeprefix("http://")),
        ("app-two:8501", two.removeprefix("http://")),
        ("listen 8500", f"listen {port}"),
    ):
        assert name in text
        text = text.replace(name, place)
    config = work / "nginx.conf"
    config.write_text(text, encoding="utf-8")
    log = str(work / "nginx.log")
    rest = f"daemon off; pid {work}/nginx.pid; error_log {log};"
    command = [nginx, "-c", str(config), "-p", str(work), "-e", log, "-g", rest]
    process = subprocess.Popen(command, start_new_session=True)
    try:
        address = f"http://localhost:{port}"
        _wait_for(address)
        yield address
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)


def _wait_for(address: str) -> None:
    for _try in range(100):
        try:
            requests.get(f"{address}/_stcore/health", timeout=2)
            return
        except requests.ConnectionError:
            time.sleep(0.1)
    raise TimeoutError("nginx did not start")
