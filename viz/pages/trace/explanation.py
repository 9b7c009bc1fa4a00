"""Texts about the maps of a trace: what they show, and what they do not."""

from model.recording.trace import Part
from viz.language.text import _
from viz.language.wording import in_a_row


def nothing() -> str:
    """Say that two sentences never part."""
    return _(
        "Nothing to trace: choose a second sentence that the model continues differently "
        "at some step, such as one of the well-known pairs."
    )


def carried(part: Part, restored: bool) -> str:
    """Say what a cell of this view carries over and shows, and how to read restoring.

    It also explains the column letters of sublayers.
    """
    said: list[str] = []
    if part == "sublayer":
        said.append(
            _(
                "Only what one sublayer adds is carried over, not the sum of all so far as in the "
                "residual stream: so the layer that counts most may be another. a: "
                "self-attention, c: cross-attention, f: feed-forward."
            )
        )
    elif not restored:
        said.append(
            _(
                "Each cell: only this vector is taken from the other sentence. 0: the answer stays "
                "as here. 1: it becomes the other one."
            )
        )
    if restored:
        said.append(_("Restored: what brings this sentence's answer back is 0 here."))
    return in_a_row(said)


def together() -> str:
    """Say that heads do not add up."""
    return _(
        "What several heads do together is more, or less, than the sum of what each does alone."
    )


def unchanged() -> str:
    """Say that a map does not follow the changes in force."""
    return _("The map is that of the unchanged model.")


def pressing(restored: bool) -> str:
    """Say what a press on a cell does, or why it does nothing."""
    if restored:
        return _("Here the other sentence runs: to press a cell, bring the other in.")
    return _("Press a cell: that vector is then taken from the other sentence, on all pages.")


def caution() -> str:
    """Say what was measured, and what was not."""
    return _(
        "Each cell is one run of the unchanged model, in which **one vector**, of one token at "
        "one place, is taken from a run of the other sentence. Its number says how far the "
        "log-odds of the two deciding pieces move at the step where the two sentences go on "
        "differently: 0 as in this sentence, 1 as in the other, beyond both if it overshoots. Both "
        "are given the same beginning of the translation.\n\n"
        "Pieces are paired by the common beginning and end of both sentences. A grey row has no "
        "partner: nothing of it can be taken from there.\n\n"
        "A cell near 1 says that this vector **suffices** to turn the answer; restored, a cell "
        "near 0 says that it suffices to bring this sentence's answer back. A cell that moves "
        "nothing does not say that nothing happens there: another place may carry the same. And "
        "it is one pair of sentences: what it shows may be the rule, or not."
    )
