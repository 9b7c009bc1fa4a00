"""Every kind of intervention does what its formula says, in a run, in a link and in the parts."""

from itertools import product

import numpy as np
import pytest

from model.interventions.base import Intervention
from model.interventions.link_text import read, write
from model.interventions.table import INTERVENTIONS
from model.sites.sites import KINDS
from tests.model.interventions.samples import CONFIG, SAMPLES, assert_same, plain, recorded

EVERY = pytest.mark.parametrize("kind", INTERVENTIONS, ids=lambda kind: kind.__name__)


def test_every_kind_has_its_formula() -> None:
    assert set(SAMPLES) == set(INTERVENTIONS)
    for kind, samples in SAMPLES.items():
        assert samples
        assert all(type(sample.interventions[0]) is kind for sample in samples[:1])


@EVERY
def test_a_run_is_as_by_hand(kind: type[Intervention]) -> None:
    for sample in SAMPLES[kind]:
        expected = sample.changed(plain())
        assert_same(expected, *sample.interventions, source=sample.source)


@EVERY
def test_a_link_says_it(kind: type[Intervention]) -> None:
    for sample in SAMPLES[kind]:
        text = write(sample.interventions)
        found = read(text)
        assert (set(found.interventions), found.refused) == (set(sample.interventions), ())
        assert write(found.interventions) == text
        assert not set(text) - set(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_~"
        )


@EVERY
def test_the_parts_of_a_score_add_up_to_it(kind: type[Intervention]) -> None:
    for sample in SAMPLES[kind]:
        recording = recorded(*sample.interventions)
        for of in KINDS:
            for layer, head in product(range(CONFIG.layers(of)), range(CONFIG.heads)):
                scores = recording.part(of, layer, "scores")[head]
                factors = recording.score_factors(of, layer)[head]
                for query, key in ((2, 1), (len(scores) - 1, 0)):
                    if np.isnan(factors[query, key]):
                        with pytest.raises(ValueError, match="do not multiply this score"):
                            recording.score_parts(of, layer, head, query, key)
                        continue
                    total = recording.score_parts(of, layer, head, query, key).total
                    if np.isfinite(scores[query, key]):
                        assert total == pytest.approx(scores[query, key], abs=1e-4)
                    assert np.isfinite(total)
