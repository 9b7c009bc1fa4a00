"""Results that are computed once and shared by all visitors: read-only, limited in bytes.

Streamlit's own cache of resources limits their number, but one recording can be a hundred times as
large as another. Here all results lie on one shelf, which limits their bytes. When it is full, the
result that has been unused for longest is dropped.
"""

import inspect
import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from model.recording.weights import Weights
from viz.sharing.turns import TURNS

BUDGET = 350_000_000
"""The most bytes that all kept results may take; the model is not counted."""

WHOLE = np.ndarray, str, int, float
"""Types without parts."""

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def parts(value: object) -> Iterator[object]:
    """Yield a value and all its parts, each once; modules and weights are left out."""
    seen: set[int] = set()
    remaining = [value]
    while remaining:
        part = remaining.pop()
        if id(part) in seen or isinstance(part, Weights):
            continue
        seen.add(id(part))
        yield part
        if isinstance(part, WHOLE):  # nearly all; the test for a mapping takes longest
            continue
        if is_dataclass(part) and not isinstance(part, type):  # a Recording is a mapping, too
            remaining += [getattr(part, field.name) for field in fields(part)]
        elif isinstance(part, Mapping):
            remaining += [*part.keys(), *part.values()]
        elif isinstance(part, tuple | list | set | frozenset):
            remaining += part


def memory(array: NDArray[Any]) -> tuple[int, int]:
    """Return the identity and the bytes of the memory that an array, or a view, keeps alive."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    if isinstance(array.base, torch.Tensor):
        storage = array.base.untyped_storage()
        return storage.data_ptr(), storage.nbytes()
    return id(array), array.nbytes


def sizes(value: object) -> dict[int, int]:
    """Return the bytes of each piece of memory that a value keeps alive, by its identity."""
    bytes_of: dict[int, int] = {}
    small = 0
    for part in parts(value):
        if isinstance(part, np.ndarray):
            identity, size = memory(part)
            bytes_of[identity] = size
        else:
            small += sys.getsizeof(part, 0)
    bytes_of[id(value)] = bytes_of.get(id(value), 0) + small
    return bytes_of


class Shelf:
    """Results by their keys, those unused for longest first, and their bytes in total.

    An array that two results share is counted once. Threads may use a shelf at the same time.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.held = 0
        self._entries: OrderedDict[Hashable, tuple[object, dict[int, int]]] = OrderedDict()
        self._uses: Counter[int] = Counter()
        self._lock = threading.Lock()

    def find(self, key: Hashable) -> object | None:
        """Return the value kept under a key; None if there is none."""
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: Hashable, value: object) -> None:
        """Keep a value and drop others until all fit; a value larger than the shelf is not kept."""
        held = sizes(value)
        with self._lock:
            if key in self._entries or sum(held.values()) > self.budget:
                return
            self._entries[key] = (value, held)
            for part, size in held.items():
                self.held += 0 if self._uses[part] else size
                self._uses[part] += 1
            while self.held > self.budget:
                self._drop(next(iter(self._entries)))

    def remove(self, wanted: Callable[[Hashable], bool]) -> None:
        """Drop the entries whose keys are `wanted`."""
        with self._lock:
            for key in [key for key in self._entries if wanted(key)]:
                self._drop(key)

    def values(self) -> list[object]:
        """List the kept values, those unused for longest first."""
        with self._lock:
            return [value for value, _ in self._entries.values()]

    def _drop(self, key: Hashable) -> None:
        _, held = self._entries.pop(key)
        for part, size in held.items():
            self._uses[part] -= 1
            if not self._uses[part]:
                del self._uses[part]
                self.held -= size


SHELF = Shelf(BUDGET)
"""The shelf of the whole server."""


class Kept(Generic[Parameters, Result]):
    """A function whose results are shared; if threads ask for the same result, one computes it.

    `namespace` returns the name under which results are kept now; each name has its own results.
    """

    def __init__(
        self, function: Callable[Parameters, Result], namespace: Callable[[], str]
    ) -> None:
        self._function, self._namespace = function, namespace
        self._signature = inspect.signature(function)
        self._waiting: dict[Hashable, tuple[threading.Lock, int]] = {}
        self._lock = threading.Lock()
        update_wrapper(self, function)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Return the result for these arguments, which must be hashable; it must not be None."""
        key = self._key(*args, **kwargs)
        with self._alone(key):
            result: Any = SHELF.find(key)
            if result is None:
                with TURNS.taken():
                    result = self._function(*args, **kwargs)
                for part in parts(result):
                    if isinstance(part, np.ndarray):
                        part.setflags(write=False)
                SHELF.put(key, result)
            return result

    def known(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result | None:
        """Return the stored result for these arguments; None if it would have to be computed."""
        stored: Any = SHELF.find(self._key(*args, **kwargs))
        return stored

    def clear(self) -> None:
        """Drop all results."""
        SHELF.remove(lambda key: isinstance(key, tuple) and key[0] is self._function)

    def _key(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Hashable:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return self._function, self._namespace(), tuple(bound.arguments.items())

    @contextmanager
    def _alone(self, key: Hashable) -> Iterator[None]:
        """Let one thread at a time work on a key."""
        with self._lock:
            lock, count = self._waiting.get(key, (threading.Lock(), 0))
            self._waiting[key] = (lock, count + 1)
        try:
            if not lock.acquire(blocking=False):
                with TURNS.left():  # the thread that works on it may need the turn
                    lock.acquire()
            try:
                yield
            finally:
                lock.release()
        finally:
            with self._lock:
                lock, count = self._waiting[key]
                if count == 1:
                    del self._waiting[key]
                else:
                    self._waiting[key] = (lock, count - 1)


def of_namespace(name: str) -> Callable[[Hashable], bool]:
    """Return a test of whether a key of the shelf belongs to a result kept under this name."""
    return lambda key: isinstance(key, tuple) and key[1] == name
