"""The story of two sentences that a visitor typed; cached."""

from model.checkpoints.examples import StoryPair
from model.measures.own_pair import NoPairError, check_decided, differing, own_story
from model.words import words_of
from viz.compute import pairs, runs
from viz.compute.models import kept

MOST_PIECES = 30
"""The longest source: each of its pieces takes runs of the model."""


@kept
def own_pair(first: str, second: str) -> StoryPair:
    """Find what tells two sentences apart; NoPairError when they tell no story."""
    try:
        sources = runs.source(first), runs.source(second)
    except ValueError:
        raise NoPairError("empty") from None
    if (pieces := max(len(source.ids) for source in sources)) > MOST_PIECES:
        raise NoPairError("long", pieces)
    differing(*(words_of(source.tokens[:-1]) for source in sources))
    pair = pairs.pair(sources[0].text, sources[1].text)
    first_tokens, second_tokens = (
        side.run.translation.tokens for side in (pair.first, pair.second)
    )
    check_decided(
        pair.decision, first_tokens, second_tokens, runs.translator().target_tokenizer.end_id
    )
    return own_story(
        (sources[0].text, sources[1].text), pair.first.recording, pair.second.recording
    )
