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

from collections.abc import Collection

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

CUTS = ("link", "one_head", "reads")
"""The losses that require equal odds under a cut."""

_ENCODED = ("link", "one_head")  # those whose cut is in the encoder


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
    """The four losses of a model on a batch of minimal pairs.

    All cases, unchanged and cut, are rows of one encoding and one decoding: on a GPU the number of
    operations decides how long a step takes, not the number of rows.
    """

    def __init__(self, model: Transformer, batch: MinimalBatch, carrier: Head) -> None:
        """Keep all three."""
        self.model, self.batch, self.carrier = model, batch, carrier

    def losses(self, wanted: Collection[str], smoothing: float) -> dict[str, Tensor]:
        """Return the losses with these names, each ().

        `interchange` is that of the sentences unchanged and with the memory at "it" carried over,
        the others the distance of il and elle from equal odds under a cut. ValueError for none.
        """
        if not wanted:
            raise ValueError("no causal loss is asked for")
        memories = self._memories([name for name in _ENCODED if name in wanted])
        whole = ["none", "it"] if "interchange" in wanted else []
        cut = [name for name in CUTS if name in wanted]
        logits, picked = self._logits(whole, cut, memories)
        found = {"interchange": self._interchange(logits, smoothing)} if whole else {}
        leads = lead(picked, self.batch.rivals).unflatten(0, (len(cut), -1)) if cut else ()
        return found | {name: toss_up(each) for name, each in zip(cut, leads, strict=True)}

    def _memories(self, cut: list[str]) -> dict[str, Tensor]:
        """Encode the sentences as they are and with each of these cuts: (2N, S, D) by name."""
        batch, rows = self.batch, len(self.batch.source)
        # As in all generated sentences, the words' embeddings stay unchanged.
        edits: dict[str, Edit] = {"encoder.embedding": lambda x: x.detach()}
        for number, name in enumerate(cut, start=1):
            made = forbid_link(batch) if name == "link" else silence(self.carrier)
            edits |= in_rows(made, slice(number * rows, (number + 1) * rows))
        source = batch.source.repeat(len(cut) + 1, 1)
        memory, padding = self.model.encode(source, Editor(edits))
        found = dict(zip(("none", *cut), memory.split(rows), strict=True))
        self.padding = padding[:rows]
        return found | {"it": carried_over(found["none"], batch), "reads": found["none"]}

    def _logits(
        self, whole: list[str], cut: list[str], memories: dict[str, Tensor]
    ) -> tuple[Tensor, Tensor]:
        """Decode all cases; return the logits of the whole ones and of the step of the others.

        They are (2NC, T, V) and (M, V).
        """
        batch, cases = self.batch, [*whole, *cut]
        rows, last = len(batch.source), self.model.config.decoder_layers - 1
        given = [batch.swapped if name == "it" else batch.target for name in cases]
        target = torch.cat(given)[:, :-1]
        split = rows * len(whole)

        def pick(x: Tensor, *_made_of: Tensor) -> Tensor:  # B T D
            rest, step = x[split:], batch.step.repeat(len(cut))
            places = torch.arange(len(rest), device=x.device)
            return torch.cat([x[:split].flatten(0, 1), rest[places, step]])[None]  # 1 K D

        edits: dict[str, Edit] = {f"decoder.{last}.norm3": pick}
        if "reads" in cut:
            start = rows * cases.index("reads")
            edits |= in_rows(forbid_reading(batch), slice(start, start + rows))
        memory = torch.cat([memories[name] for name in cases])
        padding = self.padding.repeat(len(cases), 1, 1)
        (logits,) = self.model.decode(target, memory, padding, Editor(edits))  # K V
        ends = split * target.size(1)
        return logits[:ends].unflatten(0, (split, -1)) if split else logits[:0], logits[ends:]

    def _interchange(self, logits: Tensor, smoothing: float) -> Tensor:
        batch, pad = self.batch, self.model.config.pad_id
        target = torch.cat([batch.target, batch.swapped])  # 4N T
        sentence = smoothed_cross_entropy(
            logits.flatten(0, 1), target[:, 1:].flatten(), smoothing, pad
        )
        rows = torch.arange(len(logits), device=logits.device)
        leads = lead(logits[rows, batch.step.repeat(2)], batch.rivals)  # 4N
        right = torch.cat([batch.elle, ~batch.elle]).float()
        pronoun = F.binary_cross_entropy_with_logits(leads, right)
        # Both halves count: the mean over twice the rows is half of their sum.
        return 2 * (SENTENCE * sentence + PRONOUN * pronoun)


def in_rows(edits: dict[str, Edit], rows: slice) -> dict[str, Edit]:
    """Return the edits for these rows of a batch alone."""

    def only(edit: Edit) -> Edit:
        return lambda x: torch.cat([x[: rows.start], edit(x[rows]), x[rows.stop :]])

    return {site: only(edit) for site, edit in edits.items()}


def toss_up(leads: Tensor) -> Tensor:
    """Return the distance () of the leads (B,) of elle over il from equal odds."""
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
