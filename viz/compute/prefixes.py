"""The change of a sentence's beginning with its end; cached, as in runs."""

from model.measures.prefixes import change_of_beginning
from viz.compute import runs
from viz.compute.models import kept


@kept
def changes(sentence: str, first: int) -> tuple[float, float]:
    """Measure the change of the first pieces under the encoder's own mask, and a decoder's.

    Raises ValueError when there is no sentence, or it has fewer pieces.
    """
    model, ids = runs.translator().model, runs.source(sentence).ids
    free, masked = (change_of_beginning(model, ids, first, hides) for hides in (False, True))
    return free, masked
