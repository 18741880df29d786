"""`python -m app`: run `streamlit run app/main.py` with its options.

Where the port is taken, the error names a free one.
"""

import socket
import sys
from importlib import import_module
from pathlib import Path

from streamlit import config
from streamlit.web import cli


def main() -> None:
    """Serve until stopped; raise SystemExit, naming a free port, if the port is taken.

    Settings that make no sense end in one sentence before anything is started.
    """
    import_module("app.server.limits")
    try:
        cli.main(["run", str(Path(__file__).with_name("main.py")), *sys.argv[1:]])
    except SystemExit as ended:
        port = config.get_option("server.port")
        if ended.code != 1 or _is_free(port):
            raise
        free = next(filter(_is_free, range(port + 1, 2**16)), 0)  # 0: any
        sys.exit(f"Try a free one: --server.port {free}")


def _is_free(port: int) -> bool:
    try:
        socket.create_server((config.get_option("server.address"), port)).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
