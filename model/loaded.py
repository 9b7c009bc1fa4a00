"""A loaded checkpoint: its network, its tokenizers and its limits."""

from collections.abc import Iterable, Sequence

import torch

from model import arguments
from model.checkpoints.checkpoint import Checkpoint
from model.checkpoints.hub import name_of
from model.decoding.steps import Choice, Limits
from model.families import Network, transformer, transformer_config
from model.results import Alternative, Source, Step, Translation
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from model.words import WORD_START, clean

MAX_TOKENS, MOST_TOKENS = 128, 256
"""The longest source or target in pieces, begin or end token included; longer text is cut.

Where a model has more positions, half of them count, up to the larger number.
"""


Device = str | torch.device
"""A device of torch: "cpu", "cuda", "cuda:1", "mps"."""


class Loaded:
    """A loaded checkpoint: the way from text to ids and back, and the limits of both."""

    def __init__(self, checkpoint: Checkpoint, device: Device | None = None) -> None:
        """Take the parts of a checkpoint; its network computes on the device, usually the CPU.

        Raises ValueError when torch has no such device.
        """
        self.network, own = checkpoint.model, checkpoint.tokenizer
        if device is not None:
            _put_on(self.network, device)
        self.tokenizers = own, checkpoint.target_tokenizer or own
        self.tokenizer, self.target_tokenizer = self.tokenizers
        self.card, self.folder = checkpoint.card, checkpoint.folder
        positions = self.network.config.max_length
        self.max_tokens = min(positions, MOST_TOKENS, max(MAX_TOKENS, positions // 2))

    @property
    def name(self) -> str:
        """Return the name of the model: its folder's, or that of a model in the hub's cache."""
        return name_of(self.folder)

    @property
    def device(self) -> torch.device:
        """Return the device on which the model computes."""
        return self.network.device

    @property
    def model(self) -> Transformer:
        """Return the Transformer; ValueError when `network` is of another family."""
        return transformer(self.network)

    @property
    def config(self) -> ModelConfig:
        """Return the sizes of the Transformer; ValueError when `network` is of another family."""
        return transformer_config(self.network.config)

    def source(self, text: str | Source) -> Source:
        """Clean a text and cut it into at most `max_tokens` ids.

        Control and invisible characters are removed, and white space becomes single spaces.

        Args:
            text: the text; a Source is returned unchanged.

        Returns:
            The cleaned text with its pieces and their ids, the end token last.

        Raises:
            ValueError: nothing is left of the text, or it is not a text.

        >>> translator.source("The cat is sleeping.").tokens[-1]
        '</s>'

        """
        if isinstance(text, Source):
            return text
        if not isinstance(text, str):
            wanted = "a text (translate_all takes several)"
            raise ValueError(f"the source must be {wanted}, not {arguments.shortened(text)}")
        cleaned = clean(text)
        ids = self.tokenizer.encode(cleaned)
        if not ids:
            raise ValueError("there is nothing to translate: the text is empty")
        cut_ids = (*ids[: self.max_tokens - 1], self.tokenizer.end_id)
        tokens = tuple(self.tokenizer.tokens(list(cut_ids)))
        return Source(cleaned, cut_ids, tokens, cut=len(ids) > self.max_tokens - 1)

    def limits(self, source: Source, forced: Sequence[int] = ()) -> Limits:
        """Return the limits of decoding for a source: 2 S + 10 pieces, or as many as are forced."""
        forced = arguments.ids("forced", forced)
        longest = max(2 * len(source.ids) + 10, len(forced) + 1)
        begin, end = self.tokenizer.begin_id, self.tokenizer.end_id
        return Limits(begin, end, min(longest, self.max_tokens), self.network.config.banned_ids)

    def forced_ids(self, typed: str) -> tuple[int, ...]:
        """Return the ids of typed text that is to be forced.

        Args:
            typed: "chat" starts a new word, "+eau" continues the last word, "</s>" ends.

        Returns:
            The ids, for `forced=`.

        Raises:
            ValueError: the text is empty, or no piece continues a word that way.

        >>> forced = translator.forced_ids("Un")
        >>> next(translator.steps("The cat is sleeping.", forced=forced)).chosen.token
        '▁Un'

        """
        text = clean(typed.replace(WORD_START, " "))
        pieces = self.target_tokenizer
        if text == pieces.token(pieces.end_id):
            return (pieces.end_id,)
        ids = [pieces.id(text[1:])] if text.startswith("+") else pieces.encode(text)
        if not ids:
            raise ValueError("there is nothing to force: the text is empty")
        return tuple(ids)

    def translation(self, choices: Iterable[Choice]) -> Translation:
        """Return the translation that the steps of a decoding have written."""
        chosen = [choice.chosen for choice in choices]
        ids = [candidate.id for candidate in chosen if candidate.id != self.tokenizer.end_id]
        return self._translation(ids, sum(candidate.log_prob for candidate in chosen))

    def step(self, choice: Choice) -> Step:
        """Return a step of a decoding with the texts of its pieces, and their probabilities."""
        return Step(
            tuple(self.target_tokenizer.tokens(list(choice.prefix))),
            self._alternative(choice.chosen.id, choice.chosen.log_prob),
            tuple(self._alternative(c.id, c.log_prob) for c in choice.alternatives),
            choice.forced,
            choice.rank,
            choice.draw,
        )

    def _translation(self, ids: list[int], log_prob: float) -> Translation:
        tokens = tuple(self.target_tokenizer.tokens(ids))
        return Translation(self.target_tokenizer.decode(ids), tokens, tuple(ids), log_prob)

    def _alternative(self, id_: int, log_prob: float) -> Alternative:
        probability = float(torch.tensor(log_prob, dtype=torch.float64).exp())
        return Alternative(self.target_tokenizer.token(id_), id_, probability)

    def pair_ids(
        self, source: str | Source, target: str | Translation
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the ids of source and target for the trainer, each with its end token.

        The target starts with the begin token. Both are cut at `max_tokens`.
        """
        pieces = self.target_ids(target)[: self.max_tokens - 1]
        begin, end = self.tokenizer.begin_id, self.tokenizer.end_id
        return self.source(source).ids, (begin, *pieces, end)

    def target_ids(self, target: str | Translation | Sequence[int]) -> Sequence[int]:
        """Return the ids of a target, without begin and end token; ValueError if it is not one."""
        if isinstance(target, str):
            return self.target_tokenizer.encode(clean(target))
        if isinstance(target, Translation):
            return target.ids
        return arguments.ids("the target", target, "a text, a Translation or a list of ids")


def _put_on(network: Network, device: Device) -> None:
    """Move a network's weights to a device; ValueError when torch has none of this name here."""
    try:
        torch.zeros(1, device=device).item()  # some have no memory, such as "meta"
        network.to(device)
    except (RuntimeError, AssertionError, TypeError, torch.AcceleratorError) as error:
        accelerator = torch.accelerator.current_accelerator(check_available=True)
        known = " and ".join(["'cpu'", *([repr(str(accelerator))] if accelerator else [])])
        raise ValueError(
            f"the device {arguments.shortened(device)} cannot be used: torch has {known} here"
        ) from error
