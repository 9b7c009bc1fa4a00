"""The topic "a head being born": the history of the model's own training."""

import numpy as np
import streamlit as st

from model.recording.history import CUTS, UNDECIDED, History
from model.results import Run
from model.sites.sites import Head, Kind
from viz.compute import examples, learning, models, runs
from viz.language.text import _, _n
from viz.language.wording import in_a_row, listed
from viz.link import edits
from viz.pages.learning.lesson import controls
from viz.pages.learning.marks import becomes_cause, find_marks, looks_at_meant
from viz.pages.learning.timeline import pack, timeline
from viz.shell import state
from viz.shell.chooser import offer_page_with
from viz.shell.finding import say


def lead(history: History) -> str:
    """Return the lead; a run that continued an earlier model begins with that model's heads."""
    card = runs.card()
    if card is None or card.start is None or len(history.runs) > 1:
        return _("From noise to a translation, in all heads at once.")
    return _("From an earlier model's heads to these, all at once.")


def finding(history: History, sentence: int) -> str:
    """Say when a head looks at the noun of "it", and when that decides; else return the lead."""
    seen = looks_at_meant(history, sentence, examples.current().story)
    cause = becomes_cause(history)
    if seen is None or cause is None:
        return lead(history)
    claim = _(
        "When does a head find the noun of “it”? At **step {first}**. When does that matter? At "
        "**step {second}** cutting the link costs **{points} points**."
    ).format(
        first=f"{int(history.steps[seen.moment]):,}",
        second=f"{int(history.steps[cause.moment]):,}",
        points=f"{cause.points:.0f}",
    )
    if not cause.trained:
        return claim
    began, cut = int(history.steps[cause.measured]), cause.cut[0]
    trained = _(
        "It was *trained* to need it from step {step} on; before, {cut} were right with it cut."
    ).format(step=f"{began:,}", cut=f"{cut:.0%}")
    return in_a_row((claim, trained))


def _meant(history: History, sentence: int) -> Head | None:
    """Return the head that the finding is about, if any."""
    seen = looks_at_meant(history, sentence, examples.current().story)
    return Head(*seen.head) if seen and seen.head else None


def is_kept() -> bool:
    """Return True if the checkpoint has a readable history of its training."""
    try:
        return learning.history() is not None
    except ValueError:
        return False


def show(run: Run) -> None:
    """Draw the history of the checkpoint's training, or say in one sentence that there is none."""
    try:
        history = learning.history()
    except ValueError:
        st.warning(_("The history of this model's training is damaged and cannot be shown."))
        return
    if history is None:
        offer_page_with(
            _("No history of its training comes with this model: only its last weights were kept."),
            models.default(),
        )
        return
    sources = [sentence.source for sentence in history.sentences]
    start = sources.index(run.source.text) if run.source.text in sources else None
    title = st.container()
    above = st.container()  # the time line comes first; the choice of its sentence is below it
    row = controls()
    chosen = row.selectbox(
        _("Sentence, recorded while the model learned"), sources, start or 0, key="known", width=720
    )
    number = sources.index(chosen)
    first = _meant(history, number) if start is None else None
    view = state.shown_head(run.recording.config, first)
    with title:
        say(finding(history, number))
        if start is None:
            st.caption(_("Your sentence was not recorded while the model learned: choose below."))
    with above:
        timeline(sent(history, number, (view.kind, view.layer, view.head)))
    if edits.interventions():
        st.caption(_("Recorded while the unchanged model learned: your change does not touch it."))
    with st.expander(_("What am I looking at?")):
        for caption in captions(history):
            st.caption(caption)


def captions(history: History) -> list[str]:
    """Return the captions: how the moments were recorded and measured, and how runs join."""
    lines = [
        _(
            "The decoder is fed with the reference at every moment, so a row is always the same "
            "piece; the translation is the model's own. Moments are spaced by powers: the first "
            "ones are a step apart, the last ones {steps}. What the buttons say was found in this "
            "file: each leads to the first moment at which it is true for this sentence. A "
            "later moment may lose it again."
        ).format(steps=f"{int(np.diff(history.steps, prepend=0)[-1]):,}")
    ]
    card = runs.card()
    if card and card.dev_loss is not None:
        lines.append(
            _(
                "At every moment the loss was measured on a quarter of the dev sentences only. On "
                "all of them it was {loss:.3f} in the end."
            ).format(loss=card.dev_loss)
        )
    if not np.isnan(history.cuts).all():
        lines.append(
            _(
                "Two more lines belong to the later runs: how often il or elle is right in "
                "generated sentences kept out of training, all of known frames, as it is and "
                "with the link from *it* to both nouns cut in all encoder heads: 50% is a toss-up. "
                "Where they part, the picture has become a cause. Those runs were trained to need "
                "that link."
            )
        )
        cause = becomes_cause(history)
        if cause and cause.dip:
            shares = history.cuts[:, CUTS.index("none")]
            lines.append(
                _(
                    "While they learned to need it, as few as {least} were right as it is; in "
                    "the end {last} are."
                ).format(
                    least=f"{shares[list(cause.dip)].min():.0%}",
                    last=f"{shares[~np.isnan(shares)][-1]:.0%}",
                )
            )
    if decided := history.decided_under("link"):
        right, wrong = decided
        lines.append(
            _(
                "At the last moment a choice is undecided if il and elle are within {limit} nats "
                "of each other, at most 52 to 48, and counts half: with the link cut {undecided} "
                "are undecided, {right} right, {wrong} wrong. Of earlier moments only the likelier "
                "one is known; by that measure the last one would have {likelier}."
            ).format(
                limit=UNDECIDED,
                undecided=f"{1 - right - wrong:.0%}",
                right=f"{right:.0%}",
                wrong=f"{wrong:.0%}",
                likelier=f"{history.cuts[-1, CUTS.index('link')]:.0%}",
            )
        )
    return lines + _joints(history)


def _joints(history: History) -> list[str]:
    """Say how each run continues the run before; what begins at the last moment is their mean."""
    lines: list[str] = []
    further: list[str] = []
    for begin in history.runs[1:]:
        step, last = (int(history.steps[moment]) for moment in (begin, begin - 1))
        if begin == len(history.steps) - 1:
            break
        if step - last < step / 10:
            further.append(f"{step:,}")
            continue
        lines.append(
            _(
                "More than one run made this model. At the grey line, step {step}, a run goes on "
                "from the weights of the one before. That one was recorded afterwards: it was made "
                "again, with the same data and seed, as far as step {last}; of the steps from "
                "there to the line nothing was kept."
            ).format(step=f"{step:,}", last=f"{last:,}")
        )
    if further:
        lines.append(
            _n(
                "At the grey line, step {steps}, another run goes on from these weights.",
                "At each of the grey lines, steps {steps}, another run goes on from the weights "
                "of the one before.",
                len(further),
            ).format(steps=listed(further))
        )
    if len(history.runs) > 1 and history.runs[-1] == len(history.steps) - 1:
        lines.append(_("At the last grey line stands the mean of several runs, which is shipped."))
    return lines


def sent(history: History, sentence: int, head: tuple[Kind, int, int]) -> bytes:
    """Pack a sentence of the history, by its number, for the browser; `head` is large at first."""
    marks = find_marks(history, sentence, examples.current().story)
    return pack(history, sentence, marks, head)
