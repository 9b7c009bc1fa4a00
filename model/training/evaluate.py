"""Translation quality: sacrebleu's BLEU and chrF on a TSV file, by sentence length too."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import sacrebleu

from model.checkpoints.checkpoint import load_checkpoint
from model.command import command
from model.decoding.together import greedy_together
from model.families import Network
from model.loaded import MAX_TOKENS
from model.tokenizer import Tokenizer
from model.training.data.pairs import read_pairs
from model.words import parted

LENGTHS = ((1, 5), (6, 10), (11, 20), (21, 10**6))


@dataclass(frozen=True)
class Score:
    """Corpus BLEU and chrF of some sentences, both from 0 to 100."""

    words: str
    sentences: int
    bleu: float
    chrf: float

    def to_dict(self) -> dict[str, str | int | float]:
        """Return the figures by name, ready for JSON."""
        return asdict(self)


def translate_all(
    model: Network, tokenizer: Tokenizer, texts: Sequence[str], batch: int = 128
) -> list[str]:
    """Translate greedily, as a Translator does, in batches of similar length."""
    limit = min(MAX_TOKENS, model.config.max_length)
    encoded = [[*ids[: limit - 1], tokenizer.end_id] for ids in tokenizer.encode_all(list(texts))]
    longest = [min(2 * len(ids) + 10, limit) for ids in encoded]
    written = greedy_together(model, encoded, longest, batch)
    return [tokenizer.decode(ids) for ids, _log_prob in written]


def score(
    hypotheses: Sequence[str], references: Sequence[str], sources: Sequence[str]
) -> list[Score]:
    """Score all sentences, then those of 1-5, 6-10, 11-20 and more source words.

    Each character of a script without spaces counts as a word.
    """
    lengths = [len(parted(source)) for source in sources]
    scores = [score_one("all", hypotheses, references)]
    for low, high in LENGTHS:
        group = [i for i, length in enumerate(lengths) if low <= length <= high]
        if group:
            words = f"{low}-{high}" if high < 10**6 else f"over {low - 1}"
            scores.append(
                score_one(words, [hypotheses[i] for i in group], [references[i] for i in group])
            )
    return scores


def score_one(words: str, hypotheses: Sequence[str], references: Sequence[str]) -> Score:
    """Score sentences together, under a name for the group."""
    bleu = sacrebleu.corpus_bleu(list(hypotheses), [list(references)]).score
    chrf = sacrebleu.corpus_chrf(list(hypotheses), [list(references)]).score
    return Score(words, len(hypotheses), round(bleu, 2), round(chrf, 2))


def evaluate(model: Network, tokenizer: Tokenizer, path: Path, limit: int = 0) -> list[Score]:
    """Translate the first `limit` pairs of a TSV file (0: all) greedily, and score them.

    Raises ValueError when the file cannot be read or has no pair.
    """
    pairs = read_pairs(path)[: limit or None]
    if not pairs:
        raise ValueError(f"{path}: no pairs")
    sources = [pair.source for pair in pairs]
    hypotheses = translate_all(model, tokenizer, sources)
    return score(hypotheses, [pair.target for pair in pairs], sources)


@command
def main() -> None:
    """Print the table of one checkpoint on one TSV file."""
    parser = argparse.ArgumentParser(prog="python -m model.training.evaluate", description=__doc__)
    parser.add_argument("tsv", type=Path, help="sentence pairs, source TAB target")
    parser.add_argument("--checkpoint", default="en-fr", help="a name under checkpoints/ or a path")
    options = parser.parse_args()
    checkpoint = load_checkpoint(options.checkpoint)
    rows = evaluate(checkpoint.model, checkpoint.tokenizer, options.tsv)
    print(f"{'words':>8} {'sentences':>9} {'BLEU':>6} {'chrF':>6}")
    for row in rows:
        print(f"{row.words:>8} {row.sentences:>9} {row.bleu:>6.2f} {row.chrf:>6.2f}")


if __name__ == "__main__":
    sys.exit(main())
