"""The configuration of a model and of its training: frozen, validated, and saved as JSON.

Every hyper-parameter is declared here, once.
"""

import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from typing import Any, Final, Literal, NamedTuple, Self

from model.errors import N_, UserError
from model.settings import POSITIVE, SHARE, Config, Range, setting

Arch = Literal["transformer", "rnn", "rnnsearch"]
CellName = Literal["gru", "tanh"]
Stack = Literal["encoder", "decoder"]
Side = Literal["src", "tgt"]
Kind = Literal["encoder", "decoder", "cross"]  # of attention
Norm = Literal["post", "pre"]
Positions = Literal["interleaved", "half", "marian", "none"]
HALVES: Final = ("half", "marian")  # the layouts with all sines before all cosines
Activation = Literal["relu", "gelu", "swish"]
OptimizerName = Literal["adam", "muon"]
Schedule = Literal["noam", "linear", "wsd", "constant"]


class Layers(NamedTuple):
    """What each layer of a stack is made of: whose words it reads, and its sub-layers in order.

    In a Transformer an add & norm follows each sub-layer. `causal` layers see no later word.
    """

    side: Side
    sublayers: tuple[str, ...]
    causal: bool = False


# The blocks of each architecture, told here alone, in the order of computing: what a model is made
# of follows from its entry. `cross_attn` looks at what the first stack returns, the memory.
STACKS: Final[Mapping[Arch, Mapping[Stack, Layers]]] = {
    "transformer": {
        "encoder": Layers("src", ("self_attn", "ffn")),
        "decoder": Layers("tgt", ("self_attn", "cross_attn", "ffn"), causal=True),
    },
    "rnn": {"encoder": Layers("src", ("gru",)), "decoder": Layers("tgt", ("gru",))},
    "rnnsearch": {
        "encoder": Layers("src", ("gru_forward", "gru_backward")),
        "decoder": Layers("tgt", ("cross_attn", "gru")),
    },
}


class Attention(NamedTuple):
    """One kind of attention: which sub-layer it is, whose tokens look, and whose are looked at.

    `number` is its place among the sub-layers, from 1; a `causal` one has no key after its query.
    """

    stack: Stack
    sublayer: str
    queries: Side
    keys: Side
    number: int
    causal: bool = False

    @property
    def own(self) -> bool:
        """Whether words look at their own sentence."""
        return self.queries == self.keys

    def scope(self, layer: int | str) -> str:
        """Return what the names of its arrays begin with: `encoder.0.self_attn`."""
        return f"{self.stack}.{layer}.{self.sublayer}"

    def add_norm(self, layer: int) -> str:
        """Return the residual connection with normalisation after it: `encoder.0.add_norm_1`."""
        return f"{self.stack}.{layer}.add_norm_{self.number}"


def attentions_of(stacks: Mapping[Stack, Layers]) -> dict[Kind, Attention]:
    """Return the attentions of a model by their kinds, in the order of computing."""
    found: dict[Kind, Attention] = {}
    memory = next(iter(stacks.values())).side
    for stack, (side, sublayers, causal) in stacks.items():
        for number, sublayer in enumerate(sublayers, start=1):
            if sublayer == "self_attn":
                found[stack] = Attention(stack, sublayer, side, side, number, causal)
            if sublayer == "cross_attn":
                found["cross"] = Attention(stack, sublayer, side, memory, number)
    return found


ATTENTIONS: Final = attentions_of(STACKS["transformer"])  # every kind that any model has
KINDS: Final = tuple(ATTENTIONS)
DEPTHS: Final = tuple(f"n_{stack}_layers" for stack in STACKS["transformer"])
# Settings that are 1 for a recurrent translator, and settings that do not apply to it.
ONE_IF_RECURRENT: Final = ("n_heads", *DEPTHS)
TRANSFORMER_ONLY: Final = (*ONE_IF_RECURRENT, "d_ff", "norm", "positions", "activation", "causal")
RECURRENT_ONLY: Final = ("d_hidden", "cell")


@dataclass(frozen=True)
class ModelConfig(Config):
    """The shape of one translator; the defaults are the Transformer's base model (table 3).

    `tgt_vocab_size=None` means one vocabulary for both languages; `force_end` ends a translation
    that reaches the limit with <eos>, whatever its probability, as Marian models do. A recurrent
    translator, `rnn` or `rnnsearch`, has states of `d_hidden` numbers, computed by a gated or plain
    `cell`, one layer and, if it attends, one head. `d_ff`, `norm` and `positions` do not apply to
    it, and `d_hidden` and `cell` do not apply to a Transformer. Ranges end, though far above any
    real model, so that a forged config.json cannot exhaust the memory of the machine that opens it.
    Raises ValueError for a model that cannot be built.
    """

    vocab_size: int = setting(
        MISSING,
        N_("The largest number of different tokens."),
        N_("Vocabulary"),
        Range(1, 1_000_000),
        (259, 32_000, 1),
    )
    tgt_vocab_size: int | None = setting(None, valid=Range(1, 1_000_000))
    d_model: int = setting(
        512,
        N_("How many numbers each token's vector has."),
        "d_model",
        Range(1, 65_536),
        (8, 1024, 8),
    )
    n_heads: int = setting(
        8,
        N_("Of each attention; they divide d_model among them."),
        N_("Heads"),
        Range(1, 1024),
        (1, 16, 1),
    )
    d_ff: int = setting(
        2048,
        N_("Hidden units of each feed-forward network."),
        "d_ff",
        Range(1, 262_144),
        (8, 4096, 8),
    )
    n_encoder_layers: int = setting(
        6, N_("Each reads the whole source again."), N_("Encoder layers"), Range(1, 64), (1, 12, 1)
    )
    n_decoder_layers: int = setting(
        6,
        N_("Each looks at what is written so far, and at the source."),
        N_("Decoder layers"),
        Range(1, 64),
        (1, 12, 1),
    )
    dropout: float = setting(
        0.1,
        N_("Share of numbers set to 0 in training, against overfitting."),
        N_("Dropout"),
        SHARE,
        (0.0, 0.9, 0.05),
    )
    norm: Norm = setting(
        "post",
        N_("After each sum, as in the paper, or before each sub-layer."),
        N_("Norm"),
        choices={"post": N_("after (post)"), "pre": N_("before (pre)")},
    )
    positions: Positions = setting(
        "interleaved",
        N_("How sine and cosine are laid out. With none, the order of words is lost."),
        N_("Positions"),
        choices={
            "interleaved": N_("by turns"),
            "half": N_("in halves"),
            "marian": N_("in halves, the paper's rates"),
            "none": N_("none"),
        },
    )
    activation: Activation = setting(
        "relu",
        N_("What makes the feed-forward network more than one linear map."),
        N_("Activation"),
        choices={"relu": "ReLU", "gelu": "GELU", "swish": "Swish"},
    )
    scale_embedding: bool = True
    force_end: bool = False
    share_embeddings: bool = True
    tie_generator: bool = True
    max_len: int = setting(256, valid=Range(1, 10_000), form=(1, 1024, 1))
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2
    arch: Arch = setting(
        "transformer",
        N_(
            "What reads and writes. Transformer: attention alone. RNNsearch: a recurrent network "
            "that looks back at the source. RNN: one that keeps the whole sentence in a single "
            "vector."
        ),
    )
    d_hidden: int = setting(
        512,
        N_("Numbers that the network carries from token to token."),
        N_("State"),
        Range(1, 65_536),
        (8, 2048, 8),
    )
    cell: CellName = setting(
        "gru",
        N_(
            "What makes the next state. A GRU has gates that can keep the old one; a plain cell "
            "replaces all of it at every token."
        ),
        N_("Cell"),
        choices={"gru": N_("GRU, with gates"), "tanh": N_("plain, tanh")},
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("pad_id", "bos_id", "eos_id"):
            value, size = getattr(self, name), min(self.vocab_size, self.n_tgt_vocab)
            if not isinstance(value, int) or not 0 <= value < size:
                raise UserError("not_in_vocabulary", name, value=value)
        if self.cell != "gru" and not self.recurrent:
            raise UserError("not_for_arch", "cell", arch=self.arch)
        for name in ONE_IF_RECURRENT if self.recurrent else ():
            if getattr(self, name) != 1:
                raise UserError("one_for_arch", name, value=getattr(self, name), arch=self.arch)
        if self.d_model % self.n_heads:
            raise UserError("not_multiple", "d_model", value=self.d_model, heads=self.n_heads)
        if self.d_model % 2:
            raise UserError("odd", "d_model", value=self.d_model)
        if self.share_embeddings and self.n_tgt_vocab != self.vocab_size:
            raise UserError("vocabularies_differ", "tgt_vocab_size", value=self.tgt_vocab_size)

    @property
    def recurrent(self) -> bool:
        return self.arch != "transformer"

    @property
    def stacks(self) -> Mapping[Stack, Layers]:
        """The stacks of layers, in the order of computing."""
        return STACKS[self.arch]

    def n_layers(self, stack: Stack) -> int:
        """Return how many layers a stack has."""
        return getattr(self, f"n_{stack}_layers") if stack in self.stacks else 0

    def n_attentions(self, kind: Kind) -> int:
        """Return the number of layers with attention of a kind: encoder, decoder or `cross`."""
        found = attentions_of(self.stacks).get(kind)
        return self.n_layers(found.stack) if found else 0

    @property
    def embedding_scale(self) -> float:
        """The factor that scales embeddings: √d_model (section 3.4), or 1."""
        return math.sqrt(self.d_model) if self.scale_embedding else 1.0

    @property
    def d_k(self) -> int:
        return self.d_model // self.n_heads

    @property
    def n_tgt_vocab(self) -> int:
        return self.tgt_vocab_size or self.vocab_size


@dataclass(frozen=True)
class TrainConfig(Config):
    """How a model is trained; the defaults follow section 5 of the paper, scaled to two cores.

    `batch_tokens` counts source and target tokens of one optimiser step; `average` is how many
    of the last validated weights are averaged into the best checkpoint (1: none);
    `causal=False` removes the causal mask, and `one_batch` trains on the first batch only, both to
    show what goes wrong then; `rates` are (step, peak learning rate from that step on), the changes
    made during training. Raises ValueError for a configuration that cannot be run.
    """

    steps: int = setting(
        10_000, N_("How often all weights are updated."), N_("Steps"), Range(), (1, 1_000_000, 50)
    )
    batch_tokens: int = setting(
        4096,
        N_("Source and target tokens in one step."),
        N_("Tokens per batch"),
        Range(),
        (64, 50_000, 256),
    )
    accumulate: int = setting(1, "Batches added up for a step.", valid=Range(), form=(1, 64, 1))
    optimizer: OptimizerName = setting(
        "adam",
        N_("Adam is the paper's; Muon learns more from each step."),
        N_("Optimiser"),
        choices={"adam": "Adam", "muon": "Muon"},
    )
    schedule: Schedule = setting(
        "noam",
        N_("How the learning rate changes after its warm-up."),
        N_("Schedule"),
        choices={
            "noam": N_("noam: ∝ 1/√step"),
            "linear": N_("linear: down to 0"),
            "wsd": N_("wsd: stable, then down"),
            "constant": N_("constant"),
        },
    )
    learning_rate: float = setting(
        1e-3,
        N_("Its highest value, after the warm-up."),
        N_("Learning rate"),
        POSITIVE,
        (0.00001, 1.0, 0.0005),
    )
    warmup: int = setting(
        1000,
        N_("Steps until the learning rate is highest."),
        N_("Warm-up"),
        Range(),
        (1, 20_000, 10),
    )
    cooldown: float = setting(0.3, "Last share of wsd, going down.", valid=SHARE)
    label_smoothing: float = setting(
        0.1,
        N_("How much of the target is taken from the right token and spread over all."),
        N_("Label smoothing"),
        SHARE,
        (0.0, 0.9, 0.05),
    )
    clip: float = setting(1.0, "Highest gradient norm.", valid=POSITIVE)
    weight_decay: float = setting(
        0.0, "Decoupled weight decay.", valid=Range(0), form=(0.0, 1.0, 0.01)
    )
    vary: float = setting(
        0.0, "Chance of a source without capitals, accents or final stop.", valid=SHARE
    )
    subword_dropout: float = setting(
        0.0,
        "Chance that a piece of the source is cut into the two it was merged from.",
        valid=SHARE,
    )
    max_tokens: int = setting(100, "Longer pairs are left out.", valid=Range(), form=(1, 1000, 1))
    bf16: bool = setting(False, "Compute in 16 bits.")
    average: int = setting(1, "Validated weights to average.", valid=Range(), form=(1, 16, 1))
    validate_every: int = setting(
        500, "Steps between validations.", valid=Range(), form=(1, 1_000_000, 1)
    )
    validate_pairs: int = setting(500, "Pairs of a validation.", valid=Range(), form=(1, 10_000, 1))
    patience: int = setting(
        0,
        "Stop early after this many validations in a row that bring no better one (0: never).",
        valid=Range(0),
        form=(0, 10_000, 1),
    )
    seed: int = setting(
        0,
        N_("The same seed gives the same run."),
        N_("Seed"),
        Range(0, 2**31 - 1),
        (0, 2**31 - 1, 1),
    )
    causal: bool = setting(
        True, N_("Off: the decoder may peek at the tokens to come."), N_("Causal mask")
    )
    one_batch: bool = setting(
        False,
        N_("A model that cannot learn one batch by heart has a mistake somewhere."),
        N_("Always the same batch"),
    )
    rates: tuple[tuple[int, float], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for _, rate in self.rates:
            if code := POSITIVE.problem(rate, whole=False):
                raise UserError(code, "learning_rate", value=rate)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Build a configuration from a dictionary read from JSON; raises ValueError."""
        rates = tuple(map(tuple, values.get("rates", ())))
        return super().from_dict({**values, "rates": rates})

    def peak(self, step: int) -> float:
        """Return the peak learning rate of the schedule in force at a step."""
        return next(
            (rate for start, rate in reversed(self.rates) if start <= step), self.learning_rate
        )
