"""Write the figures of the README from the checkpoints: `python -m model.training.readme`.

A table, or sentences, are between two comments, `<!-- figures: NAME -->` and `<!-- end -->`. The
figures were measured by `card`, `heads` and `causes`.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from model.checkpoints.card import CARD
from model.checkpoints.checkpoint import CHECKPOINTS, write_whole

README = Path(__file__).parents[2] / "README.md"
CHECKPOINT = CHECKPOINTS / "en-fr"

_ROLES = {
    "previous": "the token before",
    "same": "the token itself",
    "next": "the token after",
    "first": "the first token",
    "end": "the end token",
    "punctuation": "punctuation",
    "aligned_given": "the source word aligned with the piece it was given (share of queries)",
    "aligned_predicted": "the source word aligned with the piece it predicts (share of queries)",
    "antecedent": 'antecedent minus the other noun, from "it" (encoder) or from the step that '
    "writes il or elle (cross)",
}
_CHANGES = {
    "none": "unchanged",
    "link": 'the link from "it" to both nouns cut in the encoder',
    "one_head": "encoder {carrier} alone off",
    "reads": 'the look at "it" cut when the pronoun is written',
    "it": 'the vector at "it" taken from the other sentence',
    "turn": 'encoder {carrier} made to look from "it" at the other noun',
}


def heads() -> str:
    """Return the table of the heads with the highest score for each role."""
    rows = [
        (head["kind"], _ROLES[head["score"]], head["layer"], head["head"], f"{head['value']:.2f}")
        for head in _read("heads.json")["best"]
    ]
    return _table(("attention", "looks at", "layer", "head", "mean weight"), rows)


def causes() -> str:
    """Return the table of links, and how often cutting each changes the word."""
    rows = [
        (
            cause["name"],
            cause["kind"],
            _share(cause["changed"]),
            _share(cause["changed_elsewhere"]),
            "" if cause["turned"] is None else _share(cause["turned"]),
            "yes" if cause["is_cause"] else "no",
        )
        for cause in _read("causes.json")["pictures"]
    ]
    names = (
        *("link", "kind", "the word changes", "after the same cut elsewhere"),
        *("becomes another's when turned onto it", "a cause"),
    )
    return _table(names, rows)


def handles() -> str:
    """Return the table of words whose query is turned onto another word."""
    by_name: dict[str, dict[str, str]] = {}
    for row in _read("causes.json")["turned"]:
        by_name.setdefault(row["name"], {})[row["heads"]] = _share(row["turned"])
    heads = ("all cross heads", "layers 5, 6", "layer 5")
    rows = [
        (name, *(of.get(name_of_heads, "") for name_of_heads in heads))
        for name, of in by_name.items()
    ]
    return _table(("turned", *heads), rows)


def decides() -> str:
    """Return the table of right, wrong and undecided pronouns under each change."""
    measured, sets = _read("causes.json"), ("known frames", "unseen frame")
    carrier = ".".join(map(str, measured["carrier"]))
    rows = [
        (
            words.format(carrier=carrier),
            *(_pronouns(measured["pronouns"][name], change) for name in sets),
        )
        for change, words in _CHANGES.items()
    ]
    return _table(("the model", *sets), rows)


def _pronouns(measured: Mapping[str, Mapping[str, float]], change: str) -> str:
    """Return the shares that are right, wrong and undecided, and how often right is likelier."""
    right, wrong = measured["sure"][change], measured["wrong"][change]
    shares = " / ".join(_share(share) for share in (right, wrong, 1 - right - wrong))
    return f"{shares} ({_share(measured['right'][change])})"


def quality() -> str:
    """Return the table of BLEU and chrF on the test pairs, and a sentence on beam search."""
    test = _read(CARD)["quality"]["test"]
    rows = [
        (group["words"], f"{group['sentences']:,}", f"{group['bleu']:.1f}", f"{group['chrf']:.1f}")
        for group in test["greedy"]
    ]
    beam = f"Beam search of width 4 has {test['beam 4'][0]['bleu']:.1f} BLEU."
    names = ("words", "sentences", "BLEU, greedy", "chrF, greedy")
    return f"{_table(names, rows)}\n\n{beam}"


def besides() -> str:
    """Return what was measured for the goals of the training, in sentences."""
    goals = _read(CARD)["goals"]
    figure = {goal["what"]: goal["figure"] for goal in goals}
    captions, long, visitors, second, typed, kept = (
        figure[what]
        for what in (
            "BLEU, greedy: held-out captions",
            "BLEU, greedy: long sentences (FLORES)",
            "sentences of visitors, right, %",
            "sentences of visitors, second set, right, %",
            "typed strings, right, %",
            "BLEU left with every encoder head off, %",
        )
    )
    tests = [goal for goal in goals if goal["what"].startswith("BLEU, greedy: ")]
    translations = sum(int(goal["note"].split()[0]) for goal in tests)
    reached = sum(goal["reached"] for goal in goals)
    return _wrapped(
        f"On captions of photographs it has {captions:.1f} BLEU, on news and encyclopedia (FLORES) "
        f"{long:.1f}. Of the {translations:,} translations of all three sets, "
        f"{figure['translations with a loop']} repeat a piece in a loop. Of the sentences that "
        f"visitors type, {visitors:.0f} % are right in a first set and {second:.0f} % in a second; "
        f"of single words, signs and emoji, {typed:.0f} %. With every encoder head off, it keeps "
        f"{kept:.0f} % of its BLEU on dev sentences. It reaches {reached} of {len(goals)} goals; "
        "the page About lists them all."
    )


def chinese() -> str:
    """Return a sentence on the quality of the Chinese model."""
    card = json.loads((CHECKPOINTS / "zh-en" / CARD).read_text(encoding="utf-8"))
    test = card["quality"]["test"]
    greedy, beam = test["greedy"][0], test["beam 4"][0]
    return _wrapped(
        f"The Chinese model (`zh-en`; its last run took {60 * card['hours']:.0f} minutes) has "
        f"{greedy['bleu']:.1f} BLEU and {greedy['chrf']:.1f} chrF greedily on "
        f"{greedy['sentences']:,} test pairs, and {beam['bleu']:.1f} and {beam['chrf']:.1f} with "
        "beam 4."
    )


def pronouns() -> str:
    """Return the right pronouns in sentences kept out of training: a table, and a second set."""
    rows = [
        (f"{name} ({scored['sentences']})", f"{scored['right_pronoun']} %", f"{scored['exact']} %")
        for name, scored in _read(CARD)["pronouns"].items()
    ]
    names = ("pronoun sentences with", "right pronoun", "whole sentence right")
    what = "right pronoun, %: second set, never looked at"
    second = next(goal for goal in _read(CARD)["goals"] if goal["what"] == what)
    last = _wrapped(
        f"In a second set ({second['note'].split(',')[0]}), whose words are in no training table, "
        f"{second['figure']:.1f} % of the pronouns are right, where guessing gets 50 %."
    )
    return f"{_table(names, rows)}\n\n{last}"


TABLES: Mapping[str, Callable[[], str]] = {
    one.__name__: one
    for one in (heads, causes, decides, handles, quality, besides, chinese, pronouns)
}


def written(text: str) -> str:
    """Return a README with new tables; ValueError when a table's comments are missing."""
    for name, table in TABLES.items():
        begin, end = f"<!-- figures: {name} -->", "<!-- end -->"
        table_text = re.compile(f"{re.escape(begin)}\n.*?\n{re.escape(end)}", re.S)
        if not table_text.search(text):
            raise ValueError(f"no place for figures: {begin} and {end} expected")
        block = f"{begin}\n{table()}\n{end}"
        text = table_text.sub(lambda _, block=block: block, text)
    return text


def _wrapped(text: str) -> str:
    return "\n".join(wrap(text, 100, break_on_hyphens=False))


def _read(name: str) -> dict[str, Any]:
    return json.loads((CHECKPOINT / name).read_text(encoding="utf-8"))


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"


def _table(names: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [names, ["---"] * len(names), *rows]
    marks = [f"| {' | '.join(map(str, line))} |" for line in lines]
    marks[1] = marks[1].replace(" ", "")
    return "\n".join(marks)


if __name__ == "__main__":
    write_whole(README, written(README.read_text(encoding="utf-8")).encode())
