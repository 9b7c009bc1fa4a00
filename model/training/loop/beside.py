"""Work for the processor while a GPU trains."""

from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context

import torch

PROCESSES = 3


class Beside:
    """Jobs in processes of their own."""

    def __init__(self) -> None:
        """Start without processes."""
        self.pool: ProcessPoolExecutor | None = None
        self.begun: list[Future[None]] = []

    def start(self, work: Callable[..., None], *given: object) -> None:
        """Begin a job; function and arguments must be picklable.

        Once a job has failed no more begin. Training goes on, and `finish` raises the error.
        """
        if self.pool is None:
            spawn = get_context("spawn")
            self.pool = ProcessPoolExecutor(PROCESSES, spawn, torch.set_num_threads, (1,))
        if not any(job.done() and job.exception() for job in self.begun):
            with suppress(BrokenProcessPool):
                self.begun.append(self.pool.submit(work, *given))

    def finish(self) -> bool:
        """Wait for all jobs and raise their errors; return True if there were any jobs."""
        for job in self.begun:
            job.result()
        if self.pool is not None:
            self.pool.shutdown()
        return bool(self.begun)
