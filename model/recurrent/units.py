"""The recurrent units of both networks, and their gates, which torch's own units hide."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.recurrent.config import GRU_GATES, LSTM_GATES


class Units(nn.Module):
    """One network of gated recurrent units (GRU) or of long short-term memories (LSTM)."""

    def add_units(self, long: bool, width: int, state: int, bidirectional: bool = False) -> None:
        """Create units that read vectors of `width` and keep, per direction, states of `state`."""
        unit = nn.LSTM if long else nn.GRU
        units = unit(width, state, batch_first=True, bidirectional=bidirectional)
        self.add_module("lstm" if long else "gru", units)

    @property
    def units(self) -> nn.RNNBase:
        """Return torch's own module: `gru` or `lstm`, as its weights are named."""
        return next(child for child in self.children() if isinstance(child, nn.RNNBase))

    def run(self, x: Tensor, start: Tensor) -> Tensor:
        """Read x (B, T, D) from a first state (B, R); return the states (B, T, R).

        The cell of an LSTM starts with the same values as its state.
        """
        first = start.unsqueeze(0)  # 1 B R
        return self.units(x, (first, first) if isinstance(self.units, nn.LSTM) else first)[0]

    def gates(self, x: Tensor, before: Tensor, backward: bool = False) -> dict[str, Tensor]:
        """Compute every gate (B, T, R) from inputs x (B, T, D) and the states before each step.

        The new state of a GRU is update * before + (1 - update) * candidate; that of an LSTM is
        output_gate * tanh(cell), and its cell forget_gate * cell before + input_gate * candidate.
        """
        suffix = "_reverse" if backward else ""
        weights = dict(self.units.named_parameters())
        read = F.linear(x, weights[f"weight_ih_l0{suffix}"], weights[f"bias_ih_l0{suffix}"])
        carried = F.linear(before, weights[f"weight_hh_l0{suffix}"], weights[f"bias_hh_l0{suffix}"])
        if isinstance(self.units, nn.LSTM):
            written, forgotten, candidate, output = (read + carried).chunk(
                4, -1
            )  # in torch's order
            all_gates = [written.sigmoid(), forgotten.sigmoid(), output.sigmoid(), candidate.tanh()]
            # The decoder's first cell is its first state; the encoder's is 0, as its state is.
            first = before[:, -1 if backward else 0]  # B R
            return dict(
                zip(LSTM_GATES, [*all_gates, _cells(all_gates, first, backward)], strict=True)
            )
        (read_r, read_z, read_n), (kept_r, kept_z, kept_n) = read.chunk(3, -1), carried.chunk(3, -1)
        reset = torch.sigmoid(read_r + kept_r)
        update, candidate = torch.sigmoid(read_z + kept_z), torch.tanh(read_n + reset * kept_n)
        return dict(zip(GRU_GATES, (reset, update, candidate), strict=True))


def _cells(gates: Sequence[Tensor], cell: Tensor, backward: bool) -> Tensor:
    """Return the cells (B, T, R) from input, forget and candidate gates and a first cell."""
    written, forgotten, _shown, candidate = gates
    cells = torch.empty_like(candidate)
    steps = range(candidate.size(1))
    for t in reversed(steps) if backward else steps:
        cell = forgotten[:, t] * cell + written[:, t] * candidate[:, t]
        cells[:, t] = cell
    return cells
