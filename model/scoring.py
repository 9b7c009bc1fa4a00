"""The scores that decoding asks a model for, under interventions that fit a sentence."""

from collections.abc import Iterator, Mapping, Sequence

import torch

from model import arguments
from model.decoding.steps import Choice, Scorer, Strategy
from model.families import scorer
from model.interventions.base import Intervention, Lengths, check_interventions
from model.interventions.donors import Donors
from model.interventions.fitting import Split, fitting
from model.interventions.prepare import prepare
from model.loaded import Loaded
from model.recording.recording import NO_EDITS
from model.results import Source, Translation
from model.sites.tap import Edit, own_edits
from model.transformer.transformer import Transformer


class Scoring(Loaded):
    """A loaded checkpoint that scores the next piece, changed or not."""

    def fitting(
        self,
        source: Source,
        interventions: Sequence[Intervention],
        target: Translation | Sequence[int] | None = None,
    ) -> Split:
        """Split interventions into those that can hold together for a sentence, and the others.

        Args:
            source: the sentence.
            interventions: changes to the model, in the order in which they were asked for.
            target: the decoder's input, as in `record`; None while it is being written.

        Returns:
            Two tuples, those that run and those that are left out, each in the order given.

        Raises:
            ValueError: the target is none, or a donor's text is empty.

        >>> source = translator.source("The cat is sleeping.")
        >>> run, left_out = translator.fitting(source, [AblateHead("encoder 6.4")])
        >>> len(run), len(left_out)
        (1, 0)

        """
        length = None if target is None else min(1 + len(self.target_ids(target)), self.max_tokens)
        return fitting(interventions, self.network.config, self.lengths(source, length))

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
        """Yield the strategy's steps as ids and log-probabilities; `steps` has their texts.

        Args:
            source: the sentence.
            strategy: Greedy() by default, Beam(...) or Sampling(...).
            forced: the ids of the first pieces, if you choose them.
            interventions: changes to the model.
            draft: the ids of an expected translation. Where it is right, in whole or in part, steps
                cost next to nothing. It changes no result.
            edits: functions of your own, by site.

        Returns:
            An iterator of the choices; each is computed when it is asked for.

        Raises:
            ValueError: no piece has a forced id, or an intervention or an edit does not fit.

        >>> choices = list(translator.choices(translator.source("The cat is sleeping.")))
        >>> choices[-1].chosen.id == translator.tokenizer.end_id
        True

        """
        scorer = self.scorer(source, interventions, draft, edits)
        limits = self.limits(source, forced)
        yield from arguments.strategy(strategy).steps(scorer, limits, forced)

    def scorer(
        self,
        source: Source,
        interventions: Sequence[Intervention] = (),
        draft: Sequence[int] = (),
        edits: Mapping[str, Edit] = NO_EDITS,
        lengths: Lengths | None = None,
    ) -> Scorer:
        """Encode the source once; return what scores the piece after target prefixes.

        Args:
            source: the sentence.
            interventions: changes to the model.
            draft: the ids of an expected translation, as in `choices`.
            edits: functions of your own, by site.
            lengths: those of the source, if they are known: their donors need not run again.

        Returns:
            A function of ids (N, T), the begin token first, that returns logits (N, V).

        Raises:
            ValueError: an intervention or an edit does not fit.

        >>> score = translator.scorer(translator.source("The cat is sleeping."))
        >>> score(torch.tensor([[translator.tokenizer.begin_id]])).shape[0]
        1

        """
        check_interventions(interventions)
        draft = arguments.ids("draft", draft)
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
            written = self.translation(self.choices(self.source(donor)))
            return (self.tokenizer.begin_id, *written.ids)[: self.max_tokens]

        donors = Donors(self.network, source.ids, lambda donor: self.source(donor).ids, write)
        return Lengths(len(source.ids), target, donors)
