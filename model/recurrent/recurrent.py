"""The recurrent encoder-decoder: one network reads in both directions, another writes and looks."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from model.recurrent.attention import ATTENTIONS, fixed_vector
from model.recurrent.config import LONG, LOOK_FIRST, RecurrentConfig
from model.recurrent.units import Units
from model.sites.tap import NO_TAP, Tap
from model.transformer.layers import Dropout
from model.transformer.masks import padding_mask


class SharedEmbedding(nn.Module):
    """The embedding of another checkpoint (V, D): not trained here, and not saved again."""

    weight: Tensor

    def __init__(self, config: RecurrentConfig) -> None:
        """Create the embedding without values; `Recurrent.share` fills it."""
        super().__init__()
        empty = torch.zeros(config.vocab_size, config.d_model)  # V D
        self.register_buffer("weight", empty, persistent=False)

    def forward(self, ids: Tensor) -> Tensor:
        """Look ids (B, S) up, times sqrt(d_model) as in the Transformer: (B, S, D)."""
        return F.embedding(ids, self.weight) * math.sqrt(self.weight.size(1))


class Encoder(Units):
    """A network in each direction; h_j is the states of both at piece j, side by side."""

    def __init__(self, config: RecurrentConfig) -> None:
        """Create both directions, each half of `d_state` wide."""
        super().__init__()
        self.add_units(config.kind in LONG, config.d_model, config.d_state // 2, bidirectional=True)

    def forward(self, x: Tensor, lengths: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Map input vectors (B, S, D) of `lengths` (B,) pieces to states h_j (B, S, R)."""
        packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.units(packed)[0], True, total_length=x.size(1))
        if tap is not NO_TAP:
            forward, backward = states.chunk(2, dim=-1)  # B S R/2
            ahead = self.gates(x, F.pad(forward, (0, 0, 1, -1)))
            behind = self.gates(x, F.pad(backward, (0, 0, -1, 1)), backward=True)
            for name, gate in ahead.items():
                tap(name, torch.cat([gate, behind[name]], dim=-1))  # B S R
        return tap("memory", states)  # B S R


class Decoder(Units):
    """A network that reads the target so far, and looks at the source after each step."""

    def __init__(self, config: RecurrentConfig) -> None:
        """Create the units, the map to their first state, the attention and the output map."""
        super().__init__()
        self.start = nn.Linear(config.d_state, config.d_state)
        # A step reads a piece and, if the model looks first, a context beside it.
        read = config.d_model + (config.d_state if config.kind in LOOK_FIRST else 0)
        self.add_units(config.kind in LONG, read, config.d_state)
        self.attention = ATTENTIONS[config.kind](config)
        self.join = nn.Linear(2 * config.d_state, config.d_model)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Map input vectors (B, T, D) to attended vectors tanh(W [c_t; s_t]) (B, T, D)."""
        start = tap("start", self.start(fixed_vector(memory, mask)).tanh())  # B R
        states = self.run(x, start)  # B T R
        if tap is not NO_TAP:
            before = torch.cat([start.unsqueeze(1), states[:, :-1]], dim=1)  # B T R
            for name, gate in self.gates(x, before).items():
                tap(name, gate)
        states = tap("states", states)  # B T R
        context = self.attention(states, memory, mask, tap.at("0").at("cross_attn"))  # B T R
        return tap("attended", self.join(torch.cat([context, states], dim=-1)).tanh())  # B T D


class LookFirst(Decoder):
    """A decoder that reads a context with each piece: the context of s_{t-1}, or the fixed vector.

    In the order of Bahdanau et al. (2015), each step waits for the attention of the step before.
    All else is as in `Decoder`: the two differ only in the order.
    """

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Map input vectors (B, T, D) to attended vectors tanh(W [c_t; s_t]) (B, T, D)."""
        start = tap("start", self.start(fixed_vector(memory, mask)).tanh())  # B R
        steps = [start]
        for read in x.split(1, dim=1):  # B 1 D
            look = self.attention(steps[-1].unsqueeze(1), memory, mask)  # B 1 R
            steps.append(self.run(torch.cat([read, look], dim=-1), steps[-1])[:, 0])  # B R
        every = torch.stack(steps, dim=1)  # B T+1 R
        before, states = every[:, :-1], every[:, 1:]  # B T R
        # The same numbers are computed again, all at once, so that every site passes the tap once.
        context = self.attention(before, memory, mask, tap.at("0").at("cross_attn"))  # B T R
        if tap is not NO_TAP:
            joined = torch.cat([x, context], dim=-1)  # B T D+R
            for name, gate in self.gates(joined, before).items():
                tap(name, gate)
        states = tap("states", states)  # B T R
        return tap("attended", self.join(torch.cat([context, states], dim=-1)).tanh())  # B T D


SHARPNESS = 4.0
"""The factor of attended vectors in the output.

Their entries lie between -1 and 1 and embeddings are about 0.9 long. Without the factor no piece
could get a probability far above 0.9.
"""


class Recurrent(nn.Module):
    """Encoder, decoder and an embedding that another checkpoint trained, tied to the output.

    `encode`, `decode` and `forward` take and return the same as the Transformer's.
    """

    def __init__(self, config: RecurrentConfig, dropout: float = 0.0) -> None:
        """Create the parts with fresh weights; the embedding is empty until `share`."""
        super().__init__()
        self.config = config
        self.embedding = SharedEmbedding(config)
        self.encoder = Encoder(config)
        self.decoder = (LookFirst if config.kind in LOOK_FIRST else Decoder)(config)
        self.dropout = Dropout(dropout)
        self._initialise()

    def share(self, embedding: Tensor) -> None:
        """Take the embedding (V, D) of another checkpoint; ValueError when its shape is wrong."""
        shape = (self.config.vocab_size, self.config.d_model)
        if tuple(embedding.shape) != shape:
            raise ValueError(f"the embedding has the shape {tuple(embedding.shape)}, not {shape}")
        self.embedding.weight = embedding

    def _initialise(self) -> None:
        """Draw Glorot matrices, orthogonal matrices from state to state, and zero biases."""
        for name, parameter in self.named_parameters():
            if parameter.is_meta:
                return
            if "weight_hh" in name:
                for gate in parameter.data.chunk(4 if self.config.kind in LONG else 3):
                    nn.init.orthogonal_(gate)
            elif parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
            elif name.endswith(".v"):
                nn.init.uniform_(parameter, -0.1, 0.1)
            else:
                nn.init.zeros_(parameter)

    @property
    def device(self) -> torch.device:
        """Return where the weights are; ids from elsewhere are taken there."""
        return self.embedding.weight.device

    def embed(self, ids: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Turn ids (B, S) into input vectors (B, S, D); ValueError beyond `max_length`."""
        if ids.size(1) > self.config.max_length:
            raise ValueError(f"{ids.size(1)} tokens given, at most {self.config.max_length} fit")
        return self.dropout(tap("embedding", self.embedding(ids.to(self.device))))  # B S D

    def encode(self, src: Tensor, tap: Tap = NO_TAP) -> tuple[Tensor, Tensor]:
        """Encode source ids (B, S): states h_j (B, S, R) and the padding mask (B, 1, S)."""
        tap = tap.at("encoder")
        mask = padding_mask(src.to(self.device), self.config.pad_id)  # B 1 S
        return self.encoder(self.embed(src, tap), mask[:, 0].sum(dim=1), tap), mask

    def follow(self, tgt: Tensor, memory: Tensor, memory_mask: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Score only the piece after the last target id, to save time: logits (B, 1, V)."""
        tap = tap.at("decoder")
        return self.output(self.decoder(self.embed(tgt, tap), memory, memory_mask, tap)[:, -1:])

    def stepping(
        self, memory: Tensor, memory_mask: Tensor, tap: Tap = NO_TAP
    ) -> Callable[[Tensor], Tensor]:
        """Return a scorer of the piece after prefixes (B, T): (B, V)."""
        return lambda tgt: self.follow(tgt, memory, memory_mask, tap)[:, -1]

    def decode(self, tgt: Tensor, memory: Tensor, memory_mask: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Score the piece after each target id (B, T): logits (B, T, V)."""
        tap = tap.at("decoder")
        attended = self.decoder(self.embed(tgt, tap), memory, memory_mask, tap)  # B T D
        return tap("logits", self.output(self.dropout(attended)))  # B T V

    def output(self, x: Tensor) -> Tensor:
        """Score every piece against vectors (..., D) with the shared embedding: (..., V)."""
        return F.linear(SHARPNESS * x, self.embedding.weight)

    def forward(self, src: Tensor, tgt: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Score the piece after each target id, given the whole source: logits (B, T, V)."""
        memory, memory_mask = self.encode(src, tap)
        return self.decode(tgt, memory, memory_mask, tap)
