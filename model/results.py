"""The results of a translator: a source, a translation, its steps, and a run with all of these."""

from dataclasses import dataclass

from model.decoding.beam import Tree
from model.decoding.steps import Choice
from model.interventions.base import Intervention
from model.recording.markup import PLAIN, html
from model.recording.recording import Recording


@dataclass(frozen=True)
class Source:
    """A cleaned text and its ids, the end token last; `cut` tells whether it was too long."""

    text: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    cut: bool


@dataclass(frozen=True)
class Translation:
    """A finished translation.

    Args:
        text: the translation.
        tokens: its pieces, without begin and end token.
        ids: the ids of these pieces.
        log_prob: the log-probability of all pieces and the end token together, in nats.

    >>> translation = translator.translate("The cat is sleeping.")
    >>> len(translation.tokens) == len(translation.ids) and translation.log_prob < 0
    True

    """

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
    """One step of decoding.

    Args:
        prefix: the pieces so far, the begin token first.
        chosen: the piece that the step has chosen.
        alternatives: the most probable pieces, most probable first.
        forced: whether the caller has chosen the piece.
        rank: the rank of the chosen piece by probability, 1 for the most probable.
        draw: the random number in [0, 1) with which a sampling strategy has chosen; else None.

    >>> step = next(translator.steps("The cat is sleeping."))
    >>> step.chosen == step.alternatives[0]
    True

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

    Args:
        source: the text and its pieces.
        choices: the steps of decoding, as ids.
        translation: what they have written.
        recording: the recording of both.
        left_out: the interventions that do not fit the model or this sentence.
        tree: the whole tree of a beam search; None with other strategies.

    >>> run = translator.run("The cat is sleeping.")
    >>> run.recording.target_ids[1:] == run.translation.ids
    True

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
