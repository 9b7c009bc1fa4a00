"""The topic "scores": BLEU of the translation, worked out against a reference, and chrF."""

from html import escape

import streamlit as st

from model.measures.quality import Group, Order, Worked, chrf, worked
from model.results import Run
from viz.language.text import _
from viz.pages.learning.lesson import choose, controls

_STYLE = """<style>
.groups {display: grid; grid-template-columns: max-content 1fr; gap: 10px 14px;
  align-items: baseline; font-size: 16px}
.groups b {font-weight: 600}
.groups div {display: flex; flex-wrap: wrap; gap: 5px}
.groups i {font-style: normal; border: 1px solid; border-radius: 6px; padding: 0 7px;
  border-color: color-mix(in srgb, currentColor 25%, transparent); opacity: .62}
.groups i.hit {background: color-mix(in srgb, #009E73 26%, transparent); opacity: 1;
  border-color: #009E73}
.groups i.clipped {background: repeating-linear-gradient(45deg, transparent 0 5px,
  color-mix(in srgb, #E69F00 45%, transparent) 5px 9px); opacity: 1; border-color: #E69F00}
</style>"""


def show(run: Run) -> None:
    """Work out the scores of the model's translation, with all changes, against the reference."""
    lesson = choose(run, controls())
    translation, reference = run.translation.text, lesson.target or run.translation.text
    if lesson.target is None:
        st.info(_("Without a reference the translation stands for itself: type one above."))
    try:
        score = worked(translation, reference)
    except ValueError:
        st.info(_("There are no words to compare."))
        return
    st.html(board(score))
    st.caption(
        _(
            "Green: the reference has it too. Striped: it stands here more often than there, and "
            "counts as often as there. Pale: not in the reference. Reference: {reference}"
        ).format(reference=" ".join(score.wanted).replace("*", "\\*").replace("$", "\\$"))
    )
    columns = st.columns(4)
    columns[0].metric(_("BLEU"), f"{score.bleu:.1f}")
    columns[1].metric(_("chrF"), f"{chrf([translation], [reference]):.1f}")
    columns[2].metric(_("Brevity penalty"), f"{score.brevity:.3f}")
    lengths = _("{own} to {other}").format(own=len(score.said), other=len(score.wanted))
    columns[3].metric(_("Words, to those of the reference"), lengths)
    st.latex(formula(score))
    explain()


def board(score: Worked) -> str:
    """Return all groups of words of the translation as HTML, a row for each length."""
    rows = "".join(_row(length, order) for length, order in enumerate(score.orders, start=1))
    return f'{_STYLE}<div class="groups">{rows}</div>'


def _row(length: int, order: Order) -> str:
    label = _("{length} in a row: {matched} of {total}").format(
        length=length, matched=order.matched, total=order.total
    )
    chips = "".join(_chip(group) for group in order.groups)
    return f"<b>{escape(label)}</b><div>{chips or '…'}</div>"


def _chip(group: Group) -> str:
    kind = "hit" if group.matched == group.said else "clipped" if group.matched else ""
    times = f" ×{group.said}" if group.said > 1 else ""
    title = _("{said} here, {wanted} in the reference").format(said=group.said, wanted=group.wanted)
    label = escape(" ".join(group.words)) + times
    return f'<i class="{kind}" title="{escape(title)}">{label}</i>'


def formula(score: Worked) -> str:
    """Write the formula of BLEU, in LaTeX, with the numbers of this translation."""
    shares = r"\cdot".join(_share(order) for order in score.orders)
    longer = len(score.said) >= len(score.wanted)
    ends = f"1 - {len(score.wanted)}/{len(score.said)}"
    penalty = "1" if longer else rf"e^{{{ends}}} = {score.brevity:.3f}"
    return (
        rf"\text{{BP}} = {penalty},\qquad \text{{BLEU}} = 100\cdot\text{{BP}}\cdot"
        rf"\Big({shares}\Big)^{{1/4}} = {score.bleu:.1f}"
    )


def _share(order: Order) -> str:
    """Write a precision as a fraction or, without a match, as the smoothed number."""
    if order.matched:
        return rf"\tfrac{{{order.matched}}}{{{order.total}}}"
    return f"{order.precision:.3f}"


def explain() -> None:
    """Explain what both scores count, and what they do not."""
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "**BLEU** (Papineni et al., 2002) counts how many groups of one to four words the "
                "reference has too, each no more often than it stands there, and takes the "
                "geometric mean of the four shares. A translation that is shorter than its "
                "reference is marked down by the brevity penalty. Where no group matches, a "
                "small share stands in, as in sacrebleu; its figures are the same. **chrF** "
                "(Popović, 2015) compares groups of one to six characters, so half a word counts.\n"
                "\nBoth are made for a corpus, where all groups of all sentences are counted "
                "together. For one sentence they say little: a translation that is as good in "
                "other words scores low."
            )
        )
