"""What a word becomes when its query is turned: simple sentences, pronouns, other heads.

`causes.py` writes these figures to causes.json. In "The boy sees the dog." the step that writes
*chien* is made to look only at "boy", evenly, in some cross heads. It should then write *garçon*.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any

import torch

from model.families import transformer
from model.sites.sites import Head, attention_site
from model.sites.tap import Editor, Recorder
from model.training.data.minimal import MinimalBatch, MinimalPairs
from model.training.data.samples import languages_of
from model.training.generated.coreference import held_out_minimal_pairs
from model.training.losses.causal import look_evenly, pronoun_choice, turn
from model.training.pictures import Heads, Picture, likely, padded, turned_onto
from model.training.settings import TrainingSettings
from model.transformer.transformer import Transformer
from model.translator import Translator

PAIRS = 50
"""The number of held-out minimal pairs with known frames on which other heads are turned."""

ALL_HEADS = "all cross heads"

LOOKS = 0.4
"""The mean weight on the noun from which on a head counts as looking at it."""

_NOUNS = {
    **{"boy": "garçon", "dog": "chien", "cat": "chat", "king": "roi", "horse": "cheval"},
    **{"father": "père", "doctor": "médecin"},
}
_VERBS = {
    **{"sings": "chante", "sleeps": "dort", "eats": "mange", "runs": "court", "drinks": "boit"},
    **{"reads": "lit", "laughs": "rit"},
}
_ADJECTIVES = {
    **{"big": "grand", "small": "petit", "black": "noir", "white": "blanc", "old": "vieux"},
    **{"young": "jeune", "strong": "fort"},
}
_NUMBERS = tuple("3456789")
_NAMES = ("Tom", "Mary", "John", "Paul", "Anna", "David", "Alice")

_CHINESE_NOUNS = {
    **{"孩子": "child", "狗": "dog", "猫": "cat", "马": "horse", "鸟": "bird"},
    **{"老师": "teacher", "医生": "doctor"},
}
_CHINESE_NAMES = {
    **{"汤姆": "Tom", "玛丽": "Mary", "约翰": "John", "杰克": "Jack", "比尔": "Bill"},
    **{"爱丽丝": "Alice", "大卫": "David"},
}
_CHINESE_NUMBERS = {
    **{"三": "three", "四": "four", "五": "five", "六": "six", "七": "seven"},
    **{"八": "eight", "九": "nine"},
}
_CHINESE_ADJECTIVES = {
    **{"大": "big", "小": "small", "老": "old", "漂亮": "beautiful", "聪明": "smart"},
    **{"累": "tired", "饿": "hungry"},
}
_CHINESE_ACTIONS = {
    **{"唱歌": "singing", "跳舞": "dancing", "睡觉": "sleeping", "吃饭": "eating"},
    **{"看书": "reading", "游泳": "swimming", "跑步": "running"},
}
_VERBS_OF_TWO = ("认识", "喜欢", "爱", "看见了", "帮助了", "等", "恨")


_FRAMES: dict[str, tuple[tuple[str, str, dict[str, str]], ...]] = {
    "en": (
        ("a noun onto another", "The {} sees the {}.", _NOUNS),
        ("a name onto another", "{} sees {}.", {name: name for name in _NAMES}),
        ("a number onto another", "I have {} dogs and {} cats.", {n: n for n in _NUMBERS}),
        ("an adjective onto another", "The dog is {} and the cat is {}.", _ADJECTIVES),
        ("a verb onto another", "The boy {} and the dog {}.", _VERBS),
    ),
    "zh": (
        ("a noun onto another", "{}看见了{}。", _CHINESE_NOUNS),
        ("a name onto another", "{}喜欢{}。", _CHINESE_NAMES),
        ("a number onto another", "我有{}本书和{}支笔。", _CHINESE_NUMBERS),
        ("an adjective onto another", "狗很{}，猫很{}。", _CHINESE_ADJECTIVES),
        ("a verb onto another", "男孩在{}，女孩在{}。", _CHINESE_ACTIONS),
    ),
}
"""The sentences by language: a name, a frame for two words, and the words with translations."""


@dataclass(frozen=True)
class Turn:
    """A sentence in which a step should write another word when its query is turned.

    The step writes `written` for the word `own`. It should write `becomes` when it looks at `key`.
    """

    name: str
    text: str
    own: str
    key: str
    written: str
    becomes: str


def turns(source: str) -> Iterator[Turn]:
    """Yield simple sentences in a language, "en" or "zh", for each kind of word.

    Every frame has 42 sentences, one for each two of seven words; he and she have 14.
    """
    for name, frame, words in _FRAMES[source]:
        for (first, written), (second, other) in permutations(words.items(), 2):
            sentence = frame.format(first, second)
            yield Turn(name, sentence, second, first, other, written)
    if source == "zh":
        for verb in _VERBS_OF_TWO:
            yield Turn("he onto she", f"他{verb}她。", "他", "她", "He", "She")
            yield Turn("she onto he", f"她{verb}他。", "她", "他", "She", "He")
    else:
        for (verb, _), (second, other) in permutations(_VERBS.items(), 2):
            sentence = f"The boy doesn't {verb.removesuffix('s')} and the dog {second}."
            yield Turn("a verb onto a negation", sentence, second, "doesn't", other, "ne")


def turning(translator: Translator, asked: Sequence[Turn]) -> list[Picture]:
    """Translate greedily and find the steps.

    A sentence is left out if its word is not written, or if both words begin with the same piece.
    """
    tokenizer, all_pictures = translator.tokenizer, []
    for turn_, translation in zip(
        asked, translator.translate_all([each.text for each in asked]), strict=True
    ):
        written, becomes = (tokenizer.encode(word) for word in (turn_.written, turn_.becomes))
        ids = list(translation.ids)
        starts = [n for n in range(len(ids)) if ids[n : n + len(written)] == written]
        if not starts or written[0] == becomes[0]:
            continue
        pieces = tokenizer.pieces(turn_.text)
        own_pieces, key_pieces = (
            tuple(
                n
                for n, piece in enumerate(pieces)
                if piece.start < turn_.text.index(word) + len(word)
                and turn_.text.index(word) < piece.end
            )
            for word in (turn_.own, turn_.key)
        )
        source = tuple(translator.source(turn_.text).ids)
        target, step = (tokenizer.begin_id, *ids), starts[-1]
        all_pictures.append(
            Picture(
                turn_.name,
                "cross",
                source,
                target,
                (step,),
                own_pieces,
                step,
                key_pieces,
                becomes[0],
            )
        )
    return all_pictures


@torch.no_grad()
def surest_head(model: Transformer, some: Sequence[Picture]) -> tuple[int, int]:
    """Return the layer and head, from 0, of the cross head that looks most at the keys."""
    pad, recorder = model.config.pad_id, Recorder()
    inputs = padded([p.target[: p.step + 1] for p in some], pad)
    model(padded([p.source for p in some], pad), inputs, recorder)
    sums = torch.zeros(model.config.decoder_layers, model.config.heads)
    for layer in range(len(sums)):
        weights = recorder.recorded[attention_site("cross", layer, "weights")]  # B H T S
        for looks, picture in zip(weights, some, strict=True):
            sums[layer] += looks[:, picture.step, list(picture.keys)].sum(-1)
    return divmod(int(sums.argmax()), model.config.heads)


def turned_words(translator: Translator) -> list[dict[str, Any]]:
    """Turn the steps of all simple sentences in all cross heads, some layers and a head."""
    model = transformer(translator.model)
    by_name: dict[str, list[Picture]] = {}
    source, _ = languages_of(translator.folder)
    for picture in turning(translator, list(turns(source))):
        by_name.setdefault(picture.name, []).append(picture)
    last = model.config.decoder_layers
    rows: list[dict[str, Any]] = []
    for name, some in by_name.items():
        layer, head = surest_head(model, some)
        choices: dict[str, Heads] = {
            ALL_HEADS: (),
            f"layers {last - 1}, {last}": ((last - 2, None), (last - 1, None)),
            f"layer {last - 1}": ((last - 2, None),),
            f"head {layer + 1}.{head + 1}": ((layer, head),),
        }
        for named, heads in choices.items():
            edits = partial(turned_onto, heads=heads, model=model)
            likelihoods = likely(model, some, [int(p.becomes or 0) for p in some], edits)
            rows.append(
                _row(name, named, [odds for odds, _ in likelihoods], [r for _, r in likelihoods])
            )
    return rows


def _row(name: str, heads: str, odds: Sequence[float], became: Sequence[bool]) -> dict[str, Any]:
    """Return a row of `turned`: the share of changed words, and the other word's probability."""
    count = len(became)
    return {
        "name": name,
        "heads": heads,
        "sentences": count,
        "turned": round(sum(became) / count, 4),
        "probability": round(sum(odds) / count, 4),
    }


@torch.no_grad()
def turned_pronouns(model: Transformer, batches: Sequence[MinimalBatch]) -> list[dict[str, Any]]:
    """Turn all cross heads at the pronoun's step onto the other noun, and onto its own noun."""
    layers, rows = range(model.config.decoder_layers), []
    for name in ("il or elle onto the other noun", "il or elle onto its own noun"):
        odds: list[float] = []
        became: list[bool] = []
        for batch in batches:
            keys = batch.other if "other" in name else batch.nouns & ~batch.other
            edit = look_evenly(batch.step, keys)
            edits = {attention_site("cross", layer, "weights"): edit for layer in layers}
            choice = pronoun_choice(model, batch, *model.encode(batch.source), edits)
            wrong_lead = torch.where(
                batch.elle, -choice.leads, choice.leads
            )  # the wrong pronoun's lead
            odds += (choice.either * wrong_lead.sigmoid()).tolist()
            became += (wrong_lead > 0).tolist()
        rows.append(_row(name, ALL_HEADS, odds, became))
    return rows


@torch.no_grad()
def lookers(model: Transformer, batches: Sequence[MinimalBatch]) -> list[dict[str, Any]]:
    """Turn, one at a time, each encoder head that looks from "it" at its noun, strongest first.

    `weight` is its mean weight on the noun, `turned` the share of pronouns that change.
    """
    config, count = model.config, sum(len(batch.elle) for batch in batches)
    weights = torch.zeros(config.encoder_layers, config.heads)
    for batch in batches:
        recorder, rows = Recorder(), torch.arange(len(batch.it))
        model.encode(batch.source, recorder)
        at_noun = (batch.nouns & ~batch.other)[:, None]  # 2N 1 S
        for layer in range(config.encoder_layers):
            looks = recorder.recorded[attention_site("encoder", layer, "weights")]  # 2N H S S
            weights[layer] += (looks[rows, :, batch.it] * at_noun).sum((0, 2))
    weights /= count
    rows_found = []
    for index in weights.flatten().argsort(descending=True).tolist():
        layer, head = divmod(index, config.heads)
        if weights[layer, head] < LOOKS:
            break
        share = _turned_head(model, batches, Head("encoder", layer, head)) / count
        weight = round(float(weights[layer, head]), 4)
        rows_found.append(
            {"head": [layer + 1, head + 1], "weight": weight, "turned": round(share, 4)}
        )
    return rows_found


def _turned_head(model: Transformer, batches: Sequence[MinimalBatch], head: Head) -> int:
    """Count the pronouns that change when a head is turned at "it"."""
    became = 0
    for batch in batches:
        none = pronoun_choice(model, batch, *model.encode(batch.source), {})
        encoded = model.encode(batch.source, Editor(turn(batch, head)))
        turned = pronoun_choice(model, batch, *encoded, {})
        became += int(((turned.leads > 0) != (none.leads > 0)).sum())
    return became


def turned_elsewhere(translator: Translator) -> Mapping[str, Any]:
    """Measure what causes.json holds as `turned` and `lookers`."""
    model, tokenizer = transformer(translator.model), translator.tokenizer
    pairs = held_out_minimal_pairs(PAIRS, unseen_frame=False)
    batches = MinimalPairs(tokenizer, TrainingSettings(config=model.config)).batches(pairs)
    return {
        "turned": [*turned_words(translator), *turned_pronouns(model, batches)],
        "lookers": lookers(model, batches),
    }
