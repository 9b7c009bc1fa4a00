"""Losses that make the pictures causes: required results when something is carried over or cut.

They are computed on minimal pairs, two sentences in which "it" stands for different nouns. No loss
tells a head where to look; each requires something of the translation:

- `interchange`: with the memory at "it" taken from the other sentence, French says the other
  pronoun, and the adjective agrees (interchange intervention training: Geiger et al. 2022,
  "Inducing Causal Structure for Interpretable Neural Networks", section 3). The memory at "it", and
  nothing else, decides.
- `link`: with the links from "it" to both nouns forbidden in all encoder heads, il and elle are
  equally likely. What "it" stands for gets there by that way alone.
- `one_head`: the same with the output of one encoder head, the carrier, set to zero.
- `reads`: the same with the cross-attention from the step that writes the pronoun to "it"
  forbidden in all heads.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from model.sites.sites import Head
from model.sites.tap import NO_TAP, Edit, Editor, Tap
from model.training.data.minimal import MinimalBatch
from model.training.losses.cross_entropy import smoothed_cross_entropy
from model.transformer.transformer import Transformer

SENTENCE, PRONOUN = 0.3, 0.5
"""The weights of the whole sentence and of the choice of il or elle in `interchange`."""

TOSS_UP, FAR = 0.1, 5.0
"""The weight of a squared difference of logits, and the point where it grows only linearly."""


def forbid_link(batch: MinimalBatch) -> dict[str, Edit]:
    """Return the edit that forbids the links from "it" to both nouns in all encoder heads."""
    width = batch.source.size(1)
    at_it = torch.arange(width, device=batch.it.device) == batch.it[:, None]  # 2N S
    allowed = ~(at_it[:, :, None] & batch.nouns[:, None, :])  # 2N S S
    return {"encoder.mask": lambda mask: mask & allowed}


def silence(carrier: Head) -> dict[str, Edit]:
    """Return the edit that sets the output of one encoder head to zero."""

    def zero(z: Tensor) -> Tensor:  # B H S Dk
        kept = torch.ones(z.size(1), 1, 1, dtype=z.dtype, device=z.device)
        kept[carrier.head] = 0
        return z * kept

    return {f"encoder.{carrier.layer}.self_attn.z": zero}


def forbid_reading(batch: MinimalBatch) -> dict[str, Edit]:
    """Return the edit that forbids all cross heads to look at "it" from the pronoun's step."""
    width = batch.source.size(1)
    at_it = torch.arange(width, device=batch.it.device) == batch.it[:, None]  # 2N S

    def forbid(mask: Tensor) -> Tensor:  # 2N T S
        here = torch.arange(mask.size(1), device=mask.device) == batch.step[:, None]  # 2N T
        return mask & ~(here[:, :, None] & at_it[:, None, :])

    return {"decoder.cross_mask": forbid}


def carried_over(memory: Tensor, batch: MinimalBatch) -> Tensor:
    """Return the memory (2N, S, D) with the vector at "it" of each row's partner."""
    rows = torch.arange(len(memory), device=memory.device)
    swapped = memory.clone()
    swapped[rows, batch.it] = memory[batch.partner, batch.it]
    return swapped


def at_step(model: Transformer, step: Tensor) -> dict[str, Edit]:
    """Return the edit that passes only the row `step` (B,) of the decoder on to the logits."""
    last = model.config.decoder_layers - 1

    def pick(x: Tensor, *_made_of: Tensor) -> Tensor:  # B T D
        return x[torch.arange(len(x), device=x.device), step, None]  # B 1 D

    return {f"decoder.{last}.norm3": pick}


def lead(logits: Tensor, rivals: Tensor) -> Tensor:
    """Return the lead of elle's logit over that of il: (...,) of logits (..., V)."""
    il, elle = logits[..., rivals].float().unbind(-1)
    return elle - il


class CausalObjective:
    """The four losses of a model on a batch of minimal pairs."""

    def __init__(self, model: Transformer, batch: MinimalBatch, carrier: Head) -> None:
        """Encode the sentences unchanged."""
        self.model, self.batch, self.carrier = model, batch, carrier
        self.memory, self.memory_mask = self._encode({})  # 2N S D

    def _encode(self, edits: dict[str, Edit]) -> tuple[Tensor, Tensor]:
        # As in all generated sentences, the words' embeddings stay unchanged.
        leave: dict[str, Edit] = {"encoder.embedding": lambda x: x.detach()}
        return self.model.encode(self.batch.source, Editor(leave | edits))

    def interchange(self, smoothing: float) -> Tensor:
        """Return the loss of the sentences unchanged and with the memory at "it" carried over."""
        batch = self.batch
        memory = torch.cat([self.memory, carried_over(self.memory, batch)])  # 4N S D
        target = torch.cat([batch.target, batch.swapped])  # 4N T
        logits = self.model.decode(target[:, :-1], memory, self.memory_mask.repeat(2, 1, 1))
        pad = self.model.config.pad_id
        sentence = smoothed_cross_entropy(
            logits.flatten(0, 1), target[:, 1:].flatten(), smoothing, pad
        )
        rows = torch.arange(len(logits), device=logits.device)
        leads = lead(logits[rows, batch.step.repeat(2)], batch.rivals)  # 4N
        right = torch.cat([batch.elle, ~batch.elle]).float()
        pronoun = F.binary_cross_entropy_with_logits(leads, right)
        # Both halves count: the mean over twice the rows is half of their sum.
        return 2 * (SENTENCE * sentence + PRONOUN * pronoun)

    def link(self) -> Tensor:
        """Return the distance of il and elle from equal odds without the links to both nouns."""
        return self._toss_up(self._encode(forbid_link(self.batch))[0])

    def one_head(self) -> Tensor:
        """Return the distance of il and elle from equal odds without the carrier."""
        return self._toss_up(self._encode(silence(self.carrier))[0])

    def reads(self) -> Tensor:
        """Return the distance of il and elle from equal odds when their step cannot see "it"."""
        return self._toss_up(self.memory, forbid_reading(self.batch))

    def _toss_up(self, memory: Tensor, edits: dict[str, Edit] | None = None) -> Tensor:
        leads = pronoun_leads(self.model, self.batch, memory, self.memory_mask, edits or {})
        return TOSS_UP * 2 * F.huber_loss(leads, torch.zeros_like(leads), delta=FAR)


def pronoun_leads(
    model: Transformer,
    batch: MinimalBatch,
    memory: Tensor,
    memory_mask: Tensor,
    edits: dict[str, Edit],
) -> Tensor:
    """Return the lead of elle over il (2N,) at the pronoun's step, the words before it given."""
    given = batch.target[:, : int(batch.step.max()) + 1]  # 2N t
    tap: Tap = Editor(edits | at_step(model, batch.step))
    return lead(model.decode(given, memory, memory_mask, tap)[:, 0], batch.rivals)


@torch.no_grad()
def leads_when_cut(model: Transformer, batch: MinimalBatch, carrier: Head) -> dict[str, Tensor]:
    """Return the lead of elle over il (2N,) unchanged, under each cut, and with carried memory.

    `none` is the unchanged model. `link`, `one_head` and `reads` are cut as in the losses of these
    names. `it` has the other sentence's memory at "it". `all but it` has the whole memory of the
    other sentence except for its own vector at "it".
    """
    memory, mask = model.encode(batch.source, NO_TAP)
    linkless = model.encode(batch.source, Editor(forbid_link(batch)))[0]
    headless = model.encode(batch.source, Editor(silence(carrier)))[0]
    others = memory[batch.partner].clone()
    rows = torch.arange(len(memory), device=memory.device)
    others[rows, batch.it] = memory[rows, batch.it]
    cases: dict[str, tuple[Tensor, dict[str, Edit]]] = {
        "none": (memory, {}),
        "link": (linkless, {}),
        "one_head": (headless, {}),
        "reads": (memory, forbid_reading(batch)),
        "it": (carried_over(memory, batch), {}),
        "all but it": (others, {}),
    }
    found = {}
    for name, (changed, edits) in cases.items():
        padding = mask[batch.partner] if name == "all but it" else mask
        found[name] = pronoun_leads(model, batch, changed, padding, edits)
    return found
