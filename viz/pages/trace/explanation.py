"""Texts about the maps of a trace: what they show, and what they do not."""

from collections.abc import Sequence

import numpy as np

from model.recording.trace import Part, Trace
from viz.figures.labels import Number, head_text
from viz.figures.theme import token_text
from viz.language.text import _
from viz.language.wording import escaped
from viz.pages.trace import views
from viz.pages.trace.trace_map import Map
from viz.pages.trace.way import FEW, moves, way


def where_it_passes(residual: Trace, tokens: Sequence[str], words: tuple[str, str]) -> str:
    """Say from which token to which other the answer passes in the encoder, and in which layers."""
    decides = _("**{first} or {second}?**").format(
        first=escaped(words[0]), second=escaped(words[1])
    )
    found = way(residual)
    start, end = found.ends
    if end is None:
        return f"{decides} {_nothing_moves(residual)}"
    names = {token: escaped(token_text(tokens[token]).strip("·")) for token, _at in found.held}
    told = {"second": names[end], "count": len(found.passes)}
    if start is None:
        told |= {"layer": found.held[0][1]}
        text = _(
            "In encoder layer {layer} the answer comes together in one vector; up to there no "
            "vector alone moves most of it. In the memory **{second}** holds it."
        )
    elif not found.passes:
        least = min(moves(residual.encoder, residual.restored)[cell] for cell in found.held)
        told |= {"first": names[start], "least": f"{Number(least):.0%}"}
        text = _(
            "The answer hangs on **{first}** in every layer of the encoder, with {least} of it or "
            "more: it does not travel."
        )
    else:
        before, after = found.passes[-1]
        told |= {"first": names[start], "layer": before[1] + 1, "last": after[1]}
        text = _several_steps()
        if len(found.passes) == 1 and after[1] == before[1] + 1:
            text = _("The answer moves from **{first}** to **{second}** in encoder layer {last}.")
        elif len(found.passes) == 1:
            text = _(
                "The answer moves from **{first}** to **{second}** in encoder layers {layer} to "
                "{last}."
            )
    return f"{decides} {text.format(**told)}"


def _several_steps() -> str:
    return _(
        "The answer moves from **{first}** to **{second}** in {count} steps, the last in "
        "encoder layer {last}."
    )


def _nothing_moves(residual: Trace) -> str:
    """Say that no vector moves the answer and, if few have a partner, how few were tried."""
    tried = int(np.isfinite(residual.encoder).any(axis=1).sum())
    if 2 * tried > len(residual.encoder):
        return _("No vector of the encoder alone moves the answer all the way.")
    return _(
        "No vector of the encoder alone moves the answer all the way. Only {tried} of {pieces} "
        "pieces have a partner in the other sentence, so the others were not tried."
    ).format(tried=tried, pieces=len(residual.encoder))


def nothing() -> str:
    """Say that two sentences never part."""
    return _(
        "Nothing to trace: choose a second sentence that the model continues differently "
        "at some step, such as one of the well-known pairs."
    )


def which_sublayer(found: Trace, tokens: Sequence[str]) -> str:
    """Say which encoder sublayer's vector moves the answer most by itself, and at which token."""
    sizes = np.nan_to_num(np.abs(moves(found.encoder, found.restored)))
    token, column = divmod(int(sizes.argmax()), sizes.shape[1])
    if sizes[token, column] < FEW:
        return _("No sublayer of the encoder alone moves the answer.")
    return _(
        "In the encoder, **{sublayer}** at **{token}** alone moves the answer most: to {value}."
    ).format(
        sublayer=views.column_name(found, found.sites["encoder"][column])[1],
        token=escaped(token_text(tokens[token]).strip("·")),
        value=f"{Number(found.encoder[token, column]):.2f}",
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
    return " ".join(said)


def which_head(maps: Sequence[Map], restored: bool) -> str:
    """Say which head's vector moves the answer most by itself."""
    base = 1.0 if restored else 0.0
    found = views.best_head(maps, base)
    if found is None:
        return _("No piece of the other sentence stands for this one: nothing can be carried over.")
    head, value = found
    name = head_text(head.kind, head.layer, head.head)
    if abs(value - base) < FEW:
        return _("No head alone moves the answer here: several do it together, or none.")
    return _("Alone, the vector of **{head}** moves the answer most, to {value}.").format(
        head=name, value=f"{Number(value):.2f}"
    )


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
