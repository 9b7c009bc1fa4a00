"""A quiet mark beside the translation of a sentence that is unlike those that the model knows."""

from collections.abc import Sequence
from html import escape

from model.measures.familiarity import Sign
from viz.compute.familiarity import Far
from viz.language.text import _
from viz.language.wording import in_a_row


def mark(reasons: Sequence[Far]) -> str:
    """Return the mark as HTML; "" for an ordinary sentence.

    The mark shows its reasons when it is touched, pointed at or reached with Tab.
    """
    if not reasons:
        return ""
    why = escape(said(reasons))
    return (
        f'<span class="bar-far" tabindex="0" role="note" aria-label="{why}">≁'
        f'<span class="bar-far-why" aria-hidden="true">{why}</span></span>'
    )


def said(unusual: Sequence[Far]) -> str:
    """Say what is unusual about a sentence, and what that means for its translation."""
    reasons: dict[Sign, str] = {
        "long": _("It has more pieces than 99 of 100 sentences that the model was tested on."),
        "rare": _("Its words are rarer: they are cut into more pieces than those of 99 of 100."),
        "unsure": _("The model is less sure of this translation than of 99 in 100 others."),
    }
    worst = min(unusual, key=lambda sign: sign.beyond)
    only_long = [sign.sign for sign in unusual] == ["long"]
    measured = _(
        "Translations of such sentences were worse, chrF {beyond:.0f} instead of {ordinary:.0f}."
    )
    return in_a_row(
        (
            *(() if only_long else (_("Far from what the model learned."),)),
            *(reasons[sign.sign] for sign in unusual),
            *(() if only_long else (_("Do not rely on this translation."),)),
            measured.format(beyond=worst.beyond, ordinary=worst.ordinary),
        )
    )
