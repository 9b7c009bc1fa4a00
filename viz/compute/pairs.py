"""Minimal pairs: two sentences in one model, and the causes of one piece; cached."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.interventions.base import Intervention
from model.interventions.heads import AblateHead
from model.measures import attribution, minimal_pairs
from model.measures.minimal_pairs import Decision, Slot
from model.measures.moved import moved_share
from model.recording.recording import Recording
from model.results import Run
from model.sites.sites import Head, Kind
from model.words import Span, between_spaces, is_special
from viz.compute import examples, runs
from viz.compute.effects import likelihoods
from viz.compute.models import kept
from viz.sharing.progress import report


@dataclass(frozen=True, eq=False)
class Side:
    """A sentence of a pair: its own translation, and a recording up to the deciding step.

    `likely` are the probabilities of the two pieces at that step.
    """

    run: Run
    recording: Recording
    likely: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Pair:
    """Two aligned sentences, both recorded with the same beginning of a translation.

    `decision` is where the translations part or, where they are equal, their last word with a
    rival, such as il and elle. It is None without such a word: then the recordings go to the end.
    For a `changed` model it is the trained model's decision, so that both are compared at one
    place.
    """

    first: Side
    second: Side
    slots: tuple[Slot, ...]
    decision: Decision | None
    pieces: tuple[str, str]
    prefix: tuple[str, ...]
    changed: bool = False

    def change(self, kind: Kind) -> NDArray[np.float64]:
        """Return the second sentence's attention minus the first's, by slot: (L, H, query, key)."""
        first, second = (self._slotted(kind, number) for number in (0, 1))
        return second - first

    def moved(self, kind: Kind, slot: int) -> NDArray[np.float64]:
        """Return the share of the compared row that each head (L, H) moved.

        The row is a slot's query in the encoder, and the deciding step in the other kinds.
        """
        query = slot if kind == "encoder" else -1
        return moved_share(self.change(kind)[:, :, query]).astype(np.float64)

    def restless(self) -> int:
        """Return the slot of the unchanged word whose row changes most, as a mean over all heads.

        The heads are the encoder's. If no word is unchanged, any slot counts.
        """
        changes = moved_share(self.change("encoder")).mean(axis=(0, 1))
        same = np.array([slot.same for slot in self.slots])
        return int(np.where(same | ~same.any(), changes, -1).argmax())

    def _slotted(self, kind: Kind, number: int) -> NDArray[np.float64]:
        source: list[Span | None] = [(slot.first, slot.second)[number] for slot in self.slots]
        target: list[Span | None] = [(step, step) for step in range(len(self.prefix))]
        queries = source if kind == "encoder" else target
        keys = target if kind == "decoder" else source
        side = (self.first, self.second)[number]
        return minimal_pairs.by_slot(side.recording.attention(kind), queries, keys)

    @property
    def related(self) -> bool:
        """Return True if the shorter sentence shares a third of its words with the other."""
        sides = [side.run.source.tokens for side in (self.first, self.second)]
        same = sum(
            _has_letters(sides[0][slot.first[0]]) for slot in self.slots if slot.same and slot.first
        )
        return 3 * same >= min(sum(map(_has_letters, tokens)) for tokens in sides)

    @property
    def written(self) -> tuple[str, str]:
        """Return the likelier of the two pieces in each sentence."""
        first, second = (
            self.pieces[side.likely[1] > side.likely[0]] for side in (self.first, self.second)
        )
        return first, second

    def labels(self) -> list[str]:
        """Return the labels of the slots, with both sentences' pieces where they differ."""
        names = []
        for slot in self.slots:
            texts = [
                "".join(side.run.source.tokens[span[0] : span[1] + 1]) if span else "-"
                for side, span in ((self.first, slot.first), (self.second, slot.second))
            ]
            names.append(texts[0] if slot.same else " / ".join(texts))
        return names


def _has_letters(token: str) -> bool:
    """Return True if a piece is part of a word, not a mark or a special token."""
    return not is_special(token) and any(letter.isalpha() for letter in token)


@kept
def pair(first: str, second: str, interventions: tuple[Intervention, ...] = ()) -> Pair:
    """Compare two sentences; ValueError when a sentence is empty."""
    pair_runs = runs.run(first, interventions), runs.run(second, interventions)
    trained = (runs.run(first), runs.run(second)) if interventions else pair_runs
    decision = _decision(trained) or _decision(pair_runs)
    loaded = runs.translator()
    end = (loaded.tokenizer.begin_id, *pair_runs[0].translation.ids)
    prefix = (decision.prefix if decision else end)[: loaded.max_tokens]
    ids = (decision.first, decision.second) if decision else (loaded.tokenizer.end_id,) * 2
    sides = [_side(run, prefix, ids, interventions) for run in pair_runs]
    tokens = loaded.target_tokenizer.tokens
    return Pair(
        sides[0],
        sides[1],
        tuple(minimal_pairs.align(pair_runs[0].source.tokens, pair_runs[1].source.tokens)),
        decision,
        (tokens([ids[0]])[0], tokens([ids[1]])[0]),
        tuple(tokens(list(prefix))),
        bool(interventions),
    )


@kept
def left_without(first: str, second: str, head: Head) -> float:
    """Return the share of the difference of a pair's log-odds that is left with a head off.

    The log-odds are those of the two deciding pieces in the trained model. The share is 1 where the
    answer does not hang on the head. Raises ValueError if nothing is decided, and as `pair` does.
    """
    trained = pair(first, second)
    if trained.decision is None:
        raise ValueError("nothing is decided between the two sentences")
    decision, off = trained.decision, (AblateHead(head.kind, head.layer, head.head),)
    ids = decision.first, decision.second
    apart = [
        np.subtract(*(np.log(side.likely[0] / side.likely[1]) for side in sides))
        for sides in (
            [trained.first, trained.second],
            [_side(one.run, decision.prefix, ids, off) for one in (trained.first, trained.second)],
        )
    ]
    return float(apart[1] / apart[0])


def _decision(pair_runs: tuple[Run, Run]) -> Decision | None:
    """Find where two translations part or, if they are equal, where two rivals would part them."""
    tokenizer = runs.translator().target_tokenizer

    def whole(ids: Sequence[int]) -> tuple[int, ...]:
        return (tokenizer.begin_id, *ids, tokenizer.end_id)

    first, second = (run.translation for run in pair_runs)
    if first.ids != second.ids:
        return minimal_pairs.parting(whole(first.ids), whole(second.ids))
    swapped = minimal_pairs.swapped_rival(first.text, examples.current().rivals)
    if swapped is None:
        return None
    ids = (tokenizer.encode(text) for text in (first.text, swapped))
    return minimal_pairs.parting(*(whole(pieces) for pieces in ids))


def _side(
    run: Run,
    prefix: tuple[int, ...],
    ids: tuple[int, ...],
    interventions: tuple[Intervention, ...],
) -> Side:
    loaded = runs.translator()
    fit, _ = loaded.fitting(run.source, interventions, prefix[1:])
    recording = loaded.record(run.source, prefix[1:], fit)
    last = [float(likelihoods(recording, (*prefix[1:], piece))[-1]) for piece in ids]
    return Side(run, recording, (last[0], last[1]))


Measure = Literal["cross", "rollout", "gradient", "left out"]


@dataclass(frozen=True, eq=False)
class Attribution:
    """Measures (M, words) of a piece's dependence on words, and their rank correlations (M, M).

    A recurrent model has no rollout; one with a fixed vector has no cross-attention either.
    """

    measures: tuple[Measure, ...]
    words: tuple[str, ...]
    values: NDArray[np.float64]
    agreement: NDArray[np.float64]


@kept
def attributions(sentence: str, prefix: tuple[int, ...], piece: int) -> Attribution:
    """Measure the dependence of `piece` after `prefix` on each word in the unchanged model.

    It runs the model once for each word, and reports its progress. Ranks are by absolute size:
    words for and against the piece count equally.
    """
    loaded, source = runs.translator(), runs.source(sentence)
    spans = [
        span
        for span in between_spaces(source.tokens)
        if source.ids[span[0]] != loaded.tokenizer.end_id
    ]
    recording = loaded.record(source, prefix[1:])
    network, measured = loaded.network, dict[Measure, NDArray[np.float64]]()
    if network.config.layers("cross"):
        cross = recording.attention("cross").mean(axis=(0, 1), dtype=np.float64)[-1]  # S
        measured["cross"] = attribution.per_word(cross, spans)
    if network.config.layers("encoder"):
        measured["rollout"] = attribution.per_word(attribution.rollout(recording)[-1], spans)
    gradient = attribution.gradient_times_input(network, source.ids, prefix, piece)  # S
    measured["gradient"] = attribution.per_word(gradient, spans)
    measured["left out"] = attribution.leave_one_out(
        network, source.ids, prefix, piece, spans, report
    )
    values = np.stack(list(measured.values()))
    agreement = [
        [attribution.rank_correlation(row, other_row) for other_row in np.abs(values)]
        for row in np.abs(values)
    ]
    words = ("".join(source.tokens[first : last + 1]) for first, last in spans)
    return Attribution(tuple(measured), tuple(words), values, np.array(agreement))
