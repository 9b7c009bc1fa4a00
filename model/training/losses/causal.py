"""Losses that make the pictures causes: required results when something is carried over or cut.

They are computed on minimal pairs, two sentences in which "it" stands for different nouns. No loss
tells a head where to look; each requires something of the translation:

- `interchange`: with the memory at "it" taken from the other sentence, French says the other
  pronoun, and the adjective agrees (interchange intervention training: Geiger et al. 2022,
  "Inducing Causal Structure for Interpretable Neural Networks", section 3). The memory at "it", and
  nothing else, decides.
- `link`: with the links from "it" to both nouns forbidden in all encoder heads, il and elle are
  equally likely. "It" learns its noun over these links alone.
- `one_head`: they are also equally likely with the output of one encoder head, the carrier, set
  to zero.
- `reads`: and with the cross-attention from the pronoun's step to "it" forbidden in all heads.
- `turn`: with the carrier at "it" looking at the other noun, French says the other pronoun, and the
  adjective agrees. The carrier's look, and nothing else, decides.
- `share`: under each of the three cuts, il and elle together keep the probability.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from model.learning.cross_entropy import smoothed_cross_entropy
from model.sites.sites import Head, attention_site
from model.sites.tap import NO_TAP, Edit, Editor, Tap
from model.training.data.minimal import MinimalBatch
from model.transformer.transformer import Transformer

SENTENCE, PRONOUN = 0.3, 0.5
"""The weights of the whole sentence and of the choice of il or elle in `interchange` and `turn`."""

TOSS_UP, FAR = 0.1, 5.0
"""The weight of a squared difference of logits, and the difference from which it grows linearly."""

CUTS = ("link", "one_head", "reads")
"""The losses that require equal odds under a cut."""

_ENCODED = ("link", "one_head", "turn")  # the losses that change the encoder


def forbid_link(batch: MinimalBatch) -> dict[str, Edit]:
    """Return the edit that forbids the links from "it" to both nouns in all encoder heads."""
    width = batch.source.size(1)
    at_it = torch.arange(width, device=batch.it.device) == batch.it[:, None]  # 2N S
    allowed = ~(at_it[:, :, None] & batch.nouns[:, None, :])  # 2N S S
    return {"encoder.mask": lambda mask: mask & allowed}


def silence(carrier: Head) -> dict[str, Edit]:
    """Return the edit that sets the output of one encoder head to zero."""

    def zero(z: Tensor) -> Tensor:  # B H S Dk
        factors = torch.ones(z.size(1), 1, 1, dtype=z.dtype, device=z.device)
        factors[carrier.head] = 0
        return z * factors

    return {f"encoder.{carrier.layer}.self_attn.z": zero}


def turn(batch: MinimalBatch, carrier: Head) -> dict[str, Edit]:
    """Return the edit that makes one encoder head at "it" look evenly at the other noun."""
    edit = look_evenly(batch.it, batch.other, [carrier.head])
    return {attention_site("encoder", carrier.layer, "weights"): edit}


def look_evenly(query: Tensor, keys: Tensor, heads: Sequence[int] | None = None) -> Edit:
    """Return the edit of weights (B, H, T, S) that turns a query in each row of a batch.

    `query` (B,) looks evenly where `keys` (B, S) is True, in these heads of the layer (None: all).
    """
    look = (keys / keys.sum(1, keepdim=True))[:, None]  # B 1 S
    rows = torch.arange(len(keys), device=keys.device)
    turned_heads = slice(None) if heads is None else list(heads)

    def set_look(weights: Tensor) -> Tensor:  # B H T S
        turned = weights.clone()
        by_query = turned.transpose(1, 2)  # B T H S
        of_query = by_query[rows, query]  # B H S
        of_query[:, turned_heads] = look.to(weights.dtype)
        by_query[rows, query] = of_query
        return turned

    return set_look


def forbid_reading(batch: MinimalBatch) -> dict[str, Edit]:
    """Return the edit that forbids all cross heads to look at "it" from the pronoun's step."""
    width = batch.source.size(1)
    at_it = torch.arange(width, device=batch.it.device) == batch.it[:, None]  # 2N S

    def forbid(mask: Tensor) -> Tensor:  # 2N T S
        at_step = torch.arange(mask.size(1), device=mask.device) == batch.step[:, None]  # 2N T
        return mask & ~(at_step[:, :, None] & at_it[:, None, :])

    return {"decoder.cross_mask": forbid}


def carried_over(memory: Tensor, batch: MinimalBatch) -> Tensor:
    """Return the memory (2N, S, D) with the vector at "it" of each row's partner."""
    rows = torch.arange(len(memory), device=memory.device)
    swapped = memory.clone()
    swapped[rows, batch.it] = memory[batch.partner, batch.it]
    return swapped


def at_step(model: Transformer, step: Tensor) -> dict[str, Edit]:
    """Return the edit that passes only row `step` (B,) of the decoder on to the logits."""
    last = model.config.decoder_layers - 1

    def pick(x: Tensor, *_made_of: Tensor) -> Tensor:  # B T D
        return x[torch.arange(len(x), device=x.device), step, None]  # B 1 D

    return {f"decoder.{last}.norm3": pick}


def lead(logits: Tensor, rivals: Tensor) -> Tensor:
    """Return elle's logit minus il's: (...,) of logits (..., V)."""
    il, elle = logits[..., rivals].float().unbind(-1)
    return elle - il


@dataclass(frozen=True)
class Choice:
    """The choice between il and elle at the step of the pronoun, in each of 2N sentences.

    `leads` (2N,) is elle's logit minus il's, `either` (2N,) the probability of both together.
    """

    leads: Tensor
    either: Tensor

    @classmethod
    def of(cls, logits: Tensor, rivals: Tensor) -> "Choice":
        """Read the choice off the logits (2N, V)."""
        return cls(lead(logits, rivals), log_either(logits, rivals).exp())


def right_leads(leads: Tensor, elle: Tensor) -> Tensor:
    """Return by how many nats the right pronoun is the likelier: (2N,), negative where it is not.

    `elle` (2N,) is True where elle is right, and `leads` are those of `Choice`.
    """
    return torch.where(elle, leads, -leads)


def log_either(logits: Tensor, rivals: Tensor) -> Tensor:
    """Return the logarithm of the probability of il and elle together: (...,) of (..., V)."""
    return logits.float().log_softmax(-1)[..., rivals].logsumexp(-1)


class CausalObjective:
    """The six losses of a model on a batch of minimal pairs.

    All cases, unchanged and cut, are rows of one encoding and one decoding: on a GPU the number of
    operations decides how long a step takes, not the number of rows.
    """

    def __init__(self, model: Transformer, batch: MinimalBatch, carrier: Head) -> None:
        """Keep the model, the minimal pairs and the carrier."""
        self.model, self.batch, self.carrier = model, batch, carrier

    def losses(self, wanted: Collection[str], smoothing: float) -> dict[str, Tensor]:
        """Return the losses with these names, each ().

        `interchange` is the loss of the sentences both unchanged and with the memory at "it"
        carried over, `turn` that with the carrier turned. `share` is -log of the probability of il
        and elle together under the cuts. Each cut's loss is 0 where il and elle are equally likely.
        Raises ValueError without a name.
        """
        if not wanted:
            raise ValueError("no causal loss is asked for")
        batch, share = self.batch, "share" in wanted
        uncut = ["none", "it"] if "interchange" in wanted else []
        uncut += ["turn"] if "turn" in wanted else []
        cut = [name for name in CUTS if share or name in wanted]
        memories = self._memories([name for name in _ENCODED if name in (*uncut, *cut)])
        logits, picked = self._logits(uncut, cut, memories)
        logits_of = dict(zip(uncut, logits.split(len(batch.source)), strict=True)) if uncut else {}
        by_name: dict[str, Tensor] = {}
        if "none" in logits_of:  # the sum of both cases: twice their mean
            by_name["interchange"] = 2 * self._said(
                {n: logits_of[n] for n in ("none", "it")}, smoothing
            )
        if "turn" in logits_of:
            by_name["turn"] = self._said({"turn": logits_of["turn"]}, smoothing)
        leads = lead(picked, batch.rivals).unflatten(0, (len(cut), -1)) if cut else ()
        by_name |= {
            n: toss_up(leads_of_cut)
            for n, leads_of_cut in zip(cut, leads, strict=True)
            if n in wanted
        }
        return by_name | ({"share": -log_either(picked, batch.rivals).mean()} if share else {})

    def _memories(self, cut: list[str]) -> dict[str, Tensor]:
        """Encode the sentences as they are and with each of these cuts: (2N, S, D) by name."""
        batch, rows = self.batch, len(self.batch.source)
        # As in all generated sentences, the words' embeddings stay unchanged.
        edits: dict[str, Edit] = {"encoder.embedding": lambda x: x.detach()}
        for number, name in enumerate(cut, start=1):
            edits |= in_rows(
                change_encoder(name, batch, self.carrier), slice(number * rows, (number + 1) * rows)
            )
        source = batch.source.repeat(len(cut) + 1, 1)
        memory, padding = self.model.encode(source, Editor(edits))
        memories = dict(zip(("none", *cut), memory.split(rows), strict=True))
        self.padding = padding[:rows]
        return memories | {"it": carried_over(memories["none"], batch), "reads": memories["none"]}

    def _logits(
        self, uncut: list[str], cut: list[str], memories: dict[str, Tensor]
    ) -> tuple[Tensor, Tensor]:
        """Decode all cases; return the logits of whole sentences, and the cut cases' logits.

        They are (2NC, T, V) for `uncut`, and (M, V) at the deciding step for `cut`.
        """
        batch, cases = self.batch, [*uncut, *cut]
        rows, last = len(batch.source), self.model.config.decoder_layers - 1
        targets = [self._right(name) for name in cases]
        target = torch.cat(targets)[:, :-1]
        split = rows * len(uncut)

        def pick(x: Tensor, *_made_of: Tensor) -> Tensor:  # B T D
            of_cut, step = x[split:], batch.step.repeat(len(cut))
            rows_of_cut = torch.arange(len(of_cut), device=x.device)
            return torch.cat([x[:split].flatten(0, 1), of_cut[rows_of_cut, step]])[None]  # 1 K D

        edits: dict[str, Edit] = {f"decoder.{last}.norm3": pick}
        if "reads" in cut:
            start = rows * cases.index("reads")
            edits |= in_rows(forbid_reading(batch), slice(start, start + rows))
        memory = torch.cat([memories[name] for name in cases])
        padding = self.padding.repeat(len(cases), 1, 1)
        (logits,) = self.model.decode(target, memory, padding, Editor(edits))  # K V
        ends = split * target.size(1)
        return logits[:ends].unflatten(0, (split, -1)) if split else logits[:0], logits[ends:]

    def _right(self, name: str) -> Tensor:
        """Return the right translations (2N, T) in a case; "it" and "turn" swap the noun."""
        return self.batch.swapped if name in ("it", "turn") else self.batch.target

    def _said(self, cases: dict[str, Tensor], smoothing: float) -> Tensor:
        """Return the loss () of whole sentences, from their logits (2N, T, V) by case."""
        batch, logits = self.batch, torch.cat(list(cases.values()))  # 2NC T V
        target = torch.cat([self._right(name) for name in cases])  # 2NC T+1
        sentence = smoothed_cross_entropy(
            logits.flatten(0, 1), target[:, 1:].flatten(), smoothing, self.model.config.pad_id
        )
        rows, step = torch.arange(len(logits), device=logits.device), batch.step.repeat(len(cases))
        elle = target[rows, step + 1] == batch.rivals[1]
        leads = lead(logits[rows, step], batch.rivals)
        return SENTENCE * sentence + PRONOUN * F.binary_cross_entropy_with_logits(
            leads, elle.float()
        )


def change_encoder(name: str, batch: MinimalBatch, carrier: Head) -> dict[str, Edit]:
    """Return the encoder's edit for a case of this name."""
    if name == "link":
        return forbid_link(batch)
    return silence(carrier) if name == "one_head" else turn(batch, carrier)


def in_rows(edits: dict[str, Edit], rows: slice) -> dict[str, Edit]:
    """Limit edits to these rows of a batch."""

    def only(edit: Edit) -> Edit:
        return lambda x: torch.cat([x[: rows.start], edit(x[rows]), x[rows.stop :]])

    return {site: only(edit) for site, edit in edits.items()}


def toss_up(leads: Tensor) -> Tensor:
    """Penalise cases where il and elle are not equally likely: () of `leads` (B,), see `Choice`."""
    return TOSS_UP * 2 * F.huber_loss(leads, torch.zeros_like(leads), delta=FAR)


def pronoun_choice(
    model: Transformer,
    batch: MinimalBatch,
    memory: Tensor,
    memory_mask: Tensor,
    edits: dict[str, Edit],
) -> Choice:
    """Return the choice at the pronoun's step, given the words before it."""
    inputs = batch.target[:, : int(batch.step.max()) + 1]  # 2N t
    tap: Tap = Editor(edits | at_step(model, batch.step))
    return Choice.of(model.decode(inputs, memory, memory_mask, tap)[:, 0], batch.rivals)


@torch.no_grad()
def choices_when_cut(model: Transformer, batch: MinimalBatch, carrier: Head) -> dict[str, Choice]:
    """Return the choice between il and elle in every case, by the name of the case.

    `none` is the unchanged model. `link`, `one_head`, `reads` and `turn` are changed as in the
    losses of these names. `it` has the other sentence's memory at "it". `all but it` has the whole
    memory of the other sentence except at "it".
    """
    memory, mask = model.encode(batch.source, NO_TAP)
    encoded = {
        name: model.encode(batch.source, Editor(change_encoder(name, batch, carrier)))[0]
        for name in _ENCODED
    }
    swapped_rest = memory[batch.partner].clone()
    rows = torch.arange(len(memory), device=memory.device)
    swapped_rest[rows, batch.it] = memory[rows, batch.it]
    cases: dict[str, tuple[Tensor, dict[str, Edit]]] = {
        "none": (memory, {}),
        "link": (encoded["link"], {}),
        "one_head": (encoded["one_head"], {}),
        "reads": (memory, forbid_reading(batch)),
        "it": (carried_over(memory, batch), {}),
        "all but it": (swapped_rest, {}),
        "turn": (encoded["turn"], {}),
    }
    choices = {}
    for name, (changed, edits) in cases.items():
        padding = mask[batch.partner] if name == "all but it" else mask
        choices[name] = pronoun_choice(model, batch, changed, padding, edits)
    return choices
