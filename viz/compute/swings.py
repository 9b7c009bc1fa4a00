"""The head that decides between the two sentences of the story; cached."""

from model.checkpoints.examples import StoryPair
from model.measures.deciding import deciding_heads
from model.measures.swing import Swing
from viz.compute import examples, pairs
from viz.compute.models import kept


def story() -> StoryPair:
    """Return the story of the model in force; ValueError when it has none."""
    shipped = examples.current().story
    if shipped is None:
        raise ValueError("its examples have no pair of sentences")
    return shipped


def swing(pair: StoryPair | None = None) -> Swing:
    """Find the head that moves most weight between the deciding words of a pair (None: the story).

    Raises ValueError when there is no such word, or when nothing is decided.
    """
    return swings(pair)[0]


@kept
def swings(pair: StoryPair | None = None) -> tuple[Swing, *tuple[Swing, ...]]:
    """Find such a head in each kind of attention, most moved weight first; errors as in `swing`."""
    chosen_story = pair or story()
    sentences = pairs.pair(chosen_story.first, chosen_story.second)
    if sentences.decision is None:
        raise ValueError("both translations are the same: no head decides between them")
    return deciding_heads(chosen_story, sentences.first.recording, sentences.second.recording)
