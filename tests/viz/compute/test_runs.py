"""What is computed about a sentence shares one way through the model."""

from collections import Counter

import pytest

from model.decoding.beam import Beam
from model.decoding.sampling import Sampling
from model.interventions.heads import AblateHead
from model.learning.recipe import Recipe
from model.tokenizer import Tokenizer
from viz.compute import batches, decodes, effects, learning, openings, pairs, runs
from viz.compute.runs import Subject
from viz.sharing.kept import SHELF

ONE, OTHER, REFERENCE = "My aunt reads a letter.", "My aunt writes a letter.", "Ma tante lit."
OFF = (AblateHead("encoder", 0, 0),)


def test_no_text_is_cut_into_pieces_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    SHELF.remove(lambda _key: True)
    cut: Counter[str] = Counter()
    encode = Tokenizer.encode

    def counted(self: Tokenizer, text: str) -> list[int]:
        cut[text] += 1
        return encode(self, text)

    monkeypatch.setattr(Tokenizer, "encode", counted)
    for interventions in ((), OFF):
        run = runs.run(ONE, interventions)
        for strategy in (decodes.GREEDY, Beam(2), Sampling(2.0, 5, 0.9, 1)):
            decodes.decode(Subject(ONE, interventions), strategy)
        decodes.decode(Subject(ONE, interventions), forced=run.translation.ids[:2], steps=3)
    effects.effect(ONE, OFF)
    effects.leads_without(ONE, OFF, 1, (5, None))
    pair = pairs.pair(ONE, OTHER)
    pairs.pair(ONE, OTHER, OFF)
    assert pair.decision
    pairs.attributions(ONE, pair.decision.prefix, pair.decision.first)
    openings.opening(ONE)
    batches.batch((ONE, OTHER), "right")
    runs.recorded(ONE, "Ma tante.")
    for target in (None, REFERENCE):
        learning.example(ONE, target, 0.1, True)
        learning.one_by_one(ONE, target)
        learning.fed(ONE, target, 0.5, 0)
        learning.descent(ONE, target, Recipe(steps=1))
    assert {ONE, OTHER, REFERENCE} <= set(cut)
    assert max(cut.values()) == 1, cut.most_common(3)
