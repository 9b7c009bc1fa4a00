"""The experiments of the page about masks: what to hide or to lift at one press."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from model.interventions.base import Intervention
from model.interventions.masks import LiftMask, PadSource
from model.results import Run
from viz.effect.experiments import Experiment
from viz.language.sides import side_names
from viz.language.text import _
from viz.pages.lab_masks import masks

MOST_PADDING = 40
"""The most pieces of padding that are offered."""


def experiments(
    run: Run,
    words: Sequence[Intervention],
    changes_alone: NDArray[np.float64] | None,
    least: Intervention | None,
    most_tokens: int,
) -> list[Experiment]:
    """List the changes worth trying on this sentence, in a model that takes `most_tokens`.

    `words` hide a word each; `changes_alone` has the change of log-probability, in nats, by each,
    and `least` is the one that the translation misses least.
    """
    pieces, texts = len(run.source.ids), masks.words(run.source.tokens)
    most = int(changes_alone.argmin()) if changes_alone is not None and len(words) else None
    room = min(pieces + MOST_PADDING, most_tokens) - pieces
    padded = PadSource(pieces + min(room, pieces)), LiftMask("encoder"), LiftMask("cross")
    return [
        Experiment(
            _("Let it cheat"),
            (LiftMask("decoder"),),
            _("Lifts the look-ahead mask: the decoder may look at what comes later"),
        ),
        Experiment(
            _("The word that matters most"),
            (words[most],) if most is not None else None,
            _("Hides the word without which the translation is least likely"),
            foreseen=True,
            part=_("“{word}”, by log-probability").format(word=texts[most].text)
            if most is not None
            else "",
        ),
        Experiment(
            _("The word it misses least"),
            None if least is None else (least,),
            _("Hides the word without which fewest words change, and hardly the log-probability"),
        ),
        Experiment(
            _("Without a word of {source}").format(**side_names()),
            tuple(words),
            _("Hides every word: only the end of the sentence can be looked at"),
            foreseen=most is not None,  # not earlier, or another notice would take its place
        ),
        Experiment(
            _("Looking at padding"),
            padded if room else None,
            _("Pads the sentence and lifts the padding mask: padding gets attention"),
        ),
    ]
