"""Signals that ask a training to stop, collected until it has finished its step."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def collected() -> Iterator[list[int]]:
    """Collect the signals that ask to stop, so that they take effect once the step is finished.

    Python's own handlers run only after the current torch operation, however long it takes; the
    wake-up byte that announces a signal arrives at once.
    """
    received: list[int] = []
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)

    def listen() -> None:
        while number := ours.recv(1):
            if number[0] in SIGNALS:
                received.append(number[0])

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    former_socket = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    former = {number: signal.signal(number, lambda *_: None) for number in SIGNALS}
    try:
        yield received
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(former_socket)
        theirs.close()
        listener.join()
        ours.close()
