"""The history of a training run: the attention and translations of known sentences over time.

One file, history.npz beside a checkpoint's weights, written by `model/training/loop/moments.py`.
"""

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.sites.sites import KINDS, Kind

HISTORY = "history.npz"
LARGEST = 6_000_000
"""The most bytes of a history."""

CUTS = ("none", "link", "one_head", "reads", "it", "all but it", "turn")
"""The changes under which the pronoun was predicted: the columns of `History.cuts`.

Nothing; the link from "it" to both nouns forbidden in the encoder; the carrier head off; the
cross-attention from the pronoun's step to "it" forbidden; the memory at "it" taken from the
sentence in which "it" stands for the other noun; the memory of all but "it" taken from there; the
carrier head at "it" looking at the other noun.
"""

UNDECIDED = 0.1
"""The largest |log p(il) - log p(elle)|, in nats, of an undecided choice: at most 52 to 48."""

_COARSENESS = (1, 2, 4, 8, 16, 32)  # rounding steps of bytes, until the file is small enough
_FRAME = ("steps", "dev_loss", "sources", "targets", "translations")


@dataclass(frozen=True)
class KnownSentence:
    """A sentence that was recorded at every moment, with the target given to the decoder.

    Source and target never change, so a row of attention always belongs to the same piece.
    `target_tokens` begins with the begin token, `source_tokens` ends with the end token.
    """

    source: str
    target: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class History:
    """M moments of training: the step, the dev loss (nats per piece) and each sentence's attention.

    `translations[m][n]` is the greedy translation of sentence n at moment m. Arrays are read-only.
    If several runs made the model, one after the other, steps are counted through all of them;
    `runs` are the moments at which they begin, (0,) for a single run. `cuts` (M, 7) is the share of
    held-out sentences in which the right pronoun is the likelier of il and elle, under each of
    CUTS; NaN where it was not measured. `decided` (M, 7, 2) are the shares in which it is right by
    more than UNDECIDED, and wrong by more; NaN where only `cuts` was measured.
    """

    steps: NDArray[np.int64]
    dev_loss: NDArray[np.float32]
    sentences: tuple[KnownSentence, ...]
    translations: tuple[tuple[str, ...], ...]
    arrays: Mapping[tuple[int, Kind], NDArray[np.uint8]]
    cuts: NDArray[np.float32]
    runs: tuple[int, ...] = (0,)
    decided: NDArray[np.float32] | None = None

    def decided_under(self, cut: str) -> tuple[float, float] | None:
        """Return the last moment's shares of right and of wrong choices; None if unmeasured."""
        if self.decided is None:
            return None
        right, wrong = map(float, self.decided[-1, CUTS.index(cut)])
        return None if np.isnan(right + wrong) else (right, wrong)

    def attention(self, sentence: int, kind: Kind) -> NDArray[np.uint8]:
        """Return a sentence's weights at all moments as bytes, (M, L, H, query, key); 255 means 1.

        Raises ValueError when there is no such sentence or kind.
        """
        try:
            return self.arrays[sentence, kind]
        except KeyError:
            raise ValueError(
                f"sentence 0 to {len(self.sentences) - 1} and one of {', '.join(KINDS)} expected, "
                f"not {sentence!r} and {kind!r}"
            ) from None


def as_bytes(weights: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Convert weights from 0 to 1 into bytes from 0 to 255."""
    return np.round(np.clip(weights, 0, 1) * 255).astype(np.uint8)


def pack_history(history: History) -> bytes:
    """Write a history as the bytes of history.npz, at most LARGEST of them.

    Weights are rounded only as coarsely as that limit requires. Each moment is stored as its
    difference from the one before, which compresses better. Raises ValueError when even the
    coarsest rounding leaves too many bytes.
    """
    frame = {
        "steps": history.steps,
        "dev_loss": history.dev_loss,
        "runs": np.array(history.runs),
        "cuts": history.cuts,
        **({} if history.decided is None else {"decided": history.decided}),
        "sources": np.array([sentence.source for sentence in history.sentences]),
        "targets": np.array([sentence.target for sentence in history.sentences]),
        "translations": np.array(history.translations),
    }
    for number, sentence in enumerate(history.sentences):
        frame[f"{number}.source_tokens"] = np.array(sentence.source_tokens)
        frame[f"{number}.target_tokens"] = np.array(sentence.target_tokens)
    content = b""
    for coarseness in _COARSENESS:
        packed = {
            f"{number}.{kind}": _differences(array, coarseness)
            for (number, kind), array in history.arrays.items()
        }
        file = io.BytesIO()
        np.savez_compressed(file, **frame, **packed)  # pyrefly: ignore[bad-argument-type]
        content = file.getvalue()
        if len(content) <= LARGEST:
            return content
    raise ValueError(f"a history of {len(content)} bytes is larger than {LARGEST}")


def load_history(folder: Path) -> History:
    """Read the history of a checkpoint folder.

    Raises ValueError in one sentence, naming the file, when it is missing or damaged.
    """
    path = folder / HISTORY
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            return _read({name: file[name] for name in file.files})
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{path}: not the history of a training run ({error})") from error


def _read(stored: dict[str, NDArray[Any]]) -> History:
    """Check that the arrays of a file fit together and freeze them; else ValueError or KeyError."""
    steps, dev_loss, sources, targets, translations = (stored[name] for name in _FRAME)
    sentences = tuple(
        KnownSentence(
            str(source),
            str(target),
            _texts(stored[f"{number}.source_tokens"]),
            _texts(stored[f"{number}.target_tokens"]),
        )
        for number, (source, target) in enumerate(zip(sources, targets, strict=True))
    )
    moments = len(steps)
    if dev_loss.shape != (moments,) or translations.shape != (moments, len(sentences)):
        raise ValueError(f"{moments} moments, {dev_loss.shape} losses, {translations.shape} texts")
    arrays: dict[tuple[int, Kind], NDArray[np.uint8]] = {}
    for number, sentence in enumerate(sentences):
        lengths = len(sentence.source_tokens), len(sentence.target_tokens)
        for kind in KINDS:
            array = np.cumsum(stored[f"{number}.{kind}"], axis=0, dtype=np.uint8)
            _check_shape(array, moments, kind, lengths)
            arrays[number, kind] = _frozen(array)
    return History(
        _frozen(steps.astype(np.int64)),
        _frozen(dev_loss.astype(np.float32)),
        sentences,
        tuple(_texts(row) for row in translations),
        MappingProxyType(arrays),
        _frozen(_cuts(stored, moments)),
        _runs(stored, moments),
        _decided(stored, moments),
    )


def not_measured(moments: int) -> NDArray[np.float32]:
    """Return the `cuts` of M moments at which nothing was measured: (M, 7), all NaN."""
    return np.full((moments, len(CUTS)), np.nan, dtype=np.float32)


def _cuts(stored: Mapping[str, NDArray[Any]], moments: int) -> NDArray[np.float32]:
    """Read the effects of cuts, (M, 7); those that a file lacks are NaN."""
    if "cuts" not in stored:
        return not_measured(moments)
    cuts = stored["cuts"].astype(np.float32)
    measured = cuts.shape[-1]  # an earlier file lacks the last columns
    if cuts.shape != (moments, measured) or not 0 < measured <= len(CUTS):
        raise ValueError(f"{moments} moments and shares of the shape {cuts.shape}")
    if not (np.isnan(cuts) | (cuts >= 0) & (cuts <= 1)).all():
        raise ValueError("shares that are not from 0 to 1")
    return np.hstack([cuts, not_measured(moments)[:, measured:]])


def _decided(stored: Mapping[str, NDArray[Any]], moments: int) -> NDArray[np.float32] | None:
    """Read the shares of decided choices, (M, 7, 2); None if a file lacks them."""
    if "decided" not in stored:
        return None
    decided = stored["decided"].astype(np.float32)
    if decided.shape != (moments, len(CUTS), 2):
        raise ValueError(f"{moments} moments and decided shares of the shape {decided.shape}")
    return _frozen(decided)


def _runs(stored: Mapping[str, NDArray[Any]], moments: int) -> tuple[int, ...]:
    """Read the moments at which runs begin; a file without them has a single run."""
    runs = tuple(int(moment) for moment in stored.get("runs", (0,)))
    if not runs or runs[0] != 0 or list(runs) != sorted(set(runs)) or runs[-1] >= moments:
        raise ValueError(f"runs that begin at the moments {runs} of {moments}")
    return runs


def _check_shape(
    array: NDArray[np.uint8], moments: int, kind: Kind, lengths: tuple[int, int]
) -> None:
    source, target = lengths
    queries, keys = source if kind == "encoder" else target, target if kind == "decoder" else source
    if array.ndim != 5 or (len(array), *array.shape[3:]) != (moments, queries, keys):
        raise ValueError(f"{kind} attention of the shape {array.shape}")


def _differences(array: NDArray[np.uint8], coarseness: int) -> NDArray[np.uint8]:
    """Round weights and subtract those of the moment before.

    A negative difference wraps around as a byte, and wraps back when the bytes are added up.
    """
    rounded = np.round(array / coarseness) * coarseness
    rounded = np.minimum(rounded, 255).astype(np.uint8)
    return np.diff(rounded, axis=0, prepend=np.zeros_like(rounded[:1]))


def _texts(array: Sequence[str] | NDArray[np.str_]) -> tuple[str, ...]:
    return tuple(str(text) for text in array)


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
