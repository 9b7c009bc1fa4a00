"""The sizes of a Transformer, and its differences from the paper's, as frozen data."""

from dataclasses import Field, asdict, dataclass, fields, replace
from typing import Any, ClassVar, Literal, Self, get_args

from model.sites.sites import KINDS, SITES, Kind, Site

Activation = Literal["relu", "swish", "gelu"]
"""The function between the two maps of the feed-forward network."""

Layout = Literal["interleaved", "two halves"]
"""The order of the sines and cosines of the positions."""

Positions = Literal["sinusoid", "learned", "rotary"]
"""The form of positions: a fixed or learned vector added to each token, or rotation."""

POSITIONS: tuple[Positions, ...] = get_args(Positions)

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
            meaning = meaning.replace("max(0, x W1 + b1)", f"{self.activation}(x W1 + b1)")
        return replace(site, meaning=meaning)


PLACES: dict[Positions, str] = {
    "learned": "learned vector of each position",
    "rotary": "zeros: queries and keys are turned by their positions instead",
}
"""The content of the positions' site in models that differ from the paper's."""


PAPER = Variant()


@dataclass(frozen=True)
class ModelConfig:
    """Sizes of an encoder-decoder Transformer ("Attention Is All You Need", table 3).

    `positions` is the paper's sinusoid, a table of `max_length` learned vectors (Gehring et al.
    2017), or rotary (Su et al. 2021).

    Raises ValueError when a size is not a positive whole number or is beyond `LARGEST`, when the
    heads do not divide d_model, or when the positions are unknown or cannot rotate a head.
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
        if self.positions not in POSITIONS:
            raise ValueError(f"positions: one of {', '.join(POSITIONS)}, not {self.positions!r}")
        if self.positions == "rotary" and self.d_k % 2:
            raise ValueError(f"rotary positions turn pairs of dims: d_k is {self.d_k}, not even")
        smaller = min(self.vocab_size, self.target_vocab_size)
        if max(self.pad_id, self.begin_id, self.end_id) >= smaller:
            raise ValueError(f"special ids must be below vocab_size={smaller}")

    @classmethod
    def _sizes(cls) -> list[Field[int]]:
        return [field for field in fields(cls) if field.name not in ("variant", "positions")]

    def layers(self, kind: Kind) -> int:
        """Return how many layers have this kind of attention, which may also be a stack's name."""
        return self.encoder_layers if kind == "encoder" else self.decoder_layers

    def sites(self) -> dict[str, Site]:
        """Return every site of a model of these sizes by its full name."""
        sites: dict[str, Site] = {}
        for site in map(self.variant.said_of, SITES):
            if site.name.endswith(".positions") and self.positions in PLACES:
                site = replace(site, meaning=PLACES[self.positions])
            layers = self.layers("encoder" if site.name.startswith("encoder.") else "decoder")
            for layer in range(layers) if "{layer}" in site.name else (None,):
                sites[site.name.format(layer=layer)] = site
        return sites

    @property
    def d_k(self) -> int:
        """Return the width of one head, d_model / heads."""
        return self.d_model // self.heads

    @property
    def target_vocab_size(self) -> int:
        """Return how many pieces the decoder knows and scores."""
        return self.variant.target_pieces or self.vocab_size

    @property
    def target_embedding(self) -> str:
        """Return the name of the matrix (V, D) that embeds the decoder's pieces."""
        return "embedding.weight" if self.variant.target_pieces is None else "decoder_embedding"

    @property
    def output_matrix(self) -> str:
        """Return the name of the matrix (V, D) that scores the pieces."""
        return self.target_embedding if self.variant.tied else "output_matrix"

    @property
    def banned_ids(self) -> tuple[int, ...]:
        """Return the ids never written: padding, where it was trained to be the begin token."""
        return (self.pad_id,) if self.pad_id == self.begin_id else ()

    def to_dict(self) -> dict[str, int | str]:
        """Return the sizes by name, ready for JSON, and positions unless they are sinusoids.

        Raises ValueError when any other choice differs from the paper's.
        """
        if self.variant != PAPER:
            raise ValueError(f"only the paper's variant can be written, not {self.variant}")
        values = asdict(self)
        del values["variant"]
        if self.positions == "sinusoid":
            del values["positions"]
        return values

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Build a config from `to_dict`'s result; ValueError names missing or unknown sizes."""
        names = {field.name for field in cls._sizes()}
        if wrong := names.symmetric_difference(values.keys() - {"positions"}):
            raise ValueError(f"config: missing or unknown sizes {sorted(wrong)}")
        return cls(**values)
