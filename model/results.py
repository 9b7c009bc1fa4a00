"""The results of a translator: a cut source, a translation, its steps, and all of it recorded."""

from dataclasses import dataclass

from model.decoding.beam import Tree
from model.decoding.steps import Choice
from model.interventions.base import Intervention
from model.recording.markup import PLAIN, html
from model.recording.recording import Recording


@dataclass(frozen=True)
class Source:
    """A cleaned text and its ids (end token last). `cut`: it was longer than the limit."""

    text: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    cut: bool


@dataclass(frozen=True)
class Translation:
    """A finished translation; log_prob in nats, of all its pieces and the end token together."""

    text: str
    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    log_prob: float


@dataclass(frozen=True)
class Alternative:
    """A piece that could come next, with its probability."""

    token: str
    id: int
    probability: float


@dataclass(frozen=True)
class Step:
    """One step of decoding: the prefix so far, the chosen piece, the ten most probable ones.

    `rank` is the place of the chosen piece by probability, 1 for the most probable; `draw` the
    random number in [0, 1) by which a sampling strategy chose.
    """

    prefix: tuple[str, ...]
    chosen: Alternative
    alternatives: tuple[Alternative, ...]
    forced: bool
    rank: int
    draw: float | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A text, its translation step by step, and the recording of both.

    `left_out` are the interventions that do not fit the model or this sentence; `tree` is the
    whole search of a beam search.
    """

    source: Source
    choices: tuple[Choice, ...]
    translation: Translation
    recording: Recording
    left_out: tuple[Intervention, ...] = ()
    tree: Tree | None = None

    def __repr__(self) -> str:
        """Say in one line what was translated, and how much is recorded."""
        return f"Run({self.source.text!r} -> {self.translation.text!r}, {self.recording!r})"

    def _repr_html_(self) -> str:
        texts = f"{html(self.source.text)} &rarr; <b>{html(self.translation.text)}</b>"
        return f"<p {PLAIN}>{texts}</p>{self.recording._repr_html_()}"
