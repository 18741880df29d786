"""Which states of a screen a book holds: each choice alone, and as many pairs as there is room for.

A choice is kept as what it changes in the settings; None means that it takes one away.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any, Final

from app.book.record import OpenScreen, PageNode, ScreenState, Settings
from app.book.tree import SKIP
from app.registry import Address

Change = Mapping[str, str | None]
GUESS: Final = "@guess"
CONSTANT: Final = frozenset({"model", "text", "lang", "part", "lesson", "at"})
HEAVY: Final = 4  # times the room: then single choices are left out, too
MOST_STATES: Final = 60
HASH: Final = re.compile(r"\d{10}$")  # what ends the key of a question


@dataclass
class Recording:
    """The states of an open screen, the first as it opens, and what leads from one to another.

    `weigh` tells how many bytes a state adds to those that are there, `most` how many they may
    take. Choices are made from the state that is `opened`; `own` is what each state has beside its
    settings.
    """

    screen: OpenScreen
    opened: ScreenState
    most: int
    weigh: Callable[[ScreenState], int]
    own: dict[str, str] = field(default_factory=dict)
    base: Settings = field(default_factory=dict)
    states: list[ScreenState] = field(default_factory=list)
    weight: int = 0
    choices: dict[str, list[Change | None]] = field(default_factory=dict)
    events: dict[str, dict[str, Change]] = field(default_factory=dict)

    def offers(self, key: str, option: int) -> bool:
        """Whether a choice was recorded."""
        made = self.choices.get(key, [])
        return option < len(made) and made[option] is not None

    def add(self, state: ScreenState, **more: str) -> ScreenState:
        """Keep a state, unless one with the same settings is there."""
        settings = {name: raw for name, raw in state.settings.items() if name not in CONSTANT}
        kept = replace(state, settings={**settings, **self.own, **more})
        if all(known.settings != kept.settings for known in self.states):
            self.states.append(kept)
            self.weight += self.weigh(kept)
        return kept

    def explore(self) -> None:
        """Make each choice alone, then pairs of them."""
        axes = []
        for key in self.opened.controls:
            self.choices[key] = made = self._options(key)
            axes.append([one for one in made if one and not any(name[0] == "@" for name in one)])
        for node in self.opened.main.walk():
            if node.component:
                axes.append(self._events(node))
        for settings, is_pair in _together(self.base, axes):
            if self._is_full(1 if is_pair else HEAVY):
                return
            if is_pair and len(self.states) >= MOST_STATES:
                return
            if all(state.settings != settings for state in self.states):
                params = {name: raw for name, raw in settings.items() if not name.startswith("@")}
                self.screen.restore({**self.opened.settings, **params})
                self.add(self.screen.draw())

    def _is_full(self, times: int = HEAVY) -> bool:
        return self.weight >= times * self.most

    def _options(self, key: str) -> list[Change | None]:
        """Choose each option of a control, and return what it changes."""
        screen, opened = self.screen, self.opened
        control = opened.controls[key]
        if screen.offers(key) != control.options:  # they follow another choice, made before
            screen.restore(opened.settings)
            screen.draw()
        states: dict[int, ScreenState] = {}
        for i, option in enumerate(control.options):
            if i != control.chosen and not self._is_full():
                screen.restore(opened.settings, but=key)
                screen.choose(key, option)
                states[i] = screen.draw()
                self.weight += self.weigh(states[i])
        screen.choose(key, None if control.chosen is None else control.options[control.chosen])
        after = {i: self._changes(state) for i, state in states.items()}
        names = {name for change in after.values() for name in change}
        loose = "" if names else f"@{HASH.sub('', key)}"  # a choice that no address knows
        for i, state in states.items():
            self.add(state, **({loose: str(i)} if loose else {}))

        def change(i: int) -> Change | None:
            if i not in states and i != control.chosen:
                return None
            if loose:
                return {loose: str(i) if i in states else None}
            return {name: after.get(i, {}).get(name, self.base.get(name)) for name in names}

        return [change(i) for i in range(len(control.options))]

    def _events(self, node: PageNode) -> list[Change]:
        """Click the parts of a component; of two choices in one, as layer and head, each alone."""
        sent, chosen = _clicks(node)
        changes: dict[str, Change] = {}
        parts = {json.dumps(part): part for one in sent for part in _parts(one, chosen)}
        for name, part in parts.items():
            if self._is_full():
                break
            self.screen.restore(self.opened.settings)
            state = self.screen.send(node, part)
            changes[name] = self._changes(state)
            self.add(state)
        self.screen.restore(self.opened.settings)
        names = {name for change in changes.values() for name in change}
        kept = {name: self.base.get(name) for name in names}
        made: dict[str, Change] = {}
        for one in sent:
            clicked = [changes.get(json.dumps(part)) for part in _parts(one, chosen)]
            if names and None not in clicked:
                told = {name: raw for change in clicked if change for name, raw in change.items()}
                made[json.dumps(one, separators=(",", ":"))] = {**kept, **told}
        if made:
            self.events[node.key] = made
        return list(made.values())

    def _changes(self, state: ScreenState) -> dict[str, str | None]:
        before, after = self.opened.settings, state.settings
        names = {*before, *after} - CONSTANT
        return {name: after.get(name) for name in names if before.get(name) != after.get(name)}


def record(
    address: Address, settings: Settings, most: int, weigh: Callable[[ScreenState], int]
) -> Recording:
    """Open a screen and record its states, pairs of choices up to `most` bytes; 0: none."""
    screen = OpenScreen(address, settings)
    found = Recording(screen, screen.draw(), most, weigh)
    buttons = (node.key for node in found.opened.main.walk() if node.kind == "button")
    if skip := next((key for key in buttons if key.endswith(SKIP)), ""):
        found.add(found.opened)
        question = skip.removesuffix(SKIP)
        asked = found.opened.controls[question]
        options = range(len(asked.options)) if most else ()
        for i in options:
            other = OpenScreen(address, settings)
            other.draw()
            other.choose(question, asked.options[i])
            found.add(other.draw(), **{GUESS: str(i)})
        screen.press(skip)
        found.opened, found.own = screen.draw(), {GUESS: "show"}
        found.choices |= {skip: [found.own], question: [{GUESS: str(i)} for i in options]}
    found.base = found.add(found.opened).settings
    if most:
        found.explore()
    return found


def _parts(one: Any, chosen: Any) -> list[Any]:
    """Return what is sent by a click that differs from what is chosen, one choice at a time."""
    if not isinstance(one, dict):
        return [one] if one != chosen else []
    return [{**chosen, name: value} for name, value in one.items() if value != chosen[name]]


def _clicks(node: PageNode) -> tuple[list[Any], Any]:
    """Return what a component sends where it is clicked, and which of it is chosen."""
    if node.component not in ("chips", "wall", "film"):
        return [], None
    data = json.loads(node.body.json)
    fixed, chosen = data["fixed"], data["chosen"]
    if node.component == "chips":
        return [piece["index"] for word in fixed["words"] for piece in word], chosen
    if node.component == "wall":
        heads = fixed["heads"]
        return [{"layer": i, "head": h} for i in range(fixed["layers"]) for h in heads], chosen
    steps = fixed["steps"]
    return [*({"step": step} for step in steps[:-1]), {"step": None}], {"step": None}


def _together(base: Settings, axes: list[list[Change]]) -> Iterator[tuple[Settings, bool]]:
    """Yield the settings of each choice alone, then of each pair, and whether it is a pair."""
    for axis in axes:
        for change in axis:
            yield _changed(base, change), False
    for one, other in combinations(axes, 2):
        for a, b in product(one, other):
            yield _changed(base, {**a, **b}), True


def _changed(settings: Settings, change: Change) -> Settings:
    merged = {**settings, **change}
    return {name: raw for name, raw in merged.items() if raw is not None}
