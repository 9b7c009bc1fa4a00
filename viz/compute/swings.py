"""The head that decides between the two sentences of the story; cached, as runs."""

from model.checkpoints.examples import StoryPair
from model.measures.deciding import deciding_heads
from model.measures.swing import Swing
from viz.compute import examples, pairs
from viz.compute.models import kept


def story() -> StoryPair:
    """Return the story of the model in force; ValueError when it has none."""
    found = examples.current().story
    if found is None:
        raise ValueError("its examples have no pair of sentences")
    return found


def swing(pair: StoryPair | None = None) -> Swing:
    """Find the head that moves most weight between the deciding words; by default, of the story.

    Raises ValueError when there is no such word, or when nothing is decided.
    """
    return swings(pair)[0]


@kept
def swings(pair: StoryPair | None = None) -> tuple[Swing, *tuple[Swing, ...]]:
    """Find that head in each kind of attention, widest first; ValueError as above."""
    asked = pair or story()
    both = pairs.pair(asked.first, asked.second)
    if both.decision is None:
        raise ValueError("both translations are the same: no head decides between them")
    return deciding_heads(asked, both.first.recording, both.second.recording)
