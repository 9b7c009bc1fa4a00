"""What changed in heads, on made-up measures with known answers."""

import numpy as np
import pytest

from model.measures.atlas.measures import Measures, changes, surest
from model.measures.atlas.roles import ROLES
from model.sites.sites import Head


def made_up(scores: dict[tuple[str, int, int], float], heads: int = 2) -> Measures:
    """Measures of an encoder of two layers: the scores of some roles; antecedent never arose."""
    found = np.zeros((len(ROLES["encoder"]), 2, heads), np.float32)
    found[ROLES["encoder"].index("antecedent")] = np.nan
    for (role, layer, head), score in scores.items():
        found[[str(one) for one in ROLES["encoder"]].index(role), layer, head] = score
    chance = np.where(found == found, 0.1, 0).astype(np.float32)
    return Measures({"was.scores.encoder": found, "was.chance.encoder": chance}, "was.")


BEFORE = made_up({("previous", 0, 0): 0.2, ("end", 1, 1): 0.9, ("next", 0, 1): 0.5})
NOW = made_up(
    {("previous", 0, 0): 0.7, ("end", 1, 1): 0.1, ("next", 0, 1): 0.45, ("same", 1, 1): 0.6}
)


def test_heads_are_sorted_by_what_changed_most_in_each() -> None:
    found = changes(BEFORE, NOW)
    assert [(one.head.layer, one.head.head, one.role) for one in found[:3]] == [
        (1, 1, "end"),
        (0, 0, "previous"),
        (0, 1, "next"),
    ]
    assert (found[0].before, found[0].now) == (pytest.approx(0.9), pytest.approx(0.1))
    assert found[0].moved == pytest.approx(0.8)
    assert len(found) == 4


def test_one_role_alone_may_be_asked_for_and_one_that_never_arose_changes_nothing() -> None:
    found = changes(BEFORE, NOW, "same")
    assert found[0].head == Head("encoder", 1, 1)
    assert {one.role for one in found} == {"same"}
    assert changes(BEFORE, NOW, "antecedent") == []
    assert changes(BEFORE, NOW, "ne") == []


def test_other_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="heads of encoder"):
        changes(BEFORE, made_up({}, heads=3))


def test_who_has_a_role_and_how_many() -> None:
    assert NOW.kinds == ("encoder",)
    found = surest(NOW, "encoder", "previous")
    assert found is not None
    assert (found.heads, found.head) == (1, Head("encoder", 0, 0))
    assert found.score == pytest.approx(0.7)
    weak = surest(BEFORE, "encoder", "previous")
    assert weak is not None
    assert weak.heads == 0  # 0.2 is hardly above chance
    assert surest(NOW, "encoder", "antecedent") is None
