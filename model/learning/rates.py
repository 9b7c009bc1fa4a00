"""Learning rates over a run, as arrays."""

import numpy as np
from numpy.typing import NDArray

from model.training.loop.schedule import paper_learning_rate


def paper_rates(steps: int, d_model: int, warmup: int) -> NDArray[np.float64]:
    """Return the paper's learning rate at steps 1 to `steps` (steps,)."""
    rates = [paper_learning_rate(step, d_model, warmup) for step in range(1, steps + 1)]
    return np.array(rates)
