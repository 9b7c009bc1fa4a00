"""All settings that decide the result of a training run, as frozen data."""

from dataclasses import asdict, dataclass, field

from model.families import Config
from model.learning.recipe import CLIP, EMBEDDING_RATE, SEED, SMOOTHING, WEIGHT_DECAY
from model.recurrent.config import RecurrentConfig
from model.sites.sites import Head
from model.transformer.config import ModelConfig

ALONE = -1
"""The phase in which only the encoder learns, before the first translating phase."""

ADDED = (
    *("generated", "phrases", "visitors", "exchanged", "typed", "copies"),
    *("noise", "capitals", "chinese"),
)
"""Shares of a round that are made by rules, beside the pairs of the files."""

SHARES = (*ADDED, "unmarked", "blanked", "unread")  # shares of the pairs or pieces, below 1
WEIGHTS = (
    "masked",
    "gender",
    "naming",
    "neighbours",
    "alive",
    "resting",
    "interchange",
    "link",
    "one_head",
    "reads",
    "turn",
    "share",
)  # weights of the side tasks' losses
CAUSAL = ("interchange", "link", "one_head", "reads", "turn", "share")
"""Of these, the weights of the losses on minimal pairs."""

_COUNTS = ("steps", "pretrain", "warmup", "decay", "side_tokens", "longest_pair")
_AT_LEAST_ONE = (
    *("tokens", "accumulate", "round", "average"),
    *("causal_pairs", "carrier_layer", "carrier_head"),
)


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a run; they are in its log and in the card of its checkpoint.

    **Length.** Of the `steps`, the first `pretrain` train only the encoder, to guess masked pieces
    of English. The others translate, in phases: each of `phases` is the share of them after which
    the next phase begins. A step learns from `accumulate` batches of at most `tokens` tokens.

    **Data.** A tuple has a value for every phase; the last value holds for all later ones.
    `weights` says how often a pair of each training file is drawn, relative to the others; `round`
    is the number of pairs drawn at a time, to be cut into batches of similar length. Pairs with a
    side of more than `longest_pair` tokens are left out; 0 leaves out none that fits. `generated`
    is the share of generated pronoun pairs, `phrases` that of the generated phrases with two
    adjectives, `visitors` that of sentences as visitors type them, `exchanged` that of real pairs
    with names, towns, numbers and times exchanged on both sides, `typed` that of copies without
    capitals or marks, `copies` that of rows of letters to copy, `noise` that of pairs with emoji,
    quotes, brackets, prices and the like on both sides, `capitals` that of pairs in capitals or
    title case, `chinese` that of Chinese-English pairs as people type them, `unmarked` that of the
    pairs that lose the mark at their end, `join` that of the pairs that are joined two by two.
    `blanked` is the share of the decoder's input pieces that become `<unk>`, so that it relies on
    the memory, `unread` that of the source's positions at which the decoder cannot look, so that
    the encoder must bring what stands there to others.

    **Side tasks** are losses on the encoder's states, weighted in every phase. `masked` guesses
    `masked_pieces` of the pieces of `side_tokens` tokens of English. `gender` tells from the memory
    at "it" if French says il or elle, and `naming` which noun it stands for. `neighbours`
    names the pieces before and after each piece from its state in the second layer. `alive` weighs
    a loss that keeps a share of the hidden units of every token, `alive_share`, above zero.
    `resting` weighs the only loss on attention itself, off unless a run asks for it: encoder weight
    on `</s>` and punctuation above `resting_share` of all.

    **Causes.** `causal_pairs` minimal pairs a step teach that the visible links decide
    (`causal.py`), each loss with a weight for every phase. `interchange`: the memory at "it"
    decides between il and elle. `link`: it knows this only by the link from "it" to the nouns.
    `one_head`: and by the encoder head `carrier_layer`.`carrier_head`, both counted from 1.
    `reads`: the decoder looks at "it" when it writes the pronoun. `turn`: it writes the other
    pronoun when that head is made to look at the other noun. `share`: under the cuts of the three
    before, il and elle keep the probability. They are off unless a run asks for them.

    **Cheating.** With `look_ahead` 1 the decoder learns without its look-ahead mask: every position
    sees all given pieces of the target, including the one it must predict. This shows the purpose
    of the mask.

    **Rates.** Embeddings start from `vectors.py` and learn at `embedding_rate` times the rate of
    the rest, so that their start lasts. The encoder learns at `encoder_rate` times the rate once it
    translates. `feed_forward_gain` is the initial gain of its matrices, 0 for that of the model
    itself (DeepNet's beta). With `muon` 1 the hidden matrices are stepped by Muon, with 0 by AdamW
    like the rest: for finished weights on a processor without bfloat16, where Muon takes a third of
    a step. `average` is the number of saved checkpoints in the mean that is shipped.

    Raises ValueError when a share is not below one or a count is negative.
    """

    config: Config = field(default_factory=ModelConfig)
    steps: int = 12_000
    pretrain: int = 3000
    phases: tuple[float, ...] = (0.5, 0.8)
    tokens: int = 25_000
    accumulate: int = 1
    weights: tuple[tuple[float, ...], ...] = ((1.0,),)
    round: int = 40_000
    longest_pair: int = 0
    peak: float = 1.8e-3
    embedding_rate: float = EMBEDDING_RATE
    encoder_rate: float = 0.33
    feed_forward_gain: float = 1.0
    warmup: int = 400
    decay: int = 2700
    dropout: float = 0.15
    smoothing: float = SMOOTHING
    weight_decay: float = WEIGHT_DECAY
    clip: float = CLIP
    muon: int = 1
    join: float = 0.25
    generated: tuple[float, ...] = (0.12, 0.08, 0.05)
    phrases: tuple[float, ...] = (0, 0.03)
    visitors: tuple[float, ...] = (0.08,)
    exchanged: tuple[float, ...] = (0.15,)
    typed: tuple[float, ...] = (0.1,)
    copies: tuple[float, ...] = (0.0,)
    noise: tuple[float, ...] = (0.0,)
    capitals: tuple[float, ...] = (0.0,)
    chinese: tuple[float, ...] = (0.0,)
    unmarked: tuple[float, ...] = (0, 0.05)
    blanked: tuple[float, ...] = (0.2, 0.2, 0.1)
    unread: tuple[float, ...] = (0.0,)
    masked: tuple[float, ...] = (0.5, 0.25, 0.1)
    masked_pieces: float = 0.2
    side_tokens: int = 8000
    gender: tuple[float, ...] = (0.2,)
    naming: tuple[float, ...] = (0.2,)
    neighbours: tuple[float, ...] = (0.2,)
    alive: tuple[float, ...] = (0.5,)
    alive_share: float = 0.04
    resting: tuple[float, ...] = (0.0,)
    resting_share: float = 0.3
    causal_pairs: int = 8
    carrier_layer: int = 6
    carrier_head: int = 4
    interchange: tuple[float, ...] = (0.0,)
    link: tuple[float, ...] = (0.0,)
    one_head: tuple[float, ...] = (0.0,)
    reads: tuple[float, ...] = (0.0,)
    turn: tuple[float, ...] = (0.0,)
    share: tuple[float, ...] = (0.0,)
    look_ahead: int = 0
    average: int = 2
    seed: int = SEED

    def __post_init__(self) -> None:
        """Check values that would fail late."""
        self._check_shares()
        self._check_recurrent()
        self._check_carrier()
        for name in (*WEIGHTS, "embedding_rate", "encoder_rate", "feed_forward_gain"):
            value = getattr(self, name)
            if min(value if isinstance(value, tuple) else (value,), default=-1) < 0:
                raise ValueError(f"{name} must not be negative or empty, but is {value}")
        for names, least in ((_COUNTS, 0), (_AT_LEAST_ONE, 1)):
            for name in names:
                if getattr(self, name) < least:
                    raise ValueError(f"{name} must be at least {least}, not {getattr(self, name)}")
        if self.look_ahead not in (0, 1):
            raise ValueError(f"look_ahead must be 0 or 1, not {self.look_ahead}")
        if self.pretrain > self.steps:
            raise ValueError(f"pretrain ({self.pretrain}) is longer than steps ({self.steps})")
        if list(self.phases) != sorted(self.phases) or not all(0 < end < 1 for end in self.phases):
            raise ValueError(f"phases must rise between 0 and 1, not {self.phases}")
        for file in self.weights:
            if not file or min(file) < 0:
                raise ValueError(f"a file's weights must not be negative or missing, not {file}")
        for phase in range(len(self.phases) + 1):
            if not any(in_phase(file, phase) for file in self.weights):
                raise ValueError(f"no file has a weight in phase {phase}")

    def _check_recurrent(self) -> None:
        if isinstance(self.config, RecurrentConfig):
            for name in ("pretrain", "look_ahead", *WEIGHTS):
                value = getattr(self, name)
                if value if isinstance(value, int) else any(value):
                    raise ValueError(
                        f"a recurrent model learns to translate alone: {name} is not 0"
                    )

    def _check_carrier(self) -> None:
        needed = any(map(any, (self.one_head, self.turn, self.share)))
        if not needed or isinstance(self.config, RecurrentConfig):
            return
        layers, heads = self.config.encoder_layers, self.config.heads
        if self.carrier_layer > layers or self.carrier_head > heads:
            raise ValueError(
                f"carrier_layer and carrier_head must name one of {layers} x {heads} encoder "
                f"heads, not {self.carrier_layer}.{self.carrier_head}"
            )

    def _check_shares(self) -> None:
        shares = {name: getattr(self, name) for name in SHARES}
        shares |= {n: (getattr(self, n),) for n in ("dropout", "smoothing", "join")}
        shares |= {
            n: (getattr(self, n),) for n in ("masked_pieces", "alive_share", "resting_share")
        }
        for name, values in shares.items():
            if not values:
                raise ValueError(f"{name} must have a share for at least one phase")
            for value in values:
                if not 0 <= value < 1:
                    raise ValueError(f"{name} must be at least 0 and below 1, not {value}")
        for phase in range(max(len(getattr(self, name)) for name in ADDED)):
            if sum(in_phase(getattr(self, name), phase) for name in ADDED) >= 1:
                raise ValueError(f"{', '.join(ADDED)} leave no room for others in phase {phase}")

    @property
    def carrier(self) -> Head:
        """Return the encoder head that must carry the noun of "it"."""
        return Head("encoder", self.carrier_layer - 1, self.carrier_head - 1)

    def teaches_causes(self, phase: int) -> bool:
        """Return True if the steps of a phase learn from minimal pairs."""
        return phase != ALONE and any(in_phase(getattr(self, name), phase) for name in CAUSAL)

    @property
    def ever_teaches_causes(self) -> bool:
        """Return True if any phase learns from minimal pairs."""
        return any(map(self.teaches_causes, range(len(self.phases) + 1)))

    @property
    def longest(self) -> int:
        """Return the longest side of a pair, in tokens, that fits into the model and any batch."""
        guessing = any(self.masked)
        fits = min(
            self.config.max_length, self.tokens, self.side_tokens if guessing else self.tokens
        )
        return min(fits, self.longest_pair or fits)

    def phase(self, step: int) -> int:
        """Return the phase of a step (the first is step 0): ALONE, then 0, 1 ..."""
        if step < self.pretrain:
            return ALONE
        translating = self.steps - self.pretrain
        return sum(step - self.pretrain >= end * translating for end in self.phases)

    def to_dict(self) -> dict[str, object]:
        """Return the settings by name, ready for JSON."""
        values: dict[str, object] = asdict(self)
        values["config"] = self.config.to_dict()
        return values


def in_phase(values: tuple[float, ...], phase: int) -> float:
    """Return the value of a phase; the encoder alone (ALONE) counts as the first."""
    return values[min(max(phase, 0), len(values) - 1)]
