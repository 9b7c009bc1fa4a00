"""SentencePiece's pruning of a unigram vocabulary, round by round (Kudo 2018, arXiv 1804.10959).

SentencePiece's trainer only returns the end result. These are its steps, with its numbers.
Candidates are all strings that occur twice and can continue in two ways. Expectation and
maximisation give them probabilities. Then the quarter that the text misses least is dropped, again
and again, until few enough are left.
"""

import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import sentencepiece
import torch

from model.measures.vocabulary import SPECIAL
from model.words import WORD_START

LONGEST_PIECE, STEPS, RAREST = 16, 2, 0.5
"""The most letters of a piece, the steps of EM in a round, and the least expected count."""

KEPT, ROOM = 0.75, 1.1
"""The least share that a round leaves, and the size before the last step, relative to the goal."""

SHOWN = 8
"""The number of dropped pieces that a round names."""

Scores = Mapping[str, float]
"""Pieces with their log-probabilities, in nats."""


@dataclass(frozen=True)
class Round:
    """A round: the pieces before it, and how many are dropped as rare or as least missed.

    `loss` is the mean of -log p of a word of the text, in nats. `missed_least` are some of the
    dropped pieces, the least missed first. `scores` are the remaining pieces.
    """

    before: int
    too_rare: int
    pruned: int
    loss: float
    missed_least: tuple[str, ...]
    scores: Scores


def rounds(lines: Iterable[str], size: int) -> tuple[tuple[Round, ...], Scores]:
    """Prune the candidates of lines to `size` pieces, including special pieces.

    Returns the rounds and the vocabulary: every character, and the most probable of the remaining
    pieces. Raises ValueError when there is no text.
    """
    words, candidates, characters = _read(lines)
    if not words:
        raise ValueError("a text without words has no pieces")
    scores: Scores = _shares(candidates)
    limit, all_rounds, loss = int(size * ROOM), list[Round](), 0.0
    while not all_rounds or len(scores) > limit:
        before = len(scores)
        for _ in range(STEPS):
            expected, loss = _expected(words, scores)
            scores = _maximised(expected)
        common = len(scores)
        scores, missed = _pruned(words, scores, max(limit, int(KEPT * common)))
        all_rounds.append(Round(before, before - common, len(missed), loss, missed[:SHOWN], scores))
    last = _finished(scores, characters, size - SPECIAL)
    return tuple(all_rounds), last


def cut(text: str, scores: Scores) -> tuple[tuple[str, bool], ...]:
    """Cut a text into its most probable pieces, each with a flag: True if known."""
    pieces: list[tuple[str, bool]] = []
    for word in _words(_normalised(text)):
        pieces += [(piece, piece in scores) for piece in best(word, scores)]
    return tuple(pieces)


def best(word: str, scores: Scores, without: str = "") -> tuple[str, ...]:
    """Cut a word into its most probable pieces (Viterbi), but never into the piece `without`.

    A character without a piece costs more than any piece, as in SentencePiece.
    """
    unknown = min(scores.values(), default=0.0) - 10
    ways: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(word) + 1):
        options = [
            (ways[start][0] + scores[word[start:end]], -start)
            for start in range(max(0, end - LONGEST_PIECE), end)
            if word[start:end] in scores and word[start:end] != without
        ]
        if not any(-start == end - 1 for _, start in options):
            options.append((ways[end - 1][0] + unknown, -(end - 1)))
        score, start = max(options)
        ways.append((score, -start))
    pieces: list[str] = []
    end = len(word)
    while end:
        pieces.append(word[ways[end][1] : end])
        end = ways[end][1]
    return tuple(reversed(pieces))


def _normalised(text: str) -> str:
    normalizer = sentencepiece.SentencePieceNormalizer(
        rule_name="nmt_nfkc",
        add_dummy_prefix=True,
        escape_whitespaces=True,
        remove_extra_whitespaces=True,
    )
    return str(normalizer.Normalize(text))


def _words(line: str) -> list[str]:
    return [WORD_START + part for part in line.split(WORD_START) if part]


def _read(lines: Iterable[str]) -> tuple[Counter[str], dict[str, float], Counter[str]]:
    """Return the words of lines and their counts, candidates' weights, and characters' counts."""
    words: Counter[str] = Counter()
    characters: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    followed: defaultdict[str, set[str]] = defaultdict(set)
    for number, line in enumerate(map(_normalised, lines)):
        words.update(_words(line))
        characters.update(line)
        ended = line + "\n"
        for start in range(len(line)):
            for end in range(start + 2, min(start + LONGEST_PIECE, len(line)) + 1):
                if not _valid(piece := line[start:end]):
                    break
                counts[piece] += 1
                followed[piece].add(ended[end] if end < len(line) else f"\n{number}")
    twice = {
        piece: float(count * len(piece))
        for piece, count in counts.items()
        if count > 1 and len(followed[piece]) > 1
    }
    single = {character: float(count) for character, count in characters.items()}
    return words, {**_most_first(single), **_most_first(twice)}, characters


def _most_first(weights: Mapping[str, float] | Mapping[str, int]) -> dict[str, float]:
    return dict(sorted(weights.items(), key=lambda one: (-one[1], one[0])))


def _valid(piece: str) -> bool:
    """Return True if a string may be a piece: one word in one script, or a single digit."""
    if WORD_START in piece[1:]:
        return False
    scripts = {_script(character) for character in piece.removeprefix(WORD_START)}
    return len(scripts) < 2 and ("digit" not in scripts or len(piece) == 1)


def _script(character: str) -> str:
    if character.isdigit():
        return "digit"
    if not character.isalpha():
        return "common"
    name = unicodedata.name(character, "").split(" ")[0]
    return "CJK" if name in ("HIRAGANA", "KATAKANA") else name


def _shares(weights: Mapping[str, float]) -> dict[str, float]:
    total = math.log(sum(weights.values()))
    return {piece: math.log(weight) - total for piece, weight in weights.items()}


def _expected(words: Mapping[str, int], scores: Scores) -> tuple[dict[str, float], float]:
    """Return the expected count of each piece in all cuts of the words (E), and the loss."""
    counts = dict.fromkeys(scores, 0.0)  # its order decides between equal losses
    total = 0.0
    for word, count in words.items():
        spans = _spans(word, scores)
        before, after = [0.0] + [-math.inf] * len(word), [-math.inf] * len(word) + [0.0]
        for start, end, score in spans:
            before[end] = _added(before[end], before[start] + score)
        for start, end, score in reversed(spans):
            after[start] = _added(after[start], after[end] + score)
        for start, end, score in spans:
            share = before[start] + score + after[end] - before[-1]
            counts[_counted(word[start:end], scores)] += count * math.exp(share)
        total -= count * before[-1]
    return counts, total / sum(words.values())


def _counted(piece: str, scores: Scores) -> str:
    """Return a piece, or the first piece in place of an unknown one, as SentencePiece does.

    There the unknown piece and the first piece both have the number 0.
    """
    return piece if piece in scores else next(iter(scores))


def _spans(word: str, scores: Scores) -> list[tuple[int, int, float]]:
    """List the pieces in a word, sorted by their ends; a character without a piece is unknown."""
    unknown = min(scores.values()) - 10
    return sorted(
        (
            (start, end, scores.get(word[start:end], unknown))
            for start in range(len(word))
            for end in range(start + 1, min(start + LONGEST_PIECE, len(word)) + 1)
            if word[start:end] in scores or end == start + 1
        ),
        key=lambda span: (span[1], span[0]),
    )


def _added(first: float, second: float) -> float:
    most = max(first, second)
    return most if most == -math.inf else most + math.log1p(math.exp(min(first, second) - most))


def _maximised(expected: Mapping[str, float]) -> dict[str, float]:
    """Give new scores (M), with Bayes' smoothing, to the pieces that are expected often enough."""
    frequent = {piece: count for piece, count in expected.items() if count >= RAREST}
    counts = torch.tensor([*frequent.values(), sum(frequent.values())], dtype=torch.float64)
    *digammas, total = torch.digamma(counts).tolist()
    return {piece: digamma - total for piece, digamma in zip(frequent, digammas, strict=True)}


def _pruned(
    words: Mapping[str, int], scores: Scores, most: int
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Drop the pieces that the text misses least, down to `most`; return (left, dropped).

    A piece's loss is the cost of cutting it into other pieces. A piece that no best cut uses is
    dropped at once.
    """
    used: Counter[str] = Counter()
    for word, count in words.items():
        for piece in best(word, scores):
            used[_counted(piece, scores)] += count
    total, every = sum(used.values()), sum(words.values())
    kept: dict[str, float] = {}
    losses: dict[str, float] = {}
    for piece, score in scores.items():
        if len(piece) == 1:
            kept |= {piece: score} if used[piece] else {}
            continue
        if not used[piece] or best(piece, scores) != (piece,):
            continue
        parts = [_counted(part, scores) for part in best(piece, scores, without=piece)]
        whole = math.log(used[piece] / total)
        changed = math.log(total + used[piece] * (len(parts) - 1))
        instead = sum(math.log(used[part] + used[piece]) - changed for part in parts)
        losses[piece] = used[piece] / every * (whole - instead)
    unused = [piece for piece in scores if piece not in kept and piece not in losses]
    missed = sorted(losses, key=lambda piece: -losses[piece])
    room = max(0, most - len(kept))
    kept |= {piece: scores[piece] for piece in missed[:room]}
    return kept, (*unused, *reversed(missed[room:]))


def _finished(scores: Scores, characters: Mapping[str, int], size: int) -> dict[str, float]:
    """Keep every character and the most probable other pieces, `size` in all."""
    lowest = min(scores.values())
    last: dict[str, float] = {}
    missing = 0
    for character in _most_first(characters):
        last[character] = scores.get(character, lowest + 1e-4 * missing)
        missing += character not in scores
    for piece in sorted(scores, key=lambda piece: (-scores[piece], piece)):
        if len(last) >= size:
            break
        last.setdefault(piece, scores[piece])
    return last
