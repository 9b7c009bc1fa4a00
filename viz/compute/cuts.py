"""The links of the story: unchanged, cut, and with memory carried over; cached."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from model.checkpoints.examples import StoryPair
from model.decoding.greedy import Greedy
from model.families import scorer
from model.interventions.attention import TurnAttention
from model.interventions.base import Lengths
from model.interventions.prepare import prepare
from model.measures.cuts import Change, CutSentence, Link, changes, edits_when_changed, outcomes
from model.measures.swing import Swing
from model.recurrent.config import RecurrentConfig
from model.sites.sites import Head, Kind, attention_site
from model.sites.tap import Edit, Recorder
from model.words import Span, Word, find_word, words_of
from viz.compute import pairs, runs, swings
from viz.compute.models import kept
from viz.compute.pairs import Pair
from viz.sharing.progress import report


@dataclass(frozen=True)
class ArcHead(Head):
    """A head whose attention is drawn as an arc of the story.

    With `reads`, the arc goes from the deciding step to the word that leaves the choice open;
    otherwise it goes to the words that decide.
    """

    reads: bool = False


LOOKS = 0.4
"""The weight from which on another head counts as looking there, too."""


@dataclass(frozen=True)
class OtherHead(Head):
    """A head that looks where the head of an arc looks.

    `likely` are the probabilities of the two deciding pieces when its link alone is cut.
    """

    weight: float
    likely: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Cuts:
    """The results of both sentences under every combination of changes.

    A change is a bit of the combination's number: bit n cuts the link of head n, and the bit after
    the last link carries memory over, if `carries`. With the last bit, links are cut in all heads
    instead. `likely` (2, combinations, 2) are the probabilities of the two deciding pieces, and
    `others` (2, combinations) the probability of the likeliest other piece. `weights[n]` (2,
    combinations, 2) are the weights of head n on its two words. `written` are the translations, as
    pieces, of each sentence and combination. `also[n]` are the other heads that look where head n
    looks, in each sentence.
    """

    heads: tuple[ArcHead, ...]
    carries: bool
    likely: NDArray[np.float64]
    others: NDArray[np.float64]
    weights: tuple[NDArray[np.float64], ...]
    written: tuple[tuple[tuple[str, ...], ...], ...]
    also: tuple[tuple[tuple[OtherHead, ...], ...], ...]


def heads(asked: StoryPair) -> tuple[ArcHead, ...]:
    """Return the heads whose arcs tell the story; ValueError when no head decides.

    Where an encoder head decides, there are two heads. Before it comes the cross-attention head
    that, at the deciding step, looks most at the word that leaves the choice open.
    """
    widest: Swing = swings.swing(asked)
    deciding = ArcHead(widest.kind, widest.layer, widest.head)
    if widest.kind != "encoder":
        return (deciding,)
    sentences = pairs.pair(asked.first, asked.second)
    looks = []
    for side in (sentences.first.recording, sentences.second.recording):
        first, last = _span(side.source_tokens, asked.asks)
        looks.append(side.attention("cross")[:, :, -1, first : last + 1].sum(axis=-1))  # L H
    mean = np.mean(looks, axis=0)
    layer, head = np.unravel_index(mean.argmax(), mean.shape)
    return ArcHead("cross", int(layer), int(head), reads=True), deciding


def trained_to_decide() -> bool:
    """Return True if, by its card, the model in force was trained so that visible links decide."""
    settings = runs.translator().card.get("settings")
    if not isinstance(settings, dict):
        return False
    weights = [settings.get(loss) for loss in ("interchange", "link")]
    return all(isinstance(phases, list) and any(phases) for phases in weights)


@dataclass(frozen=True, eq=False)
class Turn:
    """The result when the arc of a head is turned onto one word.

    `likely` (2,) are the probabilities of the two deciding pieces, and `other` the probability of
    the likeliest other piece. `weights` (arc, 2) are the weights of every arc on its two words, and
    `written` is the translation, as pieces.
    """

    intervention: TurnAttention
    likely: tuple[float, float]
    other: float
    weights: tuple[tuple[float, float], ...]
    written: tuple[str, ...]


Turns = tuple[tuple[tuple[Turn | None, ...], ...], ...]
"""The turns by sentence, arc and word of the arc's keys; None for a word that cannot be a key."""


@kept
def turns(asked: StoryPair) -> Turns | None:
    """Turn each arc of the story onto each of its words, reporting progress.

    Returns None for a recurrent model, in which nothing can be turned. Raises ValueError when no
    head decides.
    """
    if isinstance(runs.translator().network.config, RecurrentConfig):
        return None
    arcs, pair = heads(asked), pairs.pair(asked.first, asked.second)
    sentences = [_Told(asked, pair, arcs, number) for number in (0, 1)]
    turned = []
    for number, sentence in enumerate(sentences):
        side = []
        for arc in range(len(arcs)):
            report(number * len(arcs) + arc, len(sentences) * len(arcs))
            side.append(sentence.turned(arc))
        turned.append(tuple(side))
    return tuple(turned)


@kept
def cuts(asked: StoryPair) -> Cuts:
    """Run the story under every combination of changes; ValueError when no head decides.

    In a recurrent model nothing can be cut: there is a single combination, without a change.
    """
    arcs, pair = heads(asked), pairs.pair(asked.first, asked.second)
    network = runs.translator().network
    sentences = tuple(_Told(asked, pair, arcs, number) for number in (0, 1))
    carries = all(sentence.carried is not None for sentence in sentences)
    also: list[tuple[tuple[OtherHead, ...], ...]] = [((), ())] * len(arcs)
    if isinstance(network.config, RecurrentConfig):
        carries, results = False, [[sentence.unchanged()] for sentence in sentences]
    else:
        also = [tuple(sentence.also(arc) for sentence in sentences) for arc in range(len(arcs))]
        asked_for = changes(len(arcs), carries=carries)
        results = [
            sentence.results(beside, asked_for) for sentence, beside in (sentences, sentences[::-1])
        ]
    weights = np.array([[result.weights for result in side] for side in results])  # 2 C n 2
    return Cuts(
        arcs,
        carries,
        np.array([[result.likely for result in side] for side in results]),
        np.array([[result.other for result in side] for side in results]),
        tuple(weights[:, :, n] for n in range(len(arcs))),
        tuple(tuple(result.written for result in side) for side in results),
        tuple(also),
    )


@dataclass(frozen=True, eq=False)
class TurnedLine(Turn):
    """The result when the step that writes a word looks at one source word in all cross heads.

    `pieces` are the piece that the step writes by itself, and the likeliest other piece now.
    `before` are their probabilities in the unchanged model, `likely` those under the turn, and
    `other` is the probability of the likeliest piece beside these two.
    """

    pieces: tuple[str, str]
    before: tuple[float, float]


@kept
def turned_line(asked: StoryPair, number: int, turn: TurnAttention) -> TurnedLine:
    """Turn a step of sentence `number`, 0 or 1; ValueError where the turn does not fit."""
    arcs, pair = heads(asked), pairs.pair(asked.first, asked.second)
    return _Told(asked, pair, arcs, number).turned_line(turn)


@dataclass(frozen=True, eq=False)
class _Result:
    """The result for a sentence: probabilities, weights by head and word, and the translation."""

    likely: tuple[float, float]
    other: float
    weights: list[list[float]]
    written: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Told:
    """A sentence of the story, with `number` 0 or 1, and its arcs."""

    asked: StoryPair
    pair: Pair
    shown: tuple[ArcHead, ...]
    number: int

    @property
    def run(self) -> runs.Run:
        return (self.pair.first, self.pair.second)[self.number].run

    @property
    def carried(self) -> Span | None:
        """Return the pieces whose memory is carried over, if both sentences have equally many."""
        texts = [self.asked.asks or word for word in self.asked.source]
        both = [
            _span(side.run.source.tokens, text)
            for side, text in zip((self.pair.first, self.pair.second), texts, strict=True)
        ]
        alike = both[0][1] - both[0][0] == both[1][1] - both[1][0]
        return both[self.number] if alike else None

    @property
    def side(self) -> CutSentence:
        """Return this sentence with its links and the pieces to carry over.

        The links of all arcs come twice: in the head of the arc, then in all heads.
        """
        recording = self.run.recording
        links = [self._link(head) for head in self.shown]
        alone = (
            replace(link, head=(head.layer, head.head))
            for link, head in zip(links, self.shown, strict=True)
        )
        ids = recording.source_ids, recording.target_ids
        return CutSentence(*ids, (*alone, *links), self.carried)

    def _link(self, head: ArcHead) -> Link:
        step = len(self.pair.prefix) - 1
        asks = self.run.source.tokens, self.asked.asks
        queries = _span(*asks) if head.kind == "encoder" else (step, step)
        keys = dict.fromkeys(span for span in self._words(head) if span)
        return Link(head.kind, queries, tuple(keys))

    def _words(self, head: ArcHead) -> tuple[Span | None, Span | None]:
        """Return the pieces of both words of an arc; None for a missing word."""
        tokens = self.run.source.tokens
        if head.reads:
            word = _span(tokens, self.asked.asks)
            return word, word
        looked, words = tokens, self.asked.source
        if head.kind == "decoder":
            looked, words = self.pair.prefix, self.asked.target
        return _if_any(looked, words[0]), _if_any(looked, words[1])

    def unchanged(self) -> _Result:
        """Read everything from the recording of a model in which nothing can be changed."""
        recording, side = self.run.recording, self.side
        weights = [recording.attention(head.kind)[head.layer, head.head] for head in self.shown]
        return self._result(side, recording.logits, weights, self.run.translation.tokens)

    def results(self, other: "_Told", asked: Sequence[Change]) -> list[_Result]:
        """Run the sentence under every change."""
        model, side, beside = runs.translator().model, self.side, other.side
        heads: list[tuple[Kind, int, int]] = [(h.kind, h.layer, h.head) for h in self.shown]
        results = {}
        for change, outcome in zip(asked, outcomes(model, side, beside, asked, heads), strict=True):
            if change in results:
                continue
            written = self.run.translation.tokens
            end = runs.translator().tokenizer.end_id
            if outcome.logits.argmax(dim=-1).tolist() != [*side.target_ids[1:], end]:
                written = self._translated(side, edits_when_changed(model, side, beside, change))
            weights = [head_weights.numpy() for head_weights in outcome.weights]
            results[change] = self._result(side, outcome.logits.numpy(), weights, written)
        return [results[change] for change in asked]

    def also(self, arc: int) -> tuple[OtherHead, ...]:
        """Cut each other head of the arc's kind that looks where its head looks most, alone."""
        head, side = self.shown[arc], self.side
        link = side.links[arc]
        weights = self.run.recording.attention(head.kind)[:, :, link.queries[0]]  # L H S
        looks = [weights[..., first : last + 1].sum(axis=-1) for first, last in link.keys]  # L H
        strongest = max(looks, key=lambda on_word: on_word[head.layer, head.head])
        places = [
            (int(layer), int(number))
            for layer, number in np.argwhere(strongest >= LOOKS)
            if (layer, number) != (head.layer, head.head)
        ]
        links = tuple(replace(link, head=place) for place in places)
        cut_alone = [Change((number,)) for number in range(len(links))]
        each = replace(side, links=links)
        alone = outcomes(runs.translator().model, each, each, cut_alone, ())
        return tuple(
            OtherHead(head.kind, *place, float(strongest[place]), self._likely(outcome.logits)[0])
            for place, outcome in zip(places, alone, strict=True)
        )

    def _likely(
        self, logits: torch.Tensor | NDArray[np.float32]
    ) -> tuple[tuple[float, float], float]:
        """Return the probabilities of the two deciding pieces, and of the likeliest other piece."""
        decision = self.pair.decision
        assert decision is not None  # `heads` would have raised
        chances = _chances(logits, len(decision.prefix) - 1)
        deciding = [decision.first, decision.second]
        one, other = chances[deciding].tolist()
        return (one, other), float(np.delete(chances, deciding).max())

    def turned(self, arc: int) -> tuple[Turn | None, ...]:
        """Turn the head of an arc, or all cross heads, onto each word of its keys."""
        head, link = self.shown[arc], self.side.links[arc]
        words = words_of(self.run.source.tokens[:-1])
        if head.kind == "decoder":  # the decoder looks at its own words, up to the deciding word
            words = [word for word in words_of(self.pair.prefix) if word.last <= link.queries[0]]
        turns = (self._turn(head, link, word) for word in words)
        return tuple(self._under(turn)[0] for turn in turns)

    def _turn(self, head: ArcHead, link: Link, word: Word) -> TurnAttention:
        heads = () if head.kind == "cross" else ((head.layer, head.head),)
        keys = tuple(range(word.first, word.last + 1))
        return TurnAttention(head.kind, link.queries[0], keys, heads)

    def turned_line(self, turn: TurnAttention) -> TurnedLine:
        """Make the step of a turn look at its keys, and read what it writes."""
        changed, logits = self._under(turn)
        step, tokenizer = turn.query, runs.translator().tokenizer
        own = [*self.run.recording.target_ids[1:], tokenizer.end_id][step]
        before, after = _chances(self.run.recording.logits, step), _chances(logits, step)
        first, second, third = (int(id_) for id_ in np.argsort(-after)[:3])
        other = second if own == first else first
        left = third if own in (first, second) else second
        return TurnedLine(
            turn,
            (float(after[own]), float(after[other])),
            float(after[left]),
            changed.weights,
            changed.written,
            (tokenizer.tokens([own])[0], tokenizer.tokens([other])[0]),
            (float(before[own]), float(before[other])),
        )

    def _under(self, turn: TurnAttention) -> tuple[Turn, NDArray[np.float32]]:
        """Run the sentence under a turn; also return the logits (T, V)."""
        model, side = runs.translator().model, self.side
        lengths = Lengths(len(side.source_ids), len(side.target_ids))
        edits = dict(prepare([turn], model.config, lengths).edits)
        recorder = Recorder(edits)
        ids = [torch.tensor([row]) for row in (side.source_ids, side.target_ids)]
        with torch.inference_mode():
            logits = model(*ids, recorder)[0]  # T V
        written = self.run.translation.tokens
        end = runs.translator().tokenizer.end_id
        if logits.argmax(dim=-1).tolist() != [*side.target_ids[1:], end]:
            written = self._translated(side, edits)
        sites = [attention_site(one.kind, one.layer, "weights") for one in self.shown]
        weights = [
            recorder.recorded[site][0, one.head].numpy()
            for site, one in zip(sites, self.shown, strict=True)
        ]
        result = self._result(side, logits.numpy(), weights, written)
        looks = tuple((first, second) for first, second in result.weights)
        turned = Turn(turn, result.likely, result.other, looks, result.written)
        return turned, logits.numpy()

    def _result(
        self,
        side: CutSentence,
        logits: NDArray[np.float32],
        weights: Sequence[NDArray[np.float32]],
        written: tuple[str, ...],
    ) -> _Result:
        likely, other = self._likely(logits)
        looks = [
            [
                float(of_head[link.queries[0], span[0] : span[1] + 1].sum()) if span else 0.0
                for span in self._words(head)
            ]
            for head, link, of_head in zip(self.shown, side.links, weights, strict=False)
        ]
        return _Result(likely, other, looks, written)

    def _translated(self, side: CutSentence, edits: Mapping[str, Edit]) -> tuple[str, ...]:
        """Translate greedily under edits; a change may alter all pieces after the choice."""
        loaded = runs.translator()
        with torch.inference_mode():
            along = scorer(loaded.network, side.source_ids, side.target_ids, edits)
            steps = Greedy().steps(along, loaded.limits(self.run.source))
            return loaded.translation(steps).tokens


def _chances(logits: torch.Tensor | NDArray[np.float32], row: int) -> NDArray[np.float64]:
    """Return the softmax (V,) of a row of logits (T, V), in double precision."""
    scores = np.asarray(logits[row], dtype=np.float64)
    shares = np.exp(scores - scores.max())
    return shares / shares.sum()


def _span(tokens: Sequence[str], text: str) -> Span:
    word = find_word(words_of(tokens), text)
    return word.first, word.last


def _if_any(tokens: Sequence[str], text: str) -> Span | None:
    try:
        return _span(tokens, text)
    except ValueError:
        return None
