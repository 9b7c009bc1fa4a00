"""Record the roles of every head over a corpus: `python -m model.training.atlas --text FILE ...`.

The roles of all heads, the sentences behind them, the strongest key of each query, and the data for
searches and maps are written to atlas.npz in the checkpoint's folder. The model's training data may
contain none of these sentences.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.decoding.steps import Progress
from model.measures.atlas.atlas import ATLAS, Atlas, pack_atlas
from model.measures.atlas.losses import Losses, losses_without
from model.measures.atlas.measure import before_arrays, measure_heads
from model.measures.atlas.prepared import prepared_arrays
from model.measures.atlas.roles import ROLES, Sentence
from model.tokenizer import Tokenizer
from model.training.data.alignment import split_words
from model.training.data.grammar import annotated
from model.training.data.pairs import Pair, read_pairs, read_text
from model.training.data.samples import languages_of
from model.training.data.sources import describe
from model.training.generated.coreference import held_out_frame, held_out_known_frames
from model.translator import Translator, load_translator
from model.words import words_of

SENTENCES, PRONOUNS, LOSS_PAIRS, LEARNED_FROM = 2000, 300, 64, 40_000
SHORTEST, LONGEST = 4, 30
"""The fewest and the most words of a sentence of the corpus."""

Bar = Any
"""A progress bar of tqdm, which has no useful type."""

LARGEST = 10_000_000
"""The most bytes of the file."""


def by_hash(texts: Iterable[str]) -> list[str]:
    """Remove repeated texts, and sort the rest by their hash."""
    return sorted(set(texts), key=lambda text: sha256(text.encode()).digest())


def chosen(texts: Iterable[str], seen: frozenset[str], count: int) -> list[str]:
    """Choose `count` texts of SHORTEST to LONGEST words that are not in `seen`."""
    fit = (text for text in by_hash(texts) if text not in seen)
    lengths = ((text, len(split_words(text))) for text in fit)
    return [text for text, words in lengths if SHORTEST <= words <= LONGEST][:count]


def pronouns(translator: Translator, count: int) -> list[Sentence]:
    """Return held-out sentences whose "it" is known to stand for one of two nouns."""
    if languages_of(translator.folder)[0] != "en":
        return []
    pairs = {pair.source: pair for pair in (*held_out_known_frames(), *held_out_frame())}
    tokenizer = translator.tokenizer
    return [annotated(tokenizer, text, pairs[text]) for text in by_hash(pairs)[:count]]


def corpus_of(
    translator: Translator, texts: Iterable[str], seen: frozenset[str], sentences: int
) -> list[Sentence]:
    """Return the sentences of the corpus, real and generated, sorted by their hash."""
    generated = pronouns(translator, min(PRONOUNS, sentences // 4))
    english = languages_of(translator.folder)[0] == "en"
    real = [
        annotated(translator.tokenizer, text)
        if english
        else Sentence(text, (), len(split_words(text)))
        for text in chosen(texts, seen, sentences - len(generated))
    ]
    by_text = {sentence.text: sentence for sentence in (*real, *generated)}
    return [by_text[text] for text in by_hash(by_text)]


def losses_of(translator: Translator, pairs: Sequence[Pair], count: int) -> Losses | None:
    """Measure `count` held-out pairs with each head switched off; None without pairs."""
    by_text = {pair.source: pair for pair in pairs}
    sources = chosen(by_text, frozenset(), count)
    tokenizer, end = translator.tokenizer, translator.tokenizer.end_id
    ids = [
        (
            (*tokenizer.encode(source), end),
            (tokenizer.begin_id, *translator.target_tokenizer.encode(by_text[source].target), end),
        )
        for source in sources
    ]
    with tqdm(desc="switching heads off", total=1) as bar:
        return losses_without(translator.model, ids, _shown(bar)) if ids else None


def _shown(bar: Bar) -> Progress:
    def show(done: int, all_: int) -> None:
        bar.total = all_
        bar.update(done - bar.n)

    return show


def _texts(files: Sequence[Path]) -> tuple[list[str], list[Pair]]:
    """Read texts, one on each line, and their translations where a file has them."""
    texts: list[str] = []
    pairs: list[Pair] = []
    for file in files:
        if ".tsv" in file.suffixes:
            pairs += (file_pairs := read_pairs(file))
            texts += [pair.source for pair in file_pairs]
        else:
            texts += read_text(file)
    return texts, pairs


def _words(tokenizer: Tokenizer, texts: list[str]) -> list[list[str]]:
    """Cut texts into words, as the corpus does."""
    pieces = map(tokenizer.tokens, tokenizer.encode_all(texts))
    return [[word.text for word in words_of(tokens)] for tokens in pieces]


def _corpus(files: Sequence[Path], generated: bool) -> str:
    """Return the names and licences of the files that the sentences come from."""
    descriptions = [describe([file.name], generated=False) for file in files]
    names = dict.fromkeys(
        f"{description['name']} ({description['licence']})" for description in descriptions
    )
    return "; ".join([*names, *(["generated sentences"] if generated else [])])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m model.training.atlas")
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument(
        "--text",
        type=Path,
        nargs="+",
        required=True,
        help="held-out TSV, or text, a sentence a line",
    )
    parser.add_argument(
        "--train", type=Path, nargs="*", default=[], help="TSV of what the model learned from"
    )
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--loss-pairs", type=int, default=LOSS_PAIRS, help="0: leave the loss out")
    parser.add_argument(
        "--before", help="checkpoint from whose weights it went on, to be held against it"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, help="another folder than the checkpoint's")
    return parser.parse_args()


@command
def main() -> None:
    """Measure a checkpoint, write atlas.npz beside it and print the roles of its heads."""
    options = _options()
    torch.set_num_threads(options.threads)
    translator = load_translator(options.checkpoint)
    texts, pairs = _texts(options.text)
    learned = [pair for file in options.train for pair in read_pairs(file)]
    seen = frozenset(pair.source for pair in learned)
    sentences = corpus_of(translator, texts, seen, options.sentences)
    losses = losses_of(translator, pairs, options.loss_pairs) if options.loss_pairs else None
    teachers = (*pairs, *learned[:LEARNED_FROM])
    cut = (translator.tokenizer, [pair.source for pair in teachers])
    written = (translator.target_tokenizer, [pair.target for pair in teachers])
    more = list(zip(_words(*cut), _words(*written), strict=True))
    corpus = _corpus(
        options.text, generated=not {sentence.text for sentence in sentences} <= {*texts}
    )
    with tqdm(desc="measuring", total=1) as bar:
        arrays = measure_heads(translator, sentences, corpus, more, losses, _shown(bar))
    if options.before:
        earlier = load_translator(options.before)
        runs = earlier.card, earlier.card.get("start", {})  # without a card it has no known value
        steps = sum(int(run.get("steps", 0)) for run in runs)
        with tqdm(desc="measuring what it was before", total=1) as bar:
            arrays |= before_arrays(earlier, sentences, steps, more, _shown(bar))
    with tqdm(desc="maps of all heads", total=1) as bar:
        arrays |= prepared_arrays(translator, arrays, _shown(bar))
    packed = pack_atlas(arrays)
    if len(packed) > LARGEST:
        raise ValueError(f"{len(packed):,} bytes, at most {LARGEST:,}: take fewer --sentences")
    folder = options.out or translator.folder
    write_whole(folder / ATLAS, packed)
    print(f"{len(sentences)} sentences, {len(packed):,} bytes")
    _print(Atlas(arrays))


def _print(atlas: Atlas) -> None:
    print("| attention | role | queries | heads | the surest | score | by chance |")
    print("|---|---|---|---|---|---|---|")
    for kind in atlas.kinds:
        best, sure = atlas.best(kind), atlas.sureness(kind)
        for number, role in enumerate(ROLES[kind]):
            layer, head = divmod(int(sure[number].argmax()), atlas.heads)
            score, chance = (
                each(kind)[number, layer, head] for each in (atlas.scores, atlas.chance)
            )
            queries, heads = atlas.queries(kind)[number], (best.role == number).sum()
            print(
                f"| {kind} | {role} | {queries} | {heads} "
                f"| {layer + 1}.{head + 1} | {score:.2f} | {chance:.2f} |"
            )


if __name__ == "__main__":
    sys.exit(main())
