"""A time line of training: the board of all heads, one head in large, the translation, the loss."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.recording.history import CUTS, History
from model.sites.sites import KINDS, Kind
from viz.components import message
from viz.components.component import palette, renderer
from viz.figures.labels import kind_names
from viz.figures.theme import key_axis, query_axis
from viz.language.text import _
from viz.link.offers import here
from viz.pages.learning.marks import Mark, becomes_cause

ENTRY = Path(__file__).parent / "assets" / "timeline.js"
FRAMES = 10
"""The moments per second while it plays."""


def timeline(sent: bytes) -> None:
    """Draw the message of `pack`; the browser sends nothing back."""
    renderer("timeline", ENTRY)(key="timeline", data=sent)


def pack(
    history: History, sentence: int, marks: tuple[Mark, ...], head: tuple[Kind, int, int]
) -> bytes:
    """Pack one sentence of a history for the browser; `head` is drawn large at first.

    Attention (M, L, H, query, key) is sent as differences from the moment before, in bytes that
    wrap around: many differences are 0, so they deflate well.
    """
    known = history.sentences[sentence]
    arrays = {str(kind): _differences(history.attention(sentence, kind)) for kind in KINDS}
    header = {
        "steps": history.steps.tolist(),
        "runs": history.runs,
        "losses": [round(float(loss), 4) for loss in history.dev_loss],
        "right": _shares(history, "none"),
        "cut": _shares(history, "link"),
        "decided": history.decided_under("link"),
        "translations": [moment[sentence] for moment in history.translations],
        "target": known.target,
        "sourceTokens": known.source_tokens,
        "targetTokens": known.target_tokens,
        "marks": [asdict(mark) for mark in marks],
        "dip": cause.dip if (cause := becomes_cause(history)) else (),
        "head": head,
        "link": here(moment="{step}", kind="{kind}", layer="{layer}", head="{head}"),
        "frames": FRAMES,
        "palette": palette(),
        "kinds": {str(kind): name for kind, name in kind_names().items()},
        "words": _words(),
    }
    return message.pack(header, arrays, deflate=True)


def _shares(history: History, cut: str) -> list[float | None]:
    """Return the share of right pronouns under a cut at each moment, None where unmeasured.

    An undecided one counts half at the last moment, if that was measured.
    """
    shares = history.cuts[:, CUTS.index(cut)].copy()
    if decided := history.decided_under(cut):
        right, wrong = decided
        shares[-1] = (1 + right - wrong) / 2
    return [None if np.isnan(share) else round(float(share), 3) for share in shares]


def _differences(array: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.diff(array, axis=0, prepend=np.zeros_like(array[:1]))


def _words() -> dict[str, str]:
    return {
        "play": _("Play"),
        "pause": _("Pause"),
        "slow": _("slowly"),
        "step": _("step {step} of {last}"),
        "loss": _("loss: {loss}"),
        "right": _("il or elle right: {share}"),
        "cut": _("link from “it” cut: {share}"),
        "moment": _("Moment of training"),
        "reference": _("reference: {text}"),
        "nothing": _("(nothing)"),
        "appeared": _("Last event, step {step}: {text}"),
        "run": _("run {number}"),
        "cutDecided": _("link from “it” cut: {right} right, {wrong} wrong, {undecided} undecided"),
        "asItIs": _("as it is: {share}"),
        "dip": _("The dip: the model unlearns the old way, and has not found the new one yet."),
        "linkCut": _("link cut: {share}"),
        "linkCutHalf": _("link cut: {share}, undecided as half"),
        "steps": _("training step, not to scale"),
        "encoder": _("Encoder"),
        "decoder": _("Decoder"),
        "cross": _("Cross"),
        "query": query_axis(),
        "key": key_axis(),
        "weight": _("weight"),
        "axis": _("loss, nats a piece"),
        "rightAxis": _("il or elle right, measured from step {step} on"),
        "board": _("what every head looks at, layers down, heads across"),
        "curve": _("The loss at every moment, and how often il or elle is right"),
        "large": _("The weights of one head: a row for each query, a column for each key"),
    }
