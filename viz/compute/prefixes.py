"""How a sentence's beginning changes with its end; cached."""

from model.measures.prefixes import change_of_beginning
from viz.compute import runs
from viz.compute.models import kept


@kept
def changes(sentence: str, first: int) -> tuple[float, float]:
    """Measure the change of the `first` pieces, under the encoder's mask and a decoder's mask.

    Raises ValueError when the sentence is empty or has fewer pieces.
    """
    model, ids = runs.translator().model, runs.source(sentence).ids
    free, masked = (change_of_beginning(model, ids, first, hides) for hides in (False, True))
    return free, masked
