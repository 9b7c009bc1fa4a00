"""The Translator: from a text to its translation, its steps, a recording, or all in one run."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor

from model import arguments
from model.checkpoints.checkpoint import Checkpoint, load_checkpoint
from model.decoding.beam import Beam
from model.decoding.greedy import Greedy
from model.decoding.known_scorer import KnownScorer
from model.decoding.steps import Progress, Scorer, Strategy, reporting
from model.decoding.together import greedy_together
from model.families import scorer
from model.interventions.base import Intervention, Lengths, Sizes, check_interventions
from model.interventions.fitting import fitting
from model.interventions.prepare import prepare
from model.loaded import Device
from model.recording.recording import NO_EDITS, Recording, record
from model.recording.trace import PARTS, Part, Trace, decided, trace
from model.recording.weights import Weights
from model.recurrent.looking import Looking
from model.results import Run, Source, Step, Translation
from model.scoring import Scoring
from model.sites.tap import Edit, Editor, own_edits


class Translator(Scoring):
    """A checkpoint that is ready for use; `load_translator` makes one.

    It keeps no state between calls, so threads can share it. Everywhere, `interventions` hold at
    every step, and so do `edits`: functions of your own by the names of sites, such as
    {"encoder.3.ffn.out": f}. Each gets the tensor of its site, (1, ...), after the interventions,
    and returns another of that shape.

    Args:
        checkpoint: what was read from a checkpoint's folder.
        device: where the model computes; ValueError when torch has no such device.

    >>> translator = load_translator("en-fr")
    >>> text, double = "The cat is sleeping.", {"encoder.3.ffn.out": lambda out: 2 * out}
    >>> translator.record(text, edits=double).logits.shape == translator.logits(text).shape
    True

    """

    def __init__(self, checkpoint: Checkpoint, device: Device | None = None) -> None:
        """Take the network, the tokenizers and the card of a checkpoint."""
        super().__init__(checkpoint, device)
        self._weights = Weights.of(self.network)

    def translate(
        self,
        text: str | Source,
        strategy: Strategy | None = None,
        interventions: Sequence[Intervention] = (),
        draft: Sequence[int] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
    ) -> Translation:
        """Translate a text.

        Args:
            text: the text.
            strategy: Greedy() by default, Beam(...) or Sampling(...).
            interventions: changes to the model.
            edits: functions of your own, by site.
            draft: the ids of an expected translation, which saves time and changes no result.

        Returns:
            The translation with its pieces and its log-probability.

        Raises:
            ValueError: the text is empty, or an intervention or an edit does not fit.

        >>> text = "The cat is sleeping."
        >>> translator.translate(text) == translator.run(text).translation
        True

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
        """Translate many texts greedily, in batches of similar length.

        With interventions or edits, all texts of a batch have one length, or are translated one by
        one; a function gets one sentence at a time in any case.

        Args:
            texts: the texts.
            batch: the most texts in a batch.
            interventions: changes to the model.
            edits: functions of your own, by site.

        Returns:
            The translations in the order of the texts.

        Raises:
            ValueError: a text is empty, or an intervention or an edit does not fit one of them.

        >>> len(translator.translate_all(["The cat is sleeping.", "It is late."]))
        2

        """
        arguments.count("batch", batch)
        check_interventions(interventions)
        own = own_edits(edits, self.network.config.sites())
        sources = [self.source(text) for text in arguments.texts(texts)]
        if any(change.put_in for change in interventions):
            return [self.translate(source, None, interventions, edits=edits) for source in sources]
        afresh = any(site.startswith("decoder.") for site in own)
        afresh = afresh or not all(change.alone for change in interventions)
        alike: dict[int, list[int]] = {}
        for index, source in enumerate(sources):
            alike.setdefault(len(source.ids) if interventions or own else 0, []).append(index)
        translations: dict[int, Translation] = {}
        for length, indices in alike.items():
            rows, edits = [sources[index].ids for index in indices], own
            if interventions:
                run = prepare(interventions, self.config, Lengths(length))
                rows, edits = list(map(run.padded, rows)), run.then(own)
            longest = [self.limits(sources[index]).max_length for index in indices]
            written = greedy_together(
                self.network, rows, longest, batch, edits=edits, afresh=afresh
            )
            translations |= {
                index: self._translation(*row) for index, row in zip(indices, written, strict=True)
            }
        return [translations[index] for index in range(len(sources))]

    def steps(
        self,
        text: str | Source,
        strategy: Strategy | None = None,
        forced: Sequence[int] = (),
        interventions: Sequence[Intervention] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
    ) -> Iterator[Step]:
        """Translate a text, and yield a Step for every piece that is chosen.

        Args:
            text: the text.
            strategy: Greedy() by default, Beam(...) or Sampling(...).
            forced: the ids of the first pieces, if you choose them.
            interventions: changes to the model.
            edits: functions of your own, by site.

        Returns:
            An iterator of the steps; each is computed when it is asked for.

        Raises:
            ValueError: the text is empty, or an intervention or an edit does not fit.

        >>> {step.rank for step in translator.steps("The cat is sleeping.")}
        {1}

        """
        source = self.source(text)
        for choice in self.choices(source, strategy, forced, interventions, edits=edits):
            yield self.step(choice)

    def record(
        self,
        source: str | Source,
        target: str | Translation | Sequence[int] | None = None,
        interventions: Sequence[Intervention] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
    ) -> Recording:
        """Record one pass over a sentence and a translation; both are cut at `max_tokens`.

        Args:
            source: the sentence.
            target: its translation. A text is cut into pieces anew, a Translation keeps its pieces,
                and pieces may be given by id, without the begin token. By default it is the greedy
                translation of the unchanged model.
            interventions: changes to the model.
            edits: functions of your own, by site.

        Returns:
            The arrays of all sites.

        Raises:
            ValueError: the source is empty, an intervention does not fit (see `fitting`), there is
                no such site, or a function returns something else than a tensor of its shape.

        >>> recording = translator.record("The cat is sleeping.", "Le chat dort.")
        >>> recording.logits.shape[0] == len(recording.target_tokens)
        True

        """
        check_interventions(interventions)
        source, pieces = self._given(source, target)
        own = own_edits(edits, self.network.config.sites())
        return self._record(source, pieces, interventions, own)

    def logits(
        self,
        source: str | Source,
        target: str | Translation | Sequence[int] | None = None,
        interventions: Sequence[Intervention] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
    ) -> Tensor:
        """Return the logit of every piece as the next one, as a tensor that keeps its gradient.

        Args:
            source: the sentence.
            target: its translation, as in `record`.
            interventions: changes to the model.
            edits: functions of your own, by site; their tensors may require a gradient.

        Returns:
            The logits, (T, V).

        Raises:
            ValueError: as in `record`.

        >>> scale = torch.ones((), requires_grad=True)
        >>> edits = {"encoder.3.ffn.out": lambda out: scale * out}
        >>> translator.logits("The cat is sleeping.", edits=edits).requires_grad
        True

        """
        check_interventions(interventions)
        source, pieces = self._given(source, target)
        ids = [self.tokenizer.begin_id, *pieces][: self.max_tokens]
        own, rows = own_edits(edits, self.network.config.sites()), list(source.ids)
        if interventions:
            run = prepare(interventions, self.config, self.lengths(source, len(ids)))
            own, rows = run.then(own), run.padded(rows)
        return self.network(torch.tensor([rows]), torch.tensor([ids]), Editor(own))[0]

    def _given(
        self, source: str | Source, target: str | Translation | Sequence[int] | None
    ) -> tuple[Source, Sequence[int]]:
        """Return a source and the ids of its target, by default those of its translation."""
        source = self.source(source)
        return source, self.target_ids(self.translate(source) if target is None else target)

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
        sides, shared = (source.ids, ids, *tokens), {"weights": self._weights, "donors": donors}
        recording = record(self.network, *sides, interventions, edits=edits, **shared)
        return replace(recording, functions=edits) if edits else recording

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

        Args:
            source: the sentence.
            interventions: changes to the model; those that do not fit are `left_out`.
            strategy: Greedy() by default, Beam(...) or Sampling(...).
            forced: the ids of the first pieces, if you choose them.
            steps: the most steps; None means no such limit.
            near: a run of the same source with a similar expected result. What it knows is not
                computed again; no result changes.
            progress: a function of the number of written pieces and of source pieces.
            lenient: whether an intervention that fits no sentence is left out, too.
            edits: functions of your own, by site.

        Returns:
            The translation, its steps and the recording.

        Raises:
            ValueError: the source is empty, no piece has a forced id, or an intervention fits no
                sentence.

        >>> run = translator.run("The cat is sleeping.", strategy=Beam(2))
        >>> len(run.choices) == len(run.translation.ids) + 1
        True

        """
        check_interventions(interventions)
        arguments.count("steps", steps)
        arguments.optional("near", near, Run)
        for intervention in () if lenient else interventions:
            intervention.check(Sizes(self.config))
        source, own = self.source(source), own_edits(edits, self.network.config.sites())
        config, lengths = self.network.config, self.lengths(source)
        fit, misfit = fitting(interventions, config, lengths)
        scorer = self._scorer_near(source, fit, own, forced, near, lengths, progress=progress)
        limits, strategy, tree = self.limits(source, forced), arguments.strategy(strategy), None
        if isinstance(strategy, Beam):
            tree = strategy.search(scorer, limits, forced)
        decoding = tree.steps() if tree else strategy.steps(scorer, limits, forced)
        choices = tuple(islice(decoding, steps))
        translation = self.translation(choices)
        written = min(1 + len(translation.ids), self.max_tokens)
        fit, beyond = fitting(fit, config, replace(lengths, target=written))
        recording = near.recording if near else None
        if recording is None or (translation.ids, fit, own) != recording.origin:
            recording = self._record(source, translation.ids, fit, own, lengths)
        return Run(source, choices, translation, recording, (*misfit, *beyond), tree)

    def _scorer_near(
        self,
        source: Source,
        interventions: Sequence[Intervention],
        edits: Mapping[str, Edit],
        forced: Sequence[int],
        near: Run | None,
        lengths: Lengths,
        *,
        progress: Progress | None,
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
        """Translate greedily and record, with a recurrent model whose attention is changed.

        Raises ValueError when the change does not fit the model.
        """
        source, edits = self.source(source), looking.edits(self.network.config.kind)
        scored = scorer(self.network, source.ids, edits=edits)
        choices = tuple(Greedy().steps(scored, self.limits(source)))
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

        The vectors that move the answer show how the difference between the sentences travels. The
        answer is read at the first step at which the two continue differently after the same
        target.

        Args:
            source: the sentence.
            donor: the other sentence.
            target: the translation that both are given; by default, that of this sentence.
            part: which vectors are taken over: those of the residual stream ("residual"), outputs
                of sublayers ("sublayer"), or "z", "q", "k" or "v" of heads.
            restored: whether this sentence's vectors are put into the donor instead.
            at: a piece of the source and a row of the decoder, if only these are wanted.
            progress: a function that is called with the number of runs done and of all.

        Returns:
            A map of how far each vector moves the answer.

        Raises:
            ValueError: a text is empty, the two sentences never continue differently, or the model
                is recurrent.

        >>> translator.trace("The cat is sleeping.", "The cats are sleeping.").encoder.ndim
        2

        """
        arguments.choice("part", part, PARTS)
        other = self.source(donor)
        source, pieces = self._given(source, target)
        given, ids = [self.tokenizer.begin_id, *pieces][: self.max_tokens], (source.ids, other.ids)
        deciding = decided(self.model, ids, given)
        asked = self.model, ids, deciding, part, progress
        return trace(*asked, donor=other.text, restored=restored, at=at)


def load_translator(name: str | Path = "en-fr", device: Device | None = None) -> Translator:
    """Load a model.

    Args:
        name: the name of a folder under checkpoints/, or the path of any such folder.
        device: where the model computes, such as "cuda" or "mps"; the CPU by default. Recordings
            are arrays of numpy in any case, and `edits` get tensors of this device.

    Returns:
        The model with its tokenizers, ready for use.

    Raises:
        ValueError: there is no such folder, it is damaged, or torch has no such device.

    >>> load_translator("en-fr").name
    'en-fr'

    """
    return Translator(load_checkpoint(name), device)
