"""The short tour: some screens of the chapters in one row, each with the way deeper and back."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.page import moves, tour
from app.page.contents import every_screen
from app.registry import HISTORY, VIEWS, WALK, Address
from tests.app.pages import opened, revealed, row_of_steps, unfold


def toured(at: Address) -> AppTest:
    """A screen of the tour, with its picture."""
    return revealed(opened(at.page, all="0", part=at.screen, tour="1"))


def test_each_screen_stands_in_the_tour_or_goes_deeper_than_one_that_does() -> None:
    offered = [at for here in tour.STOPS for at in tour.deeper(here)]
    assert len(set(offered)) == len(offered)
    chapters = {view.slug for view in VIEWS if view.section in (WALK, HISTORY)}
    led_to = {at.page for at in offered if not at.screen}
    screens = {at for at in every_screen() if at.page in chapters and at.screen}
    left_out = screens - set(tour.STOPS) - set(offered)
    assert {at.page for at in left_out} == led_to
    assert not led_to & {here.page for here in tour.STOPS}


def test_attention_comes_by_the_fifth_screen_of_a_short_tour() -> None:
    assert tour.STOPS.index(Address("self_attention", "idea")) < 5
    assert 20 <= len(tour.STOPS) <= 30


def test_the_tour_is_one_row_through_several_chapters(models: Path) -> None:
    app = toured(Address("heads", "split"))
    assert not app.exception
    assert row_of_steps(app)["fixed"]["tour"]
    assert row_of_steps(app)["chosen"] == "heads/split"
    assert [step["slug"] for step in row_of_steps(app)["fixed"]["steps"]] == [
        f"{at.page}/{at.screen}" for at in tour.STOPS
    ]
    assert all(step["title"] for step in row_of_steps(app)["fixed"]["steps"])


def test_a_screen_offers_what_goes_deeper_and_leads_there(models: Path) -> None:
    here = Address("self_attention", "idea")
    app = toured(here)
    unfold(app, "drawer-deeper-idea")
    ways = {button.key: button for button in app.button if str(button.key).startswith("deeper-")}
    assert list(ways) == [f"deeper-{at.page}/{at.screen}" for at in tour.deeper(here)]
    ways["deeper-self_attention/simple"].click().run()
    assert not row_of_steps(app)["fixed"]["tour"]
    assert row_of_steps(app)["chosen"] == "simple"
    assert "tour" not in app.query_params


def test_each_screen_leads_back_into_the_tour(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Address] = []
    monkeypatch.setattr(moves, "go", asked.append)
    monkeypatch.setattr(type(moves.TOUR), "set", lambda _self, _on: None)
    for deep, *back in (
        (Address("self_attention", "task"), Address("self_attention", "z")),
        (Address("neuron", "xor"), Address("add_norm", "ffn")),
        (Address("big_picture"), Address("big_picture", "box")),
    ):
        tour.enter(deep)
        assert [asked.pop()] == back


def test_what_is_no_screen_of_the_tour_ends_it(models: Path) -> None:
    """Its chapter's Next led into the tour again at the next screen that both have."""
    app = opened("heads", all="0", part="look", tour="1")
    assert not row_of_steps(app)["fixed"]["tour"]
    assert "tour" not in app.query_params
