"""What is said of il and elle follows from the shares of the models that are compared."""

from dataclasses import replace

import pytest

from viz.compute import ancestors, runs
from viz.compute.pronouns import pronoun_shares
from viz.effect.outcome import lost
from viz.pages.recurrent import choosing_panel
from viz.pages.recurrent.measured import TOSS_UP, finding, table


@pytest.mark.parametrize("shares", [(50.0, 52.0), (50.0, 50.1 + TOSS_UP), (88.0, 97.0)])
def test_a_toss_up_is_said_where_both_models_only_guess(shares: tuple[float, float]) -> None:
    kinds = ("none", "additive")
    cards = [card for kind in kinds if (card := ancestors.recurrent_card(kind))]
    fixed, looking = (
        replace(card, pronouns={"unseen frame": {"right_pronoun": share}})
        for card, share in zip(cards, shares, strict=True)
    )
    said = finding(fixed, looking)
    assert ("toss-up" in said) == all(abs(share - 50) <= TOSS_UP for share in shares)
    assert all(f"{share:.1f}%" in said for share in shares)
    assert "%" not in finding(replace(fixed, pronouns={}), looking)


def test_a_set_that_was_not_measured_leaves_its_cell_empty() -> None:
    card = ancestors.recurrent_card("none")
    assert card is not None
    assert pronoun_shares(card)[-1] is None  # only Transformers are held against goals
    assert list(table({"one": card}).values())[4] == [""]


def test_the_transformers_share_on_the_set_that_nobody_saw_stands_beside_the_others() -> None:
    fixed, looking = (ancestors.recurrent_card(kind) for kind in ("none", "additive"))
    transformer = runs.card()
    assert fixed
    assert looking
    shares = pronoun_shares(transformer) if transformer else ()
    said = finding(fixed, looking, transformer)
    assert all(share is None or f"{share:.1f}%" in said for share in (shares[0], shares[2]))


def test_words_are_counted_as_on_the_other_pages() -> None:
    texts = "le chat noir dort", "le chien dort", "le chat noir dort"
    said = choosing_panel.finding(texts)
    assert lost(texts[0], texts[1]) in said
    assert "the same words" in said
