"""Decoding step by step as a table: the chosen piece and its alternatives."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from model.decoding.steps import Strategy
from model.interventions.base import Intervention
from model.results import Alternative, Step
from model.translator import Translator
from viz.figures.theme import QUERY, token_text
from viz.language.text import _

_BAR = (
    "display:inline-block;height:0.7em;margin-right:6px;border-radius:2px;background:{colour};"
    "width:{wide}px"
)
_CELL = "padding:3px 14px 3px 0;text-align:left;white-space:nowrap;vertical-align:top"


@dataclass(frozen=True)
class Steps:
    """The steps of one decode; a notebook shows them as a table."""

    steps: tuple[Step, ...]
    shown: int

    def _repr_html_(self) -> str:
        names = (_("Step"), _("Chosen"), _("Probability"), _("Most probable pieces"))
        head = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in names)
        rows = "".join(self._row(number, step) for number, step in enumerate(self.steps, start=1))
        return f'<table style="font-size:14px">{head}{rows}</table>'

    def _row(self, number: int, step: Step) -> str:
        others = "<br>".join(_bar(one, step) for one in step.alternatives[: self.shown])
        cells = (
            str(number),
            f"<b>{_piece(step.chosen)}</b>",
            f"{step.chosen.probability:.1%}",
            others,
        )
        return "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells) + "</tr>"


def decoder(
    translator: Translator,
    text: str,
    *,
    strategy: Strategy | None = None,
    forced: Sequence[int] = (),
    interventions: Sequence[Intervention] = (),
    shown: int = 5,
) -> Steps:
    """Translate a text, greedily by default, and show every step with its `shown` best pieces.

    Raises ValueError when the text is empty or an intervention does not fit.
    """
    return Steps(tuple(translator.steps(text, strategy, forced, interventions)), shown)


def _piece(one: Alternative) -> str:
    return escape(token_text(one.token))


def _bar(one: Alternative, step: Step) -> str:
    colour = QUERY if one.id == step.chosen.id else "#9aa0ac"
    bar = _BAR.format(colour=colour, wide=max(1, round(120 * one.probability)))
    return f'<span style="{bar}"></span>{_piece(one)} {one.probability:.1%}'
