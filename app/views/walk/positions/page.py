"""Chapter 3: the place of each word, added to its vector as waves."""

from app.format import escape, maths, number
from app.i18n import N_, _
from app.page.kit import Myth, QuizTask, WalkPage, beside, draw_page, one_by_one
from app.views.walk.positions import screens as places
from app.views.walk.positions.data import likeness, position_dots


def myth(place: places.PlacedWord) -> Myth:
    """Refute that the product of two positions is a score."""
    walk, a = place.walk, place.source_position
    b = a + 1 if a + 1 < len(walk.capture.src) else a - 1
    truth = _(
        "Between “{a}” and “{b}”, p · p is {dot}. The score that head 1 of the first layer gives "
        "them is {score}. It compares x + p, the token and its position together, and only after "
        "the matrices W_Q and W_K, which training has set."
    )
    if walk.config.norm == "pre":
        truth = _(
            "Between “{a}” and “{b}”, p · p is {dot}. The score that head 1 of the first layer "
            "gives them is {score}. It compares x + p, the token and its position together, and "
            "only after a normalisation and the matrices W_Q and W_K, which training has set."
        )
    said = truth.format(
        a=escape(walk.capture.src[a].text),
        b=escape(walk.capture.src[b].text),
        dot=number(likeness(walk.array("src.pos").astype(float))[a, b]),
        score=number(walk.array("encoder.0.self_attn.scores")[0, a, b]),
    )
    claim = _("“Attention scores two tokens by the dot product of their positions.”")
    return Myth(claim, maths(said))


def task(place: places.PlacedWord) -> QuizTask:
    """Ask which two positions are as near to each other as two given ones."""
    a = place.position
    pairs = [(a + 7, a + 8), (a + 5, a + 8), (a + 6, a + 8), (a, a + 4), (a + 1, a + 6)]
    dots = position_dots(a + 10, place.d_model, place.layout)
    nearness = dots[a, a + 2]
    names = [_("{a} and {b}").format(a=a, b=b) for a, b in pairs]
    same = [abs(dots[pair] - nearness) < 1e-6 * max(1, nearness) for pair in pairs]
    answers = [i for i, is_same in enumerate(same) if is_same]
    return QuizTask.each(
        N_(
            "The dot product of positions {a} and {b} is {value}. Which two other positions "
            "give exactly the same value?"
        ),
        names,
        answers,
        N_("Yes: {pairs} gives {value} as well. They are just as far apart: {distance} positions."),
        N_(
            "{pair} are {apart} apart and have {other}, not {value}. The distance decides: look "
            "along a diagonal."
        ),
        [
            {"pair": name, "apart": pair[1] - pair[0], "other": number(dots[pair], 3)}
            for name, pair in zip(names, pairs, strict=True)
        ],
        {"pairs": ", ".join(names[i] for i in answers), "distance": 2},
        a=a,
        b=a + 2,
        value=number(nearness, 3),
    )


PAGE = WalkPage(
    slug="positions",
    intro=N_(
        "Attention compares all tokens at once and does not know which came first. So the model "
        "adds to each token's vector a second one that says only where the token stands."
    ),
    select=places.place_of,
    pick=one_by_one(places.pick_place, beside([0.45, 0.55], places.pick_order, places.pick_pair)),
    task_pick=places.pick_place,
    sections=places.screens,
    myth=myth,
    scopes=lambda _place: ("src", "tgt"),
    task=task,
)

if __name__ == "__main__":
    draw_page(PAGE)
