"""Compare a checkpoint with its goals: `python -m model.training.goals --dev DEV.tsv.gz ...`.

It prints goals and measured figures, and writes both into card.json. A model from Chinese has goals
of its own; those about "it", capitals and words of French are for English to French alone. All
measurements are on sentences outside training. The second pronoun set and the held-out captions are
for the last measurement, not for choosing. `python -m model.training.card` measured the beam's
BLEU.
"""

import argparse
import sys
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from model.command import command
from model.families import Network
from model.measures.head_roles import BestHead
from model.measures.loops import has_loop
from model.recording.history import UNDECIDED
from model.training.card import pronoun_score, write_card
from model.training.causes import TOGETHER, Pronouns, carrier_of, held_out_pronouns
from model.training.data.pairs import Pair, read_pairs
from model.training.data.places import find_phrase
from model.training.data.samples import (
    PARAGRAPH,
    TYPED_CHINESE,
    TYPED_SENTENCES,
    VISITOR_SECOND_SET,
    VISITOR_SENTENCES,
    is_right,
    languages_of,
    sentences_of,
)
from model.training.evaluate import score, translate_all
from model.training.generated.coreference import held_out_frame, held_out_known_frames
from model.training.generated.second_set import second_set
from model.training.loop.vitals import Units, Vitals, Watch
from model.training.turned import ALL_HEADS, turned_words
from model.transformer.layers import EncoderLayer
from model.transformer.transformer import Transformer
from model.translator import Translator, load_translator

DEMO = "The animal didn't cross the street because it was too {}."
LOOKED_FOR = {"tired": "animal", "wide": "street"}
ANTECEDENT, DEMO_GOAL = 0.30, 0.40
AT_LEAST, AT_MOST = "at least", "at most"
TOSS_UP, NEAR = 50.0, 8.0
"""The percentage of right pronouns by chance, and the distance from it that is near enough."""

_CUT = {
    "link": "without the link from it to both nouns",
    "one_head": "without the head that carries it",
    "reads": "with its look at it cut",
}
TURNED_GOALS = {
    "a noun onto another": 95.0,
    "a name onto another": 80.0,
    "a number onto another": 80.0,
}
"""The goals, in per cent, for words whose step is made to look at another word of their kind."""

BLEU = {
    "en": {"test": 50.0, "long sentences (FLORES)": 14.0, "held-out captions": 42.0},
    "zh": {"test": 36.0, "long sentences (NTREX)": 6.0},
}
"""The goals of each file's BLEU, by the language of the source, in the order of the options."""

_SENTENCES = 1000  # sentences of dev for measuring units and heads


@dataclass(frozen=True)
class Goal:
    """A goal and its measured figure; `note` gives details, such as the head."""

    what: str
    goal: float
    figure: float
    sense: Literal["at least", "at most"] = "at least"
    note: str = ""

    @property
    def reached(self) -> bool:
        """Return True if the figure reaches the goal."""
        if self.sense == "at least":
            return self.figure >= self.goal
        return self.figure <= self.goal

    def to_dict(self) -> dict[str, str | float | bool]:
        """Return the fields by name, ready for JSON."""
        return {**asdict(self), "figure": round(self.figure, 3), "reached": self.reached}


def unit_goals(stack: str, units: Units) -> list[Goal]:
    """Compare the worst layer of a stack with the goals of the feed-forward layers, in per cent."""
    rows: list[Goal] = []
    figures: tuple[tuple[str, float, Literal["at least", "at most"], np.ndarray], ...] = (
        ("hidden units above zero, %", 2.0, "at least", units.live),
        ("tokens with no unit above zero, %", 2.0, "at most", units.none),
        ("units ever above zero, %", 90.0, "at least", units.ever),
    )
    for name, goal, sense, shares in figures:
        worst = shares.min() if sense == "at least" else shares.max()
        layers = ", ".join(f"{100 * share:.2f}" for share in shares)
        rows.append(Goal(f"{stack}: {name}", goal, 100 * float(worst), sense, f"layers: {layers}"))
    return rows


def demo_weights(translator: Translator) -> np.ndarray:
    """Return, for each encoder head (L, H), its smaller weight from "it" to animal and to street.

    The weight to animal is measured with "tired" at the end of the sentence, to street with "wide".
    """
    by_noun = []
    for adjective, noun in LOOKED_FOR.items():
        source = DEMO.format(adjective)
        weights = translator.record(source).attention("encoder")  # L H S S
        queries = find_phrase(translator.tokenizer, source, "it")
        keys = find_phrase(translator.tokenizer, source, noun)
        by_noun.append(weights[:, :, queries][..., keys].sum(-1).mean(-1))
    return np.minimum(*by_noun)


def antecedent_goals(vitals: Vitals, demo: np.ndarray) -> list[Goal]:
    """Compare the head that comes nearest to both goals about the antecedent."""
    mean = vitals.scores["antecedent"]
    nearness = np.minimum(mean / ANTECEDENT, demo / DEMO_GOAL)
    layer, head = (int(n) for n in np.unravel_index(nearness.argmax(), nearness.shape))
    where = f"encoder {layer + 1}.{head + 1}"
    best = vitals.best("antecedent")
    note = f"{where}; best alone: {_where(best)} with {best.value:.2f}"
    name = 'from "it", the antecedent minus the other noun'
    return [
        Goal(name, ANTECEDENT, float(mean[layer, head]), note=note),
        Goal("demo: animal when tired, street when wide", DEMO_GOAL, float(demo[layer, head])),
    ]


def head_goals(vitals: Vitals) -> list[Goal]:
    """Compare the encoder heads with the goals about neighbours and the end token."""
    before, after = vitals.best("previous"), vitals.best("next")
    return [
        Goal("a head on the token before", 0.80, before.value, note=_where(before)),
        Goal("a head on the token after", 0.60, after.value, note=_where(after)),
        Goal("mean weight on </s> and punctuation", 0.35, vitals.aside, "at most"),
    ]


def _where(head: BestHead) -> str:
    return f"encoder {head.layer}.{head.head}"


def translation_goals(
    translator: Translator, files: Sequence[tuple[str, float, Path | None]]
) -> list[Goal]:
    """Translate files greedily: BLEU against its goal for each, and all loops together."""
    rows: list[Goal] = []
    loops: list[str] = []
    for name, goal, path in files:
        if path is None:
            continue
        pairs = read_pairs(path)
        sources = [pair.source for pair in pairs]
        # One by one: in a batch, which has no cache, long sentences take many times as long.
        translations = [translator.translate(source).text for source in sources]
        total = score(translations, [pair.target for pair in pairs], sources)[0]
        note = f"{len(pairs)} sentences, chrF {total.chrf:.1f}"
        rows.append(Goal(f"BLEU, greedy: {name}", goal, total.bleu, note=note))
        loops += [
            translation
            for translation in translations
            if has_loop(translator.tokenizer.encode(translation))
        ]
    first_loop = loops[0][:80] if loops else ""
    return [*rows, Goal("translations with a loop", 10, len(loops), "at most", first_loop)]


def with_encoder_heads_off(model: Network) -> Network:
    """Return a copy whose encoder heads have no output; ValueError where there are none."""
    if not isinstance(model, Transformer):
        raise ValueError("a recurrent encoder has no heads")
    copy = deepcopy(model)
    with torch.no_grad():
        for layer in copy.encoder.layers:
            if isinstance(layer, EncoderLayer):
                layer.self_attn.out.weight.zero_()
    return copy


def encoder_goal(translator: Translator, pairs: Sequence[Pair]) -> Goal:
    """Return the share of the BLEU that remains with every encoder head off, in per cent.

    It was 69 % in a model whose decoder had learned to find everything by itself.
    """
    sources, targets = [pair.source for pair in pairs], [pair.target for pair in pairs]
    usual, left = (
        score(translate_all(model, translator.tokenizer, sources), targets, sources)[0].bleu
        for model in (translator.model, with_encoder_heads_off(translator.model))
    )
    note = f"{left:.1f} of {usual:.1f} on {len(pairs)} dev sentences"
    share = 100 * left / usual if usual else 0.0
    return Goal("BLEU left with every encoder head off, %", 40, share, "at most", note)


def paragraph_goal(translator: Translator) -> Goal:
    """Translate the paragraph as one text, and count its sentences."""
    paragraph = translator.translate(" ".join(PARAGRAPH)).text
    count = sentences_of(paragraph)
    return Goal("sentences of a paragraph of three", len(PARAGRAPH), count, note=paragraph)


def sentence_goals(translator: Translator, source: str) -> list[Goal]:
    """Translate the visitors' sentences of a language; the note lists wrong translations."""
    sets = {
        "en": (
            ("sentences of visitors, right, %", 90, VISITOR_SENTENCES),
            ("sentences of visitors, second set, right, %", 90, VISITOR_SECOND_SET),
            ("typed strings, right, %", 85, TYPED_SENTENCES),
        ),
        "zh": (("typed strings, right, %", 75, TYPED_CHINESE),),
    }
    return [_visitor_goal(translator, *one) for one in sets[source]]


def capitals_goal(translator: Translator, pairs: Sequence[Pair]) -> Goal:
    """Return the BLEU of sentences in capitals, in per cent of their usual BLEU."""
    usual, capitals = (
        score(
            translate_all(translator.model, translator.tokenizer, [pair.source for pair in some]),
            [pair.target for pair in some],
            [pair.source for pair in some],
        )[0].bleu
        for some in (pairs, [Pair(pair.source.upper(), pair.target.upper()) for pair in pairs])
    )
    note = f"{capitals:.1f} of {usual:.1f} on {len(pairs)} dev sentences"
    share = 100 * capitals / usual if usual else 0.0
    return Goal("in capitals: BLEU of the same sentences, % of the usual one", 85, share, note=note)


def _visitor_goal(translator: Translator, name: str, goal: float, sentences: Sequence[str]) -> Goal:
    translations = {english: translator.translate(english).text for english in sentences}
    wrong = [english for english, french in translations.items() if not is_right(english, french)]
    share = 100 * (len(translations) - len(wrong)) / len(translations)
    listed = " / ".join(f"{english} > {translations[english]}" for english in wrong)
    note = (
        f"{len(wrong)} of {len(translations)} wrong: {listed}"
        if wrong
        else f"{len(translations)} sentences"
    )
    return Goal(name, goal, share, note=note)


def pronoun_goals(translator: Translator) -> list[Goal]:
    """Return the right pronouns, in per cent, of every held-out set."""
    sets = (
        ("unseen words, known frames", held_out_known_frames()),
        ("unseen frame", held_out_frame()),
        ("second set, never looked at", second_set()),
    )
    rows: list[Goal] = []
    counts: list[int] = []
    for name, pairs in sets:
        scored = pronoun_score(translator, pairs)
        note = f"{scored['sentences']} sentences, {scored['exact']} % to the letter"
        rows.append(Goal(f"right pronoun, %: {name}", 97, scored["right_pronoun"], note=note))
        counts.append(int(scored["sentences"]))
    return [together_goal(rows[:2], counts[:2]), *rows]


def together_goal(rows: Sequence[Goal], counts: Sequence[int]) -> Goal:
    """Merge the goals of the sets that may be looked at; `counts` are their sentences."""
    figure = sum(row.figure * count for row, count in zip(rows, counts, strict=True)) / sum(counts)
    note = f"{sum(counts)} sentences"
    return Goal(f"right pronoun, %: {TOGETHER}", 97, round(figure, 1), note=note)


def cause_goals(translator: Translator) -> list[Goal]:
    """Compare the effects that cuts and carried memory have on il and elle with the goals."""
    carrier = carrier_of(translator)
    head = f"encoder {carrier.layer + 1}.{carrier.head + 1}"
    rows: list[Goal] = []
    for name, measured in held_out_pronouns(translator, carrier).items():
        fair = {cut: 100 * measured.fair(cut) for cut in _CUT}
        changed = {cut: 100 * share for cut, share in measured.changed.items()}
        either = 100 * min(measured.either[cut] for cut in _CUT)
        figures: list[tuple[str, float, float, Literal["at least", "at most"]]] = [
            ("pronouns that the memory of it changes, %", 95.0, changed["it"], AT_LEAST),
            (
                "pronouns that the memory of all but it changes, %",
                5.0,
                changed["all but it"],
                AT_MOST,
            ),
            (
                "pronouns that the head turned to the other noun changes, %",
                95.0,
                changed["turn"],
                AT_LEAST,
            ),
            ("il and elle together under any cut, at least, %", 90.0, either, AT_LEAST),
        ]
        for cut, under_cut in _CUT.items():
            figures += [
                (f"right pronoun {under_cut}, %", TOSS_UP + NEAR, fair[cut], AT_MOST),
                (
                    f"right pronoun {under_cut}, not wrong either, %",
                    TOSS_UP - NEAR,
                    fair[cut],
                    AT_LEAST,
                ),
            ]
        uncut = 100 * measured.right["none"]
        note = f"{measured.sentences} sentences, {uncut:.1f} % right uncut; the head: {head}"
        note += f"; the memory changes {100 * measured.carried:.1f} %"
        note += f" of the {100 * measured.apart:.1f} % whose pairs have two pronouns"
        rows += [
            Goal(f"{label}: {name}", goal, figure, way, note + _counted(measured, label))
            for label, goal, figure, way in figures
        ]
    return rows


def _counted(measured: Pronouns, label: str) -> str:
    """Say how a right pronoun under a cut was counted; "" for another goal."""
    cut = next((cut for cut, under_cut in _CUT.items() if under_cut in label), None)
    if cut is None:
        return ""
    right, sure, wrong = (
        100 * shares[cut] for shares in (measured.right, measured.sure, measured.wrong)
    )
    return (
        f"; {sure:.1f} % right, {wrong:.1f} % wrong, {100 - sure - wrong:.1f} % undecided (il and "
        f"elle within {UNDECIDED} nats), which count half; the right one is the likelier, by "
        f"however little, in {right:.1f} %"
    )


def turned_goals(words: Sequence[dict[str, Any]]) -> list[Goal]:
    """Compare the words that all cross heads, turned along the alignment, change with the goals.

    `words` are the rows of `turned_words`; a missing kind of word counts as 0.
    """
    by_name = {row["name"]: row for row in words if row["heads"] == ALL_HEADS}
    rows: list[Goal] = []
    for name, goal in TURNED_GOALS.items():
        row = by_name.get(name, {"turned": 0.0, "sentences": 0})
        note = f"{row['sentences']} simple sentences, all cross heads"
        rows.append(Goal(f"turned: {name}, %", goal, 100 * row["turned"], note=note))
    return rows


def beam_goal(card: dict[str, dict[str, dict[str, list[dict[str, float]]]]]) -> list[Goal]:
    """Take the beam's BLEU from the card, if it is there."""
    rows = card.get("quality", {}).get("test", {}).get("beam 4")
    return [Goal("BLEU, beam 4: test", 51, float(rows[0]["bleu"]))] if rows else []


def all_goals(translator: Translator, options: argparse.Namespace) -> list[Goal]:
    """Measure the goals, in the order of the table.

    Raises ValueError for a model from a language without goals.
    """
    source = languages_of(translator.folder)[0]
    if source not in BLEU:
        raise ValueError(f"no goals are set for a model from {source!r}")
    pairs: list[Pair] = read_pairs(options.dev)[:_SENTENCES]
    pronouns = [*held_out_known_frames(), *held_out_frame()]
    vitals = Watch(translator.tokenizer, pairs, pronouns).measure(translator.model)
    paths = (options.test, options.long, options.captions)
    named = zip(BLEU[source].items(), paths, strict=False)  # Chinese has no captions kept aside
    files = [(name, goal, path) for (name, goal), path in named]
    english = source == "en"
    return [
        *unit_goals("encoder", vitals.encoder),
        *unit_goals("decoder", vitals.decoder),
        *(antecedent_goals(vitals, demo_weights(translator)) if english else ()),
        *head_goals(vitals),
        *translation_goals(translator, files),
        *(beam_goal(translator.card) if english else ()),
        encoder_goal(translator, pairs),
        *(french_goals(translator, pairs) if english else ()),
        *sentence_goals(translator, source),
    ]


def french_goals(translator: Translator, pairs: Sequence[Pair]) -> list[Goal]:
    """Measure the goals of a model from English to French alone."""
    return [
        capitals_goal(translator, pairs),
        *pronoun_goals(translator),
        *cause_goals(translator),
        *turned_goals(turned_words(translator)),
        paragraph_goal(translator),
    ]


@command
def main() -> None:
    """Measure, print a table and write it into the card."""
    parser = argparse.ArgumentParser(prog="python -m model.training.goals")
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--dev", type=Path, required=True, help="for units and heads")
    parser.add_argument("--test", type=Path, required=True, help="everyday sentences")
    parser.add_argument("--long", type=Path, help="long sentences")
    parser.add_argument("--captions", type=Path, help="what hold_out.py took out")
    parser.add_argument("--print", action="store_true", help="leave the card as it is")
    options = parser.parse_args()
    translator = load_translator(options.checkpoint)
    rows = all_goals(translator, options)
    print("| goal | wanted | measured | | where |\n|---|---|---|---|---|")
    for row in rows:
        outcome = "reached" if row.reached else "missed"
        print(
            f"| {row.what} | {row.sense} {row.goal} | {row.figure:.2f} | {outcome} | {row.note} |"
        )
    if not options.print:
        write_card(translator.folder, {"goals": [row.to_dict() for row in rows]})


if __name__ == "__main__":
    sys.exit(main())
