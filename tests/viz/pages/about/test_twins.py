"""The table of small twins: a row for each that is there, and none for any other."""

import json
from collections import defaultdict
from typing import Any

from model.checkpoints.card import load_card
from viz.compute import models
from viz.pages.about.twins import TWINS, measured, table

PARTS = {"positions": "sinusoid", "scores": "dot", "activation": "relu", "heads": 4}
"""The parts in which twins differ, and the paper's choices (the heads are those of their size)."""


def there() -> dict[str, str]:
    return {what: name for what in TWINS if (name := models.twin("en-fr", what))}


def test_the_table_has_a_row_for_each_twin_that_is_there_with_its_own_numbers() -> None:
    assert {"sinusoid", "learned", "rotary"} <= set(there())
    twins = measured()
    assert len(twins) == len(there())
    columns = list(table(twins).values())
    for row, name in enumerate(there().values()):
        card = load_card(models.folder_of(name))
        assert [column[row] for column in columns[1:]] == [
            f"{card.steps_in_all:,}",
            f"{card.dev_loss:.2f}",
            f"{card.bleu('test'):.1f}",
        ]


def test_twins_of_as_many_steps_are_small_and_differ_in_one_part_from_the_first_of_them() -> None:
    groups: defaultdict[int, dict[str, dict[str, Any]]] = defaultdict(dict)
    for what, name in there().items():
        folder = models.folder_of(name)
        assert sum(file.stat().st_size for file in folder.iterdir()) <= 5_000_000
        card = load_card(folder)
        groups[card.steps_in_all][what] = json.loads(json.dumps(card.settings))
    for settings in groups.values():
        parts = {
            what: {part: each["config"].pop(part, usual) for part, usual in PARTS.items()}
            for what, each in settings.items()
        }
        first, *others = parts
        assert parts[first] == PARTS
        for other in others:
            assert settings[other] == settings[first]
            assert len(set(parts[other].items()) - set(PARTS.items())) == 1


def test_a_model_without_twins_has_no_table() -> None:
    with models.using("zh-en"):
        assert measured() == []
