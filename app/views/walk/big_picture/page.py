"""Chapter 1: the whole Transformer, from the black box to the parts of one layer."""

from app.format import grouped, percent
from app.i18n import N_, _
from app.page.declare import Code, Drawer, Myth, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.big_picture import box, drawings, halves, layers, texts
from app.views.walk.big_picture.counts import PARTS, totals
from app.views.walk.big_picture.followed import STACK, Followed
from app.views.walk.big_picture.parameters import count_text, draw_counts


def myth(token: Followed) -> Myth:
    """Refute that a longer sentence needs more parameters."""
    n, d = len(token.walk.capture.src), token.walk.config.d_model
    count, numbers = grouped(token.n_parameters), grouped(n * d)
    return Myth(_(texts.MYTH), _(texts.TRUTH).format(count=count, n=n, d=d, numbers=numbers))


def task(token: Followed) -> Task:
    """Ask which kind of part has most parameters."""
    sizes = {part: n for part, n in totals(token.counts).items() if n}
    most = max(sizes.values())
    names = [_(PARTS[part][0]) for part in sizes]
    answers = [i for i, n in enumerate(sizes.values()) if n == most]
    total = sum(sizes.values())
    told = [
        {"name": name, "n": grouped(n), "total": grouped(total), "share": percent(n / total)}
        for name, n in zip(names, sizes.values(), strict=True)
    ]
    return Task(
        _(texts.QUESTION),
        names,
        frozenset(answers),
        _(texts.RIGHT).format(**told[answers[0]]),
        "",
        [_(texts.REASON).format(**each) for each in told],
    )


SECTIONS = (
    Section("box", texts.BOX_TITLE, box.draw_box, box.box_text, pick=False),
    Section(
        "encoder",
        texts.ENCODER_TITLE,
        halves.draw_encoder,
        halves.encoder_text,
        guess=halves.guess_rows,
        pick=False,
        beside=((halves.decoder_text, halves.draw_decoder),),
        was=("decoder",),
    ),
    Section(
        "map",
        texts.MAP_TITLE,
        drawings.draw_map,
        texts.MAP,
        pick=False,
        code=(
            Code(
                N_("The whole model: from source and target tokens to logits"),
                r"\text{logits} = \text{decode}\bigl("
                r"\text{tgt},\ \text{encode}(\text{src})\bigr)\,W + b",
                "model.nn.transformer:Transformer.forward",
            ),
        ),
    ),
    Section(
        "stacks",
        texts.STACKS_TITLE,
        layers.draw_stack,
        layers.stack_text,
        guess=layers.guess_width,
        pick=layers.pick_token,
    ),
    Section(
        "layer",
        texts.LAYER_TITLE,
        drawings.draw_layers,
        drawings.layers_text,
        pick=False,
        drawers=(
            Drawer(
                "sub-layer-1",
                texts.SUB_LAYER_NAME,
                layers.draw_sub_layer,
                layers.sub_layer_text,
                pick=layers.pick_all,
                was=("sub-layer-2", "sub-layer-3"),
            ),
        ),
        code=(
            Code(
                N_("One encoder layer"),
                r"x \to x + \text{self-attention}(x) \to x + \text{ffn}(x)\quad\text{(+ norm)}",
                "model.nn.layers:EncoderLayer.forward",
            ),
            Code(
                N_("One decoder layer"),
                r"x \to x + \text{self-attention}(x) \to x + \text{attention}(x, \text{memory})"
                r" \to x + \text{ffn}(x)",
                "model.nn.layers:DecoderLayer.forward",
            ),
            Code(
                N_("Add & norm, in either order"),
                r"\text{post: } \text{norm}(x + f(x)) \qquad \text{pre: } x + f(\text{norm}(x))",
                "model.nn.layers:AddNorm.forward",
            ),
        ),
    ),
    Section(
        "count",
        texts.COUNT_TITLE,
        draw_counts,
        count_text,
        pick=False,
        code=(
            Code(
                N_("The model's own count of its parameters"),
                r"\sum_{\text{arrays}} \text{rows} \times \text{columns}",
                "model.nn.translator:n_parameters",
            ),
        ),
    ),
)


PAGE = WalkPage(
    slug="big_picture",
    intro=texts.INTRO,
    select=lambda walk: Followed.chosen(walk, STACK.get()),
    pick=layers.pick_all,
    task_pick=False,
    sections=SECTIONS,
    myth=myth,
    scopes=lambda _token: (),  # the page is about the whole model
    task=task,
)

if __name__ == "__main__":
    draw_page(PAGE)
