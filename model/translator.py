"""The Translator, from text to translation, steps, recording, or all of them in one run."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Integral
from pathlib import Path

import torch
from torch import Tensor

from model.checkpoints.checkpoint import Checkpoint, load_checkpoint
from model.checkpoints.hub import name_of
from model.decoding.beam import Beam
from model.decoding.greedy import Greedy
from model.decoding.known_scorer import KnownScorer
from model.decoding.steps import Choice, Limits, Progress, Scorer, Strategy, reporting
from model.decoding.together import greedy_together
from model.families import scorer, transformer, transformer_config
from model.interventions.base import Intervention, Lengths, Sizes, check_interventions
from model.interventions.donors import Donors
from model.interventions.fitting import Split, fitting
from model.interventions.prepare import prepare
from model.recording.recording import NO_EDITS, Recording, record
from model.recording.trace import Part, Trace, decided, trace
from model.recording.weights import Weights
from model.recurrent.looking import Looking
from model.results import Alternative, Run, Source, Step, Translation
from model.sites.tap import Edit, Editor, own_edits
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from model.words import WORD_START, clean

MAX_TOKENS, MOST_TOKENS = 128, 256
"""The longest source or target in pieces, begin or end token included; longer text is cut.

Where a model has more positions, half of them count, up to the larger number.
"""


class Translator:
    """A checkpoint ready to use. It keeps no state between calls, so threads can share it.

    >>> text, double = "The cat is sleeping.", {"encoder.3.ffn.out": lambda out: 2 * out}
    >>> translator = load_translator("en-fr")
    >>> translator.translate(text) == translator.run(text).translation
    True
    >>> len(translator.translate_all([text, "It is late."], edits=double))
    2
    >>> [step.rank for step in translator.steps(text)] == [1] * len(list(translator.steps(text)))
    True
    >>> translator.record(text, edits=double).logits.shape == translator.logits(text).shape
    True
    >>> translator.trace(text, "The cats are sleeping.").encoder.ndim
    2
    """

    def __init__(self, checkpoint: Checkpoint) -> None:
        """Wrap a loaded checkpoint."""
        self.network, own = checkpoint.model, checkpoint.tokenizer
        self.tokenizers = own, checkpoint.target_tokenizer or own
        self.tokenizer, self.target_tokenizer = self.tokenizers
        self.card, self.folder = checkpoint.card, checkpoint.folder
        positions = self.network.config.max_length
        self.max_tokens = min(positions, MOST_TOKENS, max(MAX_TOKENS, positions // 2))
        self._weights = Weights.of(self.network)

    @property
    def name(self) -> str:
        """Return the name of the model: its folder's, or that of a model in the hub's cache."""
        return name_of(self.folder)

    @property
    def model(self) -> Transformer:
        """Return the Transformer; ValueError when `network` is of another family."""
        return transformer(self.network)

    @property
    def config(self) -> ModelConfig:
        """Return the sizes of the Transformer; ValueError when `network` is of another family."""
        return transformer_config(self.network.config)

    def source(self, text: str | Source) -> Source:
        """Clean a text and cut it into at most `max_tokens` ids; ValueError when nothing is left.

        Control and invisible characters are removed, and white space becomes single spaces. A
        Source is returned unchanged.
        """
        if isinstance(text, Source):
            return text
        if not isinstance(text, str):
            said = "a text (translate_all takes several)"
            raise ValueError(f"the source must be {said}, not {_short(text)}")
        cleaned = clean(text)
        ids = self.tokenizer.encode(cleaned)
        if not ids:
            raise ValueError("there is nothing to translate: the text is empty")
        kept = (*ids[: self.max_tokens - 1], self.tokenizer.end_id)
        tokens = tuple(self.tokenizer.tokens(list(kept)))
        return Source(cleaned, kept, tokens, cut=len(ids) > self.max_tokens - 1)

    @torch.inference_mode()
    def choices(
        self,
        source: Source,
        strategy: Strategy | None = None,
        forced: Sequence[int] = (),
        interventions: Sequence[Intervention] = (),
        draft: Sequence[int] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
    ) -> Iterator[Choice]:
        """Yield the strategy's steps as ids and log-probabilities.

        `draft` holds the ids of an expected translation. Where it is right, in whole or in part,
        steps cost next to nothing. It changes no result.
        """
        scorer = self.scorer(source, interventions, draft, edits)
        yield from _strategy(strategy).steps(scorer, self.limits(source, forced), forced)

    def scorer(
        self,
        source: Source,
        interventions: Sequence[Intervention] = (),
        draft: Sequence[int] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
        lengths: Lengths | None = None,
    ) -> Scorer:
        """Encode the source once; return a scorer of the piece after target prefixes (N, T).

        `lengths` are those of the source, if they are known: their donors need not run again.
        """
        check_interventions(interventions)
        known = (self.tokenizer.begin_id, *draft) if draft and not edits else ()
        edits = own_edits(edits, self.network.config.sites())
        if not interventions:
            return scorer(self.network, source.ids, known, edits)
        run = prepare(interventions, self.config, lengths or self.lengths(source))
        known = () if run.looks_ahead else known
        return scorer(self.network, run.padded(source.ids), known, run.then(edits))

    def lengths(self, source: Source, target: int | None = None) -> Lengths:
        """Return the lengths of a run; from here on, donors can give vectors to it.

        `target` counts the pieces given to the decoder, None while they are being written.
        """
        if not isinstance(self.network, Transformer):
            return Lengths(len(source.ids), target)

        def write(donor: str) -> tuple[int, ...]:
            return (self.tokenizer.begin_id, *self.translate(donor).ids)[: self.max_tokens]

        donors = Donors(self.network, source.ids, lambda donor: self.source(donor).ids, write)
        return Lengths(len(source.ids), target, donors)

    def limits(self, source: Source, forced: Sequence[int] = ()) -> Limits:
        """Return the end of decoding for this source: 2 S + 10 pieces, or more if forced."""
        longest = max(2 * len(source.ids) + 10, len(forced) + 1)
        begin, end = self.tokenizer.begin_id, self.tokenizer.end_id
        return Limits(begin, end, min(longest, self.max_tokens), self.network.config.banned_ids)

    def forced_ids(self, typed: str) -> tuple[int, ...]:
        """Turn typed text into pieces to force.

        "chat" starts a new word, "+eau" continues the last one, "</s>" is the end token. Raises
        ValueError when the text is empty or no piece continues a word that way.
        """
        text = clean(typed.replace(WORD_START, " "))
        pieces = self.target_tokenizer
        if text == pieces.token(pieces.end_id):
            return (pieces.end_id,)
        ids = [pieces.id(text[1:])] if text.startswith("+") else pieces.encode(text)
        if not ids:
            raise ValueError("there is nothing to force: the text is empty")
        return tuple(ids)

    def translate(
        self,
        text: str | Source,
        strategy: Strategy | None = None,
        interventions: Sequence[Intervention] = (),
        draft: Sequence[int] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
    ) -> Translation:
        """Translate a text, greedily by default; ValueError when the text is empty.

        The interventions hold at every step, and so do `edits`, functions by the names of sites
        (see `record`). Raises ValueError when one does not fit.
        """
        source = self.source(text)
        return self.translation(self.choices(source, strategy, (), interventions, draft, edits))

    @torch.inference_mode()
    def translate_all(
        self,
        texts: Iterable[str | Source],
        batch: int = 64,
        interventions: Sequence[Intervention] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
    ) -> list[Translation]:
        """Translate many texts greedily, `batch` of similar length at a time, in their order.

        With `interventions` or `edits`, as in `translate`, a batch has one length; each function
        still gets one sentence at a time. Vectors of another sentence fit only one: such texts are
        translated one by one. Raises ValueError when a text is empty or a change does not fit one.
        """
        if isinstance(texts, str):
            raise ValueError(f"the texts must be a list of texts, not {_short(texts)}")
        check_interventions(interventions)
        own = own_edits(edits, self.network.config.sites())
        sources = [self.source(text) for text in texts]
        if any(one.put_in for one in interventions):
            return [self.translate(one, None, interventions, edits=edits) for one in sources]
        afresh = any(site.startswith("decoder.") for site in own)
        afresh = afresh or not all(one.alone for one in interventions)
        alike: dict[int, list[int]] = {}
        for place, source in enumerate(sources):
            alike.setdefault(len(source.ids) if interventions or own else 0, []).append(place)
        found: dict[int, Translation] = {}
        for length, places in alike.items():
            rows, edits = [sources[place].ids for place in places], own
            if interventions:
                run = prepare(interventions, self.config, Lengths(length))
                rows, edits = list(map(run.padded, rows)), run.then(own)
            longest = [self.limits(sources[place]).max_length for place in places]
            written = greedy_together(
                self.network, rows, longest, batch, edits=edits, afresh=afresh
            )
            found |= {
                place: self._translation(*one) for place, one in zip(places, written, strict=True)
            }
        return [found[place] for place in range(len(sources))]

    def translation(self, choices: Iterable[Choice]) -> Translation:
        """Turn the steps of a decode into its translation."""
        chosen = [choice.chosen for choice in choices]
        ids = [candidate.id for candidate in chosen if candidate.id != self.tokenizer.end_id]
        return self._translation(ids, sum(candidate.log_prob for candidate in chosen))

    def _translation(self, ids: list[int], log_prob: float) -> Translation:
        tokens = tuple(self.target_tokenizer.tokens(ids))
        return Translation(self.target_tokenizer.decode(ids), tokens, tuple(ids), log_prob)

    def steps(
        self,
        text: str | Source,
        strategy: Strategy | None = None,
        forced: Sequence[int] = (),
        interventions: Sequence[Intervention] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
    ) -> Iterator[Step]:
        """Yield a Step for every piece chosen; the first pieces may be forced by id."""
        source = self.source(text)
        for choice in self.choices(source, strategy, forced, interventions, edits=edits):
            yield Step(
                tuple(self.target_tokenizer.tokens(list(choice.prefix))),
                self._alternative(choice.chosen.id, choice.chosen.log_prob),
                tuple(self._alternative(c.id, c.log_prob) for c in choice.alternatives),
                choice.forced,
                choice.rank,
                choice.draw,
            )

    def _alternative(self, id_: int, log_prob: float) -> Alternative:
        probability = float(torch.tensor(log_prob, dtype=torch.float64).exp())
        return Alternative(self.target_tokenizer.token(id_), id_, probability)

    def record(
        self,
        source: str | Source,
        target: str | Translation | Sequence[int] | None = None,
        interventions: Sequence[Intervention] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
    ) -> Recording:
        """Record one pass over a sentence and a translation (None: the greedy one, unedited).

        A text is cut into pieces anew, a Translation keeps its pieces; pieces may be given by id,
        without the begin token. Both sides are cut at the length limit. `edits` are functions of
        your own by the names of sites, {"encoder.3.ffn.out": f}: each gets the site's tensor (1,
        ...), after the interventions, and returns another of that shape. Raises ValueError when the
        source is empty, an intervention does not fit (see `fitting`), there is no such site, or a
        function returns something else.
        """
        check_interventions(interventions)
        source = self.source(source)
        pieces = self._target_ids(self.translate(source) if target is None else target)
        own = own_edits(edits, self.network.config.sites())
        return self._record(source, pieces, interventions, own)

    def logits(
        self,
        source: str | Source,
        target: str | Translation | Sequence[int] | None = None,
        interventions: Sequence[Intervention] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
    ) -> Tensor:
        """Return the scores of every piece as the next one as a tensor (T, V), as in `record`.

        It keeps its gradient: a function in `edits` may return a tensor that requires one. Raises
        ValueError as `record` does.
        """
        check_interventions(interventions)
        source = self.source(source)
        pieces = self._target_ids(self.translate(source) if target is None else target)
        ids = [self.tokenizer.begin_id, *pieces][: self.max_tokens]
        own, rows = own_edits(edits, self.network.config.sites()), list(source.ids)
        if interventions:
            run = prepare(interventions, self.config, self.lengths(source, len(ids)))
            own, rows = run.then(own), run.padded(rows)
        return self.network(torch.tensor([rows]), torch.tensor([ids]), Editor(own))[0]

    def _record(
        self,
        source: Source,
        pieces: Sequence[int],
        interventions: Sequence[Intervention] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
        lengths: Lengths | None = None,
    ) -> Recording:
        ids = [self.tokenizer.begin_id, *pieces][: self.max_tokens]
        tokens = list(source.tokens), self.target_tokenizer.tokens(ids)
        donors = (lengths or self.lengths(source)).donors
        recording = record(
            self.network, source.ids, ids, *tokens, interventions, self._weights, edits, donors
        )
        return replace(recording, functions=edits) if edits else recording

    def fitting(
        self,
        source: Source,
        interventions: Sequence[Intervention],
        target: Translation | Sequence[int] | None = None,
    ) -> Split:
        """Split interventions into those that can run together on a sentence, and the others.

        `target` is the decoder's input, as in `record`; None while it is being written.
        """
        length = None
        if target is not None:
            length = min(1 + len(self._target_ids(target)), self.max_tokens)
        return fitting(interventions, self.network.config, self.lengths(source, length))

    @torch.inference_mode()
    def run(
        self,
        source: str | Source,
        interventions: Sequence[Intervention] = (),
        strategy: Strategy | None = None,
        *,
        forced: Sequence[int] = (),
        steps: int | None = None,
        near: Run | None = None,
        progress: Progress | None = None,
        lenient: bool = False,
        edits: Mapping[str, Edit] = NO_EDITS,
    ) -> Run:
        """Translate and record in one, without the interventions that do not fit this sentence.

        `left_out` of the result names those. One that fits no sentence raises ValueError, as in
        `record`, unless `lenient`: a link may have been made with another model.

        `forced` are the ids of the first pieces, `steps` is the largest number of steps. `near` is
        a run of the same source with a similar expected result: what it knows is not computed
        again, and no result changes. `progress` receives the number of written pieces and the
        number of source pieces. Raises ValueError when the source is empty or no piece has a forced
        id.
        """
        check_interventions(interventions)
        for one in () if lenient else interventions:
            one.check(Sizes(self.config))
        source, own = self.source(source), own_edits(edits, self.network.config.sites())
        config, lengths = self.network.config, self.lengths(source)
        fit, misfit = fitting(interventions, config, lengths)
        scorer = self._scorer_near(source, fit, forced, near, progress, lengths, own)
        limits, strategy, tree = self.limits(source, forced), _strategy(strategy), None
        if isinstance(strategy, Beam):
            tree = strategy.search(scorer, limits, forced)
        found = tree.steps() if tree else strategy.steps(scorer, limits, forced)
        choices = tuple(islice(found, steps))
        translation = self.translation(choices)
        written = min(1 + len(translation.ids), self.max_tokens)
        fit, beyond = fitting(fit, config, replace(lengths, target=written))
        known = near.recording if near else None
        if known and (translation.ids, fit, own) == (
            known.target_ids[1:],
            known.interventions,
            known.functions,
        ):
            recording = known
        else:
            recording = self._record(source, translation.ids, fit, own, lengths)
        return Run(source, choices, translation, recording, (*misfit, *beyond), tree)

    def _scorer_near(
        self,
        source: Source,
        interventions: Sequence[Intervention],
        forced: Sequence[int],
        near: Run | None,
        progress: Progress | None,
        lengths: Lengths,
        edits: Mapping[str, Edit],
    ) -> Scorer:
        likely = forced or (near.translation.ids if near else ())
        if not all(id_ in range(len(self.target_tokenizer)) for id_ in likely):
            likely = ()
        draft = likely[: self.limits(source, forced).max_length - 1]

        def afresh() -> Scorer:
            made = self.scorer(source, interventions, draft, edits, lengths)
            return reporting(made, len(source.ids), progress) if progress else made

        recorded = near.recording if near else None
        changed = interventions or edits
        if recorded is None or forced or changed or recorded.interventions or recorded.functions:
            return KnownScorer(afresh)
        return KnownScorer(afresh, recorded.target_ids, torch.tensor(recorded.logits))

    @torch.inference_mode()
    def look(self, source: str | Source, looking: Looking) -> Run:
        """Translate greedily and record, in a recurrent model with changed attention.

        Raises ValueError when the change does not fit the model.
        """
        source, edits = self.source(source), looking.edits(self.network.config.kind)
        found = Greedy().steps(scorer(self.network, source.ids, edits=edits), self.limits(source))
        choices = tuple(found)
        translation = self.translation(choices)
        recording = self._record(source, translation.ids, edits=edits)
        return Run(source, choices, translation, recording)

    def trace(
        self,
        source: str | Source,
        donor: str,
        target: str | Translation | Sequence[int] | None = None,
        part: Part = "residual",
        *,
        restored: bool = False,
        at: tuple[int, int] | None = None,
        progress: Progress | None = None,
    ) -> Trace:
        """Put every vector of another sentence, the donor, into this one, one at a time.

        The vectors that move the answer show where the difference of the two sentences passes. The
        answer is read at the first step at which they continue differently, both given the same
        `target` (None: this sentence's own translation). `part` names what is carried over: the
        residual stream ("residual"), the output of a sublayer ("sublayer"), or a head's "z", "q",
        "k" or "v". `restored` puts this sentence's vectors into the donor instead. `at` is a piece
        of the source and a row of the decoder, if the others are not wanted. Raises ValueError when
        a text is empty, when nothing decides between the two, or when the model is recurrent.
        """
        source, other = self.source(source), self.source(donor)
        pieces = self._target_ids(self.translate(source) if target is None else target)
        given, ids = [self.tokenizer.begin_id, *pieces][: self.max_tokens], (source.ids, other.ids)
        found = decided(self.model, ids, given)
        asked = self.model, ids, found, part, progress
        return trace(*asked, donor=other.text, restored=restored, at=at)

    def pair_ids(
        self, source: str | Source, target: str | Translation
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the ids of both sides for the trainer, each with its end token.

        The target starts with the begin token. Both are cut at the length limit.
        """
        pieces = self._target_ids(target)[: self.max_tokens - 1]
        begin, end = self.tokenizer.begin_id, self.tokenizer.end_id
        return self.source(source).ids, (begin, *pieces, end)

    def _target_ids(self, target: str | Translation | Sequence[int]) -> Sequence[int]:
        if isinstance(target, str):
            return self.target_tokenizer.encode(clean(target))
        if isinstance(target, Translation):
            return target.ids
        if isinstance(target, bytes) or not all(isinstance(id_, Integral) for id_ in target):
            said = "a text, a Translation or a list of ids"
            raise ValueError(f"the target must be {said}, not {_short(target)}")
        return target


def _strategy(strategy: Strategy | None) -> Strategy:
    """Return the strategy, greedy by default; ValueError when it is another thing."""
    if isinstance(strategy, str) or not (strategy is None or hasattr(strategy, "steps")):
        ours = "Greedy(), Beam(4) or Sampling(...)"
        raise ValueError(f"the strategy must be {ours}, not {_short(strategy)}")
    return strategy or Greedy()


def _short(value: object) -> str:
    """Write a value in at most 60 characters, for an error."""
    said = repr(value)
    return said if len(said) <= 60 else f"{said[:57]}..."


def load_translator(name: str | Path = "en-fr") -> Translator:
    """Load a folder under checkpoints/ by its name, or any such folder by its path."""
    return Translator(load_checkpoint(name))
