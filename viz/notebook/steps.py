"""Decoding step by step as a table: the chosen piece and its alternatives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.decoding.steps import Strategy
from model.interventions.base import Intervention
from model.recording.markup import html, table
from model.recording.recording import NO_EDITS
from model.results import Alternative, Step
from model.sites.tap import Edit
from model.translator import Translator
from viz.figures.theme import QUERY, token_text
from viz.language.text import _
from viz.notebook.paper.picture import svg
from viz.notebook.paper.steps import BAR, OTHER, steps_picture
from viz.notebook.static import aligned

_BAR = (
    "display:inline-block;height:0.7em;margin-right:6px;border-radius:2px;background:{colour};"
    "width:{wide}px"
)


@dataclass(frozen=True, repr=False)
class Steps:
    """The steps of one decode; a notebook shows them as a table."""

    steps: tuple[Step, ...]
    shown: int

    def __repr__(self) -> str:
        """Write the table as lines of text."""
        rows = [
            [*cells, ", ".join(map(_said, step.alternatives[: self.shown]))]
            for cells, step in zip(self._cells(), self.steps, strict=True)
        ]
        return aligned(_names(), rows)

    def _repr_svg_(self) -> str:
        return svg(steps_picture(self.steps, self.shown, _names()))

    def _repr_html_(self) -> str:
        rows: list[list[str]] = []
        for (number, chosen, share), step in zip(self._cells(), self.steps, strict=True):
            bars = "<br>".join(_bar(one, step) for one in step.alternatives[: self.shown])
            rows.append([number, f"<b>{html(chosen)}</b>", share, bars])
        return table(_names(), rows)

    def _cells(self) -> list[tuple[str, str, str]]:
        """Return the number, the chosen piece and its probability of each step."""
        return [
            (str(number), token_text(step.chosen.token), f"{step.chosen.probability:.1%}")
            for number, step in enumerate(self.steps, start=1)
        ]


def decoder(
    translator: Translator,
    text: str,
    *,
    strategy: Strategy | None = None,
    forced: Sequence[int] = (),
    interventions: Sequence[Intervention] = (),
    edits: Mapping[str, Edit] = NO_EDITS,
    shown: int = 5,
) -> Steps:
    """Translate a text, and show every step with its most probable pieces.

    Args:
        translator: the model.
        text: the text.
        strategy: Greedy() by default, Beam(...) or Sampling(...).
        forced: the ids of the first pieces, if you choose them.
        interventions: changes to the model.
        edits: functions of your own, by site.
        shown: how many of the most probable pieces each step has.

    Returns:
        The steps; a notebook shows them as a table.

    Raises:
        ValueError: the text is empty, or an intervention or an edit does not fit.

    >>> [step.rank for step in decoder(translator, "It is late.").steps][0]
    1

    """
    return Steps(tuple(translator.steps(text, strategy, forced, interventions, edits)), shown)


def _names() -> tuple[str, ...]:
    return _("Step"), _("Chosen"), _("Probability"), _("Most probable pieces")


def _said(one: Alternative) -> str:
    return f"{token_text(one.token)} {one.probability:.1%}"


def _bar(one: Alternative, step: Step) -> str:
    colour = QUERY if one.id == step.chosen.id else OTHER
    bar = _BAR.format(colour=colour, wide=max(1, round(BAR * one.probability)))
    return f'<span style="{bar}"></span>{html(_said(one))}'
