"""Work for the processor while a GPU trains."""

from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context

import torch

PROCESSES = 3


class Beside:
    """Pieces of work in processes of their own."""

    def __init__(self) -> None:
        """Start none."""
        self.pool: ProcessPoolExecutor | None = None
        self.begun: list[Future[None]] = []

    def start(self, work: Callable[..., None], *given: object) -> None:
        """Begin a piece of work; both must be picklable.

        Once a process has died nothing more is begun, and `finish` says so: the training goes on.
        """
        if self.pool is None:
            spawn = get_context("spawn")
            self.pool = ProcessPoolExecutor(PROCESSES, spawn, torch.set_num_threads, (1,))
        if not any(each.done() and each.exception() for each in self.begun):
            with suppress(BrokenProcessPool):
                self.begun.append(self.pool.submit(work, *given))

    def finish(self) -> bool:
        """Wait for all of it and raise its errors; tell whether there was any."""
        for each in self.begun:
            each.result()
        if self.pool is not None:
            self.pool.shutdown()
        return bool(self.begun)
