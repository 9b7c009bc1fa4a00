"""The measures of the models on many sentences, as a single sentence says little."""

from collections.abc import Mapping

from model.checkpoints.card import Card
from viz.compute.pronouns import pronoun_shares
from viz.language.text import _
from viz.language.wording import in_a_row

TOSS_UP = 5.0
"""Points around 50% within which one of two words is no better than a coin."""


def finding(fixed: Card, looking: Card, transformer: Card | None = None) -> str:
    """Say what a fixed vector and attention reach on the test set, and how well each knows "it".

    If the Transformer was measured on the second set too, which nobody had looked at, its shares on
    both follow. It is not about a single sentence, in which a right word may be a guess.
    """
    template = _("Through one vector: BLEU {fixed:.1f}. Looking at every word: {looking:.1f}.")
    claim = template.format(fixed=fixed.bleu("test"), looking=looking.bleu("test"))
    shares = [pronoun_shares(card)[0] for card in (fixed, looking)]
    first, second = shares
    if first is None or second is None:
        return claim
    template = (
        _("*il* or *elle* is a toss-up for both: {fixed:.1f}% and {looking:.1f}% right.")
        if all(abs(share - 50) <= TOSS_UP for share in (first, second))
        else _("*il* or *elle* is right in {fixed:.1f}% and {looking:.1f}%.")
    )
    claim = in_a_row((claim, template.format(fixed=first, looking=second)))
    known, _new, unseen = pronoun_shares(transformer) if transformer else (None, None, None)
    if known is None or unseen is None:
        return claim
    template = _(
        "The Transformer: {known:.1f}% on the same set, {unseen:.1f}% on a second set that nobody "
        "had looked at."
    )
    return in_a_row((claim, template.format(known=known, unseen=unseen)))


def table(cards: Mapping[str, Card]) -> dict[str, list[str]]:
    """Return the columns of the table of all models, by their titles."""
    sets = (
        _("il or elle right: new frames"),
        _("new words, known frames"),
        _("second set, never looked at"),
    )
    shares = zip(*(pronoun_shares(card) for card in cards.values()), strict=True)
    measured = {
        name: ["" if share is None else f"{share:.1f}%" for share in column]
        for name, column in zip(sets, shares, strict=True)
    }
    return {
        _("model"): list(cards),
        _("BLEU on the test set"): [f"{card.bleu('test'):.1f}" for card in cards.values()],
        **measured,
        _("training steps"): [f"{card.steps_in_all:,}" for card in cards.values()],
    }
