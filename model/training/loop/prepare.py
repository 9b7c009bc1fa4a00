"""From files to streams: read, check, learn the pieces, encode, add generated pairs."""

import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import torch.distributed as dist
from torch import Tensor

from model.checkpoints.checkpoint import (
    load_checkpoint,
    shared_embedding,
    words_folder,
    write_whole,
)
from model.families import transformer_config
from model.tokenizer import Tokenizer
from model.training.data.batches import Batch, BatchMaker
from model.training.data.known_sentences import CHINESE
from model.training.data.minimal import MinimalPairs
from model.training.data.pairs import (
    NO_TRANSLATIONS,
    Asked,
    EncodedPair,
    Pair,
    check_apart,
    encode_pairs,
    encode_text,
    learn_tokenizer,
    read_pairs,
    read_text,
)
from model.training.data.samples import is_visitor_sentence
from model.training.data.stream import Added, Feed, Files, Stream
from model.training.data.vectors import count_vectors
from model.training.generated.chinese import chinese_pairs
from model.training.generated.copies import copy_pairs
from model.training.generated.coreference import CoreferencePair, training_pairs
from model.training.generated.exchange import Exchange, as_typed
from model.training.generated.noise import capital_pairs, noise_pairs
from model.training.generated.phrases import phrase_pairs
from model.training.generated.visitors import visitor_pairs
from model.training.loop.averaging import forget
from model.training.loop.trainer import Process
from model.training.settings import ADDED, ALONE, TrainingSettings, in_phase

SPELT = 3000  # generated pairs, from which the pieces are also learned
TOKENIZER, VECTORS = "tokenizer.model", "vectors.pt"


@dataclass(frozen=True)
class Corpus:
    """All texts that a run reads: pairs by training file, English sentences, and dev pairs."""

    files: list[list[Pair]]
    text: list[str]
    dev: list[Pair]


def read_corpus(train: list[Path], text: list[Path], dev: Path) -> Corpus:
    """Read all files.

    Raises ValueError when one cannot be read, or a training line has both words of the demo
    sentence.
    """
    files: list[list[Pair]] = []
    for path in train:
        pairs = read_pairs(path)
        check_apart((pair.source for pair in pairs), path)
        files.append([pair for pair in pairs if may_be_learned(pair)])
    sentences: list[str] = []
    for path in text:
        lines = read_text(path)
        check_apart(lines, path)
        sentences += lines
    return Corpus(files, sentences, read_pairs(dev))


def may_be_learned(pair: Pair) -> bool:
    """Return True for a pair that is a translation and neither in the test set nor recorded."""
    recorded = any(pair.source == known.source for known in CHINESE)
    return pair not in NO_TRANSLATIONS and not is_visitor_sentence(pair.source) and not recorded


@dataclass(frozen=True)
class Encoded:
    """A corpus as ids, and its tokenizer; `text` includes the English of all pairs.

    `pairs` are the pairs of all files, as text.
    """

    tokenizer: Tokenizer
    pairs: list[Pair]
    files: list[list[EncodedPair]]
    text: list[EncodedPair]
    dev: list[EncodedPair]


def prepare(
    corpus: Corpus,
    folder: Path,
    settings: TrainingSettings,
    process: Process,
    resume: bool,
    pieces: str | None = None,
) -> Encoded:
    """Learn the pieces, once per run, or read them from `pieces`; encode everything.

    The folder keeps the pieces; a new run deletes those of an earlier run.
    """
    path = folder / TOKENIZER
    if not process.rank and not (resume and path.exists()):
        folder.mkdir(parents=True, exist_ok=True)
        forget(folder)
        (folder / VECTORS).unlink(missing_ok=True)
        write_whole(path, _find_tokenizer(corpus, settings, pieces).serialized)
    if process.world > 1:
        dist.barrier()
    tokenizer = Tokenizer.from_file(path)
    files = [encode_pairs(pairs, tokenizer, settings.longest) for pairs in corpus.files]
    text = [EncodedPair(pair.source, []) for file in files for pair in file]
    text += encode_text(corpus.text, tokenizer, settings.longest)
    pairs = [pair for file in corpus.files for pair in file]
    dev = encode_pairs(corpus.dev, tokenizer, settings.longest)
    return Encoded(tokenizer, pairs, files, text, dev)


def _find_tokenizer(corpus: Corpus, settings: TrainingSettings, pieces: str | None) -> Tokenizer:
    """Learn the pieces, or read them from a file, a checkpoint, or the embedding's checkpoint."""
    if pieces and Path(pieces).is_file():
        return Tokenizer.from_file(Path(pieces))
    if pieces:
        return load_checkpoint(pieces).tokenizer
    if words := words_folder(settings.config):
        return Tokenizer.from_file(words / TOKENIZER)
    some = [Pair(pair.source, pair.target) for pair in training_pairs(SPELT, settings.seed)]
    pairs = [pair for file in corpus.files for pair in file] + some
    return learn_tokenizer(pairs, settings.config.vocab_size)


def start_vectors(
    encoded: Encoded, folder: Path, settings: TrainingSettings, process: Process
) -> Tensor:
    """Return the initial embedding (V, D), which is counted once per run and kept.

    An embedding that belongs to another checkpoint is taken from there.
    """
    if words := words_folder(settings.config):
        return shared_embedding(words)
    path = folder / VECTORS
    if not process.rank and not path.exists():
        config, content = transformer_config(settings.config), io.BytesIO()
        pairs = [pair for file in encoded.files for pair in file]
        vectors = count_vectors(pairs, config.vocab_size, config.d_embedding, settings.seed)
        torch.save(vectors.half(), content)
        write_whole(path, content.getvalue())
    if process.world > 1:
        dist.barrier()
    return torch.load(path, weights_only=True).float()


def make_feed(encoded: Encoded, settings: TrainingSettings, process: Process) -> Feed:
    """Make the streams of pairs and of English text."""
    maker = BatchMaker(encoded.tokenizer, settings)
    pairs = Stream(
        maker,
        Files(encoded.files, settings.seed),
        settings.weights,
        lambda _: settings.tokens,
        generator(encoded.tokenizer, settings, encoded.pairs),
        process.rank,
        process.world,
    )
    text = Stream(
        maker,
        Files([encoded.text], settings.seed + 1),
        ((1.0,),),
        lambda phase: settings.tokens if phase == ALONE else settings.side_tokens,
        rank=process.rank,
        world=process.world,
    )
    causes = settings.ever_teaches_causes
    minimal = MinimalPairs(encoded.tokenizer, settings) if causes else None
    return Feed(settings, pairs, text, minimal)


def dev_batches(
    tokenizer: Tokenizer, pairs: list[EncodedPair], settings: TrainingSettings
) -> list[Batch]:
    """Make the batches for the dev loss, from unchanged pairs."""
    maker = BatchMaker(tokenizer, replace(settings, join=0.0, unmarked=(0,)))
    return [maker.collate(batch) for batch in maker.cut(pairs, 0)]


def generator(
    tokenizer: Tokenizer, settings: TrainingSettings, corpus: Sequence[Pair] = ()
) -> Added:
    """Return a function that makes new pairs by rules for each round, beside `count` others.

    A model that meets the same pairs repeatedly learns them by heart. Some of the new pairs are
    pairs of the `corpus`, exchanged or copied; without a corpus there are none of these.
    """
    exchange = Exchange(corpus if any(settings.exchanged) else ())

    def generated(number: int, phase: int, count: int) -> list[EncodedPair]:
        shares = [in_phase(getattr(settings, name), phase) for name in ADDED]
        pronouns, phrases, visitors, exchanged, typed, copies, noise, capitals, chinese = (
            int(count * share / (1 - sum(shares))) for share in shares
        )
        seed = settings.seed + number
        encoded = encode_pronouns(training_pairs(pronouns, seed), tokenizer, settings.longest)
        described = encode_pairs(phrase_pairs(phrases, seed), tokenizer, settings.longest)
        rng = random.Random(seed)
        copied = rng.choices(corpus, k=typed) if corpus else []
        more = [
            *visitor_pairs(visitors, seed),
            *exchange.draw(exchanged, seed),
            *(as_typed(pair, rng) for pair in copied),
            *copy_pairs(copies, seed),
            *noise_pairs(corpus, noise, seed),
            *capital_pairs(corpus, capitals, seed),
            *chinese_pairs(corpus, chinese, seed),
        ]
        encoded += [replace(pair, generated=True) for pair in described]
        return encoded + encode_pairs(more, tokenizer, settings.longest)

    return generated


def encode_pronouns(
    pairs: list[CoreferencePair], tokenizer: Tokenizer, longest: int
) -> list[EncodedPair]:
    """Encode generated pronoun pairs with the question about the memory at "it".

    No piece crosses a space, so the pieces up to " it" are also those of the whole sentence.
    """
    encode: Callable[[list[str]], list[list[int]]] = tokenizer.encode_all
    sources, targets = encode([p.source for p in pairs]), encode([p.target for p in pairs])
    until = encode([pair.source[: pair.source.rindex(" it ") + 3] for pair in pairs])
    nouns = encode([pair.antecedent_word for pair in pairs])
    encoded = [
        EncodedPair(source, target, True, Asked(len(before) - 1, pair.gender == "f", noun[-1]))
        for pair, source, target, before, noun in zip(
            pairs, sources, targets, until, nouns, strict=True
        )
    ]
    return [pair for pair in encoded if pair.length <= longest]
