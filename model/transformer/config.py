"""The sizes of a Transformer, and its differences from the paper's, as frozen data."""

from dataclasses import Field, asdict, dataclass, fields, replace
from typing import Any, ClassVar, Literal, Self, get_args

from model.sites.sites import KINDS, SITES, Kind, Site

Activation = Literal["relu", "swish", "gelu", "none"]
"""The function between the two maps of the feed-forward network; "none" leaves one linear map."""

ACTIVATION_NAMES: tuple[Activation, ...] = get_args(Activation)

Layout = Literal["interleaved", "two halves"]
"""The order of the sines and cosines of the positions."""

Positions = Literal["sinusoid", "learned", "rotary", "joined"]
"""The form of positions: a fixed or learned vector that is added, rotation, or own features."""

POSITIONS: tuple[Positions, ...] = get_args(Positions)

Scores = Literal["dot", "additive"]
"""How a query is compared with a key: q k / sqrt(d_k), or v tanh(q + k) (Bahdanau et al. 2015)."""

SCORES: tuple[Scores, ...] = get_args(Scores)

LARGEST = {
    "vocab_size": 1_000_000,
    "d_model": 8192,
    "heads": 256,
    "d_ff": 65_536,
    "encoder_layers": 128,
    "decoder_layers": 128,
    "max_length": 16_384,
}
"""A limit far beyond any useful model; without limits a damaged config fills the memory."""


@dataclass(frozen=True)
class Variant:
    """The differences of a model made elsewhere; the defaults are the paper's choices.

    `scaled`: embeddings are multiplied by sqrt(d_model). `target_pieces`: the decoder has its own
    embedding, of this many pieces (None: it shares the encoder's). `tied`: the decoder's embedding
    also scores the pieces; otherwise a separate matrix does. `biased`: each piece has a bias, which
    is added to its score.
    """

    activation: Activation = "relu"
    layout: Layout = "interleaved"
    scaled: bool = True
    target_pieces: int | None = None
    tied: bool = True
    biased: bool = False

    def said_of(self, site: Site) -> Site:
        """Return a site with its meaning in such a model."""
        meaning = site.meaning
        if not self.scaled:
            meaning = meaning.removesuffix(", times sqrt(d_model)")
        if self.activation != PAPER.activation:
            between = "x W1 + b1" if self.activation == "none" else f"{self.activation}(x W1 + b1)"
            meaning = meaning.replace("max(0, x W1 + b1)", between)
        return replace(site, meaning=meaning)


PLACES: dict[Positions, str] = {
    "learned": "learned vector of each position",
    "rotary": "zeros: queries and keys are turned by their positions instead",
    "joined": "zeros where the embedding is, then sinusoids of each position",
}
"""The content of the positions' site in models that differ from the paper's."""


PAPER = Variant()

CHOICES = {"positions": "sinusoid", "scores": "dot", "activation": PAPER.activation}
"""The paper's choices, by their names in config.json, where others are written."""


@dataclass(frozen=True)
class ModelConfig:
    """Sizes of an encoder-decoder Transformer ("Attention Is All You Need", table 3).

    `positions` is the paper's sinusoid, a table of `max_length` learned vectors (Gehring et al.
    2017), rotary (Su et al. 2021), or joined: sinusoids in the last quarter of the features, where
    every embedding is 0, so that the sum of both is their concatenation. `scores` are dot products,
    or additive.

    Raises ValueError when a size is not a positive whole number or is beyond `LARGEST`, when the
    heads do not divide d_model, when the positions, the scores or the activation are unknown, or
    when the positions cannot rotate a head.
    """

    kind: ClassVar[Literal["transformer"]] = "transformer"
    kinds: ClassVar[tuple[Kind, ...]] = KINDS  # the kinds of attention
    embedding: ClassVar[None] = None  # an embedding of its own

    vocab_size: int = 8000
    d_model: int = 256
    heads: int = 8
    d_ff: int = 1024
    encoder_layers: int = 6
    decoder_layers: int = 6
    max_length: int = 256
    pad_id: int = 0
    begin_id: int = 1
    end_id: int = 2
    variant: Variant = PAPER
    positions: Positions = "sinusoid"
    scores: Scores = "dot"

    def __post_init__(self) -> None:
        """Check every size."""
        for field in self._sizes():
            value = getattr(self, field.name)
            smallest = 0 if field.name.endswith("_id") else 1
            if type(value) is not int or value < smallest:
                raise ValueError(f"{field.name} must be an integer >= {smallest}, not {value!r}")
            if value > (largest := LARGEST.get(field.name, value)):
                raise ValueError(f"{field.name} must be at most {largest:,}, not {value:,}")
        if self.d_model % self.heads or self.d_model % 2:
            raise ValueError(
                f"d_model must be even and divisible by heads, not {self.d_model} / {self.heads}"
            )
        pieces, most = self.target_vocab_size, LARGEST["vocab_size"]
        if type(pieces) is not int or not 1 <= pieces <= most:
            raise ValueError(f"target_pieces must be an integer from 1 to {most:,}, not {pieces!r}")
        self._check_choices()
        smaller = min(self.vocab_size, self.target_vocab_size)
        if max(self.pad_id, self.begin_id, self.end_id) >= smaller:
            raise ValueError(f"special ids must be below vocab_size={smaller}")

    def _check_choices(self) -> None:
        for name, choice, known in (
            ("positions", self.positions, POSITIONS),
            ("scores", self.scores, SCORES),
            ("activation", self.variant.activation, ACTIVATION_NAMES),
        ):
            if choice not in known:
                raise ValueError(f"{name}: one of {', '.join(known)}, not {choice!r}")
        if self.positions == "rotary" and self.d_k % 2:
            raise ValueError(f"rotary positions turn pairs of dims: d_k is {self.d_k}, not even")
        if self.positions == "joined" and self.d_model % 8:
            raise ValueError(f"joined positions need a d_model divisible by 8, not {self.d_model}")
        if self.positions == "rotary" and self.scores != "dot":
            raise ValueError("rotary positions make distances of dot products, not of other scores")

    @classmethod
    def _sizes(cls) -> list[Field[int]]:
        choices = ("variant", "positions", "scores")
        return [field for field in fields(cls) if field.name not in choices]

    def layers(self, kind: Kind) -> int:
        """Return how many layers have this kind of attention, which may also be a stack's name."""
        return self.encoder_layers if kind == "encoder" else self.decoder_layers

    def sites(self) -> dict[str, Site]:
        """Return every site of a model of these sizes by its full name."""
        sites: dict[str, Site] = {}
        for site in map(self.variant.said_of, SITES):
            if site.name.endswith(".positions") and self.positions in PLACES:
                site = replace(site, meaning=PLACES[self.positions])
            if self.positions == "joined" and site.name.endswith(".embedding"):
                site = replace(site, meaning=f"{site.meaning}, then zeros")
            if self.scores == "additive" and site.name.endswith(".scores"):
                site = replace(site, meaning="v tanh(q + k), before the mask")
            layers = self.layers("encoder" if site.name.startswith("encoder.") else "decoder")
            for layer in range(layers) if "{layer}" in site.name else (None,):
                sites[site.name.format(layer=layer)] = site
        return sites

    @property
    def d_k(self) -> int:
        """Return the width of one head, d_model / heads."""
        return self.d_model // self.heads

    @property
    def d_embedding(self) -> int:
        """Return the features of an embedding: all but those of joined positions."""
        return self.d_model - (self.d_model // 4 if self.positions == "joined" else 0)

    @property
    def target_vocab_size(self) -> int:
        """Return how many pieces the decoder knows and scores."""
        return self.variant.target_pieces or self.vocab_size

    @property
    def target_embedding(self) -> str:
        """Return the name of the matrix (V, De) that embeds the decoder's pieces."""
        return "embedding.weight" if self.variant.target_pieces is None else "decoder_embedding"

    @property
    def output_matrix(self) -> str:
        """Return the name of the matrix (V, De) that scores the pieces."""
        return self.target_embedding if self.variant.tied else "output_matrix"

    @property
    def banned_ids(self) -> tuple[int, ...]:
        """Return the ids never written: padding, where it was trained to be the begin token."""
        return (self.pad_id,) if self.pad_id == self.begin_id else ()

    def to_dict(self) -> dict[str, int | str]:
        """Return the sizes by name, ready for JSON, and the choices that are not the paper's.

        These are `positions`, `scores` and `activation`. Raises ValueError when anything else
        differs from the paper's.
        """
        if self.variant != replace(PAPER, activation=self.variant.activation):
            raise ValueError(f"only the paper's variant can be written, not {self.variant}")
        values = asdict(self)
        del values["variant"]
        values["activation"] = self.variant.activation
        return {name: value for name, value in values.items() if CHOICES.get(name) != value}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Build a config from `to_dict`'s result; ValueError names missing or unknown sizes."""
        names = {field.name for field in cls._sizes()}
        if wrong := names.symmetric_difference(values.keys() - CHOICES.keys()):
            raise ValueError(f"config: missing or unknown sizes {sorted(wrong)}")
        others = {name: value for name, value in values.items() if name != "activation"}
        activation = values.get("activation", PAPER.activation)
        return cls(**others, variant=replace(PAPER, activation=activation))
