"""The learning rate over a run."""


def learning_rate(step: int, peak: float, warmup: int, decay: int, steps: int) -> float:
    """Return the rate: linear warm-up, a plateau, linear decay to zero in the last `decay`.

    The plateau does not depend on `steps`, so a run can be lengthened or ended early. (The paper's
    inverse square root needs no fixed end either, but ends higher.)
    """
    rise = (step + 1) / warmup if warmup else 1.0
    fall = (steps - step) / decay if decay else 1.0
    return peak * max(0.0, min(1.0, rise, fall))


def paper_learning_rate(step: int, d_model: int, warmup: int) -> float:
    """Return the paper's rate, d_model^-0.5 min(step^-0.5, step warmup^-1.5) (equation 3).

    Steps count from 1. It rises in equal steps for `warmup` steps, then falls with the inverse
    square root of the step. Raises ValueError when a number is below 1.
    """
    for name, value in (("step", step), ("d_model", d_model), ("warmup", warmup)):
        if value < 1:
            raise ValueError(f"{name} must be at least 1, not {value}")
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
