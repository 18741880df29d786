"""The teacher's key: whoever guesses waits, and nobody else is kept out by it."""

from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.server.teacher import SECONDS_TO_WAIT, TRIES_A_MINUTE, teacher_routes
from app.server.visitors import TEACHER, Signer

KEY = "the teacher's own key"
SIGNER = Signer(b"secret", KEY)


def test_wrong_keys_keep_no_teacher_out(slept: list[float]) -> None:
    """Eleven wrong keys of a stranger's, and the right one got 429, for as long as they went on."""
    app = Starlette(routes=teacher_routes(SIGNER))
    ana = SIGNER.visitor_cookie("a" * 32).partition(";")[0]

    def enter(key: str, host: str, cookie: str = "") -> int:
        browser = TestClient(app, headers={"cookie": cookie}, client=(host, 1))
        answer = browser.post("/teacher", data={"key": key}, follow_redirects=False)
        assert (TEACHER in answer.headers.get("set-cookie", "")) == (answer.status_code == 303)
        return answer.status_code

    for _ in range(3 * TRIES_A_MINUTE):
        assert enter("a guess", "192.0.2.1", ana) == 403
    assert slept[:TRIES_A_MINUTE] == [0.0] * TRIES_A_MINUTE
    assert slept[TRIES_A_MINUTE] > 0
    assert slept[-1] == SECONDS_TO_WAIT, "slower and slower, and never locked"
    assert enter(KEY, "192.0.2.2") == 303
    assert slept[-1] == 0.0, "who has not failed does not wait"
    assert enter("a guess", "192.0.2.3", ana) == 403
    assert slept[-1] == SECONDS_TO_WAIT, "the same visitor from elsewhere"
    assert enter(KEY, "192.0.2.1") == 303, "the right key comes through from everywhere"
    for _ in range(3 * TRIES_A_MINUTE):
        assert enter(KEY, "192.0.2.4") == 303
    assert slept[-1] == 0.0, "a right key is no guess"
