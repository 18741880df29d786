"""What a visitor waits is timed from the message that asks to the one that ends it."""

import asyncio
from collections.abc import Iterator

from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from app.server.metrics import BOUNDS, TimedMoves, Waiting
from tests.app.server.loops import told

SECONDS = 0.06


def ask() -> Message:
    message = BackMsg()
    message.rerun_script.query_string = ""
    return {"type": "websocket.receive", "bytes": message.SerializeToString()}


def end(how: "ForwardMsg.ScriptFinishedStatus.ValueType") -> Message:
    return {"type": "websocket.send", "bytes": ForwardMsg(script_finished=how).SerializeToString()}


def timed(arriving: list[Message], leaving: list[Message]) -> Waiting:
    """Let messages arrive, and after a while others leave; return what was noted."""
    waiting, messages = Waiting(), iter(arriving)

    async def page(_scope: Scope, receive: Receive, send: Send) -> None:
        for _ in arriving:
            await receive()
        assert waiting.pages == 1
        await asyncio.sleep(SECONDS)
        for message in leaving:
            await send(message)

    async def receive(messages: Iterator[Message] = messages) -> Message:
        return next(messages)

    told(TimedMoves(page, waiting), {"type": "websocket"}, receive)
    assert waiting.pages == 0
    return waiting


def test_a_move_lasts_to_the_end_of_the_last_run_that_it_led_to() -> None:
    early, done = ForwardMsg.FINISHED_EARLY_FOR_RERUN, ForwardMsg.FINISHED_SUCCESSFULLY
    large = {"type": "websocket.send", "bytes": bytes(10_000)}
    waiting = timed([ask(), ask()], [end(early), large, end(done), end(done)])
    assert sum(waiting.counts) == 1
    assert SECONDS <= waiting.seconds < BOUNDS[-2]
    assert waiting.quantile(0.95) == waiting.seconds


def test_what_is_no_move_is_not_timed() -> None:
    noise: Message = {"type": "websocket.receive", "bytes": b"\xff\xff"}
    waiting = timed([{"type": "websocket.connect"}, noise], [end(ForwardMsg.FINISHED_SUCCESSFULLY)])
    assert sum(waiting.counts) == 0
    assert waiting.quantile(0.5) is None


def test_quantiles_are_of_the_latest_moves() -> None:
    waiting = Waiting()
    for i in range(2000):
        waiting.add(float(i))
    assert waiting.quantile(0.5) == 1749.0
    assert waiting.quantile(1.0) == 1999.0
    (histogram,) = waiting.get_stats()["move_seconds"]
    assert histogram.to_metric_str().endswith("_count 2000")
