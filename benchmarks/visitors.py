"""A class on a server: `python -m benchmarks.visitors [--visitors 1 5 20 30] [--copies 1]`.

It is served as deploy/compose.yaml serves it, by two copies behind nginx, or by one copy alone.
Each visitor types a sentence of their own every five seconds, and every two seconds goes to another
chapter of the walk, or to another word, layer or head; all speak the browser's own protocol. A row
marked with + has one visitor more, whose sentences are as long as the model reads and whose times
do not count. Measured are each sentence and each move, from asking until the page is whole.

Nobody may see an error or another's content: no answer may hold the name in another's sentence, and
pages that were drawn while all others asked must be what the same address shows to somebody alone.
All visitors are one more process of the same machine: the table has what it takes of the cores.

`--hostile` measures a few of them without and with a hostile visitor beside them (hostile.py): 200
sockets, five files at once and the worst zip, all the while.
"""

import argparse
import json
import os
import random
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import requests
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from app.registry import WALK, of_section
from app.server.visitors import Signer
from benchmarks.hostile import Attacker
from tests.app.visitor import SECONDS, Visitor, computing, load_of, visit_as
from tests.browser.conftest import ROOT, serve
from tests.deploy.balancer import balanced

SECRET = "the secret of a benchmark"
MOVE_EVERY, SENTENCE_EVERY = 2.0, 5.0  # seconds
TO_A_PAGE = 0.25  # of the moves
CACHED_RUNS = 2  # runs for which a browser keeps large elements
WAITING = 'class="waiting"'  # the place in the queue, which a visitor alone never sees
SHARE_CHECKED = 0.1  # of all pages, opened again by a visitor alone
CHAPTERS = [view.slug for view in of_section(WALK)]
# Goals of a server with two cores.
OF_P95, P95 = 20, 1.5  # visitors, seconds
ARRIVING, ARRIVED = 30, 10.0  # visitors, seconds
GROWTH = 1.1  # of the memory
MOST_SLOWER = 3.0  # beside a hostile visitor
OF_CONTAINER = 2 * 2**30  # bytes, as deploy/compose.yaml has it
ALONE = 120.0  # seconds until the memory must be back to normal
# None of these is a token of the model: its predictions would look like another's sentence.
PEOPLE = (
    "Zoraida", "Wenceslao", "Xiomara", "Yolanda", "Kiko", "Ulises", "Quirina", "Jacinta", "Higinio",
    "Fabiola", "Gonzalo", "Blas", "Dolores", "Ignacio", "Nuria", "Obdulia", "Renata", "Tomasa",
    "Vicente", "Leocadia", "Anselmo", "Casilda", "Evaristo", "Piedad", "Rogelio", "Saturnino",
    "Teofila", "Urraca", "Venancio", "Begonia", "Macario",
)  # fmt: skip
THINGS = (
    "el libro", "la casa", "un coche", "la mesa", "dos perros", "el dinero", "una carta",
    "la puerta", "un vestido", "la leche", "tres flores", "el tren", "una idea",
)  # fmt: skip
SENTENCES = (
    "{} no sabe qué hacer con {}", "el gato de {} mira {}", "mañana {} compra {}",
    "¿dónde tiene {} {}?", "{} vende {} a sus dos hermanos",
)  # fmt: skip
LONG = 40  # repetitions, which is more than the model reads


@dataclass
class Walker(Visitor):
    """A visitor who picks from the page's choices, and keeps large elements as a browser does."""

    page: str = ""  # Streamlit's name for it
    query: str = ""
    runs: int = 0
    box: str = ""  # the field for the sentence
    strangers: Sequence[bytes] = ()
    met: set[bytes] = field(default_factory=set)
    offers: dict[str, list[BackMsg]] = field(default_factory=dict)
    drawn: list[Delta] = field(default_factory=list)
    kept: dict[str, tuple[Delta, int]] = field(default_factory=dict)

    def look(self, page: str = "", query: str = "") -> None:
        self.offers, self.query = {}, query
        super().look(page, query)

    def type(self, text: str) -> None:
        """Type a sentence in place of the one on the page."""
        message = BackMsg()
        message.rerun_script.widget_states.widgets.add(id=self.box, string_value=text)
        self.offers = {}
        self.run(message)

    def run(self, message: BackMsg) -> None:
        self.runs += 1
        self.drawn = []
        self.kept = {
            name: kept for name, kept in self.kept.items() if kept[1] >= self.runs - CACHED_RUNS
        }
        request = message.rerun_script
        request.cached_message_hashes.extend(self.kept)
        if not request.page_name:
            request.page_script_hash, request.query_string = self.page, self.query
        super().run(message)

    def receive(self) -> bytes:
        data = super().receive()
        self.met.update(name for name in self.strangers if name in data)
        return data

    def take(self, told: ForwardMsg) -> None:
        super().take(told)
        match told.WhichOneof("type"):
            case "navigation":
                self.page = told.navigation.page_script_hash
            case "page_info_changed":
                self.query = told.page_info_changed.query_string
            case "ref_hash":
                self._draw(self.kept[told.ref_hash][0], told.ref_hash)
            case "delta":
                self._draw(told.delta, told.hash if told.metadata.cacheable else "")

    def _draw(self, delta: Delta, name: str) -> None:
        self.drawn.append(delta)
        if name:
            self.kept[name] = delta, self.runs
        element = delta.new_element
        kind = element.WhichOneof("type")
        assert kind != "alert" or element.alert.format != Alert.ERROR, element
        if kind == "text_input" and "-text-" in element.text_input.id:
            self.box = element.text_input.id
        # What is outside any fragment is the same on every page: model, decoding, language.
        if not delta.fragment_id:
            return
        if kind == "button_group":
            group = element.button_group
            self._offer(delta, group.id, [_choice(group.id, o.content) for o in group.options])
        elif kind == "bidi_component" and element.bidi_component.component_name.endswith("chips"):
            self._offer(delta, element.bidi_component.id, _clicks(element.bidi_component))

    def _offer(self, delta: Delta, name: str, states: Sequence[WidgetState]) -> None:
        self.offers[name] = []
        for state in states:
            message = BackMsg()
            message.rerun_script.fragment_id = delta.fragment_id
            message.rerun_script.widget_states.widgets.append(state)
            self.offers[name].append(message)

    def content(self) -> list[bytes]:
        """Return the page's content."""
        kinds = {"markdown", "html", "bidi_component", "heading"}
        elements = [delta.new_element for delta in self.drawn]
        return [
            element.SerializeToString(deterministic=True)
            for element in elements
            if element.WhichOneof("type") in kinds and WAITING not in element.markdown.body
        ]


def _choice(name: str, option: str) -> WidgetState:
    state = WidgetState(id=name)
    state.string_array_value.data.append(option)
    return state


def _clicks(component: BidiComponent) -> list[WidgetState]:
    """Return a click on each token."""
    words = json.loads(component.json)["fixed"]["words"]
    clicks = [
        {"event": "select", "value": {"index": piece["index"]}} for word in words for piece in word
    ]
    name = f"$$STREAMLIT_INTERNAL_KEY_{component.id}__events"
    return [WidgetState(id=name, json_trigger_value=json.dumps([click])) for click in clicks]


@dataclass
class Seen:
    """What a server's visitors saw: the seconds of each answer, and what was wrong."""

    sentences: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    server: float = 0.0  # seconds of computing
    client: float = 0.0
    seconds: float = 0.0  # during which they were active
    arrived: float = 0.0  # seconds until all had a page
    memory: tuple[int, int] = 0, 0  # bytes before and after
    most_memory: int = 0  # bytes of one copy, at most
    attack: Counter[str] = field(default_factory=Counter)

    def p95(self) -> float:
        """Return the 95th percentile of the answers' seconds."""
        return percentile(self.sentences + self.moves, 95)


def percentile(seconds: Sequence[float], percent: int) -> float:
    """Return a percentile of some seconds."""
    if len(seconds) < 2:
        return max(seconds, default=float("nan"))
    return statistics.quantiles(seconds, n=100, method="inclusive")[percent - 1]


@dataclass
class Person:
    """A visitor who types sentences and moves at random, but in the same way on each server."""

    at: int
    seen: Seen
    replica: str = ""  # the server's copy that answers
    home: str = ""  # the address of this machine that they come from
    talkative: bool = False  # types as much as the model reads, and is not counted
    chapter: str = ""
    checked: list[tuple[str, str, list[bytes]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.at)

    @property
    def name(self) -> str:
        return PEOPLE[self.at]

    @property
    def cookie(self) -> str:
        signed = Signer(SECRET.encode()).visitor_cookie(f"{self.at + 1:032x}").partition(";")[0]
        return f"{signed}; replica={self.replica}"

    def sentence(self, number: int) -> str:
        """Return one of their sentences: all differ, and nobody else has them."""
        form, thing = divmod(number + self.at, len(THINGS))
        said = SENTENCES[form % len(SENTENCES)].format(self.name, THINGS[thing])
        return " ".join([said] * LONG if self.talkative else [said])

    def stay(self, address: str, seconds: float, together: threading.Barrier) -> None:
        """Arrive with the others, then type and move until the end."""
        self.replica = requests.get(address, timeout=SECONDS).cookies.get("replica") or ""
        strangers = [name.encode() for name in PEOPLE if name != self.name]
        with self._noting(), visit_as(Walker, address, self.cookie, source=self.home) as walker:
            walker.strangers = strangers
            together.wait()
            self._open(walker, self.chance.choice(CHAPTERS), urlencode({"text": self.sentence(0)}))
            together.wait()
            start = time.perf_counter()
            typed, moved = (start + self.chance.uniform(0, of) for of in _PERIODS)
            for number in range(1, 1000):
                if (due := min(typed, moved)) >= start + seconds:
                    break
                time.sleep(max(0.0, due - time.perf_counter()))
                if due == typed:
                    typed += SENTENCE_EVERY
                    text = self.sentence(number)
                    self._time(self.seen.sentences, partial(self._type, walker, text))
                else:
                    moved += MOVE_EVERY
                    self._time(self.seen.moves, partial(self._move, walker))
            if walker.met:
                self.seen.wrong.append(f"{self.name} saw {walker.met}")

    def look_again(self, address: str) -> None:
        """Open some of the pages again, while no other visitor is there."""
        for chapter, query, content in self.checked:
            with self._noting(), visit_as(Walker, address, self.cookie, source=self.home) as walker:
                walker.look(chapter, query)
                if walker.content() != content:
                    self.seen.wrong.append(f"{chapter} is another one alone, at {query}")

    def _time(self, seconds: list[float], ask: partial[None]) -> None:
        start = time.perf_counter()
        ask()
        if not self.talkative:
            seconds.append(time.perf_counter() - start)

    def _type(self, walker: Walker, text: str) -> None:
        walker.type(text)
        if not self.talkative and urlencode({"text": text}) not in walker.query:
            self.seen.wrong.append(f"{self.name} typed {text!r}, and sees {walker.query}")

    def _move(self, walker: Walker) -> None:
        offers = [walker.offers[name] for name in sorted(walker.offers)]
        if not offers or self.chance.random() < TO_A_PAGE:
            self._open(walker, self.chance.choice(CHAPTERS), walker.query)
        else:
            walker.run(self.chance.choice(self.chance.choice(offers)))

    def _open(self, walker: Walker, chapter: str, query: str) -> None:
        self.chapter = chapter
        walker.look(chapter, query)
        if self.chance.random() < SHARE_CHECKED or not self.checked:
            self.checked.append((chapter, walker.query, walker.content()))

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # any error that a visitor meets is counted
            self.seen.wrong.append(f"{self.name} in {self.chapter}: {error!r}"[:300])


_PERIODS = SENTENCE_EVERY, MOVE_EVERY


@dataclass(frozen=True)
class Server:
    """One address, and the copies of the app behind it."""

    address: str
    copies: Sequence[str]

    def computing(self) -> float:
        """Return the seconds that all copies have computed so far."""
        return sum(map(computing, self.copies))

    def memory(self) -> int:
        """Return the memory of all copies in bytes."""
        return sum(load_of(copy).memory for copy in self.copies)

    def most_memory(self) -> int:
        """Return the memory of the largest copy in bytes."""
        return max(load_of(copy).memory for copy in self.copies)

    def memory_after_one(self) -> int:
        """Return the copies' memory after one visitor has seen every chapter on each."""
        for copy in self.copies:
            with visit_as(Walker, copy, Person(0, Seen()).cookie) as walker:
                for chapter in CHAPTERS:
                    walker.look(chapter)
        return self.memory()


@contextmanager
def served(work: Path, copies: int) -> Iterator[Server]:
    """Serve a class from a server of its own."""
    with ExitStack() as running:
        addresses = [running.enter_context(_copy(work, str(at))) for at in range(copies)]
        address = addresses[0]
        if copies == 2:
            address = running.enter_context(balanced(work, addresses[0], addresses[1]))
        yield Server(address, addresses)


def _copy(work: Path, name: str) -> AbstractContextManager[str]:
    (work / name).mkdir()
    return serve(
        work / name,
        PRETRAINED_DIR=str(ROOT / "pretrained"),
        RUNS_DIR=str(work / "runs"),
        MODELS_DIR=str(work / "models"),
        ILLUMINATED_SERVE="class",
        ILLUMINATED_SECRET=SECRET,
    )


@contextmanager
def _watched(server: Server, seen: Seen) -> Iterator[None]:
    """Record the most memory that a copy holds during the context."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            seen.most_memory = max(seen.most_memory, server.most_memory())

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()


def measure(
    count: int,
    seconds: float,
    copies: int,
    talkative: bool = False,
    wait: float = 0.0,
    attack_for: float = 0.0,
    apart: bool = False,
) -> Seen:
    """Let visitors arrive at a new server within a second, move and leave, under attack or not.

    `wait` is how long to wait, after all have left, before the memory is measured.
    """
    seen = Seen()
    homes = [f"127.0.1.{at + 1}" if apart else "" for at in range(count)]
    people = [Person(at, seen, home=home) for at, home in enumerate(homes)]
    people += [Person(count, seen, talkative=True)] if talkative else []
    with (
        tempfile.TemporaryDirectory() as work,
        served(Path(work), copies) as server,
        ThreadPoolExecutor(len(people)) as pool,
    ):
        before = server.memory_after_one() if wait else 0
        attack = Attacker(server.address, SECRET, attack_for) if attack_for else None
        together = threading.Barrier(len(people) + 1)
        for person in people:
            pool.submit(person.stay, server.address, seconds, together)
        together.wait()
        arriving = time.perf_counter()
        together.wait()
        seen.arrived = time.perf_counter() - arriving
        client, computed = time.process_time(), server.computing()
        start = time.perf_counter()
        with _watched(server, seen):
            if attack:
                attack.begin()
            pool.shutdown()
            if attack:
                seen.attack = attack.end()
            seen.seconds = time.perf_counter() - start
        seen.server = server.computing() - computed
        seen.client = time.process_time() - client
        for person in people:
            person.look_again(server.address)
        if wait:
            time.sleep(wait)
            seen.memory = before, server.memory()
    return seen


def main() -> None:
    """Print what the visitors saw, and the goals; raises SystemExit if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--visitors", type=int, nargs="+", default=[1, 5, 20, 30], metavar="N")
    parser.add_argument("--copies", type=int, choices=(1, 2), default=2, help="of the app (2)")
    parser.add_argument("--seconds", type=float, default=60, help="of typing and moving (60)")
    parser.add_argument("--no-long", action="store_true", help="leave out the row marked with +")
    parser.add_argument("--no-memory", action="store_true", help="leave out the two minutes")
    help_ = "only this many visitors, without and with a hostile one"
    parser.add_argument("--hostile", type=int, metavar="N", help=help_)
    asked = parser.parse_args()
    print(
        "visitors   a sentence      a move        all      arrived   cores taken by    of server  "
        "wrong\n"
        "           p50    p95    p50    p95      p95      together  server  visitors  an answer",
        flush=True,
    )
    found: dict[int, Seen] = {}
    wrong: list[str] = []
    if asked.hostile:
        asked.visitors, asked.no_long = [], True
        goals = _measure_hostile(asked.hostile, asked.seconds, asked.copies)
    for count in asked.visitors:
        wait = 0.0 if asked.no_memory or count != max(asked.visitors) else ALONE
        found[count] = measure(count, asked.seconds, asked.copies, wait=wait)
        wrong += _print_row(str(count), found[count])
    if OF_P95 in found and not asked.no_long:
        seen = measure(OF_P95, asked.seconds, asked.copies, talkative=True)
        wrong += _print_row(f"{OF_P95}+", seen)
    goals = goals if asked.hostile else list(_goals(found))
    cores, load = os.cpu_count(), os.getloadavg()[0]
    print(f"\nCopies: {asked.copies}, on {cores} cores, load {load:.1f} at the end.")
    for text, reached in goals:
        print(f"{'reached' if reached else 'MISSED '}  {text}")
    print(*wrong[:10], sep="\n")
    if wrong or not all(reached for _text, reached in goals):
        raise SystemExit("A goal was missed.")


def _print_row(name: str, seen: Seen) -> list[str]:
    answers = len(seen.sentences) + len(seen.moves)
    times = [percentile(of, p) for of in (seen.sentences, seen.moves) for p in (50, 95)]
    print(
        f"{name:>8}  {times[0]:5.2f}  {times[1]:5.2f}  {times[2]:5.2f}  {times[3]:5.2f} s  "
        f"{seen.p95():5.2f} s  {seen.arrived:6.1f} s  {seen.server / seen.seconds:6.2f}  "
        f"{seen.client / seen.seconds:8.2f}  {1000 * seen.server / answers:6.0f} ms  "
        f"{len(seen.wrong):5}",
        flush=True,
    )
    return seen.wrong


def _measure_hostile(count: int, seconds: float, copies: int) -> list[tuple[str, bool]]:
    """Print two rows, and return the goals of a server under attack."""
    alone = measure(count, seconds, copies, apart=True)
    _print_row(str(count), alone)

    seen = measure(count, seconds, copies, wait=ALONE, attack_for=seconds, apart=True)
    wrong = _print_row(f"{count}!", seen)
    print("\nThe hostile visitor:", ", ".join(f"{n} {what}" for what, n in seen.attack.items()))
    print(*wrong[:10], sep="\n")
    times = alone.p95(), seen.p95()
    before, after = (n_bytes / 2**20 for n_bytes in seen.memory)
    most = seen.most_memory / 2**20
    limit = OF_CONTAINER / 2**20
    return [
        (f"p95 {times[1]:.2f} s, {times[0]:.2f} without", times[1] < MOST_SLOWER * times[0]),
        (f"a copy takes {most:.0f} MB at most (goal: below {limit:.0f} MB)", most < limit),
        (f"memory {before:.0f} MB, {after:.0f} {ALONE:.0f} s after", after <= GROWTH * before),
        (f"{len(wrong)} of the others' moves went wrong", not wrong),
    ]


def _goals(found: dict[int, Seen]) -> Iterator[tuple[str, bool]]:
    """Yield each goal that was measured, with whether it was reached."""
    if OF_P95 in found:
        p95 = found[OF_P95].p95()
        yield f"{OF_P95} visitors: p95 {p95:.2f} s (goal: below {P95} s)", p95 < P95
    if ARRIVING in found:
        arrived = found[ARRIVING].arrived
        text = f"{ARRIVING} who arrive together: all have a page after {arrived:.1f} s (goal: below"
        yield f"{text} {ARRIVED:.0f} s)", arrived < ARRIVED
    for count, seen in found.items():
        if all(seen.memory):
            before, after = (n_bytes / 2**20 for n_bytes in seen.memory)
            most = before * GROWTH
            text = f"memory {before:.0f} MB, {after:.0f} {ALONE:.0f} s after {count} visitors left"
            yield f"{text} (goal: at most {most:.0f} MB)", after <= most


if __name__ == "__main__":
    main()
