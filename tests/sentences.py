"""The sentences that the shipped model brings along, by the names that tests know them by."""

from model.checkpoints.checkpoint import CHECKPOINTS
from model.checkpoints.examples import Examples, StoryPair, read_examples


def _ours() -> Examples:
    found = read_examples(CHECKPOINTS / "en-fr")
    assert found is not None
    return found


def _story() -> StoryPair:
    assert OURS.story is not None
    return OURS.story


OURS = _ours()
_NAMES = ("too tired", "too wide", "the bank", "the quick", "thinking machines")
EXAMPLES = {name: next(t for t in OURS.texts if name in t.lower()) for name in _NAMES}
FIRST_SENTENCE = EXAMPLES["too tired"]
TIRED_OR_WIDE = _story()

DECIDING = "encoder 6.4"
"""The head on which both open, as the first page names it: from *it* it looks at the right noun."""
