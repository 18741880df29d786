"""Visitors who move all the time: `python -m tests.benchmarks.visitors [--against CHECKOUT]`.

Each has a sentence of their own and goes on every two seconds: to another chapter of the walk, or
to another word, layer or head. With `--against`, an older checkout and this one take turns, and
this one's slow moves (p95) may take half the time at most. Nobody may see an error or another's
content: the last page of each, opened again while all others do so, must be what the same address
shows to a visitor who is alone.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from app.registry import WALK, of_section
from tests.app.visitor import Visitor, computing, visit_as
from tests.browser.conftest import ROOT, serve

EVERY = 2.0  # seconds from move to move
TO_A_PAGE = 0.25  # of the moves
CACHED_RUNS = 2  # for so many runs a browser keeps large elements
CHAPTERS = [view.slug for view in of_section(WALK)]
PEOPLE = (
    "Zoraida", "Wenceslao", "Xiomara", "Yolanda", "Kiko", "Ulises", "Quirina", "Jacinta", "Hugo",
    "Fabiola", "Gonzalo", "Blas", "Dolores", "Ignacio", "Nuria", "Olga", "Renata", "Tomasa",
    "Vicente", "Lázaro",
)  # fmt: skip
SENTENCES = (
    "{} no sabe qué hacer", "el gato de {} come pescado", "mañana {} va a la playa",
    "¿dónde está el coche de {}?", "{} tiene dos hermanos y una casa grande",
)  # fmt: skip


@dataclass
class Walker(Visitor):
    """A visitor who chooses from what is offered, and keeps large elements as a browser does."""

    page: str = ""  # as Streamlit names it
    query: str = ""
    runs: int = 0
    offers: dict[str, list[BackMsg]] = field(default_factory=dict)
    drawn: list[Delta] = field(default_factory=list)
    kept: dict[str, tuple[Delta, int]] = field(default_factory=dict)

    def look(self, page: str = "", query: str = "") -> None:
        self.offers, self.query = {}, query
        super().look(page, query)

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
        # What is outside of a part of its own is the same on every page: model, decoding, language.
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

    def all_bytes(self) -> bytes:
        """Return all that stands on the page."""
        return b"".join(delta.SerializeToString() for delta in self.drawn)

    def content(self) -> list[bytes]:
        """Return what stands on the page."""
        kinds = {"markdown", "html", "plotly_chart", "bidi_component", "heading"}
        elements = [delta.new_element for delta in self.drawn]
        return [
            e.SerializeToString(deterministic=True)
            for e in elements if e.WhichOneof("type") in kinds
        ]  # fmt: skip


def _choice(name: str, option: str) -> WidgetState:
    state = WidgetState(id=name)
    state.string_array_value.data.append(option)
    return state


def _clicks(component: BidiComponent) -> list[WidgetState]:
    """Return a click on each of the tokens."""
    words = json.loads(component.json)["fixed"]["words"]
    clicks = [
        {"event": "select", "value": {"index": piece["index"]}} for word in words for piece in word
    ]
    name = f"$$STREAMLIT_INTERNAL_KEY_{component.id}__events"
    return [WidgetState(id=name, json_trigger_value=json.dumps([click])) for click in clicks]


@dataclass
class Seen:
    """What the visitors of a server saw: seconds of each move, what was wrong, and its work."""

    times: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    computing: float = 0.0

    def add(self, other: "Seen") -> None:
        self.times += other.times
        self.wrong += other.wrong
        self.computing += other.computing

    def p(self, percent: int) -> float:
        """Return the seconds that so many of a hundred moves take at most."""
        return statistics.quantiles(self.times, n=100)[percent - 1]

    def __str__(self) -> str:
        return (
            f"{len(self.times)} moves, p50 {self.p(50):.2f} s, p95 {self.p(95):.2f} s, "
            f"{1000 * self.computing / len(self.times):.0f} ms of computing a move, "
            f"{len(self.wrong)} errors"
        )


@dataclass
class Person:
    """Who types a sentence and moves by chance, the same way on each server."""

    at: int
    seen: Seen
    chapter: str = ""
    query: str = ""
    content: list[bytes] = field(default_factory=list)

    @property
    def name(self) -> str:
        return PEOPLE[self.at % len(PEOPLE)] + "o" * (self.at // len(PEOPLE))

    def stay(self, address: str, begin: float, end: float, strangers: set[str]) -> None:
        """Move until the end; what is seen counts from `begin` on."""
        chance = random.Random(self.at)
        text = SENTENCES[self.at % len(SENTENCES)].format(self.name)
        with self._noting_errors(), visit_as(Walker, address) as walker:
            self._open(walker, chance.choice(CHAPTERS), urlencode({"text": text}))
            time.sleep(chance.uniform(0, EVERY))
            while (start := time.perf_counter()) < end:
                self._move(walker, chance)
                if start >= begin:
                    self.seen.times.append(time.perf_counter() - start)
                page = walker.all_bytes()  # once for all names: what this costs slows the server
                if others := [name for name in strangers if name.encode() in page]:
                    self.seen.wrong.append(f"{self.name} saw {others} in {self.chapter}")
                time.sleep(max(0.0, start + EVERY - time.perf_counter()))
            self._open(walker, self.chapter, walker.query)
            self.query, self.content = walker.query, walker.content()

    def look_again(self, address: str) -> None:
        """Open the last page once more, alone."""
        with self._noting_errors(), visit_as(Walker, address) as walker:
            walker.look(self.chapter, self.query)
            if walker.content() != self.content:
                self.seen.wrong.append(f"{self.chapter} is another one alone, at {self.query}")

    def _move(self, walker: Walker, chance: random.Random) -> None:
        offers = [walker.offers[name] for name in sorted(walker.offers)]
        if not offers or chance.random() < TO_A_PAGE:
            self._open(walker, chance.choice(CHAPTERS), walker.query)
        else:
            walker.run(chance.choice(chance.choice(offers)))

    def _open(self, walker: Walker, chapter: str, query: str) -> None:
        self.chapter = chapter
        walker.look(chapter, query)

    @contextmanager
    def _noting_errors(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # whatever a visitor runs into is counted
            self.seen.wrong.append(f"{self.name} in {self.chapter}: {error!r}"[:300])


def measure(root: Path, count: int, seconds: float, warm_up: float) -> Seen:
    """Let visitors move on a server of its own, after a time in which all of it gets warm."""
    seen = Seen()
    people = [Person(at, seen) for at in range(count)]
    names = {person.name for person in people}
    models = str(ROOT / "pretrained")
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(count) as pool:
        runs = f"{work}/runs"
        with serve(Path(work), root=root, PRETRAINED_DIR=models, RUNS_DIR=runs) as address:
            begin = time.perf_counter() + warm_up
            for person in people:
                strangers = names - {person.name}
                pool.submit(person.stay, address, begin, begin + seconds, strangers)
            time.sleep(warm_up)
            before = computing(address)
            time.sleep(seconds)
            seen.computing = computing(address) - before
            pool.shutdown()
            for person in people:
                person.look_again(address)
    return seen


def main() -> None:
    """Print what the visitors saw of each checkout; raises SystemExit when it is too bad."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm-up", type=float, default=30)
    parser.add_argument("--against", type=Path, help="an older checkout, to be twice as quick as")
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    roots = [asked.against.resolve(), ROOT] if asked.against else [ROOT]
    totals = {root: Seen() for root in roots}
    for _ in range(asked.rounds):
        for root, total in totals.items():
            seen = measure(root, asked.visitors, asked.seconds, asked.warm_up)
            print(f"{root.name}: {seen}", *seen.wrong[:5], sep="\n  ", flush=True)
            total.add(seen)
    print(*(f"all of {root.name}: {total}" for root, total in totals.items()), sep="\n")
    if totals[ROOT].wrong:
        raise SystemExit("Visitors saw what they should not.")
    if asked.against and totals[ROOT].p(95) > totals[roots[0]].p(95) / 2:
        raise SystemExit("The slow moves take more than half of the time that they took.")


if __name__ == "__main__":
    main()
