"""Measure a checkpoint and write the figures into its card: `python -m model.training.card`."""

import argparse
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from model.checkpoints.card import CARD, TRAINING_LOG
from model.checkpoints.checkpoint import write_whole
from model.checkpoints.examples import Examples
from model.decoding.beam import Beam
from model.training.data.pairs import read_pairs
from model.training.data.samples import ABOUT_SENTENCES, examples_of
from model.training.data.sources import describe
from model.training.dev_loss import loss_of
from model.training.evaluate import Score, score, translate_all
from model.training.generated.coreference import (
    CoreferencePair,
    held_out_frame,
    held_out_known_frames,
)
from model.training.generated.lexicon import adjectives
from model.training.settings import ADDED
from model.translator import Translator, load_translator

_PRONOUN = re.compile(r"\b(il|elle)\b", re.IGNORECASE)


def pronoun_of(french: str) -> str | None:
    """Return the last il or elle of a sentence, which translates "it"; None if it has neither."""
    pronouns_found = _PRONOUN.findall(french)
    return pronouns_found[-1].lower() if pronouns_found else None


def pronoun_score(
    translator: Translator, pairs: Sequence[CoreferencePair]
) -> dict[str, int | float]:
    """Measure how often "it" becomes the pronoun of the right gender, in per cent.

    `exact` is the share of translations that equal the reference letter by letter.
    """
    translations = translate_all(
        translator.network, translator.tokenizer, [pair.source for pair in pairs]
    )
    scored = list(zip(translations, pairs, strict=True))
    right = sum(pronoun_of(french) == pronoun_of(pair.target) for french, pair in scored)
    exact = sum(french == pair.target for french, pair in scored)
    return {
        "sentences": len(pairs),
        "right_pronoun": round(100 * right / len(pairs), 1),
        "exact": round(100 * exact / len(pairs), 1),
    }


def pronouns(translator: Translator) -> dict[str, dict[str, int | float]]:
    """Score each held-out set; score the known frames also by the kind of unseen word."""
    known, lexicon = held_out_known_frames(), adjectives()
    sets = {
        "unseen nouns and adjectives, known frames": known,
        "of these, an unseen noun alone": [p for p in known if not lexicon[p.adjective].held],
        "of these, an unseen adjective": [p for p in known if lexicon[p.adjective].held],
        "unseen frame": held_out_frame(),
    }
    return {name: pronoun_score(translator, pairs) for name, pairs in sets.items()}


def quality(translator: Translator, tsv: Path, beam: int) -> dict[str, list[dict[str, Any]]]:
    """Score a file's pairs by length: greedy search and, if `beam` is over 1, beam search."""
    pairs = read_pairs(tsv)
    sources, references = [p.source for p in pairs], [p.target for p in pairs]

    def rows(hypotheses: list[str]) -> list[dict[str, Any]]:
        scores: list[Score] = score(hypotheses, references, sources)
        return [row.to_dict() for row in scores]

    tables = {"greedy": rows(translate_all(translator.network, translator.tokenizer, sources))}
    if beam > 1:
        strategy = Beam(width=beam)
        translations = [translator.translate(source, strategy).text for source in sources]
        tables[f"beam {beam}"] = rows(translations)
    return tables


def data_of(translator: Translator) -> dict[str, str]:
    """Describe the files that training wrote into the card; keep existing descriptions."""
    data = translator.card["data"]
    if "licence" in data:
        return data
    files = [*data["train"].split(), *data.get("text", "").split()]
    settings = translator.card.get("settings", {})
    # Cards of old runs lack later settings, and leave out values that were the default then.
    shares = [settings.get(name, (name in ("generated", "phrases"),)) for name in ADDED]
    return describe(files, translator.network.config.embedding, any(map(any, shares)))


def write_card(folder: Path, measured: dict[str, Any]) -> None:
    """Add figures to the card of a checkpoint; other figures stay."""
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    content = json.dumps({**card, **measured}, indent=1, ensure_ascii=False) + "\n"
    write_whole(folder / CARD, content.encode())


def main() -> None:
    """Measure translation, pronouns and sample sentences, and write the card."""
    parser = argparse.ArgumentParser(prog="python -m model.training.card", description=__doc__)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--test", type=Path, required=True)
    parser.add_argument("--log", type=Path, help="log.jsonl of the run, kept with the checkpoint")
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument(
        "--beam", type=int, default=4, help="also measured on test; 1 leaves it out"
    )
    options = parser.parse_args()
    translator = load_translator(options.checkpoint)
    examples = examples_of(translator.folder)
    ours = (examples.source, examples.target) == ("en", "fr")
    measured = {
        "data": data_of(translator),
        "parameters": sum(p.numel() for p in translator.network.parameters()),
        "dev_loss": round(loss_of(translator, read_pairs(options.dev)), 4),
        "quality": {
            "dev": quality(translator, options.dev, beam=1),
            "test": quality(translator, options.test, options.beam),
        },
        "pronouns": pronouns(translator) if ours else {},
        "samples": [
            _translated(translator, examples, sentence)
            for sentence in (ABOUT_SENTENCES if ours else examples.texts)
        ],
        "weak_spots": [
            {"what": spot.what, **_translated(translator, examples, spot.text)}
            for spot in examples.weak_spots
        ],
    }
    write_card(translator.folder, measured)
    if options.log:
        shutil.copyfile(options.log, translator.folder / TRAINING_LOG)
    print(json.dumps(measured, indent=1, ensure_ascii=False))


def _translated(translator: Translator, examples: Examples, text: str) -> dict[str, str]:
    """Return a sentence and its translation under the codes of their languages."""
    return {examples.source: text, examples.target: translator.translate(text).text}


if __name__ == "__main__":
    main()
