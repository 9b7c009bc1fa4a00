"""Texts about the maps of a trace: what they show, and what they do not."""

from collections.abc import Sequence

from model.recording.trace import Part, Trace
from viz.figures.labels import Number, head_text
from viz.figures.theme import token_text
from viz.language.text import _
from viz.language.wording import escaped
from viz.pages.trace import views
from viz.pages.trace.trace_map import Map

FEW = 0.05
"""A smaller move of the answer counts as none."""


def where_it_passes(
    residual: Trace, tokens: Sequence[str], words: tuple[str, str], part: Part, restored: bool
) -> str:
    """Say which token decides the answer at the input, and which one in the memory."""
    decides = _("**{first} or {second}?**").format(
        first=escaped(words[0]), second=escaped(words[1])
    )
    values = residual.encoder
    start, end = (views.strongest(values[:, column]) for column in (0, -1))
    told = {
        "first": escaped(token_text(tokens[start]).strip("·")),
        "second": escaped(token_text(tokens[end]).strip("·")),
        "before": f"{Number(values[start, 0]):.2f}",
        "after": f"{Number(values[end, -1]):.2f}",
    }
    if start == end:
        text = _(
            "The answer hangs on *{first}* at the input ({before}) and still in the memory "
            "({after}): the decoder reads it there."
        )
    else:
        text = _(
            "At the input the answer hangs on *{first}* ({before}), in the memory on *{second}* "
            "({after}): look for the layer in which it passes from the one row to the other."
        )
    said = f"{decides} {text.format(**told)}"
    if part == "sublayer":
        said += " " + _(
            "Here only what one sublayer adds is carried over (a: self-attention, c: "
            "cross-attention, f: feed-forward): which of them moves it?"
        )
    if restored:
        said += " " + _("Restored: what brings this sentence's answer back is 0 here.")
    return said


def which_head(maps: Sequence[Map], restored: bool) -> str:
    """Name the head whose vector alone moves the answer most."""
    base = 1.0 if restored else 0.0
    found = views.best_head(maps, base)
    if found is None:
        return _("No piece of the other sentence stands for this one: nothing can be carried over.")
    head, value = found
    name = head_text(head.kind, head.layer, head.head)
    if abs(value - base) < FEW:
        return _("No head alone moves the answer here: several do it together, or none.")
    return _(
        "Alone, the vector of **{head}** moves the answer most, to {value}. What several heads do "
        "together is more, or less, than the sum of what each does alone."
    ).format(head=name, value=f"{Number(value):.2f}")


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
