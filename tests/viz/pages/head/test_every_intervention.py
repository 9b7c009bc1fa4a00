"""The page about a head recomputes what every kind of intervention does."""

from itertools import product

import pytest

from model.interventions.base import Intervention
from model.interventions.table import INTERVENTIONS
from model.sites.sites import KINDS, Head
from tests.model.interventions.samples import CONFIG, SAMPLES, recorded
from viz.pages.head.numbers import differences
from viz.pages.head.reading import read


@pytest.mark.parametrize("kind", INTERVENTIONS, ids=lambda kind: kind.__name__)
def test_one_head_is_recomputed_with_it(kind: type[Intervention]) -> None:
    for sample in SAMPLES[kind]:
        recording = recorded(*sample.interventions)
        for of in KINDS:
            for layer, head in product(range(CONFIG.layers(of)), range(CONFIG.heads)):
                sublayer, made = read(recording, Head(of, layer, head))
                for query in (0, 2, len(sublayer.x) - 1):
                    found = differences(sublayer, made, head, query)
                    assert max(found.values()) < 1e-4, (sample.interventions, of, layer, found)
