"""How often a model writes the right pronoun, by its card."""

from model.checkpoints.card import Card

_NEW_WORDS = "unseen nouns and adjectives, known frames"
_SECOND_SET = "right pronoun, %: second set, never looked at"


def pronoun_shares(card: Card) -> tuple[float | None, ...]:
    """Return how often il or elle is right, in per cent; None where not measured.

    The sets are new frames, new words in known frames, and the second set.
    """
    rows = (card.pronouns.get(name) for name in ("unseen frame", _NEW_WORDS))
    second = next((goal["figure"] for goal in card.goals if goal["what"] == _SECOND_SET), None)
    return *(row["right_pronoun"] if row else None for row in rows), second
