"""Test which pictures are causes: `python -m model.training.causes --checkpoint en-fr`.

A picture is a link of attention that pages show, such as the one from "it" to the noun it stands
for. It is a cause if its word changes when the link is forbidden in all heads of its kind, and does
not change when the same query loses another key instead. It is a handle if the model writes another
word once the query looks at that word's key. Both are measured on held-out sentences, with the
earlier words given, and written to causes.json in the checkpoint's folder; `turned.py` turns more.
"""

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.card import CAUSES
from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.families import transformer
from model.recording.history import CUTS, UNDECIDED
from model.sites.sites import Head, Kind, mask_site
from model.sites.tap import Edit
from model.tokenizer import Tokenizer
from model.training.data.minimal import MinimalPairs
from model.training.data.pairs import Pair, read_pairs
from model.training.data.samples import languages_of
from model.training.generated.coreference import (
    MinimalPair,
    held_out_minimal_pairs,
)
from model.training.losses.causal import choices_when_cut, right_leads
from model.training.pictures import PAIRS, Heads, Picture, likely, pictures, turned_onto
from model.training.settings import TrainingSettings
from model.training.turned import turned_elsewhere, turned_words
from model.transformer.transformer import Transformer
from model.translator import Translator, load_translator


@dataclass(frozen=True)
class Cause:
    """The effect of cutting one kind of picture, beside the same cut at a random place.

    `sentences` counts the sentences in which the model writes the word without a cut. `changed` and
    `changed_elsewhere` are the shares of these in which it writes another word after the cut.
    `probability`, `cut` and `cut_elsewhere` are the mean probability of the word. `turned` is the
    share that become the other word when the query looks at the other word's key: in the carrier
    for the encoder, in all heads for the other kinds; None where there is no other word.
    """

    name: str
    kind: Kind
    sentences: int
    changed: float
    changed_elsewhere: float
    probability: float
    cut: float
    cut_elsewhere: float
    turned: float | None = None

    @property
    def is_cause(self) -> bool:
        """Return True if the place of the cut is what changes the word.

        It must change at least a fifth of the sentences, and three times as many as elsewhere.
        """
        return self.changed >= 0.2 and self.changed >= 3 * self.changed_elsewhere

    def to_dict(self) -> dict[str, Any]:
        """Return the figures by name, ready for JSON."""
        shares = {
            name: round(figure, 4) for name, figure in asdict(self).items() if type(figure) is float
        }
        return {**asdict(self), **shares, "is_cause": self.is_cause}


def elsewhere(picture: Picture, rng: random.Random) -> Picture:
    """Move a cut to a random place: as many keys, among the others that the query may look at.

    It never takes a begin or end token, or the query's own place.
    """
    if picture.kind == "decoder":
        seen = range(1, max(picture.queries))
    else:
        seen = range(len(picture.source) - 1)
    used = {*picture.keys, *(picture.queries if picture.kind != "cross" else ())}
    free = [position for position in seen if position not in used]
    keys = rng.sample(free, min(len(picture.keys), len(free)))
    return Picture(**{**asdict(picture), "keys": tuple(keys)})


def probabilities(
    model: Transformer, chosen: Sequence[Picture], cut: bool
) -> list[tuple[float, bool]]:
    """Return, for each picture, its word's probability, and True if that is the likeliest piece.

    All pictures must be of one kind; with `cut` their links are forbidden in all heads.
    """
    words = [p.target[p.step + 1] for p in chosen]
    return likely(model, chosen, words, _cut if cut else lambda _some: {})


def share_turned(model: Transformer, chosen: Sequence[Picture], carrier: Head) -> float | None:
    """Return the share of pictures whose word becomes the other word when the query is turned.

    All pictures must be of one kind. Returns None when no picture has another word.
    """
    turnable = [p for p in chosen if p.becomes is not None]
    if not turnable:
        return None
    pieces = [p.becomes for p in turnable if p.becomes is not None]
    heads: Heads = ((carrier.layer, carrier.head),) if turnable[0].kind == "encoder" else ()
    turned = likely(model, turnable, pieces, lambda batch: turned_onto(batch, heads, model))
    return _mean(right for _, right in turned)


def _cut(some: Sequence[Picture]) -> dict[str, Edit]:
    return {mask_site(some[0].kind): _forbid(some)}


def _forbid(some: Sequence[Picture]) -> Edit:
    """Return the edit of a mask (B, T, S) that forbids each row's link."""

    def forbid(mask: Tensor) -> Tensor:
        mask = mask.clone()
        for row, picture in enumerate(some):
            for query in picture.queries:
                mask[row, query, list(picture.keys)] = False
        return mask

    return forbid


def measure(model: Transformer, pictures: Sequence[Picture], carrier: Head) -> list[Cause]:
    """Cut every picture, cut it at a random place, and turn it; return a row for each name."""
    rng = random.Random(0)
    by_name: dict[str, list[Picture]] = defaultdict(list)
    for picture in pictures:
        by_name[picture.name].append(picture)
    rows: list[Cause] = []
    for name, some in by_name.items():
        as_it_is = probabilities(model, some, cut=False)
        written = [p for p, (_, right) in zip(some, as_it_is, strict=True) if right]
        if not written:
            continue
        cut = probabilities(model, written, cut=True)
        cut_elsewhere = probabilities(model, [elsewhere(p, rng) for p in written], cut=True)
        rows.append(
            Cause(
                name,
                some[0].kind,
                len(written),
                changed=1 - _mean(right for _, right in cut),
                changed_elsewhere=1 - _mean(right for _, right in cut_elsewhere),
                probability=_mean(likely for likely, right in as_it_is if right),
                cut=_mean(likely for likely, _ in cut),
                cut_elsewhere=_mean(likely for likely, _ in cut_elsewhere),
                turned=share_turned(model, written, carrier),
            )
        )
    return rows


def _mean(values: Iterator[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)


@dataclass(frozen=True)
class Pronouns:
    """The effects of cuts on il and elle in `sentences` held-out sentences, by each of CUTS.

    `right` is the share in which the right pronoun is the likelier, by however little. `sure` and
    `wrong` are the shares in which it is right and wrong by more than UNDECIDED, so that the rest
    is undecided; older files lack them. `changed` is the share in which
    another pronoun is likelier than in the unchanged model. `apart` is the share of pairs whose two
    sentences get different pronouns from the unchanged model, and `carried` the share of these that
    the memory of "it" changes: in all other pairs both memories say the same. `either` is the mean
    probability of il and elle together; older files lack it.
    """

    sentences: int
    right: dict[str, float]
    changed: dict[str, float]
    apart: float
    carried: float
    either: dict[str, float] = field(default_factory=dict)
    sure: dict[str, float] = field(default_factory=dict)
    wrong: dict[str, float] = field(default_factory=dict)

    def fair(self, cut: str) -> float:
        """Return the share of right pronouns under a cut; an undecided one counts half."""
        return (1 + self.sure[cut] - self.wrong[cut]) / 2


TOGETHER = "all held-out sets"
"""The name of all sets of held-out sentences together."""


def cut_pronouns(
    model: Transformer, tokenizer: Tokenizer, pairs: Sequence[MinimalPair], carrier: Head
) -> Pronouns:
    """Compare il and elle under each of CUTS."""
    minimal = MinimalPairs(tokenizer, TrainingSettings(config=model.config))
    elle: list[Tensor] = []
    apart: list[Tensor] = []
    leads: dict[str, list[Tensor]] = {name: [] for name in CUTS}
    either: dict[str, list[Tensor]] = {name: [] for name in CUTS}
    for batch in minimal.batches(pairs):
        elle.append(batch.elle)
        for name, choice in choices_when_cut(model, batch, carrier).items():
            leads[name].append(choice.leads)
            either[name].append(choice.either)
        says_elle = leads["none"][-1] > 0
        apart.append(says_elle != says_elle[batch.partner])
    right, all_leads = torch.cat(elle), {name: torch.cat(values) for name, values in leads.items()}
    says = {name: values > 0 for name, values in all_leads.items()}
    lead_of_right = {name: right_leads(values, right) for name, values in all_leads.items()}
    told = torch.cat(apart)
    changed = {name: values != says["none"] for name, values in says.items()}
    return Pronouns(
        len(right),
        {name: _share(values == right) for name, values in says.items()},
        {name: _share(values) for name, values in changed.items()},
        _share(told),
        _share(changed["it"][told]) if told.any() else 0.0,
        {name: _share(torch.cat(values)) for name, values in either.items()},
        {name: _share(values > UNDECIDED) for name, values in lead_of_right.items()},
        {name: _share(values < -UNDECIDED) for name, values in lead_of_right.items()},
    )


def _share(values: Tensor) -> float:
    return values.double().mean().item()


def held_out_pronouns(translator: Translator, carrier: Head) -> dict[str, Pronouns]:
    """Cut in known frames with unseen words, in the unseen frame, and in both together."""
    model, tokenizer = transformer(translator.model), translator.tokenizer
    by_frame = {
        name: cut_pronouns(model, tokenizer, held_out_minimal_pairs(PAIRS, unseen_frame), carrier)
        for name, unseen_frame in (("known frames", False), ("unseen frame", True))
    }
    return {**by_frame, TOGETHER: together(list(by_frame.values()))}


def together(sets: Sequence[Pronouns]) -> Pronouns:
    """Merge several sets into one; each share is weighted by its sentences."""
    sentences = sum(pronouns.sentences for pronouns in sets)
    apart = sum(pronouns.apart * pronouns.sentences for pronouns in sets)

    def share(name: str, cut: str) -> float:
        shares = (pronouns.sentences * getattr(pronouns, name)[cut] for pronouns in sets)
        return sum(shares) / sentences

    def by_cut(name: str) -> dict[str, float]:
        return {cut: share(name, cut) for cut in getattr(sets[0], name)}

    return Pronouns(
        sentences,
        by_cut("right"),
        by_cut("changed"),
        apart / sentences,
        sum(pronouns.carried * pronouns.apart * pronouns.sentences for pronouns in sets) / apart
        if apart
        else 0.0,
        by_cut("either"),
        by_cut("sure"),
        by_cut("wrong"),
    )


def carrier_of(translator: Translator) -> Head:
    """Return the head that the checkpoint was trained to carry the noun with, or the default."""
    trained, defaults = translator.card.get("settings", {}), TrainingSettings()
    layer, head = (
        int(trained.get(name, getattr(defaults, name)))
        for name in ("carrier_layer", "carrier_head")
    )
    return Head("encoder", layer - 1, head - 1)


def report(translator: Translator, dev: Sequence[Pair]) -> dict[str, Any]:
    """Measure the contents of causes.json; other sources than English have only turned words."""
    if languages_of(translator.folder)[0] != "en":
        return {"turned": turned_words(translator)}
    carrier = carrier_of(translator)
    model, tokenizer = transformer(translator.model), translator.tokenizer
    causes = measure(model, pictures(tokenizer, dev), carrier)
    return {
        "carrier": [carrier.layer + 1, carrier.head + 1],
        "pictures": [row.to_dict() for row in causes],
        "pronouns": {
            name: asdict(pronouns)
            for name, pronouns in held_out_pronouns(translator, carrier).items()
        },
        **turned_elsewhere(translator),
    }


def _print(content: Mapping[str, Any]) -> None:
    """Print the contents of causes.json as tables."""
    if "pictures" in content:
        _print_cuts(content)
    print("\n| turned | in | sentences | becomes the other, % | probability |")
    for row in content["turned"]:
        print(
            f"| {row['name']} | {row['heads']} | {row['sentences']} | {100 * row['turned']:.0f} "
            f"| {row['probability']:.2f} |"
        )
    if "lookers" not in content:
        return
    print("\n| encoder head | its weight from it to the noun | turned, % |\n|---|---|---|")
    for row in content["lookers"]:
        layer, head = row["head"]
        print(f"| {layer}.{head} | {row['weight']:.2f} | {100 * row['turned']:.1f} |")


def _print_cuts(content: Mapping[str, Any]) -> None:
    print(
        "| picture | kind | sentences | changed, % | elsewhere, % | turned, % "
        "| probability, cut, elsewhere |"
    )
    print("|---|---|---|---|---|---|---|")
    for row in content["pictures"]:
        turned = "-" if row["turned"] is None else f"{100 * row['turned']:.0f}"
        print(
            f"| {row['name']} | {row['kind']} | {row['sentences']} | {100 * row['changed']:.0f} "
            f"| {100 * row['changed_elsewhere']:.0f} | {turned} | {row['probability']:.2f}, "
            f"{row['cut']:.2f}, {row['cut_elsewhere']:.2f} |"
        )
    print(
        "\n| pronouns | cut | right is likelier, % | by over 52:48: right, wrong, undecided, % "
        "| changed, % | il + elle |\n|---|---|---|---|---|---|"
    )
    for name, pronouns in content["pronouns"].items():
        for cut in CUTS:
            right, sure, wrong, changed, either = (
                100 * pronouns[which][cut]
                for which in ("right", "sure", "wrong", "changed", "either")
            )
            shares = f"{right:.1f} | {sure:.1f}, {wrong:.1f}, {100 - sure - wrong:.1f}"
            print(f"| {name} | {cut} | {shares} | {changed:.1f} | {either:.1f} |")


@command
def main() -> None:
    """Measure a checkpoint's pictures, write causes.json beside it and print them."""
    parser = argparse.ArgumentParser(prog="python -m model.training.causes")
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--dev", type=Path, required=True, help="TSV of pairs with names, numbers")
    parser.add_argument("--print", action="store_true", help="write nothing")
    options = parser.parse_args()
    translator = load_translator(options.checkpoint)
    measured = report(translator, read_pairs(options.dev))
    if not options.print:
        content = json.dumps(measured, indent=1) + "\n"
        write_whole(translator.folder / CAUSES, content.encode())
    _print(measured)


if __name__ == "__main__":
    sys.exit(main())
