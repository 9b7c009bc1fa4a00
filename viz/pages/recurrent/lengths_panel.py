"""The bottleneck: quality by length, and the one vector into which a whole sentence must fit."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from model.recurrent.config import FIXED, Attending
from model.results import Run
from viz.compute import ancestors
from viz.figures.figure import show_figure
from viz.figures.labels import token_label
from viz.language.text import _, later
from viz.link import address
from viz.link.choice import choose_one
from viz.pages.recurrent.figures import strips
from viz.pages.recurrent.lengths import Line, lengths_figure, line_of
from viz.shell import state
from viz.shell.finding import say
from viz.shell.model_names import kind_name


def bottleneck(run: Run) -> None:
    """Draw the quality of all models by length, then the fixed vector as the sentence grows."""
    _measured()
    fixed: list[Attending] = [kind for kind in FIXED if kind in ancestors.shipped()]
    if fixed:
        _growing(run, fixed)


def _measured() -> None:
    row = st.container(horizontal=True, gap="medium")
    measure = choose_one(_("Measure"), ["BLEU", "chrF"], "measure", row=row)
    sets = [later("sentences"), later("in a row")]
    several = choose_one(_("Texts"), sets, "texts", default="in a row", row=row)
    lines: dict[str, Line] = {}
    commands: list[str] = []
    named = {ancestors.transformer(): _("Transformer")}
    for kind in ancestors.shipped():
        named[ancestors.name_of(kind)] = kind_name(kind)
    for name, title in named.items():
        if measured := ancestors.lengths(name):
            rows = measured.in_a_row if several == "in a row" else measured.sentences
            lines[title] = line_of(rows, measure.lower())
            commands.append(measured.command)
    if not lines:
        st.info(_("Nothing was measured yet: python -m model.training.lengths does it."))
        return
    if sentence := finding(lines, str(measure)):
        say(sentence)
    show_figure(lengths_figure(lines, str(measure), state.current_theme()), "lengths picture")
    st.caption(
        _(
            'Greedy translations of held-out pairs. "Sentences": by the words of one sentence, '
            'which are short in this corpus. "In a row": one to five of them joined into a '
            "text; in training two were joined at most. Measured with `{command}`."
        ).format(command=commands[0].rsplit(" ", 1)[0] + " …")
    )


def finding(lines: Mapping[str, Line], measure: str) -> str:
    """Say how the shortest and the longest texts score, with one vector and with attention."""
    fixed, looking = (lines.get(kind_name(kind)) for kind in ("none", "additive"))
    if fixed is None or looking is None:
        return ""
    sentence = _(
        "Does one vector hold a long text? From {short:.0f} to {long:.0f} words its {measure} goes "
        "from **{first:.1f} to {last:.1f}**; looking back, from {other:.1f} to {end:.1f}."
    )
    return sentence.format(
        short=fixed.words[0],
        long=fixed.words[-1],
        measure=measure,
        first=fixed.scores[0],
        last=fixed.scores[-1],
        other=looking.scores[0],
        end=looking.scores[-1],
    )


def _growing(run: Run, fixed: list[Attending]) -> None:
    """Draw the fixed vector after each further word of the sentence."""
    words = run.source.text.split()[:24]
    st.subheader(_("The fixed vector while words are added"), anchor=False)
    named = {
        "none": _("its first state alone, and the output"),
        "cho": _("every step (Cho et al. 2014)"),
    }
    chosen = choose_one(_("Read by"), {kind: named[kind] for kind in fixed}, "fixed")
    kind: Attending = chosen if chosen in fixed else fixed[0]
    count = 1
    if len(words) > 1:
        count = st.slider(
            _("Words of the sentence"), 1, len(words), len(words), key="words", bind=address.BOUND
        )
    begun = [" ".join(words[:number]) for number in range(1, count + 1)]
    vectors = [ancestors.fixed_vector(beginning, kind) for beginning in begun]
    named = {
        f"{number}. … {token_label(beginning.split()[-1])}": vector
        for number, (beginning, vector) in enumerate(zip(begun, vectors, strict=True), start=1)
    }
    show_figure(strips(named, state.current_theme()), "fixed vector picture")
    moved = float(np.linalg.norm(vectors[-1] - vectors[-2])) if count > 1 else 0.0
    st.caption(
        _(
            "However long the sentence is, the decoder gets these {size} numbers and no more: the "
            "last state of each direction. The last word moved them by {moved:.2f}; they are "
            "{length:.2f} long."
        ).format(size=len(vectors[-1]), moved=moved, length=float(np.linalg.norm(vectors[-1])))
    )
    beginning = begun[-1]
    st.text(_("What it writes from them: ") + ancestors.looked(kind, beginning).translation.text)
