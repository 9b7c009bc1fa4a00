"""The sizes of a recurrent translator and its kind of attention, as frozen data."""

from dataclasses import asdict, dataclass, fields, replace
from typing import ClassVar, Literal, Self, get_args

from model.sites.sites import RECURRENT_SITES, SUITS_LAST_STATE, Kind, Site

Attending = Literal["none", "cho", "dot", "general", "additive", "local-p", "bahdanau", "lstm"]
ATTENDING: tuple[Attending, ...] = get_args(Attending)

FIXED: tuple[Attending, ...] = ("none", "cho")
"""The kinds without attention: the decoder gets one vector from the source."""

LOOK_FIRST: tuple[Attending, ...] = ("bahdanau", "cho")
"""The kinds that look first: each step reads the context of the state before."""

LONG: tuple[Attending, ...] = ("lstm",)
"""The kinds whose units are long short-term memories."""

GRU_GATES = ("reset", "update", "candidate")
LSTM_GATES = ("input_gate", "forget_gate", "output_gate", "candidate", "cell")
"""The values that units compute for a state, by the names of the sites."""

_ONLY_LOCAL = ("position", "window", "sigma", "gaussian")


@dataclass(frozen=True)
class RecurrentConfig:
    """Sizes of a recurrent encoder-decoder, and its kind of attention and units.

    The kinds: "none" has one fixed vector between encoder and decoder, for the first state and the
    output; in "cho" every step also reads it (Cho et al. 2014). "additive" scores as Bahdanau et
    al. (2015), "dot", "general" and "local-p" as Luong et al. (2015), all in the order of Luong et
    al.: step, then look. "bahdanau" scores as "additive" does and looks before the step, which
    reads the context. "lstm" is "additive" with long short-term memories (Hochreiter and
    Schmidhuber 1997); all others have gated recurrent units. States are `d_state` wide, half of it
    from each direction of the encoder. `d_score` is the width inside the additive score and inside
    the prediction of a position. `window` is D of local-p. `embedding` names a folder beside the
    model's own with the tokenizer and embedding that it uses: a checkpoint, or a folder with
    nothing else in it.

    Raises ValueError when the kind is unknown, a size is not a positive whole number or d_state
    is odd.
    """

    heads: ClassVar[int] = 1
    banned_ids: ClassVar[tuple[int, ...]] = ()
    target_embedding: ClassVar[str] = "embedding.weight"
    output_matrix: ClassVar[str] = "embedding.weight"

    kind: Attending = "additive"
    vocab_size: int = 8000
    d_model: int = 256
    d_state: int = 384
    d_score: int = 192
    window: int = 4
    max_length: int = 256
    pad_id: int = 0
    begin_id: int = 1
    end_id: int = 2
    embedding: str = "en-fr-words"

    def __post_init__(self) -> None:
        """Check the kind and every size."""
        if self.kind not in ATTENDING:
            raise ValueError(f"kind must be one of {', '.join(ATTENDING)}, not {self.kind!r}")
        if type(self.embedding) is not str or not self.embedding:
            raise ValueError(f"embedding must name a checkpoint, not be {self.embedding!r}")
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("kind", "embedding"):
                continue
            smallest = 0 if field.name.endswith("_id") else 1
            if type(value) is not int or value < smallest:
                raise ValueError(f"{field.name} must be an integer >= {smallest}, not {value!r}")
        if self.d_state % 2:
            raise ValueError(f"d_state must be even, not {self.d_state}")
        if max(self.pad_id, self.begin_id, self.end_id) >= self.vocab_size:
            raise ValueError(f"special ids must be below vocab_size={self.vocab_size}")

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return the kinds of attention of the model; none with a fixed vector."""
        return () if self.kind in FIXED else ("cross",)

    def layers(self, kind: Kind) -> int:
        """Return how many layers have this kind of attention."""
        return int(kind in self.kinds)

    def sites(self) -> dict[str, Site]:
        """Return every site of such a model by its full name."""
        sites: dict[str, Site] = {}
        absent = set(GRU_GATES if self.kind in LONG else LSTM_GATES) - {"candidate"}
        for site in RECURRENT_SITES:
            part = site.name.rpartition(".")[2]
            if part in absent:
                continue
            if self.kind == "bahdanau" and part == "scores":
                site = replace(site, meaning=SUITS_LAST_STATE)
            attends = "cross_attn" not in site.name or part == "context" or self.kinds
            if attends and (part not in _ONLY_LOCAL or self.kind == "local-p"):
                sites[site.name.format(layer=0)] = site
        return sites

    def to_dict(self) -> dict[str, int | str]:
        """Return kind, sizes and the name of the embedding, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, int | str]) -> Self:
        """Build a config from `to_dict`'s result; ValueError names missing or unknown sizes."""
        names = {field.name for field in fields(cls)}
        if wrong := names.symmetric_difference(values):
            raise ValueError(f"config: missing or unknown sizes {sorted(wrong)}")
        return cls(**values)  # pyrefly: ignore[bad-argument-type]
