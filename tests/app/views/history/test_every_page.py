"""Every page of "How we got here": drawn, asked about, and each screen alone."""

from itertools import cycle
from pathlib import Path

import pytest

from app.i18n import LANGUAGES
from app.registry import HISTORY, VIEWS
from tests.app.pages import (
    badges,
    charts,
    grids,
    healthy,
    opened,
    revealed,
    screens_of,
    sent_to_browser,
    step,
    whole,
)
from tests.app.views.walk.test_chapters import STRANGE

PAGES = [view.slug for view in VIEWS if view.section == HISTORY]
NONSENSE = {
    "neuron": {"gate": "?", "n1": "x", "nt": "99", "pset": "own", "x0a": "99"},
    "backprop": {"f": "é*ñ", "bh": "9", "bseed": "-1", "v.x": "nan", "step": "-4"},
    "filters": {
        "fker": "own", "fstride": "9", "fpad": "-1", "fdigit": "1e9", "fseed": "x",
        "step": "99999", "rdepth": "7", "rseed": "-1", "rchannel": "x", "rgamma": "nan",
        "rshort": "?", "rwith": "0", "rfeature": "9", "rscale": "9",
    },
    "words_as_vectors": {"wakind": "x", "waseed": "-1", "watopic": "?", "waword": "<b>"},
    "evolution": {"ehead": "9.9", "word": "9999"},
}  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_it_is_drawn_and_shows_its_code(models: Path, page: str) -> None:
    app = whole(page)
    healthy(app)
    assert "red-badge" not in badges(app)
    assert app.code
    assert all(block.value.startswith(("def ", "class ", "@")) for block in app.code)


@pytest.mark.parametrize("page", PAGES)
def test_its_task_tells_right_from_wrong_and_explains_each_mistake(models: Path, page: str) -> None:
    app = step(page, "task")
    praise, blame = len(app.success), len(app.info)
    right, reasons = 0, set()
    for answer in range(len(app.radio[-1].options)):
        app.radio[-1].set_value(answer).run()
        healthy(app)
        is_right = len(app.success) > praise
        assert (len(app.info) > blame) != is_right
        right += is_right
        if not is_right:
            reasons.add(app.info[-1].value)
    assert right == 1
    assert len(reasons) > 1 or len(app.radio[-1].options) < 3
    assert "" not in reasons


@pytest.mark.parametrize("page", PAGES)
def test_each_screen_stands_alone_with_a_picture_of_its_own(models: Path, page: str) -> None:
    for language, part in zip(cycle(LANGUAGES), sorted(screens_of(page) - {""})):
        app = step(page, part, lang=language)
        healthy(app)
        assert len([one for one in app.markdown if one.value.startswith("## ")]) <= 1, part
        drawn = [*grids(app), *charts(app), *app.get("html"), *app.table, *app.radio]
        assert drawn or any("nodes" in data["fixed"] for data in sent_to_browser(app)), part


@pytest.mark.parametrize("page", NONSENSE)
def test_an_address_full_of_nonsense(models: Path, page: str) -> None:
    healthy(opened(page, **NONSENSE[page]))


@pytest.mark.parametrize("text", ["a", STRANGE])
def test_any_sentence_opens_at_any_step(models: Path, text: str) -> None:
    app = revealed(opened("evolution", text=text, word="999"))
    healthy(app)
    assert "Checked" in badges(app)
