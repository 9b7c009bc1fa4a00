"""The comparisons of the laboratory: a sentence before and after interventions; cached.

The change of a probability or of attention is measured on the same pieces: both models get the
translation of the unchanged model.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from model.decoding.steps import normalised
from model.interventions.base import Intervention, UnreachableQuery
from model.interventions.compiled import compiled, sizes_for
from model.interventions.heads import Mode
from model.interventions.unreachable import unreachable_query
from model.measures.importance import Importance, head_importance
from model.measures.importance import changes_alone as changes_alone_in
from model.measures.importance import leads_without as leads_without_in
from model.measures.likelihood import log_probs_of
from model.measures.moved import moved_share
from model.recording.recording import Recording
from model.results import Run
from model.sites.sites import Kind
from model.words import words_changed
from viz.compute import runs
from viz.compute.models import kept
from viz.sharing.progress import report

TRIED = 5
"""The number of changes whose translations are compared for the one that changes least."""


@dataclass(frozen=True, eq=False)
class Effect:
    """A sentence in the model as it was trained, and after all changes.

    `forced` is the changed model on the translation before. `likely_before` and `likely_after` (T,)
    are the probabilities of the `pieces` of that translation, with the end token last; `ids` are
    the ids of these pieces.
    """

    before: Run
    after: Run
    forced: Recording
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    likely_before: NDArray[np.float64]
    likely_after: NDArray[np.float64]

    @property
    def changed(self) -> bool:
        """Return True if any intervention is in force."""
        return self.forced is not self.before.recording

    @property
    def log_probs(self) -> tuple[float, float]:
        """Return the log-probability (nats) of the translation before, in both models."""
        return float(np.log(self.likely_before).sum()), float(np.log(self.likely_after).sum())

    @property
    def ahead(self) -> bool:
        """Return True if the changed model, given all pieces at once, may look at later pieces."""
        return any(intervention.looks_ahead for intervention in self.forced.interventions)

    @property
    def largest_logit_change(self) -> float:
        """Return the largest difference of any logit of the translation before."""
        return float(np.abs(self.forced.logits - self.before.recording.logits).max())

    def likely(self, position: int, piece: int) -> tuple[float, float]:
        """Return both probabilities of a piece, given by id, at a place (see `pieces`)."""
        before, after = (
            float(self._likely(recording, position)[piece])
            for recording in (self.before.recording, self.forced)
        )
        return before, after

    def strongest_other(self, position: int) -> int:
        """Return the id of the changed model's likeliest piece other than that in `ids`."""
        best = self._likely(self.forced, position).topk(2).indices.tolist()
        return next(piece for piece in best if piece != self.ids[position])

    @staticmethod
    def _likely(recording: Recording, position: int) -> torch.Tensor:
        return normalised(torch.tensor(recording.logits[position])).exp()  # V

    @property
    def words_changed(self) -> int:
        """Return the number of words that differ between the translations: changed, lost, new."""
        return words_changed(self.before.translation.text, self.after.translation.text)

    def attention_change(self, kind: Kind) -> NDArray[np.float32]:
        """Return weights after minus before, (L, H, T, S); new rows of padding are NaN."""
        after, before = self.forced.attention(kind), self.before.recording.attention(kind)
        change = after.copy()
        queries, keys = before.shape[-2:]
        change[..., :queries, :keys] -= before
        change[..., queries:, :] = np.nan
        return change

    def moved(self, kind: Kind) -> NDArray[np.float32]:
        """Return the share of attention that each head (L, H) moved, as a mean over queries."""
        queries = self.before.recording.attention(kind).shape[-2]
        return moved_share(self.attention_change(kind)[..., :queries, :]).mean(axis=-1)


@dataclass(frozen=True, eq=False)
class Leads:
    """The lead of a piece over another with each head (L, H) alone switched off, by kind."""

    by_kind: dict[Kind, NDArray[np.float64]]


@kept
def effect(sentence: str, interventions: tuple[Intervention, ...]) -> Effect:
    """Compare the model under these interventions with the model as it was trained.

    Raises ValueError when there is no sentence.
    """
    before = runs.run(sentence)
    after = runs.run(sentence, interventions)
    recording, loaded = before.recording, runs.translator()
    fit, _ = loaded.fitting(before.source, interventions, before.translation)
    forced = recording
    if set(fit) != set(recording.interventions):
        forced = loaded.record(before.source, before.translation, fit)
    ids = (*recording.target_ids[1:], loaded.tokenizer.end_id)
    return Effect(
        before,
        after,
        forced,
        ids,
        tuple(loaded.target_tokenizer.tokens(list(ids))),
        likelihoods(recording, ids),
        likelihoods(forced, ids),
    )


def on_future(recording: Recording) -> NDArray[np.float64]:
    """Return the share of each decoder head's attention (L, H) that goes to later pieces.

    It is the mean over the queries with a later piece; 0 without such queries.
    """
    weights = recording.attention("decoder").astype(np.float64)  # L H T T
    later = np.triu(weights, 1).sum(axis=-1)[..., :-1]  # L H T-1
    return later.mean(axis=-1) if later.shape[-1] else later.sum(axis=-1)


def likelihoods(recording: Recording, ids: Sequence[int]) -> NDArray[np.float64]:
    """Return the probability (T,) of each of `ids` as the next piece, row by row."""
    return log_probs_of(ids, torch.tensor(recording.logits)).exp().numpy()


def unreachable(run: Run, interventions: tuple[Intervention, ...]) -> UnreachableQuery | None:
    """Find a query of this run that further interventions would leave without any key."""
    config = run.recording.config
    lengths = runs.translator().lengths(run.source, len(run.recording.target_ids))
    fit = [intervention for intervention in interventions if intervention not in set(run.left_out)]
    return unreachable_query(compiled(fit, sizes_for(fit, config, lengths)))


@kept
def importance(sentence: str, mode: Mode) -> Importance:
    """Measure every head of the unchanged model, on its own translation with the end token.

    Reports its progress.
    """
    recording, loaded = runs.run(sentence).recording, runs.translator()
    ids = (*recording.target_ids, loaded.tokenizer.end_id)
    return head_importance(loaded.model, recording.source_ids, ids, mode, report)


@kept
def leads_without(
    sentence: str,
    interventions: tuple[Intervention, ...],
    step: int,
    pieces: tuple[int, int | None],
) -> Leads:
    """Measure the lead of a piece over another at a step, with each head alone switched off."""
    run, loaded = runs.run(sentence, interventions), runs.translator()
    prefix = run.recording.target_ids[: step + 1]
    fit, _ = loaded.fitting(run.source, run.recording.interventions, prefix[1:])
    donors = loaded.lengths(run.source).donors
    ids = run.source.ids, prefix
    by_kind = leads_without_in(loaded.model, *ids, pieces, fit, progress=report, donors=donors)
    return Leads(by_kind)


@kept
def changes_alone(sentence: str, interventions: tuple[Intervention, ...]) -> NDArray[np.float64]:
    """Measure how each intervention alone changes the log-probability, in nats; report progress."""
    recording, loaded = runs.run(sentence).recording, runs.translator()
    ids = (*recording.target_ids, loaded.tokenizer.end_id)
    return changes_alone_in(loaded.model, recording.source_ids, ids, interventions, report)


@kept
def least_missed(
    sentence: str, interventions: tuple[Intervention, ...], first: int = 0
) -> Intervention:
    """Return the intervention, from number `first` on, that alone changes the translation least.

    Of the `TRIED` ones that change its log-probability least, it is the first after which the most
    words are kept: one that hardly changes the log-probability may still tip a word over.
    """
    changes = np.abs(changes_alone(sentence, interventions)[first:])
    before = runs.run(sentence).translation.text
    fewest, least = None, interventions[first]
    for at in changes.argsort(kind="stable")[:TRIED]:
        tried = interventions[first + int(at)]
        changed = words_changed(before, runs.run(sentence, (tried,)).translation.text)
        if fewest is None or changed < fewest:
            fewest, least = changed, tried
        if not changed:
            break
    return least


@kept
def least_important(sentence: str, count: int) -> tuple[Intervention, ...]:
    """Return interventions that switch off the `count` heads whose loss alone changes least."""
    return importance(sentence, "zero").least(count)
