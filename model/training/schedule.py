"""The learning rate over a run."""


def learning_rate(step: int, peak: float, warmup: int, decay: int, steps: int) -> float:
    """Linear warm-up, a plateau, then linear decay to zero over the last `decay` of `steps`.

    The plateau does not depend on `steps`, so a run can be lengthened or brought home while it
    runs. (The paper's inverse square root needs its end fixed no more, but ends higher.)
    """
    rise = (step + 1) / warmup if warmup else 1.0
    fall = (steps - step) / decay if decay else 1.0
    return peak * max(0.0, min(1.0, rise, fall))
